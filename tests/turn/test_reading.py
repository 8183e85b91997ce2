"""The `recall` tool: offered beside other tools, reading on in long texts, and never an error for what is not there."""

from __future__ import annotations

import pytest
from pydantic_ai.models.test import TestModel

from acceptance.doors import assistant, run
from turnstate import Budget, tool
from turnstate.core.messages import ToolCallPart
from turnstate.stores import MemoryLog
from turnstate.testing.scripted import ScriptedModel
from turnstate.turn.reading import NAME, recall_tool
from turnstate.turn.tools import Toolbox


@tool(effect="read")
def other() -> str:
    """Do something else."""
    return "done"


@tool(effect="read", name=NAME)
def own() -> str:
    """The application's own tool of that name."""
    return "own"


@pytest.mark.parametrize(
    ("tools", "names", "reads"),
    [([], [], False), ([other], ["other", "recall"], True), ([other, own], ["other", "recall"], False)],
    ids=["none", "one", "its own"],
)
def test_it_is_offered_beside_other_tools(tools: list[object], names: list[str], reads: bool) -> None:
    """An assistant without tools gets none, and an application's own tool of the name stays the only one."""

    async def scenario() -> None:
        box = Toolbox(tools, recall_tool(MemoryLog, 100))  # type: ignore[arg-type]  # tools of any kind
        async with box:
            offer = await box.offer(None, TestModel(), "c", 3)
            assert [definition.name for definition in offer.definitions] == names
            assert offer.reads is reads

    run(scenario())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "Nothing to look for"),
        ({"about": "  "}, "Nothing to look for"),
        ({"handle": "1.0", "start": 10**9}, "There is no text with the handle 1.0"),
        ({"handle": "9.9"}, "There is no text"),
        ({"handle": "../../x"}, "There is no text"),
        ({"handle": "99999999999999999999.1"}, "There is no text"),
        ({"handle": "1.0", "start": -5}, "There is no text"),
        ({"handle": " 1.0 "}, "hello"),
        ({"handle": "1.0", "start": 6}, "[the end: all 11 characters]"),
    ],
    ids=str,
)
def test_whatever_a_model_asks_it_is_told_something(arguments: dict[str, object], told: str) -> None:
    """Models make handles and places up."""

    async def scenario() -> None:
        store = MemoryLog()
        async with assistant(ScriptedModel(lambda _: "ok"), store=store, budget=Budget(target=900)) as door:
            await door.conversation("c").send("hello world")
        box = Toolbox([other], recall_tool(lambda: store, 100))
        async with box:
            offer = await box.offer(None, TestModel(), "c", 2)
            result = await offer.call(ToolCallPart(NAME, arguments, tool_call_id="x"), "call", lambda: 0)
        assert result is not None
        assert told in str(result.content)
        assert offer.effect(NAME) == "read"

    run(scenario())
