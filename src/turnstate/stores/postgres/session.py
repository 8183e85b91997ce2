"""One tenant's statements on one connection."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from psycopg import AsyncConnection, AsyncCursor
from psycopg.rows import tuple_row
from psycopg.types.numeric import Int8

from turnstate.stores.codec import column
from turnstate.stores.postgres.rows import Entry, Reading, Row, blobs_of, columns_of, heard, said_in


class Session:
    """A connection that speaks for one tenant: every statement is given the tenant.

    Args:
        connection: used by one task at a time.
        queries: the statements by name.
        tenant: as the caller names it.
        reading: what makes facts of rows.
    """

    def __init__(
        self, connection: AsyncConnection[Any], queries: Mapping[str, bytes], tenant: str, reading: Reading
    ) -> None:
        self.connection = connection
        self.reading = reading
        self._queries = queries
        self._tenant = column(tenant)

    async def run(self, query: str, **values: Any) -> AsyncCursor[Row]:
        """Send a named query; in a pipeline its answer comes when it is fetched."""
        cursor = self.connection.cursor(row_factory=tuple_row)
        # All numbers are of one type: small ones would make a prepared statement of their own.
        given = {name: Int8(value) if type(value) is int else value for name, value in values.items()}
        return await cursor.execute(self._queries[query], {"tenant": self._tenant, **given})

    async def rows(self, query: str, **values: Any) -> list[Row]:
        """All rows of a named query."""
        return await (await self.run(query, **values)).fetchall()

    async def row(self, query: str, **values: Any) -> Row | None:
        """The first row of a named query, or None."""
        return await (await self.run(query, **values)).fetchone()

    async def hear(self, number: uuid.UUID, turn: int, words: Collection[int]) -> None:
        """Index the words of one turn."""
        if words:
            await self.run("add_said", conversation=number, turn=turn, words=heard(number, turn, words))

    async def add_events(
        self, number: uuid.UUID, turn: int, at: int, seqs: Sequence[int], entries: Sequence[Entry]
    ) -> None:
        """Record events of one turn, their words, and what is large beside them."""
        await self.run(
            "add_events", conversation=number, turn=turn, at=at, seqs=list(seqs), **columns_of(entries)
        )
        await self.hear(number, turn, said_in(entries))
        if any(entry.encoded.blobs for entry in entries):
            await self.run("add_blobs", conversation=number, **blobs_of(entries))
