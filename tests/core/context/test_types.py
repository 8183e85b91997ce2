"""The values that a plan passes around."""

from __future__ import annotations

from hypothesis import given

from generators.rooms import rooms
from turnstate.core.context.types import Room


@given(rooms())
def test_the_size_of_a_request_is_all_that_stands_in_it(room: Room) -> None:
    """The opening stands in an exchange or among what is already summed; it is not counted twice."""
    assert room.total == room.fixed + room.summaries + sum(exchange.tokens for exchange in room.exchanges)
