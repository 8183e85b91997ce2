"""Recorded conversations by every way: what stays equal, what is reported, and what is refused."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from turnstate.core.context.budget import Budget
from turnstate.errors import ModelNameError, TranscriptError, WiringError
from turnstate.replay.measure.run import ASSUMPTIONS, SHORT, Measurement, measure, measure_file
from turnstate.replay.measure.ways import WAYS
from turnstate.replay.run import replay_file

FILLER = "the parcel left the warehouse on its way to the depot " * 6


def _chat(turns: int, name: str) -> str:
    messages: list[dict[str, str]] = []
    for number in range(turns):
        messages.append({"role": "user", "content": f"Order {48_000 + number}: {FILLER}"})
        messages.append({"role": "assistant", "content": f"{FILLER} {number}"})
    return json.dumps({"id": name, "messages": messages})


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    """A short conversation, one turn, what does not read, and a long one."""
    path = tmp_path / "chats.jsonl"
    path.write_text("\n".join([_chat(3, "short"), _chat(1, "one"), "{bad", _chat(60, "long")]))
    return path


def _measured(path: Path, target: int = 1_200, **options: Any) -> Measurement:
    return asyncio.run(measure_file(path, Budget(target=target), **options))


def test_every_conversation_goes_every_way(chats: Path) -> None:
    """Those with too few turns, and records that do not read, are reported."""
    found = _measured(chats)
    assert [each.conversation for each in found.conversations] == ["short", "long"]
    assert (found.skipped[0].record, found.skipped[0].reason) == (2, SHORT)
    assert found.skipped[1].record == 3
    assert found.longest.conversation == "long"
    for each in found.conversations:
        assert list(each.ways) == list(WAYS)
        assert {len(way.turns) for way in each.ways.values()} == {len(each.moments)}


def test_the_whole_transcript_costs_what_a_replay_says(chats: Path) -> None:
    """And so does the bounded context: both plan the same requests."""
    found = _measured(chats)
    replayed = asyncio.run(replay_file(chats, Budget(target=1_200), strategies=["append", "hybrid"]))
    for row in replayed.rows:
        for each in found.conversations:
            if each.conversation == row.conversation:
                for name, tally in row.tallies.items():
                    total = each.ways[name].total
                    assert (total.calls, total.input_tokens) == (tally.requests, tally.input_tokens)
                    assert (total.usd, total.usd_cached) == (tally.cost_usd, tally.cost_usd_cached)


def test_calls_are_counted(chats: Path) -> None:
    """A second call in each turn, or none."""
    short = _measured(chats).conversations[0]
    assert {name: way.total.calls for name, way in short.ways.items()} == {
        "append": 3,
        "append+extract": 6,
        "hybrid": 3,
        "state": 3,
        "state+extract": 6,
    }


def test_the_patch_is_output_and_the_brief_is_input(chats: Path) -> None:
    """Both exactly as they were rendered, as long as nothing is cut."""
    short = _measured(chats, target=50_000).conversations[0]
    patches = [moment.patch_tokens for moment in short.moments]
    hybrid, state = short.ways["hybrid"], short.ways["state"]
    assert state.total.output_tokens - hybrid.total.output_tokens == sum(patches)
    more = [
        ours.input_tokens - theirs.input_tokens
        for ours, theirs in zip(state.turns, hybrid.turns, strict=True)
    ]
    head, *later = more
    assert head > 0
    briefs = [moment.brief_tokens for moment in short.moments[1:]]
    assert all(abs(each - head - brief) <= 8 for each, brief in zip(later, briefs, strict=True))


def test_a_short_conversation_loses_and_a_long_one_wins(chats: Path) -> None:
    """In tokens, against the whole transcript: the sentence says what the sums say."""
    short, long = (each.verdicts[0] for each in _measured(chats).conversations)
    assert (short.measure, short.rederive, short.state) == ("tokens", "append", "state")
    assert (short.outcome, long.outcome) == ("loses", "wins")
    assert long.from_turn is not None
    assert 1 < long.from_turn < 60


def test_the_json_has_every_turn(chats: Path) -> None:
    """With sums so far, which never fall; assumptions stand beside them."""
    data = json.loads(json.dumps(_measured(chats, fields=("budget", "budget")).as_dict()))
    assert (data["target"], data["fields"], data["assumptions"]) == (1_200, ["budget"], list(ASSUMPTIONS))
    for each in data["conversations"]:
        assert [row["turn"] for row in each["state"]] == list(range(1, each["turns"] + 1))
        for name, way in each["ways"].items():
            rows = way["per_turn"]
            assert [row["turn"] for row in rows] == list(range(1, each["turns"] + 1)), name
            for figure in ("calls", "tokens", "cost_usd", "cost_usd_cached"):
                sums = [row["so_far"][figure] for row in rows]
                assert sums == sorted(sums)
                assert sums[-1] == way[figure]
        for verdict in each["verdicts"]:
            left, right = (
                [row["so_far"][verdict["measure"]] for row in each["ways"][verdict[side]]["per_turn"]]
                for side in ("rederive", "state")
            )
            less = [ours < theirs for theirs, ours in zip(left, right, strict=True)]
            assert less[-1] == (verdict["outcome"] == "wins")
            assert verdict["from_turn"] is None or all(less[verdict["from_turn"] - 1 :])
    assert data["totals"]["state"]["calls"] == 63
    assert [skip["record"] for skip in data["skipped"]] == [2, 3]


def test_a_target_that_nothing_fits_is_priced_as_what_cannot_give_way(chats: Path) -> None:
    """And counted."""
    long = _measured(chats, target=20).longest
    assert long.ways["state"].over_target == 60


def test_an_unanswered_last_message_costs_nothing(tmp_path: Path) -> None:
    """No call is recorded for it."""
    data = json.loads(_chat(2, "x"))
    data["messages"].append({"role": "user", "content": "Hello?"})
    (tmp_path / "x.jsonl").write_text(json.dumps(data))
    (found,) = _measured(tmp_path / "x.jsonl").conversations
    assert {way.turns[-1].calls for way in found.ways.values()} == {0}


def test_without_prices_only_tokens_differ(chats: Path) -> None:
    """An offline model costs nothing either way."""
    short = _measured(chats, model_id="offline").conversations[0]
    assert {verdict.outcome for verdict in short.verdicts if verdict.measure != "tokens"} == {"draws"}


@pytest.mark.parametrize("content", ["", "no transcript", _chat(1, "one"), '{"messages": []}'])
def test_what_cannot_be_measured_is_refused(tmp_path: Path, content: str) -> None:
    """Empty, unreadable, or with one turn only."""
    (tmp_path / "x.jsonl").write_text(content)
    with pytest.raises(TranscriptError) as refused:
        _measured(tmp_path / "x.jsonl")
    assert refused.value.path == str(tmp_path / "x.jsonl")


def test_nothing_at_all_is_refused() -> None:
    """No transcript, no measurement."""
    with pytest.raises(TranscriptError, match="is empty"):
        asyncio.run(measure([], Budget(target=100)))


def test_names_are_checked(chats: Path) -> None:
    """Of models and of fields, before anything is replayed."""
    with pytest.raises(ModelNameError):
        _measured(chats, model_id="nobody:nothing")
    with pytest.raises(WiringError):
        _measured(chats, fields=("class",))


def test_recorded_sessions(shared_data: Path, tmp_path: Path) -> None:
    """Over a hundred turns state wins in tokens; a session of eight turns it loses."""
    sessions = (shared_data / "sgd_long_sessions" / "sessions.jsonl").read_text().splitlines()
    flights = (shared_data / "tau_bench_airline" / "trajectories.jsonl").read_text().splitlines()
    shortest = min(sessions, key=len)
    (tmp_path / "x.jsonl").write_text(f"{shortest}\n{flights[0]}\n")
    long, short = _measured(tmp_path / "x.jsonl", target=4_000).conversations
    assert (long.verdicts[0].outcome, short.verdicts[0].outcome) == ("wins", "loses")
