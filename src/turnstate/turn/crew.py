"""What a turn works with, and what a plan of it depends on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from turnstate.core.context.budget import Budget
from turnstate.core.context.counting import calibrate
from turnstate.core.context.layout import changes, shown_facts
from turnstate.core.context.types import Inputs, Strategy
from turnstate.core.facts import Fact, render, supersede
from turnstate.core.history import History, Turn
from turnstate.ports import Log, Summarizer
from turnstate.turn.scene import Scene
from turnstate.turn.settle import FactReading
from turnstate.turn.speak import Speaker
from turnstate.turn.tools import Offer

WALL = 0.95
"""How much of its published window a model's requests may fill; the rest is for what it answers."""


@dataclass(frozen=True, slots=True)
class Crew:
    """What a turn works with.

    Attributes:
        store: the log.
        clock: now, in microseconds since the epoch.
        speakers: the models, in the order in which they are asked: where one fails, the next takes over.
        offer: the tools, with the conversation's dependencies.
        summarizer: writes summaries.
        reading: how facts are read from messages, or None.
        budget: the budget.
        strategy: what to do when a request is over it.
        max_rounds: the most requests of one turn.
        learned: targets by model that an overflow taught, shared by all turns.
        scene: runs the team, or None where one agent does everything.
        cast: the speakers of agents that have a model of their own, by its id.
    """

    store: Log
    clock: Callable[[], int]
    speakers: Sequence[Speaker]
    offer: Offer
    summarizer: Summarizer
    reading: FactReading | None
    budget: Budget
    strategy: Strategy
    max_rounds: int
    learned: dict[str, int]
    scene: Scene | None = None
    cast: Mapping[str, Sequence[Speaker]] = field(default_factory=dict[str, Sequence[Speaker]])


def within(budget: Budget, wall: int | None) -> Budget:
    """`budget` with `wall` for a target, where that is lower."""
    if wall is None or wall >= budget.target:
        return budget
    return Budget(target=wall, keep_recent=budget.keep_recent, recall=budget.recall)


async def facts_of(crew: Crew, history: History) -> Sequence[Fact]:
    """The facts in force for a conversation."""
    if crew.reading is None:
        return ()  # nothing is declared, so nothing can be on record
    facts = await crew.store.facts(user=history.user, conversation=history.conversation)
    return supersede(facts).active(crew.clock())


async def inputs_for(crew: Crew, speaker: Speaker, history: History, turn: Turn, budget: Budget) -> Inputs:
    """All that a plan of a turn depends on.

    Raises:
        StoreError: the facts could not be read.
    """
    facts = shown_facts(await facts_of(crew, history), budget.target)
    return Inputs(
        history=history,
        turn=turn,
        instructions=speaker.instructions,
        tools=crew.offer.described(),
        facts=render(facts),
        update=changes(facts, history),
        budget=budget,
        strategy=crew.strategy,
        calibration=calibrate(history, speaker.name),
        wire=speaker.wire,
        recall=budget.recalled,
        reader=crew.offer.reads,
    )
