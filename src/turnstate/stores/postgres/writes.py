"""What a store writes, each as one transaction: opening, appending, projecting facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from turnstate.core.events import ConversationOpened, Event, FactsLearned, Recorded
from turnstate.core.facts import Fact
from turnstate.core.history import Snapshot
from turnstate.errors import TurnNotOpen
from turnstate.ports import Opened, Opening
from turnstate.stores.codec import Encoded, column, encode, encode_fact, uncolumn
from turnstate.stores.postgres.session import Session, digest_of, number_of, word_of
from turnstate.stores.rules import admit, check_message, check_user, in_force, owner_of
from turnstate.stores.searched import searched_words


@dataclass(frozen=True, slots=True)
class Entry:
    """An event as it is written.

    Attributes:
        encoded: its row.
        words: what it is found by, as the index calls it.
    """

    encoded: Encoded
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Addition:
    """Events to be recorded, encoded before the transaction so that a bad one stops them all.

    Attributes:
        conversation: its id.
        turn: their turn, or 0.
        events: in order.
        entries: their rows.
        at: now, in microseconds since the epoch.
        snapshot: what replaces the conversation's snapshot, if anything.
    """

    conversation: str
    turn: int
    events: tuple[Event, ...]
    entries: tuple[Entry, ...]
    at: int
    snapshot: Snapshot | None


class _Lesson(NamedTuple):
    """A fact, and the seq of the event that taught it."""

    seq: int
    fact: Fact


def entry(conversation: str, turn: int, event: Event) -> Entry:
    """An event ready to be written; what stands outside any turn is not searched.

    Raises:
        EventEncodeError: it holds what cannot be written.
    """
    number = number_of(conversation)
    said = searched_words(event) if turn else ()
    return Entry(encode(event), tuple(sorted(word_of(number, word) for word in said)))


async def start(session: Session, conversation: str, user: str | None, at: int) -> int:
    """Open a conversation unless it is there; its newest seq.

    Raises:
        UserConflict: it belongs to another user.
    """
    head = await _head(session, conversation, user)
    if head is None:
        await _add_conversation(session, conversation, user, at)
        head = await _head(session, conversation, user)
    return head or 0


async def open_turn(session: Session, opening: Opening, message: Entry) -> Opened | None:
    """Open a turn, or find the one that has its key, in one statement; None where the conversation is not there.

    Args:
        session: on a connection; the statement is a transaction of its own.
        opening: the turn.
        message: its `TurnOpened`.

    Raises:
        KeyConflict: the key belongs to a turn with another message.
        UserConflict: the conversation belongs to another user.
    """
    opened = await _open(session, opening, message)
    if opened is None:
        await _head(session, opening.conversation, opening.user)
    return opened


async def begin(session: Session, opening: Opening, message: Entry) -> Opened | None:
    """Open a conversation unless it is there, and a turn in it; as `open_turn`, in the caller's transaction."""
    await _add_conversation(session, opening.conversation, opening.user, opening.at)
    return await open_turn(session, opening, message)


async def append(session: Session, added: Addition) -> tuple[Recorded, ...]:
    """Record events of a turn, all or none, and what follows from them; in the caller's transaction and pipeline.

    Raises:
        TurnNotOpen: the turn does not take one of them.
    """
    number, turn = number_of(added.conversation), added.turn
    locked = await session.run("lock_conversation", conversation=number)
    found = await session.run("find_turn", conversation=number, turn=turn)
    place, standing = await locked.fetchone(), await found.fetchone()
    if place is None or place[0] != column(added.conversation):
        raise TurnNotOpen(added.conversation, turn, "absent")
    _, user, head, closed = place
    before = standing[0] if standing else "absent"
    admitted = admit(added.conversation, turn, before, closed, added.events)
    recorded = tuple(
        Recorded(
            added.conversation, seq, turn, added.at, added.events[index], added.entries[index].encoded.version
        )
        for seq, index in enumerate(admitted.places, start=head + 1)
    )
    if recorded:
        await _add_events(
            session, number, added, recorded, [added.entries[index] for index in admitted.places]
        )
        await session.run(
            "move_conversation",
            conversation=number,
            head=recorded[-1].seq,
            last_closed=admitted.closed,
            at=added.at,
        )
    if admitted.standing != before:
        await session.run("move_turn", conversation=number, turn=turn, status=admitted.standing)
    if added.snapshot is not None:
        first, keep = added.snapshot.first, list(added.snapshot.keep)
        await session.run("put_snapshot", conversation=number, first=first, keep=keep)
    lessons = [
        _Lesson(event.seq, fact)
        for event in recorded
        if isinstance(event.event, FactsLearned)
        for fact in event.event.facts
    ]
    if lessons:
        owner = owner_of(None if user is None else uncolumn(user), added.conversation)
        await _learn(session, number, digest_of(owner), lessons)
    return recorded


