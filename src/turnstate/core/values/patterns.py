"""The pieces that patterns for values are written with."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

EDGE: Final = r"(?<![0-9A-Za-z_\d])"
"""Where a token may start."""
STOP: Final = r"(?![0-9A-Za-z_\d])"
"""Where a token may end."""
TAKEN: Final = "\ufffc"
"""Stands where an earlier finder took a value: no pattern matches it."""


def words_in(text: str) -> tuple[str, ...]:
    """The words of a table that is written as one text."""
    return tuple(text.split())


def any_of(words: Iterable[str]) -> str:
    """An alternation, longest first; a blank matches any run of blanks."""
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True))
