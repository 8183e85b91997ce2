"""What a commitment is: who promised what, and how firmly."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Firmness(StrEnum):
    """How firmly something was said that somebody will do, does or did."""

    PROMISED = "promised"
    INTENDED = "intended"
    HEDGED = "hedged"
    CONDITIONAL = "conditional"
    REFUSED = "refused"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Commitment:
    """One commitment as it stands in a text.

    Attributes:
        speaker: who said it.
        firmness: how firmly.
        text: the sentence, exactly `source[start:end]`.
        start: first code point.
        end: one past the last code point.
        action: the words that say what is to be done, lightly stemmed; without those that say how firmly.
    """

    speaker: str
    firmness: Firmness
    text: str
    start: int
    end: int
    action: frozenset[str]
