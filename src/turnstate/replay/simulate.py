"""One conversation through one strategy: the requests that would have been sent, planned as in a live turn.

Each recorded response is folded onto the history as the log would hold it, with the cut and the count of the request
planned for it, so that the view moves as it does in production. No model is called. A provider's report of input
tokens is taken to be our own estimate: with it the planner knows, as it does live, how long the beginning of the next
request is, and asks for a count no more often than it would.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from turnstate.core.context.budget import Budget
from turnstate.core.context.counting import calibrate, estimate_text, size_message
from turnstate.core.context.plan import plan
from turnstate.core.context.types import (
    Answer,
    Excerpt,
    Inputs,
    NeedCount,
    NeedRecall,
    NeedSummaries,
    Plan,
    Strategy,
    SummaryDraft,
)
from turnstate.core.context.validity import heal
from turnstate.core.events import (
    ConversationOpened,
    Count,
    Event,
    ModelResponded,
    Recorded,
    RequestTrace,
    SummaryWritten,
    ToolCalled,
    ToolReturned,
    Trace,
    TurnClosed,
    TurnOpened,
)
from turnstate.core.history import History, Step, Turn, fold
from turnstate.core.messages import RequestUsage, calls
from turnstate.errors import ContextTooLarge
from turnstate.readers.transcript import Transcript
from turnstate.replay.check import Checker
from turnstate.replay.prefix import Billing, PromptCache
from turnstate.replay.prices import Prices
from turnstate.replay.report import Invalid, Place, Refusal, Replayed, Tally

GREETING = "The conversation opened with these words of the assistant:\n"
"""Stands in the instructions before a greeting: no provider takes a message of the assistant before the user's first."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is the same for every conversation of a replay.

    Attributes:
        budget: the budget of every request.
        prices: what tokens cost; its model is the one that the responses are recorded with.
        summarize: writes the summary of an excerpt.
        instructions: taken instead of the transcripts' own; None for theirs.
    """

    budget: Budget
    prices: Prices
    summarize: Callable[[Excerpt], Awaitable[SummaryDraft]]
    instructions: str | None = None


async def simulate(transcript: Transcript, name: str, strategy: Strategy, setting: Setting) -> Replayed:
    """Replay `transcript` through `strategy`, which reports call `name`."""
    simulation = _Simulation(transcript, name, strategy, setting)
    simulation.record(0, 0, [ConversationOpened()])
    for turn in transcript.turns:
        simulation.record(turn.number, turn.at, [TurnOpened(turn.key, turn.digest, turn.user)])
        for step in turn.steps:
            await simulation.step(turn, step)
        await asyncio.sleep(0)  # a long replay can be interrupted between its turns
        if turn.steps:
            simulation.record(turn.number, turn.at, [TurnClosed(None, Trace(rounds=len(turn.steps)))])
    return simulation.replayed()


@dataclass(frozen=True, slots=True)
class _Sent:
    """A request, planned or refused."""

    trace: RequestTrace
    tally: Tally
    billing: Billing


class _Simulation:
    """The history so far, and what its requests came to."""

    def __init__(self, transcript: Transcript, name: str, strategy: Strategy, setting: Setting) -> None:
        self._transcript, self._name, self._strategy, self._setting = transcript, name, strategy, setting
        own = transcript.instructions if setting.instructions is None else setting.instructions
        greeting = GREETING + transcript.greeting if transcript.greeting else ""
        self._instructions = "\n\n".join(text for text in (own, greeting) if text)
        self._tools = (
            json.dumps(transcript.tools, ensure_ascii=False, separators=(",", ":"))
            if transcript.tools
            else ""
        )
        self._cache = PromptCache(self._instructions, self._tools)
        self._checker = Checker()
        self._history = History()
        self._tally = Tally()
        self._tokens: list[int] = []
        self._refusals: list[Refusal] = []
        self._invalid: list[Invalid] = []

    def record(self, turn: int, at: int, events: Sequence[Event]) -> None:
        """Fold events of a turn, as the log would number them."""
        first = self._history.head + 1
        recorded = [
            Recorded(self._transcript.id, first + index, turn, at, event)
            for index, event in enumerate(events)
        ]
        self._history = fold(recorded, self._history)

    async def step(self, turn: Turn, step: Step) -> None:
        """Plan the request that `step` answers, count it, and fold the step."""
        place = Place(self._transcript.id, self._transcript.record, self._name, turn.number, step.trace.round)
        try:
            sent = self._sent(place, await self._plan(turn))
        except ContextTooLarge as error:
            sent = self._refused(place, turn, error)
        self._count(sent, step)
        self.record(turn.number, turn.at, self._events(step, sent.trace))

    def replayed(self) -> Replayed:
        """What it came to."""
        return Replayed(self._tally, tuple(self._tokens), tuple(self._refusals), tuple(self._invalid))

    async def _plan(self, turn: Turn) -> Plan:
        inputs = Inputs(
            history=self._history,
            turn=self._history.turn(turn.number) or turn,
            instructions=self._instructions,
            tools=self._tools,
            facts="",
            update="",
            budget=self._setting.budget,
            strategy=self._strategy,
            calibration=calibrate(self._history, self._setting.prices.model),
        )
        planning = plan(inputs)
        answer: Answer = None
        while True:
            try:
                need = planning.send(answer)
            except StopIteration as done:
                planned: Plan = done.value
                return planned
            match need:
                case NeedCount():
                    self._tally += Tally(count_calls=1)
                    answer = None
                case NeedSummaries():
                    answer = await self._summaries(turn, need.excerpts)
                case NeedRecall():
                    answer = ()

    async def _summaries(self, turn: Turn, excerpts: Sequence[Excerpt]) -> tuple[SummaryWritten, ...]:
        """The summaries that the planner asked for, on record before it goes on."""
        written: list[SummaryWritten] = []
        for excerpt in excerpts:
            draft = await self._setting.summarize(excerpt)
            tokens = estimate_text(draft.text)
            written.append(
                SummaryWritten(excerpt.covers, draft.text, draft.by, tokens, draft.notes, draft.usage)
            )
            read, wrote = draft.usage
            cost = self._setting.prices.cost(read, wrote)
            self._tally += Tally(
                summarizer_calls=0 if draft.by == "extractive" and draft.usage == (0, 0) else 1,
                summarizer_tokens=read + wrote,
                cost_usd=cost,
                cost_usd_cached=cost,
            )
        self.record(turn.number, turn.at, written)
        return tuple(written)

    def _sent(self, place: Place, planned: Plan) -> _Sent:
        if found := self._checker.faults(planned.messages):
            self._invalid.append(Invalid(place, found))
        tokens, target = planned.count.best, self._setting.budget.target
        trace = RequestTrace(
            round=place.round,
            count=planned.count,
            target=target,
            cut=planned.cut,
            managed=planned.managed,
            dropped=planned.dropped,
            summarised=planned.summarised,
            notes=planned.notes,
        )
        tally = Tally(
            over_target=int(tokens > target),
            invalid_requests=int(bool(found)),
            cuts=int(planned.cut.first > self._history.cut.first),
        )
        return _Sent(trace, tally, self._cache.send(planned.messages, tokens))

    def _refused(self, place: Place, turn: Turn, error: ContextTooLarge) -> _Sent:
        """A request that is never sent: counted and priced as what would not give way, and nothing else."""
        self._refusals.append(Refusal(place, error.target, error.sizes))
        tokens = sum(error.sizes.values())
        trace = RequestTrace(place.round, Count(tokens, tokens, tokens), error.target, self._history.cut)
        fixed = heal((self._history.turn(turn.number) or turn).messages()).messages
        return _Sent(trace, Tally(over_target=1, refused=1), self._cache.send(fixed, tokens))

    def _count(self, sent: _Sent, step: Step) -> None:
        tokens = sent.trace.count.best
        output = size_message(step.response).estimate
        billing, prices = sent.billing, self._setting.prices
        self._tokens.append(tokens)
        self._tally += sent.tally + Tally(
            requests=1,
            input_tokens=tokens,
            largest_request=tokens,
            output_tokens=output,
            cost_usd=prices.cost(tokens, output),
            cost_usd_cached=prices.cost(billing.plain, output, read=billing.read, written=billing.written),
        )

    def _events(self, step: Step, trace: RequestTrace) -> list[Event]:
        """The events of a step, in the order of a live turn."""
        usage = RequestUsage(
            input_tokens=trace.count.best, output_tokens=size_message(step.response).estimate
        )
        response = replace(step.response, usage=usage)
        events: list[Event] = [ModelResponded(self._setting.prices.model, response, trace)]
        tools = {part.tool_call_id: part.tool_name for part in calls(response)}
        for call in step.calls:
            events.append(ToolCalled(call.call_id, call.tool_call_id, tools[call.tool_call_id], "read"))
            if call.result is not None:
                events.append(ToolReturned(call.call_id, call.result))
        return events
