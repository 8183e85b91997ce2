"""Recall from the log: what is found, when it is silent, and how little of a long conversation it reads."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from turnstate.core.context.counting import estimate_text
from turnstate.core.context.types import NeedRecall
from turnstate.core.events import GuardActed, Recorded, ToolReturned
from turnstate.core.messages import tool_return
from turnstate.core.search import Index, Said
from turnstate.ports import Log, spoken
from turnstate.stores.memory import MemoryLog
from turnstate.stores.sqlite.log import SqliteLog
from turnstate.testing.log_contract import closing
from turnstate.testing.log_contract.story import AT, closed, failed, opening, reopened, responded, say
from turnstate.turn.recall import CANDIDATES, NOTHING, recall, recalled_text

DAY = 86_400_000_000
PLACES = ("Oslo", "Lima", "Kyoto", "Porto", "Quito", "Turin", "Malmo", "Dakar", "Sofia", "Leeds")
THINGS = ("lamp", "kettle", "bicycle", "mirror", "carpet", "violin", "tent", "camera", "ladder", "drill")


async def told(log: Log, turns: int, seed: int = 0) -> list[tuple[str, str]]:
    """A conversation of orders and small talk; the questions about it, with what must be found."""
    chance = random.Random(seed)
    asked: list[tuple[str, str]] = []
    for number in range(1, turns + 1):
        place, thing = chance.choice(PLACES), chance.choice(THINGS)
        text = f"How is the weather in {place} today, and what about tomorrow number {chance.randrange(9)}?"
        if number % 7 == 3:
            reference = f"REF-{chance.randrange(10_000, 99_999)}"
            text = f"I ordered a {thing} to {place}, the reference is {reference}"
            asked.append((f"What did I say about {reference}?", text))
        await say(log, text, at=AT + number * DAY)
    return asked


async def whole(log: Log, conversation: str) -> Index:
    """All of a conversation, indexed in memory."""
    index = Index()
    for recorded in await log.read(conversation):
        if (what := spoken(recorded.event)) is not None:
            index.add(Said(recorded.turn, recorded.at, *what))
    return index


@pytest.mark.parametrize("store", ["memory", "sqlite"])
def test_what_was_said_is_found_as_an_index_of_all_finds_it(store: str, tmp_path: Path) -> None:
    """The best of it is the same, though only some turns were read; the scores are near, not equal."""

    async def converse() -> None:
        log = MemoryLog() if store == "memory" else SqliteLog(tmp_path / "chat.db")
        async with closing(log):
            asked = await told(log, 300)
            index = await whole(log, "c1")
            for question, answer in asked:
                quotes = await recall(log, "c1", NeedRecall(question, 299, 600))
                hits = index.find(question, before=299, tokens=600, measure=estimate_text)
                assert answer in [quote.text for quote in quotes]
                assert (quotes[0].turn, quotes[0].text) == (hits[0].turn, hits[0].text)
                assert abs(quotes[0].score - hits[0].score) < 0.2 * hits[0].score

    asyncio.run(converse())


def test_it_is_silent_when_the_message_needs_nothing() -> None:
    """And then the log is not even asked; whoever asks is answered all the same."""

    async def converse() -> None:
        log = _Counted()
        async with closing(log):
            await told(log, 30)
            for query in ("Thanks, bye!", "", "ok", "The lamp is nice"):
                assert await recall(log, "c1", NeedRecall(query, 30, 500)) == ()
            assert await recall(log, "c1", NeedRecall("What was my reference?", 1, 500)) == ()
            assert log.asked == log.read_events == 0
            assert await recall(log, "c1", NeedRecall("reference lamp", 30, 500), asked=True)
            assert await recall(log, "c9", NeedRecall("What was my reference?", 30, 500)) == ()

    asyncio.run(converse())


def test_it_stays_within_its_turns_and_tokens() -> None:
    """What is in view is not quoted again."""

    async def converse() -> None:
        async with closing(MemoryLog()) as log:
            for question, _ in await told(log, 120):
                for before, tokens in ((60, 200), (10, 60), (120, 0), (-1, 99)):
                    quotes = await recall(log, "c1", NeedRecall(question, before, tokens))
                    assert all(quote.turn < before for quote in quotes)
                    assert sum(estimate_text(quote.text) for quote in quotes) <= tokens
                    assert [quote.score for quote in quotes] == sorted(
                        (quote.score for quote in quotes), reverse=True
                    )

    asyncio.run(converse())


def test_a_long_conversation_costs_no_more_to_read() -> None:
    """Of two thousand turns only the candidates are read, with the turns beside them."""

    async def converse() -> None:
        log = _Counted()
        async with closing(log):
            asked = await told(log, 2_000)
            for question, answer in asked[::40]:
                log.read_events = 0
                quotes = await recall(log, "c1", NeedRecall(question, 2_001, 600))
                assert answer in [quote.text for quote in quotes]
                assert 0 < log.read_events <= 3 * 3 * CANDIDATES

    asyncio.run(converse())


def test_other_conversations_change_nothing() -> None:
    """The statistics are this conversation's own."""

    async def converse() -> None:
        async with closing(MemoryLog()) as log:
            asked = await told(log, 60)
            before = [await recall(log, "c1", NeedRecall(question, 60, 400)) for question, _ in asked]
            for number in range(40):
                await say(log, f"{asked[0][0]} {number}", conversation="c2")
            after = [await recall(log, "c1", NeedRecall(question, 60, 400)) for question, _ in asked]
            assert before == after

    asyncio.run(converse())


