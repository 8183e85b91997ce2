"""A damaged event is left out and the rest reads, whatever its kind and whatever became of it, in every store."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from typer.testing import CliRunner

from golden.story import AT, fill
from turnstate.assistant import Assistant
from turnstate.cli import app
from turnstate.core.events import TurnPaused
from turnstate.core.history import fold
from turnstate.core.messages import user_message
from turnstate.errors import EventDecodeError, TurnBroken
from turnstate.ports import Log, Opening
from turnstate.stores.doctor import Finding
from turnstate.stores.postgres.doctor import examine as examine_tables
from turnstate.stores.postgres.log import PostgresLog
from turnstate.stores.shapes import EVENTS
from turnstate.stores.sqlite.doctor import examine as examine_file
from turnstate.stores.sqlite.log import SqliteLog
from turnstate.testing.log_contract import closing
from turnstate.testing.log_contract.story import fact, learned, say
from turnstate.testing.scripted import ScriptedModel

pytestmark = pytest.mark.xdist_group("postgres")  # one server, in one worker

HARMS = {
    "cut off": "body = substr(body, 1, length(body) / 2)",
    "not an object": "body = '[]'",
    "nothing in it": """body = '{"no": "such field"}'""",
    "of an unknown kind": "tag = 'novelty'",
    "of a newer release": "version = 99",
    "too deep": "body = repeat_text",
    "not UTF-8": "body = CAST(x'7b22ff' AS TEXT)",
}
"""What may become of a row."""

OPTIONAL = {
    "conversation-opened",
    "turn-paused",
    "turn-pinned",
    "rated",
    "handed-off",
    "resumed",
    "said",
    "asked",
}
"""Kinds that need none of their fields."""


@dataclass(frozen=True, slots=True)
class Store:
    """A store that a test damages.

    Attributes:
        open: opens it, for a tenant.
        run: runs a statement behind its back and gives the rows.
        doctor: what is wrong in it.
    """

    open: Callable[[str], Log]
    run: Callable[[str], list[tuple[Any, ...]]]
    doctor: Callable[[], tuple[Finding, ...]]


def _file(path: Path) -> Store:
    def run(statement: str) -> list[tuple[Any, ...]]:
        connection = sqlite3.connect(path)
        connection.text_factory = bytes
        rows = connection.execute(statement).fetchall()
        connection.commit()
        connection.close()
        return rows

    return Store(lambda tenant: SqliteLog(path, tenant), run, lambda: examine_file(path, "x").findings)


def _tables(server: str, schema: str) -> Store:
    def run(statement: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(server) as connection:
            connection.execute(f'SET search_path TO "{schema}"'.encode())
            done = connection.execute(statement.encode())
            return done.fetchall() if done.description else []

    return Store(
        lambda tenant: PostgresLog(server, tenant, schema=schema),
        run,
        lambda: examine_tables(server, schema).findings,
    )


@pytest.fixture(params=["sqlite", "postgres"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """An empty store of each kind."""
    if request.param == "sqlite":
        return _file(tmp_path / "chat.db")
    return _tables(request.getfixturevalue("server"), request.getfixturevalue("schema"))


async def filled(log: Log, other: Log) -> None:
    """Events of every kind that a log takes from outside, in conversation c1."""
    await fill(log, other)
    opened = await log.open(Opening("c1", "ann", "key-9", "d9", user_message("May I?", AT), AT + 9))
    await log.append("c1", opened.turn, [TurnPaused("I asked.")], AT + 9)


async def looked(log: Log) -> None:
    """Every read that has nothing to do with the events one by one."""
    await log.search("c1", ["moment", "48214"], before=99)
    await log.facts(user="ann", conversation="c1", superseded=True)
    await log.conversations(user="ann")
    fold(await log.load("c1"))
    await log.load("c\\2 \0")


@pytest.mark.parametrize("harm", HARMS)
def test_a_damaged_event_of_any_kind_is_left_out(
    kept: Store, harm: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Every read has all others, the log names it once, the doctor names it, and the conversation goes on."""
    change = HARMS[harm].replace("repeat_text", f"""'{'{"a":' * 20_000}'""")

    async def tell() -> None:
        async with closing(kept.open("default")) as log, closing(kept.open("other")) as other:
            await filled(log, other)
            for recorded in await log.read("c1"):
                await harmed(log, recorded.seq)

    async def harmed(log: Log, seq: int) -> None:
        row = f"tenant = 'default' AND seq = {seq} AND conversation IN (SELECT {number} FROM conversations WHERE id = 'c1')"
        before = await log.read("c1")
        ((tag, version, body),) = kept.run(f"SELECT tag, version, body FROM events WHERE {row}")
        tag, body = _text(tag), _text(body)
        if harm == "nothing in it" and tag in OPTIONAL:
            return
        kept.run(f"UPDATE events SET {change} WHERE {row}")
        caplog.clear()
        rest = tuple(each for each in before if each.seq != seq)
        turn = next(each.turn for each in before if each.seq == seq)
        assert await log.read("c1") == rest
        assert await log.load("c1") == rest
        assert await log.read("c1", turn=turn) == tuple(each for each in rest if each.turn == turn)
        assert await log.read_turns("c1", [turn]) == tuple(each for each in rest if each.turn == turn)
        assert await log.read("c1", after=seq - 1, limit=1) == ()
        await looked(log)
        warned = [record for record in caplog.records if record.levelno >= logging.WARNING]
        assert [record.getMessage().startswith(f"event {seq} of conversation 'c1'") for record in warned] == [
            True
        ]
        assert [(found.kind, found.seq) for found in kept.doctor() if found.kind == "undecodable"] == [
            ("undecodable", seq)
        ]
        opened = await log.open(Opening("c1", "ann", None, "d", user_message("Still here?", AT), AT))
        assert opened.state == "new"
        assert [each.seq for each in await log.read("c1", after=before[-1].seq)] == [opened.head]
        quoted = body.replace("'", "''")
        kept.run(f"UPDATE events SET tag = '{tag}', version = {version}, body = '{quoted}' WHERE {row}")

    if harm == "not UTF-8" and kept.run("SELECT 1") and _is_postgres(kept):
        pytest.skip("PostgreSQL takes no text that is not UTF-8")
    number = "conversation" if _is_postgres(kept) else "number"
    asyncio.run(tell())


