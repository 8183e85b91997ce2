"""A conversation as it is kept, for an export, and putting one as another store kept it."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from turnstate.core.events import TurnOpened
from turnstate.core.history import Snapshot
from turnstate.errors import ConversationErased, ConversationExists
from turnstate.ports import Kept, KeptEvent, KeptTurn
from turnstate.stores.codec import Encoded, column, encode_fact, uncolumn
from turnstate.stores.erasing import tomb_of
from turnstate.stores.keeping import event_of, lessons_of
from turnstate.stores.postgres.rows import Entry, array, blobs_of, digest_of, number_of, words_of
from turnstate.stores.postgres.session import Session
from turnstate.stores.postgres.writes import settle
from turnstate.stores.rules import owner_of

_ALL = 2**63 - 1


async def kept(session: Session, conversation: str) -> Kept | None:
    """A conversation as it is kept, as of one moment; in the caller's transaction and pipeline."""
    number = number_of(conversation)
    # Locked: its rows are read by several statements, and nobody writes to it in between.
    place = await session.row("keep_conversation", conversation=number)
    if place is None or place[0] != column(conversation):
        return None
    _, user, started, updated, last_turn, last_closed, head = place
    rows = await session.rows("kept_events", conversation=number, through=_ALL)
    turns = await session.rows("kept_turns", conversation=number)
    large = await session.rows("kept_blobs", conversation=number)
    first, names = await session.row("find_snapshot", conversation=number) or (1, ())
    found = Kept(
        conversation,
        None if user is None else uncolumn(user),
        started,
        updated,
        last_turn,
        last_closed,
        head,
        tuple(KeptEvent(*row) for row in rows),
        (),
        {sha: bytes(data) for sha, data in large},
        Snapshot(first, tuple(names)),
    )
    return _with_turns(found, [(turn, seq, status) for turn, seq, status in turns])


def _with_turns(found: Kept, turns: Sequence[tuple[int, int, str]]) -> Kept:
    """The tables have a digest of a client's key: the key itself stands in the event that opened the turn."""
    opened = {event.seq: event for event in found.events if event.tag == "turn-opened"}
    kept_turns: list[KeptTurn] = []
    for turn, seq, status in turns:
        event = event_of(found, opened[seq]) if seq in opened else None
        key = event.key if isinstance(event, TurnOpened) else None
        kept_turns.append(KeptTurn(turn, seq, status, key))
    return Kept(
        found.conversation,
        found.user,
        found.started,
        found.updated,
        found.last_turn,
        found.last_closed,
        found.head,
        found.events,
        tuple(kept_turns),
        found.blobs,
        found.snapshot,
    )


async def keep(session: Session, all_kept: Sequence[Kept]) -> None:
    """Put conversations, and project what they taught in order of time; in the caller's transaction and pipeline.

    Raises:
        ConversationExists: one of them is there.
        ConversationErased: one of them was erased here.
    """
    for one in all_kept:
        await _put(session, one)
    owners: dict[bytes, set[str]] = {}
    for lesson in lessons_of(all_kept):
        owner, number = digest_of(owner_of(lesson.user, lesson.conversation)), number_of(lesson.conversation)
        (row,) = await session.rows("count_facts", owner=owner, number=len(lesson.facts))
        first = row[0] - len(lesson.facts) + 1
        keys = [column(fact.key) for fact in lesson.facts]
        await session.run(
            "add_facts",
            conversation=number,
            owner=owner,
            places=list(range(first, first + len(keys))),
            seqs=[lesson.seq] * len(keys),
            keys=keys,
            bodies=[encode_fact(fact) for fact in lesson.facts],
        )
        owners.setdefault(owner, set()).update(keys)
    for owner in sorted(owners):
        await settle(session, owner, sorted(owners[owner]))


async def _put(session: Session, one: Kept) -> None:
    number = number_of(one.conversation)
    put = await session.row(
        "put_conversation",
        conversation=number,
        id=column(one.conversation),
        user=None if one.user is None else column(one.user),
        owner=digest_of(owner_of(one.user, one.conversation)),
        head=one.head,
        last_turn=one.last_turn,
        last_closed=one.last_closed,
        started=one.started,
        updated=one.updated,
        held=sum(turn.status == "open" for turn in one.turns),
    )
    if put is None:
        there = await session.row("find_conversation", conversation=number)
        if there is not None and there[0] == tomb_of(one.conversation):
            raise ConversationErased(one.conversation)
        raise ConversationExists(one.conversation)
    await _put_events(session, number, one)
    opened = {turn.seq: turn for turn in one.turns}
    digests = {
        event.turn: known.digest
        for event in one.events
        if event.seq in opened and isinstance(known := event_of(one, event), TurnOpened)
    }
    for turn in one.turns:
        await session.run(
            "put_turn",
            conversation=number,
            turn=turn.turn,
            seq=turn.seq,
            status=turn.status,
            key=None if turn.key is None else digest_of(turn.key),
            digest=None if turn.key is None else column(digests.get(turn.turn, "")),
        )
    if one.snapshot != Snapshot(1):
        first, keep = one.snapshot.first, list(one.snapshot.keep)
        await session.run("put_snapshot", conversation=number, first=first, keep=keep)


async def _put_events(session: Session, number: UUID, one: Kept) -> None:
    by_turn: dict[int, set[int]] = {}
    for event in one.events:
        named = [sha for sha in one.blobs if sha in event.body]
        await session.run(
            "put_event",
            conversation=number,
            seq=event.seq,
            turn=event.turn,
            at=event.at,
            tag=event.tag,
            version=event.version,
            body=event.body,
            blobs=array(named) if named else None,
        )
        known = event_of(one, event)
        if known is not None and event.turn > 0:
            by_turn.setdefault(event.turn, set()).update(words_of(number, known))
    for turn, words in by_turn.items():
        await session.hear(number, turn, words)
    if one.blobs:
        large = Entry(Encoded("", 1, "", one.blobs), ())
        await session.run("add_blobs", conversation=number, **blobs_of([large]))
