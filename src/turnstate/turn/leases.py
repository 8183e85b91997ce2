"""Leases: one worker at a time tells a turn; its heartbeat keeps the turn its own, and the others wait for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, TypeAlias
from uuid import uuid4

from turnstate.core.history import Turn, fold
from turnstate.errors import StoreError
from turnstate.ports import Claim, Claimed, Log
from turnstate.turn.lane import Lane

OnBusy: TypeAlias = Literal["queue", "merge", "interrupt", "reject"]
"""What a message does that comes while a turn is running: wait; be answered together with others that wait; stop the
running turn; or be refused."""

SECOND = 1_000_000
BEATS = 3
"""Heartbeats in the time that a lease lasts: two may fail before anybody takes the turn over."""

SHORTEST, LONGEST = 0.004, 0.1
"""Seconds between two looks at whether a turn may run: first often, then less so."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How turns of one conversation follow each other.

    Attributes:
        on_busy: what a message does that comes while a turn is running.
        debounce: for how long a message waits for others to be answered together with, in seconds.
        lease: for how long a worker counts as alive without a word, in seconds.
    """

    on_busy: OnBusy = "queue"
    debounce: float = 0
    lease: float = 15

    @property
    def merges(self) -> bool:
        """Whether messages that wait are answered together."""
        return self.on_busy == "merge" or self.debounce > 0


class Leases:
    """The leases of one worker.

    Args:
        store: the log.
        policy: how long a lease lasts.
    """

    def __init__(self, store: Log, policy: Policy) -> None:
        self._store = store
        self._every = policy.lease / BEATS
        self.claim = Claim(uuid4().hex, int(policy.lease * SECOND))

    async def ask(self, conversation: str, turn: int) -> Claimed:
        """Lease a turn, or say why not."""
        return await self._store.claim(conversation, turn, self.claim)

    async def give_up(self, conversation: str, turn: int) -> None:
        """Let others have a turn at once; that the store cannot be told now only makes them wait."""
        try:
            await self._store.release(conversation, turn, self.claim)
        except StoreError:
            return

    async def forget_ended(self, lane: Lane, conversation: str) -> None:
        """Give up what this worker has and nobody in it works on: their event loop has ended."""
        tickets = lane.tickets()
        if not all(ticket.numbered.done() for ticket in tickets):
            return  # one of them is about to say which turn is its own
        known = {ticket.numbered.result() for ticket in tickets} | lane.ending
        for turn in await self._store.renew(conversation, self.claim):
            if turn and turn not in known:
                await self.give_up(conversation, turn)

    @contextmanager
    def beating(self, lane: Lane, conversation: str) -> Generator[None]:
        """Say that this worker is alive, for as long as the block runs."""
        loop = asyncio.get_running_loop()
        beats: set[asyncio.Task[None]] = set()

        async def beat() -> None:
            try:
                await self._store.renew(conversation, self.claim)
            except StoreError:
                lane.renewed = 0.0  # the next beat tries again

        def fire() -> None:
            nonlocal timer
            now = time.monotonic()
            if now - lane.renewed > self._every / 2:  # one word is enough for all that wait here
                lane.renewed = now
                task = loop.create_task(beat())
                beats.add(task)
                task.add_done_callback(beats.discard)
            timer = loop.call_later(self._every, fire)

        timer = loop.call_later(self._every, fire)
        try:
            yield
        finally:
            timer.cancel()


async def read_turn(store: Log, conversation: str, number: int) -> Turn | None:
    """A turn as it is recorded: only its own events are read."""
    return fold(await store.read(conversation, turn=number)).turn(number)
