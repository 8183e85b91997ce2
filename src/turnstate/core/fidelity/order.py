"""An order that a summary turns round: from and to, before and after, first and then, instead of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from turnstate.core.search.words import words

_BETWEEN: Final = re.compile(
    r"(?:[,;]\s+|(?<=\s))(?:and\s+)?(?P<then>then|after (?:that|this)|afterwards)(?=,?\s)"
    r"|(?<=\s)(?P<word>to|instead of|before|after)(?=\s)",
    re.IGNORECASE,
)
_KIND: Final = {"to": 0, "instead of": 0, "before": 1, "after": 1, "then": 1}
_TURNED: Final = frozenset({"instead of", "after"})
"""Words that stand between two things, which of them say the same, and which put the later one first."""

_SPAN: Final = 120
"""Characters beside such a word in which the two things are looked for."""

_SIDE_WORDS: Final = 4
_STOP: Final = re.compile(r"[,;!?\n]|[.:](?=\s|$)")
_DOUBLED: Final = re.compile(r"([bdglmnprt])\1$")
_CONDITION: Final = re.compile(r"\W*(?:if|when|once|unless)\b", re.IGNORECASE)
_FROM: Final = re.compile(r"\bfrom\s", re.IGNORECASE)

READ: Final = 60_000
"""Characters of a source that are looked through."""


class Ordered(NamedTuple):
    """Two things in an order.

    Attributes:
        kind: how it is said; only the same kind is compared.
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
    for found in _BETWEEN.finditer(text):
        word = (found["word"] or "then").lower()
        left = _left(text, found.start(), word)
        if word == "then" and _CONDITION.match(left):
            continue  # what follows from something, not what comes behind it
        comma = text.startswith(",", found.end())
        right = _right(text, found.end() + comma)
        one, two = _telling(left), _telling(right)
        if one and two and one != two:
            # "B after A" says the order of "A before B", "B instead of A" that of "from A to B".
            first, then = (two, one) if word in _TURNED else (one, two)
            said = text[found.start() - len(left) : found.end() + comma + len(right)].strip()
            yield Ordered(_KIND[word], first, then, said)


def _left(text: str, end: int, word: str) -> str:
    """What stands before a word, at most a few words of the same clause; of "to", back to its "from"."""
    before = text[max(0, end - _SPAN) : end]
    stops = [stop.end() for stop in _STOP.finditer(before)]
    clause = before[stops[-1] if stops else 0 :]
    if word == "to":
        starts = [start.end() for start in _FROM.finditer(clause)]
        clause = clause[starts[-1] :] if starts else ""
        return clause if len(clause.split()) <= _SIDE_WORDS else ""
    places = [place.start() for place in re.finditer(r"\S+", clause)]
    return clause[places[max(0, len(places) - _SIDE_WORDS)] :] if places else ""


def _right(text: str, start: int) -> str:
    """What stands after a word, up to its first telling one."""
    after = text[start : start + _SPAN]
    stop = _STOP.search(after)
    clause = after[: stop.start()] if stop else after
    for place in re.finditer(r"\S+", clause):
        if _telling(place[0]):
            return clause[: place.end()]
    return ""


def _telling(side: str) -> frozenset[str]:
    told = frozenset(word for word in words(side) if len(word) > 1 or word.isdigit()) - _LITTLE
    # "cancelling" and "cancel" are one.
    return frozenset(_DOUBLED.sub(r"\1", word) for word in told)


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
        "first",
        "then",
        "next",
        "you",
        "they",
        "them",
        "we",
        "us",
        "you'll",
        "pleas",
    ]
)


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    # "7" and "7 pm" are one, "7 pm" and "5 pm" are not.
    return one <= other or other <= one
