"""What was worked out about an object, kept while requests go on holding that very object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Item = TypeVar("Item")
Value = TypeVar("Value")


class Memo(Generic[Item, Value]):
    """Values by the identity of the object that they were made from.

    A request repeats most parts of the one before it, as the same objects, so that reading each of them once keeps a
    long replay linear. What the newest request did not hold is forgotten.
    """

    def __init__(self, make: Callable[[Item], Value]) -> None:
        self._make = make
        self._old: dict[int, tuple[Item, Value]] = {}
        self._new: dict[int, tuple[Item, Value]] = {}

    def turn_over(self) -> None:
        """Begin the next request."""
        self._old, self._new = self._new, {}

    def of(self, item: Item) -> Value:
        """The value of `item`, which is kept alive so that its identity stays its own."""
        key = id(item)
        entry = self._new.get(key) or self._old.get(key) or (item, self._make(item))
        self._new[key] = entry
        return entry[1]
