"""The schema is made by `migrate` alone, by one at a time, and every statement on it says whose rows it means."""

from __future__ import annotations

import asyncio
import re
from importlib.resources import files

import psycopg
import pytest
from typer.testing import CliRunner

from turnstate.cli import app
from turnstate.core.events import TurnOpened
from turnstate.core.messages import user_message
from turnstate.errors import StoreSchemaError, StoreUnavailable
from turnstate.ports import Claim, Opening
from turnstate.stores.codec import encode
from turnstate.stores.migrations import Migrated
from turnstate.stores.postgres.database import MIGRATIONS, QUERIES, VERSION, migrate
from turnstate.stores.postgres.log import PostgresLog
from turnstate.stores.postgres.rows import digest_of, number_of, word_of
from turnstate.stores.rules import owner_of
from turnstate.testing.log_contract import closing
from turnstate.testing.log_contract.story import AT, closed, opening

pytestmark = pytest.mark.xdist_group("postgres")  # one server, in one worker

NAMED = [name for name in QUERIES if "migration" not in name]
LISTINGS = {"list_conversations"}
"""Statements that are about all conversations of a tenant."""


@pytest.mark.parametrize("name", NAMED)
def test_every_statement_is_given_the_tenant_and_the_conversation(name: str) -> None:
    """Or the owner, whose facts and conversations they are; on each table, and in each row that it writes."""
    query = QUERIES[name]
    tables = re.findall(r"(?:FROM|JOIN|UPDATE) \{schema\}\.\w+", query)
    conditions = re.findall(
        r"WHERE tenant = %\(tenant\)s(?: AND (?:conversation|owner) = %\((\w+)\)s)?", query
    )
    assert len(conditions) == len(tables)
    assert name in LISTINGS or set(conditions) <= {"conversation", "owner"}
    written = re.findall(
        r"INSERT INTO \{schema\}\.\w+\s+\(([\w, ]+)\)\s+(?:VALUES \(|SELECT )([^,]+), ([^,]+),", query
    )
    assert len(written) == query.count("INSERT INTO")
    for columns, tenant, second in written:
        assert re.match(r"tenant, (conversation|owner)\b", columns)
        assert (tenant, second) in {
            ("%(tenant)s", "%(conversation)s"),
            ("%(tenant)s", "%(owner)s"),
        }
    assert tables or written


def test_the_tenant_and_the_conversation_lead_every_key() -> None:
    """So that every unique index can be kept where the rows of a tenant, or of a conversation, are."""
    schema = "\n".join(statement for step in MIGRATIONS for statement in step.statements)
    keys = re.findall(r"(?:PRIMARY KEY|UNIQUE INDEX \w+ ON [{}\w.]+) \(([\w, ]+)\)", schema)
    assert len(keys) == 8
    assert all(re.match(r"tenant, (conversation|owner)\b", key) for key in keys)


def test_every_query_is_used_and_every_used_query_is_there() -> None:
    """In the code beside the file."""
    code = "".join(
        file.read_text(encoding="utf-8")
        for file in files("turnstate.stores.postgres").iterdir()
        if file.name.endswith(".py")
    )
    used = set(re.findall(r'(?:\.(?:run|rows|row)\(\s*|\)\[|\b(?:Ask|asked)\(\s*)"(\w+)"', code))
    assert used == set(QUERIES)


def test_migrating_again_or_at_once_changes_nothing(server: str) -> None:
    """Of several who start together, one makes the tables, and the others find them."""

    async def tell() -> None:
        done = await asyncio.gather(*(migrate(server, "together") for _ in range(4)))
        assert sorted(done) == [Migrated(0, VERSION), *[Migrated(VERSION, VERSION)] * 3]

    asyncio.run(tell())


def test_another_schema_is_refused_and_left_as_it_is(server: str, schema: str) -> None:
    """A newer one, or one that other migrations made."""

    async def tell() -> None:
        async with closing(PostgresLog(server, schema=schema)) as log:
            _change(server, f"INSERT INTO {schema}.migrations VALUES ({VERSION + 1}, 'next', 'x')")
            with pytest.raises(StoreSchemaError, match="install a release"):
                await log.read("c1")
            with pytest.raises(StoreSchemaError):
                await migrate(server, schema)
            _change(server, f"DELETE FROM {schema}.migrations WHERE number > {VERSION}")
            _change(server, f"UPDATE {schema}.migrations SET checksum = 'x'")
            with pytest.raises(StoreUnavailable, match="differ from this release"):
                await log.read("c1")
            with pytest.raises(StoreUnavailable):
                await migrate(server, schema)

    asyncio.run(tell())


def test_the_command_migrates(server: str) -> None:
    """And says from which version to which; twice is once."""
    runner = CliRunner()
    first = runner.invoke(app, ["migrate", server, "--schema", "by_command"])
    again = runner.invoke(app, ["migrate", server, "--schema", "by_command"])
    assert (first.exit_code, again.exit_code) == (0, 0)
    assert "schema by_command" in first.stdout
    assert f"is at version {VERSION}, was at 0" in first.stdout
    assert f"is at version {VERSION} already" in again.stdout


def _change(server: str, statement: str) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(statement.encode())


def test_an_older_schema_is_brought_up_to_date_with_what_is_in_it(server: str) -> None:
    """Its open turn goes on, keeps others waiting, and its words are found."""
    schema, number = "older", number_of("c1")
    first = MIGRATIONS[0]
    body = encode(TurnOpened(None, "", user_message("zebra", AT))).body
    with psycopg.connect(server) as connection:
        connection.execute(f"CREATE SCHEMA {schema}".encode())
        for statement in first.statements:
            connection.execute(statement.replace("{schema}", schema).encode())
        for statement, values in (
            ("migrations VALUES (1, %s, %s)", [first.name, first.checksum]),
            (
                "conversations VALUES ('default', %s, 'c1', NULL, %s, 2, 1, 0, 1, 1)",
                [number, digest_of(owner_of(None, "c1"))],
            ),
            ("turns VALUES ('default', %s, 1, 2, 'open', NULL, NULL)", [number]),
            (
                "events VALUES ('default', %s, 2, 1, 1, 1, 'turn-opened', %s, NULL, %s)",
                [number, body, [word_of(number, "zebra")]],
            ),
        ):
            connection.execute(f"INSERT INTO {schema}.{statement}".encode(), values)

    async def tell() -> None:
        assert await migrate(server, schema) == Migrated(1, VERSION)
        async with closing(PostgresLog(server, schema=schema)) as log:
            assert await log.search("c1", ["zebra"], before=9) == {"zebra": (1,)}
            claim = Claim("ann", 60_000_000)
            told = opening()
            opened = await log.open(Opening("c1", None, None, told.digest, told.message, AT, claim))
            assert (opened.turn, opened.token) == (2, 0)
            assert (await log.claim("c1", 2, claim)).left == (1,)
            await log.append("c1", 1, [closed("Hi")], AT)
            assert (await log.claim("c1", 2, claim)).token == 1

    asyncio.run(tell())
