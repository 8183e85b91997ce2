"""Whole files through every strategy: sums, skipped records, and what recorded sessions come to."""

from __future__ import annotations

import asyncio
import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from turnstate.core.context.budget import Budget
from turnstate.core.context.strategies import STRATEGIES
from turnstate.core.context.truncate import truncate
from turnstate.core.context.types import Excerpt, SummaryDraft
from turnstate.errors import ModelNameError, StrategyError, TranscriptError
from turnstate.readers.recognise import read_transcripts
from turnstate.replay.probes import Probe, Probes, Unread
from turnstate.replay.report import Report, Tally
from turnstate.replay.run import replay, replay_file

BUDGET = Budget(target=6_000)


def _chat(turns: int) -> str:
    said = "the parcel left the warehouse on Monday " * 4
    messages: list[dict[str, str]] = []
    for number in range(turns):
        messages.append({"role": "user", "content": f"{number} {said}"})
        messages.append({"role": "assistant", "content": f"{said} {number}"})
    return json.dumps({"id": f"chat-{turns}", "messages": messages})


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    """A file of three conversations and two bad records."""
    path = tmp_path / "chats.jsonl"
    path.write_text("\n".join([_chat(3), "{bad", _chat(40), '{"messages": []}', _chat(12)]), encoding="utf-8")
    return path


def _play(path: Path, **options: Any) -> Report:
    return asyncio.run(replay_file(path, options.pop("budget", Budget(target=700)), **options))


def _sums(report: Report) -> dict[str, Tally]:
    return {name: sum((row.tallies[name] for row in report.rows), Tally()) for name in report.strategies}


def test_totals_are_the_sums_of_the_conversations(chats: Path) -> None:
    """For every strategy, in the order of the strategies."""
    report = _play(chats)
    assert report.strategies == _sums(report)
    assert list(report.strategies) == list(STRATEGIES)
    assert [row.conversation for row in report.rows] == ["chat-3", "chat-40", "chat-12"]
    assert report.strategies["append"].requests == 55


def test_bad_records_are_skipped_and_reported(chats: Path) -> None:
    """With their numbers and reasons."""
    report = _play(chats)
    assert [(s.record, s.reason.partition(" (")[0]) for s in report.skipped] == [
        (2, "is not JSON"),
        (4, "has no user message"),
    ]
    assert len(report.rows) == 3


def test_the_longest_conversation_is_kept_request_by_request(chats: Path) -> None:
    """To be drawn."""
    longest = _play(chats, strategies=["append", "hybrid"]).longest
    assert longest.conversation == "chat-40"
    assert {name: len(tokens) for name, tokens in longest.tokens.items()} == {"append": 40, "hybrid": 40}
    assert longest.tallies["append"].input_tokens == sum(longest.tokens["append"])


def test_progress_is_told_in_bytes_and_in_conversations(chats: Path) -> None:
    """Of the file, or of the transcripts given."""
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        told.append((done, total))

    _play(chats, strategies=["append"], on_progress=tell)
    assert told[-1] == (chats.stat().st_size, chats.stat().st_size)
    done: list[int] = []
    asyncio.run(replay(read_transcripts(chats), ["append"], BUDGET, on_progress=done.append))
    assert done == [1, 2, 3]


def test_a_strategy_of_ones_own_is_reported_by_its_name(chats: Path) -> None:
    """And a name that is none is refused before anything is read."""
    report = asyncio.run(replay(read_transcripts(chats), {"mine": truncate}, Budget(target=700)))
    assert report.strategies["mine"] == _play(chats, strategies=["truncate"]).strategies["truncate"]
    with pytest.raises(StrategyError):
        _play(chats, strategies=["nonsense"])


def test_a_model_without_prices_is_refused(chats: Path) -> None:
    """Rather than priced at nothing; without cache prices the report says so."""
    with pytest.raises(ModelNameError):
        _play(chats, model_id="ollama:llama3.2")
    assert "no price for" in _play(chats, model_id="openai:gpt-4o").as_dict()["notes"][0]


