"""Names in a text: runs of capitalised words, and names known from elsewhere in whatever case."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from turnstate.core.questions.vocabulary import ASKED, EMPTY, THINGS
from turnstate.core.search.words import STOP, stem
from turnstate.core.values.names import GENERIC, NICKNAMES, NO, YES
from turnstate.core.values.patterns import TAKEN

CITIES: Final = frozenset(name for name in (*NICKNAMES, *NICKNAMES.values()) if len(name) > 3)
"""Cities by name and nickname, without case; the shortest nicknames are words too."""
_SHORTEST: Final = 2
_LONGEST: Final = 60
_MOST_WORDS: Final = 8
_FEW: Final = 3


class Name(NamedTuple):
    """A name as it stands in a text."""

    text: str
    start: int


_CAPITAL: Final = r"[^\W\d_a-z](?:\.(?= ?[A-Z])|(?:t|r|s|rs)\.(?= [A-Z]))?[^\W_]*(?:['’&.-][^\W_]+)*"
_NAME: Final = re.compile(
    rf"(?:(?<![\w.,:])\d{{1,5}}(?:-\w)? )?{_CAPITAL}"
    rf"(?:(?: | [&|:/-] |: )(?:(?:of|the|and|for|on|de|la|by|a|n) ){{0,2}}(?:{_CAPITAL}|\d+\b)| (?:# ?)?\d+\b)*"
)
_TRAIL: Final = re.compile(r"(?: (?:of|the|and|for|on|by|a|n))* (?:I(?:['’](?:m|d|ll|ve))?|OK|Ok|Is)$")
_OPENS: Final = re.compile(r"(?:^|[.!?:;\n\"“(]\s*)$")
_JOINS: Final = " ,&/:-"
_SMALL: Final = re.compile(r"(?:[a-z]+\s+)+")
_NO_NAME: Final = (
    frozenset(
        [
            "i",
            "i'm",
            "i'd",
            "i'll",
            "i've",
            "i’m",
            "i’d",
            "i’ll",
            "i’ve",
            "am",
            "pm",
            "ok",
            "okay",
            "hi",
            "hello",
            "hey",
            "mr",
            "mrs",
            "ms",
            "dr",
        ]
    )
    | YES
    | NO
)


def capitalised(text: str) -> Iterator[Name]:
    """Runs of capitalised words, without the everyday words that a sentence opens with."""
    short = len(text.split()) <= _FEW
    for found in _NAME.finditer(text):
        run = Name(found[0], found.start())
        if _OPENS.search(text[max(0, run.start - 3) : run.start]):
            run = _opened(run, whole=short)
        name = _TRAIL.sub("", run.text)
        if telling(name) and (name[0].isupper() or name[0].isdecimal()):
            yield Name(name, run.start)


def _opened(name: Name, *, whole: bool) -> Name:
    """A run that opens a sentence without the everyday words that it opens with; alone, a word is only its capital."""
    text, start = name
    while text:
        first = text.split(maxsplit=1)[0]
        if not (_everyday(first) or (first == text and not whole and start == name.start)):
            break
        rest = text[len(first) :]
        bare = rest.lstrip(_JOINS)
        start, text = start + len(text) - len(bare), bare
        if small := _SMALL.match(text):
            start, text = start + small.end(), text[small.end() :]
    return Name(text, start)


@lru_cache(maxsize=16_384)
def _everyday(word: str) -> bool:
    small = word.casefold()
    root = stem(small)
    held = small in _NO_NAME or small in STOP or root in EMPTY or root in ASKED or root in THINGS
    return held or (small.endswith("ing") and small not in NICKNAMES)


@lru_cache(maxsize=16_384)
def _empty(word: str) -> bool:
    small = word.casefold().strip(".,!?")
    return small in _NO_NAME or small in STOP or stem(small) in EMPTY


def telling(name: str) -> bool:
    """Whether a run of words can be a name."""
    if not _SHORTEST <= len(name) <= _LONGEST or not any(map(str.isalpha, name)):
        return False
    words = name.split()
    return len(words) <= _MOST_WORDS and not all(map(_empty, words))


_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


@lru_cache(maxsize=16_384)
def words_of(name: str) -> frozenset[str]:
    """The words of a name that tell it from another, without case."""
    found = frozenset(word.casefold() for word in _WORD.findall(name) if len(word) > 1 and not _empty(word))
    return found - GENERIC or found


def known_names(text: str, known: Collection[str]) -> Iterator[Name]:
    """Names that are known, in whatever case they are written, the longest first and none in another."""
    lower = text.lower()
    if len(lower) != len(text):
        return
    for name in sorted((name for name in known if name in lower), key=lambda name: (-len(name), name)):
        at = lower.find(name)
        if at >= 0 and not any(
            map(str.isalnum, lower[max(0, at - 1) : at] + lower[at + len(name) : at + len(name) + 1])
        ):
            yield Name(text[at : at + len(name)], at)
            lower = f"{lower[:at]}{TAKEN * len(name)}{lower[at + len(name) :]}"
