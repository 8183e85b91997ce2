"""A transcript as the order in which things were said, each with what it mentions."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, cast

from turnstate.audit.findings import Place, Speaker
from turnstate.audit.values.arguments import Argument, arguments, data_of
from turnstate.audit.values.mentions import LONGEST, SORTS, Mention, spoken
from turnstate.audit.values.names import CITIES
from turnstate.core.history import Step
from turnstate.core.messages import args_text, calls, response_text, result_text, user_text
from turnstate.core.questions import changes
from turnstate.core.values import find
from turnstate.readers.transcript import Transcript

_KNOWN_SINCE: Final = 631_152_000_000_000
"""A time before 1990 is none that anybody recorded."""
_DAY: Final = 86_400_000_000
_SHORTEST: Final = 4
_RECORDS: Final = 10
_QUOTED: Final = 400
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_UNDONE: Final = re.compile(r"\b(?:not|unable|fail\w*|unfortunately|sorry)\b|n['’]t\b|\?", re.IGNORECASE)
_END: Final = re.compile(r"[.?!](?=\s)|\n")


@dataclass(eq=False)
class Said:
    """One thing said: a message, a call, a result.

    Attributes:
        order: its place in the story, from 0.
        turn: the turn, 0 for what stood before the first.
        step: which response of the turn; 0 for the user's message.
        speaker: who says it; instructions count as a tool's.
        text: the words; of a call, its name and arguments.
        at: the day it was said on, in microseconds since the epoch, None where nobody knows.
        task: how many things had been finished before it.
        tool: the tool of a call or a result.
        arguments: of a call.
        carried: the keys of a call's arguments, those without a value too.
        known: names that count in whatever case.
    """

    order: int
    turn: int
    step: int
    speaker: Speaker
    text: str
    at: int | None
    task: int = 0
    tool: str = ""
    arguments: list[Argument] = field(default_factory=list[Argument])
    carried: frozenset[str] = frozenset()
    known: Collection[str] = ()

    @cached_property
    def words(self) -> frozenset[str]:
        """All its words, without case."""
        return frozenset(_WORD.findall(self.text[: 4 * LONGEST].casefold()))

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """What it mentions; of a result only exact values."""
        if self.speaker == "call":
            return tuple(argument.said for argument in self.arguments)
        if self.speaker == "tool":
            values = (value for value in find(self.text[:LONGEST], at=self.at) if value.kind in SORTS)
            none = frozenset[str]()
            return tuple(Mention(SORTS[v.kind], v.text, v.start, v.norm, v, none, none) for v in values)
        return tuple(spoken(self.text, self.at, self.known))

    @cached_property
    def fields(self) -> list[Argument]:
        """The fields of a result that is JSON, of its first records; what is nested deeper is of something else."""
        try:
            data: object = json.loads(self.text) if len(self.text) <= 4 * LONGEST else None
        except (ValueError, RecursionError):
            return []
        records = cast("list[object]", data)[:_RECORDS] if isinstance(data, list) else [data]
        return [leaf for record in records for leaf in arguments(record, self.at, deepest=0)]

    def sentence(self, mention: Mention) -> str:
        """The sentence around a mention; the whole text of a call."""
        if mention.start < 0:
            return self.text
        ends = [found.end() for found in _END.finditer(self.text, max(0, mention.start - _QUOTED))]
        start = max((end for end in ends if end <= mention.start), default=max(0, mention.start - _QUOTED))
        end = min((end for end in ends if end >= mention.end), default=len(self.text))
        return self.text[start : min(end, mention.end + _QUOTED)].strip()

    def place(self, mention: Mention) -> Place:
        """Where a mention stands, quoted by its sentence."""
        return Place(self.turn, self.speaker, self.sentence(mention), self.step)


def told(transcript: Transcript, names: Collection[str] = ()) -> list[Said]:
    """All that was said in order; `names`, without case, count however they are written."""
    known = CITIES | frozenset(_argument_names(transcript)) | frozenset(names)
    story: list[Said] = []
    day = _day(transcript.turns[0].at) if transcript.turns else None
    if transcript.instructions:
        story.append(Said(0, 0, 0, "tool", transcript.instructions, day))
    if transcript.greeting:
        story.append(Said(len(story), 0, 0, "assistant", transcript.greeting, day, known=known))
    task = 0
    for turn in transcript.turns:
        day = _day(turn.at)
        story.append(Said(len(story), turn.number, 0, "user", user_text(turn.user), day, task, known=known))
        for number, step in enumerate(turn.steps, start=1):
            for said in _step(step, day):
                said.order, said.turn, said.step, said.task, said.known = (
                    len(story),
                    turn.number,
                    number,
                    task,
                    known,
                )
                story.append(said)
            task += _finishes(response_text(step.response)[:LONGEST])
    return story


def _finishes(reply: str) -> bool:
    """Whether an agent says that something is done."""
    return changes.done(reply) and not _UNDONE.search(reply)


def _step(step: Step, day: int | None) -> Iterator[Said]:
    """The text, the calls and the results of one response."""
    if text := response_text(step.response):
        yield Said(0, 0, 0, "assistant", text, day)
    for call in calls(step.response):
        data = data_of(call)
        made = f"{call.tool_name} {args_text(call)}"
        yield Said(0, 0, 0, "call", made, day, 0, call.tool_name, arguments(data, day), frozenset(data))
    for call in step.calls:
        if call.result is not None:
            yield Said(0, 0, 0, "tool", result_text(call.result), day, 0, call.result.tool_name)


def _day(at: int) -> int | None:
    """The day that something was said on; None where nobody knows."""
    return at - at % _DAY if at >= _KNOWN_SINCE else None


def _argument_names(transcript: Transcript) -> Iterator[str]:
    """The names that the calls of a transcript carry."""
    for turn in transcript.turns:
        for step in turn.steps:
            for call in calls(step.response):
                for argument in arguments(data_of(call), None):
                    if argument.said.sort == "name" and len(argument.said.norm) >= _SHORTEST:
                        yield argument.said.norm
