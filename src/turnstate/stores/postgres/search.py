"""The turns in which words were said: looked for span by span, from the newest back, as far as they are needed.

A span's words have names of their own in the index. So what a frequent word costs does not grow with the conversation, and
a rare one costs one more look for each span.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from turnstate.stores.postgres.courier import Ask
from turnstate.stores.postgres.reads import asked, bounded
from turnstate.stores.postgres.rows import SPAN, Row, indexed, word_of
from turnstate.stores.searched import newest

_WIDEST = 8
"""Spans that are looked through at once: what a word that was frequent long ago costs."""


class Search:
    """One search, which asks until it knows enough.

    Args:
        conversation: its number.
        words: what is looked for.
        before: the first turn that is not searched.
        most: the newest so many turns of each word are enough; None for all.
    """

    def __init__(self, conversation: UUID, words: Sequence[str], before: int, most: int | None) -> None:
        self._conversation = conversation
        self._words = {word: word_of(conversation, word) for word in words if word}
        self._asked = tuple(words)
        self._before = bounded(before)
        self._most = most
        self._found: dict[int, set[int]] = {}

    def asks(self, last: int) -> Iterator[Ask[None]]:
        """The statements to be run, one after the other.

        Args:
            last: the newest turn of the conversation.
        """
        top = min(self._before - 1, last) // SPAN
        width = top + 1 if self._most is None else 1
        while top >= 0 and (names := self._lacking()):
            spans = range(max(0, top - width + 1), top + 1)
            yield self._ask({indexed(name, span): name for span in spans for name in names})
            top, width = spans.start - 1, min(2 * width, _WIDEST)

    def result(self) -> Mapping[str, tuple[int, ...]]:
        """Every word that was asked for, with its turns in order."""
        found = {word: sorted(self._found.get(name, ())) for word, name in self._words.items()}
        return {word: newest(found.get(word, ()), self._most) for word in self._asked}

    def _lacking(self) -> set[int]:
        """The words of which there may be more turns than were found."""
        most = self._most
        return {
            name for name in self._words.values() if most is None or len(self._found.get(name, ())) < most
        }

    def _ask(self, names: Mapping[int, int]) -> Ask[None]:
        def found(rows: list[Row]) -> None:
            for word, turns in rows:
                self._found.setdefault(names[word], set()).update(turns)

        question = asked(
            "search_words", conversation=self._conversation, words=sorted(names), before=self._before
        )
        return Ask(question.query, question.values, found, reads=True)