def _is_postgres(kept: Store) -> bool:
    try:
        return bool(kept.run("SELECT version()"))
    except sqlite3.Error:
        return False


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def test_an_event_without_its_blobs_is_left_out(kept: Store) -> None:
    """A picture's row is gone, or what was the same in many requests."""

    async def tell() -> None:
        async with closing(kept.open("default")) as log, closing(kept.open("other")) as other:
            await filled(log, other)
            before = await log.read("c1")
            kept.run("DELETE FROM blobs")
            after = await log.read("c1")
            lost = [each.seq for each in before if each not in after]
            assert len(lost) == 3
            assert [found.seq for found in kept.doctor() if found.kind == "undecodable"] == lost
            await looked(log)

    asyncio.run(tell())


def test_a_key_whose_message_is_damaged_is_answered_or_refused(kept: Store) -> None:
    """In a typed error where the digest went with the message; nothing is recorded, and other keys go on."""

    async def tell() -> None:
        async with closing(kept.open("default")) as log, closing(kept.open("other")) as other:
            await filled(log, other)
            kept.run("UPDATE events SET body = '{' WHERE tag = 'turn-opened' AND turn = 1")
            before = await log.read("c1")
            opening = Opening("c1", "ann", "key-1", "d1gest", user_message("Look", AT), AT)
            with contextlib.suppress(EventDecodeError):
                assert (await log.open(opening)).turn == 1
            assert await log.read("c1") == before
            assert (
                await log.open(Opening("c1", "ann", "k", "d", user_message("Next", AT), AT))
            ).state == "new"

    asyncio.run(tell())


