"""The lines of a turn's agents: who ran beside whom, what was read, written and refused, and what was worked out again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from turnstate.cli.lanes import lane_lines, short_lines, worked_out_again
from turnstate.core.events import (
    AgentActed,
    Asked,
    Count,
    Cut,
    Event,
    GuardActed,
    ModelResponded,
    Question,
    Recorded,
    Refused,
    RequestTrace,
    StateChanged,
    Trace,
    TurnClosed,
    TurnOpened,
)
from turnstate.core.history import History, Turn, fold
from turnstate.core.messages import text_response, user_message

AT = 1_700_000_000_000_000
REQUEST = RequestTrace(1, Count(10, 20), 1_000, Cut())


def acted(agent: str, stage: int, part: Any = "thinker", **more: Any) -> AgentActed:
    """An agent that ran."""
    return AgentActed(agent, part, stage, more.pop("by", "code"), **more)


def log(*turns: tuple[str, list[Event], str]) -> tuple[Recorded, ...]:
    """A conversation, by the message, the events and the reply of each turn."""
    events: list[tuple[int, Event]] = []
    for number, (said, more, reply) in enumerate(turns, start=1):
        events.append((number, TurnOpened(None, "d", user_message(said, AT))))
        events += [(number, event) for event in more]
        events.append((number, ModelResponded("m", text_response(reply, AT), REQUEST)))
        events.append((number, TurnClosed(None, Trace(1))))
    return tuple(Recorded("c", seq, turn, AT, event) for seq, (turn, event) in enumerate(events, start=1))


def last(events: tuple[Recorded, ...]) -> Turn:
    """The newest turn."""
    history: History = fold(events)
    return history.turns[-1]


GUARD = GuardActed("asked", "regenerate", "rewritten", " Your budget?", " I see.", "it was asked")


def test_a_turn_in_one_line() -> None:
    """Stages one behind the other, what ran together side by side, and what runs at the close left out."""
    events: list[Event] = [
        acted("listener", 0),
        acted("researcher", 1),
        acted("orchestrator", 1),
        acted("seller", 2, "speaker"),
        acted("qualify", 3, "closer"),
    ]
    assert list(short_lines(last(log(("Hi", events, "Hello."))))) == [
        "listener → researcher ∥ orchestrator → seller"
    ]


def test_what_was_out_of_the_ordinary_has_a_line_of_its_own() -> None:
    """Refusals, notes and guards."""
    refused = Refused("seller", "Progress", "phase", "advance", "it belongs to advance")
    events: list[Event] = [
        acted("seller", 0, "speaker", refused=(refused,), notes=("No patch came.",)),
        GUARD,
    ]
    assert list(short_lines(last(log(("Hi", events, "Hello."))))) == [
        "seller",
        "refused: seller may not change Progress: it belongs to advance",
        "No patch came.",
        "guard asked: rewritten “Your budget?”: it was asked",
    ]


def test_a_turn_without_agents_has_no_lines() -> None:
    """As every turn of an assistant without a team."""
    events = log(("Hi", [], "Hello."))
    assert list(short_lines(last(events))) == []
    assert list(lane_lines(last(events), events)) == []


def test_a_turn_in_full() -> None:
    """What each read and wrote, in the words of its change; tokens where it asked a model."""
    delta = {"op": "set", "field": "topic", "value": "lamps", "reason": "said so"}
    item = {"op": "retract", "field": "pains", "id": "1.1"}
    events: list[Event] = [
        acted("router", 0, by="m", read=("Memory",), wrote=("Routing",), usage=(1_200, 30)),
        StateChanged("Routing", 1, "router", {"next": "seller"}, {"next": "seller"}),
        acted("seller", 1, "speaker", by="m", wrote=("Memory",)),
        StateChanged("Memory", 1, "seller", [delta, item], {"topic": "lamps"}),
        Asked((Question("Memory.topic", "Which lamps?"), Question("", "Why?"))),
        GUARD,
        replace(GUARD, mode="observe", action="flagged"),
    ]
    told = log(("Hi", events, "Hello."))
    assert list(lane_lines(last(told), told)) == [
        ("stage 0", "router (thinker, by m, 1,200 tokens in, 30 out)"),
        ("", "read Memory"),
        ("", "wrote Routing: next = seller"),
        ("stage 1", "seller (speaker, by m)"),
        ("", "wrote Memory: set topic lamps (said so); retract pains 1.1"),
        ("guard", "asked (regenerate): rewritten; it was asked"),
        ("", "“Your budget?” → “I see.”"),
        ("guard", "asked (observe): flagged; it was asked"),
        ("", "“Your budget?”"),
        ("asked", "Memory.topic: Which lamps?"),
        ("asked", "no key: Why?"),
    ]


def test_what_was_refused_is_named_with_its_field() -> None:
    """And the owner's reason."""
    events: list[Event] = [
        acted(
            "seller",
            0,
            "speaker",
            refused=(
                Refused("seller", "Memory", "topic", "seller", "too long"),
                Refused("seller", "X", "", "", "nobody owns it"),
            ),
            notes=("The rules recorded.",),
        )
    ]
    told = log(("Hi", events, "Hello."))
    assert list(lane_lines(last(told), told))[1:] == [
        ("refused", "Memory.topic: too long"),
        ("refused", "X: nobody owns it"),
        ("note", "The rules recorded."),
    ]


def test_a_value_that_only_the_transcript_holds_was_worked_out_again() -> None:
    """What stands in state, in the newest message or in no earlier turn was not."""
    speaks: list[Event] = [acted("seller", 0, "speaker")]
    first = ("Order 48213 cost $99.95, as I wrote from dana@mail.example.", speaks, "I see.")
    state = StateChanged("Memory", 1, "seller", {"total": "$99.95"}, {"total": "$99.95"})
    reply = "Order 48213, $99.95, dana@mail.example, and $5."
    events = log(first, ("And dana@mail.example?", [*speaks, state], reply))
    assert worked_out_again(last(events), events) == ("Order 48213",)
    assert ("again", "not read from state, but worked out from what was said: Order 48213") in list(
        lane_lines(last(events), events)
    )
    before = fold(events).turns[0]
    assert worked_out_again(before, events) == ()


def test_a_state_of_an_earlier_turn_counts_and_one_of_a_later_turn_does_not() -> None:
    """What was given is what stood there then."""
    speaks: list[Event] = [acted("seller", 0, "speaker")]
    state = StateChanged("Memory", 1, "seller", {"order": "48213"}, {"order": "48213"})
    early = log(("Order 48213.", [*speaks, state], "I see."), ("Which?", speaks, "Order 48213."))
    assert worked_out_again(last(early), early) == ()
    late = log(
        ("Order 48213.", speaks, "I see."),
        ("Which?", speaks, "Order 48213."),
        ("Note it.", [*speaks, state], "Noted."),
    )
    assert worked_out_again(fold(late).turns[1], late) == ("Order 48213",)


@given(
    st.text(max_size=100),
    st.recursive(
        st.none() | st.text() | st.integers(),
        lambda s: st.lists(s) | st.dictionaries(st.text(), s),
        max_leaves=8,
    ),
)
def test_any_change_can_be_shown(said: str, change: Any) -> None:
    """Whatever a later version or another program wrote."""
    events: list[Event] = [
        acted("seller", 0, "speaker", wrote=("Memory",)),
        StateChanged("Memory", 9, "seller", change, {}),
    ]
    told = log((said or "Hi", events, "Hello."))
    lines = list(lane_lines(last(told), told))
    assert any(text.startswith("wrote Memory: ") for _, text in lines)
    assert all("\n" not in text for _, text in lines)
