"""One event of every kind, and the store that golden files are made of."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from turnstate.core import events as known
from turnstate.core.events import (
    AgentActed,
    ApprovalAnswered,
    ApprovalAsked,
    Asked,
    ConversationOpened,
    Count,
    Cut,
    Erased,
    Event,
    FactsLearned,
    GuardActed,
    HandedOff,
    Kept,
    ModelResponded,
    Question,
    Refused,
    RequestTrace,
    Resumed,
    Said,
    Span,
    StateChanged,
    SummaryWritten,
    ToolCalled,
    ToolReturned,
    Trace,
    TurnClosed,
    TurnFailed,
    TurnOpened,
    TurnPinned,
)
from turnstate.core.facts import Fact, Source
from turnstate.core.messages import (
    BinaryContent,
    ModelResponse,
    RequestUsage,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    moment,
    tool_return,
    user_message,
)
from turnstate.ports import Log, Opening

AT = 1_767_225_600_000_000
"""2026-01-01, in microseconds since the epoch."""

PAPER = BinaryContent(b"%PDF" + bytes(range(256)) * 8, media_type="application/pdf")
AWKWARD = "Größe 42 😀, \\0041, NUL \0, half \ud83d, ١٢٣"
TRACE = RequestTrace(
    1,
    Count(120, 300, 118, 119),
    8_000,
    Cut(3, 2, opening=False, facts="city: Oslo (customer said)\n" * 12, values=4, cap=900),
    "[context] cut",
    (Span(1, 1),),
    (Span(2, 2),),
    "overflow",
    ("a note",),
    (1, 2),
)
FACT = Fact(
    "city", "Oslo", Source.USER_QUOTE, "I live in Oslo", 0, 14, "c1", 1, AT, AT + 1, "Where do you live?"
)


def _response() -> ModelResponse:
    return ModelResponse(
        parts=[
            ThinkingPart("Let me look.", signature="c2ln", provider_name="anthropic"),
            TextPart("One moment, order 48213."),
            ToolCallPart("get_order", {"order_id": "48213", "half": "\ud83d"}, "call_a"),
            ToolCallPart("get_order", '{"order_id": "48214"}', "call_b"),
        ],
        usage=RequestUsage(input_tokens=118, output_tokens=20),
        model_name="scripted",
        timestamp=moment(AT),
        provider_response_id="resp_1",
        finish_reason="tool_call",
    )


def _newer(name: str, *values: Any) -> list[Event]:
    """An event that the release that makes a file may not have yet."""
    kind: Any = getattr(known, name, None)
    return [] if kind is None else [kind(*values)]


EVERY: tuple[Event, ...] = (
    ConversationOpened("ann", "c0"),
    TurnOpened("key-1", "d1gest", user_message(["Here it is:", PAPER, AWKWARD], AT)),
    ModelResponded("scripted", _response(), TRACE),
    ToolCalled("call-1", "call_a", "get_order", "once"),
    ToolReturned("call-1", tool_return("get_order", {"total": 40.5, "lines": [None, "x"]}, "call_a", AT)),
    ApprovalAsked("call-2", "call_b", "refund"),
    ApprovalAnswered("call-2", approved=False, by="bob", reason="too much"),
    AgentActed(
        "closer",
        "closer",
        2,
        "rules",
        ("Basket",),
        ("Deal.phase",),
        (Refused("seller", "Deal", "phase", "closer", "not yours"),),
        ("slow",),
        (10, 2),
    ),
    StateChanged("Basket", 1, "seller", {"set": {"items": 2}}, {"items": 2, "names": ["a", "b"]}),
    Asked((Question("Customer.city", "Where do you live?", "home"),)),
    GuardActed("values", "observe", "flagged", "It is $40.", "", "$40 is $40.50"),
    Said("person:bob", "Bob here, hello."),
    TurnClosed("It has shipped, $40.50 in all.", Trace(2, 118, 20, ("one retry",))),
    *_newer("TurnPaused", "I have asked my colleague."),
    TurnFailed("model", "The model was away.", retry=True, released="It"),
    FactsLearned("learned", "rules", 1, (FACT,), ("one problem",), (5, 1)),
    SummaryWritten(
        Span(1, 1), "Ann asked for 48213.", "extractive", 9, ("short",), (3, 4),
        (Kept(1, "user", "id", "48213"), Kept(1, "tool", "amount", "$40.50", "total")), 2,
    ),
    TurnPinned("Order 48213 has shipped."),
    *_newer("Rated", 4.5, "ann", "Quick."),
    HandedOff("angry", "Ann wants a person."),
    Resumed("bob"),
    Erased("retention", Span(1, 2), "receipt-1", ("backups",)),
)  # fmt: skip
"""One of every kind that the release has; the order means nothing."""

INSIDE = tuple(event for event in EVERY if not isinstance(event, ConversationOpened | TurnOpened | TurnClosed
               | TurnFailed | Erased) and type(event).__name__ != "TurnPaused")  # fmt: skip
"""What may be recorded while a turn is open, but for what ends it."""


async def fill(log: Log, other: Log) -> None:
    """Two conversations of one tenant and one of another: closed, failed and open turns, with events of every kind.

    Args:
        log: empty.
        other: the same store, opened for another tenant.
    """
    opened = await log.open(
        Opening("c1", "ann", "key-1", "d1gest", user_message(["Look:", PAPER, AWKWARD], AT), AT)
    )
    await log.append("c1", opened.turn, [*map(_seen, INSIDE), _of(TurnClosed)], AT + 1)
    opened = await log.open(Opening("c1", "ann", "key-2", "d2", user_message("And order 48214?", AT), AT + 2))
    await log.append("c1", opened.turn, [_of(TurnFailed)], AT + 3)
    opened = await log.open(Opening("c1", "ann", None, "d3", user_message("Are you there?", AT), AT + 4))
    await log.append("c1", opened.turn, [_seen(_of(ModelResponded))], AT + 5)
    await log.open(Opening("c\\2 \0", None, "key-1", "d4", user_message("Who am I?", AT), AT + 6))
    opened = await other.open(Opening("c1", "ann", "key-1", "d5", user_message("Another shop", AT), AT + 7))
    await other.append("c1", opened.turn, [_of(TurnClosed)], AT + 8)


def _seen(event: Event) -> Event:
    """An event whose request saw all turns."""
    if not isinstance(event, ModelResponded):
        return event
    return replace(event, request=replace(event.request, cut=replace(event.request.cut, first=1)))


def _of(kind: type[Any]) -> Any:
    return next(event for event in EVERY if isinstance(event, kind))
