"""`turnstate demo`: the support session, the next visit, starting over, and what it never deletes."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.conftest import Run
from turnstate.apps.support.script import FIRST_VISIT, NEXT_VISIT
from turnstate.cli import app
from turnstate.cli.agents import Setting, agent
from turnstate.cli.appending import bill
from turnstate.cli.demo import fields
from turnstate.core.messages import user_message
from turnstate.ports import Opening
from turnstate.stores import SqliteLog

pytestmark = pytest.mark.xdist_group("demo")


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder in which the demo has run once, and what it printed."""
    folder, before = tmp_path_factory.mktemp("demo"), Path.cwd()
    os.chdir(folder)
    try:
        result = CliRunner().invoke(app, ["demo"], catch_exceptions=False)
    finally:
        os.chdir(before)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return folder, result.stdout


@pytest.fixture
def after_first(run: Run, played: tuple[Path, str], tmp_path: Path) -> Run:
    """The program in a folder in which the demo has run once."""
    shutil.copytree(played[0] / ".turnstate", tmp_path / ".turnstate")
    return run


def test_the_first_visit(played: tuple[Path, str]) -> None:
    """Every message, the tools, the replies; then facts, a comparison and what to try next."""
    out = played[1]
    assert all(f"priya> {message}" in out for message in FIRST_VISIT)
    assert out.count("assistant> ") == len(FIRST_VISIT)
    assert re.search(r"^  get_order\(order_id=12345\) -> found=true", out, re.MULTILINE)
    assert "On record about priya" in out
    assert "tokens sent" in out
    assert "turnstate why visit-1 12345" in out


def test_a_context_line_stands_before_its_reply(played: tuple[Path, str]) -> None:
    """Between what the customer said and what the assistant answered, at least once."""
    turns = re.split(r"^priya> ", played[1], flags=re.MULTILINE)[1:]
    managed = [turn for turn in turns if "[context] " in turn]
    assert managed
    assert all(turn.index("[context] ") < turn.index("assistant> ") for turn in managed)


def test_the_next_visit_knows_the_customer(after_first: Run) -> None:
    """It is greeted by name, and neither order nor address is asked for."""
    ran = after_first("demo", "--json")
    assert ran.code == 0
    visit = ran.json
    assert visit["conversation"] == "visit-2"
    assert [turn["user"] for turn in visit["turns"]] == list(NEXT_VISIT)
    replies = [turn["reply"] for turn in visit["turns"]]
    assert "Priya" in replies[0]
    assert not [reply for reply in replies if re.search(r"(?i)(order number|address)[^.!]*\?", reply)]
    assert {"order_id", "address"} <= {fact["key"] for fact in visit["facts"]}
    assert "12345" in replies[1]


def test_the_demo_as_json(after_first: Run) -> None:
    """Keys that a script may rely on, and nothing else on stdout."""
    data: dict[str, Any] = after_first("demo", "--json", "--fresh").json
    assert list(data) == ["store", "conversation", "user", "turns", "facts", "summary", "next"]
    assert (data["conversation"], data["user"]) == ("visit-1", "priya")
    summary = data["summary"]
    assert summary["turns"] == len(data["turns"]) == len(FIRST_VISIT)
    assert summary["requests"] == sum(turn["requests"] for turn in data["turns"])
    assert summary["cuts"] >= 1
    assert summary["largest_request"] <= summary["target"] == 4_000 < summary["append_largest_request"]
    assert summary["tokens"] < summary["append_tokens"]
    assert data["turns"][0]["calls"][0]["tool"] == "get_order"


def test_verbose_counts_every_request_on_stderr(after_first: Run) -> None:
    """One line each, and stdout stays as it is."""
    ran = after_first("demo", "-v", "--json")
    lines = [line for line in ran.err.splitlines() if line.startswith("[request] ")]
    assert len(lines) == ran.json["summary"]["requests"]


