"""Going through a conversation's requests again: where each of them would have been cut.

A list says nothing of the cuts that were made for it before. They are found again from its first message on, so that
the same messages always lead to the same cuts and a longer list begins as the shorter one did. Only sizes are added
up; the planner runs where they say that a request may be over its target, which is about once for each cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

from turnstate.adapters.checkpoint import Checkpoint, Request
from turnstate.adapters.turns import SECOND
from turnstate.core.context.counting import estimate_text, size_head, size_messages
from turnstate.core.context.extractive import extract_summary, spoken
from turnstate.core.context.plan import plan
from turnstate.core.context.types import (
    Answer,
    Choice,
    Excerpt,
    Inputs,
    Need,
    NeedRecall,
    NeedSummaries,
    Plan,
    Quote,
    Room,
)
from turnstate.core.events import Span, SummaryWritten
from turnstate.core.fidelity import ledger
from turnstate.core.history import History, Step, Summary, Turn
from turnstate.core.messages import ModelMessage, user_text
from turnstate.core.search import Index, Said
from turnstate.errors import ContextTooLarge

_SLACK = 5
"""Tokens by which a message may take more than its own size: a word for what is empty, framing of joins."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A list as turns.

    Attributes:
        turns: all of them.
        instructions: for each turn the instructions in it, with the number of responses before each.
        template: the inputs of every request, but for history, turn and instructions.
    """

    turns: tuple[Turn, ...]
    instructions: tuple[tuple[tuple[int, str], ...], ...]
    template: Inputs

    @property
    def newest(self) -> Request:
        """The request that the list is for."""
        return Request(len(self.turns), len(self.turns[-1].steps))

    @property
    def opening(self) -> Turn:
        """The turn of the opening request: the first in which the user says something."""
        return next((turn for turn in self.turns if user_text(turn.user).strip()), self.turns[0])

    def told(self, at: Request) -> str:
        """The instructions as of a request."""
        before = [text for told in self.instructions[: at.turn - 1] for _, text in told]
        own = [text for steps, text in self.instructions[at.turn - 1] if steps <= at.steps]
        return "\n\n".join(text for text in (self.template.instructions, *before, *own) if text)

    def inputs(self, at: Request, reached: Checkpoint) -> Inputs:
        """What a request is planned with."""
        cut = {(request.turn, request.steps) for request in reached.cuts}
        turn = self.turns[at.turn - 1]
        history = History(
            head=SECOND,
            last_turn=at.turn,
            opening=self.opening,
            turns=tuple(_marked(turn, cut) for turn in self.turns[reached.cut.first - 1 : at.turn - 1]),
            summaries=reached.summaries,
            cut=reached.cut,
        )
        turn = _marked(replace(turn, steps=turn.steps[: at.steps], status="open", reply=""), cut)
        history = replace(history, turns=(*history.turns, turn))
        return replace(self.template, history=history, turn=turn, instructions=self.told(at))

    def requests(self, start: Request) -> Iterator[Request]:
        """The requests from `start` on: one before each response, and the one that the list is for."""
        for number in range(start.turn, len(self.turns) + 1):
            first = start.steps if number == start.turn else 0
            for steps in range(first, len(self.turns[number - 1].steps)):
                yield Request(number, steps)
        yield self.newest


def _marked(turn: Turn, cut: set[tuple[int, int]]) -> Turn:
    """A turn whose requests that were cut for say so: where cuts follow each other the planner cuts deeper."""
    if not any((turn.number, place) in cut for place in range(len(turn.steps))):
        return turn
    here = (Span(turn.number, turn.number),)
    steps = (
        Step(step.response, step.calls, replace(step.trace, dropped=here), step.model)
        if (turn.number, place) in cut
        else step
        for place, step in enumerate(turn.steps)
    )
    return replace(turn, steps=tuple(steps))


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """Where a conversation's newest request stands.

    Attributes:
        reached: the cut and the summaries for it.
        managed: the line of the last cut that was found, or "".
    """

    reached: Checkpoint
    managed: str = ""


def rehearse(talk: Conversation, start: Checkpoint) -> Rehearsed:
    """Go through the requests from `start` on, and cut where a request was over its target.

    Raises:
        ContextTooLarge: the newest request cannot be brought under the target.
    """
    reached, managed = start, ""
    sizes = _Sizes(talk)
    target = talk.template.budget.target
    for at in talk.requests(start.at):
        if sizes.upto(at, reached) <= target:
            continue
        answers = Answers(talk.turns)
        try:
            made = run(replace(talk.inputs(at, reached), recall=0), answers)
        except ContextTooLarge:
            if at == talk.newest:
                raise
            continue  # then it was refused; what follows is another request
        if made.cut != reached.cut:
            reached = reached.after(made.cut, (*reached.summaries, *answers.written), at)
            managed = made.managed
        sizes.is_exactly(made.count.best)
    return Rehearsed(replace(reached, at=talk.newest), managed)


class _Sizes:
    """What the requests of a conversation have at most, added up."""

    def __init__(self, talk: Conversation) -> None:
        self._talk = talk
        self._at: Request | None = None
        self._most = 0

    def upto(self, at: Request, reached: Checkpoint) -> int:
        """The most tokens of a request; of the first one that is asked for it is known only if nothing has left."""
        if self._at is None:
            fresh = reached == Checkpoint()
            self._most = self._beginning(at) if fresh else self._talk.template.budget.target + 1
        else:
            self._most += self._between(self._at, at)
        self._at = at
        return self._most

    def is_exactly(self, tokens: int) -> None:
        """Note what the newest request has."""
        self._most = tokens

    def _beginning(self, at: Request) -> int:
        template = self._talk.template
        said = _size_of((self._talk.turns[0].user,))
        return size_head(self._talk.told(at), template.tools).estimate + said

    def _between(self, before: Request, at: Request) -> int:
        tokens = 0
        for number in range(before.turn, at.turn + 1):
            turn = self._talk.turns[number - 1]
            first = before.steps if number == before.turn else 0
            last = at.steps if number == at.turn else len(turn.steps)
            part = replace(turn, steps=turn.steps[first:last])
            messages = part.messages()
            tokens += _size_of(messages if number > before.turn else messages[1:])
            for steps, text in self._talk.instructions[number - 1]:
                if first < steps <= last or (not steps and number > before.turn):
                    tokens += estimate_text(text) + _SLACK
        return tokens


def _size_of(messages: Sequence[ModelMessage]) -> int:
    return size_messages(messages).estimate + _SLACK * len(messages)


def planned(talk: Conversation, reached: Checkpoint, recall: int) -> Plan:
    """The plan of the newest request, which makes no cut of its own: what is recalled takes the room that there is."""
    inputs = talk.inputs(talk.newest, reached)
    turn = inputs.turn
    if turn.steps and recall:
        # Later rounds quote again what the first one did.
        first, *others = turn.steps
        first = replace(first, trace=replace(first.trace, recalled=(1,)))
        turn = replace(turn, steps=(first, *others))
    strategy = inputs.strategy

    def as_it_stands(room: Room) -> Choice:
        return replace(strategy(room), keep=len(room.exchanges))

    return run(replace(inputs, turn=turn, recall=recall, strategy=as_it_stands), Answers(talk.turns))


class Answers:
    """What a plan asks for, from the conversation itself.

    Attributes:
        written: the summaries that were written.
    """

    def __init__(self, turns: Sequence[Turn]) -> None:
        self.written: list[Summary] = []
        self._turns = turns

    def answer(self, need: Need) -> Answer:
        """The answer to what is asked for."""
        match need:
            case NeedSummaries():
                made = tuple(_summary(excerpt) for excerpt in need.excerpts)
                self.written.extend(Summary(SECOND + 1 + index, one) for index, one in enumerate(made))
                return made
            case NeedRecall():
                return self._quotes(need)
            case _:
                return None

    def _quotes(self, need: NeedRecall) -> tuple[Quote, ...]:
        index = Index()
        for turn in self._turns[:-1]:
            for speaker, text in spoken(turn):
                index.add(Said(turn.number, 0, speaker, text))
        hits = index.find(need.query, before=need.before, tokens=need.tokens, measure=estimate_text)
        return tuple(Quote(hit.turn, 0, hit.speaker, hit.text, hit.score) for hit in hits)


def _summary(excerpt: Excerpt) -> SummaryWritten:
    text = extract_summary(excerpt).text
    return SummaryWritten(excerpt.covers, text, "extractive", estimate_text(text), kept=ledger(excerpt))


def run(inputs: Inputs, answers: Answers) -> Plan:
    """The plan for `inputs`.

    Raises:
        ContextTooLarge: it cannot be brought under the target.
    """
    planning = plan(inputs)
    given: Answer = None
    while True:
        try:
            need = planning.send(given)
        except StopIteration as done:
            return cast("Plan", done.value)
        given = answers.answer(need)
