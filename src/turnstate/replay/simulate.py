"""One conversation through one strategy: the requests that would have been sent, planned as in a live turn.

Each recorded response is folded onto the history as the log would hold it, with the cut and the count of the request
planned for it, so that the view moves as it does in production. No model is called. A provider's report of input
tokens is taken to be our own estimate: with it the planner knows, as it does live, how long the beginning of the next
request is, and asks for a count no more often than it would.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from turnstate.core.context.counting import estimate_text, size_message
from turnstate.core.context.types import Answer, Excerpt, Need, NeedCount, NeedRecall, NeedSummaries, Plan
from turnstate.core.context.validity import heal
from turnstate.core.events import (
    ConversationOpened,
    Count,
    Event,
    ModelResponded,
    RequestTrace,
    SummaryWritten,
    ToolCalled,
    ToolReturned,
    Trace,
    TurnClosed,
    TurnOpened,
)
from turnstate.core.fidelity import ledger
from turnstate.core.history import History, Step, Turn
from turnstate.core.messages import ModelMessage, RequestUsage, calls
from turnstate.errors import ContextTooLarge
from turnstate.replay.ask import Ending, ask
from turnstate.replay.check import Checker
from turnstate.replay.prefix import PromptCache, Sent
from turnstate.replay.probes import Probe
from turnstate.replay.recall import Recollection, recalled_tokens
from turnstate.replay.report import Invalid, Place, Refusal, Replayed, Tally
from turnstate.replay.scene import Scene, planned
from turnstate.replay.values import Said, Values


async def simulate(scene: Scene, *, probes: Sequence[Probe] = (), values: Values | None = None) -> Replayed:
    """Replay the conversation of `scene` through its strategy.

    Args:
        scene: the conversation and the strategy.
        probes: questions to ask after the last turn.
        values: the conversation's exact values, to share between strategies.
    """
    simulation = _Simulation(scene, values or Values())
    simulation.record(0, 0, [ConversationOpened()])
    for turn in scene.transcript.turns:
        simulation.record(turn.number, turn.at, [TurnOpened(turn.key, turn.digest, turn.user)])
        for step in turn.steps:
            await simulation.step(turn, step)
        await asyncio.sleep(0)  # a long replay can be interrupted between its turns
        simulation.end(turn)
    return await simulation.replayed(probes)


@dataclass(frozen=True, slots=True)
class _Sent:
    """A request, planned or refused."""

    trace: RequestTrace
    tally: Tally
    cached: Sent
    messages: tuple[ModelMessage, ...]


class _Simulation:
    """The history so far, and what its requests came to."""

    def __init__(self, scene: Scene, values: Values) -> None:
        self._scene = scene
        self._cache = PromptCache(scene.instructions, scene.tools)
        self._checker = Checker()
        self._said = Said(values)
        self._recollection = Recollection()
        self._history = History()
        self._tally = Tally()
        self._tokens: list[int] = []
        self._refusals: list[Refusal] = []
        self._invalid: list[Invalid] = []

    def record(self, turn: int, at: int, events: Sequence[Event]) -> None:
        """Fold events of a turn."""
        self._history = self._scene.recorded(self._history, turn, at, events)

    def end(self, turn: Turn) -> None:
        """A turn is over, answered or not."""
        if turn.steps:
            self.record(turn.number, turn.at, [TurnClosed(None, Trace(rounds=len(turn.steps)))])
        self._said.add(turn.messages()[-1:])
        self._recollection.add(turn)

    async def step(self, turn: Turn, step: Step) -> None:
        """Plan the request that `step` answers, count it, and fold the step."""
        place = self._scene.place(turn.number, step.trace.round)
        current = self._history.turn(turn.number) or turn
        try:
            plan = await planned(self._scene.inputs(self._history, current), partial(self._answer, turn))
            sent = self._sent(place, current, plan)
        except ContextTooLarge as error:
            sent = self._refused(place, current, error)
        self._count(sent, step)
        self.record(turn.number, turn.at, self._events(step, sent.trace))
        self._said.add(current.messages()[-1:])
        self._said.add([step.response])

    async def replayed(self, probes: Sequence[Probe]) -> Replayed:
        """What it came to, with the questions after its last turn."""
        asked = await ask(probes, Ending(self._scene, self._history, self._recollection))
        return Replayed(
            self._tally + asked.tally,
            tuple(self._tokens),
            tuple(self._refusals),
            tuple(self._invalid),
            asked.missed,
        )

    async def _answer(self, turn: Turn, need: Need) -> Answer:
        match need:
            case NeedCount():
                self._tally += Tally(count_calls=1)
                return None
            case NeedSummaries():
                return await self._summaries(turn, need.excerpts)
            case NeedRecall():
                return self._recollection.quotes(need)

    async def _summaries(self, turn: Turn, excerpts: Sequence[Excerpt]) -> tuple[SummaryWritten, ...]:
        """The summaries that the planner asked for, on record before it goes on."""
        setting = self._scene.setting
        written: list[SummaryWritten] = []
        for excerpt in excerpts:
            draft = await setting.summarize(excerpt)
            tokens = estimate_text(draft.text)
            written.append(
                SummaryWritten(
                    excerpt.covers, draft.text, draft.by, tokens, draft.notes, draft.usage, ledger(excerpt)
                )
            )
            read, wrote = draft.usage
            cost = setting.prices.cost(read, wrote)
            self._tally += Tally(
                summarizer_calls=0 if draft.by == "extractive" and draft.usage == (0, 0) else 1,
                summarizer_tokens=read + wrote,
                cost_usd=cost,
                cost_usd_cached=cost,
            )
        self.record(turn.number, turn.at, written)
        return tuple(written)

    def _sent(self, place: Place, turn: Turn, plan: Plan) -> _Sent:
        if found := self._checker.faults(plan.messages):
            self._invalid.append(Invalid(place, found))
        tokens, target = plan.count.best, self._scene.setting.budget.target
        trace = RequestTrace(
            round=place.round,
            count=plan.count,
            target=target,
            cut=plan.cut,
            managed=plan.managed,
            dropped=plan.dropped,
            summarised=plan.summarised,
            notes=plan.notes,
            recalled=plan.recalled,
        )
        # Behind the exchanges of earlier turns stand the messages of this one, whatever was healed before them.
        newest = max(0, len(plan.messages) - len(turn.messages()))
        sent = self._cache.send(plan.messages, tokens, newest)
        cut = plan.cut != self._history.cut
        following = bool(self._tokens) and not cut
        tally = Tally(
            over_target=int(tokens > target),
            invalid_requests=int(bool(found)),
            cuts=int(plan.cut.first > self._history.cut.first),
            following=int(following),
            repeating=int(following and sent.repeats),
            recalls=int(bool(plan.recalled)),
            recalled_tokens=recalled_tokens(plan),
        )
        return _Sent(trace, tally, sent, plan.messages)

    def _refused(self, place: Place, turn: Turn, error: ContextTooLarge) -> _Sent:
        """A request that is never sent: counted and priced as what would not give way, and nothing else."""
        self._refusals.append(Refusal(place, error.target, error.sizes))
        tokens = sum(error.sizes.values())
        trace = RequestTrace(place.round, Count(tokens, tokens, tokens), error.target, self._history.cut)
        fixed = heal(turn.messages()).messages
        return _Sent(trace, Tally(over_target=1, refused=1), self._cache.send(fixed, tokens), fixed)

    def _count(self, sent: _Sent, step: Step) -> None:
        tokens = sent.trace.count.best
        output = size_message(step.response).estimate
        billing, prices = sent.cached.billing, self._scene.setting.prices
        values = self._said.stand(sent.messages)
        self._tokens.append(tokens)
        self._tally += sent.tally + Tally(
            requests=1,
            input_tokens=tokens,
            largest_request=tokens,
            output_tokens=output,
            cost_usd=prices.cost(tokens, output),
            cost_usd_cached=prices.cost(billing.plain, output, read=billing.read, written=billing.written),
            billed_input_tokens=prices.equivalent(billing.plain, read=billing.read, written=billing.written),
            values_seen=values.seen,
            values_in_view=values.there,
        )

    def _events(self, step: Step, trace: RequestTrace) -> list[Event]:
        """The events of a step, in the order of a live turn."""
        usage = RequestUsage(
            input_tokens=trace.count.best, output_tokens=size_message(step.response).estimate
        )
        response = replace(step.response, usage=usage)
        model = self._scene.setting.prices.model
        events: list[Event] = [ModelResponded(model, response, trace)]
        tools = {part.tool_call_id: part.tool_name for part in calls(response)}
        for call in step.calls:
            events.append(ToolCalled(call.call_id, call.tool_call_id, tools[call.tool_call_id], "read"))
            if call.result is not None:
                events.append(ToolReturned(call.call_id, call.result))
        return events
