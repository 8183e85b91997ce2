"""One conversation through one strategy: calls, tools, and what a turn costs."""

from __future__ import annotations

import asyncio
from decimal import Decimal

from turnstate.core.context.append import append
from turnstate.core.context.budget import Budget
from turnstate.core.context.extractive import extract_summary
from turnstate.core.context.types import Excerpt, SummaryDraft
from turnstate.readers.openai_chat import read_chat
from turnstate.replay.measure.play import Spent, play
from turnstate.replay.prices import prices
from turnstate.replay.scene import Scene, Setting


async def _extract(excerpt: Excerpt) -> SummaryDraft:
    return extract_summary(excerpt)


def test_every_round_of_a_turn_is_a_call() -> None:
    """Two in a turn that uses a tool, and the results stand in the second."""
    call = {"id": "a", "type": "function", "function": {"name": "get", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "Where is it?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "on its way " * 50},
        {"role": "assistant", "content": "On its way."},
        {"role": "user", "content": "Thanks."},
        {"role": "assistant", "content": "Bye."},
    ]
    setting = Setting(Budget(target=8_000), prices("anthropic:claude-sonnet-5-5"), _extract)
    transcript = read_chat({"messages": messages}, 1, "c")
    played = asyncio.run(play(Scene.of(transcript, "", append, setting)))
    assert [turn.calls for turn in played.turns] == [2, 1]
    assert played.largest > played.turns[0].input_tokens // 2
    assert played.over_target == 0


def test_what_was_spent_adds_up() -> None:
    """And reads as data."""
    one = Spent(1, 10, 5, Decimal("0.1"), Decimal("0.05"))
    assert one + Spent() == one
    assert (one + one).as_dict() == {
        "calls": 2,
        "input_tokens": 20,
        "output_tokens": 10,
        "tokens": 30,
        "cost_usd": 0.2,
        "cost_usd_cached": 0.1,
    }
