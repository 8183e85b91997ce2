"""What an agent is given of the states, and what of its return is let in."""

from __future__ import annotations

from dataclasses import replace

from turnstate import Item, State, Team, UserMessage
from turnstate.core.events import StateChanged
from turnstate.core.history import History, StateHeld, Turn
from turnstate.core.messages import user_message
from turnstate.core.state import Delta, Patch, Proposed
from turnstate.turn.ownership import Let, States


class Pain(Item):
    """What hurts."""

    text: str = ""


class Memory(State):
    """Of the conversation."""

    timeline: str = ""
    pains: tuple[Pain, ...] = (Pain(id="0.1", text="slow"),)


class Research(State, scope="turn"):
    """Of the turn."""

    found: str = ""


class Fat(Memory):
    """Derived from a state of the team."""


class Lonely(State):
    """Nobody's."""


def look(message: UserMessage) -> Research:
    """Owns Research."""
    return Research(found=message.text)


def talk(memory: Memory) -> tuple[str, Memory]:
    """Owns Memory."""
    return "Fine.", memory


TEAM = Team(look, talk)
LOOK, TALK = TEAM.agents


def held(state: str, value: object, *, turn: int = 1, version: int = 1) -> StateHeld:
    """A value on record."""
    return StateHeld(state, version, "x", value, turn, 1)


def states(*before: StateHeld, within: tuple[StateHeld, ...] = ()) -> States:
    """Turn 2 of a conversation with values on record before it and within it."""
    turn = Turn(2, 2, 2, user_message("We start in May", 2), changed=within)
    return States(TEAM, History("c", turns=(turn,), states=before), turn)


MAY: dict[str, object] = {"timeline": "May", "pains": []}
JUNE: dict[str, object] = {"timeline": "June", "pains": []}


def test_a_conversation_scoped_state_is_read_as_it_was_when_the_turn_opened() -> None:
    """At the close, what the turn changed counts."""
    found = states(held("Memory", MAY), within=(held("Memory", JUNE, turn=2),))
    assert found.value(Memory) == Memory(timeline="May", pains=())
    found.closing = True
    assert found.value(Memory) == Memory(timeline="June", pains=())


def test_a_turn_scoped_state_is_what_the_turn_wrote_or_its_defaults() -> None:
    """What an earlier turn wrote is gone."""
    assert states(held("Research", {"found": "old"})).value(Research) == Research()
    assert states(within=(held("Research", {"found": "new"}, turn=2),)).value(Research) == Research(
        found="new"
    )


def test_what_is_not_on_record_yet_counts_as_if_it_were() -> None:
    """Once it was put: in the turn for a state of the turn, at the close for one of the conversation."""
    found = states()
    assert (found.value(Memory), found.value(Research)) == (Memory(), Research())
    found.put(
        [
            StateChanged("Memory", 1, "talk", {}, JUNE),
            StateChanged("Research", 1, "look", {}, {"found": "new"}),
        ]
    )
    assert (found.value(Memory), found.value(Research)) == (Memory(), Research(found="new"))
    found.closing = True
    assert found.value(Memory).model_dump(mode="json") == JUNE


def test_every_value_is_a_copy_down_to_the_defaults() -> None:
    """Editing one changes neither the next, nor what the class has by default."""
    for found in (states(), states(held("Memory", {"timeline": "May"}))):
        value = found.value(Memory)
        assert isinstance(value, Memory)
        object.__setattr__(value.pains[0], "text", "edited")
        assert found.value(Memory) == found.known(Memory).value
        assert Memory().pains[0].text == "slow"


def test_a_value_that_does_not_read_gives_way_to_the_defaults_and_is_reported() -> None:
    """It stays in the log."""
    for broken in (held("Memory", {"gone": 1}), held("Memory", MAY, version=9), held("Memory", None)):
        found = states(broken)
        assert found.value(Memory) == Memory()
        assert "Memory of turn 1 does not read" in found.unread["Memory"]


def test_only_what_changed_is_written() -> None:
    """With the fields that changed, the whole value, and who owns it."""
    found = states(held("Memory", MAY))
    assert found.let_in(TALK, ("Fine.", Memory(timeline="May", pains=()))) == Let()
    assert found.let_in(TALK, None) == Let()
    let = found.let_in(TALK, ("Fine.", Memory(timeline="June", pains=())))
    assert let == Let((StateChanged("Memory", 1, "talk", {"timeline": "June"}, JUNE),))


def test_what_is_not_an_agents_own_is_refused_with_its_owner() -> None:
    """Each for itself: what is its own and stands beside it is let in."""
    mine = Research(found="x")
    let = states().let_in(LOOK, (mine, Memory(timeline="x"), Fat(), Lonely(), {"a": 1}, mine))
    assert [change.state for change in let.changes] == ["Research"]
    assert [(each.agent, each.state, each.owner, each.reason) for each in let.refused] == [
        ("look", "Memory", "talk", "it belongs to talk"),
        ("look", "Fat", "talk", "it belongs to talk"),
        ("look", "Lonely", "", "nobody owns it"),
        ("look", "dict", "", "it is no state"),
        ("look", "Research", "look", "it was returned twice"),
    ]
    (refused,) = states().let_in(TALK, Fat()).refused
    assert (refused.owner, refused.reason) == ("talk", "it is of a class of its own, Fat")


def test_a_patch_changes_its_agents_states_alone() -> None:
    """Deltas of one state are made in order, and each stands or falls on its own."""
    found = states(held("Memory", MAY))
    patch = Patch(
        (
            Proposed("Research", Delta("set", "found", "x")),
            Proposed("Unknown", Delta("set", "a", 1)),
            Proposed("Memory", Delta("set", "timeline", 3.5)),
            Proposed("Memory", Delta("append", "pains", {"text": "late"})),
            Proposed("Memory", Delta("set", "timeline", "June")),
        )
    )
    let = found.let_in_patch(TALK, patch)
    assert [(each.state, each.field, each.owner) for each in let.refused] == [
        ("Research", "found", "look"),
        ("Unknown", "a", ""),
        ("Memory", "timeline", "talk"),
    ]
    (change,) = let.changes
    assert change.value == {"timeline": "June", "pains": [{"id": "2.1", "text": "late"}]}
    assert [delta["op"] for delta in change.change] == ["append", "set"]
    assert found.let_in_patch(TALK, Patch((Proposed("Memory", Delta("set", "timeline", "May")),))) == Let()


def test_the_message_is_the_turns() -> None:
    """Quotes are compared with it."""
    found = states()
    assert found.message == "We start in May"
    assert replace(found, closing=True).message == found.message
