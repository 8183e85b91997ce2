"""The strategy that drops the oldest exchanges."""

from __future__ import annotations

from turnstate.core.context.types import Choice, Room

DEPTH = 0.75
"""How full a request may still be after a cut. Cutting deep and rarely keeps the prompt cache warm: cutting a little on
every turn rewrites the whole prefix each time and bills more than never cutting at all."""


def newest_within(room: Room, tokens: float) -> int:
    """How many of the newest exchanges fit in `tokens`."""
    used = 0
    for count, exchange in enumerate(reversed(room.exchanges)):
        used += exchange.tokens
        if used > tokens:
            return count
    return len(room.exchanges)


def recent(room: Room) -> int:
    """`keep_recent`; where each turn was cut for, only as many as leave a quarter of the target free."""
    most = newest_within(room, room.target * DEPTH - room.fixed) if room.hurried else len(room.exchanges)
    return min(room.keep_recent, most)


def truncate(room: Room) -> Choice:
    """Keep the newest exchanges that leave a quarter of the target free, and drop the rest without a summary."""
    return Choice(keep=newest_within(room, room.target * DEPTH - room.fixed), summarise=False, opening=False)
