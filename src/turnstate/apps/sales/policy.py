"""The sales policy: what is sold, to whom, and in which words, read from a file that a business can change."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final

from turnstate.apps.sales.states import DIMENSIONS, PHASES
from turnstate.core.phases import Path as Way
from turnstate.errors import SettingError


@dataclass(frozen=True, slots=True)
class Policy:
    """What a business says about its sales.

    Attributes:
        goal: what a conversation is to reach.
        product: the product's name.
        way: the phases, with the hops that a conversation may have.
        idle: turns without anything new before the assistant returns to its goal.
        currency: of the price, as an ISO 4217 code.
        price: of a year.
        at_least: what every score has to reach.
        ruled_out: what a score may not be as low as, once it was heard.
        industries: words for the industries that are sold to.
        smallest: people in the smallest company that is sold to.
        largest: people in the largest.
        questions: how each dimension is asked for, in the order of asking: the first wording, and others for later.
        meanings: each dimension in words.
        objections: by words of an objection, the question that is put to the knowledge base.
        assets: what can be shared, by the name of the function that shares it.
        answers: what is said without a model, by language and name; English is always there.
    """

    goal: str
    product: str
    way: Way
    idle: int
    currency: str
    price: int
    at_least: int
    ruled_out: int
    industries: tuple[str, ...]
    smallest: int
    largest: int
    questions: Mapping[str, tuple[str, ...]]
    meanings: Mapping[str, str]
    objections: Mapping[str, str]
    assets: Mapping[str, str]
    answers: Mapping[str, Mapping[str, str]]

    def question_for(self, objection: str) -> str:
        """What the knowledge base is asked to answer an objection, or ""."""
        found = (
            asked for words, asked in self.objections.items() if re.search(words, objection, re.IGNORECASE)
        )
        return next(found, "")

    def answer(self, name: str, language: str) -> str:
        """What is said in this language, or in English where it has no words for it."""
        return self.answers.get(language, {}).get(name) or self.answers["en"][name]


SAID: Final = ("missing", "farewell")
"""The answers that every policy has in English: what is asked and not on record, and taking leave."""


def read_policy(path: Path | None = None) -> Policy:
    """The policy in a TOML file, or the sample in the package.

    Raises:
        SettingError: the file cannot be read, or something in it is missing or of another type.
    """
    try:
        if path is None:
            text = resources.files("turnstate.apps.sales").joinpath("policy.toml").read_text("utf-8")
        else:
            text = path.read_text("utf-8")
        return _policy(tomllib.loads(text))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingError(
            "policy", f"cannot be read ({error})", "Start from the sample in the package."
        ) from error
    except (KeyError, TypeError, ValueError, AttributeError, re.error) as error:
        raise SettingError("policy", f"lacks something ({error})", "Compare it with the sample.") from error


def _pattern(words: str) -> str:
    re.compile(words)
    return words


def _policy(data: Mapping[str, Any]) -> Policy:
    questions: Mapping[str, list[str]] = data["questions"]
    if set(questions) != set(DIMENSIONS) or not all(questions.values()):
        raise ValueError(f"questions are for {', '.join(DIMENSIONS)}, at least one for each")
    if left := [name for name in SAID if not data["answers"]["en"][name].strip()]:
        raise ValueError(f"answers.en says nothing for {', '.join(left)}")
    return Policy(
        goal=str(data["goal"]),
        product=str(data["product"]),
        way=Way(PHASES, int(data["phases"]["hops"])),
        idle=int(data["phases"]["idle"]),
        currency=str(data["price"]["currency"]),
        price=int(data["price"]["year"]),
        at_least=int(data["qualified"]["at_least"]),
        ruled_out=int(data["qualified"]["ruled_out"]),
        industries=tuple(map(str, data["buyers"]["industries"])),
        smallest=int(data["buyers"]["smallest"]),
        largest=int(data["buyers"]["largest"]),
        questions={name: tuple(map(str, wordings)) for name, wordings in questions.items()},
        meanings={name: str(data["meanings"][name]) for name in DIMENSIONS},
        objections={_pattern(words): str(asked) for words, asked in data["objections"].items()},
        assets={name: str(what) for name, what in data["assets"].items()},
        answers={
            code: {name: str(text) for name, text in told.items()} for code, told in data["answers"].items()
        },
    )
