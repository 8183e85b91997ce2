"""The strategy that summarises all but the last few exchanges."""

from __future__ import annotations

from hypothesis import given

from generators.rooms import rooms
from turnstate.core.context.summarize import summarize
from turnstate.core.context.types import Choice, Room


@given(rooms())
def test_summarize_keeps_the_last_few_whatever_their_size(room: Room) -> None:
    """And no opening request: the summary has it."""
    kept = min(room.keep_recent, len(room.exchanges))
    assert summarize(room) == Choice(keep=kept, summarise=True, opening=False)
