"""What a person says to a tool call that waits for them: which turn it belongs to, and whether it can still be said."""

from __future__ import annotations

from turnstate.core.events import ApprovalAnswered
from turnstate.core.history import Call, History, Turn
from turnstate.errors import ApprovalUnknown


def to_be_answered(history: History, call_id: str, answer: ApprovalAnswered) -> Turn:
    """The turn of the call that a person answers; the same answer may be given again.

    Raises:
        ApprovalUnknown: nobody was asked about such a call, or it was answered otherwise.
    """
    found = next((turn for turn in history.turns if _call(turn, call_id) is not None), None)
    call = None if found is None else _call(found, call_id)
    if found is None or call is None:
        raise ApprovalUnknown(history.conversation, call_id, "is not there")
    if not call.awaits and call.approved is None:
        raise ApprovalUnknown(history.conversation, call_id, "needs no approval")
    if not call.awaits and call.approved is not answer.approved:
        said = "approved" if call.approved else "denied"
        raise ApprovalUnknown(history.conversation, call_id, f"was {said} before")
    return found


def waits_for(turn: Turn, call_id: str) -> bool:
    """Whether a person has been asked about the call and has not answered."""
    call = _call(turn, call_id)
    return call is not None and call.awaits


def _call(turn: Turn, call_id: str) -> Call | None:
    calls = (call for step in turn.steps for call in step.calls)
    return next((call for call in calls if call.call_id == call_id), None)
