"""Pieces of many conversations, kept on disk until the file has been read, so that memory stays flat."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, NamedTuple, Self

from turnstate.readers.records import LONGEST
from turnstate.readers.threads import Piece
from turnstate.readers.transcript import RecordProblem


class Pile(NamedTuple):
    """The pieces of one conversation.

    Attributes:
        session: what they have in common.
        record: the number of the record in which its first piece stands.
        pieces: in their order; none where they are too much.
        problem: why there are none, or "".
    """

    session: str
    record: int
    pieces: list[Any]
    problem: str = ""


class Piles:
    """A temporary database of pieces; it needs as much room on the disk as the pieces in the file."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="turnstate-")
        self._rows = sqlite3.connect(Path(self._folder.name) / "pieces.db", isolation_level=None)
        self._rows.execute("PRAGMA journal_mode = OFF")
        self._rows.execute("PRAGMA synchronous = OFF")
        self._rows.execute("CREATE TABLE sessions (id INTEGER PRIMARY KEY, name TEXT UNIQUE, record INTEGER)")
        self._rows.execute("CREATE TABLE pieces (session INTEGER, place REAL, record INTEGER, data TEXT)")
        self._rows.execute("BEGIN")

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove it from the disk."""
        self._rows.close()
        self._folder.cleanup()

    def add(self, piece: Piece, record: int) -> None:
        """Keep a piece of the record with this number.

        Raises:
            RecordProblem: it cannot be written as JSON.
        """
        try:
            data = json.dumps(piece.data)
        except (ValueError, RecursionError) as error:
            raise RecordProblem(f"holds a value that cannot be kept ({error})") from None
        name = piece.session.encode("utf-8", "replace").decode()
        self._rows.execute("INSERT OR IGNORE INTO sessions (name, record) VALUES (?, ?)", (name, record))
        (session,) = self._rows.execute("SELECT id FROM sessions WHERE name = ?", (name,)).fetchone()
        self._rows.execute("INSERT INTO pieces VALUES (?, ?, ?, ?)", (session, piece.order, record, data))

    def __iter__(self) -> Iterator[Pile]:
        """The conversations, in the order in which the file begins them."""
        self._rows.execute("CREATE INDEX by_session ON pieces (session, place, record)")
        with closing(self._rows.execute("SELECT id, name, record FROM sessions ORDER BY id")) as sessions:
            for session, name, record in sessions:
                yield self._pile(session, name, record)

    def _pile(self, session: int, name: str, record: int) -> Pile:
        where = (session,)
        (size,) = self._rows.execute(
            "SELECT sum(length(data)) FROM pieces WHERE session = ?", where
        ).fetchone()
        if size > LONGEST:
            return Pile(name, record, [], f"begins a conversation that is longer than {LONGEST:,} bytes")
        found = self._rows.execute(
            "SELECT data FROM pieces WHERE session = ? ORDER BY place, record, rowid", where
        )
        return Pile(name, record, [json.loads(data) for (data,) in found])
