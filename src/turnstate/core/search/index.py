"""BM25 over the messages of one conversation, each found by its neighbours' words too.

A message is short, and what it is about is often said in the one before it. Each is therefore indexed together with its
neighbours' words, its own counted twice.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from turnstate.core.search.bm25 import Statistics, score
from turnstate.core.search.need import need
from turnstate.core.search.passages import READ, passage_of
from turnstate.core.search.words import asked_words, words

OWN = 2
"""How often a message's own words count; a neighbour's count once."""


@dataclass(frozen=True, slots=True)
class Said:
    """One message.

    Attributes:
        turn: its turn.
        at: when it was said, in microseconds since the epoch.
        speaker: "user", "assistant" or "tool".
        text: its words.
    """

    turn: int
    at: int
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A message that was found, or the passage of it that was looked for.

    Attributes:
        turn: its turn.
        at: when it was said, in microseconds since the epoch.
        speaker: "user", "assistant" or "tool".
        text: its words.
        score: BM25; higher is better.
    """

    turn: int
    at: int
    speaker: str
    text: str
    score: float


class Index:
    """The messages of one conversation in the order in which they were said, or stretches of them."""

    def __init__(self) -> None:
        self._said: list[Said] = []
        self._turns: list[int] = []
        self._counts: list[Counter[str]] = []
        self._lengths: list[int] = []
        self._places: dict[str, list[int]] = {}
        self._starts: set[int] = {0}

    def __len__(self) -> int:
        return len(self._said)

    def add(self, said: Said, *, follows: bool = True) -> None:
        """Add the next message; turns never run backwards. One without words is left out.

        Args:
            said: the message.
            follows: whether it stood directly behind the one that was added before it.
        """
        counts = Counter(words(said.text[:READ]))
        if not counts:
            return
        if not follows:
            self._starts.add(len(self._said))
        for word in counts:
            self._places.setdefault(word, []).append(len(self._said))
        self._said.append(said)
        self._turns.append(said.turn)
        self._counts.append(counts)
        self._lengths.append(counts.total())

    def find(
        self,
        query: str,
        *,
        before: int,
        tokens: int,
        measure: Callable[[str], int],
        asked: bool = False,
        statistics: Statistics | None = None,
    ) -> tuple[Hit, ...]:
        """What was said before turn `before` that `query` needs, the best first; nothing where it needs nothing.

        Args:
            query: what the user says now.
            before: only turns before this one are searched.
            tokens: the most that all of it may have.
            measure: how many tokens a text has.
            asked: whether it was asked for, so that whatever fits best is an answer.
            statistics: of the whole conversation, where this holds a part of it.
        """
        much = 1.0 if asked else need(query, lambda words: self._found(words, before, statistics))
        if not much:
            return ()
        wanted = asked_words(query)
        ranked, _ = self.ranked(wanted, before, statistics)
        return filled(self, ranked, wanted, round(tokens * much), measure)

    def ranked(
        self, asked: Sequence[str], before: int, statistics: Statistics | None = None
    ) -> tuple[list[tuple[float, int]], Statistics]:
        """The messages of turns before `before` that have any of the words, the best first, as (score, place)."""
        end = bisect_left(self._turns, before)
        near = {word: self._near(word, end) for word in asked}
        if statistics is None:
            having = {word: len(places) for word, places in near.items()}
            statistics = Statistics(end, 4 * sum(self._lengths[:end]) / end if end else 0.0, having)
        found: dict[int, list[tuple[str, int]]] = {}
        for word, places in near.items():
            for place, often in places.items():
                found.setdefault(place, []).append((word, often))
        ranked = [
            (score(counts, self._length(place, end), statistics), place) for place, counts in found.items()
        ]
        # Of two that fit alike the later one was said with more knowledge.
        return sorted(ranked, key=lambda pair: (-pair[0], -pair[1])), statistics

    def said(self, place: int) -> Said:
        """The message at a place."""
        return self._said[place]

    def around(self, place: int, before: int) -> set[str]:
        """The words of a message and of its neighbours in turns before `before`."""
        there = set(self._counts[place])
        for other in self._neighbours(place, bisect_left(self._turns, before)):
            there.update(self._counts[other])
        return there

    def _found(
        self, asked: Sequence[str], before: int, statistics: Statistics | None
    ) -> tuple[set[str], Statistics] | None:
        ranked, own = self.ranked(asked, before, statistics)
        return (self.around(ranked[0][1], before), own) if ranked else None

    @property
    def length(self) -> float:
        """The words of a message with its neighbours', in the mean."""
        return 4 * sum(self._lengths) / len(self._lengths) if self._lengths else 0.0

    def _neighbours(self, place: int, end: int) -> Iterator[int]:
        if place not in self._starts:
            yield place - 1
        if place + 1 < end and place + 1 not in self._starts:
            yield place + 1

    def _near(self, word: str, end: int) -> dict[int, int]:
        """How often a word counts for each message before `end`: its own twice, its neighbours' once."""
        near: dict[int, int] = {}
        for place in self._places.get(word, ()):
            if place >= end:
                break
            often = self._counts[place][word]
            near[place] = near.get(place, 0) + OWN * often
            for other in self._neighbours(place, end):
                near[other] = near.get(other, 0) + often
        return near

    def _length(self, place: int, end: int) -> int:
        return OWN * self._lengths[place] + sum(
            self._lengths[other] for other in self._neighbours(place, end)
        )


def filled(
    index: Index,
    ranked: Sequence[tuple[float, int]],
    asked: Sequence[str],
    tokens: int,
    measure: Callable[[str], int],
) -> tuple[Hit, ...]:
    """The best of what was found that fits in `tokens`, the best first; of a long message the passage that has the words.

    Args:
        index: where it was found.
        ranked: as from `Index.ranked`.
        asked: the words that are looked for.
        tokens: the most that all of it may have.
        measure: how many tokens a text has.
    """
    hits: list[Hit] = []
    left = tokens
    floor = FLOOR * ranked[0][0] if ranked else 0.0
    for value, place in ranked:
        if value < floor:
            break
        said = index.said(place)
        text = passage_of(said.text, asked, LINE) if len(said.text) > LINE else said.text
        size = measure(text) + FRAME
        if size > left:
            if left < LEAST:
                break
            continue
        hits.append(Hit(said.turn, said.at, said.speaker, text, value))
        left -= size
    return tuple(hits)


FLOOR = 0.35
"""What scores less than this share of the best is not worth its tokens."""

LINE = 400
"""Characters of one message that are quoted; of a longer one the passage with the words that are looked for."""

FRAME = 7
"""Tokens around a quote: its turn, day and speaker."""

LEAST = 24
"""Tokens below which nothing more is tried to fit."""
