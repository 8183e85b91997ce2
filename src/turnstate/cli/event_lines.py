"""Events as `show --events` tells them: a stable kind, one line, and the whole body as JSON data."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from turnstate.cli.text import turns_text
from turnstate.core.events import (
    AgentActed,
    Asked,
    ConversationOpened,
    Event,
    FactsLearned,
    GuardActed,
    HandedOff,
    ModelResponded,
    Said,
    SummaryWritten,
    ToolCalled,
    ToolReturned,
    TurnClosed,
    TurnFailed,
    TurnOpened,
    TurnPinned,
)
from turnstate.core.messages import args_text, calls, response_text, result_text, user_text
from turnstate.stores.codec import encode, uncolumn

_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


def kind_of(event: Event) -> str:
    """The event's stable tag, as the log has it."""
    return _CAPITAL.sub("-", type(event).__name__).lower()


def body_of(event: Event) -> Any:
    """The event's body, as the log has it; large binaries by their SHA-256."""
    body = json.loads(encode(event).body)
    return json.loads(uncolumn(body["escaped"])) if "escaped" in body else body


def line_of(event: Event) -> str:
    """What happened, in one line."""
    tell = _LINES.get(type(event))
    return encode(event).body if tell is None else tell(event)


def _opened(event: TurnOpened) -> str:
    key = f"key {event.key}: " if event.key is not None else ""
    return f"{key}{user_text(event.message)}"


def _response(event: ModelResponded) -> str:
    called = ", ".join(f"{call.tool_name} {args_text(call)}" for call in calls(event.response))
    said = " | ".join(part for part in (response_text(event.response), called) if part.strip())
    return f"{event.request.count.best:,} tokens -> {said}"


def _learned(event: FactsLearned) -> str:
    found = ", ".join(f"{fact.key} = {fact.value}" for fact in event.facts)
    return f"{event.status} by {event.by}: {found or '; '.join(event.problems) or 'nothing'}"


def _summary(event: SummaryWritten) -> str:
    span = turns_text(event.covers.first, event.covers.last)
    return f"{span} by {event.by}, {event.tokens:,} tokens: {event.text}"


def _acted(event: AgentActed) -> str:
    wrote = f"wrote {', '.join(event.wrote)}" if event.wrote else "wrote nothing"
    refused = f", {len(event.refused)} refused" if event.refused else ""
    return f"{event.agent} ({event.part}, stage {event.stage}, by {event.by}): {wrote}{refused}"


_LINES: dict[type[Event], Callable[[Any], str]] = {
    ConversationOpened: lambda event: "no user" if event.user is None else f"user {event.user}",
    TurnOpened: _opened,
    ModelResponded: _response,
    ToolCalled: lambda event: f"{event.tool} ({event.effect}) {event.call_id}",
    ToolReturned: lambda event: f"{event.result.tool_name}: {result_text(event.result)}",
    TurnClosed: lambda event: f"after {event.trace.rounds} request{'' if event.trace.rounds == 1 else 's'}",
    TurnFailed: lambda event: f"{event.reason}: {event.message}",
    FactsLearned: _learned,
    SummaryWritten: _summary,
    AgentActed: _acted,
    Asked: lambda event: " | ".join(f"{each.key or 'no key'}: {each.text}" for each in event.questions),
    GuardActed: lambda event: f"{event.guard} {event.action}: {event.sentence.strip()} ({event.reason})",
    Said: lambda event: f"{event.by}: {event.text}",
    HandedOff: lambda event: event.reason,
    TurnPinned: lambda event: event.text or "no longer pinned",
}
"""Kinds of events by how their line is told; the others are shown by their body."""
