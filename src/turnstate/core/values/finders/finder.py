"""A finder, one row of the table: where a value may stand, and how what stands there is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from turnstate.core.values.types import ValueKind


class Hit(NamedTuple):
    """A value as a finder has it: `Value` without its words."""

    kind: ValueKind
    start: int
    end: int
    norm: str


Read: TypeAlias = Callable[[re.Match[str]], Hit | None]


class Finder(NamedTuple):
    """One row of the table of finders.

    Attributes:
        pattern: where a value may stand.
        read: what stands there, or None.
        words: the text, in lower case, must contain one of them (any text will do where there are neither words nor
            tokens).
        digit: the text must contain a digit.
        tokens: or it must have one of them as a whole word.
        anchored: every match starts at one of the tokens.
        unless: texts that look like this are not searched.
    """

    pattern: re.Pattern[str]
    read: Read
    words: tuple[str, ...] = ()
    digit: bool = True
    tokens: frozenset[str] = frozenset()
    anchored: bool = False
    unless: re.Pattern[str] | None = None
