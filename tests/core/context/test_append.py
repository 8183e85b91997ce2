"""The strategy that never cuts."""

from __future__ import annotations

from hypothesis import given

from generators.rooms import rooms
from turnstate.core.context.append import append
from turnstate.core.context.types import Choice, Room


@given(rooms())
def test_append_keeps_everything_and_knows_no_limit(room: Room) -> None:
    """It alone lets the target be passed."""
    assert append(room) == Choice(keep=len(room.exchanges), enforce=False)
