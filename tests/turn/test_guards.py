"""Guards: any object with a name and a check is one, and what it says of a sentence is what is done about it."""

from __future__ import annotations

from typing import get_args

import pytest

from acceptance.doors import recorded, run
from turnstate import Assistant, State, Team, speaker
from turnstate.core.events import GuardActed
from turnstate.testing.scripted import ScriptedModel
from turnstate.turn.guards import Guard, Mode, Objection, View


class Memory(State):
    """What is known."""

    topic: str = ""


class NoVans:
    """Objects to vans."""

    name = "no vans"

    def __init__(self, mode: Mode) -> None:
        self.mode: Mode = mode
        self.seen: list[View] = []

    def check(self, sentence: str, view: View) -> Objection | None:
        """Whether a van is in it."""
        self.seen.append(view)
        return Objection(self.mode, "no vans", "A truck.") if "van" in sentence else None


def _team(guard: Guard) -> Team:
    return Team(speaker("seller", reads=[Memory], owns=[Memory], role="Sell."), guards=[guard])


@pytest.mark.parametrize(
    ("mode", "text", "actions"),
    [
        ("observe", "Hello. It is a van. Bye.", ["flagged"]),
        ("regenerate", "Hello. It is a truck. Bye.", ["rewritten"]),
        ("block", "Hello. A truck. Bye.", ["blocked"]),
    ],
)
def test_each_mode_does_what_it_says(mode: Mode, text: str, actions: list[str]) -> None:
    """The sentence is sent, written once more, or replaced; the log has the sentence and the reason."""

    async def scenario() -> None:
        guard = NoVans(mode)
        model = ScriptedModel(["Hello. It is a van. Bye.", "It is a truck."])
        async with Assistant(model, team=_team(guard), store="memory:") as shop:
            chat = shop.conversation("c")
            reply = await chat.send("What is it?")
            acted = await recorded(chat, GuardActed)
            assert " ".join(reply.text.split()) == text
            assert [(act.guard, act.mode, act.action, act.reason) for act in acted] == [
                ("no vans", mode, action, "no vans") for action in actions
            ]
            assert acted[0].sentence.strip() == "It is a van."

    run(scenario())


def test_a_guard_sees_the_message_the_state_and_what_was_let_through() -> None:
    """It runs on one sentence after the other; what it is shown of a state cannot be edited."""

    async def scenario() -> None:
        guard = NoVans("observe")
        async with Assistant(ScriptedModel(["One. Two."]), team=_team(guard), store="memory:") as shop:
            await shop.conversation("c").send("What is it?")
        first, second = guard.seen
        assert (first.message, first.turn.number, first.history.conversation) == ("What is it?", 1, "c")
        assert first.state(Memory) == Memory()
        assert (first.said.strip(), second.said.strip()) == ("", "One.")

    run(scenario())


def test_the_modes_are_four() -> None:
    """An objection names one of them, and says nothing instead unless told."""
    assert get_args(Mode) == ("off", "observe", "regenerate", "block")
    assert Objection("observe", "why").instead == ""
