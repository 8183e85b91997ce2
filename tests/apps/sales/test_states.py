"""The states of a sale: what can stand in them, and that each comes back from the log as it was written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from apps.sales.pictures import (
    found_out,
    messages,
    questions,
    remembered,
    routes,
    scored,
    shown,
    stands,
    verdicts,
)
from turnstate.apps.sales import states
from turnstate.apps.sales.states import DIMENSIONS, PHASES, Heard, Research, Routing, Score, Scores
from turnstate.core.state import State, declaration, read, write

ALL = [
    value
    for value in vars(states).values()
    if isinstance(value, type) and issubclass(value, State) and value is not State
]
TURN = {Heard, Research, Routing}


@given(st.one_of(found_out, messages, questions, remembered, routes, scored, shown, stands, verdicts))
def test_a_state_comes_back_as_it_was_written(value: State) -> None:
    """Through the JSON of the log."""
    assert read(type(value), write(value)) == value


@pytest.mark.parametrize("state", ALL, ids=lambda state: state.__name__)
def test_what_holds_for_a_turn_and_what_for_the_conversation(state: type[State]) -> None:
    """What was heard, found and proposed is gone with the turn; everything else stays. All begin empty and unwritten."""
    assert declaration(state).scope == ("turn" if state in TURN else "conversation")
    assert state() == state()
    assert read(state, {}) == state()


@pytest.mark.parametrize("value", [-1, 101, 50.5, "high"])
def test_a_score_is_a_whole_number_of_a_hundred(value: object) -> None:
    """Anything else is refused when it is written."""
    with pytest.raises(ValidationError):
        Score.model_validate({"value": value})


def test_every_dimension_has_a_score() -> None:
    """And there are four phases."""
    assert tuple(Scores.model_fields) == DIMENSIONS
    assert PHASES == ("discovery", "qualification", "asset sharing", "close")
