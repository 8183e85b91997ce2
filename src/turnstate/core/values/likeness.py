"""How alike two values are that have no form of their own (places, names, titles, yes and no, counts), without a model.

Dates, amounts and other exact values decide where both sides are one; the rest is compared word by word. The weights were
set on one half of recorded restatements and checked on the other (`benchmarks/value_equivalence.py`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from turnstate.core.values.compare import same
from turnstate.core.values.find import find
from turnstate.core.values.names import GENERIC, NICKNAMES, NO, PLAIN, REGIONS, SHORT_WORDS, YES
from turnstate.core.values.numbers import number, numbers, plain
from turnstate.core.values.types import Value, ValueKind

ALIKE: Final = 0.6
"""From this likeness on two values are taken for the same."""
_CANNOT_TELL: Final = 0.5
_LONGEST: Final = 400
"""A longer text is no value, and its words are not compared."""
_SPLIT: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?")
_NOT: Final = frozenset({"not", "without", "non", "never", "except"})
_KINDS_OF_NUMBERS: Final = frozenset(
    {
        ValueKind.ID,
        ValueKind.QUANTITY,
        ValueKind.MONEY,
        ValueKind.VERSION,
        ValueKind.DURATION,
        ValueKind.PERCENT,
    }
)


def likeness(a: str, b: str, *, at: int | None = None) -> float:
    """How likely `a` and `b` are the same value said differently: 1 is surely, 0 surely not, 0.5 cannot tell.

    Args:
        a: one value, alone ("Sacramento, CA", "half past 3 in the afternoon", "two").
        b: the other.
        at: when both were said, in microseconds since the epoch, for dates such as "tomorrow".
    """
    (one, a), (other, b) = sorted(
        ((_folded(a), a), (_folded(b), b))
    )  # so that it does not matter which is first
    if not one or not other:
        return 1.0 if one == other else _CANNOT_TELL
    if one == other:
        return 1.0
    if _script(one) != _script(other) or max(len(one), len(other)) > _LONGEST:
        typed = _typed(a, b, at)
        return _CANNOT_TELL if typed is None else typed
    for known in (_yes_or_no(one, other), _typed(a, b, at), _counted(one, other)):
        if known is not None:
            return known
    return _worded(one, other)


def alike(a: str, b: str, *, at: int | None = None) -> bool | None:
    """Whether `a` and `b` are the same value said differently; None where that cannot be told, as across scripts.

    Args:
        a: one value, alone.
        b: the other.
        at: when both were said, in microseconds since the epoch.
    """
    score = likeness(a, b, at=at)
    return None if score == _CANNOT_TELL else score >= ALIKE


def _folded(text: str) -> str:
    """Case and accents of Latin letters away, one kind of blank, no punctuation around."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(
        unicodedata.normalize(
            "NFC", "".join(char for char in decomposed if not "\u0300" <= char <= "\u036f")
        ).split()
    ).strip(" .,;:!?\"'“”‘’()")


def _script(text: str) -> str:
    """Which script most letters are of; digits and symbols alone go with any."""
    letters = [char for char in text if char.isalpha()]
    if not letters:
        return "latin"
    latin = sum("a" <= char <= "z" or "\u00c0" <= char <= "\u024f" for char in letters)
    return "latin" if 2 * latin >= len(letters) else unicodedata.name(letters[0], "?").partition(" ")[0]


def _yes_or_no(one: str, other: str) -> float | None:
    said = [True if text in YES else False if text in NO else None for text in (one, other)]
    if None in said:
        return None
    return 1.0 if said[0] == said[1] else 0.0


def _typed(a: str, b: str, at: int | None) -> float | None:
    """What dates, times, amounts… decide; None where not both sides have comparable ones."""
    ours, theirs = find(a, at=at), find(b, at=at)
    if not (ours and theirs) or not ({_family(v) for v in ours} & {_family(v) for v in theirs}):
        return None
    agree = all(any(same(value, other) for other in theirs) for value in ours) and all(
        any(same(value, other) for other in ours) for value in theirs
    )
    if not agree:
        return 0.0
    bare = [_without_values(text, values) for text, values in ((a, ours), (b, theirs))]
    rest = [[word for word in _words(_folded(text)) if word not in GENERIC] for text in bare]
    return 1.0 if not all(rest) else max(0.6, _worded(*map(_folded, bare)))


def _family(value: Value) -> str:
    return "number" if value.kind in _KINDS_OF_NUMBERS else value.kind.value


def _without_values(text: str, values: Sequence[Value]) -> str:
    for value in reversed(values):
        text = f"{text[: value.start]} {text[value.end :]}"
    return text


def _counted(one: str, other: str) -> float | None:
    """Two counts: "two", "2 people", "$2"; None where not both are a number and little else."""
    counts: list[str] = []
    for text in (one, other):
        alone = number(text)
        found = (alone,) if alone is not None else tuple(found.value for found in numbers(text))
        words = [word for word in _words(text) if not word[0].isdecimal() and word not in GENERIC]
        if len(found) != 1 or (alone is None and len(words) > 1):
            return None
        counts.append(plain(found[0]))
        if words and alone is None and other != text and words[0] not in other and len(words[0]) > 3:
            counts.append(words[0])
    if len(counts) > 2 and counts[1] != counts[-1]:
        return 1.0 if counts[0] == next(count for count in counts[1:] if count[0].isdecimal()) else 0.0
    return 1.0 if counts[0] == counts[-1] else 0.0


