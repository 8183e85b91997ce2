"""What stays the same while one conversation is replayed through one strategy, and how a request of it is planned."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from turnstate.core.context.budget import Budget
from turnstate.core.context.counting import calibrate
from turnstate.core.context.plan import plan
from turnstate.core.context.types import Answer, Excerpt, Inputs, Need, Plan, Strategy, SummaryDraft
from turnstate.core.events import Event, Recorded
from turnstate.core.history import History, Turn, fold
from turnstate.readers.transcript import Transcript
from turnstate.replay.prices import Prices
from turnstate.replay.report import Place

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


@dataclass(frozen=True, slots=True)
class Scene:
    """One conversation with one strategy.

    Attributes:
        transcript: the conversation.
        name: what reports call the strategy.
        strategy: the strategy.
        setting: what is the same for all conversations.
        instructions: the system text of every request.
        tools: the tools of every request, as JSON text; "" for none.
    """

    transcript: Transcript
    name: str
    strategy: Strategy
    setting: Setting
    instructions: str
    tools: str

    @classmethod
    def of(cls, transcript: Transcript, name: str, strategy: Strategy, setting: Setting) -> Scene:
        """The scene of `transcript`, with the words that it opened with in its instructions."""
        own = transcript.instructions if setting.instructions is None else setting.instructions
        greeting = GREETING + transcript.greeting if transcript.greeting else ""
        tools = json.dumps(transcript.tools, ensure_ascii=False, separators=(",", ":"))
        return cls(
            transcript,
            name,
            strategy,
            setting,
            instructions="\n\n".join(text for text in (own, greeting) if text),
            tools=tools if transcript.tools else "",
        )

    def place(self, turn: int, number: int) -> Place:
        """Where request `number` of a turn happens."""
        return Place(self.transcript.id, self.transcript.record, self.name, turn, number)

    def recorded(self, history: History, turn: int, at: int, events: Sequence[Event]) -> History:
        """`history` with events of a turn, as the log would number them."""
        first = history.head + 1
        return fold(
            [
                Recorded(self.transcript.id, first + index, turn, at, event)
                for index, event in enumerate(events)
            ],
            history,
        )

    def inputs(self, history: History, turn: Turn) -> Inputs:
        """What the plan of the next request depends on."""
        setting = self.setting
        return Inputs(
            history=history,
            turn=turn,
            instructions=self.instructions,
            tools=self.tools,
            facts="",
            update="",
            budget=setting.budget,
            strategy=self.strategy,
            calibration=calibrate(history, setting.prices.model),
            recall=setting.budget.recalled,
        )


async def planned(inputs: Inputs, answer: Callable[[Need], Awaitable[Answer]]) -> Plan:
    """Run a plan to its end; `answer` gives it what it asks for.

    Raises:
        ContextTooLarge: what cannot give way exceeds the target.
    """
    planning = plan(inputs)
    given: Answer = None
    while True:
        try:
            need = planning.send(given)
        except StopIteration as done:
            found: Plan = done.value
            return found
        given = await answer(need)
