"""Order: the user first and last, every call with its results, roles in turn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import dropwhile
from typing import Any

from turnstate.core.context.families import Wire
from turnstate.core.context.validity.parts import edited, is_native, is_result, plain, with_parts
from turnstate.core.context.validity.texts import EMPTY
from turnstate.core.messages import (
    CachePoint,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    NativeToolCallPart,
    ThinkingPart,
    ToolCallPart,
    UserPromptPart,
    calls,
    moment,
    tool_return,
)

INTERRUPTED = "This call was interrupted before a result was recorded. Whether it took effect is unknown."
"""What the model is told about a call that has no result."""

_ID = re.compile(r"[a-zA-Z0-9_-]+")


def starting_with_user(messages: list[ModelMessage], notes: list[str]) -> list[ModelMessage]:
    """The messages from the user's first on."""
    for index, message in enumerate(messages):
        if isinstance(message, ModelRequest) and any(
            isinstance(part, UserPromptPart) for part in message.parts
        ):
            if index:
                notes.append("What stood before the first user message was left out.")
            return messages[index:]
    notes.append("The history had no user message; an empty one was put first.")
    return [_empty_message(), *messages]


def ending_with_user(messages: list[ModelMessage], notes: list[str]) -> list[ModelMessage]:
    """The messages with an empty one of the user's behind them, where they end with the assistant.

    The turn in flight always ends a request; only a foreign history can end with the assistant.
    """
    if isinstance(messages[-1], ModelRequest):
        return messages
    notes.append("The history ended with the assistant; an empty user message was added.")
    return [*messages, _empty_message()]


def _empty_message() -> ModelRequest:
    return ModelRequest(parts=[UserPromptPart(EMPTY, timestamp=moment(0))])


def without_leading_mark(messages: list[ModelMessage]) -> list[ModelMessage]:
    """The messages, of which the first opens with no cache mark, which would have nothing before it."""
    first: Any = messages[0]
    opening, *others = first.parts
    if not isinstance(opening, UserPromptPart) or isinstance(opening.content, str):
        return messages
    content = list(dropwhile(lambda item: isinstance(item, CachePoint), opening.content))
    if len(content) == len(opening.content):
        return messages
    return [replace(first, parts=[replace(opening, content=content), *others]), *messages[1:]]


def paired(messages: Sequence[ModelMessage], wire: Wire, notes: list[str]) -> list[ModelMessage]:
    """The messages in which each call is answered once, in the message behind it, and nothing else is."""
    found: list[ModelMessage] = []
    open_calls: tuple[ToolCallPart, ...] = ()
    for message in messages:
        if isinstance(message, ModelRequest):
            found.append(_answering(message, open_calls, notes))
            open_calls = ()
            continue
        if open_calls:
            found.append(_answering(None, open_calls, notes))
        response = _with_distinct_calls(message, wire, notes)
        found.append(response)
        open_calls = calls(response)
    if open_calls:
        found.append(_answering(None, open_calls, notes))
    return [message for message in found if message.parts]


def _with_distinct_calls(response: ModelResponse, wire: Wire, notes: list[str]) -> ModelResponse:
    seen: set[str] = set()
    kept: list[Any] = []
    for part in response.parts:
        if isinstance(part, ToolCallPart):
            if part.tool_call_id in seen:
                notes.append("A call that stood twice in one response was left out.")
                continue
            seen.add(part.tool_call_id)
        kept.append(part)
    return edited(response, kept, wire)


def _answering(message: ModelRequest | None, asked: Sequence[ToolCallPart], notes: list[str]) -> ModelRequest:
    """`message` with exactly one result for each call that was asked, results first, in the calls' order."""
    parts: Sequence[Any] = message.parts if message is not None else ()
    results: dict[str, Any] = {}
    others: list[Any] = []
    wanted = {call.tool_call_id: call for call in asked}
    for part in parts:
        if not is_result(part):
            others.append(part)
        elif part.tool_call_id in wanted and part.tool_call_id not in results:
            results[part.tool_call_id] = part
        else:
            notes.append("A tool result without its call was left out.")
    for call_id, call in wanted.items():
        if call_id not in results:
            notes.append(f"The interrupted call of {call.tool_name} was given a result that says so.")
            results[call_id] = tool_return(call.tool_name, INTERRUPTED, call_id, 0, "interrupted")
    healed = [*(results[call_id] for call_id in wanted), *others]
    return ModelRequest(parts=healed) if message is None else with_parts(message, healed)


def merged(messages: Sequence[ModelMessage], notes: list[str]) -> list[ModelMessage]:
    """Neighbours of one role become one message: an unanswered user message joins the next one."""
    found: list[ModelMessage] = []
    for message in messages:
        last = found[-1] if found else None
        if isinstance(last, ModelRequest) and isinstance(message, ModelRequest):
            found[-1] = replace(message, parts=[*last.parts, *message.parts])
        elif isinstance(last, ModelResponse) and isinstance(message, ModelResponse):
            found[-1] = _joined(last, message, notes)
        else:
            found.append(message)
    return found


def _joined(first: ModelResponse, second: ModelResponse, notes: list[str]) -> ModelResponse:
    """Two responses as one, which can be bound to one origin only."""
    if (first.provider_name, first.model_name) != (second.provider_name, second.model_name):
        words = plain(first), plain(second)
        if words[0] is not first or words[1] is not second:
            notes.append("Answers of two models that follow each other were sent as plain words and calls.")
        first, second = words
    return replace(second, parts=[*first.parts, *second.parts])


def with_native_pairs(messages: Iterable[ModelMessage], wire: Wire, notes: list[str]) -> list[ModelMessage]:
    """A call that ran on the provider's side stands once, with its result behind it in one response, or not at all."""
    found: list[ModelMessage] = []
    seen: set[str] = set()
    for message in messages:
        parts: Sequence[Any] = message.parts
        if isinstance(message, ModelRequest):
            found.append(message)
            continue
        whole = _whole_pairs(message) - seen
        seen |= whole | {call.tool_call_id for call in calls(message)}
        kept = [part for part in parts if not is_native(part) or part.tool_call_id in whole]
        if len(kept) != len(parts):
            notes.append("A call on the provider's side, or its result, stood alone and was left out.")
        healed = edited(message, kept, wire)
        if any(not isinstance(part, ThinkingPart) for part in healed.parts):
            found.append(healed)
    return found


def _whole_pairs(response: ModelResponse) -> set[str]:
    """The ids of calls that stand in a response once, and once more as its result behind them."""
    order: dict[str, list[bool]] = {}
    parts: Sequence[Any] = response.parts
    for part in parts:
        if is_native(part):
            order.setdefault(part.tool_call_id, []).append(isinstance(part, NativeToolCallPart))
    for call in calls(response):
        order.pop(call.tool_call_id, None)
    return {call_id for call_id, kinds in order.items() if kinds == [True, False] and _ID.fullmatch(call_id)}
