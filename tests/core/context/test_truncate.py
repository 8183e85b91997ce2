"""The strategy that drops the oldest exchanges."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from generators.rooms import rooms
from turnstate.core.context.truncate import DEPTH, newest_within, truncate
from turnstate.core.context.types import Room


@given(rooms(), st.floats(-1_000, 10_000))
def test_the_newest_that_fit_are_as_many_as_possible(room: Room, tokens: float) -> None:
    """One more would be too much; none fit in less than nothing."""
    count = newest_within(room, tokens)
    sizes = [exchange.tokens for exchange in reversed(room.exchanges)]
    assert 0 <= count <= len(sizes)
    assert count == 0 or sum(sizes[:count]) <= tokens
    assert count == len(sizes) or sum(sizes[: count + 1]) > tokens


@given(rooms())
def test_truncate_leaves_a_quarter_of_the_target_free(room: Room) -> None:
    """It keeps no opening and writes no summary."""
    choice = truncate(room)
    kept = sum(exchange.tokens for exchange in room.exchanges[len(room.exchanges) - choice.keep :])
    assert choice.keep == 0 or room.fixed + kept <= room.target * DEPTH
    assert (choice.summarise, choice.opening, choice.enforce) == (False, False, True)
