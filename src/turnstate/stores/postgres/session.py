"""One tenant's statements on one connection, and the rows that come back as events and facts."""

from __future__ import annotations

import hashlib
import logging
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import tuple_row

from turnstate.core.events import Recorded
from turnstate.core.facts import Fact
from turnstate.errors import EventDecodeError
from turnstate.stores.codec import column, decode, decode_fact

Row: TypeAlias = tuple[Any, ...]

_LOG = logging.getLogger("turnstate.stores")


def number_of(conversation: str) -> uuid.UUID:
    """What the tables call a conversation: half of its id's SHA-256. Whoever writes compares the id as well."""
    return uuid.UUID(bytes=hashlib.sha256(column(conversation).encode()).digest()[:16])


def digest_of(text: str) -> bytes:
    """SHA-256 of a text that may be too long for an index: an owner, or a client's key."""
    return hashlib.sha256(column(text).encode()).digest()


def word_of(conversation: uuid.UUID, word: str) -> int:
    """What the index calls a word of a conversation: 64 bits of a digest of both."""
    told = hashlib.blake2b(column(word).encode(), digest_size=8, key=conversation.bytes).digest()
    return int.from_bytes(told, "big", signed=True)


class Session:
    """A connection that speaks for one tenant: every statement is given the tenant.

    Args:
        connection: used by one task at a time.
        queries: the statements by name.
        tenant: as the caller names it.
        warned: the rows of which it was said that they do not decode.
    """

    def __init__(
        self,
        connection: AsyncConnection[Any],
        queries: Mapping[str, bytes],
        tenant: str,
        warned: set[tuple[str, int]],
    ) -> None:
        self.connection = connection
        self._queries = queries
        self._tenant = column(tenant)
        self._warned = warned

    async def run(self, query: str, **values: Any) -> AsyncCursor[Row]:
        """Send a named query; in a pipeline its answer comes when it is fetched."""
        cursor = self.connection.cursor(row_factory=tuple_row)
        return await cursor.execute(self._queries[query], {"tenant": self._tenant, **values})

    async def rows(self, query: str, **values: Any) -> list[Row]:
        """All rows of a named query."""
        return await (await self.run(query, **values)).fetchall()

    async def row(self, query: str, **values: Any) -> Row | None:
        """The first row of a named query, or None."""
        return await (await self.run(query, **values)).fetchone()

    async def recorded(self, conversation: str, rows: Sequence[Row]) -> tuple[Recorded, ...]:
        """Rows of events; one that does not decode is left out with a warning, once, so that the rest can be read."""
        names = sorted({name for row in rows for name in row[6] or ()})
        large: dict[str, bytes] = {}
        if names:
            found = await self.rows("find_blobs", conversation=number_of(conversation), shas=names)
            large = {sha: bytes(data) for sha, data in found}
        return tuple(self._decoded(conversation, rows, large))

    def fact(self, place: int, body: object) -> Fact | None:
        """A row of the projection; None, with a warning, once, for one that does not decode."""
        try:
            return decode_fact(body)
        except EventDecodeError as error:
            self._warn("", place, error)
            return None

    def _decoded(
        self, conversation: str, rows: Iterable[Row], large: Mapping[str, bytes]
    ) -> Iterable[Recorded]:
        for seq, turn, at, tag, version, body, _ in rows:
            try:
                event = decode(tag, version, body, large.get)
            except EventDecodeError as error:
                self._warn(conversation, seq, error)
            else:
                yield Recorded(conversation, seq, turn, at, event, version)

    def _warn(self, conversation: str, seq: int, error: EventDecodeError) -> None:
        if (conversation, seq) not in self._warned:
            self._warned.add((conversation, seq))
            where = f"event {seq} of conversation {conversation!r}" if conversation else f"fact {seq}"
            _LOG.warning("%s is left out: %s", where, error)
