"""OpenAI chat records: an object with a `messages` list, or the list alone, as logs and fine-tuning files hold them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pydantic_ai.messages import ImageUrl

from turnstate.core.messages import ToolCallPart, UserContent
from turnstate.readers.fields import UNSENDABLE, Object, as_list, as_object, is_list, objects, text, time_of
from turnstate.readers.scribe import KEPT_AS_TYPE, Entry, Origin, Scribe, joined, tool_call
from turnstate.readers.transcript import RecordProblem, Transcript

_TEXTS = {"text", "input_text", "output_text", "refusal"}
_FOREIGN = {"tool_use", "tool_result", "function_call", "function_call_output"}
"""Parts of other formats: keeping them as their type would lose the calls."""


def read_chat(data: object, record: int, name: str) -> Transcript:
    """One record as a transcript.

    System and developer messages before the first user message are the instructions; a later one is left out, with a
    note: no provider takes system text inside a history. What the assistant said before the user said anything is the
    greeting: it answers nobody, so it is no turn. Function calls of the older API become tool calls.

    Args:
        data: the decoded JSON.
        record: its number in the file, from 1.
        name: the transcript's id where the record has none.

    Raises:
        RecordProblem: it is not a chat; the message is the reason, and names the message by its number from 1.
    """
    around: Object = {"messages": data} if is_list(data) else as_object(data, "is")
    if "messages" not in around:
        raise RecordProblem("has no 'messages'")
    scribe = Scribe()
    messages = as_list(around["messages"], "has 'messages' that are")
    for entry in chat_entries(messages, text(around.get("model"))):
        scribe.add(entry)
    return scribe.transcript(Origin(record, name), around.get("id"), tools_of(around, scribe.exchanges.notes))


def chat_entries(messages: Iterable[object], model: str = "") -> Iterator[Entry]:
    """What chat messages say; `model` wrote those that name none.

    Raises:
        RecordProblem: while iterating: a message does not read; the reason names it by its number from 1.
    """
    for number, data in enumerate(messages, start=1):
        try:
            yield _entry(as_object(data, "is"), model)
        except RecordProblem as problem:
            raise RecordProblem(f"message {number} {problem}") from None


def tools_of(around: Object, notes: list[str]) -> tuple[Object, ...]:
    """The tools that a record offers; where they do not read, a note says so."""
    if around.get("tools") is not None:
        found = objects(around["tools"])
    elif (older := objects(around.get("functions") or [])) is not None:
        found = [{"type": "function", "function": function} for function in older]
    else:
        found = None
    if found is None:
        notes.append("The record's tools are not a list of objects and were left out.")
    return tuple(found or ())


def _entry(message: Object, model: str) -> Entry:
    match message.get("role"):
        case "system" | "developer":
            return Entry("system", _Parts(message).content)
        case "user":
            parts = _Parts(message)
            return Entry("user", parts.content, at=time_of(message), note=parts.note)
        case "assistant":
            return _assistant(message, model)
        case "tool" | "function":
            return _result(message)
        case role:
            raise RecordProblem("has no role" if role is None else f"has the unknown role {role!r:.60}")


def _assistant(message: Object, model: str) -> Entry:
    parts = _Parts(message)
    content = parts.content
    if not any(content) and (refusal := text(message.get("refusal"))):
        content = (refusal,)
    return Entry(
        "assistant",
        content,
        tuple(calls_of(message)),
        at=time_of(message),
        model=text(message.get("model")) or model,
        note=parts.note,
    )


def calls_of(message: Object) -> Iterator[ToolCallPart]:
    """The tool calls of a message, those of the older API included.

    Raises:
        RecordProblem: while iterating: a call does not read.
    """
    listed = as_list(message.get("tool_calls") or [], "has 'tool_calls' that are")
    if message.get("function_call") is not None:
        listed = [*listed, {"function": message["function_call"]}]
    for data in listed:
        call = as_object(data, "has a tool call that is")
        made = as_object(call.get("function") or call.get("custom") or call, "has a function that is")
        args: object = made.get("arguments", made.get("input"))
        yield tool_call(text(made.get("name")), args, text(call.get("id")))


def content_of(message: Object, field: str = "content") -> tuple[UserContent, ...]:
    """The texts and images in a field of a message, in order.

    Raises:
        RecordProblem: a part of it does not read.
    """
    return _Parts(message, field).content


def _result(message: Object) -> Entry:
    content: Any = message.get("content")
    note = ""
    if content is None or isinstance(content, str | list):
        parts = _Parts(message)
        content, note = joined(parts.content), parts.note
    return Entry(
        "tool",
        result=content,
        call_id=text(message.get("tool_call_id")),
        tool=text(message.get("name")),
        at=time_of(message),
        note=note,
    )


class _Parts:
    """The content of a message as texts and images, in order; a part that is neither is kept as its type."""

    def __init__(self, message: Object, field: str = "content") -> None:
        self.note = ""
        given = message.get(field)
        if given is None or isinstance(given, str):
            self.content: tuple[UserContent, ...] = (given or "",)
        else:
            self.content = tuple(self._part(part) for part in as_list(given, "has content that is"))

    def _part(self, data: object) -> UserContent:
        if isinstance(data, str):
            return data
        part = as_object(data, "has a content part that is")
        kind = part.get("type")
        if not isinstance(kind, str):
            raise RecordProblem("has a content part without a type")
        if kind in _TEXTS:
            said = part.get("refusal" if kind == "refusal" else "text")
            if not isinstance(said, str):
                raise RecordProblem(f"has a {kind} part without text")
            return said
        if kind == "image_url":
            image = part.get("image_url")
            given = image if isinstance(image, str) else as_object(image, "has an image that is").get("url")
            if not (url := text(given)):
                raise RecordProblem("has an image_url part without a url")
            return ImageUrl(url.translate(UNSENDABLE))
        if kind in _FOREIGN:
            raise RecordProblem(f"has a part of type {kind!r}, which is not of this format")
        self.note = KEPT_AS_TYPE
        return f"({kind})"
