"""kill -9 inside the model call and inside tools: the message is there, one reply for the key, and nothing twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from acceptance.crashing import assistant
from acceptance.doors import answers_results, run
from turnstate import Reply
from turnstate.core.events import ModelResponded, Recorded, ToolCalled, TurnClosed, TurnOpened
from turnstate.core.messages import user_text
from turnstate.testing.anthropic import AnthropicServer, Call, MessagesRequest, Say
from turnstate.testing.anthropic import Reply as Answer

TESTS = Path(__file__).parents[1]


def answer(request: MessagesRequest) -> Answer:
    """Calls the tool that the message names; then repeats what the tool said."""
    if answers_results(request):
        return Answer.of(Say(f"Result: {list(request.results.values())[-1]}"))
    for name in ("refund", "get_order"):
        if name in request.prompt:
            return Answer.of(Call(name, {"order_id": "12345"}))
    return Answer.of(Say("Fine."))


@contextmanager
def killed(folder: Path, url: str, message: str, when: Callable[[], bool]) -> Generator[None]:
    """A process that is killed with SIGKILL as soon as `when` says so."""
    command = [sys.executable, str(TESTS / "acceptance" / "crashing.py"), str(folder / "chat.db"), url]
    process = subprocess.Popen(
        [*command, str(folder / "marks"), "key-1", message], env={**os.environ, "PYTHONPATH": str(TESTS)}
    )
    try:
        deadline = time.monotonic() + 60
        while not when():
            assert process.poll() is None, "it ended before it could be killed"
            assert time.monotonic() < deadline, "it never came to the point"
            time.sleep(0.01)
        yield
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


def marks(folder: Path) -> list[str]:
    """One line for each time that a tool ran."""
    path = folder / "marks"
    return path.read_text().splitlines() if path.exists() else []


def after(folder: Path, url: str, message: str, *, key: str = "key-1") -> tuple[Reply, tuple[Recorded, ...]]:
    """Another process's turn: the reply, and the whole log."""

    async def scenario() -> tuple[Reply, tuple[Recorded, ...]]:
        async with assistant(str(folder / "chat.db"), url, folder / "marks", hang=False) as shop:
            chat = shop.conversation("c", user="u")
            reply = await chat.send(message, key=key)
            assert (await chat.send(message, key=key)).replayed
            return reply, await chat.events()

    return run(scenario())


def count(events: tuple[Recorded, ...], kind: type) -> int:
    """How many events of a kind."""
    return sum(isinstance(found.event, kind) for found in events)


def test_killed_inside_the_model_call(tmp_path: Path) -> None:
    """The message is durable; the same key gives one recorded reply in the same turn."""
    gate = threading.Event()
    with AnthropicServer(reply=answer, delay=gate) as server:
        with killed(tmp_path, server.base_url, "hello", lambda: server.wait_for(1, timeout=0.01)):
            pass
        gate.set()
        reply, events = after(tmp_path, server.base_url, "hello")
    assert (reply.turn, reply.text) == (1, "Fine.")
    assert count(events, TurnOpened) == 1
    assert count(events, TurnClosed) == 1


def test_killed_inside_a_tool_that_runs_once(tmp_path: Path) -> None:
    """The tool does not run again, the model is told that the outcome is unknown, its response is not asked for again."""
    with AnthropicServer(reply=answer) as server:
        with killed(tmp_path, server.base_url, "refund it", lambda: bool(marks(tmp_path))):
            pass
        asked = len(server.requests)
        reply, events = after(tmp_path, server.base_url, "refund it")
        assert len(server.requests) == asked + 1
    assert [line.split()[0] for line in marks(tmp_path)] == ["refund"]
    assert "unknown" in reply.text
    assert count(events, ModelResponded) == 2
    assert count(events, ToolCalled) == 1
    assert count(events, TurnClosed) == 1


def test_killed_inside_a_tool_that_reads(tmp_path: Path) -> None:
    """It runs again, with the same call id."""
    with AnthropicServer(reply=answer) as server:
        with killed(tmp_path, server.base_url, "get_order please", lambda: bool(marks(tmp_path))):
            pass
        reply, events = after(tmp_path, server.base_url, "get_order please")
    assert reply.text == "Result: 12345 is shipped"
    assert len(marks(tmp_path)) == 2
    assert len(set(marks(tmp_path))) == 1
    assert count(events, ToolCalled) == 1


@pytest.mark.parametrize("message", ["hello", "refund it"])
def test_after_a_kill_the_conversation_goes_on_with_another_message(tmp_path: Path, message: str) -> None:
    """The cut-off turn is told first, the provider accepts what is sent (known failures B10, B11)."""
    gate = threading.Event()
    with AnthropicServer(reply=answer, delay=gate if message == "hello" else None) as server:
        reached = (
            (lambda: server.wait_for(1, timeout=0.01))
            if message == "hello"
            else (lambda: bool(marks(tmp_path)))
        )
        with killed(tmp_path, server.base_url, message, reached):
            pass
        gate.set()
        reply, events = after(tmp_path, server.base_url, "what now", key="key-2")
        assert server.refusals == []
    assert reply.turn == 2
    assert [found.turn for found in events if isinstance(found.event, TurnClosed)] == [1, 2]
    opened = [user_text(found.event.message) for found in events if isinstance(found.event, TurnOpened)]
    assert opened == [message, "what now"]
    assert len(marks(tmp_path)) == (1 if message == "refund it" else 0)
