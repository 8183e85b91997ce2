"""kill -9 at every write point of a turn, on both durable stores, and then the same key again."""

from __future__ import annotations

import asyncio
import signal
import uuid
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from acceptance.crash_turn import SAYS, Place, die, store_log, turn
from acceptance.doors import run
from acceptance.processes import begin, end
from turnstate.core.events import ModelResponded, Recorded, ToolReturned, TurnClosed, TurnOpened
from turnstate.stores.postgres.log import PostgresLog
from turnstate.testing.faults import FaultPoints


async def events(place: Place) -> tuple[Recorded, ...]:
    """The log as it stands."""
    log = store_log(place[0], place[1])
    try:
        return await log.read("c")
    finally:
        await log.close()


def count(found: tuple[Recorded, ...], kind: type) -> int:
    """How many events of a kind."""
    return sum(isinstance(one.event, kind) for one in found)


def marks(place: Place) -> Counter[str]:
    """How often each model call and tool ran, in all processes together."""
    return Counter(place[2].read_text().splitlines() if place[2].exists() else ())


def check(place: Place, at: int, *, approval: bool) -> None:
    """Kill at one point, send again, and see that nothing was lost and nothing done twice."""
    process = begin(die, place, at, approval)
    assert end(process) == -signal.SIGKILL
    durable, before = run(events(place)), marks(place)
    reply = run(turn(place, FaultPoints(), approval=approval))
    after, ran = run(events(place)), marks(place)
    assert (reply.text, reply.turn) == (f"One moment.\n\n{SAYS}", 1)
    assert [count(after, kind) for kind in (TurnClosed, ModelResponded, ToolReturned)] == [1, 2, 3]
    assert len({one.turn for one in after if isinstance(one.event, TurnOpened)}) == 1
    assert ran["refund"] <= 1
    # What the first process had on record was not asked for again.
    asked = sum(ran.values()) - sum(before.values())
    calls = sum(number for name, number in (ran - before).items() if name.startswith("model"))
    assert calls == 2 - count(durable, ModelResponded), (asked, durable)
    again = run(turn(place, FaultPoints(), approval=approval))
    assert (again.text, marks(place)) == (reply.text, ran)


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[int], Place]:
    """A store for each point, all of one kind."""
    if request.param == "sqlite":
        return lambda at: (f"sqlite:///{tmp_path / f'{at}.db'}", "", tmp_path / f"{at}.marks")
    url: str = request.getfixturevalue("server")
    made: dict[int, str] = {}

    def fresh(at: int) -> Place:
        if at not in made:
            made[at] = new_schema(url)
        return url, made[at], tmp_path / f"{at}.marks"

    return fresh


def new_schema(url: str) -> str:
    """A schema of its own."""
    name = f"t{uuid.uuid4().hex}"
    asyncio.run(PostgresLog.migrate(url, name))
    return name


@pytest.mark.slow
@pytest.mark.parametrize("approval", [False, True], ids=["plain", "approved"])
def test_a_turn_survives_a_kill_at_every_point(place: Any, approval: bool) -> None:
    """The points are listed by a turn that lives; each is then a process that does not."""
    points = FaultPoints()
    run(turn(place(-1), points, approval=approval))
    assert {"before open", "after open", "inside look", "inside put", "inside refund"} <= set(points.names)
    assert any("TurnClosed" in name for name in points.names)
    for at in range(len(points.names)):
        check(place(at), at, approval=approval)
