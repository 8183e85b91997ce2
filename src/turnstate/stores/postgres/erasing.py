"""Deleting for good: a conversation, all of a user, or old turns; with their words in the index and what they taught."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from turnstate.core.events import Event, Recorded, Span, StateChanged
from turnstate.errors import EventDecodeError, TurnNotOpen
from turnstate.stores.codec import column, decode, encode, uncolumn
from turnstate.stores.erasing import Tally, goes, tomb_of
from turnstate.stores.postgres.rows import Row, digest_of, every, number_of
from turnstate.stores.postgres.session import Session
from turnstate.stores.postgres.writes import settle
from turnstate.stores.rules import owner_of

UNREACHABLE = (
    "pages of the database until it is vacuumed, and its write-ahead log with what was archived of it"
)
"""What stays below the tables for a while; it is the operator's."""

_ALL = 2**63 - 1


async def erase_conversation(session: Session, conversation: str, tally: Tally) -> None:
    """Delete a conversation; its tombstone stays; in the caller's transaction and pipeline."""
    number = number_of(conversation)
    place = await session.row("lock_conversation", conversation=number)
    if place is None or place[0] != column(conversation):
        return
    tally.conversations += 1
    tally.turns += place[3]
    rows = await session.rows("kept_events", conversation=number, through=_ALL)
    await _delete_events(session, number, [row[0] for row in rows], tally)
    await session.run("delete_said", conversation=number, all=every(number), through=_ALL)
    await session.run("delete_turns", conversation=number, first=0, through=_ALL)
    await session.run("delete_snapshot", conversation=number)
    await _delete_blobs(session, number, (), tally)
    await session.run("bury_conversation", conversation=number, id=tomb_of(conversation), at=tally.at)
    # In no place that is read: nothing of the conversation is there for its readers.
    await _add_tombstone(session, number, 0, tally, None)


async def erase_user(session: Session, user: str, tally: Tally) -> None:
    """Delete all conversations of a user, and whatever else is known of them; as `erase_conversation`."""
    owner = digest_of(owner_of(user, ""))
    for (identifier,) in await session.rows("conversations_of", owner=owner):
        await erase_conversation(session, uncolumn(identifier), tally)
    tally.facts += len(await session.rows("delete_owner_facts", owner=owner))
    await session.run("delete_owner", owner=owner)


async def erase_turns(session: Session, conversation: str, through: int, tally: Tally) -> None:
    """Delete the turns up to `through`, with what was made of them; as `erase_conversation`.

    Raises:
        TurnNotOpen: one of them has not ended.
    """
    number = number_of(conversation)
    place = await session.row("lock_conversation", conversation=number)
    if place is None or place[0] != column(conversation):
        return
    head, last_turn = place[2], place[3]
    through = min(through, last_turn)
    unfinished = await session.row("unfinished_turns", conversation=number, through=through)
    if unfinished is not None:
        raise TurnNotOpen(conversation, *unfinished)
    rows = await session.rows("kept_events", conversation=number, through=through)
    blobs = {sha: bytes(data) for sha, data in await session.rows("kept_blobs", conversation=number)}
    events = {row[0]: _event(row, blobs) for row in rows}
    standing = {event.state: seq for seq, event in events.items() if isinstance(event, StateChanged)}
    gone = [
        row
        for row in rows
        if row[0] not in set(standing.values()) and _goes(conversation, row, events[row[0]], through)
    ]
    if not gone:
        return
    turns = sorted({turn for _, turn, *_ in gone if turn})
    tally.conversations, tally.turns = 1, len(turns)
    await _delete_events(session, number, [row[0] for row in gone], tally)
    await session.run("delete_said", conversation=number, all=every(number), through=through)
    await session.run("delete_turns", conversation=number, first=1, through=through)
    left = await session.rows("kept_events", conversation=number, through=_ALL)
    await _delete_blobs(session, number, [row[5] for row in left], tally)
    await _add_tombstone(session, number, head + 1, tally, Span(turns[0] if turns else 1, through))
    await session.run("move_erased", conversation=number, head=head + 1, at=tally.at)


def _event(row: Row, blobs: dict[str, bytes]) -> Event | None:
    _, _, _, tag, version, body = row
    try:
        return decode(tag, version, body, blobs.get)
    except EventDecodeError:
        return None


def _goes(conversation: str, row: Row, event: Event | None, through: int) -> bool:
    seq, turn, at, _, version, _ = row
    if event is None:
        return 0 < turn <= through
    return goes(Recorded(conversation, seq, turn, at, event, version), through)


async def _delete_events(session: Session, number: UUID, seqs: Sequence[int], tally: Tally) -> None:
    tally.events += len(seqs)
    learned = await session.rows("delete_facts", conversation=number, seqs=list(seqs))
    tally.facts += len(learned)
    touched: dict[bytes, set[str]] = {}
    for owner, key in learned:
        touched.setdefault(bytes(owner), set()).add(key)
    for owner in sorted(touched):
        await session.rows("count_facts", owner=owner, number=0)  # nobody else settles until the commit
        await settle(session, owner, sorted(touched[owner]))
    await session.run("delete_events", conversation=number, seqs=list(seqs))


async def _delete_blobs(session: Session, number: UUID, bodies: Iterable[str], tally: Tally) -> None:
    """Those that no event names any more."""
    named = "\n".join(bodies)
    rows = await session.rows("kept_blobs", conversation=number)
    gone = [sha for sha, _ in rows if sha not in named]
    tally.blobs += len(gone)
    if gone:
        await session.run("delete_blobs", conversation=number, shas=gone)


async def _add_tombstone(session: Session, number: UUID, seq: int, tally: Tally, turns: Span | None) -> None:
    encoded = encode(tally.tombstone(turns))
    await session.run(
        "add_event",
        conversation=number,
        seq=seq,
        turn=0,
        at=tally.at,
        tag=encoded.tag,
        version=encoded.version,
        body=encoded.body,
    )
