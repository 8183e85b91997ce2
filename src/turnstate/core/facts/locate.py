"""Where a text says a value, whatever the spelling."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

from turnstate.core.facts.coerce import NO, YES
from turnstate.core.facts.keys import Key, Scalar
from turnstate.core.facts.text import EDGES, Folded, Span, fold
from turnstate.core.values import ValueKind, find, numbers, same


def spelled(value: object) -> str:
    """A raw value as text; "" for what is neither text nor a number."""
    try:
        return str(value) if isinstance(value, str | int | float | Decimal | date) else ""
    except ValueError:  # an integer of thousands of digits has no text
        return ""


def locate(key: Key, value: Scalar, raw: object, text: str) -> Span | None:
    """Where `text` says `value`; anywhere, for a yes or no."""
    if isinstance(value, bool) and not key.options:
        contrary = NO if value else YES
        return None if fold(text).strip(EDGES) in contrary else Span(0, len(text))
    if key.options:
        said = Folded(re.sub(r"[_-]", " ", text))
        words = [option for option, meant in key.options.items() if meant == value]
        return next((span for option in words for span in said.occurrences(option)), None)
    if key.base is not str and key.base is not date:
        exact = Decimal(str(value))
        return next((Span(at.start, at.end) for at in numbers(text) if at.value == exact), None)
    spellings = [str(value), *([raw] if isinstance(raw, str) else [])]
    literal = (span for words in spellings for span in Folded(text).occurrences(words.strip(EDGES)))
    return next(literal, None) or _locate_meaning(str(value), text)


def _locate_meaning(value: str, text: str) -> Span | None:
    """Where `text` says an id, amount, date… that means `value` and leaves no more open than it does."""
    meant = [found for found in find(value) if (found.start, found.end) == (0, len(value))]
    for said in find(text) if meant else ():
        open_parts = [sum(found.norm.count(mark) for mark in "?|") for found in (said, meant[0])]
        alike = said.kind is meant[0].kind or {said.kind, meant[0].kind} <= {ValueKind.ID, ValueKind.PHONE}
        if alike and open_parts[0] <= open_parts[1] and same(said, meant[0]):
            return Span(said.start, said.end)
    runs = [Span(*match.span()) for match in re.finditer(r"[^\W_]+", text)]
    wanted = re.sub(r"[\W_]+", "", fold(value))
    if any(char.isdecimal() for char in wanted):
        for first in range(len(runs)):
            joined = ""
            for run in runs[first : first + 12]:
                joined += fold(text[slice(*run)])
                if joined == wanted:
                    return Span(runs[first].start, run.end)
    return None
