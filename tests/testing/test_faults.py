"""The log that reports the points of a turn: it keeps the contract, and dies where it is told to."""

from __future__ import annotations

import pytest

from acceptance.doors import assistant, run
from turnstate.stores.memory import MemoryLog
from turnstate.testing.faults import FaultLog, FaultPoints
from turnstate.testing.log_contract import LogContract, OpenLog, closing


class TestFaultLog(LogContract):
    """Every promise of the log inside it."""

    durable = False

    def open_log(self, tenant: str = "default") -> OpenLog:
        """Around a log in memory."""
        return closing(FaultLog(MemoryLog(tenant), FaultPoints()))


class Died(Exception):
    """Instead of the process."""


def test_the_points_of_a_turn_are_listed_in_order() -> None:
    """Before and after each write."""
    points = FaultPoints()

    async def scenario() -> None:
        async with assistant(["Hello."], store=FaultLog(MemoryLog(), points)) as door:
            await door.conversation("c").send("hello")

    run(scenario())
    closing_write = "append ModelResponded, TurnClosed"
    assert points.names == ["before open", "after open", f"before {closing_write}", f"after {closing_write}"]


def test_it_dies_at_the_point_that_was_named() -> None:
    """Once; points of the test's own count."""

    def die() -> None:
        raise Died

    points = FaultPoints(1, die)
    points.reach("first")
    with pytest.raises(Died):
        points.reach("second")
    points.reach("third")
    assert points.names == ["first", "second", "third"]
