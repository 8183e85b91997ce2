"""The database: its schema and how it is made, its queries, and the driver's errors in our words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import Any, NamedTuple

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import tuple_row
from psycopg_pool import PoolTimeout

from turnstate.errors import StoreError, StoreSchemaError, StoreUnavailable, StoreUrlError
from turnstate.stores.migrations import read_migrations, read_queries
from turnstate.stores.urls import without_password

MIGRATIONS = read_migrations(files("turnstate.stores.postgres"))
QUERIES = read_queries(files("turnstate.stores.postgres").joinpath("queries.sql").read_text(encoding="utf-8"))
VERSION = len(MIGRATIONS)
"""The schema version that this release reads and writes."""

SCHEMA = "turnstate"
"""The schema in which the tables are, unless told otherwise."""

AGAIN = (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected, psycopg.errors.UniqueViolation)
"""Errors after which nothing of a transaction is there, and the same transaction may go well."""

ATTEMPTS = 20
"""How often a transaction is tried that others got in the way of."""

_IDENTIFIER = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_SCHEMES = ("postgresql://", "postgres://")


class SchemaMissing(StoreSchemaError):
    """The database does not have the schema of this release."""

    def __init__(self, found: int, schema: str) -> None:
        super().__init__(found, VERSION)
        step = (
            "install a release of turnstate that knows it"
            if found > VERSION
            else "run `turnstate migrate URL`"
            + (f" with `--schema {schema}`" if schema != SCHEMA else "")
            + ", on a copy first"
        )
        message = (
            f"The database has version {found} of schema {schema!r}, this release has version {VERSION}. "
            f"Nothing was changed: {step}."
        )
        self.args = (message,)


class Migrated(NamedTuple):
    """What a migration did.

    Attributes:
        before: the schema version that was there; 0 for none.
        after: the schema version that is there now.
    """

    before: int
    after: int


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
    quoted = _quoted(schema, url)
    return MappingProxyType({name: sql.replace("{schema}", quoted).encode() for name, sql in QUERIES.items()})


def explain(url: str, error: Exception) -> StoreError:
    """The driver's error in our words, without a password."""
    if isinstance(error, PoolTimeout):
        return StoreUnavailable(url, f"no connection became free, and nothing of this was written ({error})")
    code = getattr(error, "sqlstate", None)
    text = " ".join(re.sub(r"(password\s*=\s*|://[^\s:@/]*:)[^\s@]+", r"\1***", str(error)).split())
    return StoreUnavailable(url, f"{text} ({code})" if code else text or type(error).__name__)


async def check_schema(connection: psycopg.AsyncConnection[Any], schema: str, url: str) -> None:
    """Let only a database with this release's schema pass.

    Raises:
        StoreSchemaError: it has another, or none.
        StoreUnavailable: its migrations are not this release's.
    """
    found = await _version(connection, schema, url)
    if found != VERSION:
        raise SchemaMissing(found, schema)


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
    quoted = _quoted(schema, name)
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
        raise SchemaMissing(found, schema)
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


async def _version(connection: psycopg.AsyncConnection[Any], schema: str, url: str) -> int:
    """The version of the schema, which is ours; 0 where there is none."""
    quoted = _quoted(schema, url)
    cursor = connection.cursor(row_factory=tuple_row)
    await cursor.execute(b"SELECT to_regclass(%s) IS NOT NULL", (f"{quoted}.migrations",))
    if (await cursor.fetchone()) != (True,):
        return 0
    await cursor.execute(queries(schema, url)["list_migrations"])
    applied = await cursor.fetchall()
    if applied[:VERSION] != [(step.number, step.checksum) for step in MIGRATIONS[: len(applied)]]:
        raise StoreUnavailable(url, "its schema was made by migrations that differ from this release's")
    return len(applied)


def _quoted(schema: str, url: str) -> str:
    """`schema` as a statement names it."""
    if not _IDENTIFIER.fullmatch(schema):
        raise StoreUrlError(
            url, f"cannot have a schema {schema!r}: small letters, digits and _ make its name"
        )
    return f'"{schema}"'
