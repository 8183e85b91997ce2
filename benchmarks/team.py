"""`python -m benchmarks.team`: what a step of a team costs beside its agents.

Two agents of one stage, each reading two states and changing one of its own; their own code does next to nothing, so that
what is measured is ours: giving out the states, running the two side by side, and letting in what they return. Writing the
log is not part of it. The quickest tenth says most where other programs share the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import Sequence
from typing import Any

from benchmarks.__main__ import keep
from turnstate import Item, State, Team, UserMessage
from turnstate.core.events import (
    ConversationOpened,
    Event,
    Recorded,
    StateChanged,
    Trace,
    TurnClosed,
    TurnOpened,
)
from turnstate.core.history import History, Turn, fold
from turnstate.core.messages import user_message
from turnstate.core.state import write
from turnstate.turn.agents import Agent
from turnstate.turn.scene import Scene
from turnstate.turn.speak import Speaker


class Pain(Item):
    """What hurts."""

    text: str = ""
    quote: str = ""
    turn: int = 0


class Memory(State):
    """What is known: a handful of values and of records."""

    timeline: str = ""
    budget: str = ""
    industry: str = ""
    pains: tuple[Pain, ...] = ()


class Scores(State):
    """How it stands."""

    budget: int = 0
    authority: int = 0
    need: int = 0
    timeline: int = 0
    fit: int = 0


MEMORY = Memory(
    timeline="six weeks",
    budget="$40,000 a year",
    industry="bakeries",
    pains=tuple(
        Pain(id=f"{n}.1", text=f"pain {n}", quote=f"it hurts {n} times", turn=n) for n in range(1, 9)
    ),
)
SCORES = Scores(budget=60, need=80)


async def remember(memory: Memory, scores: Scores, message: UserMessage) -> Memory:
    """Read two states and change one."""
    return memory.model_copy(update={"timeline": f"{message.text} {scores.need}"})


async def score(memory: Memory, scores: Scores) -> Scores:
    """Read two states and change one."""
    return scores.model_copy(update={"timeline": len(memory.timeline)})


def speak() -> str:
    """A team has somebody who speaks."""
    return "Fine."


def _nobody(agent: Agent) -> Speaker:
    raise LookupError(agent.name)


def opened(memory: Memory = MEMORY, scores: Scores = SCORES) -> tuple[History, Turn]:
    """A conversation whose states are on record, with a turn that has just opened."""
    story: list[tuple[int, Event]] = [
        (0, ConversationOpened()),
        (1, TurnOpened(None, "", user_message("Hello", 1))),
        (1, StateChanged("Memory", 1, "remember", {}, write(memory))),
        (1, StateChanged("Scores", 1, "score", {}, write(scores))),
        (1, TurnClosed("Fine.", Trace())),
        (2, TurnOpened(None, "", user_message("We start in May", 2))),
    ]
    history = fold([Recorded("c", seq, turn, seq, event) for seq, (turn, event) in enumerate(story, start=1)])
    turn = history.turn(2)
    assert turn is not None
    return history, turn


async def _measured(steps: int) -> Sequence[float]:
    scene = Scene(Team(remember, score, speak), _nobody)
    history, turn = opened()
    taken: list[float] = []
    for number in range(steps + steps // 10):
        start = time.perf_counter()
        stage = scene.stage(turn)
        assert stage is not None
        events = await scene.think(stage, history, turn)
        if number >= steps // 10:  # the first ones warm up
            taken.append(time.perf_counter() - start)
        assert len(events) == 4
    return taken


async def _agents_alone(steps: int) -> float:
    """The median of the two agents without us, side by side."""
    message = UserMessage("We start in May", 2, 2)
    taken: list[float] = []
    for _ in range(steps):
        start = time.perf_counter()
        await remember(MEMORY, SCORES, message)
        await score(MEMORY, SCORES)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def measure(steps: int) -> dict[str, Any]:
    """Milliseconds of a step with two agents: in all, of the agents alone, and the difference."""
    taken = sorted(asyncio.run(_measured(steps)))
    alone = asyncio.run(_agents_alone(steps))
    median = statistics.median(taken)
    return {
        "steps": steps,
        "agents": 2,
        "states_read_by_each": 2,
        "step_ms_median": round(1e3 * median, 4),
        "step_ms_p10": round(1e3 * taken[len(taken) // 10], 4),
        "step_ms_p95": round(1e3 * taken[int(len(taken) * 0.95)], 4),
        "agents_alone_ms_median": round(1e3 * alone, 4),
        "beside_the_agents_ms_median": round(1e3 * (median - alone), 4),
    }


def main() -> None:
    """Measure, and write benchmarks/results/team.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=5_000)
    arguments = parser.parse_args()
    keep("team", measure(arguments.steps))


if __name__ == "__main__":
    main()
