"""How much of what was kept is shown beside a summary, as room gets short."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum
from functools import lru_cache

from turnstate.core.context.ledger import is_plan, render_ledger
from turnstate.core.events import Kept

EVERYTHING = 1_000_000
"""More tokens than any span's values have."""


class Level(IntEnum):
    """What is shown of each value."""

    WITH_WORDS = 0
    BARE = 1
    WITHOUT_PLANS = 2
    WITHOUT_RESULTS = 3
    WITHOUT_BOTH = 4


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
    """Values come first: what the user undertook leaves before them, then what only tools said."""
    if level is Level.WITH_WORDS:
        return kept
    shown = [replace(entry, context="") for entry in kept]
    if level in {Level.WITHOUT_PLANS, Level.WITHOUT_BOTH}:
        shown = [entry for entry in shown if not is_plan(entry)]
    if level in {Level.WITHOUT_RESULTS, Level.WITHOUT_BOTH}:
        shown = [entry for entry in shown if entry.speaker != "tool"]
    return shown
