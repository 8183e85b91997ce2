"""A text that is read for one key after another, and what is found in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from turnstate.core.facts import Key, Scalar, Span, sentences
from turnstate.core.values import Value, find


class Find(NamedTuple):
    """A value for a key as it stands in a text, and the phrase that says so."""

    value: Scalar
    span: Span
    quote: Span


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is read for one key after another.

    Attributes:
        words: the text, what is not the speaker's own blanked out.
        yours: whether it is the assistant's question, read for what a yes confirms.
        alone: the keys whose shape no other key has.
        sentences: its sentences.
        values: its exact values.
    """

    words: str
    yours: bool
    alone: frozenset[str]
    sentences: tuple[Span, ...]
    values: tuple[Value, ...]

    @property
    def mine(self) -> str:
        """The words for what is the user's."""
        return "your" if self.yours else "my|our"

    def sentence_at(self, place: int) -> Span:
        """The sentence around a code point."""
        index = bisect_right(self.sentences, (place, len(self.words) + 1)) - 1
        return self.sentences[index] if index >= 0 else Span(0, len(self.words))


def text_of(words: str, alone: frozenset[str], *, yours: bool) -> Text:
    """The text of these words; see the attributes of `Text`."""
    return Text(words, yours, alone, tuple(sentences(words)), find(words))


MOST: Final = 50  # finds for one key: a message that has more is a list of something else
Recogniser: TypeAlias = Callable[[Key, Text], Iterator[Find]]


@lru_cache(maxsize=4096)
def compiled(pattern: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """A pattern made from the name of a key, compiled once."""
    return re.compile(pattern, flags)
