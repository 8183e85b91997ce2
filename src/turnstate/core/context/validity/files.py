"""Files in what the user and the tools say: those that a provider cannot read are named instead of sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from turnstate.core.context.families import Family, Wire
from turnstate.core.context.validity.parts import is_result, with_parts
from turnstate.core.messages import ModelRequest, UserPromptPart

_IMAGES = {"image/jpeg", "image/png", "image/gif", "image/webp"}
_SOUNDS = {"audio/wav", "audio/x-wav", "audio/wave", "audio/mpeg", "audio/mp3"}


def with_readable_files(message: ModelRequest, wire: Wire, notes: list[str]) -> ModelRequest:
    """`message` in which a file that the provider of `wire` refuses is replaced by a line that names it.

    Where the provider is not known every file stays.
    """
    if not wire.provider:
        return message
    healed = with_parts(message, [_with_files(part, wire) for part in message.parts])
    if healed is not message:
        notes.append("A file that this provider cannot read was named instead of sent.")
    return healed


def _with_files(part: Any, wire: Wire) -> Any:
    if not isinstance(part, UserPromptPart) and not is_result(part):
        return part
    content: Any = part.content
    if isinstance(content, str):
        return part
    if not isinstance(content, list | tuple):
        named = _named(content, wire)
        return part if named is content else replace(part, content=named)
    items = list(cast("list[Any]", content))
    named = [_named(item, wire) for item in items]
    return part if all(a is b for a, b in zip(named, items, strict=True)) else replace(part, content=named)


def _named(item: Any, wire: Wire) -> Any:
    kind = getattr(item, "kind", None)
    match kind:
        case "binary":
            readable, what = _READS[wire.family](item.media_type), item.media_type
        case "audio-url" | "video-url":
            readable, what = _READS[wire.family](f"{kind[:5]}/url"), f"{kind[:5]} at {item.url}"
        case "uploaded-file":
            readable, what = item.provider_name == wire.provider, f"uploaded to {item.provider_name}"
        case _:
            return item
    return item if readable else f"(a file that cannot be read here: {what})"


def _anthropic(media_type: str) -> bool:
    return media_type in _IMAGES or media_type in {"application/pdf", "text/plain"}


def _openai_chat(media_type: str) -> bool:
    match media_type.partition("/")[0]:
        case "image":
            return media_type in _IMAGES
        case "audio":
            return media_type in _SOUNDS or media_type == "audio/url"
        case "video":
            return False
        case _:
            return True


def _openai_responses(media_type: str) -> bool:
    kind = media_type.partition("/")[0]
    return media_type in _IMAGES if kind == "image" else kind not in {"audio", "video"}


_READS: Mapping[Family, Callable[[str], bool]] = {
    Family.ANTHROPIC: _anthropic,
    Family.OPENAI_CHAT: _openai_chat,
    Family.OPENAI_RESPONSES: _openai_responses,
    Family.GEMINI: lambda _media_type: True,
}
