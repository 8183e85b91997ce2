"""An event loop in a thread of its own, or the caller's: where a store's connections live, whoever asks from wherever."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from turnstate.errors import StoreBusy, StoreClosed, StoreUnavailable

Result = TypeVar("Result")


class Lane:
    """Runs coroutines on one event loop, asked from any.

    Args:
        url: the store's URL, for errors.
        own: whether the loop is the lane's own; if not, it is the one from which the lane is asked first.
    """

    def __init__(self, url: str, *, own: bool) -> None:
        self._url = url
        self._own = own
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._process = os.getpid()
        self._gate = threading.Lock()
        self._closed = False
        self._running: set[asyncio.Task[Any]] = set()

    async def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """What `work` comes to; it goes on to its end also when the caller gives up.

        Raises:
            StoreClosed: the lane has been stopped.
            StoreBusy: this process is a copy of the one that opened the store.
            StoreUnavailable: the caller's loop has ended.
        """
        try:
            loop = self._enter(closing=False)
        except BaseException:
            work.close()
            raise
        return await self._ask(loop, self._tracked(work))

    async def stop(self, farewell: Coroutine[Any, Any, None]) -> None:
        """Finish what was asked, then `farewell`, then the loop, if it is the lane's own; stopping again does nothing."""
        try:
            loop = self._enter(closing=True)
        except (StoreClosed, StoreBusy, StoreUnavailable):
            farewell.close()
            return
        await self._ask(loop, self._finish(farewell))
        if self._thread is not None:
            loop.call_soon_threadsafe(loop.stop)
            self._thread.join()
            loop.close()

    def _enter(self, *, closing: bool) -> asyncio.AbstractEventLoop:
        """The loop, which is there from now on."""
        if os.getpid() != self._process:
            raise StoreBusy(self._url, "was opened by the process that this one was forked from")
        with self._gate:
            if self._closed:
                raise StoreClosed
            self._closed = closing
            if self._loop is None:
                self._loop = asyncio.new_event_loop() if self._own else asyncio.get_running_loop()
                if self._own:
                    self._thread = threading.Thread(
                        target=self._loop.run_forever, name=f"turnstate {self._url}", daemon=True
                    )
                    self._thread.start()
            elif not self._own and not self._loop.is_running():
                raise StoreUnavailable(self._url, "the event loop of its pool has ended")
            return self._loop

    async def _ask(self, loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Result]) -> Result:
        if asyncio.get_running_loop() is loop:
            return await asyncio.shield(loop.create_task(work))
        return await asyncio.shield(asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, loop)))

    async def _tracked(self, work: Coroutine[Any, Any, Result]) -> Result:
        task = asyncio.current_task()
        assert task is not None
        self._running.add(task)
        try:
            return await work
        finally:
            self._running.discard(task)

    async def _finish(self, farewell: Coroutine[Any, Any, None]) -> None:
        await asyncio.sleep(0)  # whoever was asked before has begun
        await asyncio.gather(*self._running, return_exceptions=True)
        await farewell
