"""Whether a text says what a question asks about: every word that carries it, close together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from turnstate.core.evidence.clusters import CLUSTERS, ZH_CLUSTERS
from turnstate.core.evidence.kinds import Wanted, wanted
from turnstate.core.evidence.lexicon import FRAME, SOFT, ZH_FRAME, ZH_LIGHT, ZH_SOFT, Language, language
from turnstate.core.evidence.roots import bare, number, root

Weight: TypeAlias = Literal["exact", "hard", "soft"]

_TOKEN: Final = re.compile(
    r"\d+(?:[.,\u00a0\u202f'’]\d+)*|[^\W\d_\u3040-\u30ff\u3400-\u9fff][^\W_\u3040-\u30ff\u3400-\u9fff]*(?:['’][^\W\d_]+)?|[\u3040-\u30ff\u3400-\u9fff]+"
)
_HAN_RUN: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff]+")
_ZH_NUMBER: Final = re.compile(
    "(?!一[个天日周月年次])([一二两三四五六七八九十]{1,3})(?=[个天日周月年次人元份台种小分位名级点]|工作日)"
)
_ZH_DIGITS: Final = {sign: value for value, sign in enumerate("一二三四五六七八九", start=1)} | {"两": 2}
_PRICE: Final = frozenset(
    {
        "price",
        "prices",
        "pricing",
        "cost",
        "costs",
        "fee",
        "fees",
        "charge",
        "charges",
        "preis",
        "preise",
        "kosten",
        "kostet",
        "gebühr",
        "gebühren",
        "teuer",
        "expensive",
        "pay",
        "zahlen",
        "zahle",
        "bezahlen",
        "hoch",
    }
)
_ZH_LIFE: Final = re.compile("[能可](?:以)?用(?=多|几)")
"""How long a thing can be used is a question of its own, though each of its words says nothing."""

_ZH_PRICE: Final = re.compile("价格|价钱|费用|收费标准|收费|标准|钱|贵|花费|花")


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a question.

    Attributes:
        text: as the user wrote it.
        root: what its forms have in common; the digits of a number.
        weight: "exact" (a name or a number: nothing else will do), "hard" (it or another form of it), "soft" (may be lacking).
    """

    text: str
    root: str
    weight: Weight


@dataclass(frozen=True, slots=True)
class Demand:
    """What an answer to a question has to have.

    Attributes:
        terms: its words, without those that say nothing.
        wanted: the kind of thing that is asked for.
        language: of the question.
    """

    terms: tuple[Term, ...]
    wanted: Wanted | None
    language: Language


def demand(question: str) -> Demand:
    """What an answer to `question` has to have."""
    spoken = language(question)
    kind = wanted(question)
    text = arabic(question)
    if spoken == "zh":
        if kind is Wanted.PRICE:
            text = _ZH_PRICE.sub(" ", text)
        text = ZH_FRAME.sub(" ", _ZH_LIFE.sub("寿命", text))
    found: dict[str, Term] = {}
    for place, token in enumerate(_TOKEN.findall(text)):
        if kind is Wanted.PRICE and token.casefold() in _PRICE:
            continue
        if (term := _term(token, spoken, first=place == 0)) is not None:
            found.setdefault(term.root, term)
    return Demand(tuple(found.values()), kind, spoken)


def _term(token: str, spoken: Language, *, first: bool) -> Term | None:
    if digits := number(token):
        return Term(token, digits, "exact")
    if _HAN_RUN.fullmatch(token):
        bare_run = "".join(sign for sign in token if sign not in ZH_LIGHT)
        if not bare_run:
            return None
        return Term(token, token, "soft" if bare_run in ZH_SOFT or token in ZH_SOFT else "hard")
    word = re.sub(r"['’](?:s|re|ve|ll|d|m|t)$", "", token.casefold())
    if len(word) == 1 and not token.isupper():
        return None
    if _named(token, spoken, first=first):
        return Term(token, bare(word), "exact")
    if word in FRAME[spoken]:
        return None
    soft = word in SOFT[spoken] or root(bare(word), spoken) in _soft_roots(spoken)
    return Term(token, root(bare(word), spoken), "soft" if soft else "hard")


