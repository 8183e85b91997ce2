"""Make the golden files of the release that is installed: `python tests/golden/make.py [DATABASE_URL]`.

A file says what a released schema or codec wrote, and is never changed again once that release is out. Writes beside
itself `sqlite_N.sql`, `events_N.json` with the events of every kind, and with the URL of a PostgreSQL `postgres_N.sql`; N is
the schema's version. Files that are there are left alone unless `--again` is given.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from golden.story import EVERY, fill  # noqa: E402  # the path is set above
from turnstate.stores.codec import encode  # noqa: E402
from turnstate.stores.migrations import read_migrations  # noqa: E402
from turnstate.stores.sqlite import database as sqlite_database  # noqa: E402
from turnstate.stores.sqlite.log import SqliteLog  # noqa: E402

SHADOWS = ("search_data", "search_idx", "search_config")
"""What the search index is kept in."""


def events() -> list[dict[str, Any]]:
    """Events of every kind as this release writes them."""
    return [
        {
            "tag": encoded.tag,
            "version": encoded.version,
            "body": encoded.body,
            "blobs": {name: base64.b64encode(data).decode() for name, data in encoded.blobs.items()},
        }
        for encoded in map(encode, EVERY)
    ]


def dumped(connection: sqlite3.Connection) -> Iterator[str]:
    """A database as SQL text; the index byte for byte, though SQLite makes its tables itself."""
    yield "PRAGMA page_size = 8192;"
    yield "BEGIN;"
    version, application = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id")
    )
    schema = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    tables = [
        (name, sql)
        for kind, name, sql in schema
        if kind == "table" and not name.startswith(("search_", "sqlite_"))
    ]
    for _, sql in tables:
        yield f"{sql};"
    for name in [name for name, _ in tables if name != "search"] + [
        n for n in SHADOWS if _has(connection, n)
    ]:
        yield f"DELETE FROM {name};"
        yield from _rows(connection, name)
    yield from (f"{sql};" for kind, _, sql in schema if kind == "index")
    yield f"PRAGMA application_id = {application};"
    yield f"PRAGMA user_version = {version};"
    yield "COMMIT;"


def _has(connection: sqlite3.Connection, name: str) -> bool:
    asked = "SELECT count(*) FROM sqlite_master WHERE name = ?"
    return connection.execute(asked, (name,)).fetchone()[0] > 0


def _rows(connection: sqlite3.Connection, name: str) -> Iterator[str]:
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
    values = " || ',' || ".join(f'quote("{column}")' for column in columns)
    for (row,) in connection.execute(f"SELECT {values} FROM {name}"):
        yield f"INSERT INTO {name} VALUES ({row});"


async def sqlite_text() -> str:
    """The story in a SQLite file, as SQL text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chat.db"
        log, other = SqliteLog(path), SqliteLog(path, "other")
        await fill(log, other)
        await log.close()
        await other.close()
        with closing(sqlite3.connect(path)) as connection:
            return "\n".join(dumped(connection)) + "\n"


def postgres_text(url: str) -> str:
    """The story in PostgreSQL, as SQL text; the schema stands as {schema}."""
    import psycopg  # noqa: PLC0415  # an optional extra

    from turnstate.stores.postgres.log import PostgresLog  # noqa: PLC0415  # as above

    name = "golden_being_made"

    async def tell() -> None:
        await PostgresLog.migrate(url, name)
        log, other = PostgresLog(url, schema=name), PostgresLog(url, "other", schema=name)
        await fill(log, other)
        await log.close()
        await other.close()

    asyncio.run(tell())
    lines: list[str] = []
    folder = Path(sys.modules["turnstate.stores.postgres"].__path__[0])
    for step in read_migrations(folder):
        lines += [f"{statement};" for statement in step.statements]
    with psycopg.connect(url) as connection:
        tables = [
            row[0]
            for row in connection.execute(
                "SELECT table_name FROM information_schema.tables WHERE table_schema = %s ORDER BY 1", (name,)
            )
        ]
        for table in tables:
            columns = [
                row[0]
                for row in connection.execute(
                    "SELECT column_name FROM information_schema.columns WHERE table_schema = %s "
                    "AND table_name = %s ORDER BY ordinal_position",
                    (name, table),
                )
            ]
            values = " || ', ' || ".join(f'quote_nullable("{column}"::text)' for column in columns)
            found = connection.execute(f'SELECT {values} FROM {name}."{table}"'.encode()).fetchall()
            named = ", ".join(columns)
            lines += [f"INSERT INTO {{schema}}.{table} ({named}) VALUES ({row[0]});" for row in found]
        connection.execute(f"DROP SCHEMA {name} CASCADE".encode())
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> None:
    """Write what is not there yet."""
    again = "--again" in arguments
    urls = [argument for argument in arguments if "://" in argument]
    schema = len(sqlite_database.MIGRATIONS)
    _write(f"events_{schema}.json", lambda: json.dumps(events(), indent=1) + "\n", again=again)
    _write(f"sqlite_{schema}.sql", lambda: asyncio.run(sqlite_text()), again=again)
    if urls:
        from turnstate.stores.postgres.database import MIGRATIONS  # noqa: PLC0415  # an optional extra

        _write(f"postgres_{len(MIGRATIONS)}.sql", lambda: postgres_text(urls[0]), again=again)


def _write(name: str, made: Any, *, again: bool) -> None:
    file = HERE / name
    if file.exists() and not again:
        print(f"{name} is there")  # noqa: T201  # a script
        return
    file.write_text(made(), encoding="utf-8")
    print(f"{name} written")  # noqa: T201  # a script


if __name__ == "__main__":
    main(sys.argv[1:])
