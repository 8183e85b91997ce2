"""A text as it counts when words are compared, with the way back to what was written; and its sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple


def word_set(words: str) -> frozenset[str]:
    """The words of a table that is written as one text."""
    return frozenset(words.split())


_UNIFIED: Final = {
    **dict.fromkeys("‘’‚‛′´`ʼ＇", "'"),
    **dict.fromkeys("“”„‟″«»「」『』＂", '"'),
    **dict.fromkeys("‐‑‒–—―−－", "-"),
}


@lru_cache(maxsize=4096)
def _fold_char(char: str) -> str:
    """How one character counts when words are compared: compatibility form, decomposed, without case."""
    category = unicodedata.category(char)
    if char.isspace() or category in {"Cc", "Zs", "Zl", "Zp"}:
        return " "
    if category == "Cf":
        return ""
    if char in _UNIFIED:
        return _UNIFIED[char]
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    return "".join(_UNIFIED.get(part, part) for part in folded if not part.isspace()) or " "


class Span(NamedTuple):
    """Code points `start` to `end` of a text, the last not included."""

    start: int
    end: int

    def meets(self, other: Span) -> bool:
        """Whether they share a code point."""
        return self.start < other.end and other.start < self.end


class Folded:
    """A text as it counts when words are compared (NFKC, case, blanks, quotes and dashes), with the way back.

    It is kept decomposed, character by character, so that every offset leads to the original code point; two texts are
    equal in this form exactly when their composed forms are.

    Attributes:
        text: the folded text.
    """

    def __init__(self, text: str) -> None:
        pieces: list[str] = []
        self._at: list[int] = []
        for index, char in enumerate(text):
            folded = _fold_char(char)
            if folded == " " and (not pieces or pieces[-1] == " "):
                continue
            if folded:
                pieces.append(folded)
                self._at += [index] * len(folded)
        self.text = "".join(pieces)
        self._at.append(len(text))
        self._source = text

    def occurrences(self, words: str) -> Iterator[Span]:
        """Where `words` stand whole, as spans of the original text."""
        needle = fold(words)
        start = self.text.find(needle) if needle else -1
        while start >= 0:
            end = start + len(needle)
            if self._whole(start, end):
                yield Span(self._at[start], self._at[end - 1] + 1)
            start = self.text.find(needle, start + 1)

    def _whole(self, start: int, end: int) -> bool:
        """Whether a match cuts no word, number or character in two."""
        text, at = self.text, self._at
        cut_before = start > 0 and (
            at[start - 1] == at[start] or (_inner(text[start - 1]) and _inner(text[start]))
        )
        cut_after = end < len(text) and (
            at[end] == at[end - 1]
            or unicodedata.combining(text[end]) > 0
            or (_inner(text[end]) and _inner(text[end - 1]))
        )
        return not (cut_before or cut_after)


def _inner(char: str) -> bool:
    """Whether a word goes on through this character; scripts without blanks between words have no such place."""
    return char.isalnum() and unicodedata.category(char) != "Lo"


def fold(text: str) -> str:
    """`text` as it counts when words are compared, without blanks at its ends."""
    return Folded(text).text.strip()


def words_of(option: str) -> str:
    """The words of an option that may be spelled as a name: `NEXT_DAY` is "next day"."""
    return fold(re.sub(r"[_\s-]+", " ", option))


_SENTENCE_END: Final = re.compile(
    r"(?<=[.!?؟])(?<!\b(?:St|Dr|Mr|Ms|No|Rd|Ln)\.)(?<!\b(?:Ave|Apt|Mrs|Ste|Str)\.)\s+|(?<=[。！？])|\n+"
)


def sentences(text: str) -> Iterator[Span]:
    """The sentences of a text, without the blanks around them."""
    start = 0
    for end in (*_SENTENCE_END.finditer(text), None):
        piece = text[start : end.start() if end else len(text)]
        if piece.strip():
            begin = start + len(piece) - len(piece.lstrip())
            yield Span(begin, begin + len(piece.strip()))
        start = end.end() if end else start


EDGES: Final = " \t\n.,;:!?…\"'“”‘’«»"
