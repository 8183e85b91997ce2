"""What is said in a text: its exact values, its counts of things and its names, each with what it is said of."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from turnstate.audit.values.names import Name, capitalised, known_names
from turnstate.core.questions.vocabulary import ASKED, THINGS, WAYS
from turnstate.core.search.words import stem
from turnstate.core.values import Value, ValueKind, find, numbers, plain
from turnstate.core.values.numbers import NUMBER_WORDS
from turnstate.core.values.patterns import TAKEN

Sort: TypeAlias = Literal["date", "time", "money", "span", "code", "contact", "count", "name"]
"""What can contradict what: a date only a date, a name only a name."""

LONGEST: Final = 8_000
"""Characters of a text that are looked at."""

SORTS: Final[dict[ValueKind, Sort]] = {
    ValueKind.DATE: "date",
    ValueKind.TIME: "time",
    ValueKind.MONEY: "money",
    ValueKind.DURATION: "span",
    ValueKind.ID: "code",
    ValueKind.EMAIL: "contact",
    ValueKind.PHONE: "contact",
}
"""The kinds of values that are compared, and as what."""


CODE: Final = re.compile(r"#?(?=[^\W_]*\d)(?=\d*[^\W\d_])[^\W_]{4,40}")
"""Letters and digits in one word: the id of something."""


class Mention(NamedTuple):
    """A value where it is said.

    Attributes:
        sort: what can contradict it.
        text: its words, verbatim.
        start: its first code point in what it is said in; -1 for an argument.
        norm: one spelling; two mentions of one sort and one norm are the same.
        value: as the finders read it; None for counts and names.
        ways: "start" or "finish": which end of a trip or a stay it is said of.
        about: the clusters of what it is said of: "people", "place", "restaurant".
        cue: the small word before it: "in", "with", "named"; "" for none.
        loose: whether it is a bound or about right: "by 5 pm", "under $100"; then another value may be as good.
    """

    sort: Sort
    text: str
    start: int
    norm: str
    value: Value | None
    ways: frozenset[str]
    about: frozenset[str]
    cue: str = ""
    loose: bool = False

    @property
    def end(self) -> int:
        """One past its last code point."""
        return self.start + len(self.text)


def spoken(text: str, at: int | None, known: Collection[str] = ()) -> Iterator[Mention]:
    """The values of a text in order, as said at `at`; what is denied ("not on Friday") is left out.

    Args:
        text: what somebody says.
        at: when, in microseconds since the epoch; None where nobody knows.
        known: names, without case, that count however they are written.
    """
    text = text[:LONGEST]
    typed = [value for value in find(text, at=at) if value.kind in SORTS]
    rest = text
    for value in typed:
        rest = _without(rest, value.start, value.end)
    found = [_typed(text, value) for value in typed]
    found += _counts(rest)
    for name in known_names(rest, known):
        found.append(_named(rest, name))
        rest = _without(rest, name.start, name.start + len(name.text))
    found += [_named(rest, name) for name in capitalised(rest)]
    denials = _DENIES.search(text) is not None
    for mention in sorted(found, key=lambda mention: mention.start):
        if not (denials and _DENIED.search(_before(text, mention.start))):
            yield mention


def _without(text: str, start: int, end: int) -> str:
    return f"{text[:start]}{TAKEN * (end - start)}{text[end:]}"


def _typed(text: str, value: Value) -> Mention:
    bare = Value(value.kind, value.text, 0, len(value.text), value.norm, value.also)
    around = _around(text, value.start, value.end)
    sort = SORTS[value.kind]
    loose = _LOOSE.search(_before(text, value.start)) or _LOOSELY.match(text, value.end)
    late = sort == "time" and _UNTIL.search(_before(text, value.start))
    return Mention(
        sort, value.text, value.start, value.norm, bare, *around, sort in _MEASURED and bool(loose or late)
    )


def _named(text: str, name: Name) -> Mention:
    around = _around(text, name.start, name.start + len(name.text))
    if CODE.fullmatch(name.text):
        return Mention("code", name.text, name.start, name.text.lstrip("#").upper(), None, *around)
    return Mention("name", name.text, name.start, name.text.casefold(), None, *around)


_DIGIT: Final = re.compile(r"\d")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_NOUNS: Final = re.compile(r"[\s-]+(?:([^\W\d_]+)\s)?([^\W\d_]+)")
_NO_COUNT: Final = re.compile(r"[\s-]+(?:ways?|more|of|thing|that|which|stars?|or)\b", re.IGNORECASE)
_FOR: Final = re.compile(r"\bfor\s+(?:just\s+|only\s+)?$", re.IGNORECASE)


def _counts(text: str) -> Iterator[Mention]:
    """Numbers of things ("two tickets", "a table for 4"), and a number that is the whole text."""
    if not _DIGIT.search(text) and NUMBER_WORDS.isdisjoint(_LETTERS.findall(text.lower())):
        return
    for found in numbers(text):
        behind = text[found.end : found.end + 40]
        if _NO_COUNT.match(behind):
            continue
        nouns = _NOUNS.match(behind)
        about = (
            next((held for noun in nouns.groups() if noun and (held := clusters(noun))), None)
            if nouns
            else None
        )
        if about is None and _FOR.search(_before(text, found.start)):
            about = frozenset({"people"})
        written = text[found.start : found.end]
        if about or text.strip(" .!") == written:
            yield Mention(
                "count", written, found.start, plain(found.value), None, frozenset(), about or frozenset()
            )


_LOOSE: Final = re.compile(
    r"\b(?:by|before|after|around|about|approximately|roughly|near(?:ly)?|close(?:r|st)? to|between|and|at least|at most|under|over|below|above|"
    r"(?:less|more|later|earlier|cheaper) than|up to|within|past|no later than|maximum(?: of)?|minimum(?: of)?|max|min)\s+(?:the\s|say\s)?$",
    re.IGNORECASE,
)
_LOOSELY: Final = re.compile(
    r"\s*(?:-ish|or (?:so|later|earlier|less|more|before|after|under|over|cheaper)|at the (?:latest|earliest))\b",
    re.IGNORECASE,
)
_MEASURED: Final = frozenset({"date", "time", "money", "span"})
_UNTIL: Final = re.compile(r"\b(?:until|till)\s+$", re.IGNORECASE)


class _Around(NamedTuple):
    """What the words around a value say of it."""

    ways: frozenset[str]
    about: frozenset[str]
    cue: str


_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_BREAK: Final = re.compile(r"[.!?;,\n]\s")
_DENIED: Final = re.compile(
    r"(?:\bnot|\binstead of|\brather than|n['’]t|\bexcept|\bother than|\bno longer)\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)
_DENIES: Final = re.compile(
    r"\b(?:not|instead of|rather than|except|other than|no longer)\b|n['’]t", re.IGNORECASE
)
_PAIRED: Final = re.compile(
    r"\b(?:pick|picked|picking|drop|dropped|dropping|check|checked|checking)[\s-](?:(?:the|it|you|your|my|me)\s(?:\w+\s)?)?(up|off|in|out)\b",
    re.IGNORECASE,
)
_PARTICLES: Final = {"up": "start", "in": "start", "off": "finish", "out": "finish"}
_SIDES: Final = {
    "from": "start", "since": "start", "starting": "start", "leaving": "start", "departing": "start",
    "to": "finish", "until": "finish", "till": "finish", "through": "finish", "towards": "finish", "return": "finish", "returning": "finish", "back": "finish",
    "leave": "start", "arrive": "finish",
}  # fmt: skip
_CUE: Final = re.compile(
    r"\b(in|into|at|to|from|with|for|by|near|around|towards|until|named|called|name is|name it|titled|of|on|is|are|be|see|watch|play|visit|the)\s+"
    r"(?:(?:the|a|an|my|your|song|movie|film|track|album|artist|event|city)\s+)*(?:[\d\ufffc#-]+\s)?[\"“'‘]?$",
    re.IGNORECASE,
)


@lru_cache(maxsize=16_384)
def clusters(word: str) -> frozenset[str]:
    """The clusters of meaning that a word stands in, besides the ends of a trip."""
    root = stem(word.casefold())
    return frozenset(table[root] for table in (ASKED, THINGS) if root in table)


@lru_cache(maxsize=16_384)
def end_of(word: str) -> str:
    """Which end of a trip or a stay a word speaks of, "start" or "finish"; "" for none."""
    small = word.casefold()
    way = WAYS.get(stem(small), "")
    return _SIDES.get(small) or _SIDES.get(way, way)


def _before(text: str, start: int) -> str:
    """The words before a place, back to the last break."""
    piece = text[max(0, start - 60) : start]
    breaks = [found.end() for found in _BREAK.finditer(piece)]
    return piece[breaks[-1] :] if breaks else piece


_INFINITIVE: Final = re.compile(r"\bto (?=(?!the\b|a\b|an\b|my\b|our\b)[a-z]+\b)")


def _way(before: str) -> str:
    """Which end of a trip or a stay the words before a value speak of, the nearest; "" for none."""
    before = _INFINITIVE.sub("", before)
    way, rest = "", before
    if paired := list(_PAIRED.finditer(before)):
        way, rest = _PARTICLES[paired[-1][1].casefold()], before[paired[-1].end() :]
    for word in _WORD.findall(rest)[-3:]:
        way = end_of(word) or way
    return way


def _around(text: str, start: int, end: int) -> _Around:
    before = _before(text, start)
    words = _WORD.findall(before)[-4:]
    way = _way(before)
    behind = _WORD.findall(text[end : end + 30])[:1]
    about = frozenset(cluster for word in (*words, *behind) for cluster in clusters(word))
    cue = _CUE.search(before)
    return _Around(frozenset({way} if way else ()), about, cue[1].casefold() if cue else "")
