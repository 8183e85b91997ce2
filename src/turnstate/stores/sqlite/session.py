"""One tenant's statements on one connection, and the rows that come back as events and facts."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from turnstate.core.events import Event, Recorded
from turnstate.core.facts import Fact
from turnstate.errors import EventDecodeError
from turnstate.stores.codec import column, decode, decode_fact, uncolumn
from turnstate.stores.sqlite.database import QUERIES
from turnstate.stores.sqlite.search import fill

Row: TypeAlias = tuple[Any, ...]
Value: TypeAlias = str | int | bytes | None

_LOG = logging.getLogger("turnstate.stores")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a conversation stands.

    Attributes:
        conversation: its id.
        number: what the other tables call it.
        user: whose it is, or None.
        head: its newest seq.
        last_turn: the highest turn opened.
        last_closed: the highest turn closed.
    """

    conversation: str
    number: int
    user: str | None
    head: int
    last_turn: int = 0
    last_closed: int = 0


class Session:
    """A connection that speaks for one tenant: every statement is given the tenant.

    Args:
        connection: used by one thread at a time.
        tenant: as the caller names it.
    """

    def __init__(self, connection: sqlite3.Connection, tenant: str) -> None:
        self._connection = connection
        self._tenant = column(tenant)
        self._warned: set[tuple[str, int]] = set()

    def run(self, query: str, **values: Value) -> None:
        """Execute a named query that returns nothing."""
        self._execute(query, values)

    def rows(self, query: str, **values: Value) -> list[Row]:
        """All rows of a named query."""
        return self._execute(query, values).fetchall()

    def row(self, query: str, **values: Value) -> Row | None:
        """The first row of a named query, or None."""
        return self._execute(query, values).fetchone()

    def only(self, query: str, **values: Value) -> Row:
        """The one row of a named query that returns one."""
        (row,) = self._execute(query, values).fetchall()
        return row

    def find(self, conversation: str) -> Place | None:
        """The conversation as it stands, if it is there."""
        row = self.row("find_conversation", id=column(conversation))
        if row is None:
            return None
        number, user, head, last_turn, last_closed = row
        return Place(
            conversation, number, None if user is None else uncolumn(user), head, last_turn, last_closed
        )

    def event(self, place: Place, seq: int) -> Event:
        """One event of a conversation, which must be there.

        Raises:
            EventDecodeError: it does not decode.
        """
        return self._decoded(place, self.only("find_event", conversation=place.number, seq=seq))

    def recorded(self, place: Place, rows: Iterable[Row]) -> tuple[Recorded, ...]:
        """Rows of events; one that does not decode is left out with a warning, once, so that the rest can be read."""
        found: list[Recorded] = []
        for seq, turn, at, *encoded in rows:
            try:
                event = self._decoded(place, encoded)
            except EventDecodeError as error:
                self._warn(place.conversation, seq, error)
            else:
                found.append(Recorded(place.conversation, seq, turn, at, event, encoded[1]))
        return tuple(found)

    def fact(self, row: int, body: object) -> Fact | None:
        """A row of the projection; None, with a warning, once, for one that does not decode."""
        try:
            return decode_fact(body)
        except EventDecodeError as error:
            self._warn("", row, error)
            return None

    def checkpoint(self) -> bool:
        """Bring the write-ahead log into the file and empty it; whether somebody was in the way."""
        busy, _, _ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return bool(busy)

    def forget_words(self, *, anew: bool) -> None:
        """Take deleted words out of the index's pages, where they stay otherwise.

        Args:
            anew: whether to make the index again from the events that are left: an event that did not decode may have
                left words that nobody knows.
        """
        if anew:
            self._connection.execute("INSERT INTO search (search) VALUES ('delete-all')")
            fill(self._connection)
        self._connection.execute("INSERT INTO search (search) VALUES ('optimize')")

    def _decoded(self, place: Place, encoded: Iterable[Any]) -> Event:
        def blob(sha: str) -> bytes | None:
            row = self.row("find_blob", conversation=place.number, sha=sha)
            return None if row is None else row[0]

        tag, version, body = encoded
        return decode(tag, version, body, blob)

    def _warn(self, conversation: str, seq: int, error: EventDecodeError) -> None:
        if (conversation, seq) not in self._warned:
            self._warned.add((conversation, seq))
            where = f"event {seq} of conversation {conversation!r}" if conversation else f"fact in row {seq}"
            _LOG.warning("%s is left out: %s", where, error)

    def _execute(self, query: str, values: dict[str, Value]) -> sqlite3.Cursor:
        return self._connection.execute(QUERIES[query], {"tenant": self._tenant, **values})
