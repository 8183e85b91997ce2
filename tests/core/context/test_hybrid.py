"""The default strategy: a tail sized in tokens, the opening request, summaries between."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given

from generators.rooms import rooms
from turnstate.core.context.hybrid import DEEP, SUMMARIES, hybrid
from turnstate.core.context.types import Room, Sized


@given(rooms())
def test_hybrid_keeps_the_recent_few_and_a_tail_that_leaves_half(room: Room) -> None:
    """At least `keep_recent`; more only where the request is at most half full behind the cut."""
    choice = hybrid(replace(room, hurried=False))
    few = min(room.keep_recent, len(room.exchanges))
    assert few <= choice.keep <= len(room.exchanges)
    assert (choice.summarise, choice.opening, choice.enforce) == (True, True, True)
    if choice.keep > few:
        kept = sum(exchange.tokens for exchange in room.exchanges[-choice.keep :])
        assert room.fixed + room.opening + room.values + kept + room.target / SUMMARIES <= room.target * DEEP


def test_short_messages_stay_in_greater_number() -> None:
    """A number of messages would waste the room that there is."""
    short = tuple(Sized(turn, 20, 2) for turn in range(1, 101))
    assert hybrid(Room(8_000, 500, 30, 0, short)).keep == 100
    assert hybrid(Room(4_000, 500, 30, 0, short)).keep == 48


def test_where_every_turn_is_cut_for_fewer_stay() -> None:
    """Three exchanges that leave no room would be cut for on each turn."""
    large = tuple(Sized(turn, 300, 2) for turn in range(1, 4))
    assert hybrid(Room(1_000, 100, 0, 0, large)).keep == 3
    assert hybrid(Room(1_000, 100, 0, 0, large, hurried=True)).keep == 2
