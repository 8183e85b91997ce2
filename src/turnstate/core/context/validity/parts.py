"""Looking at the parts of messages and exchanging them, without touching what stays the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import is_
from typing import Any, TypeVar

from turnstate.core.context.families import Family, Wire
from turnstate.core.messages import (
    ModelMessage,
    ModelResponse,
    NativeToolCallPart,
    NativeToolReturnPart,
    RetryPromptPart,  # pyright: ignore[reportDeprecated]  # histories recorded elsewhere still hold it
    TextContent,
    ThinkingPart,
    ToolReturnPart,
)

M = TypeVar("M", bound=ModelMessage)


def is_native(part: object) -> bool:
    """Whether a part is a call that ran on the provider's side, or its result."""
    return isinstance(part, NativeToolCallPart | NativeToolReturnPart)


def is_result(part: object) -> bool:
    """Whether a part answers a call; a request to try again does where it names the tool."""
    if isinstance(part, ToolReturnPart):
        return True
    return isinstance(part, RetryPromptPart) and part.tool_name is not None  # pyright: ignore[reportDeprecated]


def is_blank(item: object) -> bool:
    """Whether an item of a content is a text without anything in it."""
    text = item.content if isinstance(item, TextContent) else item
    return isinstance(text, str) and not text.strip()


def with_parts(message: M, parts: Sequence[Any]) -> M:
    """`message` with these parts; the same object where they are the same."""
    old: Sequence[Any] = message.parts
    if len(parts) == len(old) and all(map(is_, parts, old)):
        return message
    return replace(message, parts=list(parts))


def edited(response: ModelResponse, parts: Sequence[Any], wire: Wire) -> ModelResponse:
    """A response that was shortened to `parts`.

    OpenAI's responses refuse an item without the reasoning that belongs to it, and reasoning without its item: an
    answer that is no longer whole is sent as plain words and calls.
    """
    changed = with_parts(response, parts)
    return changed if changed is response or wire.family is not Family.OPENAI_RESPONSES else plain(changed)


def plain(response: ModelResponse) -> ModelResponse:
    """A response without thinking and without what binds its parts to the provider's own records."""
    parts: Iterable[Any] = response.parts
    kept = [part for part in parts if not (isinstance(part, ThinkingPart) or is_native(part))]
    return with_parts(response, [unbound(part) for part in kept])


def unbound(part: Any) -> Any:
    """`part` without its provider's item id and details."""
    if getattr(part, "id", None) is None and getattr(part, "provider_details", None) is None:
        return part
    return replace(part, id=None, provider_name=None, provider_details=None)
