"""Work asked for from any loop is done on one, to its end, and before the end of the store."""

from __future__ import annotations

import asyncio
import os
import threading

import pytest

from turnstate.errors import StoreBusy, StoreClosed
from turnstate.stores.postgres.lane import Lane


async def _nothing() -> None:
    return None


def test_work_goes_on_when_the_caller_gives_up_and_is_done_before_the_end() -> None:
    """Whoever stops the lane waits for it."""

    async def tell() -> None:
        lane, done, go = Lane("postgresql://", own=True), list[str](), threading.Event()

        async def work() -> None:
            await asyncio.to_thread(go.wait)
            done.append("work")

        async def farewell() -> None:
            done.append("farewell")

        asking = asyncio.ensure_future(lane.run(work()))
        await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        go.set()
        await lane.stop(farewell())
        assert done == ["work", "farewell"]
        await lane.stop(_nothing())
        with pytest.raises(StoreClosed):
            await lane.run(_nothing())

    asyncio.run(tell())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its copies of the connections are its parent's."""
    lane, parent = Lane("postgresql://", own=True), os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: parent + 1)
    with pytest.raises(StoreBusy, match="forked"):
        asyncio.run(lane.run(_nothing()))
    asyncio.run(lane.stop(_nothing()))
