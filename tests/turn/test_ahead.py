"""Summaries ahead of need: nothing for a conversation that is open, short, or not there."""

from __future__ import annotations

from acceptance.doors import assistant, recorded, run
from turnstate import Budget
from turnstate.core.events import SummaryWritten
from turnstate.testing.scripted import ScriptedModel

LONG = "the parcel is somewhere between the warehouse and the door and nobody knows where " * 3


def test_a_short_conversation_is_not_summarised() -> None:
    """Below the mark nothing is written."""

    async def scenario() -> None:
        async with assistant(ScriptedModel(lambda _: "Noted."), budget=Budget(target=8_000)) as door:
            chat = door.conversation("c")
            for _ in range(5):
                await chat.send(LONG)
            assert not await recorded(chat, SummaryWritten)

    run(scenario())


def test_leaving_waits_for_what_is_being_written() -> None:
    """What was begun behind the last reply is on record when the assistant has closed."""

    async def scenario() -> None:
        async with assistant(ScriptedModel(lambda _: "Noted."), budget=Budget(target=1_500)) as door:
            chat = door.conversation("c")
            written = 0
            while not written:
                reply = await chat.send(LONG)
                assert reply.turn < 40
                written = reply.context.tokens >= 1_200 and not reply.context.managed
            log = door.log
        del log

    run(scenario())
