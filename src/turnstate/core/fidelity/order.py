"""An order that a summary turns round: from and to, before and after, instead of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from turnstate.core.search.words import words

_SIDE: Final = r"((?:[^\s,.;:!?]+\s+){0,3}?[^\s,.;:!?]+(?:[.:][^\s,.;!?]+)*)"
_PAIRS: Final = (
    (re.compile(rf"\bfrom\s+{_SIDE}\s+to\s+{_SIDE}(?=[\s,.;:!?)]|$)", re.IGNORECASE), False),
    (re.compile(rf"{_SIDE}\s+instead of\s+{_SIDE}(?=[\s,.;:!?)]|$)", re.IGNORECASE), True),
    (re.compile(rf"{_SIDE}\s+before\s+{_SIDE}(?=[\s,.;:!?)]|$)", re.IGNORECASE), False),
    (re.compile(rf"{_SIDE}\s+after\s+{_SIDE}(?=[\s,.;:!?)]|$)", re.IGNORECASE), True),
)
"""Patterns with what comes first and what comes then, and whether a text says them the other way round."""

READ: Final = 60_000
"""Characters of a source that are looked through."""


class Ordered(NamedTuple):
    """Two things in an order.

    Attributes:
        kind: which pattern says it; only the same kind is compared.
        first: the telling words of what comes first.
        then: of what comes then.
        text: as it was said.
    """

    kind: int
    first: frozenset[str]
    then: frozenset[str]
    text: str


def inverted(summary: str, source: str) -> tuple[str, ...]:
    """The words of `summary` that put two things in the opposite order of `source`, which says their order too."""
    known = list(_ordered(source[:READ]))
    if not known:
        return ()
    return tuple(
        found.text
        for found in _ordered(summary)
        if any(
            _same(found.first, other.then) and _same(found.then, other.first)
            for other in _of(known, found.kind)
        )
        and not any(
            _same(found.first, other.first) or _same(found.then, other.then)
            for other in _of(known, found.kind)
        )
    )


def _of(known: list[Ordered], kind: int) -> Iterator[Ordered]:
    return (other for other in known if other.kind == kind)


def _ordered(text: str) -> Iterator[Ordered]:
    for place, (pattern, turned) in enumerate(_PAIRS):
        for match in pattern.finditer(text):
            one, two = _telling(match[1]), _telling(match[2])
            if one and two and one != two:
                # "B after A" says the order of "A before B", "B instead of A" that of "from A to B".
                kind = place // 2
                first, then = (two, one) if turned else (one, two)
                yield Ordered(kind, first, then, match[0])


def _telling(side: str) -> frozenset[str]:
    return frozenset(word for word in words(side) if len(word) > 1 or word.isdigit()) - _LITTLE


_LITTLE: Final = frozenset(
    [
        "the",
        "an",
        "of",
        "for",
        "in",
        "on",
        "at",
        "to",
        "by",
        "it",
        "is",
        "was",
        "my",
        "your",
        "our",
        "and",
        "or",
        "as",
        "be",
        "been",
        "chang",
        "mov",
        "switch",
    ]
)


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    # "7" and "7 pm" are one, "7 pm" and "5 pm" are not.
    return one <= other or other <= one
