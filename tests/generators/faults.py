"""What any provider refuses about messages, found on the messages themselves, without the code under test."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, cast

from turnstate.core.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")
_BYTES = re.compile(r"\bb'(?:[^'\\]|\\.)*'")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def faults(messages: Sequence[ModelMessage]) -> list[str]:
    """The faults of a request, in a few words each; nothing for a valid one."""
    if not messages or not isinstance(messages[0], ModelRequest):
        return ["does not start with the user"]
    found: list[str] = []
    if not any(isinstance(part, UserPromptPart) for part in messages[0].parts):
        found.append("does not start with a user message")
    if isinstance(messages[-1], ModelResponse):
        found.append("ends with the assistant")
    seen: list[str] = []
    for before, message in zip((None, *messages), messages, strict=False):
        if type(before) is type(message):
            found.append("two neighbours of one role")
        found.extend(_part_faults(message))
        found.extend(_pair_faults(before, message))
        seen.extend(part.tool_call_id for part in message.parts if isinstance(part, ToolCallPart))
    if len(seen) != len(set(seen)):
        found.append("an id used twice")
    return found


def _part_faults(message: ModelMessage) -> list[str]:
    parts: list[Any] = list(message.parts)
    found = [] if parts else ["an empty message"]
    for part in parts:
        if isinstance(part, SystemPromptPart):
            found.append("a system text in the history")
        if isinstance(part, TextPart | UserPromptPart | ToolReturnPart):
            content: Any = part.content
            items = cast("list[Any]", content) if isinstance(content, list) else [content]
            if not items or any(isinstance(item, str) and not item.strip() for item in items):
                found.append("a blank text")
        if isinstance(part, ToolCallPart | ToolReturnPart):
            if not _ID.fullmatch(part.tool_call_id):
                found.append(f"an id that is refused: {part.tool_call_id!r}")
            if not _NAME.fullmatch(part.tool_name):
                found.append(f"a name that is refused: {part.tool_name!r}")
    if re.search(r"\\x00|\\ud[89a-f]", _BYTES.sub("", repr(message))):
        found.append("what JSON cannot carry")
    return found


def _pair_faults(before: ModelMessage | None, message: ModelMessage) -> list[str]:
    """Every call of a response is answered once, first thing in the message behind it, and nothing else is."""
    if not isinstance(message, ModelRequest):
        return []
    asked = [part.tool_call_id for part in before.parts if isinstance(part, ToolCallPart)] if before else []
    kinds = [isinstance(part, ToolReturnPart) for part in message.parts]
    given = [part.tool_call_id for part in message.parts if isinstance(part, ToolReturnPart)]
    found = [] if sorted(asked) == sorted(given) else [f"calls {asked} answered by {given}"]
    return found if kinds == sorted(kinds, reverse=True) else [*found, "a result behind other content"]
