"""Finders for times of day."""

from __future__ import annotations

import re
from typing import Final

from turnstate.core.values.finders.finder import Finder, Hit
from turnstate.core.values.numbers import SMALL
from turnstate.core.values.patterns import EDGE, TAKEN, any_of, words_in
from turnstate.core.values.types import ValueKind

_HOURS: Final = {word: hour for word, hour in SMALL.items() if 1 <= hour <= 12}
_PART_BEFORE: Final = r"(?:(?P<before>morning|afternoon|evening)\s+(?:at\s+)?)?"
_RELATIVE: Final = r"(?:(?P<relative>half\s+past|quarter\s+past|quarter\s+to)\s+)?"
_MINUTE: Final = r"(?:(?P<sep>[:.h])(?P<minute>[0-5]\d)(?::[0-5]\d(?:\.\d{1,9})?)?)?(?!\d|:\d)"
_HALF: Final = r"""(?:\s?(?P<half>[ap]m\b|[ap]\.\s?m\.?)|\s?(?P<clock>o['’"]?\s?clock|uhr)\b|Z\b)?"""
_PART_AFTER: Final = r"(?:\s+(?:in\s+the\s+|at\s+)?(?P<after>morning|afternoon|evening|night)\b)?"
_CLOCK: Final = re.compile(
    rf"(?=[\dTmaehqMAEHQ])(?:(?P<iso>(?<={TAKEN})T)|(?<![0-9A-Za-z_\d:.,/-])){_PART_BEFORE}{_RELATIVE}(?P<hour>\d{{1,2}}){_MINUTE}{_HALF}{_PART_AFTER}",
    re.IGNORECASE,
)
_CLOCK_WORD: Final = re.compile(
    rf"{EDGE}{_PART_BEFORE}{_RELATIVE}(?P<hour>{any_of(_HOURS)})\b{_HALF}{_PART_AFTER}", re.IGNORECASE
)
_NAMED_TIME: Final = re.compile(r"\b(?P<name>noon|midday|midnight)\b", re.IGNORECASE)


def _read_clock(match: re.Match[str]) -> Hit | None:
    """A time of day: a number with minutes, am or pm, o'clock, or a part of the day."""
    groups = match.groupdict(default="")
    half, clock, part = groups["half"], groups["clock"].lower(), (groups["before"] or groups["after"]).lower()
    relative, word, minute = groups["relative"].lower(), groups["hour"].lower(), groups.get("minute", "")
    dotted, iso = groups.get("sep") == ".", groups.get("iso", "")
    if not (half or clock or (minute and not dotted) or ((part or relative) and not minute)):
        return None
    hour = _HOURS[word] if word in _HOURS else int(word)
    if hour > (12 if half else 24) or (half and hour == 0):
        return None
    minutes = 60 * hour + int(minute or 0)
    minutes += (
        30 if relative.startswith("half") else -15 if relative.endswith("to") else 15 if relative else 0
    )
    start = match.start() + len(iso)
    if (half or part) and hour <= 12:
        later = (
            half[0] in "pP"
            if half
            else part in {"afternoon", "evening"} or (part == "night" and 5 < hour < 12)
        )
        return Hit(ValueKind.TIME, start, match.end(), _hhmm(minutes % 720 + 720 * later))
    certain = hour > 12 or word.startswith("0") or clock == "uhr" or iso
    return Hit(ValueKind.TIME, start, match.end(), _hhmm(minutes) + ("" if certain else "?"))


def _hhmm(minutes: int) -> str:
    return f"{minutes % 1440 // 60:02}:{minutes % 60:02}"


def _read_named_time(match: re.Match[str]) -> Hit:
    return Hit(ValueKind.TIME, *match.span(), "00:00" if match["name"].lower() == "midnight" else "12:00")


_CLOCK_WORDS: Final = frozenset(
    words_in("am pm a p m clock oclock morning afternoon evening night half quarter uhr")
)

CLOCK: Final = Finder(_CLOCK, _read_clock, (":",), tokens=_CLOCK_WORDS | {"h"})
CLOCK_WORD: Final = Finder(_CLOCK_WORD, _read_clock, digit=False, tokens=_CLOCK_WORDS)
NAMED_TIME: Final = Finder(_NAMED_TIME, _read_named_time, ("noon", "midday", "midnight"), digit=False)
