"""How much of what was kept is shown beside a summary, as room gets short."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum
from functools import lru_cache

from turnstate.core.context.ledger import render_ledger
from turnstate.core.events import Kept

EVERYTHING = 1_000_000
"""More tokens than any span's values have."""


class Level(IntEnum):
    """What is shown of each value."""

    WITH_WORDS = 0
    BARE = 1
    WITHOUT_RESULTS = 2


@lru_cache(maxsize=512)
def rendered(kept: tuple[Kept, ...], held: str, level: Level) -> str:
    """The values and commitments of one span, as far as `held` does not hold them. The same in every request.

    Args:
        kept: what was kept of the span's turns.
        held: what stands beside them: the span's summary, the opening request.
        level: how much is shown of each.
    """
    return render_ledger(_at(kept, level), held, EVERYTHING)


def _at(kept: Sequence[Kept], level: Level) -> Sequence[Kept]:
    if level is Level.WITH_WORDS:
        return kept
    said = (entry for entry in kept if level is Level.BARE or entry.speaker != "tool")
    return [replace(entry, context="") for entry in said]
