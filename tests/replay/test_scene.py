"""What stays the same in a replay."""

from __future__ import annotations

import asyncio
import cProfile
import pstats
from collections.abc import Sequence
from typing import Any

import pytest

from turnstate.core.context.budget import Budget
from turnstate.core.context.extractive import extract_summary
from turnstate.core.context.strategies import STRATEGIES
from turnstate.core.context.types import Answer, Excerpt, Need, NeedSummaries, SummaryDraft
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
from turnstate.core.messages import text_response, user_message
from turnstate.errors import ContextTooLarge
from turnstate.readers.openai_chat import read_chat
from turnstate.replay.prices import prices
from turnstate.replay.scene import GREETING, Scene, Setting, planned


async def _extract(excerpt: Excerpt) -> SummaryDraft:
    return extract_summary(excerpt)


async def _nothing(need: Need) -> Answer:
    raise AssertionError(need)


def _scene(messages: object, budget: Budget, instructions: str | None = None) -> Scene:
    setting = Setting(budget, prices("offline"), _extract, instructions)
    return Scene.of(read_chat(messages, 1, "c"), "hybrid", STRATEGIES["hybrid"], setting)


CHAT = [
    {"role": "system", "content": "Be kind."},
    {"role": "assistant", "content": "Welcome!"},
    {"role": "user", "content": "Hi."},
    {"role": "assistant", "content": "Hello."},
]


def test_instructions_are_the_recorded_ones_with_the_greeting() -> None:
    """Others may take the place of the recorded ones; the greeting was said all the same."""
    assert _scene(CHAT, Budget(target=100)).instructions == f"Be kind.\n\n{GREETING}Welcome!"
    assert _scene(CHAT, Budget(target=100), "").instructions == f"{GREETING}Welcome!"


def test_the_budget_says_what_may_be_recalled() -> None:
    """A quarter unless it says otherwise, or nothing."""
    scene = _scene(CHAT, Budget(target=1_000))
    (turn,) = scene.transcript.turns
    assert scene.inputs(History(), turn).recall == 250
    assert _scene(CHAT, Budget(target=1_000, recall=0)).inputs(History(), turn).recall == 0


def test_a_request_is_planned_as_in_a_live_turn() -> None:
    """From the events so far; what does not fit is the planner's own error."""
    for target in (1_000, 5):
        scene = _scene(CHAT, Budget(target=target))
        (turn,) = scene.transcript.turns
        history = scene.recorded(History(), 0, 0, [ConversationOpened()])
        history = scene.recorded(history, 1, 0, [TurnOpened(None, "", turn.user)])
        current = history.turn(1)
        assert current is not None
        assert history.head == 2
        if target == 5:
            with pytest.raises(ContextTooLarge):
                asyncio.run(planned(scene.inputs(history, current), _nothing))
        else:
            assert asyncio.run(planned(scene.inputs(history, current), _nothing)).messages == (turn.user,)


WORDS = "the parcel left the warehouse on Monday and has not been seen since then "
WINDOW = 30


async def _aside(need: Need) -> Answer:
    if not isinstance(need, NeedSummaries):
        return ()
    drafts = [(excerpt, extract_summary(excerpt)) for excerpt in need.excerpts]
    return tuple(SummaryWritten(excerpt.covers, draft.text, draft.by, 0) for excerpt, draft in drafts)


class _Growing:
    """A conversation that grows, with its log."""

    def __init__(self) -> None:
        self._scene = _scene(CHAT, Budget(target=1_000))
        self._log: list[Recorded] = []
        self._history = History()
        self._number = 0
        self._add([ConversationOpened()])

    def _add(self, events: Sequence[Event]) -> None:
        first = len(self._log) + 1
        new = [Recorded("c", first + i, self._number, self._number, event) for i, event in enumerate(events)]
        self._log += new
        self._history = fold(new, self._history)

    def turn(self) -> int:
        """One more turn; how many calls it takes to load what the snapshot names, and to plan from it."""
        self._number += 1
        number = self._number
        self._add([TurnOpened(None, "", user_message(f"Question {number}: {WORDS}", number))])
        snapshot = self._history.snapshot()
        kept = [self._log[seq - 1] for seq in snapshot.keep]
        profile = cProfile.Profile()
        profile.enable()
        loaded = fold([*kept, *self._log[snapshot.first - 1 :]])
        turn = loaded.turn(number)
        assert turn is not None
        plan = asyncio.run(planned(self._scene.inputs(loaded, turn), self._answer))
        profile.disable()
        trace = RequestTrace(1, plan.count, 1_000, plan.cut, dropped=plan.dropped, summarised=plan.summarised)
        response = text_response(f"Answer {number}: {WORDS}", number)
        self._add([ModelResponded("m", response, trace), TurnClosed(None, Trace(rounds=1))])
        stats: Any = pstats.Stats(profile)
        return int(stats.total_calls)

    async def _answer(self, need: Need) -> Answer:
        answer = await _aside(need)
        if isinstance(answer, tuple):
            self._add([event for event in answer if isinstance(event, SummaryWritten)])
        return answer


def test_planning_costs_what_is_in_view_and_not_what_was_said() -> None:
    """Loading and planning take the same number of calls after 600 turns as after 60, whatever was cut in between."""
    conversation = _Growing()
    calls = [conversation.turn() for _ in range(600)]
    early, late = calls[60 : 60 + 2 * WINDOW], calls[-2 * WINDOW :]
    assert sum(late) < 1.3 * sum(early)
    assert max(late) < 1.3 * max(early)
