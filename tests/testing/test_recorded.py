"""A turn of a log, played again as a test."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic_ai.models import Model

from turnstate import Assistant, State, Team, UserMessage, speaker
from turnstate.core.events import Recorded
from turnstate.core.questions import Asks
from turnstate.errors import TurnUnknown
from turnstate.testing.recorded import RecordedTurn, as_test, play, recorded_turn
from turnstate.testing.scripted import Call, ScriptedModel
from turnstate.turn.asking import AskedGuard


class Memory(State):
    """What is known."""

    budget: str = ""
    heard: tuple[str, ...] = ()


def listen(message: UserMessage, memory: Memory) -> Memory:
    """Remember everything said."""
    return memory.model_copy(update={"heard": (*memory.heard, message.text)})


ASKS = {"Memory.budget": Asks("budget")}


def assistant(model: Model, store: str, **options: Any) -> Assistant:
    """The assistant under test."""
    seller = speaker("seller", reads=[Memory], owns=[Memory], role="Sell.", rules=listen)
    guard = AskedGuard(ASKS, on_key="regenerate")
    return Assistant(model, team=Team(seller, asks=ASKS, guards=[guard]), store=store, **options)


async def _recorded() -> tuple[Recorded, ...]:
    record = Call("record", {"changes": [{"state": "Memory", "field": "budget", "op": "set", "value": "$5"}]})
    model = ScriptedModel(
        [["What is your budget?"], ["Fine.", record], ["Good. What is your budget?"], "Shall we go on?"]
    )
    async with assistant(model, "memory:") as shop:
        chat = shop.conversation("c")
        for said in ("Hello", "It is $5", "And now?"):
            await chat.send(said)
        return await chat.events()


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_a_turn_comes_out_as_it_did(turn: int) -> None:
    """By the model's record, by the rules, and with a sentence that was written again."""
    recorded = recorded_turn(asyncio.run(_recorded()), turn)
    again = RecordedTurn.from_json(recorded.to_json())
    assert again == recorded
    played = asyncio.run(play(assistant, again))
    assert (played.reply, played.states) == (recorded.reply, recorded.states)
    assert "again" not in played.reply


def test_an_agent_that_changed_is_found() -> None:
    """What it records is not what was recorded."""
    recorded = recorded_turn(asyncio.run(_recorded()), 1)

    def other(model: Model, store: str) -> Assistant:
        silent = speaker("seller", reads=[Memory], owns=[Memory], role="Sell.")
        return Assistant(model, team=Team(silent), store=store)

    assert asyncio.run(play(other, recorded)).states != recorded.states


def test_the_module_that_is_printed_passes() -> None:
    """As it stands, with what makes the assistant."""
    recorded = recorded_turn(asyncio.run(_recorded()), 3)
    source = as_test(recorded, "c", "from testing.test_recorded import assistant")
    made: dict[str, Any] = {}
    exec(compile(source, "test_turn.py", "exec"), made)
    made["test_turn_3"]()


def test_a_turn_that_is_not_there() -> None:
    """Is an error that says so."""
    with pytest.raises(TurnUnknown, match="absent"):
        recorded_turn(asyncio.run(_recorded()), 9)
