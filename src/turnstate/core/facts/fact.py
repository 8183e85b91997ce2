"""A fact with its source, the candidate that it comes from, and when two values mean the same."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from turnstate.core.facts.keys import Scalar
from turnstate.core.facts.text import fold
from turnstate.core.values import find


def meaning(value: Scalar) -> str:
    """A spelling that two values share exactly when they mean the same: `#12345` and `12345`, `Nuts` and `nuts`."""
    if not isinstance(value, str):
        return f"{type(value).__name__} {value}"
    whole = [found for found in find(value) if (found.start, found.end) == (0, len(value))]
    return f"{whole[0].kind} {whole[0].norm}" if whole else f"text {fold(value)}"


class Source(StrEnum):
    """Where a fact comes from: the more an application may rely on it, the later in this list."""

    TRANSCRIPT = "transcript"
    USER_QUOTE = "user_quote"
    USER_CONFIRMED = "user_confirmed"
    APP = "app"


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that was said, with its source; a correction is a new fact.

    Attributes:
        key: which key of the declaration.
        value: the value as JSON has it.
        source: where it comes from.
        quote: the user's own words, exactly `message[start:end]`; "" from an application.
        start: where the quote starts in the message, in code points.
        end: one past its end.
        conversation: where it was said.
        turn: in which turn, from 1; 0 outside any turn.
        at: when, in microseconds since the epoch.
        expires_at: until when it is good, in microseconds since the epoch, or None for ever.
        question: the assistant's words that the quote answers, or "".
        retracted: whether this takes back what it names instead of stating it.
        many: whether its key collects values.
    """

    key: str
    value: Scalar
    source: Source
    quote: str
    start: int
    end: int
    conversation: str
    turn: int
    at: int
    expires_at: int | None
    question: str = ""
    retracted: bool = False
    many: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """What an extractor proposes.

    Attributes:
        key: which key of the declaration.
        value: the value, as the extractor has it.
        quote: the user's words for it; "" where the value itself stands in the message.
        question: the assistant's words that it answers, or "".
    """

    key: str
    value: object
    quote: str
    question: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A candidate that is not a fact.

    Attributes:
        candidate: what was proposed; a secret in it is replaced by "[redacted]".
        reason: why not, in one sentence that repeats no value.
    """

    candidate: Candidate
    reason: str
