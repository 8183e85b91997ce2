"""Handing over: the note says what a person needs to know, from state and facts alone, whatever stands in them."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from turnstate import Item, State, Team, UserMessage, speaker
from turnstate.core.events import Question
from turnstate.core.facts import Fact, Source
from turnstate.core.history import History, Put, StateHeld, Turn
from turnstate.core.messages import user_message
from turnstate.turn.handing import WORDS, note

AT = 1_700_000_000_000_000


class Pain(Item):
    """Something that hurts."""

    text: str = ""


class Memory(State):
    """What is known."""

    timeline: str = ""
    pains: tuple[Pain, ...] = ()
    urgent: bool = False


class Empty(State):
    """What nobody wrote."""

    words: str = ""


def listen(message: UserMessage, memory: Memory, empty: Empty) -> tuple[Memory, Empty]:
    """Remember nothing."""
    return memory, empty


TEAM = Team(
    speaker("seller", reads=[Memory, Empty], owns=[Memory, Empty], role="Sell.", rules=listen, record="rules")
)
FACT = Fact("company", "Northfreight", Source.USER_QUOTE, "Northfreight", 0, 12, "c", 1, AT, None)


def history(*said: tuple[str, str], memory: Any = None, asked: tuple[Put, ...] = ()) -> History:
    """A conversation with these messages and replies."""
    turns = tuple(
        Turn(number, number, AT, user_message(message, AT), status="closed", reply=reply)
        for number, (message, reply) in enumerate(said, start=1)
    )
    held = () if memory is None else (StateHeld("Memory", 1, "seller", memory, 1, 1),)
    return History("c", turns=turns, states=held, asked=asked, last_turn=len(turns))


def test_the_note_has_facts_states_and_what_was_said_last() -> None:
    """What nobody wrote is left out; a list is its entries."""
    held = {
        "timeline": "six weeks",
        "pains": [{"id": "1", "text": "late vans"}, {"id": "2", "text": "retyping"}],
    }
    asked = (Put(Question("budget", "What is your budget?"), 1, 3),)
    told = note(
        history(("Hi", "What is your budget?"), ("Can I have\n10 % off?", ""), memory=held, asked=asked),
        TEAM,
        [FACT],
    )
    lines = told.splitlines()
    assert lines[0] == "Facts:"
    assert lines[1].startswith("company: Northfreight")
    assert lines[2:] == [
        "Memory: timeline six weeks, pains id 1, text late vans; id 2, text retyping",
        "Last asked (turn 1): What is your budget?",
        "Last message (turn 2): Can I have 10 % off?",
    ]


def test_before_anything_was_said_there_is_nothing_to_tell() -> None:
    """A person can take over an empty conversation as well, and one without a team."""
    assert note(History("c"), None, ()) == ""
    assert note(History("c"), TEAM, ()) == ""
    assert note(history(("Hi", "Hello.")), None, ()).splitlines() == [
        "Last message (turn 1): Hi",
        "Last reply: Hello.",
    ]


def test_a_state_that_does_not_read_is_left_out() -> None:
    """The note is written all the same."""
    told = note(history(("Hi", "Hello."), memory={"timeline": 7, "unknown": 1}), TEAM, ())
    assert "Memory" not in told
    assert "Last reply: Hello." in told


@given(st.text(max_size=2_000), st.text(max_size=2_000))
def test_a_note_is_short_whatever_was_said(message: str, reply: str) -> None:
    """One line for each thing, and no line longer than what a person reads."""
    told = note(history((message, reply)), None, ())
    for line in told.split("\n"):
        assert line.startswith(("Last message (turn 1): ", "Last reply: "))
        assert len(line) <= len("Last message (turn 1): ") + WORDS
