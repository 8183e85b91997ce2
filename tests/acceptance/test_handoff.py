"""Handing a conversation to a person and back: durable, with a note from state, and nothing said is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from acceptance.doors import run
from turnstate import Assistant, State, Team, UserMessage, blocking, speaker
from turnstate.core.events import HandedOff, ModelResponded, Resumed, Said
from turnstate.errors import HandoffError, MessageError, TeamError
from turnstate.testing.scripted import ScriptedModel


class Memory(State):
    """What is known."""

    timeline: str = ""


def listen(message: UserMessage, memory: Memory) -> Memory:
    """Remember the last thing said."""
    return memory.model_copy(update={"timeline": message.text})


TEAM = Team(speaker("seller", reads=[Memory], owns=[Memory], role="Sell.", rules=listen, record="rules"))


def door(model: ScriptedModel, store: str) -> Assistant:
    """The assistant under test."""
    return Assistant(model, team=TEAM, store=store)


def test_the_agent_is_silent_until_it_resumes(tmp_path: Path) -> None:
    """Also in another process; the person's words and the message that waited are part of the next request."""
    store = f"sqlite:///{tmp_path / 'chat.db'}"

    async def before() -> None:
        async with door(ScriptedModel(["Noted."]), store) as shop:
            chat = shop.conversation("c", user="u")
            await chat.send("six weeks")
            told = await chat.handoff("wants a discount")
            assert "timeline six weeks" in told
            assert "Noted." in told

    async def after() -> None:
        model = ScriptedModel(["Welcome back."])
        async with door(model, store) as shop:
            chat = shop.conversation("c", user="u")
            waiting = await chat.send("Can I have 10 % off?", key="k")
            assert (waiting.text, waiting.handed_off, model.requests) == ("", True, [])
            again = await chat.send("Can I have 10 % off?", key="k")
            assert (again.replayed, again.turn) == (True, waiting.turn)
            assert await chat.answer("Yes, you can.", by="anna") == waiting.turn
            assert (await chat.state(Memory)).timeline == "six weeks"
            await chat.resume(by="anna")
            reply = await chat.send("Thanks!")
            assert (reply.text, reply.handed_off) == ("Welcome back.", False)
            sent = str(model.requests[0].messages)
            assert sent.index("Can I have 10 % off?") < sent.index("Yes, you can.") < sent.index("Thanks!")
            events = [each.event for each in await chat.events()]
            assert [type(event) for event in events if isinstance(event, HandedOff | Said | Resumed)] == [
                HandedOff,
                Said,
                Resumed,
            ]
            assert sum(isinstance(event, ModelResponded) for event in events) == 2

    run(before())
    run(after())


def test_what_does_not_fit_is_said_and_changes_nothing() -> None:
    """Twice, never, empty, and before anything was said."""

    async def scenario() -> None:
        async with door(ScriptedModel([]), "memory:") as shop:
            chat = shop.conversation("c")
            for early in (chat.answer("Hi", by="anna"), chat.resume(by="anna")):
                with pytest.raises(HandoffError, match="not with a person"):
                    await early
            await chat.handoff("upset")
            with pytest.raises(HandoffError, match="already"):
                await chat.handoff("again")
            with pytest.raises(HandoffError, match="no message"):
                await chat.answer("Hi", by="anna")
            with pytest.raises(MessageError):
                await chat.answer("  ", by="anna")
            assert len(await chat.events()) == 2

    run(scenario())


def test_without_await_as_well() -> None:
    """And a state that the team does not have is an error."""

    class Other(State):
        x: int = 0

    with blocking.Assistant(ScriptedModel(["Noted."]), team=TEAM, store="memory:") as shop:
        chat = shop.conversation("c")
        chat.send("six weeks")
        assert chat.state(Memory).timeline == "six weeks"
        with pytest.raises(TeamError, match="Other"):
            chat.state(Other)
        assert "six weeks" in chat.handoff("upset")
        chat.send("Hello?")
        assert chat.answer("I am here.", by="anna") == 2
        chat.resume()