def _words(text: str) -> list[str]:
    """Words without articles and possessives, numbers in figures, short forms written out."""
    text = text.replace("&", " and ").replace("+", " and ")
    found: list[str] = []
    for word in _SPLIT.findall(text):
        bare = re.sub(r"['’]s?$", "", word).replace("'", "").replace("’", "")
        count = None if bare == "and" else number(bare)
        bare = plain(count) if count is not None else SHORT_WORDS.get(bare, bare)
        if bare and bare not in PLAIN:
            found.append(bare)
    return found


def _worded(one: str, other: str) -> float:
    one, other = NICKNAMES.get(one, one), NICKNAMES.get(other, other)
    (one_name, one_region), (other_name, other_region) = _regional(one), _regional(other)
    score = _named(one_name, other_name) if (one_region or other_region) else _named(one, other)
    if one_region and other_region and not (one_region <= other_region or other_region <= one_region):
        return min(score, 0.3)
    whole = _named(one, other)
    score = max(score, whole)
    said = [not _NOT.isdisjoint(re.findall(r"[a-z]+", text)) for text in (one, other)]
    return min(score, 0.3) if said[0] != said[1] else score


def _regional(text: str) -> tuple[str, frozenset[str]]:
    """A place without the state or country after it, and what that one may be."""
    head, comma, tail = text.rpartition(",")
    if comma and head.strip() and (region := REGIONS.get(tail.strip(" ."))):
        return NICKNAMES.get(head.strip(), head.strip()), region
    words = text.split()
    for size in (2, 1):
        tail = " ".join(words[-size:])
        if len(words) > size and tail in REGIONS:
            head = " ".join(words[:-size])
            return NICKNAMES.get(head, head), REGIONS[tail]
    return text, frozenset()


def _named(one: str, other: str) -> float:
    """The likeness of two names, by their words."""
    ours, theirs = _words(one), _words(other)
    if not ours or not theirs:
        return 1.0 if one == other else 0.2
    if "".join(ours) == "".join(theirs):
        return 0.98
    if initials := max(_initials(ours, theirs), _initials(theirs, ours)):
        return initials
    figures = [{word for word in words if word[0].isdecimal()} for words in (ours, theirs)]
    if all(figures) and figures[0] != figures[1]:
        return 0.1
    telling = [[word for word in words if word not in GENERIC] for words in (ours, theirs)]
    if all(telling) and telling[0] == telling[1]:
        return 0.95
    short, long = sorted((ours, theirs), key=len)
    if not any(word not in GENERIC for word in short):
        short, long = ours, theirs
    score = _overlap(short, long)
    if all(telling):
        score = max(score, 0.97 * _overlap(*sorted(telling, key=len)))
    elif len(short) > 1 and set(short) <= set(long):
        score = max(score, 0.8)
    return min(score, 0.55) if bool(figures[0]) != bool(figures[1]) and len(short) > 1 else score


def _overlap(short: Sequence[str], long: Sequence[str]) -> float:
    """Whether the shorter name is a part of the longer, else the share of telling words that both have."""
    left = list(long)
    places: list[int] = []
    close = 0.0
    weight = 0.0
    for word in short:
        best = max(range(len(left)), key=lambda index: _close(word, left[index]))
        nearness = _close(word, left[best])
        weight += _weight(word)
        if nearness >= 0.75:
            close += _weight(word) * nearness
            places.append(best)
            left[best] = ""
    total = weight + sum(map(_weight, long)) - close
    if len(places) == len(short) and any(word not in GENERIC for word in short):
        start = places == list(range(len(places)))
        rare = close / weight
        return (0.88 if start else 0.78 if sorted(places) == places else 0.7) * rare
    return 0.75 * close / total


def _weight(word: str) -> float:
    return 0.25 if word in GENERIC else 1.0


def _close(word: str, other: str) -> float:
    """The likeness of two words: equal, cut short, inflected, or misspelt."""
    if word == other:
        return 1.0
    if not word or not other or word[0].isdecimal() or other[0].isdecimal():
        return 0.0
    short, long = sorted((word, other), key=len)
    if _stem(short) == _stem(long):
        return 0.97
    if len(short) >= 3 and long.startswith(short):
        return 0.9 if len(short) >= 4 or len(long) - len(short) >= 4 else 0.6
    if len(short) < 4 or len(long) > 40:
        return 0.0
    ratio = 1 - _distance(short, long) / len(long)
    return ratio if ratio >= 0.75 else 0.0


def _stem(word: str) -> str:
    return re.sub(r"(?:ies|y|ing|ed|es|s|e)$", "", word) if len(word) > 4 else word.removesuffix("s")


def _distance(one: str, other: str) -> int:
    """Edits (insert, delete, replace, swap of neighbours) from one word to the other."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, char in enumerate(one, start=1):
        last, row = row, [i, *([0] * len(other))]
        for j, wanted in enumerate(other, start=1):
            row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (char != wanted))
            if i > 1 and j > 1 and char == other[j - 2] and one[i - 2] == wanted:
                row[j] = min(row[j], before[j - 2] + 1)
        before = last
    return row[-1]


def _initials(short: Sequence[str], long: Sequence[str]) -> float:
    """Whether one word stands for several by their first letters: "kl", "nyc" (with the c of city), "sfo"."""
    if len(short) != 1 or len(long) < 2 or not 2 <= len(short[0]) <= 6 or not short[0].isalpha():
        return 0.0
    first = "".join(word[0] for word in long)
    word = short[0]
    if word in {first, first + "c", first.removesuffix("c")} and len(first) > 1:
        return 0.9
    inside = len(word) == 3 and len(long) == 2 and word.startswith(first) and word[2] in long[1][1:]
    return 0.8 if inside else 0.0