async def _head(session: Session, conversation: str, user: str | None) -> int | None:
    """The newest seq of the user's conversation, None where it is not there."""
    row = await session.row("find_conversation", conversation=number_of(conversation))
    if row is None:
        return None
    found, owner, head = row
    if found != column(conversation):  # two ids of one digest: whoever came first keeps it
        check_user(conversation, found, None)
    check_user(conversation, None if owner is None else uncolumn(owner), user)
    return head


async def _add_conversation(session: Session, conversation: str, user: str | None, at: int) -> None:
    opened = encode(ConversationOpened(user))
    await session.run(
        "add_conversation",
        conversation=number_of(conversation),
        id=column(conversation),
        user=None if user is None else column(user),
        owner=digest_of(owner_of(user, conversation)),
        at=at,
        tag=opened.tag,
        version=opened.version,
        body=opened.body,
    )


async def _open(session: Session, opening: Opening, message: Entry) -> Opened | None:
    encoded = message.encoded
    row = await session.row(
        "open_turn",
        conversation=number_of(opening.conversation),
        id=column(opening.conversation),
        owner=digest_of(owner_of(opening.user, opening.conversation)),
        key=None if opening.key is None else digest_of(opening.key),
        digest=None if opening.key is None else column(opening.digest),
        at=opening.at,
        tag=encoded.tag,
        version=encoded.version,
        body=encoded.body,
        blobs=list(encoded.blobs) or None,
        words=list(message.words) or None,
        shas=list(encoded.blobs),
        datas=list(encoded.blobs.values()),
    )
    if row is None:
        return None
    turn, state, head, digest = row
    if state != "new" and opening.key is not None:
        check_message(opening.key, turn, uncolumn(digest or ""), opening.digest)
    return Opened(turn, state, head)


async def _add_events(
    session: Session, number: UUID, added: Addition, recorded: Sequence[Recorded], entries: Sequence[Entry]
) -> None:
    rows = [entry.encoded for entry in entries]
    await session.run(
        "add_events",
        conversation=number,
        turn=added.turn,
        at=added.at,
        seqs=[event.seq for event in recorded],
        versions=[row.version for row in rows],
        tags=[row.tag for row in rows],
        bodies=[row.body for row in rows],
        blobs=[_array(row.blobs) for row in rows],
        words=[_array(entry.words) for entry in entries],
    )
    large = {sha: data for row in rows for sha, data in row.blobs.items()}
    if large:
        await session.run("add_blobs", conversation=number, shas=list(large), datas=list(large.values()))


def _array(items: Iterable[object]) -> str | None:
    """Numbers or digests as an array is written: arrays of unequal lengths do not make an array; None for none."""
    written = ",".join(map(str, items))
    return f"{{{written}}}" if written else None


async def _learn(session: Session, number: UUID, owner: bytes, lessons: Sequence[_Lesson]) -> None:
    """Project facts, and settle again which of the touched keys' are in force."""
    row = await session.row("count_facts", owner=owner, number=len(lessons))
    first = (row[0] if row else 0) - len(lessons) + 1
    keys = [column(lesson.fact.key) for lesson in lessons]
    await session.run(
        "add_facts",
        conversation=number,
        owner=owner,
        places=list(range(first, first + len(lessons))),
        seqs=[lesson.seq for lesson in lessons],
        keys=keys,
        bodies=[encode_fact(lesson.fact) for lesson in lessons],
    )
    moved: list[int] = []
    rows = await session.rows("key_facts", owner=owner, keys=sorted(set(keys)))
    for key in dict.fromkeys(keys):
        known = [
            (place, active, fact)
            for of, place, active, body in rows
            if of == key and (fact := session.fact(place, body))
        ]
        settled = zip(known, in_force([fact for *_, fact in known]), strict=True)
        moved += [place for (place, active, _), now in settled if active != now]
    if moved:
        await session.run("move_facts", owner=owner, places=moved)
