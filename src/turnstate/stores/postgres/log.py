"""The log in PostgreSQL: what the port asks for, each as one transaction."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import psycopg
from psycopg_pool import PoolTimeout

from turnstate.core.events import Event, Recorded, TurnOpened
from turnstate.core.facts import Fact
from turnstate.core.history import Snapshot
from turnstate.errors import StoreBusy, StoreUrlError
from turnstate.ports import Claim, Claimed, ConversationInfo, Kept, Opened, Opening, Receipt
from turnstate.stores.codec import column
from turnstate.stores.erasing import Tally
from turnstate.stores.postgres.connections import Connecting, Connection, Connections, Source, is_direct
from turnstate.stores.postgres.courier import SAME, Courier, Work
from turnstate.stores.postgres.database import (
    SCHEMA,
    check_schema,
    checked_url,
    explain,
    migrate,
    queries,
    shown,
)
from turnstate.stores.postgres.erasing import UNREACHABLE, erase_conversation, erase_turns, erase_user
from turnstate.stores.postgres.keeping import keep, kept
from turnstate.stores.postgres.leases import claim_turn, release_turn, renew_turns
from turnstate.stores.postgres.loops import Loops, Way
from turnstate.stores.postgres.opening import begin, open_behind, open_turn, start
from turnstate.stores.postgres.reads import blobs, conversations, facts, last_turn, load, read, read_turns
from turnstate.stores.postgres.rows import Reading, Row, entry, large_of, number_of
from turnstate.stores.postgres.search import Search
from turnstate.stores.postgres.session import Session
from turnstate.stores.postgres.writes import Addition, append, tell

__all__ = ["Connecting", "PostgresLog"]

Result = TypeVar("Result")
_TENANT = 512
"""Bytes that a tenant may have: it leads every key."""


class PostgresLog:
    """A `Log` in a PostgreSQL database, for one tenant; any number of processes may share the database.

    Nothing is kept in a connection's session, and nothing is changed in the database's schema: `PostgresLog.migrate`
    or `turnstate migrate` makes the tables. The first call connects and looks at the schema.

    Args:
        source: "postgresql://user@host/database", or an open pool of the caller's, who closes it. The loop from which
            the log is used first must then be the pool's. Any object that gives connections as one does will do.
        tenant: whose conversations these are.
        schema: the schema that has the tables; small letters, digits and underscores.
        connecting: how to connect; nothing to a caller's pool.

    Raises:
        StoreUrlError: the URL does not read, the schema's name is none, or the tenant's is too long.
    """

    def __init__(
        self,
        source: str | Source,
        tenant: str = "default",
        *,
        schema: str = SCHEMA,
        connecting: Connecting | None = None,
    ) -> None:
        given = None if isinstance(source, str) else source
        self._conninfo = checked_url(source) if isinstance(source, str) else ""
        self._url = shown(source if given is None else getattr(given, "conninfo", ""))
        self._tenant = tenant
        self._schema = schema
        self._queries = queries(schema, self._url)
        if len(column(tenant).encode()) > _TENANT:
            raise StoreUrlError(self._url, f"takes no tenant of more than {_TENANT} bytes")
        self._connecting = connecting or Connecting()
        self._given = given
        self._reading = Reading()
        self._loops = Loops(self._url, self._begin, shared=given is not None)

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
        return await self._run(Work(lambda session: start(session, conversation, user, at)))

    async def open(self, opening: Opening) -> Opened:
        """Open a turn durably, or find the one that has its key, in one round trip; see `Log.open`."""
        message = entry(opening.conversation, 1, TurnOpened(opening.key, opening.digest, opening.message))
        lost = None if opening.key is None else SAME  # without a key nothing tells it from another
        found = await self._loops.one(open_turn(opening, message))
        if found.opened is None and not found.held:
            found = await self._run(
                Work(lambda session: begin(session, opening, message), together=True, lost=lost)
            )
        if found.opened is not None:
            return found.opened
        opened = await self._run(
            Work(lambda session: open_behind(session, opening, message), together=True, lost=lost)
        )
        if opened is None:
            raise StoreBusy(self._url, "lost the conversation while a turn was opened")
        return opened

    async def claim(self, conversation: str, turn: int, claim: Claim) -> Claimed:
        """Lease a turn to a worker, or say why not; see `Log.claim`."""
        return await self._run(
            Work(lambda session: claim_turn(session, conversation, turn, claim), together=True)
        )

    async def renew(self, conversation: str, claim: Claim) -> tuple[int, ...]:
        """Say that a worker is alive; see `Log.renew`."""
        return await self._loops.one(renew_turns(conversation, claim))

    async def release(self, conversation: str, turn: int, claim: Claim) -> None:
        """Give up a turn; see `Log.release`."""
        await self._run(Work(lambda session: release_turn(session, conversation, turn, claim), together=True))

    async def append(
        self,
        conversation: str,
        turn: int,
        events: Sequence[Event],
        at: int,
        *,
        snapshot: Snapshot | None = None,
        token: int = 0,
    ) -> tuple[Recorded, ...]:
        """Record events of a turn, all or none; see `Log.append`."""
        events = tuple(events)
        entries = tuple(entry(conversation, turn, event) for event in events)
        stamp = secrets.randbits(63)
        added = Addition(conversation, turn, events, entries, at, snapshot, token, stamp)
        look = Work(lambda session: append(session, replace(added, again=True)), together=True)
        if (told := tell(added, look)) is not None and (recorded := await self._loops.one(told)):
            return recorded
        return await self._run(Work(lambda session: append(session, added), together=True, lost=look))

    async def load(self, conversation: str) -> tuple[Recorded, ...]:
        """The events that the fold needs; see `Log.load`."""
        return await self._recorded(conversation, await self._loops.one(load(conversation)))

    async def read(
        self, conversation: str, *, after: int = 0, turn: int | None = None, limit: int | None = None
    ) -> tuple[Recorded, ...]:
        """Events after a place, of one turn or of all; see `Log.read`."""
        rows = await self._loops.one(read(conversation, after, turn, limit))
        return await self._recorded(conversation, rows)

    async def read_turns(self, conversation: str, turns: Sequence[int]) -> tuple[Recorded, ...]:
        """The events of these turns, in order; see `Log.read_turns`."""
        return await self._recorded(conversation, await self._loops.one(read_turns(conversation, turns)))

    async def search(
        self, conversation: str, words: Sequence[str], *, before: int, most: int | None = None
    ) -> Mapping[str, tuple[int, ...]]:
        """The turns in which each word was said; see `Log.search`."""
        search = Search(number_of(conversation), words, before, most)
        for ask in search.asks(await self._loops.one(last_turn(conversation))):
            await self._loops.one(ask)
        return search.result()

    async def facts(
        self, *, user: str | None, conversation: str, superseded: bool = False
    ) -> tuple[Fact, ...]:
        """The facts of a user, or of a conversation without one; see `Log.facts`."""
        rows = await self._loops.one(facts(user, conversation, superseded=superseded))
        return tuple(fact for place, body in rows if (fact := self._reading.fact(place, body)))

    async def conversations(
        self, *, user: str | None = None, limit: int = 100
    ) -> tuple[ConversationInfo, ...]:
        """Conversations, the most recently updated first; see `Log.conversations`."""
        return await self._loops.one(conversations(user, limit))

    async def erase(self, *, conversation: str | None = None, user: str | None = None, at: int) -> Receipt:
        """Delete a conversation, or all of a user, for good; see `Log.erase`."""

        async def work(session: Session) -> Receipt:
            tally = Tally("conversation" if user is None else "user", at)
            if conversation is not None:
                await erase_conversation(session, conversation, tally)
            if user is not None:
                await erase_user(session, user, tally)
            return tally.receipt(UNREACHABLE)

        return await self._run(Work(work, together=True, lost=None))

    async def erase_turns(self, conversation: str, through: int, at: int) -> Receipt:
        """Delete turns, whole; see `Log.erase_turns`."""

        async def work(session: Session) -> Receipt:
            tally = Tally("retention", at)
            await erase_turns(session, conversation, through, tally)
            return tally.receipt(UNREACHABLE)

        return await self._run(Work(work, together=True, lost=None))

    async def kept(self, conversation: str) -> Kept | None:
        """A conversation as it is kept; see `Log.kept`."""
        return await self._run(Work(lambda session: kept(session, conversation), together=True))

    async def keep(self, *kept: Kept) -> None:
        """Put conversations as another store kept them; see `Log.keep`."""
        await self._run(Work(lambda session: keep(session, kept), together=True, lost=None))

    async def close(self) -> None:
        """Finish what was asked, close the log's own connections; closing again does nothing."""
        await self._loops.close()

    async def _run(self, work: Work[Result]) -> Result:
        """Do what takes more than one statement."""
        return await self._loops.work(work)

    async def _recorded(self, conversation: str, rows: Sequence[Row]) -> tuple[Recorded, ...]:
        large: dict[str, bytes] = {}
        if names := large_of(rows):
            found = await self._loops.one(blobs(conversation, names))
            large = {sha: bytes(data) for sha, data in found}
        return tuple(self._reading.recorded(conversation, rows, large))

    def _session(self, connection: Connection) -> Session:
        return Session(connection, self._queries, self._tenant, self._reading)

    async def _looked(self, connection: Connection) -> bool:
        """Whether a connection goes to the server itself, whose schema is looked at."""
        await check_schema(connection, self._schema, self._url)
        return await is_direct(connection)

    async def _begin(self) -> Way:
        """The way of the running event loop, once the schema was looked at."""
        own = Connections(self._conninfo, self._connecting, self._url)
        pool = self._given
        try:
            if pool is None:
                direct = await own.begin(self._looked)
            else:
                async with pool.connection() as connection:
                    direct = await self._looked(connection)
        except (psycopg.Error, PoolTimeout) as error:
            raise explain(self._url, error) from None
        chosen = self._connecting
        courier = Courier(
            pool or own,
            self._session,
            self._url,
            patience=chosen.timeout,
            prepares=chosen.prepares(direct=direct),
        )
        return Way(courier, own if pool is None else None)
