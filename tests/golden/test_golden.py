"""What released schemas wrote is read, upgraded and gone on with; the files are made by `python tests/golden/make.py`."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import sqlite3
import uuid
from pathlib import Path
from typing import Any

import pytest

from golden.story import AWKWARD, EVERY
from turnstate.core.history import fold
from turnstate.core.messages import user_message, user_text
from turnstate.ports import Log, Opening
from turnstate.stores.codec import decode, encode
from turnstate.stores.shapes import EVENTS
from turnstate.stores.sqlite.database import MIGRATIONS, SCHEMA, migrate
from turnstate.stores.sqlite.doctor import examine
from turnstate.stores.sqlite.log import SqliteLog

HERE = Path(__file__).parent
LOGS = sorted(HERE.glob("events_*.json"))
FILES = sorted(HERE.glob("sqlite_*.sql"))
TABLES = sorted(HERE.glob("postgres_*.sql"))
AT = 1_800_000_000_000_000


def version(file: Path) -> int:
    """The schema that wrote a golden file."""
    return int(re.findall(r"\d+", file.stem)[0])


def named(file: Path) -> str:
    """A file as the id of a test."""
    return file.stem


# Events -----------------------------------------------------------------------------------------


def logged(file: Path) -> list[dict[str, Any]]:
    """The rows of a golden log."""
    return json.loads(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", LOGS, ids=named)
def test_every_event_that_was_ever_written_decodes(file: Path) -> None:
    """To the event that was meant."""
    meant = {encode(event).tag: event for event in EVERY}
    for row in logged(file):
        blobs = {name: base64.b64decode(data) for name, data in row["blobs"].items()}
        assert decode(row["tag"], row["version"], row["body"], blobs.get) == meant[row["tag"]]


@pytest.mark.newest
def test_the_newest_log_has_every_kind() -> None:
    """And is what this release writes: if not, make it with `python tests/golden/make.py --again`."""
    newest = logged(max(LOGS, key=version))
    assert {row["tag"] for row in newest} == {shape.tag for shape in EVENTS}
    for row, event in zip(newest, EVERY, strict=True):
        encoded = encode(event)
        assert (row["tag"], row["version"], row["body"]) == (encoded.tag, encoded.version, encoded.body)


# Databases --------------------------------------------------------------------------------------


async def check(log: Log, other: Log) -> None:
    """The story is there, keys are kept, words are found, and the conversation goes on."""
    history = fold(await log.load("c1"))
    assert [(turn.number, turn.status) for turn in history.turns] == [
        (1, "closed"),
        (2, "failed"),
        (3, "open"),
    ]
    assert AWKWARD in user_text(history.turns[0].user)
    assert history.turns[0].reply.startswith("It has shipped, $40.50 in all.")
    assert [held.value for held in history.states] == [{"items": 2, "names": ["a", "b"]}]
    assert [fact.value for fact in await log.facts(user="ann", conversation="c1")] == ["Oslo"]
    assert await log.search("c1", ["48214", "moment", "shop"], before=9) == {
        "48214": (2,), "moment": (1, 3), "shop": ()
    }  # fmt: skip
    assert [info.conversation for info in await log.conversations()] == ["c\\2 \0", "c1"]
    assert [info.turns for info in await other.conversations()] == [1]
    assert await other.search("c1", ["shop"], before=9) == {"shop": (1,)}
    opening = Opening("c1", "ann", "key-1", "d1gest", user_message("x", AT), AT)
    assert (await log.open(opening)).state == "closed"
    assert (await log.open(Opening("c1", "ann", None, "d9", user_message("Hello again", AT), AT))).turn == 4
    assert (await log.search("c1", ["again"], before=9)) == {"again": (4,)}


def restored(file: Path, path: Path) -> None:
    """A golden database as a file."""
    connection = sqlite3.connect(path)
    connection.executescript(file.read_text(encoding="utf-8"))
    connection.close()


@pytest.mark.parametrize("file", FILES, ids=named)
def test_a_file_of_every_released_schema_upgrades(file: Path, tmp_path: Path) -> None:
    """By the doctor's word it is older before, and healthy after but for the turn that was left open."""
    path = tmp_path / "chat.db"
    restored(file, path)
    before = examine(path, "x")
    assert before.found == version(file)
    older = ["schema"] if version(file) < SCHEMA else ["nobody-works", "nobody-works"]
    assert [finding.kind for finding in before.findings] == older
    assert migrate(path, "x") == (version(file), SCHEMA)
    assert [finding.kind for finding in examine(path, "x").findings] == ["nobody-works", "nobody-works"]

    async def tell() -> None:
        log, other = SqliteLog(path), SqliteLog(path, "other")
        await check(log, other)
        await log.close()
        await other.close()

    asyncio.run(tell())


def shape_of(path: Path) -> list[str]:
    """The statements that a file's tables and indices were made by, in one spelling."""
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    connection.close()
    return sorted(" ".join(sql.replace('"', "").split()) for (sql,) in rows)


@pytest.mark.parametrize("file", FILES, ids=named)
def test_an_upgraded_file_has_the_tables_of_a_new_one(file: Path, tmp_path: Path) -> None:
    """Down to the last index."""
    restored(file, tmp_path / "old.db")
    migrate(tmp_path / "old.db", "x")
    migrate(tmp_path / "new.db", "x")
    assert shape_of(tmp_path / "old.db") == shape_of(tmp_path / "new.db")


@pytest.mark.newest
def test_there_is_a_golden_file_of_the_schema_of_this_release() -> None:
    """Made by its own migrations: if not, make it with `python tests/golden/make.py --again URL-OF-A-POSTGRESQL`."""
    newest = (HERE / f"sqlite_{SCHEMA}.sql").read_text(encoding="utf-8")
    assert MIGRATIONS[-1].checksum in newest
    from turnstate.stores.postgres.database import MIGRATIONS as STEPS  # noqa: PLC0415  # an optional extra

    newest = (HERE / f"postgres_{len(STEPS)}.sql").read_text(encoding="utf-8")
    assert STEPS[-1].checksum in newest


@pytest.mark.xdist_group("postgres")  # one server, in one worker
@pytest.mark.parametrize("file", TABLES, ids=named)
def test_tables_of_every_released_schema_upgrade(file: Path, server: str) -> None:
    """As in a file."""
    import psycopg  # noqa: PLC0415  # an optional extra, which the oldest environment is without

    from turnstate.stores.postgres.database import VERSION  # noqa: PLC0415  # as above
    from turnstate.stores.postgres.doctor import examine as examine_tables  # noqa: PLC0415  # as above
    from turnstate.stores.postgres.log import PostgresLog  # noqa: PLC0415  # as above

    schema = f"g{uuid.uuid4().hex}"
    with psycopg.connect(server) as connection:
        connection.execute(f"CREATE SCHEMA {schema}".encode())
        connection.execute(file.read_text(encoding="utf-8").replace("{schema}", schema).encode())
    before = examine_tables(server, schema)
    assert before.found == version(file)
    assert (before.findings[0].kind == "schema") == (version(file) < VERSION)

    async def tell() -> None:
        assert await PostgresLog.migrate(server, schema) == (version(file), VERSION)
        log, other = PostgresLog(server, schema=schema), PostgresLog(server, "other", schema=schema)
        await check(log, other)
        await log.close()
        await other.close()

    kinds = [finding.kind for finding in examine_tables(server, schema).findings]
    assert kinds.count("nobody-works") == len(kinds) or version(file) < VERSION
    asyncio.run(tell())