def _named(token: str, spoken: Language, *, first: bool) -> bool:
    """Whether a word is a name: capitals or digits within it, or in English a capital that no sentence put there."""
    inner = any(sign.isupper() or sign.isdigit() for sign in token[1:])
    if inner and len(token) > 1:
        return True
    titled = token[:1].isupper() and len(token) > 2 and not first
    return titled and (spoken == "zh" or (spoken in {"en", ""} and token.casefold() not in FRAME["en"]))


_ROOTS: dict[Language, frozenset[str]] = {}


def _soft_roots(spoken: Language) -> frozenset[str]:
    if spoken not in _ROOTS:
        _ROOTS[spoken] = frozenset(root(bare(word), spoken) for word in SOFT[spoken])
    return _ROOTS[spoken]


def arabic(text: str) -> str:
    """Chinese numerals before a unit as digits: 十四天 is 14天."""

    def digits(found: re.Match[str]) -> str:
        tens, ten, ones = found[1].partition("十")
        if len(tens) > 1 or len(ones) > 1:
            return found[0]
        return str(
            (_ZH_DIGITS.get(tens, 1) * 10 if ten else _ZH_DIGITS.get(tens, 0)) + _ZH_DIGITS.get(ones, 0)
        )

    return _ZH_NUMBER.sub(digits, text)


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
    shown = arabic(text)
    tokens = _TOKEN.findall(shown)
    words = frozenset(bare(re.sub(r"['’]s$", "", token)) for token in tokens if not _HAN_RUN.fullmatch(token))
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
        return term.root in text.numbers
    if term.weight == "exact":
        return _exact(text, term.root)
    if _HAN_RUN.fullmatch(term.text):
        return _han(text.folded, term.text)
    if term.root in text.roots or _cluster(text.roots, term.root, spoken):
        return True
    return spoken == "de" and _compound(text, term, spoken)


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


def uncovered(folded: str, word: str) -> str:
    """The signs of a run that the text has not, in pieces of two or more signs, or by a word that means the same."""
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
    left = "".join(
        " " if there or sign in ZH_LIGHT else sign for sign, there in zip(word, covered, strict=True)
    )
    return " ".join(
        piece for piece in left.split() if piece not in ZH_SOFT and not (len(piece) == 1 and piece in folded)
    )


_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])\s*|\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)")
WINDOW: Final = 2
"""Sentences that answer a question together; one, where the question has a number in it."""


def windows(text: str, wants: Demand) -> Iterator[str]:
    """The stretches of a text that may answer a question: each sentence with the next."""
    sentences = [sentence for sentence in _SENTENCE.split(text) if sentence.strip()]
    size = 1 if any(number(term.text) for term in wants.terms) else WINDOW
    for place in range(max(1, len(sentences) - size + 1)):
        yield " ".join(sentences[place : place + size])


def lacking(text: Text, title: Text, needs: Sequence[Term], spoken: Language) -> tuple[Term, ...]:
    """The words of a question that neither a text nor its title has."""
    return tuple(term for term in needs if not has(text, term, spoken) and not has(title, term, spoken))


def search_words(query: str) -> str:
    """The words of a question that are worth searching for, with those that mean the same.

    Args:
        query: in the user's words.
    """
    spoken = language(query)
    text = ZH_FRAME.sub(" ", query) if spoken == "zh" else query
    kept: list[str] = []
    for token in _TOKEN.findall(text):
        folded = token.casefold()
        if folded in FRAME[spoken] and not _named(token, spoken, first=False):
            continue
        kept.append(token)
        kept.extend(_kin(token, spoken))
    return " ".join(kept)


def _kin(token: str, spoken: Language) -> Iterator[str]:
    if _HAN_RUN.fullmatch(token):
        for cluster in ZH_CLUSTERS:
            if any(word in token for word in cluster):
                yield from (word for word in cluster if word not in token)
        return
    own = CLUSTERS[spoken].get(root(bare(token), spoken))
    if own is not None:
        yield from (word for word, cluster in CLUSTERS[spoken].items() if cluster == own)
