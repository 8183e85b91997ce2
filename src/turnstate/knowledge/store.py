"""A knowledge base in a SQLite file of its own: documents in, passages out."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final, Literal

from turnstate.core.evidence import Evidence
from turnstate.core.search import Statistics, words
from turnstate.errors import KnowledgeError
from turnstate.knowledge.documents import Document
from turnstate.knowledge.words import MOST, asked, indexed, token

DEFAULT: Final = Path("knowledge.db")
"""Where a knowledge base is kept unless told otherwise."""

APPLICATION: Final = 0x74756B62
"""What `PRAGMA application_id` says in a file of ours: "tukb" in ASCII."""

SCHEMA: Final = 1
_TIMEOUT: Final = 10.0
_LARGEST: Final = 1_000

_SEARCH: Final = """
SELECT documents.source, passages.title, passages.text, -bm25(search, 2.0, 1.0) AS score, passages.place
FROM search
JOIN passages ON passages.number = search.rowid
JOIN documents ON documents.number = passages.document
WHERE search MATCH ?
ORDER BY score DESC, passages.number
LIMIT ?
"""
_HAVING: Final = "SELECT count(*) FROM search WHERE search MATCH ?"
_LIST: Final = """
SELECT source, title, kind, notes, (SELECT count(*) FROM passages WHERE document = documents.number)
FROM documents
ORDER BY source
"""


@dataclass(frozen=True, slots=True)
class Listed:
    """A document in a knowledge base.

    Attributes:
        source: what it is known by.
        title: what it calls itself.
        kind: "markdown", "text", "html" or "csv".
        passages: how many it has.
        notes: what had to be guessed when it was read; "" for nothing.
    """

    source: str
    title: str
    kind: str
    passages: int
    notes: str


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a document that was added.

    Attributes:
        source: what it is known by.
        change: "added", "replaced", or "unchanged" where it was there already, byte for byte.
        passages: how many it has.
    """

    source: str
    change: Literal["added", "replaced", "unchanged"]
    passages: int


class SqliteKnowledge:
    """A knowledge base in a file. Searches run in threads, any number side by side, from any event loop.

    Args:
        path: the file.
        create: whether it is made where it is not there.

    Raises:
        KnowledgeError: it is not there, or is no knowledge base.
    """

    def __init__(self, path: Path, *, create: bool = False) -> None:
        self._path = path
        self._idle: list[sqlite3.Connection] = []
        self._gate = threading.Lock()
        self._closed = False
        self._process = os.getpid()
        if not create:
            _check_there(path)
        with self._explained(), self._connection() as connection:
            _prepare(connection, path, create=create)

    @property
    def path(self) -> Path:
        """The file."""
        return self._path

    async def search(self, query: str, k: int) -> tuple[Evidence, ...]:
        """At most `k` passages that have words of `query`, the best first.

        Raises:
            KnowledgeError: the file cannot be read, or the knowledge base was closed.
        """
        return await asyncio.to_thread(self.find, query, k)

    async def statistics(self, texts: Sequence[str]) -> Statistics:
        """How many passages there are, and how many have each word of these texts."""
        return await asyncio.to_thread(self.count, texts)

    def find(self, query: str, k: int) -> tuple[Evidence, ...]:
        """`search`, in this thread."""
        tokens = asked(query)
        if not tokens or k < 1:
            return ()
        match = " OR ".join(f'"{token}"' for token in tokens)
        with self._explained(), self._connection() as connection:
            rows = connection.execute(_SEARCH, (match, min(k, _LARGEST))).fetchall()
        return tuple(
            Evidence(source, title, text, score, f"{source}#{place}")
            for source, title, text, score, place in rows
        )

    def count(self, texts: Sequence[str]) -> Statistics:
        """`statistics`, in this thread."""
        wanted = list(dict.fromkeys(word for text in texts for word in words(text)))[:MOST]
        with self._explained(), self._connection() as connection:
            (passages,) = connection.execute("SELECT count(*) FROM passages").fetchone()
            having = {
                word: connection.execute(_HAVING, (f'"{token(word)}"',)).fetchone()[0] for word in wanted
            }
        return Statistics(passages, 0.0, having)

    def add(self, source: str, document: Document) -> Added:
        """Add a document; what was known by the same source is replaced. All of it is written, or nothing.

        Raises:
            KnowledgeError: the file cannot be written.
        """
        name = _storable(source)
        with self._explained(), self._connection() as connection, _transaction(connection):
            row = connection.execute(
                "SELECT number, sha, kind FROM documents WHERE source = ?", (name,)
            ).fetchone()
            if row is not None:
                number, sha, kind = row
                if (sha, kind) == (document.sha, document.kind):
                    (there,) = connection.execute(
                        "SELECT count(*) FROM passages WHERE document = ?", (number,)
                    ).fetchone()
                    return Added(name, "unchanged", there)
                _delete(connection, number)
            _insert(connection, name, document)
        return Added(name, "added" if row is None else "replaced", len(document.passages))

    def remove(self, source: str) -> bool:
        """Remove a document; whether it was there.

        Raises:
            KnowledgeError: the file cannot be written.
        """
        with self._explained(), self._connection() as connection, _transaction(connection):
            row = connection.execute(
                "SELECT number FROM documents WHERE source = ?", (_storable(source),)
            ).fetchone()
            if row is not None:
                _delete(connection, row[0])
        return row is not None

    def documents(self) -> tuple[Listed, ...]:
        """What is in it, by source.

        Raises:
            KnowledgeError: the file cannot be read.
        """
        with self._explained(), self._connection() as connection:
            rows = connection.execute(_LIST).fetchall()
        return tuple(Listed(source, title, kind, count, notes) for source, title, kind, notes, count in rows)

    def close(self) -> None:
        """Close the file; closing again does nothing."""
        with self._gate:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    @contextmanager
    def _connection(self) -> Generator[sqlite3.Connection]:
        """A connection that nobody else uses; it is kept for the next one."""
        with self._gate:
            if self._closed:
                raise KnowledgeError(str(self._path), "was closed", "Open it again with open_knowledge.")
            if self._process != os.getpid():  # connections do not survive a fork
                self._process, self._idle = os.getpid(), []
            connection = self._idle.pop() if self._idle else None
        if connection is None:
            connection = sqlite3.connect(
                self._path, timeout=_TIMEOUT, isolation_level=None, check_same_thread=False
            )
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        with self._gate:
            keep = not self._closed
            if keep:
                self._idle.append(connection)
        if not keep:
            connection.close()

    @contextmanager
    def _explained(self) -> Generator[None]:
        try:
            yield
        except (sqlite3.Error, OSError, ValueError) as error:
            raise KnowledgeError(
                str(self._path),
                f"cannot be used as a knowledge base ({error})",
                "Check the path, its rights and the disk, or make a new one with `turnstate kb add`.",
            ) from error


