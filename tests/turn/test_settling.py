"""What follows a turn is done by one worker at a time; the others only try."""

from __future__ import annotations

import asyncio

from acceptance.doors import assistant, read_by_model, recorded, run
from turnstate import Facts, Single
from turnstate.core.events import FactsLearned
from turnstate.core.structured import Extraction
from turnstate.ports import Claim, Reading
from turnstate.stores.memory import MemoryLog

OTHER = Claim("another process", 60_000_000)


class Customer(Facts):
    """What is worth remembering."""

    city: Single[str]


class Extractor:
    """Reads nothing, and counts how often."""

    def __init__(self) -> None:
        self.read = 0

    async def extract(self, message: str, question: str, keys: object) -> Reading:
        """Nothing."""
        self.read += 1
        return Reading(Extraction((), (), "none"))


def test_the_work_between_turns_is_left_to_who_has_it() -> None:
    """And is made up for after a later turn, when nobody has."""

    async def scenario() -> None:
        log, extractor = MemoryLog(), Extractor()
        async with assistant(["One.", "Two."], store=log, facts=Customer, extract=extractor) as door:
            chat = door.conversation("c")
            await log.start("c", None, 1)
            assert (await log.claim("c", 0, OTHER)).token
            await chat.send("hello")
            await asyncio.sleep(0.05)
            assert extractor.read == 0
            await log.release("c", 0, OTHER)
            await chat.send("hello again")
            await read_by_model(chat, 2)
            assert extractor.read == 2
            assert len([event for event in await recorded(chat, FactsLearned) if event.by == "model"]) == 2

    run(scenario())
