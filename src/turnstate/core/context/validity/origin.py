"""Origin: what only another provider, or another model, can read does not travel; nor does what no request can carry.

Thinking is never turned into words of the assistant: it stays with the calls of its response, or is left out whole.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Sequence
from typing import Any

from turnstate.core.context.families import Family, Wire
from turnstate.core.context.validity.files import with_readable_files
from turnstate.core.context.validity.parts import is_native, unbound, with_parts
from turnstate.core.messages import FilePart, ModelMessage, ModelRequest, ModelResponse, ThinkingPart

_ASKED = {"user-prompt", "tool-return", "retry-prompt", "retry-feedback", "system-prompt"}
_ANSWERED = {"text", "thinking", "tool-call", "builtin-tool-call", "builtin-tool-return", "file"}
_DATED = re.compile(r"(?:[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)(?:-v\d+(?::\d+)?)?)$")

_CHAT_FIELDS = {"reasoning", "reasoning_content"}
"""The ids that pydantic-ai gives to thinking that came in a field of a chat completion: the names of the fields."""

_OPENAI = {"openai", "azure"}
"""Providers whose chat completions take no thinking back; others that speak the format may."""


def at_home(messages: Iterable[ModelMessage], wire: Wire, notes: list[str]) -> list[ModelMessage]:
    """The messages without what the provider of `wire` cannot read."""
    return [
        with_readable_files(_requested(message, notes), wire, notes)
        if isinstance(message, ModelRequest)
        else _answered(message, wire, notes)
        for message in messages
    ]


def _requested(message: ModelRequest, notes: list[str]) -> ModelRequest:
    kept = [part for part in message.parts if part.part_kind in _ASKED and not _is_remark(part)]
    if len(kept) != len(message.parts):
        notes.append("Something that no request can carry was left out.")
    return with_parts(message, kept)


def _is_remark(part: Any) -> bool:
    """Whether it is what a framework says when a model said nothing: it would become a system text."""
    return part.part_kind == "retry-feedback" and part.retry.cause == "no_output"


def _answered(message: ModelResponse, wire: Wire, notes: list[str]) -> ModelResponse:
    parts: Sequence[Any] = message.parts
    kept = [part for part in parts if part.part_kind in _ANSWERED]
    if len(kept) != len(parts):
        notes.append("Something that no request can carry was left out.")
    if wire.family is not Family.GEMINI and any(isinstance(part, FilePart) for part in kept):
        notes.append("A file of the assistant's was left out; this provider takes none back.")
        kept = [part for part in kept if not isinstance(part, FilePart)]
    if wire.provider:
        kept = _own(message, kept, wire, notes)
    return with_parts(message, kept)


def _own(message: ModelResponse, parts: list[Any], wire: Wire, notes: list[str]) -> list[Any]:
    """The parts of a response without what is bound to somewhere else."""
    thinking = [part for part in parts if isinstance(part, ThinkingPart)]
    readable = all(_is_readable(part, message, wire) for part in thinking)
    if thinking and not readable:
        notes.append("Thinking that this model cannot read was left out.")
        parts = [part for part in parts if not isinstance(part, ThinkingPart)]
    # An item of OpenAI's responses is refused without the reasoning that belongs to it.
    whole = readable or wire.family is not Family.OPENAI_RESPONSES
    kept = [part for part in parts if not is_native(part) or (whole and _runs_here(part, message, wire))]
    if len(kept) != len(parts):
        notes.append("A call that ran on another provider's side was left out.")
    bound = whole and _is_same_model(message, wire)
    found = [part if bound and _is_own(part, message, wire) else _stripped(part) for part in kept]
    if any(new is not old for new, old in zip(found, kept, strict=True)):
        notes.append("Ids and details that only another provider can read were left out.")
    return found


def _stripped(part: Any) -> Any:
    return part if isinstance(part, ThinkingPart) or is_native(part) else unbound(part)


def _is_own(part: Any, message: ModelResponse, wire: Wire) -> bool:
    name = getattr(part, "provider_name", None)
    # A client sends nothing signed back that does not say itself who signed it.
    if name is None and not (isinstance(part, ThinkingPart) or is_native(part)):
        name = message.provider_name
    return name == wire.provider or (
        name is not None and name == message.provider_name and message.canonical_system == wire.provider
    )


def _is_same_model(message: ModelResponse, wire: Wire) -> bool:
    """Whether the model of `wire` gave the response; what is not known is taken to be the same."""
    if not message.model_name or not wire.model:
        return True
    return _DATED.sub("", message.model_name) == _DATED.sub("", wire.model)


def _runs_here(part: Any, message: ModelResponse, wire: Wire) -> bool:
    """Whether a call on the provider's side, or its result, can go back; chat completions have none."""
    return wire.family is not Family.OPENAI_CHAT and _is_own(part, message, wire)


def _is_readable(part: ThinkingPart, message: ModelResponse, wire: Wire) -> bool:
    """Whether thinking can go back as thinking, and not as words of the assistant."""
    if not _is_own(part, message, wire) or not _is_same_model(message, wire):
        return False
    match wire.family:
        case Family.ANTHROPIC:
            return bool(part.signature)
        case Family.OPENAI_CHAT:
            return _has_a_field(part, wire)
        case Family.OPENAI_RESPONSES:
            return part.id is not None and part.id not in _CHAT_FIELDS | {"content"}
        case Family.GEMINI:
            return part.signature is None or _is_base64(part.signature)


def _has_a_field(part: ThinkingPart, wire: Wire) -> bool:
    """Whether a chat completion has a field for thinking; what came between tags would go back among the words."""
    if wire.provider in _OPENAI:
        return not part.signature and part.id in _CHAT_FIELDS
    return part.id in _CHAT_FIELDS or bool(part.signature or part.provider_details)


def _is_base64(text: str) -> bool:
    try:
        base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True
