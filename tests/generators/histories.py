"""Random conversations, the sound ones and the poisoned ones, as the events that a log would hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from turnstate.core.events import (
    ConversationOpened,
    Count,
    Cut,
    Event,
    ModelResponded,
    Recorded,
    RequestTrace,
    ToolCalled,
    ToolReturned,
    Trace,
    TurnClosed,
    TurnFailed,
    TurnOpened,
)
from turnstate.core.messages import (
    BinaryContent,
    ModelRequest,
    ModelResponse,
    RequestUsage,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    UserPromptPart,
    moment,
    tool_return,
)

CONVERSATION = "c"

words = st.sampled_from(
    "order 12345 please ship to 55 Elm St refund $40.50 by March 11th 什么 時候 مرحبا ok <summary> </facts> \x00 naïve".split(" ")
)
texts = st.lists(words, min_size=1, max_size=10).map(" ".join)
blanks = st.sampled_from(["", " ", "\n\t"])


@dataclass(frozen=True, slots=True)
class Faults:
    """How often a generated conversation is broken, as a share of the places where it can be."""

    blank: bool = False
    lost_results: bool = False
    foreign_results: bool = False
    repeated_ids: bool = False


SOUND = Faults()
POISONED = Faults(blank=True, lost_results=True, foreign_results=True, repeated_ids=True)


@st.composite
def responses(draw: st.DrawFn, at: int, faults: Faults, *, may_call: bool) -> ModelResponse:
    """A response with thinking, text and calls in any number, never without any part."""
    parts: list[Any] = []
    if draw(st.booleans()):
        parts.append(ThinkingPart(draw(texts), signature="sig", provider_name="anthropic"))
    count = draw(st.integers(0, 3)) if may_call else 0
    if not count or draw(st.booleans()):
        parts.append(TextPart(draw(st.one_of(texts, blanks) if faults.blank else texts)))
    for index in range(count):
        number = draw(st.integers(0, 2)) if faults.repeated_ids else f"{at}_{index}"
        parts.append(ToolCallPart("get_order", {"order_id": draw(words)}, tool_call_id=f"call_{number}"))
    usage = RequestUsage(input_tokens=draw(st.integers(0, 400)), output_tokens=5)
    return ModelResponse(parts=parts, timestamp=moment(at), usage=usage, model_name="m")


def trace(round_number: int, cut: Cut | None = None) -> RequestTrace:
    """A request's trace with sizes of no meaning."""
    return RequestTrace(round=round_number, count=Count(100, 400, 100), target=1_000, cut=cut or Cut())


@st.composite
def turn_events(draw: st.DrawFn, number: int, faults: Faults, *, last: bool = False) -> list[Event]:
    """The events of one turn, in their order."""
    at = number * 1_000
    content: Any = draw(st.one_of(texts, blanks) if faults.blank else texts)
    if draw(st.integers(0, 9)) == 0:
        content = [content or "see", BinaryContent(b"\x89PNG" * 8, media_type="image/png")]
    message = ModelRequest(parts=[UserPromptPart(content, timestamp=moment(at))])
    events: list[Event] = [TurnOpened(None, f"d{number}", message)]
    rounds = draw(st.integers(0 if last else 1, 3))
    for index in range(rounds):
        final = index == rounds - 1
        response = draw(responses(at + index, faults, may_call=not final or last))
        events.append(ModelResponded("m", response, trace(index + 1)))
        events.extend(_calls(draw, response, at + index, faults))
    if not last:
        failed = TurnFailed("model", "no answer", retry=True)
        events.append(failed if draw(st.integers(0, 7)) == 0 else TurnClosed(None, Trace(rounds)))
    return events


def _calls(draw: st.DrawFn, response: ModelResponse, at: int, faults: Faults) -> list[Event]:
    found: list[Event] = []
    for part in response.parts:
        if not isinstance(part, ToolCallPart):
            continue
        call_id = f"ours_{at}_{part.tool_call_id}"
        found.append(ToolCalled(call_id, part.tool_call_id, part.tool_name, "read"))
        if faults.lost_results and draw(st.integers(0, 3)) == 0:
            continue
        asked = "orphan" if faults.foreign_results and draw(st.integers(0, 4)) == 0 else part.tool_call_id
        found.append(ToolReturned(call_id, tool_return(part.tool_name, {"status": draw(words)}, asked, at)))
    return found


def record(turns: Sequence[Sequence[Event]], user: str | None = None) -> list[Recorded]:
    """The events as a log would hold them, turn after turn."""
    found = [Recorded(CONVERSATION, 1, 0, 0, ConversationOpened(user))]
    for number, events in enumerate(turns, start=1):
        for event in events:
            found.append(Recorded(CONVERSATION, len(found) + 1, number, number * 1_000, event))
    return found


@st.composite
def conversations(draw: st.DrawFn, faults: Faults = SOUND, most: int = 9) -> list[Recorded]:
    """A conversation of which the last turn is in flight."""
    count = draw(st.integers(1, most))
    return record([draw(turn_events(number, faults, last=number == count)) for number in range(1, count + 1)])
