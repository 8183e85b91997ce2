"""A log's own connections in one event loop: opened when they are needed, opened again when they were lost."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

import psycopg
from psycopg.pq import TransactionStatus
from psycopg.rows import tuple_row

from turnstate.stores.postgres.database import explain, no_room

Result = TypeVar("Result")
Connection: TypeAlias = psycopg.AsyncConnection[Any]

_FIRST, _LONGEST = 0.05, 1.0
"""Seconds between two attempts to connect: the first pause, and the longest."""


_OFTEN = 5
"""Executions after which a statement is prepared."""


@dataclass(frozen=True, slots=True)
class Connecting:
    """How a log that has no pool of the caller's connects.

    Attributes:
        size: connections at most, in each event loop.
        timeout: how long to wait for a connection, and for what it is asked, in seconds.
        prepare_threshold: after how many executions a statement is prepared; None for never; "direct" for after five,
            unless a pooler stands in between, which may confuse what its clients have prepared.
    """

    size: int = 10
    timeout: float = 30.0
    prepare_threshold: int | Literal["direct"] | None = "direct"

    def prepares(self, *, direct: bool) -> bool:
        """Whether statements are prepared on a connection that goes to the server itself, or does not."""
        return direct if self.prepare_threshold == "direct" else self.prepare_threshold is not None


class Source(Protocol):
    """Where connections come from: a log's own, or a pool of the caller's."""

    def connection(self) -> AbstractAsyncContextManager[Connection]:
        """A connection for as long as it is needed; what was begun on it is committed at the end."""
        ...

    async def check(self) -> None:
        """Let go of the connections that are lost."""
        ...


class Connections:
    """Connections of one event loop.

    Args:
        conninfo: where the database is.
        chosen: how to connect.
        url: the store's URL, for errors.
    """

    def __init__(self, conninfo: str, chosen: Connecting, url: str) -> None:
        self._conninfo = conninfo
        self._chosen = chosen
        self._url = url
        self._room = asyncio.Semaphore(chosen.size)
        self._idle: list[Connection] = []
        self._busy: set[Connection] = set()

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        """A connection for as long as it is needed.

        Raises:
            StoreUnavailable: none became free, or none could be opened, in time; nothing was sent.
        """
        try:
            async with asyncio.timeout(self._chosen.timeout):
                await self._room.acquire()
        except TimeoutError:
            raise no_room(self._url, self._chosen.timeout) from None
        try:
            connection = self._idle.pop() if self._idle else await self._opened()
            self._busy.add(connection)
            try:
                yield connection
            finally:
                self._busy.discard(connection)
                await self._back(connection)
        finally:
            self._room.release()

    async def begin(self, look: Callable[[Connection], Awaitable[Result]]) -> Result:
        """Connect once, and have a look at the database; what it comes to.

        Raises:
            psycopg.Error: it cannot be reached.
        """
        connection = await self._connect()
        try:
            found = await look(connection)
        except BaseException:
            await connection.close()
            raise
        self._idle.append(connection)
        return found

    async def _connect(self) -> Connection:
        threshold = self._chosen.prepare_threshold
        return await psycopg.AsyncConnection.connect(
            self._conninfo,
            autocommit=True,
            client_encoding="utf8",
            prepare_threshold=_OFTEN if threshold == "direct" else threshold,
        )

    async def check(self) -> None:
        """Let go of the connections that are lost."""
        for connection in tuple(self._idle):
            try:
                await connection.execute("")
            except psycopg.Error:
                if connection in self._idle:
                    self._idle.remove(connection)
                await connection.close()

    async def close(self) -> None:
        """Close what is not in use."""
        while self._idle:
            await self._idle.pop().close()

    def abandon(self) -> None:
        """Close everything from outside the event loop, which has ended."""
        for connection in (*self._idle, *self._busy):
            connection.pgconn.finish()
        self._idle.clear()
        self._busy.clear()

    async def _opened(self) -> Connection:
        """A new connection; while the database is away, another attempt is made until the time is over."""
        clock = asyncio.get_running_loop().time
        until, pause = clock() + self._chosen.timeout, _FIRST
        while True:
            try:
                return await self._connect()
            except psycopg.Error as error:
                if _final(error) or clock() + pause > until:
                    raise explain(self._url, error) from None
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST)

    async def _back(self, connection: Connection) -> None:
        if connection.closed or connection.info.transaction_status != TransactionStatus.IDLE:
            with contextlib.suppress(psycopg.Error):
                await connection.close()
        else:
            self._idle.append(connection)


async def is_direct(connection: Connection) -> bool:
    """Whether a connection goes to the server itself: a pooler between gives another number for the session."""
    cursor = connection.cursor(row_factory=tuple_row)
    await cursor.execute("SELECT pg_backend_pid()")
    return await cursor.fetchone() == (connection.info.backend_pid,)


def _final(error: psycopg.Error) -> bool:
    """Whether the server is there and refuses: a name or a password is wrong."""
    return (error.sqlstate or "")[:2] in {"28", "3D", "42"}
