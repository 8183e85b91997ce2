"""Which call a person may answer, and what is said where they may not."""

from __future__ import annotations

import pytest

from turnstate.core.events import ApprovalAnswered, ApprovalAsked, Event, ModelResponded, Recorded, TurnOpened
from turnstate.core.history import History, fold
from turnstate.core.messages import ModelResponse, ToolCallPart, user_message
from turnstate.errors import ApprovalUnknown
from turnstate.testing.log_contract.story import responded
from turnstate.turn.approving import to_be_answered, waits_for

ASKED = ApprovalAsked("call-1", "t1", "refund")
YES, NO = ApprovalAnswered("call-1", approved=True), ApprovalAnswered("call-1", approved=False)


def history(*events: Event) -> History:
    """A turn whose model called two tools, and what came of it."""
    parts = [ToolCallPart("refund", {}, tool_call_id="t1"), ToolCallPart("look", {}, tool_call_id="t2")]
    called = ModelResponded("scripted", ModelResponse(parts=parts), responded().request)
    told = [TurnOpened(None, "digest", user_message("refund it", 1)), called, *events]
    return fold(Recorded("c", seq, 1, seq, event) for seq, event in enumerate(told, 1))


def test_a_call_that_waits_may_be_answered_either_way() -> None:
    """Until it is; then the same answer may come again."""
    for answer in (YES, NO):
        turn = to_be_answered(history(ASKED), "call-1", answer)
        assert waits_for(turn, "call-1")
        again = to_be_answered(history(ASKED, answer), "call-1", answer)
        assert not waits_for(again, "call-1")


@pytest.mark.parametrize(
    ("events", "answer", "problem"),
    [
        ((), YES, "is not there"),
        ((ASKED, NO), YES, "was denied before"),
        ((ASKED, YES), NO, "was approved before"),
    ],
)
def test_what_cannot_be_answered_is_told(
    events: tuple[Event, ...], answer: ApprovalAnswered, problem: str
) -> None:
    """With what became of it."""
    with pytest.raises(ApprovalUnknown, match=problem):
        to_be_answered(history(*events), "call-1", answer)
