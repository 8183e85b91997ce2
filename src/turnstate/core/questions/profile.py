"""What a question is about, read from its words: what is asked, of which things, which way, and the words themselves."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from turnstate.core.facts.text import word_set
from turnstate.core.questions import patterns
from turnstate.core.questions.find import find_questions
from turnstate.core.questions.types import QuestionKind
from turnstate.core.questions.vocabulary import ASKED, EMPTY, PHRASES, THINGS, TOLD, WAYS
from turnstate.core.search.words import stem

LONGEST: Final = 400
"""Characters of a question that are compared: its last ones."""

_TOKEN: Final = re.compile(r"\w+")
_APOSTROPHE: Final = re.compile(r"['’ʼ](?:s|re|ve|ll|d|m|t)\b")
_PHRASE: Final = re.compile(
    "|".join(rf"\b{re.escape(phrase)}\b" for phrase in sorted(PHRASES, key=len, reverse=True))
)
_ORDINAL: Final = re.compile(r"\b[0-3]?\d(?:st|nd|rd|th)\b")
_PARTED: Final = re.compile(
    r"\b(?P<verb>drop|pick|check|set|sign|wrap)(?:s|p?ing|p?ed)? (?P<between>(?:the|your|it|my|that|a|them|you) ?\w*) (?P<particle>off|up|out|in)\b"
)
"""A verb that stands apart from its particle: "drop the car off"."""
_WHICH: Final = frozenset({"what", "which"})
_OPEN: Final = frozenset({"kind", "id", "name"})
_MEASURES: Final = frozenset({"howmany", "howlong"})
_NEAR: Final = 6
_BITS: Final = 509


class Profile(NamedTuple):
    """A question as it is compared.

    Attributes:
        wanted: what is asked: "date", "place", "howmany"; empty where nothing says.
        things: what it is about: "flight", "people".
        ways: "start", "finish", "leave", "arrive": which end of a trip or a stay.
        words: the stems that stand in no cluster and are not empty.
        meaning: clusters and stems together.
        grams: the runs of three characters of what is not empty, as a set of bits.
        yes_no: it can be answered by yes or no.
    """

    wanted: frozenset[str]
    things: frozenset[str]
    ways: frozenset[str]
    words: frozenset[str]
    meaning: frozenset[str]
    grams: int
    yes_no: bool


@lru_cache(maxsize=4096)
def profile(text: str) -> Profile:
    """The profile of a question; of a longer text, that of the questions in it."""
    asking = _asking(text)
    tokens = _tokens(_folded(asking))
    stems = [stem(token) for token in tokens]
    things = frozenset(THINGS[word] for word in stems if word in THINGS)
    words = frozenset(
        word
        for word in stems
        if word not in EMPTY
        and word not in ASKED
        and word not in THINGS
        and word not in WAYS
        and word not in TOLD
        and not word.isdigit()
    )
    wanted = frozenset(_wanted(stems))
    ways = frozenset(_PLACED.get(way, way) if "place" in wanted else way for way in _ways(stems))
    meaning = wanted | things | ways | words | frozenset(ASKED[word] for word in stems if word in ASKED)
    telling = " ".join(word for word in stems if word not in EMPTY) or " ".join(stems)
    padded = f" {telling} "
    grams = 0
    for one, two, three in zip(padded, padded[1:], padded[2:], strict=False):
        grams |= 1 << (ord(one) * 961 + ord(two) * 31 + ord(three)) % _BITS
    return Profile(wanted, things, ways, words, meaning, grams, _yes_no(asking))


_WH: Final = re.compile(r"\b(?:what|which|when|where|who|whom|whose|how|why)\b", re.IGNORECASE)


def _yes_no(asking: str) -> bool:
    return not (_WH.search(asking) or patterns.INDIRECT.search(asking) or patterns.IMPERATIVE.match(asking))


@lru_cache(maxsize=4096)
def _asking(text: str) -> str:
    """The sentences of a text that ask; the whole text where none does."""
    if len(text) > 20 * LONGEST:
        text = text[-20 * LONGEST :]
    asked = [question.text for question in find_questions(text) if question.kind is not QuestionKind.COURTESY]
    return " ".join(asked)[-LONGEST:] if asked else text[-LONGEST:]


def _folded(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    folded = _APOSTROPHE.sub("", folded.replace(" n't", "n't").replace(" 's", "'s"))
    folded = _ORDINAL.sub("nthday", _PARTED.sub(_joined, folded))
    return _PHRASE.sub(lambda found: f" {PHRASES[found[0]]} ", folded)


def _joined(found: re.Match[str]) -> str:
    return f" {found['verb']} {found['particle']} {found['between']} "


def _tokens(folded: str) -> list[str]:
    return _TOKEN.findall(folded)


def _ways(stems: Sequence[str]) -> Iterator[str]:
    """Which end: by the words for it, and by "to" where it is a direction."""
    for at, word in enumerate(stems):
        if word in WAYS:
            yield WAYS[word]
        elif (
            (word in {"go", "head"} and "where" in stems[:at] and "from" not in stems)
            or (word == "to" and at and (stems[at - 1] in _GOING or at == len(stems) - 1))
            or (word == "to" and at + 1 < len(stems) and stems[at + 1] in _PLACES)
        ):
            yield "finish"


_PLACED: Final = {"leave": "start", "arrive": "finish"}
"""Where one leaves is always the start."""
_GOING: Final = frozenset(
    map(stem, word_set("going go travel fly head take drive driving get ride trip ticket transfer where"))
)
_PLACES: Final = frozenset(map(stem, word_set("what which where city town station airport place location")))


def _wanted(stems: Sequence[str]) -> Iterator[str]:
    """What is asked: the noun that belongs to the question word, or the question word, or what is named at all."""
    measured = [at for at, word in enumerate(stems) if ASKED.get(word) in _MEASURES or (word == "mani")]
    if measured:
        yield from _measured(stems, measured[0])
        return
    named = [ASKED[word] for word in stems if word in ASKED]
    which = next((at for at, word in enumerate(stems) if word in _WHICH), None)
    if which is not None:
        after = [ASKED[word] for word in stems[which : which + _NEAR] if word in ASKED]
        if after:
            yield after[0]
            if after[0] in _OPEN:
                yield from after[1:2]
            return
        if any(word in THINGS for word in stems[which : which + 3]):
            yield "name"
            return
    explicit = [name for name in named if name not in {"when", "where", "who"}]
    asks_when, asks_where, asks_who = "when" in named, "where" in named, "who" in named
    if asks_when:
        yield from ({"date", "time"} & set(explicit) or {"when"})
    elif asks_where:
        yield "place"
    elif asks_who:
        yield "who"
    else:
        yield from explicit or [TOLD[word] for word in stems if word in TOLD]


def _measured(stems: Sequence[str], at: int) -> Iterator[str]:
    """How many or how long: of nights and days it is how long."""
    near = stems[at : at + 5]
    if ASKED.get(stems[at]) == "howlong" or any(
        THINGS.get(word) == "nights" or word in {"day", "week"} for word in near
    ):
        yield "howlong"
    else:
        yield "howmany"
        counted = next((THINGS[word] for word in near if word in THINGS), None)
        if counted:
            yield f"howmany {counted}"
