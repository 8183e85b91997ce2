"""Finders for dates that depend on when they are said: "tomorrow", "next Friday", "in two weeks"."""

from __future__ import annotations

import re
from typing import Final

from turnstate.core.values.finders.finder import Finder, Hit
from turnstate.core.values.numbers import SPELLED, number
from turnstate.core.values.patterns import EDGE, TAKEN, any_of, words_in
from turnstate.core.values.types import ValueKind

WEEKDAYS: Final = words_in("monday tuesday wednesday thursday friday saturday sunday")
"""Monday first, as dates count them."""
_DAY: Final = rf"(?P<weekday>{any_of(WEEKDAYS)})(?![-\w]|['’]s)"
_COUNT: Final = rf"(?P<count>\d{{1,3}}|{SPELLED}|an?|a\s+couple(?:\s+of)?)\s+(?P<unit>day|week|month|year)s?"
_NAMED: Final = re.compile(
    rf"{EDGE}(?:(?:the\s+)?(?P<far>day\s+after\s+tomorrow|day\s+before\s+yesterday)"
    r"|(?:(?:later|earlier)\s+)?(?P<near>today|tonight|tomorrow|yesterday))(?![-\w]|['’]s)",
    re.IGNORECASE,
)
_WEEKDAY: Final = re.compile(
    rf"{EDGE}(?<!-)(?:(?P<which>this\s+coming|this\s+past|next|this|coming|last|past)\s+)?{_DAY}"
    r"(?:\s+(?P<week>next\s+week|this\s+week|last\s+week|in\s+two\s+weeks))?",
    re.IGNORECASE,
)
_FROM_NOW: Final = re.compile(
    rf"{EDGE}(?:in\s+{_COUNT}(?:['’]?\s+time)?(?![-\w])|{_COUNT.replace('<count>', '<count2>').replace('<unit>', '<unit2>')}"
    r"\s+(?P<way>ago|from\s+(?:now|today))(?!\w))",
    re.IGNORECASE,
)
_NEAR: Final = {
    "today": 0,
    "tonight": 0,
    "tomorrow": 1,
    "yesterday": -1,
    "day after tomorrow": 2,
    "day before yesterday": -2,
}
_SMALLTALK: Final = re.compile(
    r"\b(?:(?:help|assist|serve|are|how['’]?s|do\s+for|contact\w*|call\w*|join\w*|chat\w*|reach\w*|with|for)\s+(?:you|us|me|our\s+\w+)"
    r"(?:\s+(?:with|doing|out|feeling|else|to\s+\w+))?|anything\s+else|doing|day)\s+$",
    re.IGNORECASE,
)
_REPEATED: Final = re.compile(
    r"(?:every|each|all|black|good|super|\bto|through|thru|until)\s+$|[-–—/]$", re.IGNORECASE
)
_GOES_ON: Final = re.compile(rf"\s*(?:[-–—/]|to|through|thru)\s*(?:{any_of(WEEKDAYS)})", re.IGNORECASE)
_BEHIND: Final = re.compile(rf"{TAKEN},?\s?\(?$")
_AHEAD: Final = re.compile(rf",?\s?\(?(?:the\s+)?{TAKEN}")


def _said(match: re.Match[str], open_date: str) -> Hit:
    return Hit(ValueKind.DATE, *match.span(), f"????-??-?? {open_date}")


def _read_named(match: re.Match[str]) -> Hit | None:
    """A day beside the one it is said on; "How can I help you today?" names none."""
    name = " ".join((match["far"] or match["near"]).lower().split())
    start = match.start()
    if name == "today" and _SMALLTALK.search(match.string, max(0, start - 40), start):
        return None
    return _said(match, f"{_NEAR[name]:+}")


def _read_weekday(match: re.Match[str]) -> Hit | None:
    """One day of a week: neither a habit ("every Friday", "Monday to Friday") nor what a date beside it names."""
    text, start, end = match.string, *match.span()
    beside = text[max(0, start - 12) : start]
    which = (match["which"] or "").lower()
    if _REPEATED.search(beside) or _GOES_ON.match(text, end):
        return None
    if not which and (_BEHIND.search(beside) or _AHEAD.match(text, end)):
        return None
    week = " ".join((match["week"] or "").lower().split())
    if week.startswith("in"):
        return None
    form = {"next week": "week+1 ", "this week": "week+0 ", "last week": "week-1 "}.get(week, "")
    if not form and which:
        form = {"next": "next ", "last": "last ", "past": "last "}.get(which.rpartition(" ")[2], "this ")
    return _said(match, f"{form}{match['weekday'][:3].lower()}")


def _read_from_now(match: re.Match[str]) -> Hit | None:
    """So many days, weeks, months or years from now, or ago."""
    said, unit = match["count"] or match["count2"], (match["unit"] or match["unit2"]).lower()
    words = said.lower().split()
    count = 2 if "couple" in words else 1 if words[0] in {"a", "an"} else number(said)
    if count is None or count > 999:
        return None
    many = int(count) * {"week": 7, "year": 12}.get(unit, 1) * (-1 if match["way"] == "ago" else 1)
    return _said(match, f"{many:+}{' month' if unit in {'month', 'year'} else ''}")


NAMED_DAY: Final = Finder(
    _NAMED, _read_named, digit=False, tokens=frozenset(words_in("today tonight tomorrow yesterday"))
)
WEEKDAY: Final = Finder(_WEEKDAY, _read_weekday, digit=False, tokens=frozenset(WEEKDAYS))
FROM_NOW: Final = Finder(
    _FROM_NOW,
    _read_from_now,
    digit=False,
    tokens=frozenset(words_in("day days week weeks month months year years")),
)
