"""`turnstate show`: the listing, the turns, one turn in full, every event."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cli.conftest import MANAGED, START, TURNS, Run, called
from turnstate.cli.event_lines import kind_of
from turnstate.core.events import Event, HandedOff, Resumed
from turnstate.core.messages import BinaryContent, user_message
from turnstate.ports import Opening
from turnstate.stores import SqliteLog
from turnstate.stores.codec import encode
from turnstate.stores.shapes import EVENTS


def test_without_a_conversation_those_there_are_are_listed(run: Run, store: str) -> None:
    """Their ids, users, turns and times, the latest first."""
    ran = run("show", "--store", store)
    assert ran.code == 0
    rows = [line.split() for line in ran.out.splitlines() if line.startswith(("visit-1", "empty"))]
    assert [row[:4] for row in rows] == [["visit-1", "priya", "7", "27"], ["empty", "0", "1", "2023-11-14"]]


def test_the_listing_as_json(run: Run, store: str) -> None:
    """Keys that a script may rely on."""
    listed = run("show", "--json", "--store", store).json
    assert listed["store"] == f"sqlite:///{store}"
    assert listed["conversations"][0] == {
        "conversation": "visit-1",
        "user": "priya",
        "turns": 7,
        "events": 27,
        "started": listed["conversations"][0]["started"],
        "updated": listed["conversations"][0]["updated"],
    }


def test_an_unknown_conversation_names_those_there_are(run: Run, store: str) -> None:
    """And is a failure."""
    ran = run("show", "nope", "--store", store)
    assert (ran.code, ran.out) == (1, "")
    assert "Give one of these: visit-1, empty." in ran.err


def test_the_turns_of_a_conversation(run: Run, store: str) -> None:
    """All of them, those out of view too, with status, words, requests, tokens, and what was done to the context."""
    lines = run("show", "visit-1", "--store", store).out.splitlines()
    assert lines[0] == "visit-1, user priya, 7 turns"
    assert lines[3].split() == [
        "1",
        "closed",
        "Where",
        "is",
        "order",
        "48213?",
        "It",
        "has",
        "shipped,",
        "$40.50",
        "in",
        "all.",
        "2",
        "350",
    ]
    assert "offline: no answer" in next(line for line in lines if "failed" in line)
    managed = next(index for index, line in enumerate(lines) if MANAGED in line)
    assert lines[managed - 1].lstrip().startswith("5  closed")


def test_the_turns_as_json(run: Run, store: str) -> None:
    """Keys that a script may rely on."""
    shown = run("show", "visit-1", "--json", "--store", store).json
    assert [turn["turn"] for turn in shown["turns"]] == [1, 2, 3, 4, 5, 6, 7]
    assert shown["turns"][0] == {
        "turn": 1,
        "status": "closed",
        "at": START + 3_600_000_000,
        "key": "k1",
        "user": "Where is order 48213?",
        "reply": "It has shipped, $40.50 in all.",
        "failure": None,
        "requests": 2,
        "tokens": 350,
        "target": 1000,
        "managed": [],
        "agents": [],
        "guards": [],
    }
    assert shown["turns"][4]["managed"] == [MANAGED]
    assert shown["turns"][5]["failure"] == {"reason": "model", "message": "offline: no answer"}


def test_one_turn_in_full(run: Run, store: str) -> None:
    """Messages, requests with their counts, calls with their effect, id and result, facts."""
    out = run("show", "visit-1", "--turn", "1", "--store", store).out
    for expected in (
        "visit-1, turn 1, closed, 2023-11-14 23:13:20 UTC, key k1",
        "user      Where is order 48213?",
        "request 1 300 tokens of 1,000 (estimate 300, bound 900, provider not asked), to offline",
        'call      get_order {"order_id":"48213"}',
        "effect read, call id call_1",
        'result    {"status":"shipped","total":"$40.50"}',
        "assistant It has shipped, $40.50 in all.",
        "learned   order_id = 48213 (user_quote, by rules, from “order 48213”)",
    ):
        assert expected in out


def test_the_plan_of_a_turn(run: Run, store: str) -> None:
    """What stood in view, and what left it."""
    out = run("show", "visit-1", "--turn", "5", "--store", store).out
    assert "view: facts, summaries of turns 1–3, word for word from turn 4" in out
    assert "summarised here: turns 1–3" in out
    assert MANAGED in out


def test_a_turn_as_json(run: Run, store: str) -> None:
    """Keys that a script may rely on."""
    shown = run("show", "visit-1", "--turn", "1", "--json", "--store", store).json
    assert shown["plans"][0]["count"] == {"estimate": 300, "bound": 900, "provider": None}
    assert shown["plans"][0]["cut"] == {
        "first": 1,
        "since": 1,
        "opening": True,
        "facts": "",
        "values": 1,
        "cap": 0,
    }
    assert shown["plans"][0]["calls"] == [
        {
            "tool": "get_order",
            "args": '{"order_id":"48213"}',
            "call_id": "call_1",
            "tool_call_id": "call_a",
            "effect": "read",
            "result": '{"status":"shipped","total":"$40.50"}',
            "outcome": "success",
        }
    ]
    assert shown["plans"][1]["text"] == "It has shipped, $40.50 in all."
    assert shown["learned"][0]["facts"][0]["key"] == "order_id"
    cut = run("show", "visit-1", "--turn", "5", "--json", "--store", store).json["plans"][0]
    assert cut["summarised"] == [[1, 3]]


def test_a_turn_that_is_not_there(run: Run, store: str) -> None:
    """The error says which there are."""
    ran = run("show", "visit-1", "--turn", "9", "--store", store)
    assert (ran.code, ran.out) == (1, "")
    assert "it has turns 1–7" in ran.err
    assert "no turn yet" in run("show", "empty", "--turn", "1", "--store", store).err


def test_every_event(run: Run, store: str) -> None:
    """In order, of all turns or of one."""
    shown = run("show", "visit-1", "--events", "--json", "--store", store).json["events"]
    assert [event["seq"] for event in shown] == list(range(1, 28))
    assert shown[1]["kind"] == "turn-opened"
    assert shown[1]["body"]["key"] == "k1"
    one = run("show", "visit-1", "--events", "--turn", "6", "--json", "--store", store).json["events"]
    assert [event["kind"] for event in one] == ["turn-opened", "turn-failed"]
    table = run("show", "visit-1", "--events", "--turn", "6", "--store", store).out
    assert "model: offline: no answer" in table


def test_a_kind_is_the_tag_of_the_log() -> None:
    """Whatever the event."""
    events: list[Event] = [event for _, events in TURNS for event in events]
    events += [*called(), HandedOff("asked for a person"), Resumed()]
    assert [kind_of(event) for event in events] == [encode(event).tag for event in events]
    assert {shape.kind.__name__.lower() for shape in EVENTS} == {
        shape.tag.replace("-", "") for shape in EVENTS
    }


@pytest.fixture
def picture(tmp_path: Path) -> str:
    """A store whose one message is an image and a lone surrogate."""
    path = tmp_path / "picture.db"

    async def write() -> None:
        log = SqliteLog(path)
        message = user_message(
            ["half \ud800", BinaryContent(b"\x89PNG" * 1_000, media_type="image/png")], START
        )
        await log.open(Opening("c", None, None, "d", message, START))
        await log.close()

    asyncio.run(write())
    return str(path)


def test_a_message_may_be_an_image(run: Run, picture: str) -> None:
    """It is told by its type and size; what is no text does not stop the rest."""
    assert "half \\ud800 [image/png, 4,000 bytes]" in run("show", "c", "--store", picture).out
    assert "[image/png, 4,000 bytes]" in run("show", "c", "--turn", "1", "--store", picture).out
    body = run("show", "c", "--events", "--json", "--store", picture).json["events"][1]["body"]
    assert body["message"]


@pytest.mark.parametrize(
    "more",
    [
        (),
        ("visit-1",),
        ("visit-1", "--turn", "1"),
        ("visit-1", "--events"),
        ("visit-1", "--json"),
        ("visit-1", "--events", "--json"),
    ],
)
def test_values_are_masked_by_kind(run: Run, store: str, more: tuple[str, ...]) -> None:
    """In every view; the log itself keeps them, and the next command shows them."""
    masked = run("show", *more, "--store", store, "--redact", "id,money,email")
    plain = run("show", *more, "--store", store)
    assert masked.code == plain.code == 0
    assert "40.50" not in masked.out
    if "48213" in plain.out:
        assert "48213" not in masked.out
        assert "[id]" in masked.out


def test_what_cannot_be_masked_is_refused(run: Run, store: str) -> None:
    """An unknown kind, and a test, which is made of what was said."""
    assert "redact" in run("show", "--store", store, "--redact", "iban").err
    ran = run("show", "visit-1", "--turn", "1", "--test", "--store", store, "--redact", "id")
    assert ran.code == 2
