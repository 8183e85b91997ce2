"""Whether two mentions may be the same value said differently."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from turnstate.audit.values.mentions import Mention
from turnstate.core.values import ALIKE, Value, likeness, numbers, plain, same
from turnstate.core.values.names import GENERIC, NICKNAMES, PLAIN
from turnstate.core.values.numbers import NUMBER_WORDS

_COUNTED: Final = frozenset({"count", "money", "code", "span"})
"""The sorts that a bare number may stand for."""
_LONGEST: Final = 60
_SHORT: Final = 6
_ACRONYM: Final = 3
_WORD: Final = re.compile(r"[^\W_]+")


def matches(one: Mention, other: Mention) -> bool:
    """Whether two mentions may be one value: of sorts that compare, and equal or said differently."""
    if one.sort != other.sort and not (
        "count" in {one.sort, other.sort} and {one.sort, other.sort} <= _COUNTED
    ):
        return False
    if one.sort == other.sort == "span":
        return one.norm == other.norm or not _figures(one).isdisjoint(
            _figures(other)
        )  # five days, five nights
    if one.value is not None and other.value is not None:
        return one.norm == other.norm or _same(one.value, other.value)
    if "count" in {one.sort, other.sort}:
        return not _figures(one).isdisjoint(_figures(other))
    if one.sort == "code":
        return _code(one) == _code(other)
    return one.norm == other.norm or (one.sort == "name" and _alike(one.text, other.text))


def _code(mention: Mention) -> str:
    return mention.norm.lstrip("#").upper()


@lru_cache(maxsize=65_536)
def _same(one: Value, other: Value) -> bool:
    return same(one, other)


def _figures(mention: Mention) -> frozenset[str]:
    """The numbers that a mention may be read as."""
    return frozenset({mention.norm}) if mention.sort == "count" else _numbers(mention.text[:_LONGEST])


@lru_cache(maxsize=16_384)
def _numbers(text: str) -> frozenset[str]:
    return frozenset(plain(found.value) for found in numbers(text))


@lru_cache(maxsize=65_536)
def _alike(one: str, other: str) -> bool:
    if beginnings(one).isdisjoint(beginnings(other)):
        return False
    return likeness(one, other) >= ALIKE or _initials(one, other) or _initials(other, one)


@lru_cache(maxsize=16_384)
def beginnings(name: str) -> frozenset[str]:
    """How the words of a name begin, of its nicknames too: names that share none are not alike, and need no comparing."""
    folded = name.casefold()
    if not folded.isascii():
        folded = "".join(
            char for char in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(char)
        )
    words = _WORD.findall(f"{folded} {NICKNAMES.get(folded.strip(' .'), '')}")
    found = {word[:2] for word in words if word not in GENERIC and word not in PLAIN} or {
        word[:2] for word in words
    }
    if len(words) > 1 or len(folded) <= _SHORT:
        found |= {f"{word[0]}." for word in words[:2]}
    if any(word[0].isdigit() or word in NUMBER_WORDS for word in words):
        found.add("#")
    return frozenset(found)


def _initials(one: str, other: str) -> bool:
    """Whether a name has the initials of another's first words: "JFK Airport", "John F. Kennedy Airport"."""
    first = "".join(word[0] for word in _WORD.findall(other))
    return any(
        word.isupper() and len(word) >= _ACRONYM and first.startswith(word) for word in _WORD.findall(one)
    )
