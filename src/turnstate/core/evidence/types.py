"""What was found for a question, and whether it is enough to answer it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

JOINT = " › "
"""What stands between two headings of a title."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that may answer a question.

    Attributes:
        source: where it stands: a file, a page's address.
        title: what it is about: the headings above it, outermost first, joined by " › ".
        text: its words.
        score: how well it fits what was looked for; higher is better, comparable within one search only.
        id: what names it in its knowledge base.
    """

    source: str
    title: str
    text: str
    score: float
    id: str


class Level(StrEnum):
    """How much of what a message asks the evidence answers.

    `ACCURATE`: every part. `PARTIAL`: some parts; the others are the gap. `MISSING`: none.
    """

    ACCURATE = "ACCURATE"
    PARTIAL = "PARTIAL"
    MISSING = "MISSING"


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that a message asks.

    Attributes:
        question: in the user's words.
        evidence: ids of what answers it, the best first; empty where nothing does.
    """

    question: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grounding:
    """Whether a message can be answered from what was found.

    Attributes:
        level: how much of it. A message that asks nothing lacks nothing: ACCURATE, with `asked` False.
        parts: what it asks, in order.
        gap: the parts without evidence, in the user's words, joined by "; "; "" where nothing is lacking.
        problem: why nothing could be judged; "" where it was.
    """

    level: Level
    parts: tuple[Part, ...] = ()
    gap: str = ""
    problem: str = ""

    @property
    def asked(self) -> bool:
        """Whether the message asks for anything."""
        return bool(self.parts)

    @property
    def evidence(self) -> tuple[str, ...]:
        """The ids of everything that answers a part, each once."""
        return tuple(dict.fromkeys(name for part in self.parts for name in part.evidence))
