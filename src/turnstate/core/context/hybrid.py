"""The default strategy: a tail sized in tokens, the opening request, and summaries of what lies between."""

from __future__ import annotations

from turnstate.core.context.truncate import DEPTH, newest_within
from turnstate.core.context.types import Choice, Room

SUMMARIES = 8
"""Summaries have at most one in this many tokens of the target."""


def hybrid(room: Room) -> Choice:
    """Keep at least `keep_recent` exchanges, and as many more as fit in half the target.

    A tail sized in tokens beats a number of messages: six short messages are a fraction of what there is room for.
    The tail is shorter where instructions, tools and summaries would leave less than a quarter of the target free.
    """
    free = room.target * DEPTH - room.fixed - room.opening - room.target / SUMMARIES
    keep = newest_within(room, min(room.target / 2, free))
    return Choice(keep=min(len(room.exchanges), max(keep, room.keep_recent)))
