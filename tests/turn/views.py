"""What the tests of guards share: a conversation as it was said, as a guard may look at it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from turnstate.core.events import Count, Cut, Question, RequestTrace
from turnstate.core.history import Call, History, Put, Step, Turn
from turnstate.core.messages import ModelResponse, ToolCallPart, tool_return, user_message
from turnstate.core.state import State
from turnstate.turn.guards import View

START = 1_700_000_000_000_000
"""When the first turn was opened: 2023-11-14 22:13:20 UTC, in microseconds."""


class Told(NamedTuple):
    """An exchange.

    Attributes:
        user: what the user said.
        reply: what was answered.
        asked: pairs of a key and the words of the question that the reply asks.
    """

    user: str
    reply: str = ""
    asked: Sequence[tuple[str, str]] = ()


def defaults(state: type[State]) -> State:
    """Every state as it is before anybody wrote."""
    return state()


def view(
    *earlier: Told,
    newest: str = "Go on.",
    said: str = "",
    found: str = "",
    state: Callable[[type[State]], State] = defaults,
) -> View:
    """What a guard sees in the turn after `earlier`.

    Args:
        *earlier: the exchanges so far.
        newest: the message of the turn in flight.
        said: what of its reply was let through.
        found: what a tool gave back in it.
        state: gives the states.
    """
    turns = [
        Turn(
            number, number, START + number, user_message(told.user, START), status="closed", reply=told.reply
        )
        for number, told in enumerate(earlier, start=1)
    ]
    asked = [
        Put(Question(key, words), number, number)
        for number, told in enumerate(earlier, start=1)
        for key, words in told.asked
    ]
    number = len(turns) + 1
    turn = Turn(number, number, START + number, user_message(newest, START))
    if found:
        turn = replace(turn, steps=(_looked_up(found),))
    history = History("c", turns=(*turns, turn), asked=tuple(asked), last_turn=number)
    return View(history, turn, newest, state, said)


def _looked_up(result: str) -> Step:
    response = ModelResponse(parts=[ToolCallPart("look", {}, tool_call_id="a")])
    call = Call("a", "call_1", "read", tool_return("look", result, "a", START))
    return Step(response, (call,), RequestTrace(1, Count(1, 1), 100, Cut()))
