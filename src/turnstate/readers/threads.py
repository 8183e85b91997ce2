"""Runs of a model that belong together become one conversation: what tracing tools keep, each with its whole history."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from turnstate.core.messages import ToolCallPart
from turnstate.readers.dialects import dialect
from turnstate.readers.fields import Object, first, inner, is_list, is_object, items, text
from turnstate.readers.scribe import Entry, Origin, Scribe, joined
from turnstate.readers.transcript import RecordProblem, Transcript

_INSIDE = (
    "messages",
    "choices",
    "generations",
    "message",
    "output",
    "input",
    "answer",
    "content",
    "question",
    "query",
    "text",
    "result",
    "response",
    "kwargs",
)
"""The fields in which runs put their messages, or the object around them, the most telling first."""


class Piece(NamedTuple):
    """A part of a conversation that is spread over records.

    Attributes:
        session: what the parts of one conversation have in common.
        order: where the part stands among them, by time or number; parts of the same order keep that of the file.
        data: what it says, as JSON.
    """

    session: str
    order: float
    data: Any


def run_of(given: object, made: object, model: str, at: float | None) -> Object:
    """What one run says: the messages that it was given, those that it made, its model and its time in microseconds."""
    return {"given": _messages(given, "user"), "made": _messages(made, "assistant"), "model": model, "at": at}


def read_thread(runs: Sequence[Object], origin: Origin, session: str) -> Transcript:
    """The conversation that these runs make, in their order.

    A run that repeats what is known adds what follows it; one that begins differently from there replaces what it
    contradicts (an answer that was made again); one that repeats nothing is what was said next. Runs with other
    instructions than the longest conversation's (a classifier, a summarizer) are left out, with a note.

    Raises:
        RecordProblem: a message of a run does not read, or the user said nothing.
    """
    lines: dict[str, _Line] = {}
    for run in runs:
        heard = _Heard.of(run)
        lines.setdefault(heard.instructions, _Line()).take(heard)
    longest = max(lines.values(), key=lambda line: len(line.entries))
    scribe = Scribe()
    for instructions, line in lines.items():
        if line is longest and instructions:
            scribe.add(Entry("system", (instructions,)))
    for entry in longest.entries:
        scribe.add(entry)
    if len(lines) > 1:
        scribe.exchanges.notes.append("Runs with other instructions than the conversation's were left out.")
    return scribe.transcript(origin, session)


class _Heard(NamedTuple):
    """A run as entries, and its instructions apart from them."""

    instructions: str
    given: list[Entry]
    made: list[Entry]

    @classmethod
    def of(cls, run: Object) -> _Heard:
        given = list(_read(items(run["given"]), "", None))
        at = run["at"]
        made = list(_read(items(run["made"]), text(run["model"]), int(at) if at else None))
        system = [joined(entry.content) for entry in given if entry.role == "system"]
        spoken = [entry for entry in given if entry.role != "system"]
        return cls("\n\n".join(said for said in system if said), spoken, made)


def _read(messages: list[Any], model: str, at: int | None) -> Iterator[Entry]:
    for entry in dialect(messages)(messages, model):
        yield entry if entry.at is not None or at is None else entry.at_time(at)


class _Line:
    """A conversation under construction."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._keys: list[str] = []

    def take(self, heard: _Heard) -> None:
        keys = [_key(entry) for entry in heard.given]
        known = _common(keys, self._keys)
        if self._keys and self._keys[-1] in keys:
            start = len(keys) - keys[::-1].index(self._keys[-1])
        else:
            start = known
            if known:
                del self.entries[known:], self._keys[known:]
        self.entries += [*heard.given[start:], *heard.made]
        self._keys += [*keys[start:], *map(_key, heard.made)]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many items both begin with."""
    return next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _key(entry: Entry) -> str:
    """What makes two entries the same message, however it was written."""
    made = [[call.tool_name, _plain_args(call)] for call in entry.calls]
    said = entry.result if entry.role == "tool" else joined(entry.content)
    return json.dumps([entry.role, said, made], sort_keys=True, default=str)


def _plain_args(call: ToolCallPart) -> object:
    if isinstance(call.args, str):
        try:
            return json.loads(call.args, strict=False)
        except (ValueError, RecursionError):
            return call.args
    return call.args


def _messages(value: object, speaker: str) -> list[Any]:
    """The messages in the input or output of a run, however deep the tracing tool has put them."""
    value = _unpacked(value)
    if isinstance(value, str):
        return [{"role": speaker, "content": value}] if value else []
    if is_list(value):
        if len(value) == 1 and is_list(value[0]):
            return _messages(value[0], speaker)
        return [message for item in value for message in _messages(item, speaker)]
    return _around(value, speaker) if is_object(value) else []


def _around(value: Object, speaker: str) -> list[Any]:
    if "role" in value or "lc" in value or ("type" in value and "messages" not in value):
        return [value]
    before = [{"role": "system", "content": said}] if (said := text(value.get("system"))) else []
    return [*before, *_messages(first(value, *_INSIDE), speaker)]


def _unpacked(value: object) -> object:
    """`value`, decoded where it is JSON in text."""
    if isinstance(value, str) and value[:1] in {"[", "{"}:
        try:
            decoded: object = json.loads(value, strict=False)
        except (ValueError, RecursionError):
            return value
        known = is_list(decoded) or any(
            name in inner(decoded) for name in ("role", "messages", "choices", "lc")
        )
        return decoded if known else value
    return value


def checked(pieces: Iterable[Any]) -> list[Object]:
    """Pieces as runs.

    Raises:
        RecordProblem: there is none.
    """
    runs = [inner(piece) for piece in pieces]
    if not runs:
        raise RecordProblem("has no run of a model")
    return runs
