"""Several processes on one store: many sends with random kills, and many sends at once to one conversation."""

from __future__ import annotations

import json
import random
import time
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from acceptance import chaos
from acceptance.crash_turn import store_log
from acceptance.doors import assert_gapless, run
from acceptance.processes import begin, end
from turnstate.core.events import Recorded, TurnClosed, TurnOpened

PROCESSES, SENDS, CONVERSATIONS, KILLS = 4, 1_000, 50, 12


class Fleet:
    """Processes with their work, what they were told, and the store that they share."""

    def __init__(
        self, folder: Path, url: str, schema: str, sends: list[tuple[str, str, str]], count: int
    ) -> None:
        self._store = url, schema
        self._folder = folder
        self._count = count
        self.sends = sends
        for index in range(count):
            self._work(index).write_text(json.dumps(sends[index::count]))

    def _work(self, index: int) -> Path:
        return self._folder / f"work-{index}.json"

    def begin(self, index: int, *, at_once: bool = False) -> BaseProcess:
        """Start a process, or start it again."""
        told = self._folder / f"told-{index}.tsv"
        return begin(chaos.main, *self._store, str(self._work(index)), str(told), at_once)

    def told(self) -> dict[str, tuple[int, str]]:
        """The turn and the text of every reply, by the key of its message; torn last lines left out."""
        found: dict[str, tuple[int, str]] = {}
        for index in range(self._count):
            path = self._folder / f"told-{index}.tsv"
            for line in path.read_text().splitlines() if path.exists() else ():
                key, turn, text = line.split("\t")
                found[key] = int(turn), text
        return found

    def logs(self) -> dict[str, tuple[Recorded, ...]]:
        """Every conversation as it stands."""

        async def read() -> dict[str, tuple[Recorded, ...]]:
            log = store_log(*self._store)
            try:
                return {name: await log.read(name) for name in {send[0] for send in self.sends}}
            finally:
                await log.close()

        return run(read())

    def check(self) -> None:
        """Nothing lost, nothing doubled, order kept, and every reply saw all turns before it."""
        told = self.told()
        assert set(told) == {key for _, key, _ in self.sends}
        for conversation, events in self.logs().items():
            assert_gapless(sorted(events, key=lambda found: found.seq))
            turns = {found.event.key: found.turn for found in events if isinstance(found.event, TurnOpened)}
            expected = [key for name, key, _ in self.sends if name == conversation]
            assert sorted(map(str, turns)) == sorted(expected)
            closed = [found.turn for found in events if isinstance(found.event, TurnClosed)]
            assert closed == list(range(1, len(expected) + 1)), conversation
            assert {key: told[key] for key in expected} == {
                key: (turns[key], f"seen {turns[key]}") for key in expected
            }


@pytest.fixture(params=["sqlite", "postgres"])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """An empty store that processes may share: its URL, and its schema or ""."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'chat.db'}", ""
    return request.getfixturevalue("server"), request.getfixturevalue("schema")


@pytest.mark.slow
def test_a_thousand_sends_survive_random_kills(shared: tuple[str, str], tmp_path: Path) -> None:
    """Four processes, fifty conversations, each of them in all processes; whoever is killed is started again."""
    dice = random.Random(7)
    sends = [(f"c{number % CONVERSATIONS}", f"k{number}", f"message {number}") for number in range(SENDS)]
    dice.shuffle(sends)
    fleet = Fleet(tmp_path, *shared, sends, PROCESSES)
    running = {index: fleet.begin(index) for index in range(PROCESSES)}
    killed = 0
    while running:
        time.sleep(dice.uniform(0.1, 0.5))
        if killed < KILLS:
            index = dice.choice(list(running))
            if running[index].is_alive():
                running[index].kill()
                end(running[index])
                killed += 1
                running[index] = fleet.begin(index)
        for index, process in list(running.items()):
            if not process.is_alive():
                assert process.exitcode == 0
                del running[index]
    assert killed
    fleet.check()


@pytest.mark.slow
def test_fifty_sends_at_once_from_two_processes_are_fifty_pairs(
    shared: tuple[str, str], tmp_path: Path
) -> None:
    """All to one conversation, in the order of their turns."""
    sends = [("c", f"k{number}", f"message {number}") for number in range(50)]
    fleet = Fleet(tmp_path, *shared, sends, 2)
    processes = [fleet.begin(index, at_once=True) for index in range(2)]
    assert [end(process) for process in processes] == [0, 0]
    fleet.check()
