"""Whether a message needs anything that was said before: recall is silent unless it does.

The bar was set on five of the ten conversations of LoCoMo (Maharana et al. 2024) and checked on the other five: of the
questions about what was said long ago about 97 % pass, of the users' ordinary messages, questions among them, about a
quarter; these may have less.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, TypeAlias

from turnstate.core.search.bm25 import Statistics
from turnstate.core.search.words import asked_words

Look: TypeAlias = Callable[[Sequence[str]], tuple[set[str], Statistics] | None]
"""How a search is asked what fits best."""

BAR: Final = 3.25
"""How much of a sentence's words must have been said before, as the sum of their weights: about one rare word, or two
less rare ones."""

PLAIN: Final = 9.0
"""How much of its words must have been said before for a sentence to ask plainly: then it may have all there is room for."""

LITTLE: Final = 0.2
"""What share of that a sentence may have which asks for hardly anything."""

_SENTENCE: Final = re.compile(r"(?<=[.!?。！？؟])\s*(?=\S)|\n+")
_QUESTION: Final = re.compile(r"[?？؟]\W*$")
_CUE: Final = re.compile(
    r"\b(?:remind|remember|recall|earlier|previous(?:ly)?|last time|my usual|the usual|"
    r"as (?:i|we|you) (?:said|told|discussed|agreed|mentioned)|(?:i|you|we) (?:said|told|mentioned|agreed|talked|discussed|asked|"
    r"promised)|what (?:was|were)|when (?:was|did)|where (?:was|did)|who (?:was|did))\b",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(r"\d[\w-]*\d|[^\W\d]-?\d{2,}")


def sentences(message: str) -> Iterator[str]:
    """The sentences of a message that may ask for something: questions, and those that point back or name an id."""
    for sentence in _SENTENCE.split(message):
        if _QUESTION.search(sentence) or _CUE.search(sentence) or _NAMED.search(sentence):
            yield sentence


def need(message: str, look: Look) -> float:
    """How much `message` needs of what was said earlier: 0 for nothing, up to 1.

    Args:
        message: what the user says now.
        look: gives, for the words of a sentence, those of the message that fits them best, its neighbours' included, and
            the statistics of the conversation; None where nothing has any of them.
    """
    return max((_asks(sentence, look) for sentence in sentences(message)), default=0.0)


def _asks(sentence: str, look: Look) -> float:
    asked = asked_words(sentence)
    found = look(asked)
    if found is None:
        return 0.0
    there, statistics = found
    if _QUESTION.search(sentence) or _CUE.search(sentence):
        weight = _weight(asked, there, statistics)
        return 0.0 if weight < BAR else max(LITTLE, min(1.0, (weight - BAR) / (PLAIN - BAR)))
    # A statement points back only by a name that was said before: an order number, a reference.
    named = any(len(word) > 3 and _NAMED.search(word) and word in there for word in asked)
    return LITTLE if named else 0.0


def _weight(asked: Sequence[str], there: Collection[str], statistics: Statistics) -> float:
    return sum(statistics.weight(word) for word in asked if word in there)
