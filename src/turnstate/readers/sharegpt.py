"""ShareGPT records: `conversations` of `from` and `value`, as training files hold them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from turnstate.readers.fields import (
    Object,
    as_list,
    as_object,
    first,
    inner,
    is_list,
    is_object,
    items,
    objects,
    text,
    time_of,
)
from turnstate.readers.scribe import Entry, Origin, tool_call, transcribe
from turnstate.readers.transcript import RecordProblem, Transcript

_USER = {"human", "user"}
_ASSISTANT = {"gpt", "assistant", "chatgpt", "bing", "bard", "claude", "model", "bot"}
_CALL = {"function_call", "tool_call"}
_RESULT = {"observation", "tool", "function_response", "tool_response"}


def fits_sharegpt(data: object) -> bool:
    """Whether a record is of this format."""
    if is_object(data):
        data = first(inner(data), "conversations", "conversation")
    return is_list(data) and any("from" in inner(said) and "value" in inner(said) for said in items(data))


def read_sharegpt(data: object, origin: Origin) -> Transcript:
    """One record as a transcript.

    Raises:
        RecordProblem: it is none; the reason names the message by its number from 1.
    """
    around: Object = {"conversations": data} if is_list(data) else inner(data)
    said = as_list(first(around, "conversations", "conversation"), "has 'conversations' that are")
    system = [Entry("system", (text(around["system"]),))] if text(around.get("system")) else []
    return transcribe([*system, *_entries(said)], origin, around.get("id"), _tools(around.get("tools")))


def _entries(said: list[object]) -> Iterator[Entry]:
    for number, data in enumerate(said, start=1):
        try:
            yield _entry(as_object(data, "is"))
        except RecordProblem as problem:
            raise RecordProblem(f"message {number} {problem}") from None


def _entry(message: Object) -> Entry:
    speaker, at = text(message.get("from")).lower(), time_of(message)
    value = message.get("value")
    if not isinstance(value, str):
        raise RecordProblem("has no 'value' that is text")
    if speaker in _USER:
        return Entry("user", (value,), at=at)
    if speaker in _ASSISTANT:
        return Entry("assistant", (value,), at=at)
    if speaker == "system":
        return Entry("system", (value,))
    if speaker in _RESULT:
        return Entry("tool", result=value, at=at)
    if speaker in _CALL:
        made = _decoded(value)
        listed = objects(made) or [as_object(made, "has a call that is")]
        return Entry(
            "assistant",
            calls=tuple(tool_call(text(call.get("name")), call.get("arguments")) for call in listed),
            at=at,
        )
    raise RecordProblem(f"is from the unknown speaker {speaker!r:.60}" if speaker else "is from nobody")


def _decoded(value: str) -> object:
    try:
        return json.loads(value, strict=False)
    except (ValueError, RecursionError):
        raise RecordProblem("has a call that is not JSON") from None


def _tools(given: object) -> tuple[Object, ...]:
    if isinstance(given, str):
        try:
            given = json.loads(given, strict=False)
        except (ValueError, RecursionError):
            return ()
    return tuple(objects(given) or ())
