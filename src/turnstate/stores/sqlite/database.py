"""Opening a database file: its creation, its schema, its settings, and the driver's errors in our words."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from turnstate.errors import StoreBusy, StoreError, StoreSchemaError, StoreUnavailable
from turnstate.stores.migrations import Migrated, read_migrations, read_queries
from turnstate.stores.sqlite import search

APPLICATION = 0x7475726E
"""What `PRAGMA application_id` says in a file of ours: "turn" in ASCII."""

MIGRATIONS = read_migrations(files("turnstate.stores.sqlite"))
QUERIES = read_queries(files("turnstate.stores.sqlite").joinpath("queries.sql").read_text(encoding="utf-8"))
SCHEMA = len(MIGRATIONS)
"""The schema version that this release reads and writes."""

_FILLED = {"search": search.fill}
"""Migrations whose tables are filled from the events that a file has already."""

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_SAFE = "What was committed before is safe, and nothing of this was written"
_LEFT = "The file is damaged: what was committed before may not read, and nothing of this was written"
_CHECK = "check the path, its rights and the disk"
_FIXES = {
    sqlite3.SQLITE_FULL: "free some space on the disk",
    sqlite3.SQLITE_READONLY: "make the file and its folder writable",
    sqlite3.SQLITE_IOERR: "check the disk and its space",
}
_PAUSE = 0.01
_PAGE = 8_192
"""Bytes of a page: rows of a kilobyte leave less of it empty than of SQLite's 4,096."""


def connect(path: Path, url: str, timeout: float) -> sqlite3.Connection:
    """A connection to the file, which is created with our schema unless it is there; an older one is brought up to date.

    Args:
        path: the file; its folder is created too.
        url: the store's URL, for errors.
        timeout: how long to wait for another process, in seconds.

    Raises:
        StoreSchemaError: the file has another schema; nothing was changed.
        StoreUnavailable: the file cannot be made or opened, or is something else.
        StoreBusy: another process did not let go in time.
    """
    try:
        _touch(path)
    except (OSError, ValueError) as error:
        raise StoreUnavailable(url, str(error)) from error
    with explained(url):
        connection = sqlite3.connect(path, timeout=timeout, isolation_level=None, check_same_thread=False)
        try:
            connection.text_factory = text
            _prepare(connection, url, timeout)
        except BaseException:
            connection.close()
            raise
        return connection


def migrate(path: Path, url: str, timeout: float = 30.0) -> Migrated:
    """Make the file with our schema, or bring it up to date: all of it or nothing. `connect` does the same on the way.

    Raises:
        StoreError: as for `connect`.
    """
    before = 0
    if path.is_file():
        with explained(url), closing(sqlite3.connect(path, timeout=timeout, isolation_level=None)) as found:
            before = _version(found, url)
    connect(path, url, timeout).close()
    return Migrated(before, SCHEMA)


def explain(url: str, error: sqlite3.Error) -> StoreError:
    """The driver's error in our words, with the driver's own inside."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None and code & 0xFF in _BUSY:
        return StoreBusy(url, f"is held by another process ({error})")
    name = getattr(error, "sqlite_errorname", None)
    reason = f"{error} ({name})" if name else str(error)
    if code is not None and code & 0xFF in _DAMAGED:
        return StoreUnavailable(
            url, reason, durable=_LEFT, fix="look with `turnstate doctor`, restore a backup"
        )
    return StoreUnavailable(url, reason, durable=_SAFE, fix=_FIXES.get((code or 0) & 0xFF, _CHECK))


def same_file(path: Path, url: str) -> Callable[[], None]:
    """A check that the file is still the one that is open.

    SQLite goes on in a file that was deleted, and nobody would ever read what it writes there.

    Returns:
        A function that raises `StoreUnavailable` while another file, or none, is in its place.
    """
    opened = path.stat()

    def check() -> None:
        try:
            found = path.stat()
        except OSError as error:
            found, reason = None, f"the file is gone ({error.strerror})"
        else:
            reason = "another file was put in its place"
        if found is None or (found.st_dev, found.st_ino) != (opened.st_dev, opened.st_ino):
            raise StoreUnavailable(
                url,
                reason,
                durable=_SAFE,
                fix="put the file back as it was, or close the store and open it again",
            )

    return check


@contextmanager
def explained(url: str) -> Generator[None]:
    """Turn the driver's errors into ours.

    Raises:
        StoreError: the driver raised.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise explain(url, error) from error


def _touch(path: Path) -> None:
    """Make the file for its owner alone before SQLite would make it for all; its journals take its mode."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return


def text(data: bytes) -> str:
    """A column as text; what is not UTF-8 must not stop the rows around it, and `decode` refuses it."""
    return data.decode("utf-8", "surrogateescape")


def _prepare(connection: sqlite3.Connection, url: str, timeout: float) -> None:
    with _transaction(connection, "BEGIN"):
        version = _version(connection, url)
    if version == 0:
        connection.execute(f"PRAGMA page_size = {_PAGE}")  # heeded as long as the file is empty
    _write_ahead(connection, timeout)
    if version < SCHEMA:
        with _transaction(connection, "BEGIN IMMEDIATE"):
            _migrate(connection, _version(connection, url))  # another process may have been quicker
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON").fetchall()


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Generator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _version(connection: sqlite3.Connection, url: str) -> int:
    """The version of the schema, which is ours; 0 for an empty file."""
    version = _pragma(connection, "user_version")
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if version == 0 and tables == 0:
        return 0
    if not 0 < version <= SCHEMA:
        raise StoreSchemaError(version, SCHEMA)
    if _pragma(connection, "application_id") != APPLICATION:
        raise StoreUnavailable(url, "the file is the database of another application")
    applied = connection.execute("SELECT number, checksum FROM migrations ORDER BY number").fetchall()
    if applied != [(step.number, step.checksum) for step in MIGRATIONS[:version]]:
        raise StoreUnavailable(url, "its schema was made by migrations that differ from this release's")
    return version


def _migrate(connection: sqlite3.Connection, version: int) -> None:
    """Apply the migrations behind `version`, each with what it needs of the rows that are there: all or none."""
    for step in MIGRATIONS[version:]:
        for statement in step.statements:
            connection.execute(statement)
        if (fill := _FILLED.get(step.name)) is not None:
            fill(connection)
        connection.execute(
            "INSERT INTO migrations (number, name, checksum) VALUES (?, ?, ?)",
            (step.number, step.name, step.checksum),
        )
    if version < SCHEMA:
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {SCHEMA}")


def _write_ahead(connection: sqlite3.Connection, timeout: float) -> None:
    """Switch to the write-ahead log; SQLite does not wait for others here as it does elsewhere."""
    until = time.monotonic() + timeout
    while _pragma(connection, "journal_mode") != "wal":
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in _BUSY or time.monotonic() > until:
                raise
            time.sleep(_PAUSE)


def _pragma(connection: sqlite3.Connection, name: str) -> Any:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]
