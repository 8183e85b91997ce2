"""What every provider refuses is impossible here: the last step before the wire.

A history that was stored broken (an orphaned result, an interrupted call, a blank text) is healed on the way out, with
a note; the log keeps what happened. A history without a fault comes back as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from turnstate.core.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    RetryPromptPart,  # pyright: ignore[reportDeprecated]  # histories recorded elsewhere still hold it
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
    calls,
    moment,
    tool_return,
    wire_safe,
)

INTERRUPTED = "This call was interrupted before a result was recorded. Whether it took effect is unknown."
"""What the model is told about a call that has no result."""

NO_RESULT = "(empty result)"
"""What stands for a tool result without any text: a blank text inside a result is refused too."""

EMPTY = "(empty message)"
"""What stands for a user's message without any content, which no provider accepts."""

_ID = re.compile(r"[^a-zA-Z0-9_-]")


class Healed(NamedTuple):
    """Messages that are valid, and what was healed, one sentence each."""

    messages: tuple[ModelMessage, ...]
    notes: tuple[str, ...]


def heal(messages: Sequence[ModelMessage]) -> Healed:
    """Make `messages` valid for every provider.

    Starts with the user, ends with the user or a tool result; every result stands directly behind exactly one call
    and every call has its results; ids are unique; no blank text, no system text, nothing that JSON cannot carry.

    Returns:
        The messages, the same objects where nothing was wrong, and a note for each kind of repair.
    """
    notes: list[str] = []
    found = [_with_results(wire_safe(message)) for message in messages]
    found = _without_blanks(found, notes)
    found = _starting_with_user(found, notes)
    found = _paired(found, notes)
    found = _merged(found)
    found = _unique_ids(found, notes)
    if not found or isinstance(found[-1], ModelResponse):
        # The turn in flight always ends a request; only a foreign history can end with the assistant.
        notes.append("The history ended with the assistant; an empty user message was added.")
        found.append(ModelRequest(parts=[UserPromptPart(EMPTY, timestamp=moment(0))]))
    return Healed(tuple(found), tuple(dict.fromkeys(notes)))


def _with_results(message: ModelMessage) -> ModelMessage:
    parts: list[Any] = [
        replace(part, content=NO_RESULT)
        if isinstance(part, ToolReturnPart) and isinstance(part.content, str) and not part.content.strip()
        else part
        for part in message.parts
    ]
    return (
        message
        if all(a is b for a, b in zip(parts, message.parts, strict=True))
        else replace(message, parts=parts)
    )


def _without_blanks(messages: Iterable[ModelMessage], notes: list[str]) -> list[ModelMessage]:
    found: list[ModelMessage] = []
    for message in messages:
        parts: Sequence[Any] = message.parts
        kept = [part for part in parts if not _blank(part)]
        if len(kept) == len(parts):
            found.append(message)
            continue
        if any(isinstance(part, SystemPromptPart) for part in parts):
            notes.append("A system text inside the history was left out; instructions stand apart.")
        else:
            notes.append("A blank text was left out.")
        if (
            not kept
            and isinstance(message, ModelRequest)
            and any(isinstance(part, UserPromptPart) for part in parts)
        ):
            kept = [UserPromptPart(EMPTY, timestamp=parts[0].timestamp)]
        if kept:
            found.append(replace(message, parts=kept))
    return found


def _blank(part: Any) -> bool:
    match part:
        case SystemPromptPart():
            return True
        case TextPart():
            return not part.content.strip()
        case UserPromptPart():
            content = part.content
            return not content.strip() if isinstance(content, str) else not content
        case _:
            return False


def _starting_with_user(messages: list[ModelMessage], notes: list[str]) -> list[ModelMessage]:
    for index, message in enumerate(messages):
        if isinstance(message, ModelRequest) and any(
            isinstance(part, UserPromptPart) for part in message.parts
        ):
            if index:
                notes.append("What stood before the first user message was left out.")
            return messages[index:]
    return messages


