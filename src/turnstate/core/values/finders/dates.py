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
    rf"(?=\d){EDGE}(?P<year>\d{{4}})(?P<sep>[-/.])(?P<month>\d{{1,2}})(?P=sep)(?P<day>\d{{1,2}})(?!\d|[-/.]?[A-SU-Za-z\d])"
)
_CJK_DATE: Final = re.compile(
    r"(?:(?P<year>\d{4})\s?年\s?)?(?<!\d)(?P<month>\d{1,2})\s?月\s?(?P<day>\d{1,2})\s?[日号]"
)
_NUMERIC: Final = re.compile(
    rf"(?=\d){EDGE}(?<!\d[-/.])(?P<one>\d{{1,2}})(?P<sep>[-/.])(?P<two>\d{{1,2}})(?P=sep)(?P<year>\d{{4}}|\d{{2}})"
    rf"(?!\d|[-/.]\d|[A-Za-z_])"
)
_SHORT: Final = re.compile(
    rf"(?:\b(?:{_BEFORE_DAY}|due|dated?|arriv\w{{1,4}}|depart\w{{0,4}}|leav\w{{1,4}}|return\w{{0,4}}|expires?|\w{{3,6}}day),?\s+|^\s*)"
    rf"(?P<value>(?P<one>\d{{1,2}})(?P<sep>/)(?P<two>\d{{1,2}})){STOP}(?![/%])(?P<after>\s*[^\s,.;:!?()]{{0,12}})",
    re.IGNORECASE,
)
_FRACTIONS: Final = frozenset(words_in("1/2 1/3 2/3 1/4 3/4 1/5 2/5 3/5 4/5 1/8 3/8 5/8 7/8"))
_RANGE_END: Final = re.compile(
    rf"{EDGE}{_MONTH}\.?\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?(?P<joint>\s?[-–—]\s?|\s+(?:to|thru|through|until|till|and)\s+)"
    rf"(?:the\s+)?(?P<value>(?P<day>\d{{1,2}})(?P<suffix>st|nd|rd|th)?(?:,?\s+{_YEAR})?){STOP}"
    rf"(?![:/%]|[.,]\d|-|\s?(?:[ap]\.?m\b|{any_of(_MONTHS)}\b))(?P<after>\s*[A-Za-z]?)",
    re.IGNORECASE,
)
_RANGE_START: Final = re.compile(
    rf"(?=\d){EDGE}(?<!\d[.,/-])(?P<value>(?P<day>\d{{1,2}})(?P<suffix>st|nd|rd|th)?)(?P<joint>\s?[-–—]\s?|\s+(?:to|thru|through|until|till|and)\s+)"
    rf"(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?{_MONTH}(?:\.?,?\s+{_YEAR})?{STOP}",
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
    rf"(?=\d){EDGE}(?<!\d[.,/-])(?P<day>\d{{1,2}})(?P<suffix>st|nd|rd|th|er|º|\.)?\s*(?:of\s+|de\s+)?{_MONTH}"
    rf"(?:\.?,?\s+(?:de\s+|del\s+)?{_YEAR})?{STOP}",
    re.IGNORECASE,
)
_DAY_ONLY: Final = re.compile(
    rf"\b(?:(?P<before>{_BEFORE_DAY})\s+)?(?P<the>the\s+)?(?P<value>(?P<day>\d{{1,2}})(?:st|nd|rd|th)\b"
    rf"(?P<month>\s+of\s+(?:this|the|next)\s+month\b)?)(?P<end>\s*(?:[,.;!?]|$))?",
    re.IGNORECASE,
)

_COUNTED: Final = re.compile(
    r"\s+(?:people|persons?|guests|adults|kids|children|miles|km|kilometers|kilometres|meters|metres|hours?|minutes|days|"
    r"weeks|months|years|times|percent|dollars|bucks|euros|agents|users|customers|employees|tickets|items|orders)\b",
    re.IGNORECASE,
)
_MODAL: Final = re.compile(r"\s+(?:have|be|not|never|also|or\s+may|need|want)\b", re.IGNORECASE)
_AFTER_DATE: Final = frozenset(words_in("at to through until till and or for by from around i we please"))