def test_what_it_says_to_try_next_works(after_first: Run, played: tuple[Path, str]) -> None:
    """Each of the commands."""
    commands = re.findall(r"^  turnstate (.+?)  ", played[1], re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        ran = after_first(*command.split())
        assert (ran.code, ran.err) == (0, "")


def test_a_visit_that_was_cut_off_goes_on(run: Run, tmp_path: Path) -> None:
    """What was answered is not asked of the model again."""
    url = f"sqlite:///{tmp_path}/cut.db"

    async def begin() -> None:
        async with agent("support", Setting("offline", 4_000, url)) as assistant:
            chat = assistant.conversation("visit-1", user="priya")
            for place, message in enumerate(FIRST_VISIT[:3], start=1):
                await chat.send(message, key=f"visit-1:{place}")

    asyncio.run(begin())
    data = run("demo", "--json", "--store", "cut.db").json
    assert data["conversation"] == "visit-1"
    assert [turn["user"] for turn in data["turns"]] == list(FIRST_VISIT)


def test_ctrl_c_ends_a_visit_which_goes_on_the_next_time(tmp_path: Path, run: Run) -> None:
    """The program says nothing and exits with 130; what was answered stays answered."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", "from turnstate.cli import main; main()", "demo"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert process.stdout is not None
    answered = 0
    for line in process.stdout:
        answered += line.startswith(b"assistant> ")
        if answered == 5:
            process.send_signal(signal.SIGINT)
            break
    _, err = process.communicate()
    assert (process.returncode, err) == (130, b"")
    assert len(run("show", "visit-1", "--json").json["turns"]) >= 5
    assert run("demo", "--json").json["conversation"] == "visit-1"


def test_fresh_deletes_only_its_own_files(after_first: Run, tmp_path: Path) -> None:
    """The database and the shop's orders; a neighbour stays."""
    neighbour = tmp_path / ".turnstate" / "notes.txt"
    neighbour.write_text("mine")
    ran = after_first("demo", "--fresh", "--budget-target", "1")
    assert ran.code == 1  # it has started over, and its first request cannot fit
    assert "cannot be brought under its target" in ran.err
    shown = after_first("show", "--json").json
    assert [found["conversation"] for found in shown["conversations"]] == ["visit-1"]
    assert neighbour.read_text() == "mine"


def test_fresh_needs_nothing_to_delete(run: Run) -> None:
    """In an empty folder it only starts."""
    assert run("demo", "--fresh", "--budget-target", "1").err.startswith("The request cannot be brought")


@pytest.mark.parametrize("beside", ["", "-wal"])
def test_fresh_never_deletes_anothers_database(run: Run, store: str, beside: str) -> None:
    """A database with other conversations is refused, and stays as it is."""
    Path(store + beside).touch()
    before = Path(store).read_bytes()
    ran = run("demo", "--fresh", "--store", store)
    assert (ran.code, ran.out) == (1, "")
    assert "was not deleted" in ran.err
    assert Path(store).read_bytes() == before


def test_fresh_refuses_another_users_visit(run: Run, tmp_path: Path) -> None:
    """The name of a conversation alone does not make it the demo's."""
    path = tmp_path / "mine.db"

    async def write() -> None:
        log = SqliteLog(path)
        await log.open(Opening("visit-1", "bob", None, "d", user_message("hi", 0), 0))
        await log.close()

    asyncio.run(write())
    assert "was not deleted" in run("demo", "--fresh", "--store", "mine.db").err
    assert path.exists()


@pytest.mark.parametrize("name", ["x.db", "x.orders.json"])
def test_fresh_refuses_what_is_not_the_demos(run: Run, tmp_path: Path, name: str) -> None:
    """Neither as its database nor as its shop."""
    path = tmp_path / name
    path.write_text("a text of mine, long enough to be no database " * 30)
    ran = run("demo", "--fresh", "--store", "x.db")
    assert ran.code == 1
    assert "Traceback" not in ran.err
    assert path.exists()


def test_fresh_needs_a_file(run: Run) -> None:
    """There is nothing to delete in memory."""
    assert "there is nothing to delete" in run("demo", "--fresh", "--store", "memory:").err


def test_an_unknown_model_is_one_line(run: Run, tmp_path: Path) -> None:
    """And nothing is made."""
    ran = run("demo", "--model", "nobody:nothing")
    assert ran.code == 1
    assert len(ran.err.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"a": "x", "b": 1, "c": ["y"]}', 'a=x, b=1, c=["y"]'),
        ("plain", "plain"),
        ("[1]", "[1]"),
        ("{}", ""),
    ],
)
def test_objects_are_told_field_by_field(text: str, shown: str) -> None:
    """Other text stays as it is."""
    assert fields(text) == shown


def test_no_turns_cost_nothing() -> None:
    """A conversation without a request has a bill too."""
    assert bill([]).append_tokens == bill([]).largest == 0
