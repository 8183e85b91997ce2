"""What every provider refuses is impossible here: the last step before the wire.

A history that was stored broken (an orphaned result, an interrupted call, a blank text) is healed on the way out, with
a note; the log keeps what happened. A history without a fault comes back as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import dropwhile
from typing import Any, NamedTuple, cast

from turnstate.core.context.families import ANYWHERE, Wire
from turnstate.core.messages import (
    CachePoint,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    NativeToolCallPart,
    NativeToolReturnPart,
    RetryPromptPart,  # pyright: ignore[reportDeprecated]  # histories recorded elsewhere still hold it
    SystemPromptPart,
    TextContent,
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

LONGEST_ID = 40
"""Characters of a tool call id; OpenAI refuses longer ones, which other providers give out."""

LONGEST_NAME = 64
"""Characters of a tool's name; models make names up, and a made-up name stays in the history."""

_SIGN = re.compile(r"[^a-zA-Z0-9_-]")


class Healed(NamedTuple):
    """Messages that are valid, and what was healed, one sentence each."""

    messages: tuple[ModelMessage, ...]
    notes: tuple[str, ...]


def heal(messages: Sequence[ModelMessage], wire: Wire = ANYWHERE) -> Healed:  # noqa: ARG001
    """Make `messages` valid for every provider.

    Starts with the user, ends with the user or a tool result; every result stands directly behind exactly one call
    and every call has its results; ids are unique and, as tool names, of signs that are accepted; no blank text, no
    system text, nothing that JSON cannot carry.

    Returns:
        The messages, the same objects where nothing was wrong, and a note for each kind of repair.
    """
    notes: list[str] = []
    found = [_with_results(wire_safe(message)) for message in messages]
    found = _without_blanks(found, notes)
    found = _starting_with_user(found, notes)
    found = _paired(found, notes)
    found = _merged(_with_native_pairs(_merged(found), notes))
    found = _unique_ids(found, notes)
    if isinstance(found[-1], ModelResponse):
        # The turn in flight always ends a request; only a foreign history can end with the assistant.
        notes.append("The history ended with the assistant; an empty user message was added.")
        found.append(_empty_message())
    return Healed(tuple(found), tuple(dict.fromkeys(notes)))


def _with_results(message: ModelMessage) -> ModelMessage:
    parts: list[Any] = [_with_result(part) for part in message.parts]
    same = all(new is old for new, old in zip(parts, message.parts, strict=True))
    return message if same else replace(message, parts=parts)


def _with_result(part: Any) -> Any:
    if not _is_result(part):
        return part
    content = part.content
    if isinstance(content, list):
        items: list[Any] = [NO_RESULT if _blank_text(item) else item for item in cast("list[Any]", content)]
        return replace(part, content=items) if any(map(_blank_text, cast("list[Any]", content))) else part
    return replace(part, content=NO_RESULT) if _blank_text(content) else part


def _blank_text(item: object) -> bool:
    text = item.content if isinstance(item, TextContent) else item
    return isinstance(text, str) and not text.strip()


def _without_blanks(messages: Iterable[ModelMessage], notes: list[str]) -> list[ModelMessage]:
    found: list[ModelMessage] = []
    for message in messages:
        parts: Sequence[Any] = message.parts
        kept = [said for part in parts if not _blank(said := _without_blank_items(part))]
        if len(kept) == len(parts) and all(new is old for new, old in zip(kept, parts, strict=True)):
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


def _without_blank_items(part: Any) -> Any:
    """A user's part without the blank texts that stand among its images."""
    if not isinstance(part, UserPromptPart) or isinstance(part.content, str):
        return part
    kept = [item for item in part.content if not _blank_text(item)]
    if all(isinstance(item, CachePoint) for item in kept):
        kept = []
    return part if len(kept) == len(part.content) else replace(part, content=kept)


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
            return [_without_leading_mark(message), *messages[index + 1 :]]
    notes.append("The history had no user message; an empty one was put first.")
    return [_empty_message(), *messages]


def _empty_message() -> ModelRequest:
    return ModelRequest(parts=[UserPromptPart(EMPTY, timestamp=moment(0))])


def _without_leading_mark(first: ModelRequest) -> ModelRequest:
    """The first message, without a cache mark that would have nothing before it."""
    opening, *others = first.parts
    if not isinstance(opening, UserPromptPart) or isinstance(opening.content, str):
        return first
    content = list(dropwhile(lambda item: isinstance(item, CachePoint), opening.content))
    if len(content) == len(opening.content):
        return first
    return replace(first, parts=[replace(opening, content=content), *others])


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


def _is_result(part: object) -> bool:
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


def _with_native_pairs(messages: Iterable[ModelMessage], notes: list[str]) -> list[ModelMessage]:
    """A call that ran on the provider's side stands with its result in one response, or neither does."""
    found: list[ModelMessage] = []
    for message in messages:
        parts: Sequence[Any] = message.parts
        asked = {part.tool_call_id for part in parts if isinstance(part, NativeToolCallPart)}
        answered = {part.tool_call_id for part in parts if isinstance(part, NativeToolReturnPart)}
        if asked == answered:
            found.append(message)
            continue
        notes.append("A call on the provider's side, or its result, stood alone and was left out.")
        native: Any = NativeToolCallPart | NativeToolReturnPart
        alone = asked ^ answered
        if kept := [part for part in parts if not isinstance(part, native) or part.tool_call_id not in alone]:
            found.append(replace(message, parts=kept))
    return found


def _unique_ids(messages: Sequence[ModelMessage], notes: list[str]) -> list[ModelMessage]:
    """Ids and names that every provider accepts, each id used once: small local models count from 1 in each response."""
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
                if _sendable_name(call.tool_name) != call.tool_name:
                    notes.append("The name of a called tool that is not sendable was changed.")
        found.append(_with_ids(message, renamed))
    return found


def _free(call_id: str, taken: set[str]) -> str:
    base = _SIGN.sub("_", call_id)[:LONGEST_ID] or "call"
    new, number = base, 1
    while new in taken:
        number += 1
        new = f"{base[: LONGEST_ID - len(str(number)) - 1]}_{number}"
    return new


def _sendable_name(name: str) -> str:
    return _SIGN.sub("_", name)[:LONGEST_NAME] or "unnamed"


def _with_ids(message: ModelMessage, renamed: dict[str, str]) -> ModelMessage:
    parts: list[Any] = [_with_id(part, renamed) for part in message.parts]
    same = all(new is old for new, old in zip(parts, message.parts, strict=True))
    return message if same else replace(message, parts=parts)


def _with_id(part: Any, renamed: dict[str, str]) -> Any:
    if not _has_call_id(part):
        return part
    call_id, name = renamed.get(part.tool_call_id, part.tool_call_id), _sendable_name(part.tool_name)
    if (call_id, name) == (part.tool_call_id, part.tool_name):
        return part
    return replace(part, tool_call_id=call_id, tool_name=name)


def _has_call_id(part: object) -> bool:
    return isinstance(part, ToolCallPart) or _is_result(part)
