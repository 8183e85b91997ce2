"""What a record says, entry by entry, and the transcript that the entries make: the common end of every reader."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from turnstate.core.messages import ModelResponsePart, TextPart, ToolCallPart, UserContent
from turnstate.readers.exchanges import Exchanges
from turnstate.readers.fields import UNSENDABLE, Object, is_object, record_id
from turnstate.readers.transcript import RecordProblem, Transcript

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]

KEPT_AS_TYPE = "A content part that is neither text nor an image is kept as its type."


@dataclass(frozen=True, slots=True)
class Entry:
    """One message of a record, whatever its format called it.

    Attributes:
        role: who says it; "tool" for a result.
        content: what is said, in order.
        calls: the tool calls of an assistant; an empty id where the record has none.
        result: what the tool returned.
        call_id: the call that a result answers, or "".
        tool: the tool that a result is of, or "".
        at: when, in microseconds since the epoch, or None.
        model: the model's id, or "".
        note: what could not be kept as it was, or "".
    """

    role: Role
    content: Sequence[UserContent] = ()
    calls: Sequence[ToolCallPart] = ()
    result: Any = None
    call_id: str = ""
    tool: str = ""
    at: int | None = None
    model: str = ""
    note: str = ""

    def at_time(self, at: int) -> Entry:
        """The same, said at `at`."""
        return replace(self, at=at)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a record stands.

    Attributes:
        record: its number in the file, from 1.
        name: the transcript's id where the record has none.
    """

    record: int
    name: str


class Scribe:
    """The entries of one record, taken in order.

    System text before the first user message is the instructions; later, it is left out with a note: no provider takes
    it inside a history. What the assistant said before the user said anything is the greeting: it answers nobody, so it
    is no turn.
    """

    def __init__(self) -> None:
        self.exchanges = Exchanges()
        self._instructions: list[str] = []
        self._greeting: list[str] = []
        self._made = 0

    def add(self, entry: Entry) -> None:
        """Take the next entry."""
        if entry.note:
            self.exchanges.notes.append(entry.note)
        match entry.role:
            case "system":
                self._system(entry)
            case "user":
                content = entry.content
                alone = content[0] if len(content) == 1 else None
                self.exchanges.user(alone if isinstance(alone, str) else list(content), entry.at)
            case "assistant":
                self._assistant(entry)
            case "tool":
                self._result(entry)

    def transcript(
        self, origin: Origin, given_id: object = None, tools: tuple[Object, ...] = ()
    ) -> Transcript:
        """What the entries make.

        Raises:
            RecordProblem: the user said nothing.
        """
        if not self.exchanges.started:
            raise RecordProblem("has no user message")
        return Transcript(
            id=record_id(given_id) or origin.name,
            record=origin.record,
            instructions="\n\n".join(self._instructions),
            greeting="\n\n".join(self._greeting),
            tools=tools,
            turns=self.exchanges.turns(),
            notes=tuple(dict.fromkeys(self.exchanges.notes)),
        )

    def _system(self, entry: Entry) -> None:
        if self.exchanges.started:
            self.exchanges.notes.append("A system message inside the conversation was left out.")
        elif said := joined(entry.content):
            self._instructions.append(said)

    def _assistant(self, entry: Entry) -> None:
        parts: list[ModelResponsePart] = [TextPart(said) for said in plain(entry.content)]
        for call in entry.calls:
            self._made += 1
            parts.append(call if call.tool_call_id else replace(call, tool_call_id=f"call_{self._made}"))
        if self.exchanges.started:
            self.exchanges.response(parts, entry.model, entry.at)
            return
        self._greeting.extend(part.content for part in parts if isinstance(part, TextPart) and part.content)
        if entry.calls:
            self.exchanges.notes.append("A tool call before the first user message was left out.")

    def _result(self, entry: Entry) -> None:
        if not self.exchanges.started:
            self.exchanges.notes.append("A tool result before the first user message was left out.")
            return
        call_id = entry.call_id or self.exchanges.unanswered(entry.tool or None) or ""
        self.exchanges.result(call_id, entry.result, entry.at)


def transcribe(
    entries: Iterable[Entry], origin: Origin, given_id: object = None, tools: tuple[Object, ...] = ()
) -> Transcript:
    """The transcript that entries make.

    Raises:
        RecordProblem: the user said nothing.
    """
    scribe = Scribe()
    for entry in entries:
        scribe.add(entry)
    return scribe.transcript(origin, given_id, tools)


def tool_call(name: str, args: object, call_id: str = "") -> ToolCallPart:
    """A tool call as recorded; arguments that are neither text nor an object become JSON text.

    Raises:
        RecordProblem: it has no name.
    """
    if not name.strip():
        raise RecordProblem("has a tool call without a name")
    kept = args if isinstance(args, str) or args is None or is_object(args) else json.dumps(args)
    return ToolCallPart(name.translate(UNSENDABLE), kept, call_id)


def plain(content: Sequence[UserContent]) -> Iterator[str]:
    """The texts of a content; an image as the words that it was one."""
    for item in content:
        said = item if isinstance(item, str) else "(image_url)"
        if said:
            yield said


def joined(content: Sequence[UserContent]) -> str:
    """The texts of a content, a line for each part."""
    return "\n".join(plain(content))
