"""Finding the values of a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from turnstate.core.values.calendar import resolve
from turnstate.core.values.finders.finder import Finder, Hit
from turnstate.core.values.finders.table import FINDERS
from turnstate.core.values.patterns import TAKEN
from turnstate.core.values.types import Value

_DIGIT: Final = re.compile(r"\d")
_WORD: Final = re.compile(r"[^\W\d_]+")
_SHORT: Final = 2_000
"""Characters of a text whose values are remembered."""

_WITHOUT_DIGITS: Final = tuple(finder for finder in FINDERS if not finder.digit)


def find(text: str, *, at: int | None = None) -> tuple[Value, ...]:
    """The values of `text` in order, none overlapping another.

    Args:
        text: any text.
        at: when it was said, in microseconds since the epoch, UTC: relative and partial dates are read by it. Without
            it they stay open.
    """
    values = _again(text) if len(text) <= _SHORT else _find(text)
    return values if at is None else tuple(resolve(value, at) for value in values)


def _find(text: str) -> tuple[Value, ...]:
    hits: list[Hit] = []
    rest, lower = text, text.lower()
    digit, tokens = _DIGIT.search(text) is not None, frozenset(_WORD.findall(lower))
    for finder in FINDERS if digit else _WITHOUT_DIGITS:
        named = not finder.tokens.isdisjoint(tokens)
        if (finder.words or finder.tokens) and not (named or any(map(lower.__contains__, finder.words))):
            continue
        if finder.unless and finder.unless.match(text):
            continue
        matches = _anchored(finder, rest) if finder.anchored else finder.pattern.finditer(rest)
        found = [hit for match in matches if (hit := finder.read(match))]
        if found:
            hits += found
            rest = _without(rest, found)
    hits.sort(key=lambda hit: hit.start)
    return tuple(Value(hit.kind, text[hit.start : hit.end], hit.start, hit.end, hit.norm) for hit in hits)


_again = lru_cache(maxsize=4_096)(_find)
"""The texts of a conversation are looked through again and again: short ones are remembered."""


def _anchored(finder: Finder, text: str) -> Iterator[re.Match[str]]:
    """The matches of a finder whose values start with one of its words: only those places are tried."""
    done = 0
    for word in _WORD.finditer(text):
        start = word.start()
        if (
            start >= done
            and word[0].lower() in finder.tokens
            and (match := finder.pattern.match(text, start))
        ):
            done = match.end()
            yield match


def _without(text: str, hits: list[Hit]) -> str:
    """`text` with the hits blanked out, its length unchanged."""
    pieces: list[str] = []
    done = 0
    for hit in hits:
        pieces += (text[done : hit.start], TAKEN * (hit.end - hit.start))
        done = hit.end
    return "".join((*pieces, text[done:]))
