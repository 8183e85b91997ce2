"""A thread with a connection: jobs in order, committed together, each with its own outcome."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Generator
from concurrent.futures import CancelledError, Future
from pathlib import Path

import pytest

from turnstate.errors import StoreBusy, StoreClosed, StoreUnavailable
from turnstate.stores.sqlite.lane import Lane


class Desk:
    """A table of numbers, a lane that writes to it, and a way to hold the lane up."""

    def __init__(self, path: Path, timeout: float) -> None:
        self.path = path
        self.connection = sqlite3.connect(
            path, isolation_level=None, check_same_thread=False, timeout=timeout
        )
        self.connection.execute("PRAGMA journal_mode = WAL").fetchall()
        self.connection.execute("CREATE TABLE numbers (n INTEGER PRIMARY KEY CHECK (n > 0))")
        self.statements: list[str] = []
        self.connection.set_trace_callback(self.statements.append)
        self.lane = Lane(
            "sqlite:///x",
            self.connection,
            begin="BEGIN IMMEDIATE",
            together=8,
            farewell="PRAGMA wal_checkpoint(TRUNCATE)",
        )

    def add(self, number: int, then: Callable[[], int] | None = None) -> Future[int]:
        """Write a number, and then do something else."""

        def work() -> int:
            self.connection.execute("INSERT INTO numbers VALUES (?)", (number,))
            return number if then is None else then()

        return self.lane.submit(work)

    def hold(self) -> Callable[[], None]:
        """Keep the lane busy until the returned function is called."""
        started, go = threading.Event(), threading.Event()

        def wait() -> None:
            started.set()
            go.wait()

        self.lane.submit(wait)
        started.wait()
        self.statements.clear()
        return go.set

    def numbers(self) -> list[int]:
        """What others see."""
        other = sqlite3.connect(self.path)
        found = [row[0] for row in other.execute("SELECT n FROM numbers ORDER BY n")]
        other.close()
        return found


@pytest.fixture
def desk(tmp_path: Path) -> Generator[Desk]:
    """An empty table."""
    desk = Desk(tmp_path / "numbers.db", timeout=0.05)
    yield desk
    desk.lane.stop().result()
    desk.lane.join()


def boom() -> int:
    """What a job may do to itself."""
    raise LookupError("boom")


def test_a_job_is_committed_when_its_caller_hears_of_it(desk: Desk) -> None:
    """Not a moment earlier."""
    assert desk.add(1).result() == 1
    assert desk.numbers() == [1]


def test_jobs_that_queued_up_share_a_commit(desk: Desk) -> None:
    """In their order, and not more than the lane takes together."""
    release = desk.hold()
    futures = [desk.add(number) for number in range(1, 13)]
    release()
    assert [future.result() for future in futures] == list(range(1, 13))
    assert desk.statements.count("COMMIT") == 3  # the one that held the lane up, then eight, then four
    assert desk.numbers() == list(range(1, 13))


def test_a_job_that_raises_takes_back_only_its_own(desk: Desk) -> None:
    """Its caller gets the error, the others their commit."""
    release = desk.hold()
    before, bad, after = desk.add(1), desk.add(2, boom), desk.add(3)
    release()
    with pytest.raises(LookupError, match="boom"):
        bad.result()
    assert (before.result(), after.result()) == (1, 3)
    assert desk.numbers() == [1, 3]


def test_a_job_that_the_driver_refuses_does_not_take_the_others_down(desk: Desk) -> None:
    """They are tried again without it."""
    release = desk.hold()
    before, bad, after = desk.add(1), desk.add(-2), desk.add(3)
    release()
    with pytest.raises(StoreUnavailable, match="CHECK constraint failed") as caught:
        bad.result()
    assert isinstance(caught.value.__cause__, sqlite3.IntegrityError)
    assert (before.result(), after.result()) == (1, 3)
    assert desk.numbers() == [1, 3]


def test_a_lock_that_is_not_let_go_is_busy_for_all_who_waited(desk: Desk) -> None:
    """Each with an error of its own, after one wait; then the lane goes on."""
    other = sqlite3.connect(desk.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    errors = [future.exception() for future in [desk.add(number) for number in (1, 2, 3)]]
    assert all(isinstance(error, StoreBusy) for error in errors)
    assert len({id(error) for error in errors}) == 3
    other.execute("ROLLBACK")
    other.close()
    assert desk.add(4).result() == 4
    assert desk.numbers() == [4]


def test_a_job_whose_caller_has_left_is_taken_out_before_its_turn(desk: Desk) -> None:
    """Once it runs, it runs to its end."""
    release = desk.hold()
    left, kept = desk.add(1), desk.add(2)
    assert left.cancel()
    release()
    assert kept.result() == 2
    assert not kept.cancel()
    with pytest.raises(CancelledError):
        left.result()
    assert desk.numbers() == [2]


def test_stopping_finishes_what_was_asked(desk: Desk) -> None:
    """And empties the write-ahead log; nothing is taken after it."""
    release = desk.hold()
    futures = [desk.add(number) for number in range(1, 21)]
    ended = desk.lane.stop()
    with pytest.raises(StoreClosed):
        desk.add(99)
    assert not ended.cancel()
    release()
    ended.result()
    desk.lane.join()
    assert [future.result() for future in futures] == list(range(1, 21))
    assert desk.lane.stop() is ended
    assert [file.name for file in desk.path.parent.iterdir()] == ["numbers.db"]
    assert desk.numbers() == list(range(1, 21))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_is_refused(desk: Desk) -> None:
    """Its thread is not there, and its connection is not its own; it can leave, though."""
    child = os.fork()
    if child == 0:
        try:
            desk.add(1)
        except StoreBusy:
            desk.lane.stop().result()
            desk.lane.join()
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert desk.numbers() == []
