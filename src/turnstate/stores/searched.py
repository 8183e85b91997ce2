"""The words that a store finds an event by."""

from __future__ import annotations

from collections.abc import Sequence

from turnstate.core.events import Event
from turnstate.core.search.words import vocabulary
from turnstate.ports import SEARCHED, spoken


def searched_words(event: Event) -> frozenset[str]:
    """The search words of what `event` says; none where it says nothing."""
    said = spoken(event)
    return vocabulary(said.text[:SEARCHED]) if said else frozenset()


def newest(turns: Sequence[int], most: int | None) -> tuple[int, ...]:
    """The last `most` of turns that are in order; all of them for None."""
    return tuple(turns if most is None else turns[max(0, len(turns) - max(0, most)) :])