def _date(match: re.Match[str], year: str | None, month: int, day: int | None) -> Hit | None:
    """The hit for a date with a plausible month and day."""
    days = 29 if month == 2 else 30 if month in {4, 6, 9, 11} else 31
    if not (1 <= month <= 12 and (day is None or 1 <= day <= days)):
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
    marked = groups.get("suffix") or year
    if not marked and (match["month"] == "may" or _counted(match)):
        return None
    return _date(match, year, month, _ORDINALS[nth.lower()] if nth else int(match["day"]))


def _counted(match: re.Match[str]) -> bool:
    """Whether the number beside the month counts something ("March 8 miles"), or the month is a verb ("12 May have")."""
    behind = match["month"].lower() == "may" and match.string[match.start() : match.start() + 1].isdecimal()
    return (_MODAL if behind else _COUNTED).match(match.string, match.end()) is not None


def _read_short(match: re.Match[str]) -> Hit | None:
    """A day and a month after a word that announces a date, or alone; "1/2 cup", "24/7" and "9/11" are none."""
    value, after = match["value"], match["after"].strip()
    announced = match.start("value") > len(match[0]) - len(match[0].lstrip()) + match.start()
    if value == "24/7" or (not announced and (after or value == "9/11" or value in _FRACTIONS)):
        return None
    if announced and value in _FRACTIONS and after and after.lower() not in _AFTER_DATE:
        return None
    return _read_numeric(match)


def _read_range(match: re.Match[str]) -> Hit | None:
    """The end of a range of days that lacks its month: of "March 5-8" the 8, of "5-8 March" the 5."""
    groups, month = match.groupdict(), _MONTHS[match["month"].lower()]
    year, after = groups["year"], groups.get("after") or ""
    joined = match["joint"].strip().lower() == "and"
    if match["month"] == "may" and not (match["suffix"] or year):
        return None
    if joined and after.strip() and not (match["suffix"] or year):
        return None
    return (
        _date(match, year, month, int(match["day"]))
        if not _COUNTED.match(match.string, match.end("value"))
        else None
    )


def _read_day(match: re.Match[str]) -> Hit | None:
    """A day of an unnamed month, said as a date ("on the 6th") and not as a rank ("the 6th time")."""
    hit = _date(match, None, 1, int(match["day"]))
    said = match["month"] or (match["the"] and (match["before"] is not None or match["end"] is not None))
    later = " +1 month" if match["month"] and "next" in match["month"].lower() else ""
    return hit._replace(norm=f"????-??-{hit.norm[-2:]}{later}") if hit and said else None


_NAMES: Final = frozenset(_MONTHS)

CJK_DATE: Final = Finder(_CJK_DATE, _read_ordered, ("月",))
ISO_DATE: Final = Finder(_ISO, _read_ordered, ("-", "/", "."))
NUMERIC_DATE: Final = Finder(_NUMERIC, _read_numeric, ("-", "/", "."))
DAY_FIRST: Final = Finder(_DAY_FIRST, _read_named, tokens=_NAMES)
MONTH_FIRST: Final = Finder(_MONTH_FIRST, _read_named, tokens=_NAMES, anchored=True)
MONTH_NTH: Final = Finder(_MONTH_NTH, _read_named, digit=False, tokens=_NAMES, anchored=True)
NTH_MONTH: Final = Finder(_NTH_MONTH, _read_named, digit=False, tokens=_NAMES)
SHORT_DATE: Final = Finder(_SHORT, _read_short, ("/",))
RANGE_END: Final = Finder(_RANGE_END, _read_range, tokens=_NAMES, anchored=True)
RANGE_START: Final = Finder(_RANGE_START, _read_range, tokens=_NAMES)
DAY_ONLY: Final = Finder(_DAY_ONLY, _read_day, tokens=frozenset(words_in("st nd rd th")))
