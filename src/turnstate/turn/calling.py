"""The tool calls of a step: all recorded first, then run, side by side where they may."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

from turnstate.core.events import Event, ToolCalled, ToolReturned
from turnstate.core.history import Call, Step, Turn
from turnstate.core.messages import ToolCallPart, calls, tool_return
from turnstate.errors import ToolOutcomeUnknown
from turnstate.turn.crew import Crew

NOTED = "recorded"
"""What answers a `record` call: it is checked when the turn closes, and never sent back to be done again."""


class Calling:
    """Runs the tool calls of one turn.

    Args:
        crew: the tools and the log.
        conversation: the conversation's id.
        number: the turn's number.
    """

    def __init__(self, crew: Crew, conversation: str, number: int) -> None:
        self._crew = crew
        self._conversation = conversation
        self._number = number

    async def run(self, turn: Turn, step: Step, record: Callable[..., Awaitable[object]]) -> None:
        """Run the calls that have no result.

        Args:
            turn: the turn.
            step: the step whose calls they are.
            record: records events of the turn.
        """
        parts = {part.tool_call_id: part for part in calls(step.response)}
        pending = [(parts[call.tool_call_id], call) for call in step.pending]
        new = [
            ToolCalled(
                self.call_id(turn, part),
                part.tool_call_id,
                part.tool_name,
                self._crew.offer.effect(part.tool_name),
            )
            for part, call in pending
            if not call.call_id
        ]
        if new:
            await record(*new)
        together = [(p, c) for p, c in pending if not self._crew.offer.sequential(p)]
        alone = [(p, c) for p, c in pending if self._crew.offer.sequential(p)]
        await self._side_by_side([self._run_tool(turn, part, call) for part, call in together])
        for part, call in alone:
            await self._run_tool(turn, part, call)

    async def _side_by_side(self, runs: Sequence[Coroutine[Any, Any, None]]) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                for run in runs:
                    group.create_task(run)
        except* Exception as failed:
            # Tools never raise; what comes through is mostly the log's, and one of it says enough.
            raise failed.exceptions[0] from failed

    async def _run_tool(self, turn: Turn, part: ToolCallPart, call: Call) -> None:
        call_id = call.call_id or self.call_id(turn, part)
        if self._crew.offer.records(part):
            result = tool_return(part.tool_name, NOTED, part.tool_call_id, self._crew.clock(), "success")
        elif call.call_id and call.effect == "once":
            # It was recorded before this run began, so it may have happened; only its result is missing.
            told = str(ToolOutcomeUnknown(part.tool_name, call_id))
            result = tool_return(part.tool_name, told, part.tool_call_id, self._crew.clock(), "interrupted")
        else:
            result = await self._crew.offer.call(part, call_id, self._crew.clock)
        await self._crew.store.append(
            self._conversation, self._number, [ToolReturned(call_id, result)], self._crew.clock()
        )

    def call_id(self, turn: Turn, part: ToolCallPart) -> str:
        """Stable across resumption: made of where the call stands, not of when it runs."""
        place = (self._conversation, turn.number, turn.at, len(turn.steps), part.tool_call_id)
        return "call_" + hashlib.sha256(repr(place).encode("utf-8", "surrogatepass")).hexdigest()[:24]

    def noted(self, turn: Turn, step: Step) -> tuple[Event, ...]:
        """The `record` calls of a step, with the word that answers them."""
        events: list[Event] = []
        for part in calls(step.response):
            call_id = self.call_id(turn, part)
            result = tool_return(part.tool_name, NOTED, part.tool_call_id, self._crew.clock(), "success")
            events += [
                ToolCalled(call_id, part.tool_call_id, part.tool_name, "read"),
                ToolReturned(call_id, result),
            ]
        return tuple(events)