def test_a_file_that_is_no_transcript_is_refused(tmp_path: Path) -> None:
    """With its path."""
    with pytest.raises(TranscriptError, match="nowhere"):
        _play(tmp_path / "nowhere")


class _Summarizer:
    """A summarizer that says how often it was asked."""

    name = "model"

    def __init__(self) -> None:
        self.asked = 0

    async def summarize(self, excerpt: Excerpt) -> SummaryDraft:
        """One sentence."""
        self.asked += 1
        await asyncio.sleep(0)
        return SummaryDraft("They asked after parcels.", by="model", usage=(500, 20))


def test_a_summarizer_of_ones_own_is_asked(chats: Path) -> None:
    """Through the same port as in a live turn."""
    summarizer = _Summarizer()
    report = _play(chats, strategies=["hybrid"], summarizer=summarizer)
    assert report.strategies["hybrid"].summarizer_calls == summarizer.asked > 0


def test_the_same_file_gives_the_same_report(chats: Path) -> None:
    """To the last digit."""
    assert _play(chats).as_dict() == _play(chats).as_dict()


def _checked(report: Report) -> Report:
    """What holds for recorded sessions, whatever the strategy."""
    for name, tally in report.strategies.items():
        assert tally.invalid_requests == 0, name
        if name != "append":
            assert tally.over_target == tally.refused
    for refusal in report.refusals:
        assert sum(refusal.sizes.values()) > report.target
    assert report.strategies == _sums(report)
    return report


@pytest.mark.slow
def test_support_sessions_with_tool_calls(shared_data: Path) -> None:
    """Every request of every strategy is valid and within the target."""
    folder = shared_data / "tau_bench_airline"
    instructions = (folder / "system_prompt.txt").read_text(encoding="utf-8")
    path = folder / "trajectories.jsonl"
    report = _checked(_play(path, budget=BUDGET, instructions=instructions))
    assert len(report.rows) == 100
    assert {tally.requests for tally in report.strategies.values()} == {1229}
    assert report.refusals == ()


def test_the_first_support_sessions(shared_data: Path) -> None:
    """A few of them under a tight budget, where every strategy has to cut."""
    transcripts = islice(read_transcripts(shared_data / "tau_bench_airline/trajectories.jsonl"), 12)
    report = _checked(asyncio.run(replay(transcripts, tuple(STRATEGIES), Budget(target=2_500))))
    assert report.strategies["hybrid"].cuts > 0


@pytest.mark.slow
def test_long_sessions_over_many_cuts(shared_data: Path) -> None:
    """304 to 808 messages: all but append stay under the target, and cost less than it."""
    report = _checked(_play(shared_data / "sgd_long_sessions/sessions.jsonl", budget=BUDGET))
    append = report.strategies["append"]
    for name, tally in report.strategies.items():
        assert tally.requests == 812
        if name != "append":
            assert tally.largest_request <= 6_000
            assert tally.cuts >= 5
            assert tally.cost_usd < append.cost_usd
            assert tally.cost_usd_cached < append.cost_usd_cached


def test_probes_are_asked_of_their_conversations(chats: Path) -> None:
    """Those about no conversation of the file are reported, beside the lines that did not read."""
    probes = Probes(
        (
            Probe("chat-40", "When did the parcel leave?", ("Monday",), 1),
            Probe("chat-3", "Who has it?", ("nobody",), 2),
            Probe("chat-99", "Who?", ("nobody",), 3),
        ),
        (Unread(4, "is not JSON"),),
    )
    report = _play(chats, strategies=("append", "hybrid"), probes=probes)
    for tally in report.strategies.values():
        assert (tally.probes, tally.answers_in_view) == (2, 1)
    assert [row.tallies["hybrid"].probes for row in report.rows] == [1, 1, 0]
    assert [(missed.strategy, missed.probe.line) for missed in report.missed] == [
        ("append", 2),
        ("hybrid", 2),
    ]
    assert report.unasked == (
        Unread(3, "asks about 'chat-99', which is no conversation of the file"),
        Unread(4, "is not JSON"),
    )
