"""The order of turns in one conversation and one process, and the history that they share.

Turns run one at a time, in order of arrival; each sees the ones before it. Callers may live in different event loops:
waiting goes through thread-safe futures.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TypeVar

from turnstate.core.events import Recorded
from turnstate.core.history import History, fold
from turnstate.ports import Log
from turnstate.turn.feed import Feed

T = TypeVar("T")


@dataclass(eq=False, slots=True)
class Ticket:
    """A place in the lane, taken before the turn is opened.

    Attributes:
        feed: what the turn gives to its readers.
        streaming: whether a reader wants sentences while they are written.
        new: whether the turn was opened for this ticket, and not before.
        numbered: resolves to the turn's number, or to 0 if the turn was never opened.
        done: resolves when the turn has ended, however it ended.
        task: the task that runs the turn.
        running: whether its turn is being told.
        cancelled: whether `cancel()` asked for its end.
        interrupted: whether a later message asked for its end.
        token: of the turn's lease; 0 while it has none.
    """

    feed: Feed = field(default_factory=Feed)
    streaming: bool = False
    new: bool = False
    numbered: Future[int] = field(default_factory=Future[int])
    done: Future[None] = field(default_factory=Future[None])
    task: asyncio.Task[None] | None = None
    running: bool = False
    cancelled: bool = False
    interrupted: bool = False
    token: int = 0


class Lane:
    """One conversation's queue and its folded history.

    Args:
        log: the store.
        conversation: the conversation's id.
    """

    def __init__(self, log: Log, conversation: str) -> None:
        self._log = log
        self._conversation = conversation
        self._lock = threading.Lock()  # protects _tickets
        self._tickets: list[Ticket] = []
        self.history: History | None = None
        self.settling = False
        self.preparing: Future[None] | None = None
        self.prepared_for: tuple[int, int] | None = None
        self.renewed = 0.0
        self.ending: set[int] = set()

    @property
    def idle(self) -> bool:
        """Whether no turn is running or queued."""
        with self._lock:
            return not self._tickets

    def take(self, *, streaming: bool) -> Ticket:
        """Take the next place. Must be followed by `leave`, whatever happens."""
        ticket = Ticket(streaming=streaming)
        with self._lock:
            self._tickets.append(ticket)
        return ticket

    def leave(self, ticket: Ticket) -> None:
        """Give the place up and let the next turn run."""
        with self._lock:
            if ticket in self._tickets:
                self._tickets.remove(ticket)
        if not ticket.numbered.done():
            ticket.numbered.set_result(0)
        if not ticket.done.done():
            ticket.done.set_result(None)

    def tickets(self) -> list[Ticket]:
        """Those that are running or queued, in order of arrival."""
        with self._lock:
            return list(self._tickets)

    async def same_turn(self, ticket: Ticket) -> Ticket | None:
        """The ticket that already runs the turn of `ticket`: two sends with one key are one turn."""
        for other in self.tickets():
            if other is ticket:
                return None
            if await _result(other.numbered) == ticket.numbered.result():
                return other
        return None

    async def wait(self, ticket: Ticket) -> None:
        """Wait until no turn of the conversation runs and none that was opened before this one is to come."""
        number = ticket.numbered.result()
        while True:
            for other in self.tickets():
                await _result(other.numbered)
            with self._lock:
                others = [other for other in self._tickets if other is not ticket and other.numbered.done()]
                before = [other for other in others if other.running or 0 < other.numbered.result() < number]
                if not before:
                    ticket.running = True
                    return
            # The nearest in front, so that the end of a turn wakes one waiter and not the whole queue.
            nearest = max(before, key=lambda other: n if (n := other.numbered.result()) < number else 0)
            await _result(nearest.done)

    def expect(self, opened: Recorded) -> None:
        """Fold the opening of a turn, where nothing else was recorded since: then nothing has to be read."""
        if self.history is not None and self.history.head + 1 == opened.seq:
            self.history = fold([opened], self.history)

    async def prepared(self) -> bool:
        """Wait for summaries that are being written ahead of need; whether there were any to wait for."""
        preparing = self.preparing
        if preparing is None:
            return False
        await _result(preparing)
        return True

    async def load(self) -> History:
        """The history up to the newest event: only what is new is read."""
        if self.history is None:
            self.history = fold(await self._log.load(self._conversation))
        else:
            fresh = await self._log.read(self._conversation, after=self.history.head)
            self.history = fold(fresh, self.history)
        return self.history

    async def absorb(self, recorded: Sequence[Recorded]) -> History:
        """Fold what was just recorded; another writer's events before it are read first."""
        if self.history is None or not recorded:
            return await self.load()
        if (
            recorded[0].seq != self.history.head + 1
            or recorded[-1].seq != recorded[0].seq + len(recorded) - 1
        ):
            return await self.load()
        self.history = fold(recorded, self.history)
        return self.history


async def _result(future: Future[T]) -> T:
    # Shielded: a waiter that is cancelled must not cancel what others wait for.
    return future.result() if future.done() else await asyncio.shield(asyncio.wrap_future(future))
