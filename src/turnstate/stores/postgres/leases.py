"""Who works on which turn: each claim is decided by the rules of all stores, under the conversation's lock."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from turnstate.errors import ConversationErased, StoreError, TurnNotOpen
from turnstate.ports import Claim, Claimed, TurnState
from turnstate.stores.codec import column
from turnstate.stores.erasing import tomb_of
from turnstate.stores.postgres.courier import SAME, Ask
from turnstate.stores.postgres.rows import Row, number_of
from turnstate.stores.postgres.session import Session
from turnstate.stores.rules import LONGEST_LEASE, Held, before


class _Standing(NamedTuple):
    """Where a turn stands, turn 0 among them.

    Attributes:
        status: its status.
        counted: whether the conversation counts it as one that is open or has a worker.
    """

    status: TurnState
    counted: bool


def held_turns(rows: Iterable[Row]) -> list[Held]:
    """Rows of turns with what is left of their workers' words; now is 0."""
    return [Held(turn, status == "open", holder, left, token) for turn, status, holder, left, token in rows]


async def claim_turn(session: Session, conversation: str, turn: int, claim: Claim) -> Claimed:
    """Lease a turn to a worker, or say why not; in the caller's transaction and pipeline.

    Raises:
        TurnNotOpen: there is no such turn.
    """
    number, holder = number_of(conversation), column(claim.holder)
    locked = await session.run("lock_conversation", conversation=number)
    found = await session.run("find_turn", conversation=number, turn=turn)
    holding = await session.run("held_turns", conversation=number)
    place, row, rows = await locked.fetchone(), await found.fetchone(), await holding.fetchall()
    standing = _standing(conversation, turn, place, row)
    if standing.status == "closed":
        return Claimed(0, "closed")
    first = before(turn, held_turns(rows), 0, holder)
    if first.behind or first.left:
        return Claimed(0, standing.status, first.behind, first.left)
    lasts = min(claim.lasts, LONGEST_LEASE)
    leased = await session.row("lease_turn", conversation=number, turn=turn, holder=holder, lasts=lasts)
    token = leased[0] if leased else 0
    if turn:
        runs, more = standing.status == "open", 0 if standing.counted else 1
        await session.run("move_lease", conversation=number, turn=turn, token=token, runs=runs, more=more)
    return Claimed(token, standing.status)


def renew_turns(conversation: str, claim: Claim) -> Ask[tuple[int, ...]]:
    """Say that a worker is alive; the turns that it has, in order."""
    values = {
        "conversation": number_of(conversation),
        "holder": column(claim.holder),
        "lasts": min(claim.lasts, LONGEST_LEASE),
    }
    return Ask("renew_turns", values, lambda rows: tuple(sorted(turn for (turn,) in rows)), lost=SAME)


async def release_turn(session: Session, conversation: str, turn: int, claim: Claim) -> None:
    """Give up a turn; what is not there, or another worker's, stays as it is; in the caller's transaction and pipeline."""
    number, holder = number_of(conversation), column(claim.holder)
    locked = await session.run("lock_conversation", conversation=number)
    found = await session.run("find_turn", conversation=number, turn=turn)
    place, row = await locked.fetchone(), await found.fetchone()
    if place is None or place[0] != column(conversation) or row is None or row[1] != holder:
        return
    await session.run("release_turn", conversation=number, turn=turn, holder=holder)
    if turn and row[0] != "open":
        await session.run("move_lease", conversation=number, turn=turn, token=0, runs=False, more=-1)


def absent(conversation: str, turn: int, place: Row | None) -> StoreError:
    """Why a turn is not there; `place` is the row of its conversation, which begins with an id, or None."""
    if place is not None and place[0] == tomb_of(conversation):
        return ConversationErased(conversation)
    return TurnNotOpen(conversation, turn, "absent")


def _standing(conversation: str, turn: int, place: Row | None, row: Row | None) -> _Standing:
    if place is None or place[0] != column(conversation) or (row is None and turn):
        raise absent(conversation, turn, place)
    status, holder = ("open", None) if row is None else (row[0], row[1])
    if not turn:
        return _Standing("open", counted=False)
    return _Standing(status, counted=status == "open" or holder is not None)
