"""BM25: how well a message fits what is looked for, by the statistics of its own conversation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log

K1 = 1.5
B = 0.75
"""BM25's usual constants (Robertson and Zaragoza 2009, The Probabilistic Relevance Framework)."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """What BM25 needs to know of a whole conversation.

    Attributes:
        messages: how many there are.
        length: the words of a message with its neighbours', in the mean.
        having: for each word that is looked for, how many messages have it, their neighbours' words included.
    """

    messages: int
    length: float
    having: Mapping[str, int]

    def weight(self, word: str) -> float:
        """How much a word tells: the rarer it is, the more (BM25's inverse document frequency)."""
        having = min(self.having.get(word, 0), self.messages)
        return log(1 + (self.messages - having + 0.5) / (having + 0.5))


def score(counts: Iterable[tuple[str, int]], length: int, statistics: Statistics) -> float:
    """BM25 of one message.

    Args:
        counts: the words that are looked for and stand in it, and how often.
        length: all words of it.
        statistics: of its conversation.
    """
    norm = K1 * (1 - B + B * length / max(statistics.length, 1.0))
    return sum(statistics.weight(word) * often * (K1 + 1) / (often + norm) for word, often in counts if often)