def test_a_damaged_fact_is_left_out(kept: Store) -> None:
    """The others of its key and its owner are there, new ones are learned, and the doctor names it."""

    async def tell() -> None:
        async with closing(kept.open("default")) as log:
            await say(log, user="ann")
            for city in ("Oslo", "Rome"):
                await log.append("c1", 1, [learned(fact("city", city, many=True), fact("pet", city))], AT)
            kept.run("UPDATE facts SET body = '{' WHERE key = 'city' AND seq = 5")
            kept.run("UPDATE facts SET body = '[]' WHERE key = 'pet' AND seq = 6")
            known = await log.facts(user="ann", conversation="c1", superseded=True)
            assert [(one.key, one.value) for one in known] == [("pet", "Oslo"), ("city", "Rome")]
            assert [found.seq for found in kept.doctor() if found.kind == "undecodable"] == [5, 6]
            await log.append("c1", 1, [learned(fact("city", "Bonn", many=True), fact("pet", "cat"))], AT + 1)
            known = await log.facts(user="ann", conversation="c1")
            assert {("city", "Bonn"), ("pet", "cat")} <= {(one.key, one.value) for one in known}

    asyncio.run(tell())


@pytest.mark.parametrize("tag", [shape.tag for shape in EVENTS])
def test_the_program_tells_what_is_left(tag: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command that reads works, or says in a line why not."""
    kept = _file(tmp_path / "chat.db")

    async def tell() -> None:
        async with closing(kept.open("default")) as log, closing(kept.open("other")) as other:
            await filled(log, other)

    asyncio.run(tell())
    kept.run(f"UPDATE events SET body = '{{' WHERE tag = '{tag}'")
    monkeypatch.setenv("TURNSTATE_STORE", str(tmp_path / "chat.db"))
    commands = (
        ["show"],
        ["show", "c1"],
        ["show", "c1", "--events"],
        ["show", "c1", "--events", "--json"],
        ["show", "c1", "--turn", "1"],
        ["show", "c1", "--turn", "1", "--json"],
        ["facts", "ann", "--all"],
        ["why", "c1", "48213"],
    )
    for command in commands:
        result = CliRunner().invoke(app, command)
        assert isinstance(result.exception, SystemExit | None), (command, result.exception)
        assert result.exit_code == 0 or result.stderr, command


# The whole library ------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", ["conversation-opened", "turn-opened", "model-responded", "turn-closed"])
def test_a_conversation_with_a_damaged_event_goes_on(kept: Store, tag: str) -> None:
    """New messages are answered; the damaged turn's key gives its reply, or a typed error that ends."""

    async def tell() -> None:
        async with (
            closing(kept.open("default")) as log,
            Assistant(ScriptedModel(["one", "two"]), store=log) as first,
        ):
            for turn in (1, 2):
                await first.conversation("c1", user="ann").send(f"Message {turn}", key=f"k{turn}")
        kept.run(f"UPDATE events SET body = '{{' WHERE tag = '{tag}' AND turn IN (0, 1)")
        async with (
            closing(kept.open("default")) as log,
            Assistant(ScriptedModel(["three", "four", "five"]), store=log) as second,
        ):
            chat = second.conversation("c1", user="ann")
            assert (await chat.send("Message 3", key="k3")).text == "three"
            assert (await chat.send("Message 2", key="k2")).text == "two"
            count = len(await log.read("c1"))
            with contextlib.suppress(EventDecodeError, TurnBroken):
                again = await chat.send("Message 1", key="k1")
                assert again.replayed
                assert again.text in {"one", ""}
            assert len(await log.read("c1")) == count
            assert (await chat.send("Message 4", key="k4")).text == "four"

    asyncio.run(tell())
