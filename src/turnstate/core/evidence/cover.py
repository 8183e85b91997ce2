"""Whether a text has a word of a question: itself, another form of it, or a word that means the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from turnstate.core.evidence.clusters import CLUSTERS, ZH_CLUSTERS, same
from turnstate.core.evidence.lexicon import ZH_LIGHT, ZH_SOFT, Language
from turnstate.core.evidence.roots import bare, number, root
from turnstate.core.evidence.terms import HAN_RUN, TOKEN, Term, arabic, rephrased

_LIGHT: Final = "".join(sorted(ZH_LIGHT))
_LIGHTS: Final = re.compile(f"[{_LIGHT}]+")


@dataclass(frozen=True, slots=True)
class Text:
    """A text as words, ready to be compared.

    Attributes:
        text: as it stands.
        folded: folded, for unspaced scripts.
        words: folded and bare.
        roots: of the words, for each language that is asked in.
        numbers: its numbers.
    """

    text: str
    folded: str
    words: frozenset[str]
    roots: frozenset[str]
    numbers: frozenset[str]


def read(text: str, spoken: Language) -> Text:
    """A text as words."""
    shown = arabic(rephrased(text))
    tokens = TOKEN.findall(shown)
    words = frozenset(bare(re.sub(r"['’]s$", "", token)) for token in tokens if not HAN_RUN.fullmatch(token))
    return Text(
        shown,
        "".join(shown.casefold().split()),
        words,
        frozenset(root(word, spoken) for word in words),
        frozenset(digits for token in tokens if (digits := number(token))),
    )


def has(text: Text, term: Term, spoken: Language) -> bool:
    """Whether a text has a word of a question."""
    if term.root.isdigit() or number(term.text):
        return term.root in text.numbers and _of_unit(text, term, spoken)
    if term.weight == "exact":
        return _exact(text, term.root) or _cluster(text.roots, term.root, spoken)
    if HAN_RUN.fullmatch(term.text):
        return _han(text.folded, term.text)
    if term.root in text.roots or _cluster(text.roots, term.root, spoken):
        return True
    return spoken == "de" and _compound(text, term, spoken)


def _of_unit(text: Text, term: Term, spoken: Language) -> bool:
    """Whether a number stands before what it is a number of in the question."""
    if not term.unit:
        return True
    tokens = TOKEN.findall(text.text)
    for place, token in enumerate(tokens):
        if number(token) == term.root:
            after = tokens[place + 1 : place + 3]
            if any(
                one[:1] == term.unit
                if HAN_RUN.fullmatch(one)
                else same(root(bare(one), spoken), term.unit, spoken)
                for one in after
            ):
                return True
    return False


def _exact(text: Text, word: str) -> bool:
    return word in text.words or word.removesuffix("s") in text.words or f"{word}s" in text.words


def _cluster(roots: frozenset[str], word: str, spoken: Language) -> bool:
    table = CLUSTERS[spoken]
    number = table.get(word)
    return number is not None and any(table.get(other) == number for other in roots)


def _compound(text: Text, term: Term, spoken: Language) -> bool:
    """Whether a German word stands within a longer one, or is made of parts that all stand there."""
    if len(term.root) >= 4 and any(
        word != term.root and (word.startswith(term.root) or root(word, spoken).endswith(term.root))
        for word in text.words
        if len(word) > len(term.root) + 2
    ):
        return True
    word = bare(term.text)
    return any(
        _part(text, head, spoken) and _part(text, word[cut:], spoken)
        for cut in range(4, len(word) - 3)
        for head in {word[:cut], word[:cut].removesuffix("s"), word[:cut].removesuffix("n")}
        if len(head) >= 4
    )


def _part(text: Text, part: str, spoken: Language) -> bool:
    found = root(part, spoken)
    if len(found) < 4 and part not in text.words:
        return False
    return (
        found in text.roots
        or _cluster(text.roots, found, spoken)
        or (
            len(found) >= 5
            and any(word.startswith(found) or root(word, spoken).endswith(found) for word in text.words)
        )
    )


def _han(folded: str, word: str) -> bool:
    """Whether every sign of a run stands in the text within a piece of two or more, or by a word that means the same."""
    return not uncovered(folded, word)


RUN: Final = 80
"""Signs without a blank that are compared; a longer run is nothing that anybody asks."""


def uncovered(folded: str, word: str) -> str:
    """The signs of a run that the text has not, in pieces of two or more signs, or by a word that means the same."""
    if len(word) > RUN:
        return word
    covered = [False] * len(word)
    for start in range(len(word)):
        for end in range(len(word), start + 1, -1):
            if word[start:end] in folded:
                covered[start:end] = [True] * (end - start)
                break
    for cluster in ZH_CLUSTERS:
        if any(other in folded for other in cluster):
            for other in cluster:
                for found in re.finditer(re.escape(other), word):
                    covered[found.start() : found.end()] = [True] * len(other)
    left = "".join(" " if there else sign for sign, there in zip(word, covered, strict=True))
    return " ".join(piece for piece in left.split() if not _light(folded, piece))


def _light(folded: str, piece: str) -> bool:
    """Whether what is left of a run says nothing, or is a single sign that stands in the text by itself too."""
    bare_piece = piece.strip(_LIGHT)
    if len(bare_piece) <= 1 or bare_piece in ZH_SOFT:
        return bare_piece in folded or bare_piece in ZH_SOFT
    return all(part in ZH_SOFT for part in _LIGHTS.sub(" ", bare_piece).split())
