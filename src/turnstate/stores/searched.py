"""The words that a store finds an event by."""

from __future__ import annotations

from turnstate.core.events import Event
from turnstate.core.search.words import words
from turnstate.ports import SEARCHED, spoken


def searched_words(event: Event) -> frozenset[str]:
    """The search words of what `event` says; none where it says nothing."""
    said = spoken(event)
    return frozenset(words(said.text[:SEARCHED])) if said else frozenset()