def open_knowledge(path: str | Path = DEFAULT, *, create: bool = False) -> SqliteKnowledge:
    """Open a knowledge base.

    Args:
        path: the file.
        create: whether it is made where it is not there.

    Raises:
        KnowledgeError: it is not there, or is no knowledge base.
    """
    return SqliteKnowledge(Path(path), create=create)


def _check_there(path: Path) -> None:
    step = "Make one with `turnstate kb add FILES`, or give the path of one."
    try:
        if not path.is_file():
            raise KnowledgeError(str(path), "is no file" if path.exists() else "is not there", step)
    except (OSError, ValueError) as error:
        raise KnowledgeError(str(path), f"cannot be looked at ({error})", step) from error


def _prepare(connection: sqlite3.Connection, path: Path, *, create: bool) -> None:
    """Make the tables in an empty file; any other has to have ours."""
    with _transaction(connection, "BEGIN IMMEDIATE" if create else "BEGIN"):
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if version == 0 and tables == 0 and create:
            script = files("turnstate.knowledge").joinpath("0001_initial.sql").read_text(encoding="utf-8")
            for statement in script.split(";\n"):
                if statement.strip():
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
            return
        (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION:
        raise KnowledgeError(str(path), "is the file of another application", "Give another path.")
    if version != SCHEMA:
        raise KnowledgeError(
            str(path),
            f"has schema {version}, and this release reads {SCHEMA}",
            "Add the documents to a new file with `turnstate kb add`.",
        )


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str = "BEGIN IMMEDIATE") -> Generator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _insert(connection: sqlite3.Connection, source: str, document: Document) -> None:
    number = connection.execute(
        "INSERT INTO documents (source, title, kind, sha, notes) VALUES (?, ?, ?, ?, ?) RETURNING number",
        (source, _storable(document.title), document.kind, document.sha, _storable(" ".join(document.notes))),
    ).fetchone()[0]
    for place, passage in enumerate(document.passages, start=1):
        title, text = _storable(passage.title), _storable(passage.text)
        row = connection.execute(
            "INSERT INTO passages (document, place, title, text) VALUES (?, ?, ?, ?) RETURNING number",
            (number, place, title, text),
        ).fetchone()[0]
        connection.execute(
            "INSERT INTO search (rowid, title, words) VALUES (?, ?, ?)", (row, indexed(title), indexed(text))
        )


def _delete(connection: sqlite3.Connection, number: int) -> None:
    connection.execute(
        "DELETE FROM search WHERE rowid IN (SELECT number FROM passages WHERE document = ?)", (number,)
    )
    connection.execute("DELETE FROM passages WHERE document = ?", (number,))
    connection.execute("DELETE FROM documents WHERE number = ?", (number,))


def _storable(text: str) -> str:
    """`text` as SQLite takes it: halves of characters, as in odd file names, and NUL are written out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\x00")
