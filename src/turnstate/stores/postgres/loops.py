"""Where a log's connections live: in the event loop that asks, or in the one that the caller's pool belongs to."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from turnstate.errors import StoreBusy, StoreClosed, StoreUnavailable
from turnstate.stores.postgres.connections import Connections
from turnstate.stores.postgres.courier import Ask, Courier, Work

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Way:
    """One event loop's way to the database.

    Attributes:
        courier: what carries statements.
        own: the log's own connections, or None for the caller's.
    """

    courier: Courier
    own: Connections | None

    async def end(self) -> None:
        """Finish what was asked, close the log's own connections."""
        await self.courier.finish()
        if self.own is not None:
            await self.own.close()


class Loops:
    """The ways of all event loops that ask.

    Args:
        url: the store's URL, for errors.
        begin: makes a way in the running event loop.
        shared: whether all loops share the way of the one that asks first, because the pool is that loop's.
    """

    def __init__(self, url: str, begin: Callable[[], Awaitable[Way]], *, shared: bool) -> None:
        self._url = url
        self._begin = begin
        self._shared = shared
        self._process = os.getpid()
        self._gate = threading.Lock()  # protects _ways and _closed: loops of several threads ask
        self._ways: dict[asyncio.AbstractEventLoop, asyncio.Task[Way]] = {}
        self._closed = False

    async def one(self, ask: Ask[Result]) -> Result:
        """What one statement comes to.

        Raises:
            StoreClosed: the log has been closed.
            StoreBusy: this process is a copy of the one that opened the log.
            StoreUnavailable: the database cannot be reached, or the pool's loop has ended.
        """
        return await self._ask(lambda courier: courier.one(ask))

    async def work(self, work: Work[Result]) -> Result:
        """What several statements come to; raises as `one`."""
        return await self._ask(lambda courier: courier.work(work))

    async def close(self) -> None:
        """Finish what was asked, close the log's own connections; closing again does nothing."""
        with self._gate:
            ways, self._ways, self._closed = self._ways, {}, True
        if os.getpid() != self._process:
            return
        for loop, way in ways.items():
            if loop is asyncio.get_running_loop():
                await _end(way)
            elif loop.is_running():
                await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_end(way), loop))
            else:
                _abandon(way)

    async def _ask(self, ask: Callable[[Courier], Coroutine[Any, Any, Result]]) -> Result:
        loop, way = self._way()
        if loop is asyncio.get_running_loop():
            return await self._asked(loop, way, ask)
        there = asyncio.run_coroutine_threadsafe(self._asked(loop, way, ask), loop)
        return await asyncio.shield(asyncio.wrap_future(there))

    async def _asked(
        self,
        loop: asyncio.AbstractEventLoop,
        way: asyncio.Task[Way],
        ask: Callable[[Courier], Coroutine[Any, Any, Result]],
    ) -> Result:
        try:
            courier = (way.result() if way.done() else await asyncio.shield(way)).courier
        except BaseException:
            with self._gate:
                if way.done() and self._ways.get(loop) is way:  # the next one tries again
                    del self._ways[loop]
            raise
        return await ask(courier)

    def _way(self) -> tuple[asyncio.AbstractEventLoop, asyncio.Task[Way]]:
        """The event loop in which the statements are sent, and its way, which is there from now on."""
        if os.getpid() != self._process:
            raise StoreBusy(self._url, "was opened by the process that this one was forked from")
        with self._gate:
            if self._closed:
                raise StoreClosed
            loop = asyncio.get_running_loop()
            if self._shared and self._ways:
                loop = next(iter(self._ways))
                if not loop.is_running():
                    raise StoreUnavailable(self._url, "the event loop of its pool has ended")
            if loop not in self._ways:
                for ended in [other for other in self._ways if other.is_closed()]:
                    _abandon(self._ways.pop(ended))
                self._ways[loop] = loop.create_task(_made(self._begin))
            return loop, self._ways[loop]


async def _made(begin: Callable[[], Awaitable[Way]]) -> Way:
    return await begin()


async def _end(way: asyncio.Task[Way]) -> None:
    await asyncio.wait([way])
    if not way.cancelled() and way.exception() is None:
        await way.result().end()


def _abandon(way: asyncio.Task[Way]) -> None:
    if way.done() and not way.cancelled() and way.exception() is None and (own := way.result().own):
        own.abandon()
