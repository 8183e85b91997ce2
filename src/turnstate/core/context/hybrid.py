"""The default strategy: a tail sized in tokens, the opening request, and summaries of what lies between."""

from __future__ import annotations

from turnstate.core.context.truncate import newest_within, recent
from turnstate.core.context.types import Choice, Room

SUMMARIES = 8
"""Summaries have at most one in this many tokens of the target."""

DEEP = 0.5
"""How full a request may be behind a cut, all of it together. Cutting deep and rarely keeps the prompt cache warm; cutting
deeper still would leave prefixes that are too short for a provider to cache."""


def hybrid(room: Room) -> Choice:
    """Keep at least `keep_recent` exchanges, and as many more as leave the request half full.

    A tail sized in tokens beats a number of messages: six short messages are a fraction of what there is room for.
    """
    head = room.fixed + room.opening + room.values + room.target / SUMMARIES
    keep = newest_within(room, room.target * DEEP - head)
    return Choice(keep=max(keep, recent(room)))
