"""The value that a person asks about, and whether a text has it."""

from __future__ import annotations

import re

from turnstate.core.values import Value, ValueKind, ascii_digits, find, same

_BETWEEN = re.compile(r"[\W_]+")


class Wanted:
    """The value that is looked for: the words themselves in any case, or a value that means the same.

    Args:
        value: as a person typed it.
    """

    def __init__(self, value: str) -> None:
        self._needle = value.strip().casefold()
        self._values: tuple[Value, ...] = find(value)
        only_ids = all(wanted.kind is ValueKind.ID for wanted in self._values)
        self._ids = {_squeezed(wanted.norm) for wanted in self._values} if only_ids else set[str]()
        self._known: dict[str, bool] = {}

    def stands_in(self, text: str) -> bool:
        """Whether `text` has it; within a longer number it is another number."""
        if not text:
            return False
        if (known := self._known.get(text)) is None:
            known = self._known[text] = self._literally(text.casefold()) or self._in_other_words(text)
        return known

    def _literally(self, folded: str) -> bool:
        needle = self._needle
        start = folded.find(needle) if needle else -1
        while start >= 0:
            end = start + len(needle)
            goes_on = (needle[0].isdecimal() and folded[start - 1 : start].isdecimal()) or (
                needle[-1].isdecimal() and folded[end : end + 1].isdecimal()
            )
            if not goes_on:
                return True
            start = folded.find(needle, start + 1)
        return False

    def _in_other_words(self, text: str) -> bool:
        if not self._values or (self._ids and not self._may_hold_id(text)):
            return False
        return any(same(wanted, value) for value in find(text) for wanted in self._values)

    def _may_hold_id(self, text: str) -> bool:
        """Whether a closer look is worth it: one id has the same letters and digits, however they are grouped."""
        squeezed = _squeezed(text)
        return any(wanted in squeezed for wanted in self._ids)


def _squeezed(text: str) -> str:
    return _BETWEEN.sub("", ascii_digits(text).casefold())
