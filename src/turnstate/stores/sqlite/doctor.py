"""A doctor for a SQLite file: opened to be read only, looked at in one transaction, left as it was to the byte."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from turnstate.errors import StoreUnavailable
from turnstate.stores.codec import uncolumn
from turnstate.stores.doctor import Chart, EventRow, Examination, FactRow, Finding, Report, TurnRow
from turnstate.stores.migrations import read_queries
from turnstate.stores.sqlite.database import APPLICATION, MIGRATIONS, SCHEMA, explained, text
from turnstate.stores.sqlite.search import row_of, token

_QUERIES = read_queries(files("turnstate.stores.sqlite").joinpath("doctor.sql").read_text(encoding="utf-8"))
_BROKEN = 20
"""Problems of the file that are told; one damaged page has hundreds."""

_UNCHECKED = "attempt to write a readonly database"
"""What some releases of SQLite say of an index that they can only check while they may write."""

_RESTORE = "Restore the file from a backup, or save what reads with `sqlite3 FILE .recover`"


def examine(path: Path, url: str, known: Mapping[str, int] | None = None) -> Report:
    """Look at a file, and change nothing.

    Args:
        path: the file.
        url: the store's URL, for the report.
        known: the newest version of each state that the application has, by name; None where nobody says.

    Raises:
        StoreUnavailable: the file is not there, or cannot be read.
        StoreBusy: another process does not let go of it.
    """
    if not path.is_file():
        raise StoreUnavailable(url, "there is no such file")
    wal = path.with_name(f"{path.name}-wal")
    with explained(url):
        if wal.exists():  # somebody has the file open, or had it when it died
            return _examined(path, url, known, "")
        # Nobody has. Reading it the usual way would leave two files beside it, which might be another user's.
        report = _examined(path, url, known, "&immutable=1")
        return _examined(path, url, known, "") if wal.exists() else report


def _examined(path: Path, url: str, known: Mapping[str, int] | None, mode: str) -> Report:
    examination = Examination(known)
    with closing(_opened(path, mode)) as connection:
        found = 0
        try:
            connection.execute("BEGIN")
            found, problems = _schema(connection)
            examination.add(problems)
            examination.add(_integrity(connection))
            if not problems:
                _look(connection, examination)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            examination.add([Finding("unreadable", f"the file does not read: {error}", _RESTORE)])
    return examination.report(url, found, SCHEMA)


def _opened(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?mode=ro{mode}", uri=True, isolation_level=None, timeout=30
    )
    connection.text_factory = text
    return connection


def _schema(connection: sqlite3.Connection) -> tuple[int, list[Finding]]:
    """The version of the schema, and what is wrong with it; with anything wrong, the rest cannot be looked at."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if version == 0 and tables == 0:
        return 0, [Finding("schema", "the file is empty", "The first message makes the tables")]
    if application != APPLICATION:
        problem = "the file is the database of another application"
        return version, [Finding("schema", problem, "Check the path")]
    if version > SCHEMA:
        problem = f"schema {version} is newer than this release's, which is {SCHEMA}"
        return version, [Finding("schema", problem, "Install the release that made it")]
    applied = connection.execute("SELECT number, checksum FROM migrations ORDER BY number").fetchall()
    if applied != [(step.number, step.checksum) for step in MIGRATIONS[:version]]:
        problem = "its schema was made by migrations that differ from this release's"
        return version, [Finding("checksum", problem, "Use the release that made it, or restore it")]
    if version < SCHEMA:
        problem = f"schema {version} is older than this release's, which is {SCHEMA}"
        return version, [Finding("schema", problem, "Run `turnstate migrate URL`, on a copy first")]
    return version, []


def _integrity(connection: sqlite3.Connection) -> Iterator[Finding]:
    for (line,) in connection.execute(f"PRAGMA integrity_check({_BROKEN})"):
        if line != "ok" and _UNCHECKED not in line:
            yield Finding("damaged", f"SQLite says: {line}", _RESTORE)


def _look(connection: sqlite3.Connection, examination: Examination) -> None:
    for table, tenant, number in connection.execute(_QUERIES["orphans"]):
        problem = f"{number:,} rows of {table} belong to no conversation"
        examination.add([Finding("orphans", problem, "Restore the store from a backup", uncolumn(tenant))])
    now = time.time_ns() // 1_000
    for tenant, number, name, head, last in connection.execute(_QUERIES["conversations"]):
        examination.look(_Room(connection, tenant, number, now).chart(name, head, last))


@dataclass(frozen=True, slots=True)
class _Room:
    """Where one conversation is."""

    connection: sqlite3.Connection
    tenant: str
    number: int
    now: int

    def kept(self, query: str, **values: Any) -> list[tuple[Any, ...]]:
        given = {"tenant": self.tenant, "conversation": self.number, **values}
        return self.connection.execute(_QUERIES[query], given).fetchall()

    def chart(self, name: str, head: int, last: int) -> Chart:
        first, keep = next(iter(self.kept("snapshot")), (1, "[]"))
        return Chart(
            uncolumn(self.tenant),
            uncolumn(name),
            head,
            last,
            [EventRow(*row) for row in self.kept("events")],
            [TurnRow(*row) for row in self.kept("turns", now=self.now)],
            [FactRow(*row) for row in self.kept("facts")],
            first,
            json.loads(keep),
            self.blob,
            self.lacks,
        )

    def blob(self, sha: str) -> bytes | None:
        return next((data for (data,) in self.kept("blob", sha=sha)), None)

    def lacks(self, turn: int, seq: int, words: frozenset[str]) -> bool:
        row = row_of(turn, seq)
        return row >= 0 and not all(
            self.kept("word", word=f'"{token(word)}"', row=(self.number << 32) + row) for word in words
        )
