"""Sixty turns of a support session with a real model that has a window of 2,048 tokens."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pydantic_ai.settings import ModelSettings

from acceptance.doors import recorded
from turnstate import Assistant, Budget
from turnstate.core.events import ModelResponded
from turnstate.errors import ModelFailed

pytestmark = [pytest.mark.real, pytest.mark.xdist_group("real")]

TURNS = 60
WINDOW = 2_048
INSTRUCTIONS = "You help customers of a shop for coffee machines. Answer in one short sentence."
SHORT = ModelSettings(max_tokens=16, timeout=120.0)

_ASKED = (
    "My order NL-{n}0417 of 3 May has not arrived; it was to be here by 9:30. Where is it now?",
    "The machine that came with invoice INV-2026-{n}81 leaks at the bottom, about 2 cups a day. What should I do first?",
    "I paid 149.{n} EUR and the receipt says 194.{n} EUR. Which of the two did you book, and can you correct it?",
    "Please write to anna.{n}@example.org instead of my old address, and tell me when that is done.",
    "I descaled it {n} times as the manual says on page 14, and the red light still blinks twice. Is it broken?",
    "Could somebody call me at +31 20 555 0{n} tomorrow between 14:00 and 16:00, but not on Friday?",
)


def message(turn: int) -> str:
    """What the customer says in a turn."""
    return _ASKED[turn % len(_ASKED)].format(n=10 + turn)


def _assistant(model: Path, strategy: str) -> Assistant:
    return Assistant(
        f"local:{model}?window={WINDOW}",
        instructions=INSTRUCTIONS,
        budget=Budget(window=WINDOW),
        strategy=strategy,
        store="memory:",
        settings=SHORT,
    )


def test_appending_hits_the_wall(real_model: Path) -> None:
    """The server itself refuses the request that no longer fits, and the turn says so."""

    async def scenario() -> int:
        async with _assistant(real_model, "append") as assistant:
            conversation = assistant.conversation("c")

            async def talk() -> None:
                for turn in range(TURNS):
                    await conversation.send(message(turn))

            with pytest.raises(ModelFailed, match="exceeds the available context size"):
                await talk()
            return len(await recorded(conversation, ModelResponded))

    assert 10 < asyncio.run(scenario()) < TURNS


def test_hybrid_answers_every_turn(real_model: Path) -> None:
    """No request is longer than the window, by the server's own count, nor than our bound; the context was cut on the way."""

    async def scenario() -> list[ModelResponded]:
        async with _assistant(real_model, "hybrid") as assistant:
            conversation = assistant.conversation("c")
            for turn in range(TURNS):
                assert (await conversation.send(message(turn))).text.strip()
            return await recorded(conversation, ModelResponded)

    responded = asyncio.run(scenario())
    assert len(responded) == TURNS
    for each in responded:
        reported = each.response.usage.input_tokens
        assert 0 < reported <= WINDOW
        assert reported <= each.request.count.bound
    assert any(each.request.managed for each in responded)
