"""The index of a file: words as tokens, rows as numbers, and the index of a file that was made without one."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.search import words
from turnstate.errors import StoreUnavailable
from turnstate.stores.sqlite.database import MIGRATIONS, SCHEMA, connect
from turnstate.stores.sqlite.log import SqliteLog
from turnstate.stores.sqlite.search import row_before, row_of, token
from turnstate.testing.log_contract import closing
from turnstate.testing.log_contract.story import AT, closed, opening, responded, say, summary

OLDER = Path(__file__).with_name("schema_1.sql")


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A file of schema 1 with two tenants' turns in it."""
    path = tmp_path / "chat.db"
    connection = sqlite3.connect(path)
    connection.executescript(OLDER.read_text(encoding="utf-8"))
    connection.close()
    return path


def version(path: Path) -> int:
    """The schema's version, as the file says."""
    connection = sqlite3.connect(path)
    (number,) = connection.execute("PRAGMA user_version").fetchone()
    connection.close()
    return number


# Words and rows ---------------------------------------------------------------------------------


@given(st.text(max_size=20), st.text(max_size=20))
def test_no_two_words_have_one_token(one: str, other: str) -> None:
    """Whatever they are made of."""
    assert (token(one) == token(other)) == (one == other)


@given(st.text(max_size=20, min_size=1))
def test_a_token_is_one_to_the_index(word: str) -> None:
    """It is found as it is, and nothing in it is an operator."""
    connection = sqlite3.connect(":memory:")
    for statement in MIGRATIONS[1].statements:
        if "fts5" in statement:
            connection.execute(statement)
    connection.execute("INSERT INTO search (rowid, words) VALUES (1, ?)", (f"before {token(word)} behind",))
    found = connection.execute(
        "SELECT rowid FROM search WHERE search MATCH ?", (f'"{token(word)}"',)
    ).fetchall()
    connection.close()
    assert found == [(1,)]


@given(st.integers(1, 2**24 - 1), st.integers(1, 10**9), st.integers(1, 2**24 - 1))
def test_a_row_tells_its_turn(turn: int, seq: int, before: int) -> None:
    """And its number is below that of every later turn."""
    row = row_of(turn, seq)
    assert row >> 8 == turn
    assert (row < row_before(before)) == (turn < before)
    assert row < 1 << 32


def test_what_the_index_has_no_room_for_is_not_in_it() -> None:
    """Events outside any turn, and turns beyond sixteen million."""
    assert row_of(0, 1) == row_of(1 << 24, 1) == -1
    assert row_before(-5) == 0
    assert row_before(10**30) == 1 << 32


def test_a_turn_of_many_events_is_found_by_all_of_them(tmp_path: Path) -> None:
    """Two events whose rows have one number are both found."""

    async def converse() -> None:
        async with closing(SqliteLog(tmp_path / "chat.db")) as log:
            await log.open(opening(text="start"))
            steps = [responded(f"step{number}") for number in range(600)]
            await log.append("c1", 1, [*steps, closed()], AT)
            await say(log, "behind")
            found = await log.search("c1", [f"step{number}" for number in range(600)], before=9)
            assert set(found.values()) == {(1,)}

    asyncio.run(converse())


def test_a_row_can_be_taken_out(tmp_path: Path) -> None:
    """With its words made again, as the migration says; nothing of them is left in the file."""
    path = tmp_path / "chat.db"

    async def converse() -> None:
        async with closing(SqliteLog(path)) as log:
            await say(log, "quetzalcoatl arrived")
            await say(log, "quetzalcoatl left")

    async def look() -> tuple[int, ...]:
        async with closing(SqliteLog(path)) as log:
            return (await log.search("c1", ["quetzalcoatl"], before=9))["quetzalcoatl"]

    asyncio.run(converse())
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA secure_delete = ON").fetchall()
    connection.execute("DELETE FROM events")
    for turn, seq, said in ((1, 2, "quetzalcoatl arrived"), (1, 3, "You said: quetzalcoatl arrived")):
        connection.execute(
            "INSERT INTO search (search, rowid, words) VALUES ('delete', ?, ?)",
            ((1 << 32) + row_of(turn, seq), " ".join(sorted(set(words(said))))),
        )
    connection.commit()
    assert asyncio.run(look()) == (2,)
    for turn, seq, said in ((2, 5, "quetzalcoatl left"), (2, 6, "You said: quetzalcoatl left")):
        connection.execute(
            "INSERT INTO search (search, rowid, words) VALUES ('delete', ?, ?)",
            ((1 << 32) + row_of(turn, seq), " ".join(sorted(set(words(said))))),
        )
    connection.execute("INSERT INTO search (search) VALUES ('optimize')")
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.close()
    assert asyncio.run(look()) == ()
    assert b"quetzal" not in path.read_bytes()