def _paired(messages: Sequence[ModelMessage], notes: list[str]) -> list[ModelMessage]:
    found: list[ModelMessage] = []
    open_calls: tuple[ToolCallPart, ...] = ()
    for message in messages:
        if isinstance(message, ModelRequest):
            found.append(_answering(message, open_calls, notes))
            open_calls = ()
            continue
        if open_calls:
            found.append(_answering(None, open_calls, notes))
        message = _with_distinct_calls(message, notes)  # noqa: PLW2901 - the healed message takes its place
        found.append(message)
        open_calls = calls(message)
    if open_calls:
        found.append(_answering(None, open_calls, notes))
    return [message for message in found if message.parts]


def _with_distinct_calls(response: ModelResponse, notes: list[str]) -> ModelResponse:
    seen: set[str] = set()
    kept: list[Any] = []
    for part in response.parts:
        if isinstance(part, ToolCallPart):
            if part.tool_call_id in seen:
                notes.append("A call that stood twice in one response was left out.")
                continue
            seen.add(part.tool_call_id)
        kept.append(part)
    return response if len(kept) == len(response.parts) else replace(response, parts=kept)


def _answering(message: ModelRequest | None, asked: Sequence[ToolCallPart], notes: list[str]) -> ModelRequest:
    """`message` with exactly one result for each call that was asked, results first, in the calls' order."""
    parts: Sequence[Any] = message.parts if message is not None else ()
    results: dict[str, Any] = {}
    others: list[Any] = []
    wanted = {call.tool_call_id: call for call in asked}
    for part in parts:
        if not _is_result(part):
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
    if message is None:
        return ModelRequest(parts=healed)
    same = len(healed) == len(parts) and all(new is old for new, old in zip(healed, parts, strict=True))
    return message if same else replace(message, parts=healed)


def _is_result(part: Any) -> bool:
    if isinstance(part, ToolReturnPart):
        return True
    return isinstance(part, RetryPromptPart) and part.tool_name is not None  # pyright: ignore[reportDeprecated]


def _merged(messages: Sequence[ModelMessage]) -> list[ModelMessage]:
    """Neighbours of one role become one message: an unanswered user message joins the next one."""
    found: list[ModelMessage] = []
    for message in messages:
        last = found[-1] if found else None
        if (isinstance(message, ModelRequest) and isinstance(last, ModelRequest)) or (
            isinstance(message, ModelResponse) and isinstance(last, ModelResponse)
        ):
            found[-1] = replace(message, parts=[*last.parts, *message.parts])
        else:
            found.append(message)
    return found


def _unique_ids(messages: Sequence[ModelMessage], notes: list[str]) -> list[ModelMessage]:
    """Ids that every provider accepts, each used once: small local models count from 1 in every response."""
    taken: set[str] = set()
    renamed: dict[str, str] = {}
    found: list[ModelMessage] = []
    for message in messages:
        if isinstance(message, ModelResponse):
            renamed = {}
            for call in calls(message):
                renamed[call.tool_call_id] = new = _free(call.tool_call_id, taken)
                taken.add(new)
                if new != call.tool_call_id:
                    notes.append("A tool call id that was not unique or not sendable was renamed.")
        found.append(_with_ids(message, renamed))
    return found


def _free(call_id: str, taken: set[str]) -> str:
    base = _ID.sub("_", call_id)[:64] or "call"
    new, number = base, 1
    while new in taken:
        number += 1
        new = f"{base}_{number}"
    return new


def _with_ids(message: ModelMessage, renamed: dict[str, str]) -> ModelMessage:
    changed = False
    parts: list[Any] = []
    for part in message.parts:
        new = renamed.get(getattr(part, "tool_call_id", "")) if _has_call_id(part) else None
        if new is not None and new != getattr(part, "tool_call_id", new):
            changed = True
            parts.append(replace(part, tool_call_id=new))
        else:
            parts.append(part)
    return replace(message, parts=parts) if changed else message


def _has_call_id(part: Any) -> bool:
    return isinstance(part, ToolCallPart) or _is_result(part)
