"""Plans driven to their end, and whole conversations told with them, as a turn would do it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from generators.histories import append, called, opened, record, returned, said
from turnstate.core.context.budget import Budget
from turnstate.core.context.counting import Calibration, calibrate
from turnstate.core.context.extractive import extract_summary
from turnstate.core.context.plan import Planning, plan
from turnstate.core.context.strategies import STRATEGIES
from turnstate.core.context.types import (
    Choice,
    Excerpt,
    Inputs,
    NeedCount,
    NeedRecall,
    NeedSummaries,
    Plan,
    Quote,
    Strategy,
)
from turnstate.core.events import (
    Event,
    ModelResponded,
    Recorded,
    RequestTrace,
    SummaryWritten,
    ToolCalled,
    Trace,
    TurnClosed,
)
from turnstate.core.history import History, fold
from turnstate.core.messages import ModelMessage

Answerer = Callable[[NeedSummaries], tuple[SummaryWritten, ...]]
"""A summarizer, as the planner meets it."""

Rememberer = Callable[[NeedRecall], tuple[Quote, ...]]
"""A search of the log, as the planner meets it."""


def nothing(_need: NeedRecall) -> tuple[Quote, ...]:
    """What a search finds that finds nothing."""
    return ()


def inputs(history: History, *, target: int, strategy: Strategy | str = "hybrid", **changes: Any) -> Inputs:
    """The inputs for the conversation's last turn."""
    given: dict[str, Any] = {
        "history": history,
        "turn": history.turns[-1],
        "instructions": "Be brief.",
        "tools": "",
        "facts": "order_id: 12345",
        "update": "",
        "budget": Budget(target=target),
        "strategy": STRATEGIES[strategy] if isinstance(strategy, str) else strategy,
        "calibration": Calibration(),
    }
    return Inputs(**(given | changes))


def summarised(need: NeedSummaries) -> tuple[SummaryWritten, ...]:
    """Extractive summaries of what the planner asked for."""
    return tuple(SummaryWritten(e.covers, extract_summary(e).text, "extractive", 1) for e in need.excerpts)


@dataclass(frozen=True, slots=True)
class Driven:
    """A plan, and what it asked for on its way.

    Attributes:
        plan: the plan.
        excerpts: what was to be summarised.
        written: the summaries.
        counted: the requests that the provider was to count.
    """

    plan: Plan
    excerpts: tuple[Excerpt, ...]
    written: tuple[SummaryWritten, ...]
    counted: tuple[tuple[ModelMessage, ...], ...]


def drive(
    planning: Planning,
    provider: int | None = None,
    answer: Answerer = summarised,
    recall: Rememberer = nothing,
) -> Driven:
    """Run a planning to its end."""
    excerpts: list[Excerpt] = []
    written: list[SummaryWritten] = []
    counted: list[tuple[ModelMessage, ...]] = []
    try:
        need = next(planning)
        while True:
            if isinstance(need, NeedCount):
                counted.append(need.messages)
                need = planning.send(provider)
            elif isinstance(need, NeedRecall):
                need = planning.send(recall(need))
            else:
                excerpts.extend(need.excerpts)
                answered = answer(need)
                written.extend(answered)
                need = planning.send(answered)
    except StopIteration as end:
        return Driven(end.value, tuple(excerpts), tuple(written), tuple(counted))


def planned(history: History, target: int, strategy: Strategy | str = "hybrid", **changes: Any) -> Driven:
    """The plan for the conversation's last turn, with extractive summaries."""
    return drive(plan(inputs(history, target=target, strategy=strategy, **changes)))


