"""`turnstate doctor` and `turnstate migrate`: what they say, their JSON and their exit codes."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from cli.conftest import Run
from turnstate.core.events import StateChanged
from turnstate.stores import SqliteLog
from turnstate.stores.sqlite.database import SCHEMA
from turnstate.testing.log_contract import closing
from turnstate.testing.log_contract.story import AT, closed, opening, responded

TEAM = """
from turnstate import State, Team, speaker


class Basket(State, frozen=True, version={version}{more}):
    items: int = 0


team = Team(speaker("seller", reads=(), owns=(Basket,), role="Sell."))
"""


@pytest.fixture
def store(tmp_path: Path) -> str:
    """A store with a state in it."""

    async def tell() -> None:
        async with closing(SqliteLog(tmp_path / "chat.db")) as log:
            await log.open(opening("visit\x1b[31m"))
            changed = StateChanged("Basket", 2, "seller", {}, {"items": 1})
            await log.append("visit\x1b[31m", 1, [responded(), changed, closed()], AT)

    asyncio.run(tell())
    return "chat.db"


def harm(store: str, statement: str) -> None:
    """Change the file."""
    connection = sqlite3.connect(store)
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_healthy_store_exits_with_zero(run: Run, store: str) -> None:
    """It says what it looked at."""
    ran = run("doctor", "--store", store)
    assert ran.code == 0
    assert f"schema {SCHEMA}, 1 conversation, 5 events" in ran.out
    assert "Nothing is wrong." in ran.out
    assert "state Basket, version 2" in ran.out


def test_what_is_wrong_exits_with_one(run: Run, store: str) -> None:
    """In a table, without what would steer a terminal, and in JSON."""
    harm(store, "UPDATE events SET body = '{' WHERE seq = 2")
    ran = run("doctor", "--store", store)
    assert ran.code == 1
    assert "undecodable" in ran.out
    assert "\x1b" not in ran.out
    told = run("doctor", "--store", store, "--json")
    assert told.code == 1
    (finding,) = told.json["findings"]
    assert finding["kind"] == "undecodable"
    assert (finding["tenant"], finding["turn"], finding["seq"]) == ("default", 1, 2)
    assert told.json["schema"] == {"found": SCHEMA, "expected": SCHEMA}
    assert told.json["states"] == [{"state": "Basket", "version": 2, "conversations": 1}]


@pytest.mark.parametrize(("version", "kind"), [(1, "newer-state"), (2, None), (3, None)])
def test_states_are_those_of_a_team(
    run: Run, store: str, tmp_path: Path, version: int, kind: str | None
) -> None:
    """Found beside the caller, as `python -m` finds it."""
    module = f"team_of_version_{version}"
    more = f", upcasters={{{', '.join(f'{n}: dict' for n in range(1, version))}}}" if version > 1 else ""
    (tmp_path / f"{module}.py").write_text(TEAM.format(version=version, more=more))
    ran = run("doctor", "--store", store, "--app", f"{module}:team", "--json")
    assert [finding["kind"] for finding in ran.json["findings"]] == ([kind] if kind else [])
    assert ran.code == (1 if kind else 0)


@pytest.mark.parametrize("app", ["nothing", "no_module:team", "turnstate:Team", "turnstate:nope"])
def test_an_app_that_is_no_team_is_a_wrong_command_line(run: Run, store: str, app: str) -> None:
    """It says what it takes."""
    assert run("doctor", "--store", store, "--app", app).code == 2


@pytest.mark.parametrize("url", ["memory:", "none.db", "postgresql://u:secret@127.0.0.1:1/d", "redis://x"])
def test_a_store_that_cannot_be_looked_at_is_an_error(run: Run, url: str, tmp_path: Path) -> None:
    """Nothing is made, and no password is shown."""
    ran = run("doctor", "--store", url)
    assert ran.code == 1
    assert ran.err
    assert "secret" not in ran.out + ran.err
    assert list(tmp_path.iterdir()) == []


def test_migrate_says_what_it_did(run: Run, tmp_path: Path) -> None:
    """A new file, one that is up to date, one of an older schema, and one that is none."""
    assert run("migrate", "new.db").out == f"sqlite:///new.db is at version {SCHEMA}, was at 0\n"
    assert run("migrate", "sqlite:///new.db").out == f"sqlite:///new.db is at version {SCHEMA} already\n"
    older = Path(__file__).parents[1] / "stores" / "sqlite" / "schema_1.sql"
    connection = sqlite3.connect(tmp_path / "old.db")
    connection.executescript(older.read_text(encoding="utf-8"))
    connection.close()
    assert run("doctor", "--store", "old.db").code == 1
    assert run("migrate", "old.db").out == f"sqlite:///old.db is at version {SCHEMA}, was at 1\n"
    (left,) = run("doctor", "--store", "old.db", "--json").json["findings"]  # it has a damaged row
    assert left["kind"] == "undecodable"
    (tmp_path / "letter.db").write_text("Dear bank. " * 1_000)
    for url in ("letter.db", "memory:"):
        ran = run("migrate", url)
        assert ran.code == 1
        assert ran.err
