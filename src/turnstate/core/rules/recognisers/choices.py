"""Recognises options, and what the user is or has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from turnstate.core.facts import Folded, Key, Span
from turnstate.core.rules.labels import label_of
from turnstate.core.rules.text import Find, Text, compiled

_WANTS: Final = re.compile(
    r"\b(?:i|we)(?:['’](?:m|d like|ll take|ll have)|\s+(?:am|want|need|have|prefer|use|chose|choose|would like|will take))\b"
    r"[^.!?\n]{0,30}$",
    re.IGNORECASE,
)


def choices(key: Key, text: Text) -> Iterator[Find]:
    """An option that the user has, wants or names after the key; the longest, where one is a part of another."""
    named = compiled(
        rf"\b(?:{text.mine})\b[^.!?\n]{{0,30}}$|\b(?:{label_of(key.words)})\s*(?:[:=]|\bis\b|\bto\b)\s*$"
    )
    folded = Folded(re.sub("[_-]", " ", text.words))
    for option in sorted(key.options, key=len, reverse=True):
        for span in folded.occurrences(option):
            lead = text.words[text.sentence_at(span.start).start : span.start]
            if _WANTS.search(lead) or named.search(lead):
                yield Find(key.options[option], span, span)


def yes_no(key: Key, text: Text) -> Iterator[Find]:
    """What the user says they are or have, or are not: "I'm vegan", "I am not a member", "I have a dog"."""
    label = label_of(
        tuple(word for word in key.words if word not in {"is", "has", "wants", "owns"}) or key.words
    )
    pattern = rf"\b(?:i|we)(?:['’](?:m|re|ve)|\s+(?:am|are|have|want))(?P<no>n['’]t|\s+(?:not|no))?(?:\s+(?:an?|the|any))?\s+(?:{label})\b"
    for match in compiled(pattern).finditer(text.words):
        yield Find(match["no"] is None, Span(*match.span()), Span(*match.span()))