@dataclass(slots=True)
class Telling:
    """A conversation told turn by turn; every request is planned, and what was decided is recorded.

    Attributes:
        target: the budget's target.
        strategy: the strategy.
        reported: the provider's tokens for each of ours.
        events: the log.
        sent: the plans, in order, with the history that they were made from.
    """

    target: int
    strategy: Strategy | str = "hybrid"
    reported: float = 0.0
    keep_recent: int = 3
    events: list[Recorded] = field(default_factory=lambda: record([]))
    sent: list[tuple[History, Plan]] = field(default_factory=list[tuple[History, Plan]])

    @property
    def history(self) -> History:
        """The log, folded."""
        return fold(self.events)

    def open(self, text: str) -> int:
        """The next turn's number, after its message was recorded."""
        number = self.history.last_turn + 1
        append(self.events, number, opened(text))
        return number

    def request(self, number: int, facts: str = "", update: str = "") -> Plan:
        """The plan of the next request of a turn; the summaries it asked for are on record."""
        history = self.history
        turn = history.turn(number)
        assert turn is not None
        driven = drive(
            plan(
                inputs(
                    history,
                    target=self.target,
                    strategy=self.strategy,
                    turn=turn,
                    facts=facts,
                    update=update,
                    budget=Budget(target=self.target, keep_recent=self.keep_recent),
                    calibration=calibrate(history, "m"),
                )
            )
        )
        append(self.events, number, *driven.written)
        self.sent.append((history, driven.plan))
        return driven.plan

    def responded(self, plan: Plan, event: ModelResponded) -> ModelResponded:
        """`event` as the answer to `plan`, with the usage that the provider reports."""
        event.response.usage.input_tokens = round(plan.count.raw * self.reported)
        event.response.usage.output_tokens = 20 if self.reported else 0
        trace = RequestTrace(
            1, plan.count, self.target, plan.cut, plan.managed, plan.dropped, plan.summarised
        )
        return ModelResponded("m", event.response, trace)

    def turn(self, text: str, results: Sequence[str] = (), **known: str) -> None:
        """A whole turn: one round for each tool result, then the reply."""
        number = self.open(text)
        for index, result in enumerate(results):
            call = f"c{number}_{index}"
            responded = self.responded(self.request(number, **known), called(call))
            events: list[Event] = [responded, ToolCalled(f"ours_{call}", call, "get_order", "read")]
            append(self.events, number, *events, returned(call, result))
        reply = said(f"A{number}. Done, with thanks.")
        append(self.events, number, self.responded(self.request(number, **known), reply))
        append(self.events, number, TurnClosed(None, Trace(1)))


@dataclass(frozen=True, slots=True)
class Spoken:
    """A turn to be told.

    Attributes:
        text: what the user says, without its mark.
        results: what the tools give back, one in each round.
    """

    text: str
    results: tuple[str, ...] = ()


def fickle() -> st.SearchStrategy[Strategy]:
    """Strategies of a user's own that decide one thing now and another next time."""
    choices = st.lists(
        st.builds(Choice, st.integers(-1, 6), st.booleans(), st.booleans()), min_size=1, max_size=4
    )

    def deciding(made: list[Choice]) -> Strategy:
        return lambda room: made[len(room.exchanges) % len(made)]

    return choices.map(deciding)


def spoken_turns(least: int = 3, most: int = 9) -> st.SearchStrategy[list[Spoken]]:
    """Turns to tell: short and long ones, with tools and without."""
    turns = [
        Spoken("ok"),
        Spoken("Where is order 12345?", ("shipped",)),
        Spoken("Please ship it to 55 Elm St. " + "and be quick, please. " * 8),
        Spoken("What does it cost?", ("{'total': '$40.50'}", "{'vat': '$6.10'}")),
        Spoken("Look at all of it.", ("A long, long story. " * 20,)),
        Spoken("什么时候到？我的订单号是 A-7781。"),
    ]
    return st.lists(st.sampled_from(turns), min_size=least, max_size=most)


def tell(turns: Sequence[Spoken], telling: Telling) -> Telling:
    """`telling` after `turns`, each with its mark: "U3." opens what the user says in turn 3."""
    for number, spoken in enumerate(turns, start=telling.history.last_turn + 1):
        telling.turn(f"U{number}. {spoken.text}", spoken.results)
    return telling
