"""What a store records of a turn that is open, and the facts that follow from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from turnstate.core.events import Event, FactsLearned, Recorded, TurnOpened
from turnstate.core.facts import Fact
from turnstate.core.history import Snapshot
from turnstate.errors import LeaseLost, TurnNotOpen
from turnstate.stores.codec import column, encode_fact, uncolumn
from turnstate.stores.postgres.courier import Ask, Work
from turnstate.stores.postgres.leases import absent
from turnstate.stores.postgres.rows import (
    Entry,
    Row,
    blobs_of,
    columns_of,
    digest_of,
    heard,
    number_of,
    said_in,
)
from turnstate.stores.postgres.session import Session
from turnstate.stores.rules import admit, in_force, owner_of


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
        token: that of the turn's lease, or 0.
        stamp: drawn for this append, so that one that is sent twice is recorded once.
        again: whether it was sent before, and may be on record.
    """

    conversation: str
    turn: int
    events: tuple[Event, ...]
    entries: tuple[Entry, ...]
    at: int
    snapshot: Snapshot | None
    token: int = 0
    stamp: int = 0
    again: bool = False


class _Lesson(NamedTuple):
    """A fact, and the seq of the event that taught it."""

    seq: int
    fact: Fact


def tell(added: Addition, lost: Work[tuple[Recorded, ...]]) -> Ask[tuple[Recorded, ...]] | None:
    """Record events of the turn that runs, in one statement, which records nothing where it is not so.

    Only what the rules take for an open turn is tried, and only where nothing else follows from it.

    Args:
        added: the events.
        lost: what to do when nobody knows what became of it.
    """
    if added.turn <= 0 or added.snapshot is not None or not added.events or _lessons(added.events):
        return None
    if any(isinstance(event, TurnOpened) for event in added.events):
        return None
    try:
        admitted = admit(added.conversation, added.turn, "open", 0, added.events)
    except (TurnNotOpen, ValueError):
        return None  # who looks at the turn will say why
    number = number_of(added.conversation)
    values = {
        "conversation": number,
        "id": column(added.conversation),
        "turn": added.turn,
        "token": added.token,
        "number": len(added.events),
        "at": added.at,
        "status": admitted.standing,
        "ended": admitted.standing != "open",
        "closed": admitted.closed,
        "stamp": added.stamp,
        "words": heard(number, added.turn, said_in(added.entries)),
        **columns_of(added.entries),
        **blobs_of(added.entries),
    }

    def told(rows: list[Row]) -> tuple[Recorded, ...]:
        return _recorded(added, rows[0][0], admitted.places) if rows else ()

    return Ask("tell_turn", values, told, lost=lost)


async def append(session: Session, added: Addition) -> tuple[Recorded, ...]:
    """Record events of a turn, all or none, and what follows from them; in the caller's transaction and pipeline.

    Raises:
        LeaseLost: another worker has taken the turn over.
        TurnNotOpen: the turn does not take one of them.
    """
    number, turn = number_of(added.conversation), added.turn
    locked = await session.run("lock_conversation", conversation=number)
    found = await session.run("find_turn", conversation=number, turn=turn)
    place, row = await locked.fetchone(), await found.fetchone()
    if place is None or place[0] != column(added.conversation):
        raise absent(added.conversation, turn, place)
    _, user, head, _, closed, _, _ = place
    if added.again and (known := await _known(session, added)):
        return known
    status, holder, _, token = row if row and turn else ("absent", None, 0, 0)
    if added.token and status != "absent" and token != added.token:
        raise LeaseLost(added.conversation, turn)
    admitted = admit(added.conversation, turn, status, closed, added.events)
    recorded = _recorded(added, head, admitted.places)
    if recorded:
        entries = [added.entries[index] for index in admitted.places]
        await session.add_events(number, turn, added.at, [event.seq for event in recorded], entries)
    freed = admitted.ended
    counted = status == "open" or holder is not None
    counts = admitted.standing == "open" or (holder is not None and not freed)
    if recorded:
        await session.run(
            "move_conversation",
            conversation=number,
            turn=turn,
            head=recorded[-1].seq,
            last_closed=admitted.closed,
            at=added.at,
            more=counts - counted,
            ended=admitted.standing != "open",
            stamp=added.stamp,
        )
    if admitted.standing != status or freed:
        await session.run("move_turn", conversation=number, turn=turn, status=admitted.standing, freed=freed)
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


async def _known(session: Session, added: Addition) -> tuple[Recorded, ...]:
    """The same events of the same time, if they are on record: a connection may break behind a commit."""
    rows = await session.rows(
        "find_told", conversation=number_of(added.conversation), turn=added.turn, at=added.at
    )
    written = [(entry.encoded.tag, entry.encoded.body) for entry in added.entries]
    every = tuple(range(len(written)))
    for places in (every, tuple(place for place in every if not isinstance(added.events[place], TurnOpened))):
        wanted = [written[place] for place in places]
        for index in range(len(rows) - len(wanted) + 1) if wanted else ():
            if [(tag, body) for _, tag, body in rows[index : index + len(wanted)]] == wanted:
                return _recorded(added, rows[index][0] - 1, places)
    return ()


def _recorded(added: Addition, head: int, places: Sequence[int]) -> tuple[Recorded, ...]:
    return tuple(
        Recorded(
            added.conversation,
            seq,
            added.turn,
            added.at,
            added.events[index],
            added.entries[index].encoded.version,
        )
        for seq, index in enumerate(places, start=head + 1)
    )


def _lessons(events: Sequence[Event]) -> bool:
    return any(isinstance(event, FactsLearned) and event.facts for event in events)


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
    await settle(session, owner, sorted(set(keys)))


async def settle(session: Session, owner: bytes, keys: Sequence[str]) -> None:
    """Settle again which facts of some of an owner's keys are in force; the owner's row is locked."""
    rows = await session.rows("key_facts", owner=owner, keys=list(keys))
    moved: list[int] = []
    for key in keys:
        known = [
            (place, active, fact)
            for of, place, active, body in rows
            if of == key and (fact := session.reading.fact(place, body))
        ]
        settled = zip(known, in_force([fact for *_, fact in known]), strict=True)
        moved += [place for (place, active, _), now in settled if active != now]
    if moved:
        await session.run("move_facts", owner=owner, places=moved)
