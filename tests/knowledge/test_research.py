"""Looking up a message: every part is searched for, and whatever fails is missing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from turnstate.core.evidence import Evidence, Grounding, Level
from turnstate.knowledge import Research, open_knowledge, research
from turnstate.knowledge.ingest import read_bytes

PRICE = Evidence("a", "Plans", "Starter costs $39 a month.", 1.0, "a#1")


class Fixed:
    """A knowledge that finds the same for everything, and remembers what it was asked."""

    def __init__(self, *found: Evidence) -> None:
        self.found = found
        self.asked: list[str] = []

    async def search(self, query: str, k: int) -> Sequence[Evidence]:
        """The same."""
        self.asked.append(query)
        return self.found[:k]


class Down:
    """A knowledge that cannot be reached."""

    async def search(self, query: str, k: int) -> Sequence[Evidence]:
        """Never."""
        raise ConnectionError("no route")


def look(knowledge: Fixed | Down, message: str) -> Research:
    """What is found for a message."""
    return asyncio.run(research(knowledge, message))


def test_each_part_is_searched_for_and_judged() -> None:
    """The evidence is what answers a part; the rest was only found."""
    fixed = Fixed(PRICE, Evidence("b", "Other", "Nothing.", 0.5, "b#1"))
    result = look(fixed, "How much is Starter? Is there a fax?")
    assert fixed.asked == ["How much is Starter?", "Is there a fax?"]
    assert result.grounding.level is Level.PARTIAL
    assert result.evidence == (PRICE,)
    assert len(result.found) == 2


def test_a_message_that_asks_nothing_is_not_looked_up() -> None:
    """No search is made for thanks."""
    fixed = Fixed(PRICE)
    assert not look(fixed, "Thank you!").grounding.asked
    assert fixed.asked == []


def test_a_search_that_fails_is_missing(caplog: pytest.LogCaptureFixture) -> None:
    """The turn goes on, the reason is told and logged."""
    result = look(Down(), "How much is Starter?")
    assert (result.grounding.level, result.evidence) == (Level.MISSING, ())
    assert result.grounding.problem == "ConnectionError: no route"
    assert "no route" in caplog.text


def test_a_judge_decides_instead_of_the_rules() -> None:
    """One that fails is MISSING."""

    async def judge(message: str, evidence: Sequence[Evidence]) -> Grounding:
        if "fail" in message:
            raise TimeoutError
        return Grounding(Level.ACCURATE)

    async def ask(message: str) -> Level:
        return (await research(Fixed(PRICE), message, judge=judge)).grounding.level

    assert asyncio.run(ask("Is the sky blue?")) is Level.ACCURATE
    assert asyncio.run(ask("Does it fail?")) is Level.MISSING


def test_a_knowledge_base_answers(tmp_path: Path) -> None:
    """From a file to the evidence, with the statistics of the whole."""
    knowledge = open_knowledge(tmp_path / "k.db", create=True)
    pages = "\n\n".join(f"## Page {number}\n\nTidewell has words {number}." for number in range(12))
    knowledge.add(
        "a.md",
        read_bytes(f"# Book\n\n{pages}\n\n## Backups\n\nKept for 35 days.".encode(), "a.md", "markdown"),
    )
    result = asyncio.run(research(knowledge, "How long does Tidewell keep backups?"))
    knowledge.close()
    assert [one.text for one in result.evidence] == ["Kept for 35 days."]
