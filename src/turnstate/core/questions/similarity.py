"""How alike two questions are: the same thing asked in other words, without a model.

A logistic regression over some twenty figures of two profiles. Its weights were fitted on questions of STAR (MIT) and
MultiWOZ (MIT) alone; `benchmarks/questions.py` fits them and measures them on questions of other services.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from turnstate.core.questions.profile import Profile, profile
from turnstate.core.questions.weights import BIAS, SAME, WEIGHTS

__all__ = ["FEATURES", "SAME", "features", "similarity"]

_NEAR: Final = {
    frozenset(pair): worth
    for pair, worth in (
        (("when", "date"), 0.8), (("when", "time"), 0.8), (("place", "address"), 0.6), (("price", "amount"), 0.7), (("name", "who"), 0.7),
        (("id", "code"), 0.5), (("timeline", "date"), 0.7), (("timeline", "when"), 0.8), (("howlong", "timeline"), 0.5), (("kind", "name"), 0.2),
        (("authority", "who"), 0.6), (("details", "problem"), 0.4), (("name", "company"), 0.4), (("kind", "industry"), 0.4), (("place", "name"), 0.2),
    )
}  # fmt: skip
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
    total = BIAS + sum(weight * value for weight, value in zip(WEIGHTS, features(first, second), strict=True))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


FEATURES: Final = (
    "wanted alike", "wanted apart", "wanted unsaid by one", "wanted unsaid", "ways alike", "ways apart", "way unsaid by one", "things alike", "things apart",
    "thing unsaid by one", "things unsaid", "words alike", "words apart", "word unsaid by one", "words unsaid", "meaning alike", "meaning contained", "grams alike",
    "one yes or no", "both yes or no", "wanted alike, things apart", "wanted alike, things alike", "wanted alike, ways apart", "wanted alike, things not said twice",
    "wanted not said twice, meaning alike",
)  # fmt: skip
"""What each figure of `features` is."""


@lru_cache(maxsize=65_536)
def _dice(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0


def features(one: Profile, other: Profile) -> tuple[float, ...]:
    """The figures of two profiles that are weighed, the same for (a, b) and (b, a)."""
    wanted = _wanted_alike(one.wanted, other.wanted)
    wanted_both, wanted_none = bool(one.wanted and other.wanted), not (one.wanted or other.wanted)
    things = _dice(one.things, other.things)
    things_both, things_none = bool(one.things and other.things), not (one.things or other.things)
    words = _dice(one.words, other.words)
    words_both, words_none = bool(one.words and other.words), not (one.words or other.words)
    ways_apart = bool(one.ways and other.ways and not one.ways & other.ways)
    meaning = _dice(one.meaning, other.meaning)
    least = min(len(one.meaning), len(other.meaning))
    return (
        wanted,
        float(wanted_both and not wanted),
        float(bool(one.wanted) != bool(other.wanted)),
        float(wanted_none),
        float(bool(one.ways & other.ways)),
        float(ways_apart),
        float(bool(one.ways) != bool(other.ways)),
        things,
        float(things_both and not things),
        float(not things_both and not things_none),
        float(things_none),
        words,
        float(words_both and not words),
        float(not words_both and not words_none),
        float(words_none),
        meaning,
        len(one.meaning & other.meaning) / least if least else 0.0,
        _dice(one.grams, other.grams),
        float(one.yes_no != other.yes_no),
        float(one.yes_no and other.yes_no),
        wanted * (things_both and not things),
        wanted * things,
        wanted * ways_apart,
        wanted * (not things_both),
        (not wanted_both) * meaning,
    )


def _wanted_alike(one: frozenset[str], other: frozenset[str]) -> float:
    """How alike what is asked is: the better half of the shared, near words counted in part."""
    if not one or not other:
        return 0.0
    if one & other:
        return _dice(one, other)
    return max(_NEAR.get(frozenset((a, b)), 0.0) for a in one for b in other)
