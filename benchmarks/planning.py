"""`python -m benchmarks.planning`: what planning a request costs as a conversation grows.

The same target at 100, 1,000 and 10,000 turns; before each plan the history is folded from the events that the
snapshot names, as a store loads it. Function calls are counted: seconds only stand beside them.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import pstats
import statistics
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from benchmarks.__main__ import keep
from turnstate.core.context.budget import Budget
from turnstate.core.context.extractive import extract_summary
from turnstate.core.context.strategies import STRATEGIES
from turnstate.core.context.types import Answer, Excerpt, Inputs, Need, NeedSummaries, SummaryDraft
from turnstate.core.events import (
    ConversationOpened,
    Event,
    ModelResponded,
    Recorded,
    RequestTrace,
    SummaryWritten,
    Trace,
    TurnClosed,
    TurnOpened,
)
from turnstate.core.history import History, fold
from turnstate.core.messages import RequestUsage, text_response, user_message
from turnstate.readers.transcript import Transcript
from turnstate.replay.prices import prices
from turnstate.replay.scene import Scene, Setting, planned

TARGET = 4_000
WINDOW = 60
"""Turns that are measured at each mark: about one from cut to cut."""

MARKS = (100, 1_000, 10_000)
WORDS = "the delivery of your order is planned for this week and we will write to you again as soon as it leaves us "


class Planned(NamedTuple):
    """What one plan took.

    Attributes:
        turn: its turn.
        calls: function calls.
        fold_calls: function calls of folding what a store loads for it.
        seconds: of the plan.
    """

    turn: int
    calls: int
    fold_calls: int
    seconds: float


class Long:
    """A conversation that grows turn by turn, loaded anew before each plan that is measured."""

    def __init__(self, strategy: str = "hybrid", target: int = TARGET) -> None:
        setting = Setting(Budget(target=target), prices("offline"), _extract)
        nothing = Transcript("long", 1, "Answer.", "", (), ())
        self._scene = Scene.of(nothing, strategy, STRATEGIES[strategy], setting)
        self._log: list[Recorded] = []
        self._history = History()
        self.number = 0
        self._add(0, [ConversationOpened()])

    def _add(self, turn: int, events: Sequence[Event]) -> None:
        first = len(self._log) + 1
        new = [Recorded("long", first + index, turn, turn, event) for index, event in enumerate(events)]
        self._log.extend(new)
        self._history = fold(new, self._history)

    def _loaded(self) -> list[Recorded]:
        """The events that a store would load: those that the snapshot names, and all from its first one on."""
        snapshot = self._history.snapshot()
        return [*(self._log[seq - 1] for seq in snapshot.keep), *self._log[snapshot.first - 1 :]]

    async def turn(self, *, measured: bool) -> Planned | None:
        """One more turn, and what its plan took."""
        self.number += 1
        number = self.number
        said = user_message(f"Question {number}: order {number:05d} {WORDS * 3}", number)
        self._add(number, [TurnOpened(None, "", said)])
        found = None
        if measured:
            found = await self._measured()
        history = self._history
        plan = await planned(self._inputs(history), self._answer)
        trace = RequestTrace(
            1, plan.count, TARGET, plan.cut, dropped=plan.dropped, summarised=plan.summarised
        )
        response = text_response(f"Answer {number}: {WORDS * 3}", number)
        response.usage = RequestUsage(input_tokens=plan.count.best, output_tokens=90)
        self._add(number, [ModelResponded("offline", response, trace), TurnClosed(None, Trace(rounds=1))])
        return found

    def _inputs(self, history: History) -> Inputs:
        turn = history.turn(self.number)
        assert turn is not None
        return self._scene.inputs(history, turn)

    async def _measured(self) -> Planned:
        loaded = self._loaded()
        folding = cProfile.Profile()
        folding.enable()
        history = fold(loaded)
        folding.disable()
        start = time.perf_counter()
        await planned(self._inputs(history), _aside)
        seconds = time.perf_counter() - start
        planning = cProfile.Profile()
        planning.enable()
        await planned(self._inputs(history), _aside)
        planning.disable()
        return Planned(self.number, _calls(planning), _calls(folding), seconds)

    async def _answer(self, need: Need) -> Answer:
        written = await _aside(need)
        if isinstance(need, NeedSummaries) and isinstance(written, tuple):
            self._add(self.number, [event for event in written if isinstance(event, SummaryWritten)])
        return written


async def _extract(excerpt: Excerpt) -> SummaryDraft:
    return extract_summary(excerpt)


async def _aside(need: Need) -> Answer:
    """What a plan asks for, written and not recorded; nothing is recalled."""
    if not isinstance(need, NeedSummaries):
        return None
    drafts = [(excerpt, extract_summary(excerpt)) for excerpt in need.excerpts]
    return tuple(SummaryWritten(excerpt.covers, draft.text, draft.by, 0) for excerpt, draft in drafts)


def _calls(profile: cProfile.Profile) -> int:
    stats: Any = pstats.Stats(profile)
    return stats.total_calls


async def measure(turns: int, marks: Sequence[int] = MARKS, window: int = WINDOW) -> dict[str, Any]:
    """Grow a conversation to `turns`, and measure the plans of the last turns before each mark.

    Returns:
        By mark: function calls of a plan and of the fold before it (mean and most), seconds (median), and the ratios
        of the last mark to the first.
    """
    reached = [mark for mark in marks if mark <= turns]
    found: dict[int, list[Planned]] = {mark: [] for mark in reached}
    long = Long()
    for number in range(1, max(reached) + 1):
        mark = next((mark for mark in reached if mark - window < number <= mark), None)
        plan = await long.turn(measured=mark is not None)
        if mark is not None and plan is not None:
            found[mark].append(plan)
    rows = {
        mark: {
            "plan_calls_mean": round(statistics.fmean(plan.calls for plan in plans)),
            "plan_calls_most": max(plan.calls for plan in plans),
            "fold_calls_mean": round(statistics.fmean(plan.fold_calls for plan in plans)),
            "plan_ms_median": round(1e3 * statistics.median(plan.seconds for plan in plans), 3),
        }
        for mark, plans in found.items()
    }
    first, last = rows[reached[0]], rows[reached[-1]]
    ratios = {f"ratio_{name}": round(last[name] / first[name], 3) for name in first}
    return {"target": TARGET, "turns": rows, **ratios}


def main() -> None:
    """Measure, and write benchmarks/results/planning.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=10_000)
    arguments = parser.parse_args()
    keep("planning", asyncio.run(measure(arguments.turns)))


if __name__ == "__main__":
    main()
