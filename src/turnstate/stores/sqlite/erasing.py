"""Deleting for good: a conversation, all of a user, or old turns; with their words in the index and what they taught."""

from __future__ import annotations

from collections.abc import Iterable

from turnstate.core.events import Event, Recorded, Span
from turnstate.errors import EventDecodeError, TurnNotOpen
from turnstate.stores.codec import column, decode, encode, uncolumn
from turnstate.stores.erasing import Tally, goes, tomb_of
from turnstate.stores.rules import owner_of
from turnstate.stores.searched import searched_words
from turnstate.stores.sqlite.projection import settle
from turnstate.stores.sqlite.search import row_of, tokens
from turnstate.stores.sqlite.session import Place, Row, Session

_ALL = 2**63 - 1


def erase_conversation(session: Session, conversation: str, tally: Tally) -> None:
    """Delete a conversation; its tombstone stays."""
    place = session.find(conversation)
    if place is None:
        return
    tally.conversations += 1
    tally.turns += place.last_turn
    rows = session.rows("kept_events", conversation=place.number, through=_ALL)
    _delete_events(session, place, rows, tally)
    session.run("delete_turns", conversation=place.number, through=_ALL)
    session.run("delete_snapshot", conversation=place.number)
    _delete_blobs(session, place, (), tally)
    (head,) = session.only(
        "bury_conversation", conversation=place.number, id=tomb_of(conversation), at=tally.at
    )
    _add_tombstone(session, place, head, tally, None)


def erase_user(session: Session, user: str, tally: Tally) -> None:
    """Delete all conversations of a user, and whatever else is known of them."""
    for (identifier,) in session.rows("conversations_of", user=column(user)):
        erase_conversation(session, uncolumn(identifier), tally)
    owner = column(owner_of(user, ""))
    tally.facts += len(session.rows("delete_owner_facts", owner=owner))


def erase_turns(session: Session, conversation: str, through: int, tally: Tally) -> None:
    """Delete the turns up to `through`, with what was made of them.

    Raises:
        TurnNotOpen: one of them has not ended.
    """
    place = session.find(conversation)
    if place is None:
        return
    through = min(through, place.last_turn)
    unfinished = session.row("unfinished_turns", conversation=place.number, through=through)
    if unfinished is not None:
        raise TurnNotOpen(conversation, *unfinished)
    rows = session.rows("kept_events", conversation=place.number, through=through)
    standing = _states(session, place, rows)
    gone = [row for row in rows if row[0] not in standing and _goes(session, place, row, through)]
    if not gone:
        return
    turns = sorted({turn for _, turn, *_ in gone if turn})
    tally.conversations, tally.turns = 1, len(turns)
    _delete_events(session, place, gone, tally)
    session.run("delete_turns", conversation=place.number, through=through)
    left = session.rows("kept_events", conversation=place.number, through=_ALL)
    _delete_blobs(session, place, [body for *_, body in left], tally)
    head = place.head + 1
    _add_tombstone(session, place, head, tally, Span(turns[0] if turns else 1, through))
    session.run(
        "move_conversation",
        conversation=place.number,
        head=head,
        last_turn=place.last_turn,
        last_closed=place.last_closed,
        at=tally.at,
    )


def _states(session: Session, place: Place, rows: Iterable[Row]) -> set[int]:
    """Where the newest value of each state was recorded: what an agent knows now is not old."""
    newest: dict[str, int] = {}
    for seq, _turn, _at, tag, version, body in rows:
        if tag == "state-changed" and (event := _event(session, place, tag, version, body)) is not None:
            newest[str(getattr(event, "state", ""))] = seq
    return set(newest.values())


def _goes(session: Session, place: Place, row: Row, through: int) -> bool:
    seq, turn, at, tag, version, body = row
    event = _event(session, place, tag, version, body)
    if event is None:
        return 0 < turn <= through
    return goes(Recorded(place.conversation, seq, turn, at, event, version), through)


def _event(session: Session, place: Place, tag: str, version: int, body: object) -> Event | None:
    def blob(sha: str) -> bytes | None:
        row = session.row("find_blob", conversation=place.number, sha=sha)
        return None if row is None else row[0]

    try:
        return decode(tag, version, body, blob)
    except EventDecodeError:
        return None


def _delete_events(session: Session, place: Place, rows: Iterable[Row], tally: Tally) -> None:
    touched: set[tuple[str, str]] = set()
    unknown = False
    for seq, turn, _at, tag, version, body in rows:
        tally.events += 1
        event = _event(session, place, tag, version, body)
        unknown = unknown or event is None
        if event is not None and (words := searched_words(event)) and (row := row_of(turn, seq)) >= 0:
            session.run("unindex_event", conversation=place.number, row=row, words=tokens(words))
        learned = session.rows("delete_facts", conversation=place.number, seq=seq)
        tally.facts += len(learned)
        touched.update(learned)
        session.run("delete_event", conversation=place.number, seq=seq)
    for owner, key in sorted(touched):
        settle(session, owner, key)  # what the erased facts had superseded stands again
    session.forget_words(anew=unknown)


def _delete_blobs(session: Session, place: Place, bodies: Iterable[str], tally: Tally) -> None:
    """Those that no event names any more."""
    named = "\n".join(bodies)
    for sha, _ in session.rows("kept_blobs", conversation=place.number):
        if sha not in named:
            tally.blobs += 1
            session.run("delete_blob", conversation=place.number, sha=sha)


def _add_tombstone(session: Session, place: Place, seq: int, tally: Tally, turns: Span | None) -> None:
    encoded = encode(tally.tombstone(turns))
    session.run(
        "add_event",
        conversation=place.number,
        seq=seq,
        turn=0,
        at=tally.at,
        tag=encoded.tag,
        version=encoded.version,
        body=encoded.body,
    )
