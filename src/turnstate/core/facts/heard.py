"""The one message that candidates must stand on, and the words in it that they take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from turnstate.core.facts.fact import Fact, Source
from turnstate.core.facts.keys import Key, Scalar
from turnstate.core.facts.sensitive import secrets
from turnstate.core.facts.text import Folded, Span, fold


class Place(NamedTuple):
    """Which words a fact stands on; `exact` where they are the value itself, and not only its quote."""

    key: str
    meaning: str
    span: Span
    exact: bool

    def excludes(self, other: Place) -> bool:
        """Whether both cannot stand: words feed one key, unless they are a part of a longer value of another key."""
        if self.exact != other.exact or not self.span.meets(other.span):
            return False
        one, two = self.span, other.span
        nested = one != two and (min(one.start, two.start), max(one.end, two.end)) in {one, two}
        return self.key == other.key or not (nested and self.exact)


class Admitted(NamedTuple):
    """A fact, and the words that it stands on."""

    fact: Fact
    place: Place


@dataclass(frozen=True, slots=True)
class Heard:
    """The one message that candidates must stand on, and the question before it."""

    keys: Mapping[str, Key]
    message: str
    question: str
    conversation: str
    turn: int
    at: int
    folded: Folded
    secrets: tuple[Span, ...]

    def exposes(self, text: str) -> bool:
        """Whether `text` is a secret, holds one, or is a piece of one that the message holds."""
        folded = fold(text)
        held = [self.message[slice(*span)] for span in self.secrets]
        return bool(secrets(text)) or any(
            any(Folded(text).occurrences(secret)) or (len(folded) > 2 and folded in fold(secret))
            for secret in held
        )

    def fact(self, key: Key, value: Scalar, source: Source, span: Span, question: str) -> Fact:
        """The fact that the words at `span` state; a question with a secret in it is left out."""
        return Fact(
            key=key.name,
            value=value,
            source=source,
            quote=self.message[slice(*span)],
            start=span.start,
            end=span.end,
            conversation=self.conversation,
            turn=self.turn,
            at=self.at,
            expires_at=_expiry(key, self.at),
            question="" if secrets(question) and not key.sensitive else question,
            many=key.many,
        )


def _expiry(key: Key, at: int) -> int | None:
    return None if key.expires is None else at + key.expires // timedelta(microseconds=1)
