"""The default strategy: a tail sized in tokens, the opening request, summaries between."""

from __future__ import annotations

from hypothesis import given

from generators.rooms import rooms
from turnstate.core.context.hybrid import SUMMARIES, hybrid
from turnstate.core.context.truncate import DEPTH
from turnstate.core.context.types import Room, Sized


@given(rooms())
def test_hybrid_keeps_the_recent_few_and_a_tail_that_leaves_room(room: Room) -> None:
    """At least `keep_recent`; more only within half the target and with a quarter of it free."""
    choice = hybrid(room)
    few = min(room.keep_recent, len(room.exchanges))
    assert few <= choice.keep <= len(room.exchanges)
    assert (choice.summarise, choice.opening, choice.enforce) == (True, True, True)
    if choice.keep > few:
        kept = sum(exchange.tokens for exchange in room.exchanges[-choice.keep :])
        assert kept <= room.target / 2
        assert room.fixed + room.opening + kept + room.target / SUMMARIES <= room.target * DEPTH


def test_short_messages_stay_in_greater_number() -> None:
    """A number of messages would waste the room that there is."""
    short = tuple(Sized(turn, 20, 2) for turn in range(1, 101))
    assert hybrid(Room(8_000, 500, 30, 0, short)).keep == 100
    assert hybrid(Room(2_000, 500, 30, 0, short)).keep == 36
