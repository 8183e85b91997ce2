"""The tool calls of a step: all recorded first, then run, side by side where they may; or kept until a person approves."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, NamedTuple

from turnstate.core.events import ApprovalAsked, Event, ToolCalled, ToolReturned
from turnstate.core.history import Call, Step, Turn
from turnstate.core.messages import ToolCallPart, calls, tool_return
from turnstate.errors import ToolOutcomeUnknown
from turnstate.turn.crew import Crew

NOTED = "recorded"
"""What answers a `record` call: it is checked when the turn closes, and never sent back to be done again."""

DENIED = "A person has denied this call, so it was not run."
"""What the model is told about a call that a person denied; their reason follows."""


class _Due(NamedTuple):
    """A call that has no result, as the model made it and as it stands."""

    part: ToolCallPart
    call: Call


class Calling:
    """Runs the tool calls of one turn.

    Args:
        crew: the tools and the log.
        conversation: the conversation's id.
        number: the turn's number.
        token: of the turn's lease.
    """

    def __init__(self, crew: Crew, conversation: str, number: int, token: int = 0) -> None:
        self._crew = crew
        self._conversation = conversation
        self._number = number
        self._token = token

    async def run(self, turn: Turn, step: Step, record: Callable[..., Awaitable[object]]) -> None:
        """Run the calls that have no result and wait for nobody; ask a person about those that need it.

        Args:
            turn: the turn.
            step: the step whose calls they are.
            record: records events of the turn.
        """
        parts = {part.tool_call_id: part for part in calls(step.response)}
        due = [_Due(parts[call.tool_call_id], call) for call in step.pending if not call.awaits]
        asking = [one for one in due if one.call.approved is None and self._crew.offer.asks(one.part)]
        due = [one for one in due if one not in asking]
        # What a person denied never runs, and what has an effect on record has begun already.
        new = [
            self._called(turn, one) for one in due if not one.call.effect and one.call.approved is not False
        ]
        asked = [self._asked(turn, one.part) for one in asking]
        if new or asked:
            await record(*new, *asked)
        together = [one for one in due if not self._crew.offer.sequential(one.part)]
        await self._side_by_side([self._run_tool(turn, one) for one in together])
        for one in due:
            if one not in together:
                await self._run_tool(turn, one)

    async def _side_by_side(self, runs: Sequence[Coroutine[Any, Any, None]]) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                for run in runs:
                    group.create_task(run)
        except* Exception as failed:
            # Tools never raise; what comes through is mostly the log's, and one of it says enough.
            raise failed.exceptions[0] from failed

    async def _run_tool(self, turn: Turn, due: _Due) -> None:
        part, call = due
        call_id = call.call_id or self.call_id(turn, part)
        now = self._crew.clock
        if self._crew.offer.records(part):
            result = tool_return(part.tool_name, NOTED, part.tool_call_id, now(), "success")
        elif call.approved is False:
            told = f"{DENIED} {call.reason}".strip()
            result = tool_return(part.tool_name, told, part.tool_call_id, now(), "denied")
        elif call.effect == "once":
            # It was recorded before this run began, so it may have happened; only its result is missing.
            told = str(ToolOutcomeUnknown(part.tool_name, call_id))
            result = tool_return(part.tool_name, told, part.tool_call_id, now(), "interrupted")
        else:
            result = await self._crew.offer.call(part, call_id, now, approved=bool(call.approved))
        event = self._asked(turn, part) if result is None else ToolReturned(call_id, result)
        await self._crew.store.append(self._conversation, self._number, [event], now(), token=self._token)

    def _called(self, turn: Turn, due: _Due) -> ToolCalled:
        part, call = due
        effect = self._crew.offer.effect(part.tool_name)
        return ToolCalled(call.call_id or self.call_id(turn, part), part.tool_call_id, part.tool_name, effect)

    def _asked(self, turn: Turn, part: ToolCallPart) -> ApprovalAsked:
        return ApprovalAsked(self.call_id(turn, part), part.tool_call_id, part.tool_name)

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
