"""A doctor for the tables of PostgreSQL: one transaction that only reads, and sees the tables as of one moment."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, TypeAlias

import psycopg
from psycopg import Connection, IsolationLevel
from psycopg.rows import TupleRow

from turnstate.stores.codec import uncolumn
from turnstate.stores.doctor import Chart, EventRow, Examination, FactRow, Finding, Report, TurnRow
from turnstate.stores.migrations import read_queries
from turnstate.stores.postgres.database import (
    MIGRATIONS,
    QUERIES,
    SCHEMA,
    VERSION,
    checked_url,
    explain,
    quoted_name,
    shown,
)
from turnstate.stores.postgres.rows import SPAN, indexed, word_of

_QUERIES = read_queries(files("turnstate.stores.postgres").joinpath("doctor.sql").read_text(encoding="utf-8"))
_AT_ONCE = 500
"""Conversations that are fetched at a time."""

Reader: TypeAlias = Connection[TupleRow]


def examine(url: str, schema: str = SCHEMA, known: Mapping[str, int] | None = None) -> Report:
    """Look at the tables, and change nothing.

    Args:
        url: "postgresql://user@host/database".
        schema: the schema that has the tables.
        known: the newest version of each state that the application has, by name; None where nobody says.

    Raises:
        StoreUrlError: the URL or the schema does not read.
        StoreUnavailable: the database cannot be reached or read.
    """
    name = shown(checked_url(url))
    tables = quoted_name(schema, name)
    examination = Examination(known)
    try:
        with psycopg.connect(url, client_encoding="utf8", prepare_threshold=None) as connection:
            connection.isolation_level = IsolationLevel.REPEATABLE_READ
            connection.read_only = True
            found, problems = _schema(connection, tables, schema)
            examination.add(problems)
            if not problems:
                _look(connection, tables, examination)
    except psycopg.Error as error:
        raise explain(name, error) from None
    return examination.report(name, found, VERSION)


def _schema(connection: Reader, tables: str, schema: str) -> tuple[int, list[Finding]]:
    """The version of the schema, and what is wrong with it; with anything wrong, the rest cannot be looked at."""
    run = f"Run `turnstate migrate URL{f' --schema {schema}' if schema != SCHEMA else ''}`, on a copy first"
    if connection.execute("SELECT to_regclass(%s)", (f"{tables}.migrations",)).fetchone() == (None,):
        return 0, [Finding("schema", f"there are no tables in the schema {schema}", run)]
    applied = connection.execute(QUERIES["list_migrations"].replace("{schema}", tables).encode()).fetchall()
    found = len(applied)
    if applied[:VERSION] != [(step.number, step.checksum) for step in MIGRATIONS[:found]]:
        problem = "its schema was made by migrations that differ from this release's"
        return found, [Finding("checksum", problem, "Use the release that made it, or restore it")]
    if found > VERSION:
        problem = f"schema {found} is newer than this release's, which is {VERSION}"
        return found, [Finding("schema", problem, "Install the release that made it")]
    if found < VERSION:
        problem = f"schema {found} is older than this release's, which is {VERSION}"
        return found, [Finding("schema", problem, run)]
    return found, []


def _look(connection: Reader, tables: str, examination: Examination) -> None:
    queries = {name: query.replace("{schema}", tables).encode() for name, query in _QUERIES.items()}
    (now,) = connection.execute(queries["clock"]).fetchone() or (0,)
    for table, tenant, number in connection.execute(queries["orphans"]).fetchall():
        problem = f"{number:,} rows of {table} belong to no conversation"
        examination.add([Finding("orphans", problem, "Restore the store from a backup", uncolumn(tenant))])
    with connection.cursor("turnstate_doctor") as listing:  # on the server: a store may have millions
        listing.execute(queries["conversations"])
        while rows := listing.fetchmany(_AT_ONCE):
            for tenant, number, name, head, last in rows:
                room = _Room(connection, queries, tenant, number, now)
                examination.look(room.chart(name, head, last))


@dataclass(frozen=True, slots=True)
class _Room:
    """Where one conversation is."""

    connection: Reader
    queries: Mapping[str, bytes]
    tenant: str
    number: uuid.UUID
    now: int

    def kept(self, query: str, **values: Any) -> list[TupleRow]:
        given = {"tenant": self.tenant, "conversation": self.number, **values}
        return self.connection.execute(self.queries[query], given).fetchall()

    def chart(self, name: str, head: int, last: int) -> Chart:
        nothing: tuple[int, list[int]] = (1, [])
        first, keep = next(iter(self.kept("snapshot")), nothing)
        return Chart(
            uncolumn(self.tenant),
            uncolumn(name),
            head,
            last,
            [EventRow(*row) for row in self.kept("events")],
            [TurnRow(*row) for row in self.kept("turns", now=self.now)],
            [FactRow(*row) for row in self.kept("facts")],
            first,
            keep,
            self.blob,
            self.lacks,
        )

    def blob(self, sha: str) -> bytes | None:
        return next((bytes(data) for (data,) in self.kept("blob", sha=sha)), None)

    def lacks(self, turn: int, _: int, words: frozenset[str]) -> bool:
        # One row of the index has the words of what was recorded at one time; a turn has several.
        return not all(
            self.kept("words", turn=turn, words=[indexed(word_of(self.number, word), turn // SPAN)])[0][0]
            for word in words
        )
