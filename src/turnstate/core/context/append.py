"""The strategy that never cuts: the whole conversation in every request."""

from __future__ import annotations

from turnstate.core.context.types import Choice, Room


def append(room: Room) -> Choice:
    """Keep everything, over the target too: the baseline that every other strategy is measured against."""
    return Choice(keep=len(room.exchanges), enforce=False)
