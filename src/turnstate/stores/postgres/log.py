"""The log in PostgreSQL: what the port asks for, each as one transaction on a connection of the pool."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import psycopg
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from turnstate.core.events import Event, Recorded, TurnOpened
from turnstate.core.facts import Fact
from turnstate.core.history import Snapshot
from turnstate.errors import StoreBusy, StoreUrlError
from turnstate.ports import ConversationInfo, Opened, Opening
from turnstate.stores.codec import column
from turnstate.stores.postgres.database import (
    AGAIN,
    ATTEMPTS,
    SCHEMA,
    check_schema,
    checked_url,
    explain,
    migrate,
    queries,
    shown,
)
from turnstate.stores.postgres.lane import Lane
from turnstate.stores.postgres.reads import conversations, facts, load, read, read_turns, search
from turnstate.stores.postgres.session import Session
from turnstate.stores.postgres.writes import Addition, append, begin, entry, open_turn, start

Result = TypeVar("Result")
Pool: TypeAlias = AsyncConnectionPool[Any]

_TENANT = 512
"""Bytes that a tenant may have: it leads every key."""

_PAUSE = 0.002
"""Seconds before a transaction is tried again, times the number of attempts."""


@dataclass(frozen=True, slots=True)
class Connecting:
    """How a log that has a pool of its own connects.

    Attributes:
        size: connections at most.
        timeout: how long to wait for a connection, in seconds.
        prepare_threshold: after how many executions a statement is prepared; None for never, which a transaction
            pooler in front of the database may need.
    """

    size: int = 10
    timeout: float = 30.0
    prepare_threshold: int | None = 5


class PostgresLog:
    """A `Log` in a PostgreSQL database, for one tenant; any number of processes may share the database.

    Nothing is kept in a connection's session, and nothing is changed in the database's schema: `PostgresLog.migrate`
    or `turnstate migrate` makes the tables. The first call connects and looks at the schema.

    Args:
        source: "postgresql://user@host/database", or an open pool of the caller's, who closes it. The loop from which
            the log is used first must then be the pool's.
        tenant: whose conversations these are.
        schema: the schema that has the tables; small letters, digits and underscores.
        connecting: how to connect; nothing to a caller's pool.

    Raises:
        StoreUrlError: the URL does not read, the schema's name is none, or the tenant's is too long.
    """

    def __init__(
        self,
        source: str | Pool,
        tenant: str = "default",
        *,
        schema: str = SCHEMA,
        connecting: Connecting | None = None,
    ) -> None:
        given = None if isinstance(source, str) else source
        self._conninfo = checked_url(source) if isinstance(source, str) else ""
        self._url = shown(source if given is None else given.conninfo)
        self._tenant = tenant
        self._schema = schema
        self._queries = queries(schema, self._url)
        if len(column(tenant).encode()) > _TENANT:
            raise StoreUrlError(self._url, f"takes no tenant of more than {_TENANT} bytes")
        self._connecting = connecting or Connecting()
        self._given = given
        self._pool: Pool | None = None
        self._starting: asyncio.Lock | None = None
        self._warned: set[tuple[str, int]] = set()
        self._lane = Lane(self._url, own=given is None)

    migrate = staticmethod(migrate)

    @property
    def url(self) -> str:
        """The store's URL, without a password."""
        return self._url

    @property
    def tenant(self) -> str:
        """Whose conversations these are."""
        return self._tenant

    async def start(self, conversation: str, user: str | None, at: int) -> int:
        """Open the conversation unless it is there; see `Log.start`."""
        return await self._run(lambda session: start(session, conversation, user, at), again=True)

    async def open(self, opening: Opening) -> Opened:
        """Open a turn durably, or find the one that has its key, in one round trip; see `Log.open`."""
        message = entry(opening.conversation, 1, TurnOpened(opening.key, opening.digest, opening.message))
        again = opening.key is not None
        opened = await self._run(lambda session: open_turn(session, opening, message), again=again)
        if opened is None:
            opened = await self._run(
                lambda session: begin(session, opening, message), again=again, together=True
            )
        if opened is None:
            raise StoreBusy(self._url, "lost the conversation while a turn was opened")
        return opened

    async def append(
        self,
        conversation: str,
        turn: int,
        events: Sequence[Event],
        at: int,
        *,
        snapshot: Snapshot | None = None,
    ) -> tuple[Recorded, ...]:
        """Record events of a turn, all or none; see `Log.append`."""
        events = tuple(events)
        entries = tuple(entry(conversation, turn, event) for event in events)
        added = Addition(conversation, turn, events, entries, at, snapshot)
        return await self._run(lambda session: append(session, added), together=True)

    async def load(self, conversation: str) -> tuple[Recorded, ...]:
        """The events that the fold needs; see `Log.load`."""
        return await self._run(lambda session: load(session, conversation), again=True)

    async def read(
        self, conversation: str, *, after: int = 0, turn: int | None = None, limit: int | None = None
    ) -> tuple[Recorded, ...]:
        """Events after a place, of one turn or of all; see `Log.read`."""
        return await self._run(lambda session: read(session, conversation, after, turn, limit), again=True)

    async def read_turns(self, conversation: str, turns: Sequence[int]) -> tuple[Recorded, ...]:
        """The events of these turns, in order; see `Log.read_turns`."""
        return await self._run(lambda session: read_turns(session, conversation, turns), again=True)

    async def search(
        self, conversation: str, words: Sequence[str], *, before: int, most: int | None = None
    ) -> Mapping[str, tuple[int, ...]]:
        """The turns in which each word was said; see `Log.search`."""
        return await self._run(lambda session: search(session, conversation, words, before, most), again=True)

    async def facts(
        self, *, user: str | None, conversation: str, superseded: bool = False
    ) -> tuple[Fact, ...]:
        """The facts of a user, or of a conversation without one; see `Log.facts`."""
        return await self._run(
            lambda session: facts(session, user, conversation, superseded=superseded), again=True
        )

    async def conversations(
        self, *, user: str | None = None, limit: int = 100
    ) -> tuple[ConversationInfo, ...]:
        """Conversations, the most recently updated first; see `Log.conversations`."""
        return await self._run(lambda session: conversations(session, user, limit), again=True)

    async def close(self) -> None:
        """Finish what was asked, close the log's own connections; closing again does nothing."""
        await self._lane.stop(self._close())

    async def _run(
        self,
        work: Callable[[Session], Awaitable[Result]],
        *,
        again: bool = False,
        together: bool = False,
    ) -> Result:
        """Do `work` on the loop of the connections.

        Args:
            work: what is sent.
            again: whether it may be sent twice when nobody knows what became of the first time.
            together: whether its statements are one transaction.
        """
        return await self._lane.run(self._tried(work, again=again, together=together))

    async def _tried(
        self, work: Callable[[Session], Awaitable[Result]], *, again: bool, together: bool
    ) -> Result:
        lost = False
        for attempt in range(1, ATTEMPTS + 1):
            attempted = _Attempt(self, sent=not together)
            try:
                return await attempted.do(work, together=together)
            except AGAIN as error:
                if attempt == ATTEMPTS:
                    raise StoreBusy(
                        self._url, f"has too many writers in one place ({error.sqlstate})"
                    ) from error
                await asyncio.sleep(_PAUSE * attempt)
            except PoolTimeout as error:
                raise explain(self._url, error) from error
            except psycopg.Error as error:
                if lost or not attempted.broken or not (again or not attempted.sent):
                    raise explain(self._url, error) from None  # the driver's own words may have the password
                lost = True
                await (await self.pool()).check()
        raise AssertionError

    def session(self, connection: psycopg.AsyncConnection[Any]) -> Session:
        """The tenant's statements on a connection."""
        return Session(connection, self._queries, self._tenant, self._warned)

    async def pool(self) -> Pool:
        """The open pool; the first call looks at the schema.

        Raises:
            StoreSchemaError: the database has another schema, or none.
        """
        if self._starting is None:
            self._starting = asyncio.Lock()
        async with self._starting:
            if self._pool is None:
                self._pool = await (self._borrowed(self._given) if self._given else self._opened())
        return self._pool

    async def _borrowed(self, pool: Pool) -> Pool:
        async with pool.connection() as connection:
            await check_schema(connection, self._schema, self._url)
        return pool

    async def _opened(self) -> Pool:
        chosen = self._connecting
        kwargs: dict[str, Any] = {
            "autocommit": True,
            "client_encoding": "utf8",
            "prepare_threshold": chosen.prepare_threshold,
        }
        # Without the pool: it would keep trying in silence, and the reason would be lost.
        async with await psycopg.AsyncConnection.connect(self._conninfo, **kwargs) as connection:
            await check_schema(connection, self._schema, self._url)
        pool = AsyncConnectionPool[Any](
            self._conninfo,
            kwargs=kwargs,
            min_size=1,
            max_size=chosen.size,
            timeout=chosen.timeout,
            reconnect_timeout=chosen.timeout,
            open=False,
        )
        await pool.open()
        return pool

    async def _close(self) -> None:
        if self._pool is not None and self._given is None:
            await self._pool.close()


class _Attempt:
    """One try of a piece of work.

    Attributes:
        sent: whether what it wrote may be durable.
        broken: whether the connection is gone.
    """

    def __init__(self, log: PostgresLog, *, sent: bool) -> None:
        self._log = log
        self.sent = sent
        self.broken = False

    async def do(self, work: Callable[[Session], Awaitable[Result]], *, together: bool) -> Result:
        """What the work comes to."""
        async with (await self._log.pool()).connection() as connection:
            try:
                async with AsyncExitStack() as stack:
                    if together:
                        if psycopg.AsyncPipeline.is_supported():
                            await stack.enter_async_context(connection.pipeline())
                        await stack.enter_async_context(connection.transaction())
                    result = await work(self._log.session(connection))
                    self.sent = True
                return result
            finally:
                self.broken = connection.closed
