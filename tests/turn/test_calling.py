"""Tool calls of a step: on record before they run, side by side where they may, and the call that records is answered."""

from __future__ import annotations

import asyncio

from acceptance.doors import recorded, run
from turnstate import Assistant, State, Team, speaker, tool
from turnstate.core.events import ModelResponded, ToolCalled, ToolReturned
from turnstate.core.messages import result_text
from turnstate.testing.scripted import Call, ScriptedModel
from turnstate.turn.calling import NOTED


class Memory(State):
    """What is known."""

    topic: str = ""


RECORD = Call("record", {"changes": [{"state": "Memory", "field": "topic", "op": "set", "value": "lamps"}]})


def test_calls_that_may_run_together_do() -> None:
    """And all of them are on record before the first one runs."""
    running, most = 0, 0

    @tool(effect="read")
    async def look(name: str) -> str:
        """Look.

        Args:
            name: at what.
        """
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.01)
        running -= 1
        return f"{name} seen"

    async def scenario() -> None:
        model = ScriptedModel([[Call("look", {"name": "a"}), Call("look", {"name": "b"})], "Done."])
        async with Assistant(model, tools=[look], store="memory:") as door:
            chat = door.conversation("c")
            assert (await chat.send("Look.")).text == "Done."
            kinds = [type(each.event) for each in await chat.events()]
            assert kinds[3:7] == [ToolCalled, ToolCalled, ToolReturned, ToolReturned]
            called = await recorded(chat, ToolCalled)
            assert len({event.call_id for event in called}) == 2

    run(scenario())
    assert most == 2


def test_a_record_beside_a_tool_is_answered_and_not_run() -> None:
    """The next round sees the word for it; a later turn does not see the call at all."""

    @tool(effect="read")
    def look() -> str:
        """Look."""
        return "two lamps"

    async def scenario() -> None:
        model = ScriptedModel([["Let me look.", Call("look", {}), RECORD], "There are two lamps.", "Bye."])
        team = Team(speaker("seller", reads=[Memory], owns=[Memory], role="Sell."))
        async with Assistant(model, team=team, tools=[look], store="memory:") as door:
            chat = door.conversation("c")
            await chat.send("Any lamps?")
            returned = {result_text(event.result) for event in await recorded(chat, ToolReturned)}
            assert returned == {"two lamps", NOTED}
            assert model.requests[1].results.keys() == {"call_1_1", "call_1_2"}
            assert (await chat.state(Memory)).topic == "lamps"
            await chat.send("Thanks.")
            assert "lamps" in str(model.requests[2].messages)
            assert '"op"' not in str(model.requests[2].messages)
            assert NOTED not in str(model.requests[2].messages)

    run(scenario())


def test_a_record_without_a_word_asks_for_the_reply() -> None:
    """The user is owed an answer: the model is asked once more."""

    async def scenario() -> None:
        model = ScriptedModel([RECORD, "What colour?"])
        team = Team(speaker("seller", reads=[Memory], owns=[Memory], role="Sell."))
        async with Assistant(model, team=team, store="memory:") as door:
            chat = door.conversation("c")
            assert (await chat.send("A lamp.")).text == "What colour?"
            assert len(await recorded(chat, ModelResponded)) == 2
            assert (await chat.state(Memory)).topic == "lamps"

    run(scenario())
