"""The database: its schema and how it is made, its queries, and the driver's errors in our words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import tuple_row
from psycopg_pool import PoolTimeout

from turnstate.errors import StoreError, StoreSchemaError, StoreUnavailable, StoreUrlError
from turnstate.stores.migrations import Migrated, read_migrations, read_queries
from turnstate.stores.urls import without_password

MIGRATIONS = read_migrations(files("turnstate.stores.postgres"))
QUERIES = read_queries(files("turnstate.stores.postgres").joinpath("queries.sql").read_text(encoding="utf-8"))
VERSION = len(MIGRATIONS)
"""The schema version that this release reads and writes."""

SCHEMA = "turnstate"
"""The schema in which the tables are, unless told otherwise."""

AGAIN = (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected, psycopg.errors.UniqueViolation)
"""Errors after which nothing of a transaction is there, and the same transaction may go well."""

UNPREPARED = (psycopg.errors.InvalidSqlStatementName, psycopg.errors.DuplicatePreparedStatement)
"""Errors of a statement that something between here and the server prepared elsewhere, or did not."""

ATTEMPTS = 20
"""How often a transaction is tried that others got in the way of."""

_AWAY = "check that the database is up and can be reached"
_BUSY = "look for what keeps the connections busy, or allow more with Connecting(size=...) or a larger pool"
_FIXES = {
    "28": "check the user and the password",
    "3D": "check the name of the database",
    "42": "check the rights of the user on the schema and its tables",
    "53": "check the disk, the memory and the number of connections of the database",
    "570": "look for a long transaction that keeps a lock, or for what makes the database slow",
    "57P": _AWAY,
    "25": "check that the database is not a read-only replica",
}
"""What to do, by the beginning of the error's code."""

_IDENTIFIER = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_SCHEMES = ("postgresql://", "postgres://")


def is_postgres(url: str) -> bool:
    """Whether `url` names a PostgreSQL database."""
    return url.startswith(_SCHEMES)


def shown(url: object) -> str:
    """A URL as it may be shown, without a password; no more than the scheme for anything else that a pool connects by."""
    if not isinstance(url, str) or "://" not in url:
        return _SCHEMES[0]
    return re.sub(r"(password=)[^&]*", r"\1***", without_password(url))


def checked_url(url: str) -> str:
    """`url`, if the driver understands it.

    Raises:
        StoreUrlError: it does not; the error has no password.
    """
    try:
        if not is_postgres(url):
            raise StoreUrlError(shown(url), "names no PostgreSQL database")
        conninfo_to_dict(url)
    except psycopg.Error:
        raise StoreUrlError(shown(url), "does not read as the URL of a database") from None
    return url


def queries(schema: str, url: str) -> Mapping[str, bytes]:
    """The queries by name, for the tables in `schema`.

    Raises:
        StoreUrlError: it is no plain identifier.
    """
    quoted = quoted_name(schema, url)
    return MappingProxyType({name: sql.replace("{schema}", quoted).encode() for name, sql in QUERIES.items()})


def no_room(url: str, seconds: float) -> StoreError:
    """All connections are in use."""
    return explain(url, PoolTimeout(f"within {seconds:g} s"))


def explain(url: str, error: Exception, *, unknown: bool = False) -> StoreError:
    """The driver's error in our words, without a password.

    Args:
        url: the store's URL.
        error: the driver's.
        unknown: whether nobody can say if what was sent is durable.
    """
    code = getattr(error, "sqlstate", None) or ""
    text = " ".join(re.sub(r"(password\s*=\s*|://[^\s:@/]*:)[^\s@]+", r"\1***", str(error)).split())
    if isinstance(error, PoolTimeout):
        text = f"no connection became free ({text})"
    elif code:
        text = f"{text} ({code})"
    durable = (
        "What was committed before is safe, and whether this was is not known"
        if unknown
        else "What was committed before is safe, and nothing of this was written"
    )
    fix = _BUSY if isinstance(error, PoolTimeout) else _FIXES.get(code[:3], _FIXES.get(code[:2], _AWAY))
    return StoreUnavailable(url, text or type(error).__name__, durable=durable, fix=fix)


async def check_schema(connection: psycopg.AsyncConnection[Any], schema: str, url: str) -> None:
    """Let only a database with this release's schema pass.

    Raises:
        StoreSchemaError: it has another, or none.
        StoreUnavailable: its migrations are not this release's.
    """
    found = await _version(connection, schema, url)
    if found != VERSION:
        raise _missing(found, schema)


async def migrate(url: str, schema: str = SCHEMA) -> Migrated:
    """Make the tables, or bring them up to date: all of it or nothing; the only thing that changes a schema.

    Args:
        url: "postgresql://user@host/database"; its user may make schemas and tables.
        schema: the schema that has the tables, which is made unless it is there.

    Raises:
        StoreUrlError: the URL or the schema does not read.
        StoreSchemaError: the schema is newer than this release.
        StoreUnavailable: the database cannot be reached or changed; nothing was changed.
    """
    name = shown(checked_url(url))
    quoted = quoted_name(schema, name)
    for left in reversed(range(ATTEMPTS)):
        try:
            async with await psycopg.AsyncConnection.connect(url, client_encoding="utf8") as connection:
                return await _migrate(connection, schema, quoted, name)
        except (*AGAIN, psycopg.errors.DuplicateTable) as error:
            if not left:
                raise explain(name, error) from None
        except psycopg.Error as error:
            raise explain(name, error) from None
    raise AssertionError


async def _migrate(connection: psycopg.AsyncConnection[Any], schema: str, quoted: str, name: str) -> Migrated:
    found = await _version(connection, schema, name)
    if found > VERSION:
        raise _missing(found, schema)
    if found == 0:
        await connection.execute(f"CREATE SCHEMA IF NOT EXISTS {quoted}".encode())
    for step in MIGRATIONS[found:]:
        for statement in step.statements:
            await connection.execute(statement.replace("{schema}", quoted).encode())
        await connection.execute(
            queries(schema, name)["add_migration"],
            {"number": step.number, "name": step.name, "checksum": step.checksum},
        )
    return Migrated(found, VERSION)


def _missing(found: int, schema: str) -> StoreSchemaError:
    """The database does not have the schema of this release."""
    options = f" with `--schema {schema}`" if schema != SCHEMA else ""
    return StoreSchemaError(found, VERSION, fix=f"run `turnstate migrate URL`{options}, on a copy first")


async def _version(connection: psycopg.AsyncConnection[Any], schema: str, url: str) -> int:
    """The version of the schema, which is ours; 0 where there is none."""
    quoted = quoted_name(schema, url)
    cursor = connection.cursor(row_factory=tuple_row)
    await cursor.execute(b"SELECT to_regclass(%s) IS NOT NULL", (f"{quoted}.migrations",))
    if (await cursor.fetchone()) != (True,):
        return 0
    await cursor.execute(queries(schema, url)["list_migrations"])
    applied = await cursor.fetchall()
    if applied[:VERSION] != [(step.number, step.checksum) for step in MIGRATIONS[: len(applied)]]:
        raise StoreUnavailable(url, "its schema was made by migrations that differ from this release's")
    return len(applied)


def quoted_name(schema: str, url: str) -> str:
    """`schema` as a statement names it."""
    if not _IDENTIFIER.fullmatch(schema):
        raise StoreUrlError(
            url, f"cannot have a schema {schema!r}: small letters, digits and _ make its name"
        )
    return f'"{schema}"'
