"""OpenAI chat records: an object with a `messages` list, or the list alone, as logs and fine-tuning files hold them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias, cast

from pydantic_ai.messages import ImageUrl

from turnstate.core.messages import ModelResponsePart, TextPart, ToolCallPart, UserContent
from turnstate.readers.exchanges import SECOND, Exchanges
from turnstate.readers.transcript import RecordProblem, Transcript

Object: TypeAlias = dict[str, Any]

_TEXTS = {"text", "input_text", "output_text", "refusal"}
_FOREIGN = {"tool_use", "tool_result", "function_call", "function_call_output"}
"""Parts of other formats: keeping them as their type would lose the calls."""
_TIMES = ("timestamp", "created_at", "created")
_UNSENDABLE = {0: "�"} | dict.fromkeys(range(0xD800, 0xE000), "�")


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
    around: Object = {"messages": data} if isinstance(data, list) else _object(data, "is")
    if "messages" not in around:
        raise RecordProblem("has no 'messages'")
    messages = _list(around["messages"], "has 'messages' that are")
    chat = _Chat(_text(around.get("model")))
    for number, message in enumerate(messages, start=1):
        try:
            chat.add(message)
        except RecordProblem as problem:
            raise RecordProblem(f"message {number} {problem}") from None
    if not chat.exchanges.started:
        raise RecordProblem("has no user message")
    return Transcript(
        id=_id(around.get("id")) or name,
        record=record,
        instructions="\n\n".join(chat.instructions),
        greeting="\n\n".join(chat.greeting),
        tools=_tools(around, chat.exchanges.notes),
        turns=chat.exchanges.turns(),
        notes=tuple(dict.fromkeys(chat.exchanges.notes)),
    )


class _Chat:
    """The messages of one record, taken in order."""

    def __init__(self, model: str) -> None:
        self.exchanges = Exchanges()
        self.instructions: list[str] = []
        self.greeting: list[str] = []
        self._model = model
        self._made = 0

    def add(self, data: object) -> None:
        message = _object(data, "is")
        match message.get("role"):
            case "system" | "developer":
                self._system(message)
            case "user":
                self.exchanges.user(_user_content(self._content(message)), _time(message))
            case "assistant":
                self._assistant(message)
            case "tool" | "function":
                self._result(message)
            case role:
                raise RecordProblem("has no role" if role is None else f"has the unknown role {role!r:.60}")

    def _system(self, message: Object) -> None:
        if self.exchanges.started:
            self.exchanges.notes.append("A system message inside the conversation was left out.")
        elif text := _joined(self._content(message)):
            self.instructions.append(text)

    def _assistant(self, message: Object) -> None:
        parts: list[ModelResponsePart] = [TextPart(text) for text in _plain(self._content(message))]
        if not parts and (refusal := _text(message.get("refusal"))):
            parts.append(TextPart(refusal))
        parts.extend(self._calls(message))
        if self.exchanges.started:
            self.exchanges.response(parts, _text(message.get("model")) or self._model, _time(message))
            return
        self.greeting.extend(part.content for part in parts if isinstance(part, TextPart) and part.content)
        if any(isinstance(part, ToolCallPart) for part in parts):
            self.exchanges.notes.append("A tool call before the first user message was left out.")

    def _calls(self, message: Object) -> Iterator[ToolCallPart]:
        listed = _list(message.get("tool_calls") or [], "has 'tool_calls' that are")
        if message.get("function_call") is not None:
            listed = [*listed, {"function": message["function_call"]}]
        for call in listed:
            yield self._call(_object(call, "has a tool call that is"))

    def _call(self, call: Object) -> ToolCallPart:
        made = _object(call.get("function") or call.get("custom") or call, "has a function that is")
        name = _text(made.get("name"))
        if not name.strip():
            raise RecordProblem("has a tool call without a name")
        args: object = made.get("arguments", made.get("input"))
        if not isinstance(args, str | dict | None):
            args = json.dumps(args)
        self._made += 1
        call_id = _text(call.get("id")) or f"call_{self._made}"
        return ToolCallPart(name.translate(_UNSENDABLE), cast("str | Object | None", args), call_id)

    def _result(self, message: Object) -> None:
        if not self.exchanges.started:
            self.exchanges.notes.append("A tool result before the first user message was left out.")
            return
        content = message.get("content")
        if content is None or isinstance(content, str | list):
            content = _joined(self._content(message))
        call_id = _text(message.get("tool_call_id"))
        if not call_id:
            call_id = self.exchanges.unanswered(_text(message.get("name")) or None) or ""
        self.exchanges.result(call_id, content, _time(message))

    def _content(self, message: Object) -> tuple[UserContent, ...]:
        """The content as texts and images, in order; a part that is neither is kept as its type."""
        content = message.get("content")
        if content is None or isinstance(content, str):
            return (content or "",)
        return tuple(self._part(part) for part in _list(content, "has content that is"))

    def _part(self, data: object) -> UserContent:
        if isinstance(data, str):
            return data
        part = _object(data, "has a content part that is")
        kind = part.get("type")
        if not isinstance(kind, str):
            raise RecordProblem("has a content part without a type")
        if kind in _TEXTS:
            text = part.get("refusal" if kind == "refusal" else "text")
            if not isinstance(text, str):
                raise RecordProblem(f"has a {kind} part without text")
            return text
        if kind == "image_url":
            image = part.get("image_url")
            given = image if isinstance(image, str) else _object(image, "has an image that is").get("url")
            if not (url := _text(given)):
                raise RecordProblem("has an image_url part without a url")
            return ImageUrl(url.translate(_UNSENDABLE))
        if kind in _FOREIGN:
            raise RecordProblem(f"has a part of type {kind!r}, which is not of this format")
        self.exchanges.notes.append("A content part that is neither text nor an image is kept as its type.")
        return f"({kind})"


def _user_content(content: tuple[UserContent, ...]) -> str | Sequence[UserContent]:
    return content[0] if len(content) == 1 and isinstance(content[0], str) else list(content)


def _plain(content: Sequence[UserContent]) -> Iterator[str]:
    """The texts of a content; an image as the words that it was one."""
    for item in content:
        text = item if isinstance(item, str) else "(image_url)"
        if text:
            yield text


def _joined(content: Sequence[UserContent]) -> str:
    return "\n".join(_plain(content))


def _tools(around: Object, notes: list[str]) -> tuple[Object, ...]:
    if around.get("tools") is not None:
        found = _objects(around["tools"])
    elif (older := _objects(around.get("functions") or [])) is not None:
        found = [{"type": "function", "function": function} for function in older]
    else:
        found = None
    if found is None:
        notes.append("The record's tools are not a list of objects and were left out.")
    return tuple(found or ())


def _time(message: Object) -> int | None:
    """When a message was recorded, in microseconds since the epoch; None where it does not say."""
    value = next((message[name] for name in _TIMES if message.get(name) is not None), None)
    if isinstance(value, str):
        try:
            read = datetime.fromisoformat(value)
        except ValueError:
            return None
        value = (read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp()
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e20:
        return None
    seconds = float(value)
    while seconds > 1e11:  # beyond the year 5000 it is a number of milli-, micro- or nanoseconds
        seconds /= 1000
    return int(seconds * SECOND)


def _id(value: object) -> str:
    """A record's id as a conversation's id: 1 to 512 characters that can be printed anywhere."""
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else _text(value)
    return text.translate(_UNSENDABLE).strip()[:512]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _object(value: object, what: str) -> Object:
    if isinstance(value, dict):
        return cast("Object", value)
    raise RecordProblem(f"{what} {_kind(value)}, not an object")


def _list(value: object, what: str) -> list[Any]:
    if isinstance(value, list):
        return cast("list[Any]", value)
    raise RecordProblem(f"{what} {_kind(value)}, not a list")


def _objects(value: object) -> list[Object] | None:
    """`value` as a list of objects, or None where it is something else."""
    items = cast("list[Any]", value) if isinstance(value, list) else None
    return items if items is not None and all(isinstance(item, dict) for item in items) else None


def _kind(value: object) -> str:
    """A word for a JSON value, for the reason that it does not read."""
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
        case _:
            return "an object"