def test_every_speaker_is_quoted_once() -> None:
    """A tool's result too; a message whose turn was taken up again is one message."""

    async def converse() -> None:
        async with closing(MemoryLog()) as log:
            turn = (await log.open(opening(text="Track my walrus parcel"))).turn
            await log.append("c1", turn, [failed()], AT)
            result = ToolReturned("call-1", tool_return("track", {"walrus": "held in Malmo"}, "t1", AT))
            again = [
                reopened("Track my walrus parcel"),
                responded(""),
                result,
                responded("Walrus is held"),
                closed(),
            ]
            await log.append("c1", turn, again, AT)
            for number in range(20):
                await say(log, f"small talk {number}")
            quotes = await recall(log, "c1", NeedRecall("Where is the walrus parcel?", 20, 500))
            said = [(quote.speaker, quote.text) for quote in quotes if "alrus" in quote.text]
            assert sorted(said) == [
                ("assistant", "Walrus is held"),
                ("tool", '{"walrus":"held in Malmo"}'),
                ("user", "Track my walrus parcel"),
            ]

    asyncio.run(converse())


def test_a_pasted_page_is_looked_for_by_some_of_its_words() -> None:
    """It would ask for everything otherwise."""

    async def converse() -> None:
        log = _Counted()
        async with closing(log):
            await told(log, 50)
            page = "What is this? " + " ".join(f"word{number}" for number in range(5_000))
            await recall(log, "c1", NeedRecall(page, 50, 500))
            assert log.asked <= 32

    asyncio.run(converse())


def test_the_tool_reads_what_was_found_in_order() -> None:
    """With turn, day and speaker; or is told that there is nothing."""

    async def converse() -> None:
        async with closing(MemoryLog()) as log:
            asked = await told(log, 40)
            text = await recalled_text(log, "c1", asked[0][0], before=40, tokens=300)
            assert f"[turn 3, 2026-01-04] user: {asked[0][1]}" in text.splitlines()
            turns = [int(line.split(",")[0].removeprefix("[turn ")) for line in text.splitlines()]
            assert turns == sorted(turns)
            assert await recalled_text(log, "c1", "xylophone", before=40, tokens=300) == NOTHING
            assert await recalled_text(log, "c1", "", before=40, tokens=300) == NOTHING

    asyncio.run(converse())


class _Counted(MemoryLog):
    """A log that counts what is asked of it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0
        self.read_events = 0

    async def search(
        self, conversation: str, words: Sequence[str], *, before: int, most: int | None = None
    ) -> Mapping[str, tuple[int, ...]]:
        """Count the words; what is looked for is bounded, however long the conversation is."""
        assert most is not None
        self.asked += len(words)
        return await super().search(conversation, words, before=before, most=most)

    async def read_turns(self, conversation: str, turns: Sequence[int]) -> tuple[Recorded, ...]:
        """Count the events."""
        found = await super().read_turns(conversation, turns)
        self.read_events += len(found)
        return found


def test_what_a_guard_stopped_is_not_recalled() -> None:
    """The user never read it; what was sent in its place is found."""

    async def scenario() -> None:
        async with closing(MemoryLog()) as log:
            await log.open(opening("c1", "Which violin?"))
            act = GuardActed(
                "values", "block", "blocked", "The violin costs $77.", "The violin is checked.", "no source"
            )
            answered = responded("Well. The violin costs $77.")
            await log.append("c1", 1, [answered, act, closed("Well. The violin is checked.")], AT)
            await say(log, "And the weather?", at=AT + DAY)
            found = await recalled_text(log, "c1", "the violin costs", before=2, tokens=200)
            assert "checked" in found
            assert "$77" not in found

    asyncio.run(scenario())
