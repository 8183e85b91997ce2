"""`turnstate replay`: the table, the report as JSON, the picture, and what is refused."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from cli.conftest import Run
from turnstate.cli.replay import Bar
from turnstate.core.context.budget import Budget
from turnstate.core.context.strategies import STRATEGIES
from turnstate.replay.run import replay_file

FILLER = "Please tell me everything about it, in every detail that you have on record. " * 8


@pytest.fixture
def transcripts(tmp_path: Path) -> Path:
    """Two conversations, the second of them long, and a record that does not read."""
    path = tmp_path / "chats.jsonl"
    lines: list[str] = []
    for turns in (1, 12):
        messages = [{"role": "system", "content": "You help."}]
        for number in range(turns):
            messages.append({"role": "user", "content": f"Question {number} about order 12345. {FILLER}"})
            messages.append({"role": "assistant", "content": f"Answer {number}."})
        lines.append(json.dumps({"messages": messages}))
    path.write_text("\n".join([*lines, "{broken", ""]))
    return path


def test_the_table(run: Run, transcripts: Path) -> None:
    """A row for each strategy, and what was skipped."""
    ran = run("replay", "chats.jsonl", "--budget-target", "1000")
    assert (ran.code, ran.err) == (0, "")
    assert "chats.jsonl: 2 conversations, target 1,000 tokens, prices of " in ran.out
    rows = [line.split() for line in ran.out.splitlines() if line.startswith(tuple(STRATEGIES))]
    assert [row[0] for row in rows] == list(STRATEGIES)
    assert all(row[1] == "13" for row in rows)
    assert rows[0][-2:] == ["100%", "100%"]
    assert "values in view" in ran.out
    assert "answers in view" not in ran.out
    assert "1 record skipped\n  record 3: " in ran.out


def test_the_json_is_the_report(run: Run, transcripts: Path) -> None:
    """Exactly, and alone on stdout."""
    ran = run("replay", "chats.jsonl", "--budget-target", "1000", "--json")
    report = asyncio.run(replay_file(transcripts, Budget(target=1_000)))
    assert ran.json == json.loads(json.dumps(report.as_dict()))
    assert ran.err == ""


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (("--strategy", "hybrid"), ["hybrid"]),
        (("--strategy", "truncate", "--strategy", "append"), ["truncate", "append"]),
        (("--strategy", "all"), list(STRATEGIES)),
        ((), list(STRATEGIES)),
    ],
)
def test_strategies_may_be_chosen(
    run: Run, transcripts: Path, options: tuple[str, ...], names: list[str]
) -> None:
    """One, several, or all."""
    assert list(run("replay", "chats.jsonl", *options, "--json").json["strategies"]) == names


def test_instructions_may_be_replaced(run: Run, transcripts: Path, tmp_path: Path) -> None:
    """Longer ones make larger requests."""
    (tmp_path / "long.md").write_text("Be brief. " * 200)
    own = run("replay", "chats.jsonl", "--strategy", "append", "--json").json["strategies"]["append"]
    longer = run("replay", "chats.jsonl", "--strategy", "append", "--instructions", "long.md", "--json")
    assert longer.json["strategies"]["append"]["input_tokens"] > own["input_tokens"]


def test_requests_that_cannot_fit_are_told(run: Run, transcripts: Path) -> None:
    """With what they need."""
    out = run("replay", "chats.jsonl", "--budget-target", "20", "--strategy", "hybrid").out
    assert "13 requests over the target whatever is cut" in out
    assert "and 8 more: --json has them all" in out


def test_probes_are_asked(run: Run, transcripts: Path, tmp_path: Path) -> None:
    """A column for them; lines that ask nothing are told, and a file without any probe is a failure."""
    probe = {"conversation": "chats:2", "question": "Which order?", "answer": ["12345", "#12345"]}
    lines = [json.dumps(probe), "{bad", json.dumps({**probe, "conversation": "other"})]
    (tmp_path / "probes.jsonl").write_text("\n".join(lines))
    ran = run("replay", "chats.jsonl", "--probes", "probes.jsonl", "--strategy", "append")
    (row,) = [line.split() for line in ran.out.splitlines() if line.startswith("append")]
    assert (ran.code, row[-1]) == (0, "100%")
    assert "2 probes skipped\n  line 2: is not JSON" in ran.out
    assert "line 3: asks about 'other', which is no conversation of the file" in ran.out
    asked = run("replay", "chats.jsonl", "--probes", "probes.jsonl", "--json").json
    assert asked["strategies"]["append"]["answers_in_view"] == asked["strategies"]["append"]["probes"] == 1
    (tmp_path / "probes.jsonl").write_text("{bad")
    refused = run("replay", "chats.jsonl", "--probes", "probes.jsonl")
    assert (refused.code, refused.out) == (1, "")
    assert "holds no probe: line 1 is not JSON" in refused.err


def test_recall_may_be_turned_off(run: Run, transcripts: Path) -> None:
    """Then nothing is brought back."""
    options = ("replay", "chats.jsonl", "--budget-target", "1000", "--no-recall", "--json")
    report = asyncio.run(replay_file(transcripts, Budget(target=1_000, recall=0)))
    found = run(*options).json
    assert found == json.loads(json.dumps(report.as_dict()))
    assert {tally["recalls"] for tally in found["strategies"].values()} == {0}


def test_prices_of_a_model(run: Run, transcripts: Path) -> None:
    """Named, or a failure where nobody publishes any."""
    assert run("replay", "chats.jsonl", "--model", "offline", "--json").json["model"] == "offline"
    ran = run("replay", "chats.jsonl", "--model", "nobody:nothing")
    assert (ran.code, ran.out) == (1, "")


@pytest.mark.parametrize("content", [None, "", "no transcript", '{"a": 1}'])
def test_a_file_that_is_refused(run: Run, tmp_path: Path, content: str | None) -> None:
    """The error says what a transcript file is."""
    if content is not None:
        (tmp_path / "x.jsonl").write_text(content)
    ran = run("replay", "x.jsonl")
    assert (ran.code, ran.out) == (1, "")
    assert "Give OpenAI chat records" in ran.err


def test_the_picture(run: Run, transcripts: Path, tmp_path: Path) -> None:
    """A PNG; what cannot be written is a failure with a next step."""
    pytest.importorskip("matplotlib")
    ran = run("replay", "chats.jsonl", "--plot", "out.png")
    assert (ran.code, ran.err) == (0, "")
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    assert "out.png" in ran.out
    refused = run("replay", "chats.jsonl", "--plot", "out.nope")
    assert refused.code == 1
    assert "Give a path that ends with .png" in refused.err


def test_no_bar_is_shown_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Nor before the work has taken a second."""
    with Bar(shown=True) as bar:
        bar.move(1, 2)
        bar.move(2, 2)
    assert capsys.readouterr() == ("", "")
