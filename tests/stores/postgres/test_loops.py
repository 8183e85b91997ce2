"""Each event loop has its own way to the database; what was asked is done before the end, and a fork is told."""

from __future__ import annotations

import asyncio
import os
import threading

import pytest

from turnstate.errors import StoreBusy, StoreClosed, StoreUnavailable
from turnstate.stores.postgres.connections import Connecting
from turnstate.stores.postgres.log import PostgresLog
from turnstate.testing.log_contract.story import AT, closed, opening, say

pytestmark = pytest.mark.xdist_group("postgres")  # one server, in one worker


def test_loops_in_several_threads_and_loops_that_have_ended_share_a_log(server: str, schema: str) -> None:
    """Each with connections of its own; closing the log closes them all."""
    log = PostgresLog(server, schema=schema, connecting=Connecting(size=2))
    asyncio.run(log.start("c1", None, AT))
    threads = [
        threading.Thread(target=lambda: asyncio.run(_several(log)), name=f"loop {number}")
        for number in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    read = asyncio.run(log.read("c1"))
    assert [event.seq for event in read] == list(range(1, 3 * 5 * 3 + 2))
    asyncio.run(log.close())
    asyncio.run(log.close())
    with pytest.raises(StoreClosed):
        asyncio.run(log.read("c1"))


async def _several(log: PostgresLog) -> None:
    for _ in range(5):
        await say(log)


def test_what_was_asked_is_done_before_the_end_also_when_the_caller_gave_up(server: str, schema: str) -> None:
    """Whoever closes the log waits for it."""

    async def tell() -> None:
        log = PostgresLog(server, schema=schema)
        await log.open(opening())
        asking = asyncio.ensure_future(log.append("c1", 1, [closed("Hi")], AT))
        await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await log.close()
        again = PostgresLog(server, schema=schema)
        assert len(await again.read("c1")) in {2, 3}  # all of it, or it had not begun
        await again.close()

    asyncio.run(tell())


def test_a_way_that_could_not_begin_is_tried_again() -> None:
    """By each who asks; the log is closed all the same."""

    async def tell() -> None:
        log = PostgresLog("postgresql://127.0.0.1:1/none")
        told = await asyncio.gather(*(log.read("c1") for _ in range(3)), return_exceptions=True)
        assert [type(one) for one in told] == [StoreUnavailable] * 3
        with pytest.raises(StoreUnavailable):
            await log.read("c1")
        await log.close()

    asyncio.run(tell())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its copies of the connections are its parent's."""
    log, parent = PostgresLog("postgresql://127.0.0.1:1/none"), os.getpid()
    monkeypatch.setattr(os, "getpid", lambda: parent + 1)
    with pytest.raises(StoreBusy, match="forked"):
        asyncio.run(log.read("c1"))
    asyncio.run(log.close())
