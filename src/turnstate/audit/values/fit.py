"""How likely a value of the user's is the one that an agent says differently: by what is said of both, and how long ago."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from turnstate.audit.values.heard import Given
from turnstate.audit.values.mentions import Mention
from turnstate.audit.values.names import CITIES
from turnstate.audit.values.story import Said

PLACED: Final = frozenset({"in", "into", "at", "to", "from", "near", "around", "towards", "until"})
"""The small words that places stand behind."""
_NEUTRAL: Final = frozenset({"", "is", "are", "be", "the"})
_NAMING: Final = frozenset({"name is", "name it", "named", "called"})
_VAGUE: Final = frozenset({"for", "of", "on"})
_ATTRIBUTE: Final = re.compile(
    r" (?!(?:and|or|at|in|on|for|to|from|with|by|is|are|was|will|the|as|of|correct|right|today|tomorrow)\b)[a-z]{3,}"
)
"""A lower-case word behind a capitalised one: "Living room"."""
LOWER: Final = re.compile(r"\b[a-z]{4,}")
_SHORT: Final = 6
_RECENT: Final = 3
_MISREAD: Final = 2
_CODE: Final = 5
_LATELY: Final = 6
_LONG_AGO: Final = 12


class Case(NamedTuple):
    """A value of the agent's that is looked at.

    Attributes:
        said: what it stands in.
        mention: the value.
        key: the argument that carries it; "" in a text.
        confirms: whether the text asks the user to confirm it.
    """

    said: Said
    mention: Mention
    key: str = ""
    confirms: bool = False


def living(given: Given, said: Said) -> float:
    """How likely a value still counts, by how long ago it was last said or repeated and what was finished since."""
    since = said.turn - given.last.turn
    live = (
        1.0
        if since <= 1
        else 0.9
        if since <= _RECENT
        else 0.75
        if since <= _LATELY
        else 0.6
        if since <= _LONG_AGO
        else 0.4
    )
    return live if said.task == given.last.task else 0.4 * live


def read_back(given: Given, said: Said) -> bool:
    """Whether the agent or a call has just repeated a value."""
    return given.repeated and given.last.turn >= said.turn - 1


def bound(given: Given, case: Case) -> bool:
    """Whether a call of the same tool has carried the user's value under the same argument; of exact values, any call."""
    if not case.key:
        return False
    if f"{case.said.tool} {case.key}" in given.keys:
        return True
    return case.mention.sort != "name" and any(name.endswith(f" {case.key}") for name in given.keys)


def fits(given: Given, case: Case) -> float:
    """How likely the agent's value stands for the user's."""
    theirs, ours = given.mention, case.mention
    held = bound(given, case)
    fit = 0.4 if theirs.loose else 1.0
    if not held and theirs.ways and ours.ways:
        fit *= 1.1 if theirs.ways & ours.ways else 0.3
    if ours.sort == "count":
        fit *= 1.0 if held else 0.9 if theirs.about & ours.about else 0.05
        fit *= 0.7 if theirs.norm == "1" else 1.0  # "one" is an article too
    elif ours.sort == "code":
        fit *= 1.0 if _close(theirs.norm, ours.norm) else 0.7 if held else 0.0
    elif ours.sort == "date" and ("birthdate" in theirs.about) != ("birthdate" in ours.about):
        fit *= 0.1
    elif ours.sort in {"money", "span"} and not case.key:
        fit *= 0.85 if case.confirms else 0.6  # amounts in a text are mostly sums and prices
    elif ours.sort == "name" and not held:
        fit *= _in_call(given, case) if case.key else _in_text(given, case)
    return min(fit * living(given, case.said), 1.0)


def _close(one: str, other: str) -> bool:
    """Whether two codes differ in a character or two, so that one may be the other misread."""
    one, other = one.lstrip("#").upper(), other.lstrip("#").upper()
    wrong = sum(a != b for a, b in zip(one, other, strict=False)) + abs(len(one) - len(other))
    return wrong <= _MISREAD and len(one) >= _CODE


def _in_call(given: Given, case: Case) -> float:
    """How likely two names name the same kind of thing, the agent's being an argument."""
    theirs, ours = given.mention, case.mention
    if (known := _cities(theirs, ours)) is not None:
        return known
    place = "place" in ours.about or bool(ours.ways)
    if place and (theirs.norm in CITIES or theirs.cue in PLACED) and ours.text[:1].isupper():
        return 0.9
    if place and theirs.cue and theirs.cue not in PLACED:
        return 0.2
    proper = ours.text[:1].isupper() and not LOWER.search(ours.text)
    if read_back(given, case.said) and proper:
        return 0.75
    return 0.4 if not proper else 0.55 if " " in theirs.text and " " in ours.text else 0.4


def _cities(theirs: Mention, ours: Mention) -> float | None:
    """What it tells that one or both are known to be cities, or a name and a word; None where it tells nothing."""
    if ours.norm in CITIES:
        return 0.95 if theirs.norm in CITIES else None if theirs.cue in PLACED else 0.1
    return 0.3 if theirs.text[:1].isupper() and ours.text.islower() else None


def stands_alone(text: str, name: Mention) -> bool:
    """Whether a name is one, and not what kind of thing the next word is ("Living room") or a thing of the user's."""
    attribute = " " not in name.text and _ATTRIBUTE.match(text, name.end)
    return not attribute and not text[max(0, name.start - 5) : name.start].casefold().endswith("your ")


def _in_text(given: Given, case: Case) -> float:
    """How likely two names name the same kind of thing, both being said."""
    theirs, ours = given.mention, case.mention
    if (known := _cities(theirs, ours)) is not None:
        return known
    if theirs.norm in CITIES and ours.cue not in PLACED:
        return 0.1
    if not stands_alone(case.said.text, ours):
        return 0.3
    if LOWER.search(ours.text) and not LOWER.search(theirs.text):
        return 0.4
    return _by_cue(given, case)


def _by_cue(given: Given, case: Case) -> float:
    """How likely two names name the same kind of thing, by the small words before them."""
    theirs, ours = given.mention.cue, case.mention.cue
    if ours not in _NEUTRAL and ours in given.cues:
        return 0.55 if ours in _VAGUE else 0.85
    if {theirs, ours} <= PLACED:
        return 0.75
    if ours in _NEUTRAL:
        return 0.4
    if theirs not in _NEUTRAL | _NAMING:
        return 0.25
    answer = len(given.said.sentence(given.mention).split()) <= _SHORT
    return 0.7 if answer and case.said.turn - given.said.turn <= _RECENT else 0.55
