"""What every recogniser is made of: the name of a key with a value after it, lists, marks at the ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from turnstate.core.facts import Key, Span
from turnstate.core.rules.labels import IS, NUMBER_OF, label_of
from turnstate.core.rules.text import Find, Text, compiled

CODE: Final = r"(?-i:(?=[A-Za-z_/-]{0,20}\d|[A-Z]{5,8}\b)[A-Za-z\d]{1,40}(?:[-_/][A-Za-z\d]{1,40}){0,6}(?![\w@]|[.,:]\d))"
JOINT: Final = re.compile(r"\s*(?:,\s*(?:and\b|or\b)?|[;/&+、，]|\b(?:and|or|und|y|et)\b)\s*", re.IGNORECASE)


def phrases(key: Key, text: Text, value: str) -> Iterator[Find]:
    """Where the key's name is followed by a value of this pattern: "order 12345", "my policy number is A1"."""
    pattern = (
        rf"(?:\b(?:{text.mine}|the)\s+)?\b(?:{label_of(key.words)})\b(?:\s+(?:{NUMBER_OF}|address))*"
        rf"(?:{IS}|\s*[#:-]\s*|,?\s+)[#\"'“]?(?P<value>{value})[\"”]?"
    )
    for match in compiled(pattern).finditer(text.words):
        yield Find(match["value"], Span(*match.span("value")), Span(*match.span()))


def split_items(words: str, span: Span) -> Iterator[Span]:
    """The items of a list: "nuts", "shellfish" of "nuts and shellfish"."""
    start = span.start
    for joint in JOINT.finditer(words, *span):
        yield trimmed(words, Span(start, joint.start()))
        start = joint.end()
    yield trimmed(words, Span(start, span.end))


def trimmed(words: str, span: Span) -> Span:
    """A span without the blanks and marks at its ends."""
    held = words[slice(*span)]
    start = span.start + len(held) - len(held.lstrip(" \t\"'“”‘’:"))
    return Span(start, max(start, start + len(words[start : span.end].rstrip(" \t\"'“”‘’,.:!"))))
