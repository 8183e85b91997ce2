"""What follows a turn, off the user's path: facts that a model reads, and summaries ahead of need; one worker at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from turnstate.core.history import History
from turnstate.errors import TurnstateError
from turnstate.turn.ahead import write_ahead
from turnstate.turn.crew import Crew
from turnstate.turn.lane import Lane
from turnstate.turn.leases import Leases
from turnstate.turn.settle import learn_by_model, unread

BETWEEN = 0
"""The turn that stands for the work between turns: who has its lease does that work, the others only try."""


@dataclass(frozen=True, slots=True)
class Settling:
    """Starts what follows a turn.

    Attributes:
        leases: the worker's.
        start: starts a task that the end of the assistant waits for.
    """

    leases: Leases
    start: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]

    def follow(self, lane: Lane, crew: Crew, *, nearly: bool) -> None:
        """Start what the turn that has just closed calls for.

        Args:
            lane: the conversation's.
            crew: what the turn worked with.
            nearly: whether its request came near the target.
        """
        if crew.reading is not None and crew.reading.extractor is not None:
            self.start(self._settle(lane, crew))
        history = lane.history
        if nearly and history is not None and lane.preparing is None:
            # Once for each cut: what a later turn adds to it, the cut itself writes.
            view = (history.cut.first, history.cut.since)
            if lane.prepared_for == view:
                return
            lane.prepared_for = view
            # Known before the next turn can ask for it: two of them must not write the same.
            lane.preparing = Future()
            self.start(self._prepare(lane, crew, history))

    async def _settle(self, lane: Lane, crew: Crew) -> None:
        if crew.reading is None or lane.settling:
            return
        lane.settling = True
        conversation = ""
        try:
            conversation = (await lane.load()).conversation
            if not (await self.leases.ask(conversation, BETWEEN)).token:
                return  # another process is at it, and reads what is new too
            with self.leases.beating(lane, conversation):
                while unread(history := await lane.load()):
                    await learn_by_model(crew.reading, crew.store, history, crew.clock)
        except TurnstateError:
            pass  # unread turns are read after the next turn
        finally:
            lane.settling = False
            if conversation:
                await self.leases.give_up(conversation, BETWEEN)

    async def _prepare(self, lane: Lane, crew: Crew, history: History) -> None:
        try:
            if (await self.leases.ask(history.conversation, BETWEEN)).token:
                with self.leases.beating(lane, history.conversation):
                    await write_ahead(crew, history)
        except TurnstateError:
            pass  # the cut writes what it needs itself
        finally:
            if lane.preparing is not None:
                preparing, lane.preparing = lane.preparing, None
                preparing.set_result(None)
            if not lane.settling:
                await self.leases.give_up(history.conversation, BETWEEN)
