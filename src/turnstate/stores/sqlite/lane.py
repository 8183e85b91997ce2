"""A thread that owns one connection and runs jobs on it, those that have queued up meanwhile in one transaction."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, TypeVar, cast

from turnstate.errors import StoreBusy, StoreClosed, StoreError, StoreUnavailable
from turnstate.stores.sqlite.database import explain

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Job:
    work: Callable[[], object]
    alone: bool = False
    future: Future[Any] = field(default_factory=Future[Any])


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a job came to; the caller hears of it after the commit."""

    value: object = None
    error: Exception | None = None


class Lane:
    """One connection in one thread.

    Args:
        url: the store's URL, for errors.
        connection: what the jobs run on; the lane closes it.
        begin: the statement that begins a transaction.
        together: how many jobs may share a transaction.
        farewell: the statement that precedes closing.
        check: raises a `StoreError` where nothing may be read or written; called before every transaction.

    Raises:
        StoreUnavailable: no thread can be started; the connection is closed.
    """

    def __init__(
        self,
        url: str,
        connection: sqlite3.Connection,
        *,
        begin: str,
        together: int = 1,
        farewell: str = "",
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self._url = url
        self._connection = connection
        self._begin = begin
        self._together = together
        self._farewell = farewell
        self._check = check
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._process = os.getpid()
        self._ended: Future[None] = Future()
        self._ended.set_running_or_notify_cancel()  # whoever waits for the end may give up; the end does not
        self._stopping = False
        self._gate = threading.Lock()  # nothing enters the queue behind the last job
        self._thread = threading.Thread(target=self._run, name=f"turnstate {url}", daemon=True)
        try:
            self._thread.start()
        except RuntimeError as error:
            connection.close()
            raise StoreUnavailable(url, str(error), fix="allow the process more threads") from error

    def submit(self, work: Callable[[], Result], *, alone: bool = False) -> Future[Result]:
        """Run `work` in a transaction of the connection; the future resolves when it is committed.

        Cancelling the future before its turn takes the job out; later it changes nothing.

        Args:
            work: what to do.
            alone: whether it takes no transaction, as a checkpoint of the write-ahead log.

        Raises:
            StoreClosed: the lane has been stopped.
            StoreBusy: this process is a copy of the one that opened the store.
        """
        if os.getpid() != self._process:
            raise StoreBusy(self._url, "was opened by the process that this one was forked from")
        job = _Job(work, alone)
        with self._gate:
            if self._stopping:
                raise StoreClosed
            self._jobs.put(job)
        return cast("Future[Result]", job.future)

    def stop(self) -> Future[None]:
        """Finish what was submitted and close the connection; the future resolves when that is done.

        In a process that was forked from the one that opened the store there is nothing to finish, and the connection
        is not this process's to close.
        """
        if os.getpid() != self._process:
            nothing: Future[None] = Future()
            nothing.set_result(None)
            return nothing
        with self._gate:
            if not self._stopping:
                self._stopping = True
                self._jobs.put(None)
        return self._ended

    def join(self) -> None:
        """Wait for the thread, whose work has ended, to be gone."""
        self._thread.join()

    def _run(self) -> None:
        try:
            while jobs := self._next():
                self._transact([job for job in jobs if job.future.set_running_or_notify_cancel()])
        finally:
            self._close()

    def _next(self) -> list[_Job]:
        """The jobs for the next transaction, at least one; none at the end."""
        first = self._jobs.get()
        if first is None:
            return []
        jobs = [first]
        while len(jobs) < self._together:
            try:
                job = self._jobs.get_nowait()
            except Empty:
                break
            if job is None:
                self._jobs.put(None)  # the gate is shut: it is still the last one
                break
            jobs.append(job)
        return jobs

    def _transact(self, jobs: list[_Job]) -> None:
        for job in (job for job in jobs if job.alone):
            self._run_alone(job)
        if not (jobs := [job for job in jobs if not job.alone]):
            return
        try:
            self._check()
            outcomes = self._commit(jobs)
        except StoreError as error:
            outcomes = [_Outcome(error=error) for _ in jobs]
        except sqlite3.Error as error:
            self._roll_back()
            if len(jobs) > 1 and not isinstance(explain(self._url, error), StoreBusy):
                for job in jobs:  # one of them may be the cause: the others need not share its fate
                    self._transact([job])
                return
            outcomes = [self._refused(error) for _ in jobs]
        for job, outcome in zip(jobs, outcomes, strict=True):
            if outcome.error is None:
                job.future.set_result(outcome.value)
            else:
                job.future.set_exception(outcome.error)

    def _run_alone(self, job: _Job) -> None:
        try:
            job.future.set_result(job.work())
        except sqlite3.Error as error:
            job.future.set_exception(self._refused(error).error)

    def _commit(self, jobs: list[_Job]) -> list[_Outcome]:
        self._connection.execute(self._begin)
        outcomes = [self._attempt(job) for job in jobs]
        self._connection.execute("COMMIT")
        return outcomes

    def _attempt(self, job: _Job) -> _Outcome:
        """Run one job; what it wrote before it raised is taken back."""
        self._connection.execute("SAVEPOINT job")
        try:
            outcome = _Outcome(job.work())
        except sqlite3.Error:
            raise  # the whole transaction is in doubt
        except Exception as error:  # noqa: BLE001  # it belongs to the caller, whose future carries it
            self._connection.execute("ROLLBACK TO job")
            outcome = _Outcome(error=error)
        self._connection.execute("RELEASE job")
        return outcome

    def _refused(self, error: sqlite3.Error) -> _Outcome:
        refused = explain(self._url, error)
        refused.__cause__ = error
        return _Outcome(error=refused)

    def _roll_back(self) -> None:
        try:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            return  # nothing can be saved here; the next BEGIN says what is wrong

    def _close(self) -> None:
        try:
            self._connection.execute(self._farewell).fetchall()
        except sqlite3.Error:
            pass  # what was committed stays in the write-ahead log, which the next process reads
        finally:
            self._connection.close()
            self._ended.set_result(None)
