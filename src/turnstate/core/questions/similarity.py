"""How alike two questions are: the same thing asked in other words, without a model.

A logistic regression over some twenty figures of two profiles. Its weights were fitted on questions of STAR (MIT) and
MultiWOZ (MIT) alone; `benchmarks/questions.py` fits them and measures them on questions of other services.
"""

from __future__ import annotations

import math
from operator import mul
from typing import Final

from turnstate.core.questions.profile import Profile, profile
from turnstate.core.questions.weights import BIAS, SAME, WEIGHTS

__all__ = ["FEATURES", "SAME", "features", "similarity"]

_NEAR: Final = {
    pair: worth
    for one, other, worth in (
        ("when", "date", 0.8),
        ("when", "time", 0.8),
        ("timeline", "when", 0.8),
        ("timeline", "date", 0.7),
        ("timeline", "howlong", 0.5),
        ("price", "amount", 0.7),
        ("name", "who", 0.7),
        ("place", "address", 0.6),
        ("authority", "who", 0.6),
        ("id", "code", 0.5),
        ("details", "problem", 0.4),
        ("name", "company", 0.4),
        ("kind", "industry", 0.4),
        ("kind", "name", 0.2),
        ("place", "name", 0.2),
    )
    for pair in ((one, other), (other, one))
}
"""Different words for what may be the same: "when" asks for a date or a time."""


def similarity(one: str, other: str) -> float:
    """How likely two questions ask for the same thing, 0 to 1; symmetric, and 1 for the same words.

    Args:
        one: a question, or a text whose questions are compared.
        other: another.
    """
    if one == other:
        return 1.0
    first, second = profile(one), profile(other)
    if first == second:
        return 1.0
    total = BIAS + sum(map(mul, WEIGHTS, features(first, second)))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


FEATURES: Final = (
    "wanted alike", "wanted apart", "wanted unsaid by one", "wanted unsaid", "ways alike", "ways apart", "way unsaid by one", "things alike", "things apart",
    "thing unsaid by one", "things unsaid", "words alike", "words apart", "word unsaid by one", "words unsaid", "meaning alike", "meaning contained", "grams alike",
    "grams alike, ways apart", "grams alike, things apart", "grams alike, wanted apart",
    "one yes or no", "both yes or no", "wanted alike, things apart", "wanted alike, things alike", "wanted alike, ways apart", "wanted alike, things not said twice",
    "wanted not said twice, meaning alike",
)  # fmt: skip
"""What each figure of `features` is."""


def _dice(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def features(one: Profile, other: Profile) -> tuple[float, ...]:
    """The figures of two profiles that are weighed, the same for (a, b) and (b, a)."""
    wanted, things = alike_wanted(one.wanted, other.wanted), _dice(one.things, other.things)
    words, meaning = _dice(one.words, other.words), _dice(one.meaning, other.meaning)
    wanted_by, things_by = bool(one.wanted) + bool(other.wanted), bool(one.things) + bool(other.things)
    words_by, ways_by = bool(one.words) + bool(other.words), bool(one.ways) + bool(other.ways)
    ways = ways_by == 2 and _ways_alike(one.ways, other.ways)
    ways_apart = ways_by == 2 and not ways and _ways_apart(one.ways, other.ways)
    things_apart = things_by == 2 and not things
    wanted_apart = wanted_by == 2 and not wanted
    grams = (
        2 * (one.grams & other.grams).bit_count() / ((one.grams.bit_count() + other.grams.bit_count()) or 1)
    )
    least = min(len(one.meaning), len(other.meaning))
    return (
        wanted,
        wanted_apart,
        wanted_by == 1,
        wanted_by == 0,
        ways,
        ways_apart,
        ways_by == 1,
        things,
        things_apart,
        things_by == 1,
        things_by == 0,
        words,
        words_by == 2 and not words,
        words_by == 1,
        words_by == 0,
        meaning,
        len(one.meaning & other.meaning) / least if least else 0.0,
        grams,
        ways_apart and grams,
        things_apart and grams,
        wanted_apart and grams,
        one.yes_no != other.yes_no,
        one.yes_no and other.yes_no,
        things_apart and wanted,
        wanted * things,
        ways_apart and wanted,
        things_by < 2 and wanted,
        wanted_by < 2 and meaning,
    )


def alike_wanted(one: frozenset[str], other: frozenset[str]) -> float:
    """How alike what is asked is: the better half of the shared, near words counted in part."""
    if not one or not other:
        return 0.0
    if not one.isdisjoint(other):
        return _dice(one, other)
    return max([_NEAR.get((a, b), 0.0) for a in one for b in other])


_SAME_END: Final = {("start", "leave"), ("leave", "start"), ("finish", "arrive"), ("arrive", "finish")}
_OTHER_END: Final = {("start", "finish"), ("finish", "start"), ("leave", "arrive"), ("arrive", "leave")}


def _ways_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return not one.isdisjoint(other) or any((a, b) in _SAME_END for a in one for b in other)


def _ways_apart(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two questions are about two ends; that one leaves says nothing of which end of a stay it is."""
    return any((a, b) in _OTHER_END for a in one for b in other)
