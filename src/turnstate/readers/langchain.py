"""LangChain messages: as `messages_to_dict` writes them, as constructors, or flat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from turnstate.readers.fields import (
    Object,
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
from turnstate.readers.openai_chat import calls_of, content_of
from turnstate.readers.scribe import Entry, joined, tool_call
from turnstate.readers.transcript import RecordProblem

_ROLES = {
    "human": "user",
    "user": "user",
    "ai": "assistant",
    "assistant": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
}
_SILENT = {"tool_use", "thinking", "redacted_thinking", "reasoning", "reasoning_content", "function_call"}


def speaks_langchain(messages: Iterable[object]) -> bool:
    """Whether a list of messages is written as LangChain writes it."""
    for data in messages:
        message = inner(data)
        if "lc" in message or (_kind(message) in _ROLES and "role" not in message):
            return True
    return False


def langchain_entries(messages: Iterable[object], model: str = "") -> Iterator[Entry]:
    """What LangChain messages say.

    Raises:
        RecordProblem: while iterating: a message does not read; the reason names it by its number from 1.
    """
    for number, data in enumerate(messages, start=1):
        try:
            yield _message(as_object(data, "is"), model)
        except RecordProblem as problem:
            raise RecordProblem(f"message {number} {problem}") from None


def _kind(message: Object) -> str:
    """What kind of message it is: "human", "ai", and so on; a chunk counts as its message."""
    if "lc" in message:
        path = items(message.get("id"))
        name = text(path[-1]) if path else ""
    else:
        name = text(message.get("type"))
    return name.removesuffix("Chunk").removesuffix("Message").lower()


def _message(message: Object, model: str) -> Entry:
    kind = _kind(message)
    data: Object = message
    for inside in ("data", "kwargs"):
        if is_object(message.get(inside)):
            data = inner(message[inside])
    if kind == "chat":
        kind = text(data.get("role")).lower()
    role = _ROLES.get(kind)
    content = content_of({"content": _spoken(data.get("content"))})
    at = time_of(data)
    match role:
        case "user":
            return Entry("user", content, at=at)
        case "system":
            return Entry("system", content)
        case "assistant":
            wrote = text(first(inner(data.get("response_metadata")), "model_name", "model")) or model
            return Entry("assistant", content, tuple(_calls(data)), at=at, model=wrote)
        case "tool":
            call_id = text(data.get("tool_call_id"))
            return Entry("tool", result=joined(content), call_id=call_id, tool=text(data.get("name")), at=at)
        case _:
            raise RecordProblem(f"has the unknown type {kind!r:.60}" if kind else "has no type")


def _calls(data: Object) -> Iterator[Any]:
    listed = [*(objects(data.get("tool_calls")) or ()), *(objects(data.get("invalid_tool_calls")) or ())]
    if not listed:
        yield from calls_of(inner(data.get("additional_kwargs")))
    for call in listed:
        yield tool_call(text(call.get("name")), call.get("args"), text(call.get("id")))


def _spoken(content: object) -> object:
    """The content without the parts that repeat calls or hold thoughts."""
    if not is_list(content):
        return content
    return [part for part in items(content) if text(inner(part).get("type")) not in _SILENT]
