"""Finders for dates, in figures or with the name of the month."""

from __future__ import annotations

import re
from typing import Final

from turnstate.core.values.finders.finder import Finder, Hit
from turnstate.core.values.numbers import ascii_digits
from turnstate.core.values.patterns import EDGE, STOP, any_of, words_in
from turnstate.core.values.types import ValueKind

_MONTHS: Final = {
    name: month
    for month, names in enumerate(
        words_in(
            "january,jan,januar,janvier,enero february,feb,februar,février,febrero march,mar,märz,mars,marzo "
            "april,apr,avril,abril may,mai,mayo june,jun,juni,juin,junio july,jul,juli,juillet,julio "
            "august,aug,août,agosto september,sep,sept,septembre,septiembre october,oct,oktober,octobre,octubre "
            "november,nov,novembre,noviembre december,dec,dezember,décembre,diciembre"
        ),
        start=1,
    )
    for name in names.split(",")
}
_ORDINALS: Final = {
    word: day
    for day, word in enumerate(
        words_in(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
            "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third "
            "twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
        ),
        start=1,
    )
}
_MONTH: Final = rf"(?P<month>{any_of(_MONTHS)})\b"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)(?!\d)"
_NTH: Final = rf"(?P<nth>{any_of(_ORDINALS)})\b"
_BEFORE_DAY: Final = r"on|by|until|till|before|after|from|to|for|since|through"
_ISO: Final = re.compile(
    rf"{EDGE}(?P<year>\d{{4}})(?P<sep>[-/.])(?P<month>\d{{1,2}})(?P=sep)(?P<day>\d{{1,2}})(?!\d|[-/.]?[A-SU-Za-z\d])"
)
_CJK_DATE: Final = re.compile(
    r"(?:(?P<year>\d{4})\s?年\s?)?(?<!\d)(?P<month>\d{1,2})\s?月\s?(?P<day>\d{1,2})\s?[日号]"
)
_NUMERIC: Final = re.compile(
    rf"{EDGE}(?<!\d[-/.])(?P<one>\d{{1,2}})(?P<sep>[-/.])(?P<two>\d{{1,2}})(?P=sep)(?P<year>\d{{4}}|\d{{2}})"
    rf"(?!\d|[-/.]\d|[A-Za-z_])"
)
_SHORT: Final = re.compile(
    rf"\b(?:{_BEFORE_DAY})\s+(?P<value>(?P<one>\d{{1,2}})(?P<sep>/)(?P<two>\d{{1,2}})){STOP}(?!/)",
    re.IGNORECASE,
)
_MONTH_FIRST: Final = re.compile(
    rf"{EDGE}{_MONTH}\.?\s+(?:the\s+)?(?:(?P<day>\d{{1,2}})(?!\d|:)(?P<suffix>st|nd|rd|th)?(?:,?\s+{_YEAR})?|"
    rf"(?P<only>(?:19|20)\d\d)){STOP}",
    re.IGNORECASE,
)
_MONTH_NTH: Final = re.compile(rf"{EDGE}{_MONTH}\.?\s+(?:the\s+)?{_NTH}", re.IGNORECASE)
_NTH_MONTH: Final = re.compile(rf"{EDGE}{_NTH}\s+of\s+{_MONTH}{STOP}", re.IGNORECASE)
_DAY_FIRST: Final = re.compile(
    rf"{EDGE}(?<!\d[.,/-])(?P<day>\d{{1,2}})(?P<suffix>st|nd|rd|th|er|º|\.)?\s*(?:of\s+|de\s+)?{_MONTH}"
    rf"(?:\.?,?\s+(?:de\s+|del\s+)?{_YEAR})?{STOP}",
    re.IGNORECASE,
)
_DAY_ONLY: Final = re.compile(
    rf"\b(?:(?P<before>{_BEFORE_DAY})\s+)?(?P<the>the\s+)?(?P<value>(?P<day>\d{{1,2}})(?:st|nd|rd|th))\b"
    rf"(?:(?P<month>\s+of\s+(?:this|the|next)\s+month)|(?P<end>\s*(?:[,.;!?]|$)))?",
    re.IGNORECASE,
)


def _date(match: re.Match[str], year: str | None, month: int, day: int | None) -> Hit | None:
    """The hit for a date with a plausible month and day."""
    days = 29 if month == 2 else 30 if month in {4, 6, 9, 11} else 31
    if not (1 <= month <= 12 and 1 <= (day or 1) <= days):
        return None
    group = "value" if "value" in match.re.groupindex else 0
    norm = f"{ascii_digits(year or '????')}-{month:02}-{'??' if day is None else f'{day:02}'}"
    return Hit(ValueKind.DATE, *match.span(group), norm)


def _read_ordered(match: re.Match[str]) -> Hit | None:
    """Year, month and day in this order."""
    return _date(match, match["year"], int(match["month"]), int(match["day"]))


def _read_numeric(match: re.Match[str]) -> Hit | None:
    """Day and month in figures: dots mean day first; otherwise the numbers decide, or the order stays open."""
    one, two, year = int(match["one"]), int(match["two"]), match.groupdict().get("year")
    if year and len(year) == 2:
        year = f"{20 if int(year) < 70 else 19}{year}"
    month_first = None if match["sep"] == "." else _date(match, year, one, two)
    day_first = _date(match, year, two, one)
    if month_first and day_first and month_first.norm != day_first.norm:
        low, high = sorted((one, two))
        return day_first._replace(norm=f"{day_first.norm[:4]}-{low:02}|{high:02}")
    return month_first or day_first


def _read_named(match: re.Match[str]) -> Hit | None:
    """A date with the month's name; a lower-case "may" needs more than a number beside it to be a month."""
    groups = match.groupdict()
    month, year, nth = _MONTHS[match["month"].lower()], groups.get("year"), groups.get("nth")
    if only := groups.get("only"):
        return _date(match, only, month, None)
    if match["month"] == "may" and not (groups.get("suffix") or year):
        return None
    return _date(match, year, month, _ORDINALS[nth.lower()] if nth else int(match["day"]))


def _read_day(match: re.Match[str]) -> Hit | None:
    """A day of an unnamed month, said as a date ("on the 6th") and not as a rank ("the 6th time")."""
    hit = _date(match, None, 1, int(match["day"]))
    said = match["month"] or (match["the"] and (match["before"] is not None or match["end"] is not None))
    return hit._replace(norm=f"????-??-{hit.norm[-2:]}") if hit and said else None


_STEMS: Final = tuple({name[:3] for name in _MONTHS})

CJK_DATE: Final = Finder(_CJK_DATE, _read_ordered, ("月",))
ISO_DATE: Final = Finder(_ISO, _read_ordered, ("-", "/", "."))
NUMERIC_DATE: Final = Finder(_NUMERIC, _read_numeric, ("-", "/", "."))
DAY_FIRST: Final = Finder(_DAY_FIRST, _read_named, _STEMS)
MONTH_FIRST: Final = Finder(_MONTH_FIRST, _read_named, _STEMS)
MONTH_NTH: Final = Finder(_MONTH_NTH, _read_named, _STEMS, digit=False)
NTH_MONTH: Final = Finder(_NTH_MONTH, _read_named, _STEMS, digit=False)
SHORT_DATE: Final = Finder(_SHORT, _read_numeric, ("/",))
DAY_ONLY: Final = Finder(_DAY_ONLY, _read_day, ("the ", "month"))
