"""Texts: none is blank, and no system text stands inside the history."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, cast

from turnstate.core.context.families import Wire
from turnstate.core.context.validity.parts import edited, is_blank, is_result, with_parts
from turnstate.core.messages import (
    CachePoint,
    ModelMessage,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    UserPromptPart,
)

NO_RESULT = "(empty result)"
"""What stands for a tool result without any text: a blank text inside a result is refused too."""

EMPTY = "(empty message)"
"""What stands for a user's message without any content, which no provider accepts."""


def with_results_that_say(message: ModelMessage) -> ModelMessage:
    """`message` in which every blank tool result says that it is empty."""
    if isinstance(message, ModelResponse):
        return message
    return with_parts(message, [_with_result(part) if is_result(part) else part for part in message.parts])


def _with_result(part: Any) -> Any:
    content = part.content
    if isinstance(content, list):
        items = cast("list[Any]", content)
        if not any(map(is_blank, items)):
            return part
        return replace(part, content=[NO_RESULT if is_blank(item) else item for item in items])
    return replace(part, content=NO_RESULT) if is_blank(content) else part


def without_blanks(messages: Iterable[ModelMessage], wire: Wire, notes: list[str]) -> list[ModelMessage]:
    """The messages without blank and system texts; what is left without anything is left out."""
    found: list[ModelMessage] = []
    for message in messages:
        parts: Sequence[Any] = message.parts
        kept = [said for part in parts if not _blank(said := _without_blank_items(part))]
        healed = (
            edited(message, kept, wire) if isinstance(message, ModelResponse) else with_parts(message, kept)
        )
        if healed is not message:
            notes.append(_reason(parts))
        if any(not isinstance(part, ThinkingPart) for part in healed.parts):
            found.append(healed)
        elif isinstance(message, ModelResponse):
            notes.append("An answer without words or calls was left out.")
        elif any(isinstance(part, UserPromptPart) for part in parts):
            found.append(replace(message, parts=[UserPromptPart(EMPTY, timestamp=parts[0].timestamp)]))
    return found


def _reason(parts: Sequence[Any]) -> str:
    if any(isinstance(part, SystemPromptPart) for part in parts):
        return "A system text inside the history was left out; instructions stand apart."
    return "A blank text was left out."


def _without_blank_items(part: Any) -> Any:
    """A user's part without the blank texts that stand among its images."""
    if not isinstance(part, UserPromptPart) or isinstance(part.content, str):
        return part
    kept = [item for item in part.content if not is_blank(item)]
    if all(isinstance(item, CachePoint) for item in kept):
        kept = []
    return part if len(kept) == len(part.content) else replace(part, content=kept)


def _blank(part: Any) -> bool:
    match part:
        case SystemPromptPart():
            return True
        case TextPart():
            return not part.content.strip()
        case ThinkingPart():
            return not (part.content.strip() or part.signature or part.provider_details)
        case UserPromptPart():
            content = part.content
            return not content.strip() if isinstance(content, str) else not content
        case _:
            return False
