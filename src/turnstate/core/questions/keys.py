"""What key a question asks for, by what its owner declares."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from turnstate.core.facts import fold
from turnstate.core.questions.profile import profile
from turnstate.core.questions.similarity import similarity
from turnstate.core.questions.types import Asks, Question, QuestionKind
from turnstate.core.questions.weights import SAME

_WORDS: Final = re.compile(r"[_\W]+")


class KeyMatch(NamedTuple):
    """The key that a question asks for.

    Attributes:
        key: its name.
        by: "key" where the question names it, "paraphrase" where it is only like one of the key's examples.
        likeness: how alike, 0 to 1; 1 where it is named.
    """

    key: str
    by: Literal["key", "paraphrase"]
    likeness: float


def key_of(question: Question | str, keys: Mapping[str, Asks]) -> str | None:
    """The key that a question asks for, as `match_key` finds it; None where it finds none."""
    found = match_key(question, keys)
    return found.key if found else None


def match_key(question: Question | str, keys: Mapping[str, Asks]) -> KeyMatch | None:
    """The key that a question asks for, and how it was found; None where no key, or more than one, comes into question.

    A key comes into question by its own words (its label, its words and phrases, its name spelled as words) or, where none
    does, by a question of its examples that is the same in other words. Among several named, the longest wording wins:
    "order number" over "number".

    Args:
        question: a question; a courtesy asks for nothing.
        keys: what each key asks for.
    """
    if isinstance(question, Question) and question.kind is QuestionKind.COURTESY:
        return None
    text = question.text if isinstance(question, Question) else question
    said = f" {_plain(text)} "
    named = {name: length for name, asks in keys.items() if (length := _named(said, name, asks))}
    if not named:
        return _nearest(text, keys, SAME)
    longest = max(named.values())
    best = [name for name, length in named.items() if length == longest]
    if len(best) == 1:
        return KeyMatch(best[0], "key", 1.0)
    return _nearest(text, {name: keys[name] for name in best}, 0.0)


def _named(said: str, name: str, asks: Asks) -> int:
    """Characters of the longest wording of a key in a question."""
    wordings = (asks.label, *asks.words, name)
    return max(
        (len(plain) for word in wordings if (plain := _plain(word)) and f" {plain} " in said), default=0
    )


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    return _WORDS.sub(" ", fold(text[-2_000:])).strip()


def _nearest(text: str, keys: Mapping[str, Asks], least: float) -> KeyMatch | None:
    """The key with the most similar example or label; None below `least`, or where two are as near."""
    scored = sorted(((_likeness(text, asks), name) for name, asks in keys.items()), reverse=True)
    if not scored or scored[0][0] < least or (len(scored) > 1 and scored[1][0] == scored[0][0]):
        return None
    likeness, name = scored[0]
    return KeyMatch(name, "paraphrase", likeness)


def _likeness(text: str, asks: Asks) -> float:
    examples = asks.examples or ((f"What is your {asks.label}?",) if asks.label else ())
    if not profile(text).meaning:
        return 0.0
    return max((similarity(text, example) for example in examples), default=0.0)
