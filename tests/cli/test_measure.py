"""`turnstate measure`: the tables, the verdicts, the JSON, the picture, and what is refused."""

from __future__ import annotations

import asyncio
import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.conftest import HOSTILE, Run
from turnstate.cli.measure import sentence, shown_turns
from turnstate.core.context.budget import Budget
from turnstate.replay.measure.run import ASSUMPTIONS, measure_file
from turnstate.replay.measure.verdict import Verdict
from turnstate.replay.measure.ways import WAYS

FILLER = "Please tell me everything about it, in every detail that you have on record. " * 8


def _chat(turns: int, name: str = "chat") -> str:
    messages = [{"role": "system", "content": "You help."}]
    for number in range(turns):
        messages.append({"role": "user", "content": f"Question about order {12_000 + number}. {FILLER}"})
        messages.append({"role": "assistant", "content": f"Answer {number}."})
    return json.dumps({"id": name, "messages": messages})


@pytest.fixture
def transcripts(tmp_path: Path) -> Path:
    """Two conversations, one of them long, one that is too short, and a record that does not read."""
    path = tmp_path / "chats.jsonl"
    path.write_text("\n".join([_chat(3), _chat(40, f"long {HOSTILE}"), _chat(1), "{broken", ""]))
    return path


def test_the_tables(run: Run, transcripts: Path) -> None:
    """Sums of all, then the longest one turn by turn, with its verdicts and what they take for granted."""
    ran = run("measure", "chats.jsonl", "--target", "1200")
    assert (ran.code, ran.err) == (0, "")
    assert "chats.jsonl: 2 conversations, target 1,200 tokens, prices of " in ran.out
    assert "tokens: state wins in 1 of 2 conversations" in ran.out
    cells = [line.split() for line in ran.out.splitlines()]
    rows = [row for row in cells if len(row) > 2 and row[0] in WAYS and row[1].isdecimal()]
    assert [row[0] for row in rows] == [*WAYS, *WAYS]
    turns = [line.split()[0] for line in ran.out.splitlines() if line.startswith("     ") and line.split()]
    assert [turn for turn in turns if turn.isdecimal()] == [
        "1",
        "2",
        "3",
        "5",
        "8",
        "13",
        "21",
        "34",
        "40",
    ] * 2
    assert all(f"- {line}" in ran.out for line in ASSUMPTIONS)
    assert "2 records skipped\n  record 3: has fewer than 2 answered turns" in ran.out
    assert "\x1b" not in ran.out
    assert "\x07" not in ran.out


def test_a_short_conversation_is_told_that_state_loses(run: Run, tmp_path: Path) -> None:
    """Plainly, and at once."""
    (tmp_path / "x.jsonl").write_text(_chat(3))
    out = run("measure", "x.jsonl").out
    assert "Against the whole transcript without any state: in tokens state loses (" in out
    assert "tokens: state does not win on this conversation; after 3 turns it has cost " in out


def test_a_long_one_is_told_from_which_turn_on(run: Run, transcripts: Path) -> None:
    """As the numbers have it."""
    data = run("measure", "chats.jsonl", "--target", "1200", "--json").json
    verdict = data["conversations"][1]["verdicts"][0]
    assert verdict["outcome"] == "wins"
    assert (
        f"tokens: state wins from turn {verdict['from_turn']} on; until then it costs up to "
        f"{verdict['most_more_before']:,} tokens more (turn {verdict['most_more_after_turn']})"
    ) in run("measure", "chats.jsonl", "--target", "1200").out


def test_the_json_is_the_measurement(run: Run, transcripts: Path) -> None:
    """Exactly, and alone on stdout."""
    ran = run("measure", "chats.jsonl", "--fields", "budget, order", "--json")
    found = asyncio.run(measure_file(transcripts, Budget(target=8_000), fields=("budget", "order")))
    assert ran.json == json.loads(json.dumps(found.as_dict()))
    assert ran.err == ""


def test_fields_are_named(run: Run, transcripts: Path) -> None:
    """And refused where they can be none."""
    assert "fields: budget, timeline" in run("measure", "chats.jsonl", "--fields", "budget,timeline").out
    ran = run("measure", "chats.jsonl", "--fields", "My Budget")
    assert (ran.code, ran.out) == (1, "")
    assert "'My Budget' cannot be a field's name" in ran.err


def test_prices_of_a_model(run: Run, transcripts: Path) -> None:
    """Named, or a failure where nobody publishes any."""
    out = run("measure", "chats.jsonl", "--model", "offline").out
    assert "money with a warm cache: no difference after 40 turns." in out
    ran = run("measure", "chats.jsonl", "--model", "nobody:nothing")
    assert (ran.code, ran.out) == (1, "")


@pytest.mark.parametrize("content", [None, "", "no transcript", '{"a": 1}', _chat(1)])
def test_a_file_that_is_refused(run: Run, tmp_path: Path, content: str | None) -> None:
    """Missing, empty, something else, or of one turn: one line that names the file."""
    if content is not None:
        (tmp_path / "x.jsonl").write_text(content)
    ran = run("measure", "x.jsonl")
    assert (ran.code, ran.out) == (1, "")
    assert "x.jsonl" in ran.err
    assert "Traceback" not in ran.err


def test_the_picture(run: Run, transcripts: Path, tmp_path: Path) -> None:
    """A PNG; what cannot be written is a failure with a next step."""
    pytest.importorskip("matplotlib")
    ran = run("measure", "chats.jsonl", "--plot", "out.png")
    assert (ran.code, ran.err) == (0, "")
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    assert run("measure", "chats.jsonl", "--plot", "missing/out.png").code == 2
    refused = run("measure", "chats.jsonl", "--plot", "out.nope")
    assert refused.code == 1
    assert "Give a path that ends with .png" in refused.err


@given(st.integers(1, 10_000))
def test_the_turns_that_are_shown(last: int) -> None:
    """From the first to the last, each once, in order."""
    shown = list(shown_turns(last))
    assert (shown[0], shown[-1]) == (1, last)
    assert shown == sorted(set(shown))


@pytest.mark.parametrize(
    ("start", "ahead", "right", "expected"),
    [
        (
            1,
            0,
            40,
            "tokens: state wins from the first turn on; after turn 9 it has cost 40 % of re-deriving.",
        ),
        (
            4,
            12,
            40,
            "tokens: state wins from turn 4 on; until then it costs up to 12 tokens more (turn 2); after turn 9 ",
        ),
        (
            None,
            50,
            150,
            "tokens: state does not win on this conversation; after 9 turns it has cost 50 tokens more (150 % ",
        ),
        (None, 0, 100, "tokens: no difference after 9 turns."),
    ],
)
def test_verdicts_in_words(start: int | None, ahead: int, right: int, expected: str) -> None:
    """One sentence each."""
    verdict = Verdict(
        "append", "state", "tokens", start, Decimal(ahead), 2 if ahead else 0, Decimal(100), Decimal(right), 9
    )
    assert sentence(verdict).startswith(expected)
