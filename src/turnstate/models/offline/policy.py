"""What the instructions say to a customer's question: their own sentences, or nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from turnstate.models.offline.families import COMMON, vocabulary
from turnstate.models.offline.words import families, stem, words

_TOPICS: Final[dict[str, frozenset[str]]] = {
    "shipping": vocabulary(
        "ship shipping delivery deliver deliveries postage courier carrier dispatch express parcel parcels "
        "shipped delivered"
    ),
    "returns": vocabulary("return returns returned refund refunds refunded exchange exchanges"),
    "refunds": frozenset(["refund", "refunds", "refunded", "refunding", "paid"]),
    "payment": vocabulary(
        "pay payment payments card cards paypal invoice voucher vouchers paying accept visa mastercard amex "
        "transfer klarna"
    ),
    "hours": vocabulary(
        "open opening hours hour monday tuesday wednesday thursday friday saturday sunday weekdays weekend "
        "closed"
    ),
    "warranty": vocabulary("warranty warranties guarantee guaranteed repair repaired defect defects"),
    "contact": vocabulary("contact phone call email e-mail mail reach write address support"),
    "cancel": frozenset(["cancel", "cancelled", "cancellation", "cancellations"]),
}
_TO_THE_AGENT: Final = re.compile(
    r"^(?:you(?:r|'re)?\b|be\b|never\b|always\b|do not\b|don't\b|use\b|ask\b|keep\b|answer\b|promise\b|say\b|tell\b|reply\b|respond\b|"
    r"write\b|greet\b|stay\b|avoid\b|make sure\b|confirm\b|refuse\b|treat\b|act\b|look (?:up|it)\b|speak\b|remember\b|mention\b|quote\b|repeat\b|"
    r"if (?:something|anything|(?:the|a|an) (?:customer|user|tool|answer|question))\b|when (?:the|a) (?:customer|user|tool)\b|only (?:use|say|answer|promise)\b)"
    r"|\b(?:the|a) (?:customer|user)s?\b|\btools?\b|\bassistant\b",
    re.IGNORECASE,
)
_ON_TOPIC: Final = frozenset(word for topic in _TOPICS.values() for word in topic)
_ORDERS_THE_AGENT: Final = re.compile(
    r"^(?:you are\b|never\b|always\b|do not\b|don't\b|tell\b|say\b|ask\b|(?:if|when) (?:the|a) (?:customer|user)\b)|\btools?\b",
    re.IGNORECASE,
)
_FOR_THE_AGENT: Final = re.compile(
    r"\b(?:how to|rules|behaviou?r|style|tone|guidelines?|you|your|persona|role|answer\w*|instructions?)\b",
    re.IGNORECASE,
)
_BULLET: Final = re.compile(r"^\s*(?:[-*•+]|\d+[.)])\s+")
_HEADING: Final = re.compile(r"^\s*#{1,6}\s+(.*)$")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-ZÀ-Þ\d\"“])")
_MONEY: Final = re.compile(
    r"[$€£¥]\s?\d|\d\s?(?:EUR|USD|GBP|SEK|CHF|[$€£])\b|\d+[.,]\d\d\b|\bfree\b", re.IGNORECASE
)
_SPAN: Final = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven)\b[^.]{0,20}\b(?:days?|weeks?|months?|years?|hours?)\b",
    re.IGNORECASE,
)
_ABROAD: Final = re.compile(
    r"\b(?i:countr\w+|union|kingdom|europe\w*|international\w*|abroad|worldwide|overseas)\b|\b(?:to|in|within) (?:the )?[A-Z][a-z]"
)
_GENERIC: Final = frozenset(
    stem(word)
    for word in [
        "ship",
        "shipping",
        "shipment",
        "deliver",
        "delivery",
        "return",
        "returns",
        "refund",
        "pay",
        "payment",
        "pays",
        "paid",
        "open",
        "opening",
        "hours",
        "warranty",
        "guarantee",
        "contact",
        "cancel",
        "money",
        "cost",
        "costs",
        "price",
        "charge",
        "fee",
        "policy",
    ]
)
_NAMES: Final = re.compile(r"(?<=[a-z,] )[A-Z][\w'’]{2,20}")


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of the instructions that is meant for customers too.

    Attributes:
        text: the sentence.
        heading: the heading that it stands under.
    """

    text: str
    heading: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question as sentences are compared with it.

    Attributes:
        stems: what it is about, beyond its topic.
        topic: the words of its topic; empty if it has none.
        wants: the families of its words: "cost", "speed", "when", "abroad".
    """

    stems: frozenset[str]
    topic: frozenset[str]
    wants: frozenset[str]


def answer(instructions: str, topic: str, question: str, *, spread: float = 0.75) -> str:
    """What the instructions say about `topic`, in their words.

    Args:
        instructions: the system text.
        topic: a topic, or "" or "other" to go by the words of the question alone.
        question: the customer's words.
        spread: how much weaker than the best sentence a second one may be.

    Returns:
        Up to two sentences, in their order; "" if nothing there answers.
    """
    lines = _lines(instructions)
    named = _TOPICS.get(topic, frozenset())
    wants = {family for word in words(question) for family in families(word)}
    if _NAMES.search(question):
        wants.add("names")
    asked = Question(_content(question) - _GENERIC, named, frozenset(wants))
    scored = [(score, index) for index, line in enumerate(lines) if (score := _score(line, asked)) > 0]
    if not scored:
        return ""
    best = max(score for score, _ in scored)
    near = sorted(scored, key=lambda entry: (-entry[0], entry[1]))[:2]
    return " ".join(
        lines[index].text
        for score, index in sorted(near, key=lambda e: e[1])
        if score >= max(2.0, best - spread)
    )


def unmentioned(instructions: str, question: str) -> str:
    """What a question is about that the instructions do not know ("Canada", "customs"), or ""."""
    known = {stem(word) for word in words(instructions)}
    named = [match[0] for match in _NAMES.finditer(question)] + [
        match[1] for match in _ABOUT.finditer(question)
    ]
    for name in named:
        word = name.casefold()
        if stem(word) not in known and word not in COMMON and not families(word):
            return name
    return ""


_ABOUT: Final = re.compile(
    r"\b(?:for|about|on|with|by|via|pay|accept|take|offer|sell|have|any|cover|covers) (?:an? |the |my |your |any )?([a-z]{4,20})\b"
)


def topics(instructions: str) -> tuple[str, ...]:
    """The topics that the instructions have something on."""
    said = {word for line in _lines(instructions) for word in words(line.text)}
    return tuple(
        topic for topic in ("shipping", "returns", "payment", "warranty", "hours") if said & _TOPICS[topic]
    )


def _score(line: Line, asked: Question) -> float:
    """How well a sentence answers; 0 if it does not."""
    said = set(words(line.text))
    overlap = len(asked.stems & {stem(word) for word in said})
    if asked.topic:
        headed = bool(asked.topic & set(words(line.heading)))
        on_topic = len(said & asked.topic) + 1.5 * headed
        if not said & asked.topic and not (headed and overlap):
            return 0.0
        score = 1.5 + 0.5 * min(on_topic, 3) + 2.0 * overlap
    elif overlap and (overlap >= 2 or overlap == len(asked.stems)):
        score = 2.0 * overlap
    else:
        return 0.0
    if "cost" in asked.wants and _MONEY.search(line.text):
        score += 2.0
    if asked.wants & {"speed", "when"} and _SPAN.search(line.text):
        score += 2.0
    if asked.wants & {"abroad", "names"} and _ABROAD.search(line.text):
        score += 2.0
    return score


def _content(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text) if word not in COMMON and len(word) > 2)


@lru_cache(maxsize=32)
def _lines(instructions: str) -> tuple[Line, ...]:
    return tuple(_read_lines(instructions))


def _read_lines(instructions: str) -> Iterator[Line]:
    heading = ""
    for block in _paragraphs(instructions):
        if (title := _HEADING.match(block)) is not None:
            heading = title[1].strip()
            continue
        for sentence in _SENTENCE.split(_BULLET.sub("", block)):
            plain = re.sub(r"[*_`]{1,3}", "", sentence).strip()
            if len(plain) > 8 and not _is_for_the_agent(plain, heading):
                yield Line(plain if plain[-1] in ".!?" else f"{plain}.", heading)


def _is_for_the_agent(sentence: str, heading: str) -> bool:
    """Whether a sentence tells the agent how to behave, rather than the customer how the shop does things."""
    if set(words(heading)) & _ON_TOPIC:
        return _ORDERS_THE_AGENT.search(sentence) is not None
    return _TO_THE_AGENT.search(sentence) is not None or _FOR_THE_AGENT.search(heading) is not None


def _paragraphs(text: str) -> Iterator[str]:
    """Lines joined where one goes on in the next: a bullet, heading or blank line starts a new one."""
    current = ""
    for line in text.splitlines():
        starts = not line.strip() or _BULLET.match(line) or _HEADING.match(line)
        if starts or (current and _HEADING.match(current)):
            if current.strip():
                yield current
            current = line
        else:
            current = f"{current} {line.strip()}" if current.strip() else line
    if current.strip():
        yield current
