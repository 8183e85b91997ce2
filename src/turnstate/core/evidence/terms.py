"""The words of a question: which of them an answer has to have, and what is worth searching for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from turnstate.core.evidence.clusters import CLUSTERS, ZH_CLUSTERS
from turnstate.core.evidence.kinds import Wanted, wanted, without_cue
from turnstate.core.evidence.lexicon import FRAME, SOFT, ZH_FRAME, ZH_LIGHT, ZH_SOFT, Language, language
from turnstate.core.evidence.roots import bare, number, root

Weight: TypeAlias = Literal["exact", "hard", "soft"]

TOKEN: Final = re.compile(
    r"\d+(?:[.,\u00a0\u202f'’]\d+)*|[^\W\d_\u3040-\u30ff\u3400-\u9fff][^\W_\u3040-\u30ff\u3400-\u9fff]*(?:['’][^\W\d_]+)?|[\u3040-\u30ff\u3400-\u9fff]+"
)
HAN_RUN: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff]+")
_ZH_NUMBER: Final = re.compile(
    "(?!一[个天日周月年次])([一二两三四五六七八九十]{1,3})(?=[个天日周月年次人元份台种小分位名级点]|工作日)"
)
_ZH_DIGITS: Final = {sign: value for value, sign in enumerate("一二三四五六七八九", start=1)} | {"两": 2}
_PRICE: Final = frozenset(
    [
        "betrag",
        "summe",
        "amount",
        "sum",
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
    ]
)
_ZH_LIFE: Final = re.compile("[能可](?:以)?用(?=多|几)")
"""How long a thing can be used is a question of its own, though each of its words says nothing."""

_ZH_PRICE: Final = re.compile("价格|价钱|费用|收费标准|收费|标准|钱|贵|花费|花")


_PHRASES: Final = tuple(
    (re.compile(rf"\b(?:{phrase})\b", re.IGNORECASE), word)
    for phrase, word in (
        ("be used", "be usable"),
        ("money back", "refund"),
        ("geld zurück", "erstattung"),
        ("set (?:us|me) back", "cost"),
        ("(?:log|sign) in(?:to)?", "login"),
        ("european union", "EU"),
        ("europäischen? union", "EU"),
    )
)


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a question.

    Attributes:
        text: as the user wrote it.
        root: what its forms have in common; the digits of a number.
        weight: "exact" (a name or a number: nothing else will do), "hard" (it or another form of it), "soft" (may be lacking).
        unit: the root of what a number is a number of: "person" in "three people"; "" where nothing says.
    """

    text: str
    root: str
    weight: Weight
    unit: str = ""


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
    text = arabic(without_cue(rephrased(question), kind))
    if spoken == "zh":
        if kind is Wanted.PRICE:
            text = _ZH_PRICE.sub(" ", text)
        text = ZH_FRAME.sub(" ", _ZH_LIFE.sub("寿命", text))
    found: dict[str, Term] = {}
    tokens = TOKEN.findall(text)
    for place, token in enumerate(tokens):
        if kind is Wanted.PRICE and token.casefold() in _PRICE:
            continue
        after = tokens[place + 1] if place + 1 < len(tokens) else ""
        if digits := number(token):
            term = Term(token, digits, "exact", _unit(after, spoken) if after else "")
        else:
            term = _term(token, spoken, first=place == 0)
        if term is not None:
            found.setdefault(term.root, term)
    return Demand(tuple(found.values()), kind, spoken)


def _unit(token: str, spoken: Language) -> str:
    """What a number before `token` is a number of; "" where `token` does not say."""
    if HAN_RUN.fullmatch(token):
        return token[:1]
    word = token.casefold()
    return "" if word in FRAME[spoken] or number(token) or len(word) < 2 else root(bare(word), spoken)


def rephrased(question: str) -> str:
    """A question with the phrases whose words mean nothing of the kind by themselves said in one word."""
    for phrase, word in _PHRASES:
        question = phrase.sub(word, question)
    return question


def _term(token: str, spoken: Language, *, first: bool) -> Term | None:
    if HAN_RUN.fullmatch(token):
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
    soft = word in SOFT[spoken]
    return Term(token, root(bare(word), spoken), "soft" if soft else "hard")


def _named(token: str, spoken: Language, *, first: bool) -> bool:
    """Whether a word is a name: capitals or digits within it, or in English a capital that no sentence put there."""
    inner = any(sign.isupper() or sign.isdigit() for sign in token[1:])
    if inner and len(token) > 1:
        return True
    titled = token[:1].isupper() and len(token) > 2 and not first
    return titled and (spoken == "zh" or (spoken in {"en", ""} and token.casefold() not in FRAME["en"]))


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


def search_words(query: str) -> str:
    """The words of a question that are worth searching for, with those that mean the same.

    Args:
        query: in the user's words.
    """
    spoken = language(query)
    text = ZH_FRAME.sub(" ", query) if spoken == "zh" else query
    kept: list[str] = []
    for token in TOKEN.findall(text):
        folded = token.casefold()
        if folded in FRAME[spoken] and not _named(token, spoken, first=False):
            continue
        kept.append(token)
        kept.extend(_kin(token, spoken))
    return " ".join(kept)


def _kin(token: str, spoken: Language) -> Iterator[str]:
    if HAN_RUN.fullmatch(token):
        for cluster in ZH_CLUSTERS:
            if any(word in token for word in cluster):
                yield from (word for word in cluster if word not in token)
        return
    own = CLUSTERS[spoken].get(root(bare(token), spoken))
    if own is not None:
        yield from (word for word, cluster in CLUSTERS[spoken].items() if cluster == own)
