"""What the tests of the program share: a way to run it, and a log that was written event by event."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from turnstate.cli import app
from turnstate.core.events import (
    Count,
    Cut,
    Event,
    FactsLearned,
    ModelResponded,
    RequestTrace,
    Span,
    SummaryWritten,
    ToolCalled,
    ToolReturned,
    Trace,
    TurnClosed,
    TurnFailed,
)
from turnstate.core.facts import Fact, Source
from turnstate.core.messages import (
    ModelResponse,
    ToolCallPart,
    moment,
    text_response,
    tool_return,
    user_message,
)
from turnstate.ports import Opening
from turnstate.stores import SqliteLog

HOUR = 3_600_000_000
START = 1_700_000_000_000_000
"""When the log's first turn was opened: 2023-11-14 22:13:20 UTC, in microseconds."""

HOSTILE = "bell \x07 title \x1b]0;owned\x07 red \x1b[31m [bold]not markup[/bold] back \u202e"


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run of the program gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Its stdout as JSON."""
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the program in an empty folder, 100 columns wide."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*args: str, stdin: str | None = None) -> Ran:
        result = CliRunner().invoke(app, args, input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(result.exit_code, result.stdout, result.stderr)

    return run


def request(turn: int, tokens: int, cut: Cut = Cut(), **more: Any) -> RequestTrace:  # noqa: B008 - frozen
    """The trace of a request."""
    return RequestTrace(more.pop("round", 1), Count(tokens, tokens * 3, tokens), 1_000, cut, **more)


def fact(key: str, value: str, turn: int, *, quote: str = "", source: Source = Source.USER_QUOTE) -> Fact:
    """A fact of the log's user."""
    return Fact(
        key, value, source, quote or value, 0, len(quote or value), "visit-1", turn, START + turn * HOUR, None
    )


def called() -> list[Event]:
    """A response that calls a tool, and the result."""
    part = ToolCallPart("get_order", {"order_id": "48213"}, tool_call_id="call_a")
    response = ModelResponse(parts=[part], timestamp=moment(START))
    returned = tool_return("get_order", {"status": "shipped", "total": "$40.50"}, "call_a", START)
    return [
        ModelResponded("offline", response, request(1, 300)),
        ToolCalled("call_1", "call_a", "get_order", "read"),
        ToolReturned("call_1", returned),
        ModelResponded(
            "offline", text_response("It has shipped, $40.50 in all.", START), request(1, 350, round=2)
        ),
        FactsLearned("learned", "rules", 1, (fact("order_id", "48213", 1, quote="order 48213"),)),
        TurnClosed(None, Trace(2, 650, 20)),
    ]


def replied(turn: int, text: str, trace: RequestTrace) -> list[Event]:
    """A response that closes its turn."""
    return [
        ModelResponded("offline", text_response(text, START + turn * HOUR), trace),
        TurnClosed(None, Trace(1)),
    ]


CUT = Cut(first=4, since=1, opening=False, facts="order_id: 48213 (customer said)")
MANAGED = "[context] 1,100 tok > 1,000: 6 middle messages -> 20 tokens; kept last 3 verbatim"

TURNS: Sequence[tuple[str, Sequence[Event]]] = (
    ("Where is order 48213?", called()),
    ("Ship it to 55 Elm St.", replied(2, "Noted: 55 Elm St.", request(2, 500))),
    ("My budget is $99.95.", replied(3, "I see.", request(3, 700))),
    (HOSTILE, replied(4, "Sorry? " + HOSTILE, request(4, 900))),
    (
        "Anything new?",
        [
            SummaryWritten(Span(1, 3), "- user: ship to 55 Elm St", "extractive", 20),
            *replied(5, "Nothing.", request(5, 450, CUT, managed=MANAGED, summarised=(Span(1, 3),))),
        ],
    ),
    ("And now?", [TurnFailed("model", "offline: no answer", retry=True)]),
    ("Hello?", replied(7, "Still here.", request(7, 480, CUT))),
)


async def _write(path: Path) -> None:
    log = SqliteLog(path)
    try:
        for number, (text, events) in enumerate(TURNS, start=1):
            at = START + number * HOUR
            key = f"k{number}" if number == 1 else None
            await log.open(Opening("visit-1", "priya", key, f"d{number}", user_message(text, at), at))
            await log.append("visit-1", number, events, at)
        await log.start("empty", None, START)
        corrected = fact("order_id", "12345", 0, source=Source.APP, quote=" ")
        await log.append("visit-1", 0, [FactsLearned("learned", "app", 0, (corrected,))], START)
    finally:
        await log.close()


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the conversations visit-1 (seven turns, one cut, one failure) and empty (none)."""
    path = tmp_path_factory.mktemp("store") / "chats.db"
    asyncio.run(_write(path))
    return path


@pytest.fixture
def store(recorded: Path, tmp_path: Path) -> str:
    """The path of a copy of that database."""
    copy = tmp_path / "chats.db"
    copy.write_bytes(recorded.read_bytes())
    return str(copy)