# Older files ------------------------------------------------------------------------------------


def test_an_older_file_is_searched_like_a_new_one(older: Path) -> None:
    """Its index is made when it is opened, of every tenant's events that decode; and it goes on."""

    async def look() -> None:
        async with closing(SqliteLog(older)) as log:
            got = await log.search("c1", words("order ORD-4711 lost colleague damaged parcel"), before=9)
            assert got["order"] == (1, 2)
            assert got["ord-4711"] == (1, 2)
            assert got["lost"] == (2,)
            assert (await log.search("c1", words("订单"), before=9)) == {"订单": (2,)}
            assert set((await log.search("c1", words("colleague parcel"), before=9)).values()) == {(4,)}
            assert (await log.search("c1", ["damag"], before=9))["damag"] == (3,)  # as its reply says
            assert await say(log, "A new order", user="ann") == 5
            assert (await log.search("c1", ["order"], before=9))["order"] == (1, 2, 5)
            assert len(await log.read_turns("c1", [2])) == 6
        async with closing(SqliteLog(older, "other")) as other:
            assert (await other.search("c1", ["order", "lost"], before=9)) == {"order": (1,), "lost": ()}

    assert version(older) == 1
    asyncio.run(look())
    assert version(older) == SCHEMA
    asyncio.run(_reopened(older))


async def _reopened(path: Path) -> None:
    """What was upgraded opens again, and has its index still."""
    async with closing(SqliteLog(path)) as log:
        assert (await log.search("c1", ["order"], before=9))["order"] == (1, 2, 5)
        await log.append("c1", 2, [summary()], AT)


def test_an_older_file_has_the_schema_of_a_new_one(older: Path, tmp_path: Path) -> None:
    """Table for table and index for index, with the same migrations on record."""
    schemas: list[object] = []
    for path in (older, tmp_path / "new.db"):
        connection = connect(path, "sqlite:///x", 1)
        schemas.append(
            connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()
        )
        schemas.append(connection.execute("SELECT * FROM migrations").fetchall())
        connection.close()
    assert schemas[:2] == schemas[2:]


def test_an_upgrade_that_stops_half_way_leaves_the_file_as_it_was(older: Path) -> None:
    """It is one transaction, and is done again when the file is next opened."""

    def told(statement: str) -> list[tuple[str]]:
        connection = sqlite3.connect(older)
        rows = connection.execute(statement).fetchall()
        connection.commit()
        connection.close()
        return rows

    told("CREATE INDEX events_turn ON events (turn)")  # what the migration makes last is there already
    with pytest.raises(StoreUnavailable, match="events_turn"):
        connect(older, "sqlite:///x", 1)
    assert version(older) == 1
    assert told("SELECT name FROM sqlite_master WHERE name LIKE 'search%'") == []
    told("DROP INDEX events_turn")
    connect(older, "sqlite:///x", 1).close()
    assert version(older) == SCHEMA


def test_an_older_file_made_by_edited_migrations_is_refused(older: Path) -> None:
    """It stays what it was."""
    connection = sqlite3.connect(older)
    connection.execute("UPDATE migrations SET checksum = 'x'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreUnavailable, match="differ"):
        connect(older, "sqlite:///x", 1)
    assert version(older) == 1
