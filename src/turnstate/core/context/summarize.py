"""The strategy that keeps the last few exchanges and summarises everything before them."""

from __future__ import annotations

from turnstate.core.context.truncate import recent
from turnstate.core.context.types import Choice, Room


def summarize(room: Room) -> Choice:
    """Keep `keep_recent` exchanges verbatim, whatever their size; the rest becomes summaries."""
    return Choice(keep=recent(room), opening=False)
