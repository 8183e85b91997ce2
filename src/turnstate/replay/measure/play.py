"""One conversation through one strategy, with a brief in each turn: what its requests cost, turn by turn."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from turnstate.core.context.counting import estimate_text, size_message
from turnstate.core.context.types import Answer, Need, NeedRecall, NeedSummaries
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
from turnstate.replay.measure.kept import Moment
from turnstate.replay.prefix import PromptCache
from turnstate.replay.recall import Recollection
from turnstate.replay.scene import Scene, planned


@dataclass(frozen=True, slots=True)
class Spent:
    """What model calls came to.

    Attributes:
        calls: how many there were.
        input_tokens: estimated tokens of their requests.
        output_tokens: estimated tokens of their responses.
        usd: at list prices without a prompt cache.
        usd_cached: the same with a warm one.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: Decimal = Decimal(0)
    usd_cached: Decimal = Decimal(0)

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.usd + other.usd,
            self.usd_cached + other.usd_cached,
        )

    @property
    def tokens(self) -> int:
        """Input and output."""
        return self.input_tokens + self.output_tokens

    def as_dict(self) -> dict[str, Any]:
        """As JSON data; dollars to the hundredth of a millionth."""
        return {
            "calls": self.calls,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "tokens": self.tokens,
            "cost_usd": round(float(self.usd), 8),
            "cost_usd_cached": round(float(self.usd_cached), 8),
        }


@dataclass(frozen=True, slots=True)
class Played:
    """What the requests of a conversation came to.

    Attributes:
        turns: one for each turn.
        largest: estimated tokens of the largest request.
        over_target: how many requests cannot be brought under the target; they are priced as what cannot give way.
    """

    turns: tuple[Spent, ...]
    largest: int
    over_target: int


async def play(scene: Scene, moments: Sequence[Moment] = (), *, recorded: bool = False) -> Played:
    """Replay the conversation of `scene`, each request planned as in a live turn.

    Args:
        scene: the conversation and the strategy.
        moments: the state by turn, whose briefs are sent; none for no state.
        recorded: whether the last response of a turn also writes the turn's patch.
    """
    playing = _Playing(scene)
    for index, turn in enumerate(scene.transcript.turns):
        moment = moments[index] if moments else None
        patch = moment.patch_tokens if moment is not None and recorded else 0
        await playing.turn(turn, "" if moment is None else moment.brief, patch)
        await asyncio.sleep(0)  # a long replay can be interrupted between its turns
    return playing.played()


class _Playing:
    """The history so far, and what its turns cost."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._cache = PromptCache(scene.instructions, scene.tools)
        self._recollection = Recollection()
        self._history = scene.recorded(History(), 0, 0, [ConversationOpened()])
        self._turns: list[Spent] = []
        self._largest = 0
        self._over = 0
        self._turn: Turn | None = None

    def played(self) -> Played:
        return Played(tuple(self._turns), self._largest, self._over)

    async def turn(self, turn: Turn, brief: str, patch: int) -> None:
        """Play one turn, with its brief in every request, and its patch behind the last response."""
        self._turn = turn
        self._record([TurnOpened(turn.key, turn.digest, turn.user)])
        spent = Spent()
        for place, step in enumerate(turn.steps, start=1):
            spent += await self._step(turn, step, brief, patch if place == len(turn.steps) else 0)
        if turn.steps:
            self._record([TurnClosed(None, Trace(rounds=len(turn.steps)))])
        self._recollection.add(turn)
        self._turns.append(spent)

    def _record(self, events: Sequence[Event]) -> None:
        assert self._turn is not None
        self._history = self._scene.recorded(self._history, self._turn.number, self._turn.at, events)

    async def _step(self, turn: Turn, step: Step, brief: str, patch: int) -> Spent:
        current = self._history.turn(turn.number) or turn
        inputs = replace(self._scene.inputs(self._history, current), brief=brief)
        try:
            plan = await planned(inputs, self._answer)
        except ContextTooLarge as error:
            self._over += 1
            tokens = sum(error.sizes.values())
            messages: Sequence[ModelMessage] = heal(current.messages()).messages
            trace = RequestTrace(
                step.trace.round, Count(tokens, tokens, tokens), error.target, self._history.cut
            )
        else:
            tokens, messages = plan.count.best, plan.messages
            trace = RequestTrace(
                round=step.trace.round,
                count=plan.count,
                target=self._scene.setting.budget.target,
                cut=plan.cut,
                managed=plan.managed,
                dropped=plan.dropped,
                summarised=plan.summarised,
                notes=plan.notes,
                recalled=plan.recalled,
            )
        self._largest = max(self._largest, tokens)
        own = max(0, len(messages) - len(current.messages()))
        billing = self._cache.send(messages, tokens, own).billing
        output = size_message(step.response).estimate + patch
        prices = self._scene.setting.prices
        self._record(self._events(step, trace))
        return Spent(
            1,
            tokens,
            output,
            prices.cost(tokens, output),
            prices.cost(billing.plain, output, read=billing.read, written=billing.written),
        )

    async def _answer(self, need: Need) -> Answer:
        match need:
            case NeedSummaries():
                written: list[SummaryWritten] = []
                for excerpt in need.excerpts:
                    draft = await self._scene.setting.summarize(excerpt)
                    tokens = estimate_text(draft.text)
                    written.append(
                        SummaryWritten(
                            excerpt.covers,
                            draft.text,
                            draft.by,
                            tokens,
                            draft.notes,
                            draft.usage,
                            ledger(excerpt),
                        )
                    )
                self._record(written)
                return tuple(written)
            case NeedRecall():
                return self._recollection.quotes(need)
            case _:
                return None

    def _events(self, step: Step, trace: RequestTrace) -> list[Event]:
        """The events of a step, in the order of a live turn; the `record` call is no part of what is shown later."""
        usage = RequestUsage(
            input_tokens=trace.count.best, output_tokens=size_message(step.response).estimate
        )
        model = self._scene.setting.prices.model
        events: list[Event] = [ModelResponded(model, replace(step.response, usage=usage), trace)]
        tools = {part.tool_call_id: part.tool_name for part in calls(step.response)}
        for call in step.calls:
            events.append(ToolCalled(call.call_id, call.tool_call_id, tools[call.tool_call_id], "read"))
            if call.result is not None:
                events.append(ToolReturned(call.call_id, call.result))
        return events
