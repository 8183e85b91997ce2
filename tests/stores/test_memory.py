"""The log in memory: it keeps the contract, and does not pretend to be shared between processes."""

from __future__ import annotations

import asyncio
import os

import pytest

from turnstate.errors import StoreBusy
from turnstate.stores.memory import MemoryLog
from turnstate.testing.log_contract import LogContract, OpenLog, closing
from turnstate.testing.log_contract.story import AT, opening


class TestMemoryLog(LogContract):
    """Every promise but the one to outlive its process."""

    durable = False

    def open_log(self, tenant: str = "default") -> OpenLog:
        """A log in memory has one tenant; another tenant's is another log."""
        return closing(MemoryLog(tenant))


def test_its_url_is_the_one_that_opens_it() -> None:
    """There is nothing more to say about it."""
    assert MemoryLog().url == "memory:"
    assert MemoryLog("acme").tenant == "acme"


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_another_process_is_refused() -> None:
    """A copy of the memory would go its own way without anybody noticing."""
    log = MemoryLog()
    asyncio.run(log.open(opening()))
    child = os.fork()
    if child == 0:
        try:
            asyncio.run(log.start("c1", None, AT))
        except StoreBusy:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
