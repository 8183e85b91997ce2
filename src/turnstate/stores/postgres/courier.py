"""How statements reach the database: those that are asked for while others are on their way go together.

What goes together is one transaction in one pipeline: one round trip and one commit for many conversations. If it fails,
each goes alone, so that none has to share another's fate.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import psycopg
from psycopg_pool import PoolTimeout

from turnstate.errors import StoreBusy
from turnstate.stores.postgres.connections import Connection, Source
from turnstate.stores.postgres.database import AGAIN, ATTEMPTS, UNPREPARED, explain
from turnstate.stores.postgres.rows import Row
from turnstate.stores.postgres.session import Session

Result = TypeVar("Result")

_TOGETHER = 64
"""Statements that may go together."""

_CARRIERS = 2
"""How many such groups are on their way at once: while one is waited for, the next is written."""

_PATIENCE = 1.0
"""Seconds after which a group is cancelled, and each goes alone: one of them may wait for a lock."""

_PAUSE = 0.002
"""Seconds before a transaction is tried again, times the number of attempts."""


@dataclass(frozen=True, slots=True)
class Same:
    """It can be sent again: it only reads, or finds what it wrote."""


SAME = Same()


@dataclass(frozen=True, slots=True)
class Ask(Generic[Result]):
    """One statement, which is a transaction of its own.

    Attributes:
        query: its name.
        values: its values.
        then: what its rows come to.
        reads: whether it only reads.
        lost: what to do next when nobody knows what became of it; None where nothing is safe.
    """

    query: str
    values: Mapping[str, Any]
    then: Callable[[list[Row]], Result]
    reads: bool = False
    lost: Work[Result] | Same | None = None

    def alone(self) -> Work[Result]:
        """The same on its own."""

        async def ask(session: Session) -> Result:
            return self.then(await session.rows(self.query, **self.values))

        return Work(ask, lost=self.lost or (SAME if self.reads else None))


@dataclass(frozen=True, slots=True)
class Work(Generic[Result]):
    """What is to be done on a connection.

    Attributes:
        ask: what is sent.
        together: whether its statements are one transaction, in a pipeline; if not, it is one statement.
        lost: what to do next when nobody knows what became of it; None where nothing is safe.
    """

    ask: Callable[[Session], Awaitable[Result]]
    together: bool = False
    lost: Work[Result] | Same | None = SAME


@dataclass(slots=True)
class _Job:
    """An `Ask` and who waits for it."""

    ask: Ask[Any]
    done: asyncio.Future[Any]


@dataclass(slots=True)
class _Line:
    """Statements of one conversation that go alone."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    length: int = 0


