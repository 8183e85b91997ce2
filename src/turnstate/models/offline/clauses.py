"""A message taken apart: clauses with one thought each, in normalised words, with their values in place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from turnstate.models.offline.values import Found
from turnstate.models.offline.words import families, words


def either(*patterns: str) -> re.Pattern[str]:
    """One pattern that matches where any of these does."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a message with one thought.

    Attributes:
        said: as written.
        values: the values in it.
        line: its normalised words, with `§order` and the like in place of values, joined by spaces.
        has: the families of its words, and the kinds of its values as `§order`.
        question: whether it ends with a question mark.
    """

    said: str
    values: tuple[Found, ...]
    line: str
    has: frozenset[str]
    question: bool

    def any(self, *names: str) -> bool:
        """Whether a word of one of these families is in it."""
        return not self.has.isdisjoint(names)

    def all(self, *names: str) -> bool:
        """Whether every one of these families is in it."""
        return self.has.issuperset(names)

    def says(self, pattern: re.Pattern[str]) -> bool:
        """Whether its words match."""
        return pattern.search(self.line) is not None

    @property
    def length(self) -> int:
        """Its words."""
        return self.line.count(" ") + 1 if self.line else 0

    @property
    def asks(self) -> bool:
        """Whether it is a question, with or without its mark."""
        return self.question or _QUESTION.match(self.line) is not None

    @property
    def asking(self) -> bool:
        """Whether it asks or requests, rather than tells."""
        return self.asks or _COMMAND.match(self.line) is not None or self.says(_REQUEST)


_STARTERS: Final = (
    "can|could|would|will|please|pls|plz|when|where|wheres|where's|what|whats|what's|how|hows|which|who|why|is|are|do|does|did|has|have|"
    "should|i|i'd|i'll|i'm|im|my|ship|send|change|update|cancel|refund|tell|let|remind|give|show|check|look|track|redirect|deliver|"
    "return it|return that|return the|thanks|thank|also|if|any"
)
_BOUNDARY: Final = re.compile(
    r"(?P<end>[.!?;]+(?=\s|$|[\"'”’)])|\n+)"
    rf"|(?:,\s{{0,3}}|\s)(?:and|also|plus|but|then|btw|by the way|oh and|or)\s{{1,3}}(?=(?:{_STARTERS})\b)"
    r"|(?:,|\s-|\s–|\s—|:)\s{1,3}(?=(?:can|could|would you|will you|please|(?:what|when|where|which|who)(?! (?:is|was|were) (?:it|that|they)\b)|how|why|did|does|do you|is it|are you|"
    r"i want|i need|i would|i'd|just|tell me)\b)",
    re.IGNORECASE,
)
_LEAD: Final = r"(?:(?:so|and|but|well|ok|okay|hi|hello|hey|also|now|then|oh|sorry|actually|just|great|thanks|there|please|again) )*"
_QUESTION: Final = re.compile(
    rf"{_LEAD}(?:(?:until|till|by|from|to|for|in|on|at|with|within|since) (?=what|which|when|where|how))?(?:where|when|what|which|who|whom|whose|why|how|is|are|was|were|do|does|did|has|have|had|can|could|would|will|should|may|any)\b"
    r"(?! not\b| an? )"
)
_COMMAND: Final = re.compile(
    rf"{_LEAD}(?:please|kindly|tell|show|give|remind|check|look|track|find|send|ship|deliver|change|update|cancel|refund|return|redirect|reroute|"
    r"forward|let|correct|use|make|repeat|put|get|help|explain|remember)\b"
)
_REQUEST: Final = either(
    r"\b(?:please|can you|could you|would you|will you|can i|could i|may i|do you|let me|help me|tell me|i have to|i insist)\b",
    r"\bi (?:would|want|need|wish|demand|expect)\b",
    r"\bi am (?:asking|looking|wondering|writing)\b",
    r"\bi do not (?:know|remember|recall)\b",
    r"\b(?:what|when|where|which|who) (?:is|was|were) (?:it|that|they)\b",
)


def split(text: str, values: tuple[Found, ...]) -> tuple[Clause, ...]:
    """The clauses of `text`, in order; no value is cut in two."""
    covered = list(text)
    for value in values:
        covered[value.start : value.end] = "x" * (value.end - value.start)
    masked = "".join(covered)
    clauses: list[Clause] = []
    start = 0
    for match in _BOUNDARY.finditer(masked):
        clauses.extend(_clause(text, start, match.start(), values, mark=match["end"] or ""))
        start = match.end()
    clauses.extend(_clause(text, start, len(text), values, mark=""))
    return tuple(clauses)


def _clause(text: str, start: int, end: int, values: tuple[Found, ...], *, mark: str) -> Iterator[Clause]:
    inside = tuple(value for value in values if start <= value.start < end)
    pieces: list[str] = []
    at = start
    for value in inside:
        pieces.extend((text[at : value.start].replace("§", " "), f" §{value.kind} "))
        at = max(at, value.end)
    pieces.append(text[at:end].replace("§", " "))
    found = words("".join(pieces))
    if found:
        has = frozenset(name for word in found for name in families(word)) | {
            word for word in found if word[0] == "§"
        }
        yield Clause(text[start:end].strip(), inside, " ".join(found), has, "?" in mark)
