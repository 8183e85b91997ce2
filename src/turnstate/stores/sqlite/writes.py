"""What a store writes, each as one piece of a transaction: opening, appending, projecting facts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from turnstate.core.events import ConversationOpened, Event, FactsLearned, Recorded, TurnOpened
from turnstate.core.facts import Fact
from turnstate.core.history import Snapshot
from turnstate.errors import ConversationBusy, ConversationErased, LeaseLost
from turnstate.ports import Opened, Opening
from turnstate.stores.codec import Encoded, column, encode, encode_fact
from turnstate.stores.erasing import tomb_of
from turnstate.stores.rules import admit, check_message, check_user, owner_of
from turnstate.stores.searched import searched_words
from turnstate.stores.sqlite.leases import absent, ahead, until
from turnstate.stores.sqlite.projection import settle
from turnstate.stores.sqlite.search import row_of, tokens
from turnstate.stores.sqlite.session import Place, Session


@dataclass(frozen=True, slots=True)
class Entry:
    """An event as it is written.

    Attributes:
        encoded: its row.
        words: what it is found by, as the index takes it; "" where it says nothing.
    """

    encoded: Encoded
    words: str


@dataclass(frozen=True, slots=True)
class Addition:
    """Events to be recorded, encoded before the transaction so that a bad one stops them all.

    Attributes:
        conversation: its id.
        turn: their turn, or 0.
        events: in order.
        entries: their rows.
        at: now, in microseconds since the epoch.
        token: of the turn's lease, or 0.
    """

    conversation: str
    turn: int
    events: tuple[Event, ...]
    entries: tuple[Entry, ...]
    at: int
    token: int = 0


def addition(conversation: str, turn: int, events: Sequence[Event], at: int, token: int = 0) -> Addition:
    """`events` ready to be written.

    Raises:
        ValueError: one of them holds something that JSON does not.
    """
    return Addition(conversation, turn, tuple(events), tuple(map(entry, events)), at, token)


def entry(event: Event) -> Entry:
    """An event ready to be written.

    Raises:
        EventEncodeError: it holds what cannot be written.
    """
    return Entry(encode(event), tokens(searched_words(event)))


def start(session: Session, conversation: str, user: str | None, at: int) -> int:
    """Open a conversation unless it is there; its newest seq.

    Raises:
        UserConflict: it belongs to another user.
    """
    if place := session.find(conversation):
        check_user(conversation, place.user, user)
        return place.head
    return _opened(session, conversation, user, at).head


def open_turn(session: Session, opening: Opening, message: Entry, now: int) -> Opened:
    """Open a turn, or find the one that has its key.

    Args:
        session: in the transaction.
        opening: the turn.
        message: its `TurnOpened`.
        now: microseconds on the store's clock.

    Raises:
        KeyConflict: the key belongs to a turn with another message.
        UserConflict: the conversation belongs to another user.
        ConversationBusy: it was to be opened alone, and is not.
    """
    place = session.find(opening.conversation)
    if place is None:
        place = _opened(session, opening.conversation, opening.user, opening.at)
    check_user(opening.conversation, place.user, opening.user)
    key = None if opening.key is None else column(opening.key)
    if opening.key is not None and (row := session.row("find_key", conversation=place.number, key=key)):
        turn, status, seq = row
        event = session.event(place, seq)
        check_message(
            opening.key, turn, event.digest if isinstance(event, TurnOpened) else "", opening.digest
        )
        return Opened(turn, status, place.head)
    turn, claim = place.last_turn + 1, opening.claim
    first = ahead(session, place, turn, now, "")
    if opening.alone and first.busy:
        raise ConversationBusy(opening.conversation, first.busy[0])
    token = 0 if claim is None or first.behind or first.left else 1
    place = replace(place, head=place.head + 1, last_turn=turn)
    _add(session, place, message, turn=turn, at=opening.at)
    session.run(
        "add_turn",
        conversation=place.number,
        turn=turn,
        seq=place.head,
        key=key,
        holder=None if claim is None else column(claim.holder),
        until=0 if claim is None else until(claim, now),
        token=token,
    )
    _move(session, place, opening.at)
    return Opened(turn, "new", place.head, token)


def append(session: Session, added: Addition, snapshot: Snapshot | None) -> tuple[Recorded, ...]:
    """Record events of a turn, all or none, and what follows from them.

    Raises:
        TurnNotOpen: the turn does not take one of them.
        LeaseLost: another worker has taken the turn over.
    """
    place = session.find(added.conversation)
    if place is None:
        raise absent(session, added.conversation, added.turn)
    row = session.row("find_turn", conversation=place.number, turn=added.turn)
    standing = "absent" if row is None or not added.turn else row[0]
    if added.token and row is not None and row[3] != added.token:
        raise LeaseLost(added.conversation, added.turn)
    admitted = admit(added.conversation, added.turn, standing, place.last_closed, added.events)
    recorded: list[Recorded] = []
    for index in admitted.places:
        place = replace(place, head=place.head + 1, last_closed=admitted.closed)
        event, written = added.events[index], added.entries[index]
        _add(session, place, written, turn=added.turn, at=added.at)
        recorded.append(
            Recorded(added.conversation, place.head, added.turn, added.at, event, written.encoded.version)
        )
        if isinstance(event, FactsLearned) and event.facts:
            _learn(session, place, event.facts)
    if recorded:
        _move(session, place, added.at)
    if admitted.standing != standing or admitted.ended:
        session.run("move_turn", conversation=place.number, turn=added.turn, status=admitted.standing)
    if snapshot is not None:
        keep = json.dumps(snapshot.keep, separators=(",", ":"))
        session.run("put_snapshot", conversation=place.number, first=snapshot.first, keep=keep)
    return tuple(recorded)


def _opened(session: Session, conversation: str, user: str | None, at: int) -> Place:
    if session.row("erased_conversation", id=tomb_of(conversation)):
        raise ConversationErased(conversation)
    owner = None if user is None else column(user)
    (number,) = session.only("add_conversation", id=column(conversation), user=owner, at=at)
    place = Place(conversation, number, user, head=1)
    _add(session, place, entry(ConversationOpened(user)), turn=0, at=at)
    return place


def _add(session: Session, place: Place, written: Entry, *, turn: int, at: int) -> None:
    """Record an event at the head of its conversation."""
    encoded = written.encoded
    session.run(
        "add_event",
        conversation=place.number,
        seq=place.head,
        turn=turn,
        at=at,
        tag=encoded.tag,
        version=encoded.version,
        body=encoded.body,
    )
    for sha, data in encoded.blobs.items():
        session.run("add_blob", conversation=place.number, sha=sha, data=data)
    if written.words and (row := row_of(turn, place.head)) >= 0:
        session.run("index_event", conversation=place.number, row=row, words=written.words)


def _move(session: Session, place: Place, at: int) -> None:
    session.run(
        "move_conversation",
        conversation=place.number,
        head=place.head,
        last_turn=place.last_turn,
        last_closed=place.last_closed,
        at=at,
    )


def _learn(session: Session, place: Place, facts: Sequence[Fact]) -> None:
    """Project the facts of the event at the head, and settle again which of the touched keys' are in force."""
    owner = column(owner_of(place.user, place.conversation))
    for index, fact in enumerate(facts):
        session.run(
            "add_fact",
            owner=owner,
            key=column(fact.key),
            conversation=place.number,
            seq=place.head,
            idx=index,
            body=encode_fact(fact),
        )
    for key in dict.fromkeys(column(fact.key) for fact in facts):
        settle(session, owner, key)