class Courier:
    """The way of one event loop to the database.

    Args:
        source: where connections come from.
        session: a tenant's statements on a connection.
        url: the store's URL, for errors.
        patience: how long an answer is waited for, in seconds.
        prepares: whether statements are prepared as the connections like.
    """

    def __init__(
        self,
        source: Source,
        session: Callable[[Connection], Session],
        url: str,
        *,
        patience: float,
        prepares: bool,
    ) -> None:
        self.source = source
        self._session = session
        self._url = url
        self._patience = patience
        self._waiting: deque[_Job] = deque()
        self._carriers = 0
        self._prepares = prepares  # until something between here and the server loses what was prepared
        self._lines: dict[object, _Line] = {}
        self._tasks: set[asyncio.Task[Any]] = set()

    async def one(self, ask: Ask[Result]) -> Result:
        """What a statement comes to; it goes on to its end also when the caller gives up."""
        loop = asyncio.get_running_loop()
        job = _Job(ask, loop.create_future())
        if ask.values.get("conversation") in self._lines:
            self._start(self._settle(job))
        else:
            self._waiting.append(job)
            if self._carriers < _CARRIERS:
                self._carriers += 1
                self._start(self._carry())
        return await asyncio.shield(job.done)

    async def work(self, work: Work[Result]) -> Result:
        """What several statements come to; they go on to their end also when the caller gives up."""
        return await asyncio.shield(self._start(self._tried(work)))

    async def finish(self) -> None:
        """Wait for what was asked."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _carry(self) -> None:
        """Send what waits, together, until nothing does."""
        try:
            while jobs := self._next():
                await self._send(jobs)
        finally:
            self._carriers -= 1

    def _next(self) -> list[_Job]:
        """The next group: all of it reads, or all of it writes."""
        jobs: list[_Job] = []
        while self._waiting and len(jobs) < _TOGETHER:
            if jobs and jobs[0].ask.reads != self._waiting[0].ask.reads:
                break
            jobs.append(self._waiting.popleft())
        return jobs

    async def _send(self, jobs: list[_Job]) -> None:
        if len(jobs) == 1 or not psycopg.AsyncPipeline.is_supported():
            await asyncio.gather(*(self._settle(job) for job in jobs))
            return
        # In one order everywhere, so that two groups do not wait for each other.
        jobs.sort(key=lambda job: str(job.ask.values.get("conversation")))
        broken = False
        try:
            async with self._connection() as connection:
                try:
                    async with _within(connection, min(_PATIENCE, self._patience)), connection.pipeline():
                        session = self._session(connection)
                        cursors = [await session.run(job.ask.query, **job.ask.values) for job in jobs]
                    answers = [await cursor.fetchall() for cursor in cursors]
                except psycopg.Error:
                    broken = connection.closed
                    await _left(connection)
                    raise
        except PoolTimeout as error:
            _refuse(jobs, explain(self._url, error))
        except psycopg.Error as error:
            for job in jobs:
                self._start(self._settle(job, error if broken else None))
        except asyncio.CancelledError:
            for job in jobs:
                job.done.cancel()
            raise
        except Exception as error:  # noqa: BLE001  # it belongs to the callers, whose futures carry it
            _refuse(jobs, error)
        else:
            for job, rows in zip(jobs, answers, strict=True):
                _resolve(job, rows)

    async def _settle(self, job: _Job, lost: psycopg.Error | None = None) -> None:
        """Send a statement alone; of one conversation, one at a time.

        Args:
            job: the statement.
            lost: what broke the connection on which it was sent before.
        """
        try:
            async with self._line(job.ask.values.get("conversation")):
                answer = await self._tried(job.ask.alone(), lost)
        except asyncio.CancelledError:
            job.done.cancel()
            raise
        except Exception as error:  # noqa: BLE001  # it belongs to the caller, whose future carries it
            _refuse([job], error)
        else:
            if not job.done.done():
                job.done.set_result(answer)

    @asynccontextmanager
    async def _line(self, place: object) -> AsyncGenerator[None]:
        """A conversation's own line: if it is stuck, it holds one connection and not all."""
        line = self._lines.setdefault(place, _Line())
        line.length += 1
        try:
            async with line.lock:
                yield
        finally:
            line.length -= 1
            if not line.length:
                del self._lines[place]

    async def _tried(self, work: Work[Result], lost: psycopg.Error | None = None) -> Result:
        """Do `work`, again where others got in its way, and once more where its connection was lost."""
        if lost is not None:
            work = self._again(work, lost)
        for attempt in range(1, ATTEMPTS + 1):
            attempted = _Attempt(sent=not work.together)
            try:
                return await self._attempt(work, attempted)
            except UNPREPARED as error:
                if attempt == ATTEMPTS:
                    raise explain(self._url, error) from None
                self._prepares = False
            except AGAIN as error:
                if attempt == ATTEMPTS:
                    raise StoreBusy(
                        self._url, f"has too many writers in one place ({error.sqlstate})"
                    ) from error
                await asyncio.sleep(_PAUSE * attempt)
            except PoolTimeout as error:
                raise explain(self._url, error) from error
            except psycopg.Error as error:
                if lost is not None or not attempted.broken:
                    unknown = attempted.broken and attempted.sent
                    # The driver's own words may have the password.
                    raise explain(self._url, error, unknown=unknown) from None
                lost = error
                if attempted.sent:
                    work = self._again(work, error)
                await self.source.check()
        raise AssertionError

    def _again(self, work: Work[Result], lost: psycopg.Error) -> Work[Result]:
        match work.lost:
            case Same():
                return work
            case None:
                raise explain(self._url, lost, unknown=True) from None
            case other:
                return other

    async def _attempt(self, work: Work[Result], attempted: _Attempt) -> Result:
        async with self._connection() as connection:
            try:
                async with AsyncExitStack() as stack:
                    await stack.enter_async_context(_within(connection, self._patience))
                    if work.together:
                        if psycopg.AsyncPipeline.is_supported():
                            await stack.enter_async_context(connection.pipeline())
                        await stack.enter_async_context(connection.transaction())
                    result = await work.ask(self._session(connection))
                    attempted.sent = True
                return result
            except psycopg.Error:
                attempted.broken = connection.closed
                if work.together:
                    await _left(connection)
                raise

    @asynccontextmanager
    async def _connection(self) -> AsyncGenerator[Connection]:
        async with self.source.connection() as connection:
            if not self._prepares:
                connection.prepare_threshold = None
            yield connection


@dataclass(slots=True)
class _Attempt:
    """One try of a piece of work.

    Attributes:
        sent: whether what it wrote may be durable.
        broken: whether the connection is gone.
    """

    sent: bool
    broken: bool = False


@asynccontextmanager
async def _within(connection: Connection, seconds: float) -> AsyncGenerator[None]:
    """Cancel what the connection is asked when it takes too long: the server says so, and nothing was written."""
    loop = asyncio.get_running_loop()
    cancelling: list[asyncio.Task[None]] = []

    async def cancel() -> None:
        with suppress(psycopg.Error):
            await connection.cancel_safe()

    timer = loop.call_later(seconds, lambda: cancelling.append(loop.create_task(cancel())))
    try:
        yield
    finally:
        timer.cancel()
        if cancelling:  # what comes next on the connection is not to be hit
            await asyncio.wait(cancelling)


async def _left(connection: Connection) -> None:
    """Let go of a connection whose pipeline failed: the driver takes statements for prepared that the server skipped."""
    with suppress(psycopg.Error):
        await connection.close()


def _resolve(job: _Job, rows: list[Row]) -> None:
    if job.done.done():
        return
    try:
        job.done.set_result(job.ask.then(rows))
    except Exception as error:  # noqa: BLE001  # it belongs to the caller, whose future carries it
        job.done.set_exception(error)


def _refuse(jobs: Sequence[_Job], error: Exception) -> None:
    for job in jobs:
        if not job.done.done():
            job.done.set_exception(error)
