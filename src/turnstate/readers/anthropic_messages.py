"""Anthropic messages: an object with `system`, `messages` and `tools`, its tool results inside user messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pydantic_ai.messages import ImageUrl

from turnstate.core.messages import ToolCallPart, UserContent
from turnstate.readers.fields import (
    UNSENDABLE,
    Object,
    as_list,
    as_object,
    inner,
    is_list,
    items,
    objects,
    text,
    time_of,
)
from turnstate.readers.scribe import KEPT_AS_TYPE, Entry, joined, tool_call
from turnstate.readers.transcript import RecordProblem

_CALLS = {"tool_use", "server_tool_use", "mcp_tool_use"}
_THOUGHTS = {"thinking", "redacted_thinking"}


def speaks_anthropic(messages: Iterable[object]) -> bool:
    """Whether a list of messages is written as this format writes it: with calls, results or thoughts as parts."""
    return any(
        (kind := text(inner(part).get("type"))) in _CALLS | _THOUGHTS or kind.endswith("tool_result")
        for message in messages
        for part in items(inner(message).get("content"))
    )


def anthropic_entries(messages: Iterable[object], model: str = "") -> Iterator[Entry]:
    """What Anthropic messages say; `model` wrote those that name none.

    Raises:
        RecordProblem: while iterating: a message does not read; the reason names it by its number from 1.
    """
    for number, data in enumerate(messages, start=1):
        try:
            yield from _message(as_object(data, "is"), model)
        except RecordProblem as problem:
            raise RecordProblem(f"message {number} {problem}") from None


def system_text(system: object) -> str:
    """The instructions, given as text or as a list of text blocks."""
    if isinstance(system, str):
        return system
    return "\n\n".join(said for block in items(system) if (said := text(inner(block).get("text"))))


def offered(tools: object) -> tuple[Object, ...]:
    """The tools of a record as the other formats write them; what is no tool is left out."""
    return tuple(
        {
            "type": "function",
            "function": {
                "name": tool.get("name"),
                "description": tool.get("description", ""),
                "parameters": tool.get("input_schema"),
            },
        }
        if "input_schema" in tool
        else tool
        for tool in objects(tools) or ()
    )


def _message(message: Object, model: str) -> Iterator[Entry]:
    role = message.get("role")
    given, at = message.get("content"), time_of(message)
    blocks = [{"type": "text", "text": given or ""}] if given is None or isinstance(given, str) else given
    said = _Said()
    results: list[Entry] = []
    for block in as_list(blocks, "has content that is"):
        part: Object = (
            {"type": "text", "text": block}
            if isinstance(block, str)
            else as_object(block, "has a content part that is")
        )
        if text(part.get("type")).endswith("tool_result"):
            results.append(_result(part, at))
        else:
            said.take(part)
    match role:
        case "user":
            yield from results
            if any(said.content) or not results:
                yield Entry("user", said.content or ("",), at=at, note=said.note)
        case "assistant":
            wrote = text(message.get("model")) or model
            yield Entry("assistant", said.content, said.calls, at=at, model=wrote, note=said.note)
            yield from results
        case "system":
            yield Entry("system", said.content)
        case _:
            raise RecordProblem("has no role" if role is None else f"has the unknown role {role!r:.60}")


def _result(part: Object, at: int | None) -> Entry:
    content: Any = part.get("content")
    said = _Said()
    if is_list(content):
        for block in items(content):
            said.take({"type": "text", "text": block} if isinstance(block, str) else inner(block))
        content = joined(said.content)
    return Entry(
        "tool",
        result="" if content is None else content,
        call_id=text(part.get("tool_use_id")),
        at=at,
        note=said.note,
    )


class _Said:
    """The texts, images and calls of a message, as its blocks are taken."""

    def __init__(self) -> None:
        self.content: tuple[UserContent, ...] = ()
        self.calls: tuple[ToolCallPart, ...] = ()
        self.note = ""

    def take(self, part: Object) -> None:
        match part.get("type"):
            case "text":
                if not isinstance(said := part.get("text"), str):
                    raise RecordProblem("has a text part without text")
                self.content = (*self.content, said)
            case str(kind) if kind in _CALLS:
                call = tool_call(text(part.get("name")), part.get("input"), text(part.get("id")))
                self.calls = (*self.calls, call)
            case str(kind) if kind in _THOUGHTS:
                pass
            case "image":
                self.content = (*self.content, _image(inner(part.get("source"))))
            case str(kind):
                self.note = KEPT_AS_TYPE
                self.content = (*self.content, f"({kind})")
            case _:
                raise RecordProblem("has a content part without a type")


def _image(source: Object) -> ImageUrl:
    if url := text(source.get("url")):
        return ImageUrl(url.translate(UNSENDABLE))
    media, data = text(source.get("media_type")) or "image/png", text(source.get("data"))
    return ImageUrl(f"data:{media};base64,{data}".translate(UNSENDABLE))
