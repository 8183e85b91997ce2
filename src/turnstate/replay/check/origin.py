"""Who made what: nothing is sent that only another provider, or another model, can read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, cast

from turnstate.core.context.families import Family, Wire
from turnstate.core.messages import ModelMessage, ModelResponse, ThinkingPart

_DATE = re.compile(r"[-@](\d{8}|\d{4}-\d{2}-\d{2})$")
_STARTS = {"thinking": "rs", "text": "msg", "tool-call": "fc"}
_WORDS = (None, "content")
_FIELDS = (None, "content", "reasoning", "reasoning_content")
_REFUSED_FILES = {
    Family.ANTHROPIC: re.compile(
        r"audio|video|image/(?!jpeg|png|gif|webp)|(?!image|application/pdf|text/plain).+/"
    ),
    Family.OPENAI_CHAT: re.compile(r"video|image/(?!jpeg|png|gif|webp)|audio/(?!wav|mpeg|mp3|x-wav|wave)"),
    Family.OPENAI_RESPONSES: re.compile(r"audio|video|image/(?!jpeg|png|gif|webp)"),
    Family.GEMINI: re.compile(r"(?!)"),
}


def origin_faults(messages: Sequence[ModelMessage], wire: Wire) -> Iterator[str]:
    """What of another provider's, or of another model's, stands in the messages."""
    for message in messages:
        for part in message.parts:
            if isinstance(message, ModelResponse):
                yield from _of_response(part, message, wire)
            else:
                yield from _files(getattr(part, "content", None), wire)


def _of_response(part: Any, message: ModelResponse, wire: Wire) -> Iterator[str]:
    native = part.part_kind in {"builtin-tool-call", "builtin-tool-return"}
    maker = getattr(part, "provider_name", None)
    if maker is None and not (native or isinstance(part, ThinkingPart)):
        maker = message.provider_name
    bound = getattr(part, "id", None) is not None or getattr(part, "provider_details", None) is not None
    if maker != wire.provider and (native or bound or isinstance(part, ThinkingPart)):
        yield f"A {part.part_kind} of another provider cannot be read."
    if bound and _is_of_another_model(message, wire):
        yield f"A {part.part_kind} of another model cannot be read."
    if native and wire.family is Family.OPENAI_CHAT:
        yield "A call on the provider's side stands in a chat completion."
    if isinstance(part, ThinkingPart):
        yield from _thinking(part, message, wire)


def _thinking(part: ThinkingPart, message: ModelResponse, wire: Wire) -> Iterator[str]:
    if _is_of_another_model(message, wire):
        yield "A thinking of another model cannot be read."
    match wire.family:
        case Family.ANTHROPIC if not part.signature:
            yield "Thinking is not signed."
        case Family.OPENAI_CHAT if wire.provider == "openai" and (part.signature or part.id not in _FIELDS):
            yield "Reasoning of the responses API stands in a chat completion."
        case Family.OPENAI_CHAT if part.id in _WORDS and not (part.signature or part.provider_details):
            yield "Thinking would be sent as the assistant's words."
        case Family.OPENAI_RESPONSES if part.id in _FIELDS:
            yield "Thinking would be sent as the assistant's words."
        case _:
            pass


def _is_of_another_model(message: ModelResponse, wire: Wire) -> bool:
    known = bool(message.model_name and wire.model)
    return known and _undated(message.model_name or "") != _undated(wire.model)


def _undated(name: str) -> str:
    return _DATE.sub("", name)


def _files(content: Any, wire: Wire) -> Iterator[str]:
    items = list(cast("Sequence[Any]", content)) if isinstance(content, list | tuple) else [content]
    for item in items:
        kind = getattr(item, "kind", "")
        if kind == "uploaded-file" and item.provider_name != wire.provider:
            yield "A file stands at another provider."
        if kind == "binary" and _REFUSED_FILES[wire.family].match(item.media_type):
            yield "A file is of a kind that the provider refuses."
        if kind == "video-url" and wire.family is not Family.GEMINI:
            yield "A file is of a kind that the provider refuses."
        if kind == "audio-url" and wire.family in {Family.ANTHROPIC, Family.OPENAI_RESPONSES}:
            yield "A file is of a kind that the provider refuses."


def item_faults(responses: Sequence[ModelResponse], wire: Wire) -> Iterator[str]:
    """What OpenAI's responses refuse about items: one that comes twice, reasoning that nothing follows."""
    if wire.family is not Family.OPENAI_RESPONSES:
        return
    sent: list[str] = []
    for response in responses:
        before = None
        for part in response.parts:
            item: str | None = getattr(part, "id", None)
            if item is not None and item != before:
                sent.append(item)
            before = item
            if (
                wire.provider == "openai"
                and item is not None
                and not item.startswith(_STARTS.get(part.part_kind, ""))
            ):
                yield "An item's id is of another kind of item."
        if response.parts and isinstance(response.parts[-1], ThinkingPart):
            yield "Reasoning is followed by nothing."
    if len(sent) != len(set(sent)):
        yield "An item is sent twice."
