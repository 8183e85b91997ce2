"""`turnstate demo sales`: the buyer, the agents of each turn, what is on record at the end, and what to try next."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.conftest import Run
from turnstate.apps.sales.script import BUYER
from turnstate.apps.sales.states import DIMENSIONS
from turnstate.cli import app
from turnstate.cli.agents import Setting, agent

pytestmark = pytest.mark.xdist_group("demo sales")


@pytest.fixture(scope="session")
def sold(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder in which the demo has run once, and what it printed, 100 columns wide."""
    folder, before = tmp_path_factory.mktemp("sales"), Path.cwd()
    os.chdir(folder)
    try:
        result = CliRunner(env={"COLUMNS": "100"}).invoke(app, ["demo", "sales"], catch_exceptions=False)
    finally:
        os.chdir(before)
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return folder, result.stdout


@pytest.fixture
def after(run: Run, sold: tuple[Path, str], tmp_path: Path) -> Run:
    """The program in a folder in which the demo has run once."""
    shutil.copytree(sold[0] / ".turnstate", tmp_path / ".turnstate")
    return run


def test_it_shows_what_is_said_and_who_acted(sold: tuple[Path, str]) -> None:
    """Every message and a reply to each, with the lanes of its agents between them."""
    out = sold[1]
    turns = re.split(r"^dana> ", out, flags=re.MULTILINE)[1:]
    assert [turn.splitlines()[0] for turn in turns] == [line.splitlines()[0] for line in BUYER]
    for turn in turns:
        assert turn.index("listener → researcher ∥ orchestrator → ") < turn.index("assistant> ")


def test_it_ends_with_what_is_on_record(sold: tuple[Path, str]) -> None:
    """Five scores with the buyer's words, the verdict, the phase, and what was shared."""
    end = sold[1].partition("What is on record")[2]
    for name in DIMENSIONS:
        assert re.search(rf"^{name} +\d+  ", end, re.MULTILINE)
    assert re.search(r"^budget +90  \$55,000 +10  ", end, re.MULTILINE)
    assert re.search(r"^timeline +90  six weeks +3  ", end, re.MULTILINE)
    assert "QUALIFIED since turn 10: all five scores reach 50" in end
    assert "phase close, before it asset sharing, since turn 14" in end
    assert "shared: send_case_study (turn 13), book_meeting (turn 14)" in end


def test_the_question_without_an_answer_is_refused_without_a_call(after: Run) -> None:
    """The turn has no request, and the designed answer was said without a model."""
    shown = after("show", "buyer-1", "--turn", "12", "--store", ".turnstate/sales.db")
    assert "said      without a model: I do not have that on record" in shown.out
    assert "\nrequest " not in shown.out


def test_a_turn_in_full_says_what_was_read_and_written(after: Run) -> None:
    """Of each agent, by its stage."""
    out = after("show", "buyer-1", "--turn", "3", "--store", ".turnstate/sales.db").out
    for line in (
        "stage 0   listener (thinker, by code)",
        "stage 1   researcher (thinker, by code)",
        "stage 1   orchestrator (thinker, by code)",
        "stage 2   discovery (speaker, by rules)",
        "asked     Scores.budget: What budget have you set aside for this?",
    ):
        assert line in out
    assert re.search(r"^ +wrote Scores: timeline = .*six weeks", out, re.MULTILINE)


def test_nothing_was_worked_out_again(after: Run) -> None:
    """The exact values of every reply stood in state, in the newest message, or in what a tool gave."""
    for turn in range(1, len(BUYER) + 1):
        shown = after("show", "buyer-1", "--turn", str(turn), "--json", "--store", ".turnstate/sales.db").json
        assert shown["worked_out_again"] == []


def test_the_demo_as_json(after: Run) -> None:
    """Keys that a script may rely on, and nothing else on stdout; a second buyer gets a conversation of its own."""
    data: dict[str, Any] = after("demo", "sales", "--json").json
    assert list(data) == ["store", "conversation", "turns", "states", "next"]
    assert data["conversation"] == "buyer-2"
    assert [turn["user"] for turn in data["turns"]] == list(BUYER)
    assert list(data["states"]) == ["Scores", "Memory", "Qualification", "Progress", "Offered"]
    assert data["states"]["Qualification"]["is_qualified"] == "QUALIFIED"
    assert data["states"]["Memory"]["industry"] == "logistics"
    assert all(command.startswith("turnstate ") for command in data["next"])


def test_what_it_says_to_try_next_works(after: Run, sold: tuple[Path, str]) -> None:
    """Each of the commands; the chat ends with its input."""
    commands = re.findall(r"^  turnstate (.+?)  ", sold[1], re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        ran = after(*command.split(), stdin="")
        assert (ran.code, ran.err) == (0, "")


def test_starting_over_deletes_the_demo_s_own_and_no_other(after: Run, tmp_path: Path) -> None:
    """What holds another conversation stays."""
    assert after("demo", "sales", "--fresh", "--json").json["conversation"] == "buyer-1"
    url = f"sqlite:///{tmp_path}/.turnstate/sales.db"

    async def other() -> None:
        async with agent("sales", Setting("offline", 4_000, url)) as shop:
            await shop.conversation("mine").send("Hello!")

    asyncio.run(other())
    ran = after("demo", "sales", "--fresh")
    assert (ran.code, ran.out) == (1, "")
    assert "it holds conversation 'mine'" in " ".join(ran.err.split())


def test_a_buyer_who_was_cut_off_goes_on(run: Run, tmp_path: Path) -> None:
    """What was answered is not answered again."""
    url = f"sqlite:///{tmp_path}/cut.db"

    async def begin() -> None:
        async with agent("sales", Setting("offline", 4_000, url)) as shop:
            chat = shop.conversation("buyer-1", user="dana")
            for place, message in enumerate(BUYER[:3], start=1):
                await chat.send(message, key=f"buyer-1:{place}")

    asyncio.run(begin())
    data = run("demo", "sales", "--json", "--store", "cut.db").json
    assert data["conversation"] == "buyer-1"
    assert [turn["turn"] for turn in data["turns"]] == list(range(1, len(BUYER) + 1))


def test_there_are_two_demos(run: Run) -> None:
    """Another name is a wrong command line."""
    ran = run("demo", "nope")
    assert (ran.code, ran.out) == (2, "")
    assert "choose from: support, sales" in " ".join(ran.err.split())
