"""Questions after the last turn: planned as the newest message, and part of no history."""

from __future__ import annotations

import asyncio
from typing import Any

from turnstate.core.context.budget import Budget
from turnstate.core.context.extractive import extract_summary
from turnstate.core.context.strategies import STRATEGIES
from turnstate.core.context.types import Excerpt, SummaryDraft
from turnstate.readers.openai_chat import read_chat
from turnstate.replay.prices import prices
from turnstate.replay.probes import Probe
from turnstate.replay.report import Replayed
from turnstate.replay.scene import Scene, Setting
from turnstate.replay.simulate import simulate

WORDS = "we talked about the weather and about nothing else at all for a while "


def _chat(turns: int) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "The name of my hotel is Seaview."},
        {"role": "assistant", "content": "Noted: your hotel is the Seaview, on Mill Lane."},
    ]
    for number in range(turns):
        messages.append({"role": "user", "content": f"{number} {WORDS * 2}"})
        messages.append({"role": "assistant", "content": f"{WORDS} {number}"})
    return messages


async def _extract(excerpt: Excerpt) -> SummaryDraft:
    return extract_summary(excerpt)


def _play(
    name: str, *probes: Probe, target: int = 600, seen: list[Excerpt] | None = None, **budget: Any
) -> Replayed:
    async def summarize(excerpt: Excerpt) -> SummaryDraft:
        if seen is not None:
            seen.append(excerpt)
        return await _extract(excerpt)

    setting = Setting(Budget(target=target, **budget), prices("offline"), summarize)
    scene = Scene.of(read_chat(_chat(40), 1, "c"), name, STRATEGIES[name], setting)
    return asyncio.run(simulate(scene, probes=probes))


def _probe(question: str, *answers: str) -> Probe:
    return Probe("c", question, answers, 1)


LANE = _probe("In which lane does my hotel stand?", "Mill Lane")


def test_what_was_never_cut_is_in_view() -> None:
    """Any of the accepted answers will do."""
    played = _play("append", LANE, _probe("Which hotel?", "Ritz", "seaview"), _probe("Which town?", "Rome"))
    assert (played.tally.probes, played.tally.answers_in_view) == (3, 2)
    assert [missed.probe.question for missed in played.missed] == ["Which town?"]


def test_what_was_dropped_is_missed() -> None:
    """Without recall."""
    played = _play("truncate", LANE, recall=0)
    assert (played.tally.probes, played.tally.answers_in_view, played.tally.probes_with_recall) == (1, 0, 0)
    assert [(missed.strategy, missed.probe) for missed in played.missed] == [("truncate", LANE)]


def test_the_question_is_no_answer() -> None:
    """Nor is what it repeats of it."""
    played = _play("truncate", _probe("Was it in Elm Street?", "Elm Street"), recall=0)
    assert played.tally.answers_in_view == 0


def test_questions_change_nothing_else() -> None:
    """Neither what was sent nor what was summarised, and a summary serves all of them."""
    plain_seen: list[Excerpt] = []
    seen: list[Excerpt] = []
    plain = _play("summarize", seen=plain_seen)
    asked = _play("summarize", *[LANE] * 5, seen=seen)
    assert asked.tokens == plain.tokens
    assert asked.tally.input_tokens == plain.tally.input_tokens
    assert asked.tally.cost_usd == plain.tally.cost_usd
    assert 0 < asked.tally.probe_input_tokens <= 5 * 600
    assert len(seen) <= len(plain_seen) + 3


def test_a_question_that_fits_in_no_request_is_missed() -> None:
    """And counted."""
    setting = Setting(Budget(target=60), prices("offline"), _extract)
    record = {"messages": [{"role": "system", "content": WORDS * 9}, *_chat(1)]}
    scene = Scene.of(read_chat(record, 1, "c"), "hybrid", STRATEGIES["hybrid"], setting)
    played = asyncio.run(simulate(scene, probes=[LANE]))
    assert (played.tally.probes, played.tally.answers_in_view) == (1, 0)
    assert played.tally.probe_input_tokens > 60
    assert [missed.probe for missed in played.missed] == [LANE]


def test_what_left_the_view_is_recalled() -> None:
    """As it would be in a live turn."""
    played = _play("truncate", LANE)
    assert (played.tally.answers_in_view, played.tally.probes_with_recall) == (1, 1)
