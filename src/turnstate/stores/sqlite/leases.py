"""Who works on which turn: claims, heartbeats and their ends, each as one piece of a transaction."""

from __future__ import annotations

from turnstate.errors import ConversationErased, StoreError, TurnNotOpen
from turnstate.ports import Claim, Claimed
from turnstate.stores.codec import column
from turnstate.stores.erasing import tomb_of
from turnstate.stores.rules import LONGEST_LEASE, Before, Held, before
from turnstate.stores.sqlite.session import Place, Session


def until(claim: Claim, now: int) -> int:
    """When the worker counts as silent, in microseconds on the store's clock."""
    return now + min(claim.lasts, LONGEST_LEASE)


def absent(session: Session, conversation: str, turn: int) -> StoreError:
    """Why a conversation is not there."""
    if session.row("erased_conversation", id=tomb_of(conversation)):
        return ConversationErased(conversation)
    return TurnNotOpen(conversation, turn, "absent")


def ahead(session: Session, place: Place, turn: int, now: int, holder: str) -> Before:
    """What a claim of a turn has to wait for; `holder` as its column says it."""
    rows = session.rows("held_turns", conversation=place.number)
    known = (
        Held(number, open=bool(is_open), holder=of, until=end, token=token)
        for number, is_open, of, end, token in rows
    )
    return before(turn, known, now, holder)


def claim_turn(session: Session, conversation: str, turn: int, claim: Claim, now: int) -> Claimed:
    """Lease a turn to a worker, or say why not.

    Raises:
        TurnNotOpen: there is no such turn.
    """
    place = session.find(conversation)
    if place is None:
        raise absent(session, conversation, turn)
    if turn == 0:
        session.run("add_work", conversation=place.number)
    row = session.row("find_turn", conversation=place.number, turn=turn)
    if row is None:
        raise TurnNotOpen(conversation, turn, "absent")
    status = row[0]
    if status == "closed":
        return Claimed(0, "closed")
    first = ahead(session, place, turn, now, column(claim.holder))
    if first.behind or first.left:
        return Claimed(0, status, first.behind, first.left)
    (token,) = session.only(
        "lease_turn",
        conversation=place.number,
        turn=turn,
        holder=column(claim.holder),
        until=until(claim, now),
    )
    return Claimed(token, status)


def renew(session: Session, conversation: str, claim: Claim, now: int) -> tuple[int, ...]:
    """Say that a worker is alive; the turns that it has."""
    place = session.find(conversation)
    if place is None:
        return ()
    rows = session.rows(
        "renew_turns", conversation=place.number, holder=column(claim.holder), until=until(claim, now)
    )
    return tuple(sorted(turn for (turn,) in rows))


def release(session: Session, conversation: str, turn: int, claim: Claim) -> None:
    """Give up a turn that the worker has."""
    if (place := session.find(conversation)) is not None:
        session.run("release_turn", conversation=place.number, turn=turn, holder=column(claim.holder))
