"""Recognises postal addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from turnstate.core.facts import Key, Span
from turnstate.core.facts.text import word_set
from turnstate.core.rules.labels import GENERIC
from turnstate.core.rules.text import Find, Text

_STREET_WORD: Final = (
    r"(?:(?!(?i:to|at|and|or|for|is|was|my|the|it|in|on|from|please|days?|weeks?|hours?|items?|of)\b)[^\W\d_][\w'’.-]{0,30}"
    r"|\d{1,3}(?:st|nd|rd|th))"
)
_CITY: Final = r"[^\W\d_][\w'’.-]{0,30}"
_STREET: Final = re.compile(
    rf"(?<![\w#-])\d{{1,6}}[A-Za-z]?(?:-\d{{1,5}})?\s+(?:{_STREET_WORD}\s+){{1,4}}?"
    r"(?i:street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct|way|place|pl|square|sq|terrace|parkway|pkwy|"
    r"highway|hwy|circle|cir|close|crescent|row|walk|alley|trail|gardens|grove|mews)\b\.?"
    r"(?:,?\s+(?i:apt|apartment|suite|ste|unit|floor|fl|room|#)\.?\s*#?\w{1,6}\b)?"
    r"(?:,\s*(?:[A-Z](?:[^\W\d]|['’.-])*+(?!\d)(?:\s+[A-Z](?:[^\W\d]|['’.-])*+(?!\d)){0,3}|[a-z]+(?:\s[a-z]+)?(?=,?\s+(?:[A-Za-z]{2}\s+)?\d{5})))?"
    r"(?:,?\s+[A-Z]{2}\b)?(?:,?\s+\d{5}(?:-\d{4})?\b|,?\s+(?:[A-Z]{1,2}\d[A-Z\d]?\s*\d[A-Z]{2}|[A-Z]\d[A-Z]\s?\d[A-Z]\d)\b)?"
    rf"|\b[^\W\d_][\w-]{{0,40}}(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse)\s+\d{{1,4}}[a-z]?\b(?:,?\s+\d{{4,5}}\s+{_CITY})?"
    rf"|(?<![\w#-])\d{{1,4}}(?:\s?bis|\s?ter)?,?\s+(?i:rue|boulevard|chemin|impasse|quai)(?:\s+[\w'’-]+){{1,5}}(?:,\s*\d{{5}}\s+{_CITY})?"
    rf"|\b(?i:calle|avenida|paseo|plaza|via|rua)\s+(?:{_CITY}\s+){{1,4}}?\d{{1,4}}\b(?:,\s*\d{{5}}\s+{_CITY})?"
)
SENT: Final = r"(?:ship|send|deliver|mail|post|forward|bring|redirect|shipped|sent|delivered)"
_ADDRESS_CUE: Final = re.compile(
    rf"(?:\b{SENT}\b(?:\s+(?!to\b)[\w#'’-]+){{0,6}}\s+(?:to|at)"
    r"|\b(?:address|adresse|dirección|domicilio)\b(?:\s+(?:is|to|will be|has changed to|changed to|ist|est|es))?\s*:?"
    r"|\b(?:i|we)(?:['’](?:m|re|ve))?\s+(?:(?:am|are|now|just|recently|have)\s+){0,2}(?:live|living|moved|moving|reside|staying|located)\s+(?:now\s+)?"
    r"(?:from\s[^\n]{1,60}\s+)?(?:at|to|in|on)|\bi['’]?m\s+(?:now\s+)?at|\bich wohne (?:in der|in|am))\s*$",
    re.IGNORECASE,
)
_NOT_ANY_MORE: Final = re.compile(
    r"\b(?:from|left|previously(?: at)?|used to live (?:at|on|in)|old address(?: was| is)?)\s*$",
    re.IGNORECASE,
)
_ANY_ADDRESS: Final = GENERIC | word_set("home shipping delivery mailing postal street current")


def streets(text: Text) -> Iterator[Find]:
    """Streets with a house number that the speaker calls theirs, lives at, or wants something sent to."""
    for match in _STREET.finditer(text.words):
        span = Span(match.start(), match.start() + len(match[0].rstrip(" ,.")))
        lead = text.words[max(0, span.start - 90) : span.start]
        cue = _ADDRESS_CUE.search(lead)
        if (cue or text.yours) and not _NOT_ANY_MORE.search(lead):
            yield Find(
                text.words[slice(*span)],
                span,
                Span(span.start - len(lead) + cue.start() if cue else span.start, span.end),
            )


_OTHER_ADDRESS: Final = word_set("billing invoice work office business return")


def addresses(key: Key, text: Text) -> Iterator[Find]:
    """A street as above; for a key such as billing_address, and for that word, only where both come together."""
    telling = {word for word in key.words if word not in _ANY_ADDRESS}
    for found in streets(text):
        near = word_set(text.words[max(0, found.quote.start - 40) : found.span.start].lower())
        if (not telling or telling & near) and not (near & _OTHER_ADDRESS) - telling:
            yield found
