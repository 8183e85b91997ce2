"""What an agent would have recorded of a conversation: its exact values, promises and named fields, turn by turn."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from keyword import iskeyword
from typing import Any, Final

from pydantic import Field, create_model

from turnstate.core.blocks import block
from turnstate.core.brief import Brief, render
from turnstate.core.commitments import Firmness, find_commitments
from turnstate.core.context.counting import MESSAGE, estimate_text, size_message
from turnstate.core.context.layout import ONCE
from turnstate.core.history import Turn
from turnstate.core.messages import ModelResponse, ToolCallPart, response_text, user_text
from turnstate.core.state import RECORD, Delta, Item, State, described, schema
from turnstate.core.values import Value, ValueKind, find
from turnstate.errors import WiringError

SHARE: Final = 4
"""A brief shows at most this part of the target (a quarter); of more, what changed last."""

SHOWN: Final = 120
"""The most characters of one entry."""

_OPEN: Final = frozenset({Firmness.PROMISED, Firmness.INTENDED, Firmness.CONDITIONAL})
_SENTENCE: Final = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_CORRECTS: Final = re.compile(
    r"\b(?:actually|instead|rather|sorry|correction|i meant?|make (?:it|that)|change (?:it|that|the|my)|"
    r"changed?|no longer|not anymore|on second thought|wait)\b|^no\b",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")


class NotedValue(Item):
    """An exact value that was said."""

    kind: ValueKind = ValueKind.ID
    value: str = ""


class NotedCommitment(Item):
    """What somebody promised."""

    by: str = ""
    firmness: Firmness = Firmness.PROMISED
    text: str = ""


class Noted(State):
    """What the estimate records beside the named fields."""

    values: tuple[NotedValue, ...] = Field((), description="exact values: ids, amounts, dates, times")
    commitments: tuple[NotedCommitment, ...] = Field((), description="what was promised and is still open")


@dataclass(frozen=True, slots=True)
class Entry:
    """Something on record.

    Attributes:
        id: what a later change names.
        what: the field's name, the value's kind, or who promised.
        text: its words.
        turn: when it was recorded or last changed.
        earlier: what it was before, newest last.
        key: what makes a second mention the same.
        action: of a commitment: the words that say what is to be done.
    """

    id: str
    what: str
    text: str
    turn: int
    earlier: tuple[str, ...] = ()
    key: tuple[str, str] = ("", "")
    action: frozenset[str] = frozenset()

    @property
    def line(self) -> str:
        """As it stands in a brief."""
        before = f" (before: {self.earlier[-1]})" if self.earlier else ""
        return f"{self.text}{before}"


@dataclass(frozen=True)
class Moment:
    """What is on record when a turn opens, and what the turn adds.

    Attributes:
        turn: its number.
        brief: what the turn is told, as the block that is sent; "" where nothing is on record.
        entries: how many entries are on record.
        left_out: how many of them the brief has no room for.
        deltas: what the turn records.
        after: the state after the turn as JSON, as a call that re-derives it would write it.
    """

    turn: int
    brief: str
    entries: int
    left_out: int
    deltas: tuple[dict[str, Any], ...]
    after: str

    @cached_property
    def brief_tokens(self) -> int:
        """The estimated size of the brief in the request."""
        return estimate_text(block("brief", self.brief, note=ONCE)) + MESSAGE if self.brief else 0

    @cached_property
    def patch_tokens(self) -> int:
        """The estimated output of the `record` call; 0 in a turn that records nothing."""
        if not self.deltas:
            return 0
        return call_tokens(json.dumps({"changes": self.deltas}, ensure_ascii=False, separators=(",", ":")))


def call_tokens(arguments: str) -> int:
    """The estimated output of one `record` call."""
    call = ToolCallPart(RECORD, arguments, tool_call_id="record-1")
    return size_message(ModelResponse(parts=[call])).estimate - MESSAGE


def states_of(fields: Sequence[str]) -> tuple[type[State], ...]:
    """The states that the estimate records: the named fields, and values and commitments.

    Raises:
        WiringError: a name cannot be a field's.
    """
    for name in fields:
        if not _NAME.fullmatch(name) or iskeyword(name) or hasattr(State, name) or name.startswith("model_"):
            raise WiringError(
                f"{name!r} cannot be a field's name. Give names such as budget or team_size, in small letters."
            )
    if not fields:
        return (Noted,)
    declared: dict[str, Any] = dict.fromkeys(fields, (str, ""))
    return (create_model("Fields", __base__=State, **declared), Noted)


def record_tool(fields: Sequence[str]) -> dict[str, Any]:
    """The `record` tool as it is offered to the model."""
    states = states_of(fields)
    return {"name": RECORD, "description": described(states), "parameters": schema(states)}


def kept(turns: Iterable[Turn], fields: Sequence[str], target: int) -> tuple[Moment, ...]:
    """What is on record when each turn opens, and what it adds.

    Args:
        turns: the conversation.
        fields: names of fields to fill, beside values and commitments.
        target: tokens that a request may have; the brief gets a quarter of them.
    """
    record = _Record(tuple(fields), target // SHARE)
    return tuple(record.take(turn) for turn in turns)


@dataclass(slots=True)
class _Record:
    """The state so far."""

    fields: tuple[str, ...]
    room: int
    filled: dict[str, Entry] = field(default_factory=dict[str, Entry])
    values: dict[str, Entry] = field(default_factory=dict[str, Entry])
    promises: dict[str, Entry] = field(default_factory=dict[str, Entry])
    known: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    asked: str = ""

    def take(self, turn: Turn) -> Moment:
        """The moment of a turn; what was said in it is on record afterwards."""
        held = (*self.values.values(), *self.promises.values())
        shown = self._shown(held)
        brief = self._brief(shown, len(held) - len(shown))
        deltas = tuple(delta.data() | {"state": state} for state, delta in self._heard(turn))
        return Moment(
            turn=turn.number,
            brief=brief,
            entries=len(self.filled) + len(held),
            left_out=len(held) - len(shown),
            deltas=deltas,
            after=self._as_json() if turn.steps else "",
        )

    def _shown(self, held: Sequence[Entry]) -> frozenset[str]:
        """The ids of what the brief has room for: what changed last."""
        room = self.room - sum(estimate_text(f"- {e.what}: {e.line}\n") for e in self.filled.values())
        shown: set[str] = set()
        for entry in sorted(held, key=lambda entry: entry.turn, reverse=True):
            room -= estimate_text(f"- {entry.id} {entry.what}: {entry.line}\n")
            if room < 0:
                break
            shown.add(entry.id)
        return frozenset(shown)

    def _brief(self, shown: frozenset[str], left_out: int) -> str:
        known = [(entry.what, entry.line) for entry in self.filled.values()]
        known += [(f"{e.id} {e.what}", e.line) for e in self.values.values() if e.id in shown]
        promised = [f"{e.id} {e.what}: {e.line}" for e in self.promises.values() if e.id in shown]
        notes = (f"{left_out} older entries are on record and not shown",) if left_out else ()
        missing = tuple(name for name in self.fields if name not in self.filled)
        return render(Brief(missing=missing, known=tuple(known), commitments=tuple(promised), notes=notes))

    def _as_json(self) -> str:
        shown = self._shown((*self.values.values(), *self.promises.values()))
        data: dict[str, Any] = {name: entry.text for name, entry in self.filled.items()}
        data["values"] = [{"kind": e.what, "value": e.text} for e in self.values.values() if e.id in shown]
        data["commitments"] = [
            {"by": e.what, "text": e.text} for e in self.promises.values() if e.id in shown
        ]
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))

    def _heard(self, turn: Turn) -> Iterator[tuple[str, Delta]]:
        if not turn.steps:
            return
        said = user_text(turn.user)
        yield from self._answers(turn.number, said)
        yield from self._said(turn.number, "user", said)
        for step in turn.steps:
            text = response_text(step.response)
            yield from self._said(turn.number, "assistant", text)
            self.asked = _last_question(text) or self.asked if not text.strip() else _last_question(text)

    def _answers(self, turn: int, said: str) -> Iterator[tuple[str, Delta]]:
        """Fields that the assistant asked for, filled with what the user answered."""
        if not self.asked or not said.strip():
            return
        for name in self.fields:
            if _names(name, self.asked) and name not in self.filled:
                values = find(said)
                answer = values[0].text if values else _SENTENCE.split(said.strip())[0]
                yield from self._fill(turn, name, answer)
                return

    def _said(self, turn: int, speaker: str, text: str) -> Iterator[tuple[str, Delta]]:
        for sentence in _SENTENCE.split(text):
            for value in find(sentence):
                yield from self._value(turn, speaker, sentence, value)
        for promise in find_commitments(text, speaker):
            if promise.firmness is Firmness.DONE:
                yield from self._done(speaker, promise.action, promise.text)
            elif promise.firmness in _OPEN:
                key = speaker, " ".join(sorted(promise.action))
                if key in self.known:
                    continue
                self.known.add(key)
                entry = Entry(
                    self._id("c", turn, self.promises),
                    speaker,
                    _short(promise.text),
                    turn,
                    key=key,
                    action=promise.action,
                )
                self.promises[entry.id] = entry
                told = {"by": speaker, "firmness": promise.firmness.value, "text": entry.text}
                yield Noted.__name__, Delta("append", "commitments", told)

    def _value(self, turn: int, speaker: str, sentence: str, value: Value) -> Iterator[tuple[str, Delta]]:
        named = next((name for name in self.fields if _names(name, sentence)), "")
        key = value.kind.value, value.norm
        if named and speaker == "user":
            self.known.add(key)
            yield from self._fill(turn, named, value.text)
            return
        if key in self.known:
            return
        self.known.add(key)
        if speaker == "user":
            old = self._corrected(value.kind) if _CORRECTS.search(sentence) else None
            if old is not None:
                self.values[old.id] = replace(
                    old, text=_short(value.text), turn=turn, earlier=(*old.earlier, old.text), key=key
                )
                told = {"value": _short(value.text)}
                yield Noted.__name__, Delta("amend", "values", told, old.id, _short(sentence))
                return
        entry = Entry(self._id("v", turn, self.values), value.kind.value, _short(value.text), turn, key=key)
        self.values[entry.id] = entry
        yield Noted.__name__, Delta("append", "values", {"kind": entry.what, "value": entry.text})

    def _fill(self, turn: int, name: str, text: str) -> Iterator[tuple[str, Delta]]:
        old = self.filled.get(name)
        if old is not None and old.text == _short(text):
            return
        earlier = () if old is None else (*old.earlier, old.text)
        self.filled[name] = Entry(name, name, _short(text), turn, earlier)
        yield "Fields", Delta("set", name, _short(text))

    def _corrected(self, kind: ValueKind) -> Entry | None:
        """The newest value of a kind that is on record."""
        held = [entry for entry in self.values.values() if entry.what == kind.value]
        return max(held, key=lambda entry: entry.turn, default=None)

    def _done(self, speaker: str, action: frozenset[str], text: str) -> Iterator[tuple[str, Delta]]:
        for entry in list(self.promises.values()):
            shared = len(entry.action & action)
            if entry.what == speaker and 2 * shared > min(len(entry.action), len(action)):
                del self.promises[entry.id]
                yield Noted.__name__, Delta("retract", "commitments", None, entry.id, _short(text))
                return

    def _id(self, letter: str, turn: int, held: dict[str, Entry]) -> str:
        number = 1
        while f"{letter}{turn}.{number}" in held:
            number += 1
        return f"{letter}{turn}.{number}"


def _names(name: str, text: str) -> bool:
    """Whether a field is named in a text."""
    return re.search(rf"\b{name.replace('_', '[ _-]')}\b", text, re.IGNORECASE) is not None


def _last_question(text: str) -> str:
    asked = [sentence for sentence in _SENTENCE.split(text) if sentence.rstrip().endswith(("?", "？"))]
    return asked[-1] if asked else ""


def _short(text: str) -> str:
    said = " ".join(text.split())
    return said if len(said) <= SHOWN else f"{said[: SHOWN - 1]}…"
