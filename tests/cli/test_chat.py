"""`turnstate chat`: lines in, sentences out, errors that do not end it, Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo, FunctionModel

from cli.conftest import Run
from turnstate.assistant import Assistant
from turnstate.cli.chat import Talk


def test_lines_through_a_pipe_are_a_conversation(run: Run) -> None:
    """What is said is shown with its reply; the end of the input is the end of the chat."""
    ran = run("chat", "--conversation", "c", stdin="Hello!\n\nWhere is order 12345?\n")
    assert (ran.code, ran.err) == (0, "")
    assert re.findall(r"^(you|assistant)> ", ran.out, re.MULTILINE) == [
        "you",
        "assistant",
        "you",
        "assistant",
    ]
    assert re.search(r"you> Where is order 12345\?\nassistant> .*12345", ran.out)
    assert [turn["user"] for turn in run("show", "c", "--json").json["turns"]] == [
        "Hello!",
        "Where is order 12345?",
    ]


def test_a_conversation_goes_on(run: Run) -> None:
    """With its id, in the same store; facts persist under the user's name."""
    run("chat", "--conversation", "c", "--user", "ann", "--store", "x.db", stdin="My order is 12345.\n")
    ran = run("chat", "--conversation", "d", "--user", "ann", "--store", "x.db", stdin="/facts\n")
    assert "12345" in ran.out
    run("chat", "--conversation", "c", "--user", "ann", "--store", "sqlite:///x.db", stdin="Thanks\n")
    assert len(run("show", "c", "--json", "--store", "x.db").json["turns"]) == 2


def test_every_chat_is_a_new_conversation(run: Run) -> None:
    """Unless one is named."""
    run("chat", stdin="Hello\n")
    (found,) = run("show", "--json").json["conversations"]
    assert re.fullmatch(r"chat-\d{8}-\d{6}", found["conversation"])


def test_commands(run: Run) -> None:
    """/help, /facts, one that does not exist, /quit; none of them is sent."""
    ran = run("chat", "--conversation", "c", stdin="/help\n/facts\n/nope\n/quit\nnot read\n")
    assert ran.code == 0
    assert "Ctrl-C cancels a reply" in ran.out
    assert "Nothing is on record yet." in ran.out
    assert "There is no /nope." in ran.out
    assert "not read" not in ran.out
    assert run("show", "c").code == 1


def test_context_lines_stand_before_the_reply(run: Run) -> None:
    """As soon as the context is cut."""
    lines = "".join(f"Where is order 12345? I ask for the {n}th time.\n" for n in range(12))
    out = run("chat", "--budget-target", "1600", stdin=lines).out
    managed = [turn for turn in out.split("you> ") if "[context] " in turn]
    assert managed
    assert all(re.search(r"\n\[context\] .*\n(.*\n)*assistant> ", turn) for turn in managed)


def test_an_error_is_one_line_and_the_chat_goes_on(run: Run) -> None:
    """Every message is tried."""
    ran = run("chat", "--budget-target", "300", stdin="Hello\nHello again\n/help\n")
    assert ran.code == 0
    assert (
        len(re.findall(r"^\[error\] The request cannot be brought under its target", ran.out, re.MULTILINE))
        == 2
    )
    assert "Ctrl-C cancels" in ran.out


def test_another_users_conversation(run: Run) -> None:
    """It is refused, turn by turn."""
    run("chat", "--conversation", "c", "--user", "ann", stdin="Hello\n")
    ran = run("chat", "--conversation", "c", "--user", "bob", stdin="Hello\n")
    assert "[error] Conversation 'c' was opened by another user." in ran.out


def test_what_is_wrong_before_the_first_line(run: Run, tmp_path: Path) -> None:
    """Nothing is made."""
    assert run("chat", "--app", "nope").code == 2
    assert run("chat", "--model", "nobody:nothing").code == 1
    assert not (tmp_path / "turnstate.db").exists()


@pytest.mark.parametrize(
    "args", [("--user", "x" * 600), ("--conversation", "x" * 600), ("--store", "nowhere://x")]
)
def test_ids_and_stores_that_cannot_be(run: Run, args: tuple[str, str]) -> None:
    """One line, before anything is said."""
    ran = run("chat", *args, stdin="Hello\n")
    assert (ran.code, ran.out) == (1, "")
    assert len(ran.err.strip().splitlines()) == 1


def test_input_that_is_not_utf8(tmp_path: Path) -> None:
    """It is read as far as it goes."""
    done = subprocess.run(
        [sys.executable, "-c", "from turnstate.cli import main; main()", "chat", "--conversation", "c"],
        input=b"Hello \xff\xfe\n",
        capture_output=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"assistant> " in done.stdout


def test_ctrl_c_cancels_the_turn_and_the_chat_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    """The turn is recorded as cancelled, its message stays."""
    slow = True

    async def answer(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
        yield "One moment. "
        if slow:
            threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
            await asyncio.sleep(60)
        yield "Done."

    assistant = Assistant(FunctionModel(stream_function=answer), store="memory:")
    with asyncio.Runner() as runner:
        runner.run(assistant.__aenter__())
        talk = Talk(runner, assistant.conversation("c"))
        talk.answer("first")
        talk.answer("second")
        slow = False
        talk.answer("third")
        runner.run(assistant.__aexit__())
    out = capsys.readouterr().out
    assert out.count("[cancelled] ") == 2
    assert out.endswith("assistant> One moment. Done.\n")
