"""The sales team with a real model that is far too small for it: every reply arrives, and what was not recorded is reported."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pydantic_ai.settings import ModelSettings

from acceptance.doors import recorded
from turnstate import Budget
from turnstate.apps.sales.agents import sales
from turnstate.apps.sales.script import BUYER
from turnstate.apps.sales.states import Qualification, Scores
from turnstate.core.events import AgentActed, TurnClosed, TurnFailed

pytestmark = [pytest.mark.real, pytest.mark.xdist_group("real")]

WINDOW = 4_096
SHORT = ModelSettings(max_tokens=48, timeout=240.0)
MORE = (
    "One more thing: can we start with one depot?",
    "How long does the onboarding take?",
    "And support, when can we call somebody?",
    "Good. My colleague will be in the meeting, too.",
    "That is all for today.",
)


def test_twenty_turns(real_model: Path) -> None:
    """Rules take over wherever the model records nothing, so the states come out as they do without it."""

    async def scenario() -> None:
        model = f"local:{real_model}?window={WINDOW}"
        async with sales(model, store="memory:", budget=Budget(window=WINDOW), settings=SHORT) as shop:
            chat = shop.conversation("buyer", user="dana")
            lines = (*BUYER, *MORE)
            replies = [await chat.send(line) for line in lines]
            assert all(reply.text.strip() for reply in replies)
            assert len(await recorded(chat, TurnClosed)) == len(lines) == 20
            assert await recorded(chat, TurnFailed) == []
            spoke = [event for event in await recorded(chat, AgentActed) if event.part == "speaker"]
            assert len(spoke) == 20
            for event in spoke:
                told = event.notes or event.refused or event.wrote
                assert event.by == "rules" or told or "Memory" in event.read
            scores = await chat.state(Scores)
            assert (scores.timeline.said, scores.budget.said) == ("six weeks", "$55,000")
            assert (await chat.state(Qualification)).is_qualified == "QUALIFIED"
            unreported = [
                event for event in spoke if event.by == "rules" and not event.notes and not event.refused
            ]
            # By rules without a word about it: only where no model was asked.
            designed = sum(reply.usage.requests == 0 for reply in replies)
            assert len(unreported) <= designed

    asyncio.run(scenario())
