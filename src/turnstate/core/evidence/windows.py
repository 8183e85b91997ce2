"""The stretches of a passage that may answer a question, and what its title and its form say of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from turnstate.core.evidence.cover import Text, has
from turnstate.core.evidence.kinds import Wanted
from turnstate.core.evidence.lexicon import Language
from turnstate.core.evidence.roots import number
from turnstate.core.evidence.terms import Demand, Term
from turnstate.core.evidence.types import JOINT

_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])\s*|\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)")
ALONE: Final = frozenset(
    {Wanted.PRICE, Wanted.COUNT, Wanted.DURATION, Wanted.WHEN, Wanted.OFTEN, Wanted.SHARE}
)
"""Kinds of answers that stand in one sentence with what they are about."""

WINDOW: Final = 2
"""Sentences that answer a question together; one, where the question has a number in it."""


def windows(text: str, wants: Demand) -> Iterator[str]:
    """The stretches of a text that may answer a question: each sentence with the next."""
    sentences = [sentence for sentence in _SENTENCE.split(text) if sentence.strip()]
    size = 1 if wants.wanted in ALONE or any(number(term.text) for term in wants.terms) else WINDOW
    for place in range(max(1, len(sentences) - size + 1)):
        yield " ".join(sentences[place : place + size])


def headings(title: str) -> str:
    """A title without the document's own, which stands above everything and says nothing of a passage."""
    document, joint, rest = title.partition(JOINT)
    return rest if joint else document


_RECORD: Final = re.compile(r"[^:\n;]{1,60}: [^\n;]+(?:(?:\n|; )[^:\n;]{1,60}: [^\n;]+)+")


def subject(text: str) -> str:
    """The first value of a record, which says what the record is of; "" for other texts."""
    return re.split(r"\n|; ", text.strip())[0].partition(": ")[2] if _RECORD.fullmatch(text.strip()) else ""


def lacking(text: Text, title: Text, book: Text, needs: Sequence[Term], spoken: Language) -> tuple[Term, ...]:
    """The words of a question that a text lacks, and its title too.

    Args:
        text: what may answer.
        title: the headings above it.
        book: the same with the document's title, which counts for names alone.
        needs: the words.
        spoken: the language of the question.
    """
    return tuple(
        term
        for term in needs
        if not has(text, term, spoken)
        and not has(title, term, spoken)
        and not (term.weight == "exact" and has(book, term, spoken))
    )
