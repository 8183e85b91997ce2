"""Finding the values of a text."""

from __future__ import annotations

import re
from typing import Final

from turnstate.core.values.finders.finder import Hit
from turnstate.core.values.finders.table import FINDERS
from turnstate.core.values.patterns import TAKEN
from turnstate.core.values.types import Value

_DIGIT: Final = re.compile(r"\d")


def find(text: str) -> tuple[Value, ...]:
    """The values of `text` in order, none overlapping another."""
    hits: list[Hit] = []
    rest, lower, digit = text, text.lower(), _DIGIT.search(text) is not None
    for finder in FINDERS:
        if (finder.digit and not digit) or (finder.words and not any(word in lower for word in finder.words)):
            continue
        found = [hit for match in finder.pattern.finditer(rest) if (hit := finder.read(match))]
        if found:
            hits += found
            rest = _without(rest, found)
    hits.sort(key=lambda hit: hit.start)
    return tuple(Value(hit.kind, text[hit.start : hit.end], hit.start, hit.end, hit.norm) for hit in hits)


def _without(text: str, hits: list[Hit]) -> str:
    """`text` with the hits blanked out, its length unchanged."""
    pieces: list[str] = []
    done = 0
    for hit in hits:
        pieces += (text[done : hit.start], TAKEN * (hit.end - hit.start))
        done = hit.end
    return "".join((*pieces, text[done:]))
