"""Whether the evidence answers a message: each thing it asks, and what is lacking. It would rather refuse than invent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Final, TypeAlias

from turnstate.core.evidence.asking import AskedPart, asked_parts
from turnstate.core.evidence.cover import has, read, uncovered
from turnstate.core.evidence.kinds import Wanted, gives
from turnstate.core.evidence.lexicon import Language
from turnstate.core.evidence.terms import Demand, Term, demand
from turnstate.core.evidence.types import Evidence, Grounding, Level, Part
from turnstate.core.evidence.windows import headings, lacking, subject, windows
from turnstate.core.search import Statistics, words

Covers: TypeAlias = Callable[[AskedPart, Evidence], bool]
"""Whether a passage answers a part of a message."""

SHOWN: Final = 3
"""Passages that are named as the evidence for a part."""

COMMON: Final = 0.85
"""A word in more than this share of all passages need not stand in the one that answers."""

LEAST: Final = 8
"""Passages below which nothing is common."""

APART: Final = 300
"""Characters of a question that is looked at as one about two things."""

READ: Final = 20_000
"""Characters of a passage that are looked through."""

_PAIR: Final = re.compile(
    r"\b([A-Z][\w.+-]*(?: [A-Z0-9][\w.+-]*){0,2})(?:,? (?:and|or|und|oder|sowie) | ?[和与或跟、] ?)([A-Z][\w.+-]*(?: [A-Z0-9][\w.+-]*){0,2})"
)


def ground(
    message: str,
    evidence: Sequence[Evidence],
    *,
    statistics: Statistics | None = None,
    covers: Covers | None = None,
) -> Grounding:
    """How much of what `message` asks the evidence answers.

    A passage answers a part if the words that carry the part stand close together in it or in its title, every name and
    number exactly, and if it has the kind of thing that is asked for. No evidence is MISSING, and so is a `covers` that fails.

    Args:
        message: in the user's words.
        evidence: what was found, the best first.
        statistics: how common words are in the whole knowledge base, where that is known.
        covers: decides instead of the rules whether a passage answers a part.
    """
    asked = asked_parts(message)
    rule = covers or Rules(statistics)
    try:
        parts = tuple(part for one in asked for part in _judged(one, evidence, rule, apart=covers is None))
    except Exception as error:  # noqa: BLE001  # an evaluator may raise anything, and what it did not judge is missing
        return unjudged(message, f"{type(error).__name__}: {error}")
    return _grounding(parts)


def unjudged(message: str, problem: str) -> Grounding:
    """The grounding of a message that could not be judged: all that it asks is missing.

    Args:
        message: in the user's words.
        problem: why it could not be judged.
    """
    parts = tuple(Part(one.question) for one in asked_parts(message))
    whole = parts or (Part(message.strip()),)
    return Grounding(Level.MISSING, whole, _gap(whole), problem)


_LISTED: Final = re.compile("、")


class Rules:
    """Whether a passage answers a part, by its words.

    Args:
        statistics: of the knowledge base, or None.
    """

    def __init__(self, statistics: Statistics | None = None) -> None:
        self._statistics = statistics

    def __call__(self, part: AskedPart, evidence: Evidence) -> bool:
        """Whether `evidence` answers `part`."""
        wants = demand(part.question)
        needs = wants.terms
        if part.about:
            needs = _joined(needs, demand(part.about).terms)
        if not needs or (part.points and not part.about and sum(term.weight != "soft" for term in needs) < 2):
            return False
        title = read(headings(evidence.title), wants.language)
        book = read(evidence.title, wants.language)
        return any(
            self._enough(
                wants, needs, lacking(read(window, wants.language), title, book, needs, wants.language)
            )
            and gives(window, wants.wanted, part.question, wants.language)
            and _is_of(window, needs, wants.language)
            for window in windows(evidence.text[:READ], wants)
        )

    def _enough(self, wants: Demand, needs: Sequence[Term], lacks: Sequence[Term]) -> bool:
        hard = [term for term in needs if term.weight != "soft"]
        if any(term.weight != "soft" and not self._common(term) for term in lacks):
            return False
        if not hard or wants.wanted is Wanted.WHO:  # who does a thing is told by the verb alone
            return not lacks
        return len(lacks) <= 2 * (len(needs) - len(lacks))

    def _common(self, term: Term) -> bool:
        """Whether a word stands everywhere, as the name of the product does."""
        known = self._statistics
        if known is None or known.messages < LEAST:
            return False
        having = [known.having.get(word, 0) for word in words(term.text)]
        return bool(having) and min(having) > COMMON * known.messages


def _is_of(window: str, needs: Sequence[Term], spoken: Language) -> bool:
    """Whether a record is of something that the question names: a bag that fits a bicycle says nothing of the bicycle."""
    named = subject(window)
    if not named:
        return True
    text = read(named, spoken)
    return any(has(text, term, spoken) for term in needs if term.weight != "soft")


def _joined(own: Sequence[Term], about: Sequence[Term]) -> tuple[Term, ...]:
    roots = {term.root for term in own}
    return (*own, *(term for term in about if term.root not in roots and term.weight != "soft"))


def _judged(part: AskedPart, evidence: Sequence[Evidence], covers: Covers, *, apart: bool) -> list[Part]:
    """A part with its evidence; of two things that are asked for together, each by itself where only one is there."""
    found = _covering(part, evidence, covers)
    if found or not apart:
        return [Part(part.question, found)]
    for alone in _apart(part, evidence):
        judged = [
            Part(one, _covering(AskedPart(one, part.about, part.points), evidence, covers)) for one in alone
        ]
        if any(one.evidence for one in judged):
            return judged
    return [Part(part.question)]


def _covering(part: AskedPart, evidence: Sequence[Evidence], covers: Covers) -> tuple[str, ...]:
    return tuple(one.id for one in evidence if covers(part, one))[:SHOWN]


def _apart(part: AskedPart, evidence: Sequence[Evidence]) -> Iterator[tuple[str, str]]:
    """The two questions that a question about two things may be."""
    question = part.question
    if len(question) > APART:
        return
    for pair in _PAIR.finditer(question):
        before, after = question[: pair.start()], question[pair.end() :]
        yield f"{before}{pair[1]}{after}", f"{before}{pair[2]}{after}"
    wants = demand(question)
    if wants.language == "zh" and _LISTED.search(question):
        # What one passage lacks of a run of signs is a word by itself, if a list divides it from the rest.
        for term, one in product(wants.terms, evidence):
            lacks = re.escape(uncovered(read(f"{one.title} {one.text}", "zh").folded, term.text))
            if found := re.search(rf"({lacks})、|、({lacks})", question) if lacks else None:
                yield question.replace(found[0], "", 1), found[1] or found[2]


def _grounding(parts: tuple[Part, ...]) -> Grounding:
    answered = sum(bool(part.evidence) for part in parts)
    if answered == len(parts):
        return Grounding(Level.ACCURATE, parts)
    return Grounding(Level.PARTIAL if answered else Level.MISSING, parts, _gap(parts))


def _gap(parts: Sequence[Part]) -> str:
    return "; ".join(part.question.strip() for part in parts if not part.evidence)


__all__ = ["Covers", "Demand", "Rules", "ground", "unjudged"]
