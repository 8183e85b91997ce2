"""What a turn works with: the budget that holds, the facts in force, and all that a plan depends on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.models.test import TestModel

from acceptance.doors import run
from turnstate import Budget
from turnstate.core.context.append import append
from turnstate.core.events import FactsLearned
from turnstate.core.facts import Fact, Source
from turnstate.core.history import History, Turn
from turnstate.core.messages import user_message
from turnstate.errors import StoreClosed
from turnstate.stores import MemoryLog
from turnstate.turn.crew import Crew, facts_of, inputs_for, within
from turnstate.turn.settle import FactReading
from turnstate.turn.speak import Speaker
from turnstate.turn.summaries import ExtractiveSummarizer
from turnstate.turn.tools import Toolbox

NOW = 1_700_000_000_000_000
SPEAKER = Speaker(TestModel(), "test", "You sell.", window=1_000)
HISTORY = History("c", user="u")
TURN = Turn(1, 1, NOW, user_message("Hello", NOW))


def fact(value: str, turn: int, expires_at: int | None = None) -> Fact:
    """What a user said in a turn."""
    return Fact("city", value, Source.USER_QUOTE, value, 0, len(value), "c", turn, NOW + turn, expires_at)


def working(scenario: Callable[[Crew, MemoryLog], Awaitable[None]]) -> None:
    """Run with a crew over a log of its own."""

    async def work() -> None:
        log, box = MemoryLog(), Toolbox([])
        async with box:
            offer = await box.offer(None, SPEAKER.model, "c", 1)
            crew = Crew(
                store=log,
                clock=lambda: NOW + 10,
                speakers=[SPEAKER],
                offer=offer,
                summarizer=ExtractiveSummarizer(),
                reading=FactReading({}),
                budget=Budget(target=1_000, recall=0.1),
                strategy=append,
                max_rounds=8,
                learned={},
            )
            await scenario(crew, log)

    run(work())


@given(st.integers(100, 10**6), st.none() | st.integers(100, 10**6), st.integers(0, 9))
def test_a_wall_only_ever_lowers_a_target(target: int, wall: int | None, keep: int) -> None:
    """What else the budget says stays."""
    budget = Budget(target=target, keep_recent=keep, recall=0.25)
    found = within(budget, wall)
    assert found.target == (target if wall is None else min(target, wall))
    assert (found.keep_recent, found.recall) == (keep, 0.25)


def test_the_facts_in_force_are_those_that_hold_now() -> None:
    """Neither what was corrected nor what expired; without a declaration the log is not even asked."""

    async def scenario(crew: Crew, log: MemoryLog) -> None:
        await log.start("c", "u", NOW)
        said = (fact("York", 1), fact("Leeds", 2), replace(fact("soon", 3, NOW + 5), key="due"))
        await log.append("c", 0, [FactsLearned("learned", "app", 0, said)], NOW)
        assert [each.value for each in await facts_of(crew, HISTORY)] == ["Leeds"]
        await log.close()
        assert await facts_of(replace(crew, reading=None), HISTORY) == ()
        with pytest.raises(StoreClosed):
            await facts_of(crew, HISTORY)

    working(scenario)


def test_a_plan_depends_on_what_the_crew_has() -> None:
    """The speaker's instructions, the tools, the facts as text, and the budget that is given for this request."""

    async def scenario(crew: Crew, log: MemoryLog) -> None:
        await log.start("c", "u", NOW)
        await log.append("c", 0, [FactsLearned("learned", "app", 0, (fact("York", 1),))], NOW)
        budget = Budget(target=500, recall=0.1)
        inputs = await inputs_for(crew, SPEAKER, HISTORY, TURN, budget)
        assert (inputs.instructions, inputs.tools, inputs.budget) == ("You sell.", "", budget)
        assert inputs.facts.startswith("city: York")
        assert inputs.recall == 50
        assert (inputs.turn, inputs.history, inputs.brief) == (TURN, HISTORY, "")
        assert not inputs.reader

    working(scenario)
