"""Values that must stay exact (ids, amounts, dates…): found in a text, normalised, compared.

`FINDERS` is the table that drives `find`: the most specific finder comes first, and what it took is invisible to those
after it. A new kind of value is a new row, a new language is new words in the tables. Every pattern is linear in the
text: repetitions are bounded, or start only where a token starts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from enum import StrEnum
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias


class ValueKind(StrEnum):
    """What kind of thing a value is."""

    ID = "id"
    EMAIL = "email"
    URL = "url"
    PHONE = "phone"
    MONEY = "money"
    PERCENT = "percent"
    DATE = "date"
    TIME = "time"
    DURATION = "duration"
    QUANTITY = "quantity"
    PATH = "path"
    VERSION = "version"
    QUOTED = "quoted"


@dataclass(frozen=True, slots=True)
class Value:
    """One value as it stands in a text.

    Attributes:
        kind: what it is.
        text: its words, exactly `source[start:end]`.
        start: first code point.
        end: one past the last code point.
        norm: what it means, in one spelling: `12345`, `1200 USD`, `2026-03-11` (`?` for what was not said, `03|11` for
            a day and a month in unknown order), `19:30` (`07:30?` without am or pm), `1209600 s`, `1.5 kg` as `1500 g`.
    """

    kind: ValueKind
    text: str
    start: int
    end: int
    norm: str


class _Hit(NamedTuple):
    kind: ValueKind
    start: int
    end: int
    norm: str


_Read: TypeAlias = Callable[[re.Match[str]], _Hit | None]


class Finder(NamedTuple):
    """One row of the table of finders.

    Attributes:
        pattern: where a value may stand.
        read: what stands there, or None.
        words: the text, in lower case, must contain one of them (any text will do where there are none).
        digit: the text must contain a digit.
    """

    pattern: re.Pattern[str]
    read: _Read
    words: tuple[str, ...] = ()
    digit: bool = True


_EDGE: Final = r"(?<![0-9A-Za-z_\d])"
_STOP: Final = r"(?![0-9A-Za-z_\d])"
_TAKEN: Final = "\ufffc"  # stands where an earlier finder took a value: no pattern matches it


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _any_of(words: Iterable[str]) -> str:
    """An alternation, longest first; a blank matches any run of blanks."""
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True))


# Numbers -------------------------------------------------------------------------------------------------------------

_CONTEXT: Final = Context(prec=60)
_GAP: Final = "\u00a0\u202f"
_GROUPED: Final = rf"\d{{1,3}}(?:[,.'’{_GAP}]\d{{3}}){{1,6}}(?!\d)(?:[.,]\d{{1,2}}(?!\d))?"
_FIGURE: Final = rf"(?<!\d[.,])(?:{_GROUPED}|\d{{1,18}}(?:[.,]\d{{1,4}})?(?!\d))"
_SMALL: Final[dict[str, int]] = dict(
    zip(
        _words(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
        ),
        (*range(20), *range(20, 100, 10)),
        strict=True,
    )
)
_SCALES: Final = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
_NUMBER_WORD: Final = rf"(?:{_any_of((*_SMALL, *_SCALES))})"
_SPELLED: Final = rf"(?>{_NUMBER_WORD}(?:(?:[ -]|\sand\s){_NUMBER_WORD}\b){{0,7}})"
_MAGNITUDES: Final = {"k": 3, "thousand": 3, "m": 6, "mn": 6, "million": 6, "bn": 9, "billion": 9}
_MAGNITUDE: Final = rf"(?:\s?(?P<magnitude>{_any_of(_MAGNITUDES)}){_STOP})?"


def ascii_digits(text: str) -> str:
    """`text` with every decimal digit, of whatever script, as 0 to 9; its length is the same."""
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)


def number(text: str, *, dot_groups: bool = False) -> Decimal | None:
    """The number that `text` is, in figures (separators of either style) or English words; None where it is none.

    Args:
        text: the number alone, without a unit.
        dot_groups: whether `1.200` is twelve hundred.
    """
    words = re.findall(r"[^\W\d_]+", text.casefold())
    if words:
        known = all(word in _SMALL or word in _SCALES or word == "and" for word in words)
        return _spelled(words) if known and not re.search(r"\d", text) else None
    figures = re.sub(rf"[\s{_GAP}'’]", "", ascii_digits(text))
    if not re.fullmatch(r"[+-]?\d{1,60}(?:[.,]\d{1,60}){0,20}", figures):
        return None
    parts, marks = re.split(r"[.,]", figures), re.findall(r"[.,]", figures)
    if not marks:
        return Decimal(figures)
    if len(marks) > 1:
        decimal = marks[-1] != marks[0]
    else:
        decimal = len(parts[-1]) != 3 or parts[0] == "0" or (marks[0] == "." and not dot_groups)
    return Decimal(f"{''.join(parts[:-1])}.{parts[-1]}" if decimal else "".join(parts))


def _spelled(words: list[str]) -> Decimal:
    total = current = 0
    for word in words:
        if scale := _SCALES.get(word):
            current = max(current, 1) * scale
            if scale > 100:
                total, current = total + current, 0
        else:
            current += _SMALL.get(word, 0)
    return Decimal(total + current)


class Number(NamedTuple):
    """A number as it stands in a text, in figures or words."""

    value: Decimal
    start: int
    end: int


_NUMBER: Final = re.compile(rf"(?<!\d)[+-]?{_FIGURE}|(?<![^\W_]){_SPELLED}(?![^\W_])", re.IGNORECASE)


def numbers(text: str) -> tuple[Number, ...]:
    """The numbers of `text` in order, whatever they count."""
    found = ((match, number(match[0])) for match in _NUMBER.finditer(text))
    return tuple(Number(value, *match.span()) for match, value in found if value is not None)


def plain(amount: Decimal) -> str:
    """One spelling per number: no exponent, no trailing zeros."""
    text = format(amount, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


# Units: what stands beside a number and says what it counts ----------------------------------------------------------


class _Unit(NamedTuple):
    kind: ValueKind
    name: str
    factor: Decimal


def _units(kind: ValueKind, table: str) -> Iterator[tuple[str, _Unit]]:
    """Units from `name factor alias,alias` entries: so many of `name` are one alias."""
    for entry in re.split(r"[;\n]", table.strip()):
        name, factor, aliases = entry.split(maxsplit=2)
        yield from ((alias, _Unit(kind, name, Decimal(factor))) for alias in aliases.split(","))


_CODES: Final = _words(
    "AED ARS AUD BRL CAD CHF CLP CNY COP CZK DKK EUR GBP HKD HUF IDR ILS INR JPY KRW MXN MYR NOK NZD PHP PKR PLN RON "
    "RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR"
)
_DOT_GROUPS: Final = _words("ARS BRL CLP COP DKK EUR IDR NOK SEK TRY VND")
_SYMBOLS: Final[dict[str, str]] = {
    symbol: code
    for pair in _words(
        "$:USD US$:USD CA$:CAD C$:CAD A$:AUD AU$:AUD NZ$:NZD HK$:HKD S$:SGD MX$:MXN R$:BRL €:EUR £:GBP ¥:JPY ￥:JPY "
        "₹:INR ₩:KRW ₽:RUB ₺:TRY ₪:ILS ₫:VND ₴:UAH ฿:THB"
    )
    for symbol, _, code in (pair.partition(":"),)
}
_DURATIONS: Final = """
s 1 sec,secs,second,seconds; s 60 min,mins,minute,minutes; s 3600 h,hr,hrs,hour,hours
s 86400 day,days,calendar day,calendar days; s 604800 wk,wks,week,weeks
workday 1 business day,business days,working day,working days,workday,workdays
month 1 month,months; month 12 yr,yrs,year,years; night 1 night,nights
"""
_QUANTITIES: Final = """
g 0.001 mg,milligram,milligrams; g 1 g,gram,grams; g 1000 kg,kgs,kilo,kilos,kilogram,kilograms
lb 1 lb,lbs; pound 1 pound,pounds; oz 1 oz,ounce,ounces
mm 1 mm,millimeter,millimeters,millimetre,millimetres; mm 10 cm,centimeter,centimeters,centimetre,centimetres
mm 1000 m,meter,meters,metre,metres; mm 1000000 km,kms,kilometer,kilometers,kilometre,kilometres
in 1 inch,inches,″; in 12 ft,foot,feet; in 36 yd,yard,yards; mi 1 mi,mile,miles
ml 1 ml,milliliter,milliliters,millilitre,millilitres; ml 10 cl; ml 1000 l,L,liter,liters,litre,litres
gal 1 gal,gallon,gallons; sqm 1 m²,sqm,m2,square meters,square metres; sqft 1 sqft,sq ft,square feet
KB 1 kb,kilobytes; MB 1 mb,megabyte,megabytes; GB 1 gb,gigabyte,gigabytes; TB 1 tb,terabyte,terabytes
Mbps 1 mbps,Mbit/s; Gbps 1 gbps,Gbit/s; mph 1 mph; km/h 1 km/h,kmh,kph; GHz 1 ghz; px 1 px,pixel,pixels
C 1 °C,℃,degrees celsius; F 1 °F,degrees fahrenheit; degree 1 °,degree,degrees
mAh 1 mah; W 1 W,watt,watts; W 1000 kw; kWh 1 kwh; V 1 V,volt,volts; kcal 1 kcal,calories
"""
_CURRENCIES: Final = """
USD 1 dollar,dollars,bucks,buck,usd; USD 0.01 cent,cents; EUR 1 euro,euros,eur; GBP 1 quid,gbp,pounds sterling
GBP 0.01 pence; INR 1 rupee,rupees,inr; JPY 1 yen,円; CNY 1 yuan,元,rmb; CAD 1 cad; AUD 1 aud; CHF 1 francs
KR 1 kr,kronor,kroner; MXN 1 pesos
"""
_UNITS: Final = {
    **dict(_units(ValueKind.PERCENT, "% 1 %,％,percent,per cent,pct,prozent")),
    **dict(_units(ValueKind.DURATION, _DURATIONS)),
    **dict(_units(ValueKind.QUANTITY, _QUANTITIES)),
    **dict(_units(ValueKind.MONEY, _CURRENCIES)),
    **{code: _Unit(ValueKind.MONEY, code, Decimal(1)) for code in _CODES},
    **{symbol: _Unit(ValueKind.MONEY, code, Decimal(1)) for symbol, code in _SYMBOLS.items()},
}
_UNIT: Final = rf"\s?-?(?P<unit>{_any_of(_UNITS)})(?:(?<![0-9A-Za-z])|{_STOP})"
_MEASURED: Final = re.compile(
    rf"{_EDGE}(?P<low>{_FIGURE})(?:\s?(?:[-–—]|\bto\b)\s?(?P<high>{_FIGURE}))?{_MAGNITUDE}{_UNIT}",
    re.IGNORECASE,
)
_MEASURED_WORDS: Final = re.compile(
    rf"{_EDGE}(?<!-)(?P<low>{_SPELLED})(?:\s(?:to|or)\s(?P<high>{_SPELLED}))?{_UNIT}", re.IGNORECASE
)
_PRICED: Final = re.compile(
    rf"(?<![0-9A-Za-z])(?P<unit>{_any_of((*_SYMBOLS, *_CODES))})\s?(?P<low>{_FIGURE})(?i:{_MAGNITUDE})"
)
_EUROPEAN: Final = re.compile(
    rf"{_EDGE}(?<!\d[ .,])(?P<low>\d{{1,3}}(?: \d{{3}}){{1,4}}(?:,\d{{1,2}})?)\s?(?P<unit>€|₽|EUR|CHF|PLN|SEK|NOK|DKK|CZK|kr)"
    rf"(?:(?<![A-Za-z])|{_STOP})"
)


def _unit(alias: str) -> _Unit | None:
    """The unit so written; case counts where it is one letter or a currency's code."""
    alias = re.sub(r"\s+", " ", alias)
    return _UNITS.get(alias) or (_UNITS.get(alias.lower()) if len(alias) > 1 else None)


def _read_measured(match: re.Match[str]) -> _Hit | None:
    groups, unit = match.groupdict(), _unit(match["unit"])
    if unit is None:
        return None
    magnitude = groups.get("magnitude")
    factor = unit.factor.scaleb(_MAGNITUDES[magnitude.lower()] if magnitude else 0)
    amounts = [
        plain(_CONTEXT.multiply(amount, factor))
        for text in (groups["low"], groups.get("high"))
        if text and (amount := number(text, dot_groups=unit.name in _DOT_GROUPS)) is not None
    ]
    sign = "%" if unit.kind is ValueKind.PERCENT else f" {unit.name}"
    return _Hit(unit.kind, *match.span(), "-".join(amounts) + sign) if amounts else None


# Dates and times -----------------------------------------------------------------------------------------------------

_MONTHS: Final = {
    name: month
    for month, names in enumerate(
        _words(
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
        _words(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
            "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third "
            "twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
        ),
        start=1,
    )
}
_MONTH: Final = rf"(?P<month>{_any_of(_MONTHS)})\b"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)(?!\d)"
_NTH: Final = rf"(?P<nth>{_any_of(_ORDINALS)})\b"
_BEFORE_DAY: Final = r"on|by|until|till|before|after|from|to|for|since|through"
_ISO: Final = re.compile(
    rf"{_EDGE}(?P<year>\d{{4}})(?P<sep>[-/.])(?P<month>\d{{1,2}})(?P=sep)(?P<day>\d{{1,2}})(?!\d|[-/.]?[A-SU-Za-z\d])"
)
_CJK_DATE: Final = re.compile(
    r"(?:(?P<year>\d{4})\s?年\s?)?(?<!\d)(?P<month>\d{1,2})\s?月\s?(?P<day>\d{1,2})\s?[日号]"
)
_NUMERIC: Final = re.compile(
    rf"{_EDGE}(?<!\d[-/.])(?P<one>\d{{1,2}})(?P<sep>[-/.])(?P<two>\d{{1,2}})(?P=sep)(?P<year>\d{{4}}|\d{{2}})"
    rf"(?!\d|[-/.]\d|[A-Za-z_])"
)
_SHORT: Final = re.compile(
    rf"\b(?:{_BEFORE_DAY})\s+(?P<value>(?P<one>\d{{1,2}})(?P<sep>/)(?P<two>\d{{1,2}})){_STOP}(?!/)",
    re.IGNORECASE,
)
_MONTH_FIRST: Final = re.compile(
    rf"{_EDGE}{_MONTH}\.?\s+(?:the\s+)?(?:(?P<day>\d{{1,2}})(?!\d|:)(?P<suffix>st|nd|rd|th)?(?:,?\s+{_YEAR})?|"
    rf"(?P<only>(?:19|20)\d\d)){_STOP}",
    re.IGNORECASE,
)
_MONTH_NTH: Final = re.compile(rf"{_EDGE}{_MONTH}\.?\s+(?:the\s+)?{_NTH}", re.IGNORECASE)
_NTH_MONTH: Final = re.compile(rf"{_EDGE}{_NTH}\s+of\s+{_MONTH}{_STOP}", re.IGNORECASE)
_DAY_FIRST: Final = re.compile(
    rf"{_EDGE}(?<!\d[.,/-])(?P<day>\d{{1,2}})(?P<suffix>st|nd|rd|th|er|º|\.)?\s*(?:of\s+|de\s+)?{_MONTH}"
    rf"(?:\.?,?\s+(?:de\s+|del\s+)?{_YEAR})?{_STOP}",
    re.IGNORECASE,
)
_DAY_ONLY: Final = re.compile(
    rf"\b(?:(?P<before>{_BEFORE_DAY})\s+)?(?P<the>the\s+)?(?P<value>(?P<day>\d{{1,2}})(?:st|nd|rd|th))\b"
    rf"(?:(?P<month>\s+of\s+(?:this|the|next)\s+month)|(?P<end>\s*(?:[,.;!?]|$)))?",
    re.IGNORECASE,
)
_HOURS: Final = {word: hour for word, hour in _SMALL.items() if 1 <= hour <= 12}
_PART_BEFORE: Final = r"(?:(?P<before>morning|afternoon|evening)\s+(?:at\s+)?)?"
_RELATIVE: Final = r"(?:(?P<relative>half\s+past|quarter\s+past|quarter\s+to)\s+)?"
_MINUTE: Final = r"(?:(?P<sep>[:.h])(?P<minute>[0-5]\d)(?::[0-5]\d(?:\.\d{1,9})?)?)?(?!\d|:\d)"
_HALF: Final = r"""(?:\s?(?P<half>[ap]m\b|[ap]\.\s?m\.?)|\s?(?P<clock>o['’"]?\s?clock|uhr)\b|Z\b)?"""
_PART_AFTER: Final = r"(?:\s+(?:in\s+the\s+|at\s+)?(?P<after>morning|afternoon|evening|night)\b)?"
_CLOCK: Final = re.compile(
    rf"(?:(?P<iso>(?<={_TAKEN})T)|(?<![0-9A-Za-z_\d:.,/-])){_PART_BEFORE}{_RELATIVE}(?P<hour>\d{{1,2}}){_MINUTE}{_HALF}{_PART_AFTER}",
    re.IGNORECASE,
)
_CLOCK_WORD: Final = re.compile(
    rf"{_EDGE}{_PART_BEFORE}{_RELATIVE}(?P<hour>{_any_of(_HOURS)})\b{_HALF}{_PART_AFTER}", re.IGNORECASE
)
_NAMED_TIME: Final = re.compile(r"\b(?P<name>noon|midday|midnight)\b", re.IGNORECASE)


def _date(match: re.Match[str], year: str | None, month: int, day: int | None) -> _Hit | None:
    """The hit for a date with a plausible month and day."""
    days = 29 if month == 2 else 30 if month in {4, 6, 9, 11} else 31
    if not (1 <= month <= 12 and 1 <= (day or 1) <= days):
        return None
    group = "value" if "value" in match.re.groupindex else 0
    norm = f"{ascii_digits(year or '????')}-{month:02}-{'??' if day is None else f'{day:02}'}"
    return _Hit(ValueKind.DATE, *match.span(group), norm)


def _read_ordered(match: re.Match[str]) -> _Hit | None:
    """Year, month and day in this order."""
    return _date(match, match["year"], int(match["month"]), int(match["day"]))


def _read_numeric(match: re.Match[str]) -> _Hit | None:
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


def _read_named(match: re.Match[str]) -> _Hit | None:
    """A date with the month's name; a lower-case "may" needs more than a number beside it to be a month."""
    groups = match.groupdict()
    month, year, nth = _MONTHS[match["month"].lower()], groups.get("year"), groups.get("nth")
    if only := groups.get("only"):
        return _date(match, only, month, None)
    if match["month"] == "may" and not (groups.get("suffix") or year):
        return None
    return _date(match, year, month, _ORDINALS[nth.lower()] if nth else int(match["day"]))


def _read_day(match: re.Match[str]) -> _Hit | None:
    """A day of an unnamed month, said as a date ("on the 6th") and not as a rank ("the 6th time")."""
    hit = _date(match, None, 1, int(match["day"]))
    said = match["month"] or (match["the"] and (match["before"] is not None or match["end"] is not None))
    return hit._replace(norm=f"????-??-{hit.norm[-2:]}") if hit and said else None


def _read_clock(match: re.Match[str]) -> _Hit | None:
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
        return _Hit(ValueKind.TIME, start, match.end(), _hhmm(minutes % 720 + 720 * later))
    certain = hour > 12 or word.startswith("0") or clock == "uhr" or iso
    return _Hit(ValueKind.TIME, start, match.end(), _hhmm(minutes) + ("" if certain else "?"))


def _hhmm(minutes: int) -> str:
    return f"{minutes % 1440 // 60:02}:{minutes % 60:02}"


def _read_named_time(match: re.Match[str]) -> _Hit:
    return _Hit(ValueKind.TIME, *match.span(), "00:00" if match["name"].lower() == "midnight" else "12:00")


# Addresses of machines and people ------------------------------------------------------------------------------------

_TLDS: Final = (
    "com|org|net|edu|gov|io|dev|app|ai|co|shop|store|info|biz|me|de|uk|fr|es|it|nl|ch|at|eu|jp|cn|in|br|ca|au|us|internal|"
    "local|test|example"
)
_URL: Final = re.compile(
    rf"(?<![0-9A-Za-z])(?:[a-z][a-z0-9+.-]{{1,15}}://|www\.)[^\s<>\"“”{_TAKEN}]{{2,}}", re.IGNORECASE
)
_HOST: Final = re.compile(
    rf"(?<![0-9A-Za-z_@.-])(?:[a-z0-9](?:[a-z0-9-]{{0,61}}[a-z0-9])?\.){{1,8}}(?:{_TLDS})\b(?:\.[a-z]{{2}}\b)?(?![@-])"
    rf"(?::\d{{1,5}})?(?:/[^\s<>\"“”{_TAKEN}]*)?",
    re.IGNORECASE,
)
_EMAIL: Final = re.compile(
    r"(?<![A-Za-z0-9.!#$%&'*+/=?^_`{|}~@-])[A-Za-z0-9_][A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{0,63}@"
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,24}(?![0-9A-Za-z@-])"
)
_PATH: Final = re.compile(
    r"(?<![0-9A-Za-z_/.~\\-])(?:[A-Za-z]:\\[\w.@+\\ -]{1,200}\w|(?:~|\.{1,2})?/[\w.@+-]{1,255}(?:/[\w.@+-]{1,255}){0,40}/?"
    r"|[\w.@+-]{1,255}(?:/[\w.@+-]{1,255}){1,40})"
)
_ENDINGS: Final = (
    "pdf|doc|docx|xls|xlsx|csv|txt|md|json|yaml|yml|toml|ini|log|py|js|ts|htm|html|css|sql|sh|zip|tar|gz|png|jpg|jpeg|gif|"
    "svg|mp3|mp4|wav|exe|dmg|apk"
)
_FILE: Final = re.compile(
    rf"{_EDGE}[A-Za-z0-9_][\w-]{{0,80}}(?:\.[\w-]{{1,40}}){{0,3}}\.(?:{_ENDINGS}){_STOP}", re.IGNORECASE
)
_PHONE: Final = re.compile(
    r"(?<![0-9A-Za-z_\d.,-])(?:"
    r"(?:\+|00)\d(?:[\s.()/-]{0,3}\d){6,14}"
    r"|\(\d{2,5}\)[\s.-]?\d(?:[\s.-]?\d){4,10}"
    r"|(?:1[\s.-])?\d{3}([\s.-])\d{3}\1\d{4}|\d{3}-\d{4}"
    r"|0\d{1,4}(?:[\s./-]\d{2,8}){1,5})(?![\d-]|[.,]\d|[A-Za-z_])"
)
_TRAILING: Final = ".,;:!?'’)]}>*"


def _read_url(match: re.Match[str]) -> _Hit | None:
    text = match[0].rstrip(_TRAILING)
    if "(" in text and match[0][len(text) :].startswith(")"):
        text += ")"
    head, slashes, rest = text.partition("://")
    scheme, tail = (head.lower(), rest) if slashes else ("", text)
    if not tail:
        return None
    host, slash, path = tail.partition("/")
    prefix = "" if scheme in {"", "http", "https"} else f"{scheme}://"
    norm = f"{prefix}{host.lower().removeprefix('www.')}{slash}{path}".rstrip("/")
    return _Hit(ValueKind.URL, match.start(), match.start() + len(text), norm)


def _read_email(match: re.Match[str]) -> _Hit:
    local, _, domain = match[0].rpartition("@")
    return _Hit(ValueKind.EMAIL, *match.span(), f"{local}@{domain.lower()}")


def _read_path(match: re.Match[str]) -> _Hit | None:
    """A path: from a root, or ending in a file with an extension; "and/or" and "1/2" are none."""
    text = match[0].rstrip(".")
    rooted = text[:1] in "/~" or text.startswith((".", "/")) or "\\" in text
    last = text.rstrip("/").rpartition("/")[2]
    named = re.search(r"[A-Za-z]", text) is not None and "@" not in text
    deep = text.count("/") > 1 or "\\" in text or re.search(r"\.[A-Za-z]\w{0,7}$", last) is not None
    file = re.search(r"\w\.[A-Za-z]\w{0,7}$", last) is not None
    if not named or not (deep if rooted else file):
        return None
    return _Hit(ValueKind.PATH, match.start(), match.start() + len(text), text.rstrip("/"))


def _read_file(match: re.Match[str]) -> _Hit:
    return _Hit(ValueKind.PATH, *match.span(), match[0])


def _read_phone(match: re.Match[str]) -> _Hit | None:
    digits = re.sub(r"\D", "", ascii_digits(match[0]))
    plus = match[0].startswith(("+", "00"))
    norm = f"+{digits.removeprefix('00')}" if plus else digits
    return _Hit(ValueKind.PHONE, *match.span(), norm) if 7 <= len(digits) <= 17 else None


# Ids, versions, bare numbers, quotations -----------------------------------------------------------------------------

_LABELS: Final = _words(
    "order invoice ticket case booking reservation confirmation tracking account customer member membership user policy "
    "claim request reference ref serial part item product sku po rma flight train pnr transaction receipt quote contract "
    "shipment parcel package voucher coupon certificate license licence passport vin imei model incident bug job employee "
    "student patient code number id bestellung bestellnummer rechnung rechnungsnummer auftrag auftragsnummer "
    "kundennummer commande facture réservation dossier pedido factura reserva"
)
_PLACES: Final = _words("gate seat room terminal platform locker bay unit apt apartment suite")
_NUMBER_OF: Final = r"(?:id|number|num|no\.?|nr\.?|nº|n°|code|ref\.?|reference|#)"
_CODE: Final = r"[A-Za-z\d]{1,64}(?:[-_][A-Za-z\d]{1,64}){0,10}"
_LABELLED: Final = re.compile(
    rf"(?<![A-Za-z\d_-])(?:(?=[A-Za-z_-]{{0,64}}\d){_CODE}|[A-Z]{{5,8}}){_STOP}(?![-_][A-Za-z\d]|[.,:]\d)"
)
_LABEL: Final = re.compile(
    rf"{_EDGE}(?:(?P<place>{_any_of(_PLACES)})|(?P<label>{_any_of(_LABELS)}))s?(?P<word>\s{{1,3}}{_NUMBER_OF}){{0,2}}"
    r"(?P<joint>\s{0,3}(?::|=|\bis\b|\bwas\b|\bist\b|\best\b|\bes\b))?\s{0,3}(?P<hash>#\s?)?$",
    re.IGNORECASE,
)
_LABEL_SPAN: Final = 48
_LABEL_WORDS: Final = {f"{label}{ending}" for label in (*_LABELS, *_PLACES) for ending in ("", "s")}
_HASHED: Final = re.compile(rf"(?<![0-9A-Za-z_#&])#\s?(?P<code>{_CODE}){_STOP}")
_UUID: Final = re.compile(
    rf"{_EDGE}[0-9a-f]{{8}}-(?:[0-9a-f]{{4}}-){{3}}[0-9a-f]{{12}}{_STOP}", re.IGNORECASE
)
_IP: Final = re.compile(rf"(?<![\w.])(?:\d{{1,3}}\.){{3}}\d{{1,3}}{_STOP}(?!\.\d)")
_GROUPS_OF_DIGITS: Final = re.compile(
    r"(?<![0-9A-Za-z_\d-])\d{4}(?:[ -]\d{4}){2,3}(?:[ -]\d{1,3})?(?![\dA-Za-z_-])"
)
_TOKEN: Final = re.compile(
    rf"(?<![0-9A-Za-z_\d-])(?=[A-Za-z_-]{{0,64}}\d){_CODE}(?![0-9A-Za-z_\d]|-[A-Za-z\d])"
)
_VERSION: Final = re.compile(
    r"(?<![0-9A-Za-z_\d.])(?:(?P<label>version|release)\s+)?(?P<value>v?(?P<number>\d{1,9}(?:\.\d{1,9}){0,4}(?:-[a-z]{1,8}\.?\d{0,4})?))"
    r"(?![0-9A-Za-z_\d-]|\.\d)",
    re.IGNORECASE,
)
_DIGITS: Final = re.compile(r"(?<![0-9A-Za-z_\d])(?<!\d[.,])\d{4,64}(?![0-9A-Za-z_\d]|[.,]\d)")
_BARE: Final = re.compile(
    rf"{_EDGE}(?<![-.,:/])(?P<low>{_GROUPED}|\d{{1,18}}[.,]\d{{1,9}})(?![0-9A-Za-z_\d]|[.,:/-]\d)"
)
_QUOTED: Final = re.compile(
    "|".join(
        f"{left}(?P<q{number}>[^{left}{right}\n{_TAKEN}]{{2,120}}){right}"
        for number, (left, right) in enumerate(('""', "“”", "«»", "„“", "「」", "『』", "‘’"))
    )
)
_COMMON: Final = re.compile(
    r"(?:19|20)?\d0s|\d{1,4}(?:st|nd|rd|th|x|k|d|p|g|er|e)|\d{1,3}-[a-z]+|[a-z]{1,6}\d{1,2}", re.IGNORECASE
)


def _id(code: str) -> str:
    return ascii_digits(code).lower()


def _read_labelled(match: re.Match[str]) -> _Hit | None:
    """An id after the word that says what it identifies; the word is part of the text where it stands beside the id."""
    code, start = match[0], match.start()
    beside = match.string[max(0, start - _LABEL_SPAN) : start].lower()
    if _LABEL_WORDS.isdisjoint(re.findall(r"[^\W\d_]+", beside)):
        return None
    label = _LABEL.search(match.string, max(0, start - _LABEL_SPAN), start)
    if label is None:
        return None
    digits = sum(char.isdecimal() for char in code)
    named = label["hash"] or label["word"] or label["place"]
    if digits:
        is_id = named or digits >= 3 or (digits < len(code) and len(code) >= 4)
    else:  # a code of capitals, as airlines use; among other capitals it is a word
        is_id = label["label"] is not None and not label["label"].isupper()
    is_phone = (label["label"] or "").lower() == "number" and _PHONE.fullmatch(code)
    if not is_id or is_phone or (_COMMON.fullmatch(code) and not label["place"]):
        return None
    return _Hit(ValueKind.ID, start if label["joint"] else label.start(), match.end(), _id(code))


def _read_hashed(match: re.Match[str]) -> _Hit | None:
    known = re.search(r"\d", match["code"])
    return _Hit(ValueKind.ID, *match.span(), _id(match["code"])) if known else None


def _read_id(match: re.Match[str]) -> _Hit:
    return _Hit(ValueKind.ID, *match.span(), _id(match[0]))


def _read_grouped_digits(match: re.Match[str]) -> _Hit:
    return _Hit(ValueKind.ID, *match.span(), re.sub(r"\D", "", ascii_digits(match[0])))


def _read_token(match: re.Match[str]) -> _Hit | None:
    """A token of letters and digits that looks assigned, not written: "ZFA04Y", "mia_li_3668", not "2nd" or "5-star"."""
    code = match[0]
    digits = sum(char.isdecimal() for char in code)
    letters = sum(char.isalpha() for char in code)
    assigned = (
        (digits >= 3 and len(code) >= 5)
        or (digits >= 2 and ("-" in code or "_" in code) and len(code) >= 5)
        or (code.upper() == code and len(code) >= 5)
        or (digits and "_" in code)
    )
    if not (digits and letters and assigned) or _COMMON.fullmatch(code):
        return None
    return _Hit(ValueKind.ID, *match.span(), _id(code))


def _read_version(match: re.Match[str]) -> _Hit | None:
    """Three parts, or a "v" or the word before it; four-digit years and plain decimals are none."""
    marked = match["label"] or match["value"][0] in "vV"
    if not (marked or match["number"].count(".") >= 2):
        return None
    return _Hit(ValueKind.VERSION, *match.span("value"), ascii_digits(match["number"]).lower())


def _read_digits(match: re.Match[str]) -> _Hit | None:
    digits = ascii_digits(match[0])
    year = len(digits) == 4 and digits[:2] in {"19", "20"}
    return None if year else _Hit(ValueKind.ID, *match.span(), digits)


def _read_bare(match: re.Match[str]) -> _Hit | None:
    amount = number(match["low"])
    return _Hit(ValueKind.QUANTITY, *match.span(), plain(amount)) if amount is not None else None


def _read_quoted(match: re.Match[str]) -> _Hit | None:
    """Words in quotation marks; the strings of JSON are not quotations."""
    inner = next(text for text in match.groups() if text is not None)
    text, start, end = match.string, match.start(), match.end()
    before, after = text[max(0, start - 4) : start].rstrip()[-2:], text[end : end + 2].lstrip()
    as_json = match[0][0] == '"' and (before[-1:] in {"{", "["} or before == '":' or after[:1] == ":")
    if as_json or not any(char.isalnum() for char in inner) or inner != inner.strip():
        return None
    return _Hit(ValueKind.QUOTED, *match.span(), " ".join(inner.casefold().split()))


_DIGIT: Final = re.compile(r"\d")
_STEMS: Final = tuple({name[:3] for name in _MONTHS})
_CLOCK_WORDS: Final = _words("am pm m. clock morning afternoon evening night half quarter uhr")
FINDERS: Final[tuple[Finder, ...]] = (
    Finder(_URL, _read_url, ("://", "www."), digit=False),
    Finder(_EMAIL, _read_email, ("@",), digit=False),
    Finder(_PATH, _read_path, ("/", "\\"), digit=False),
    Finder(_FILE, _read_file, tuple(f".{ending}" for ending in _ENDINGS.split("|")), digit=False),
    Finder(_HOST, _read_url, tuple(f".{tld}" for tld in _TLDS.split("|")), digit=False),
    Finder(_UUID, _read_id, ("-",)),
    Finder(_CJK_DATE, _read_ordered, ("月",)),
    Finder(_ISO, _read_ordered, ("-", "/", ".")),
    Finder(_NUMERIC, _read_numeric, ("-", "/", ".")),
    Finder(_DAY_FIRST, _read_named, _STEMS),
    Finder(_MONTH_FIRST, _read_named, _STEMS),
    Finder(_MONTH_NTH, _read_named, _STEMS, digit=False),
    Finder(_NTH_MONTH, _read_named, _STEMS, digit=False),
    Finder(_SHORT, _read_numeric, ("/",)),
    Finder(_DAY_ONLY, _read_day, ("the ", "month")),
    Finder(_IP, _read_id, (".",)),
    Finder(_CLOCK, _read_clock, (":", "h", *_CLOCK_WORDS)),
    Finder(_CLOCK_WORD, _read_clock, _CLOCK_WORDS, digit=False),
    Finder(_NAMED_TIME, _read_named_time, ("noon", "midday", "midnight"), digit=False),
    Finder(_EUROPEAN, _read_measured, ("€", "₽", "eur", "chf", "pln", "sek", "nok", "dkk", "czk", "kr")),
    Finder(_PRICED, _read_measured, tuple(word.lower() for word in (*_SYMBOLS, *_CODES))),
    Finder(_MEASURED, _read_measured),
    Finder(_MEASURED_WORDS, _read_measured, tuple(_SMALL), digit=False),
    Finder(_LABELLED, _read_labelled, digit=False),
    Finder(_HASHED, _read_hashed, ("#",)),
    Finder(_GROUPS_OF_DIGITS, _read_grouped_digits),
    Finder(_PHONE, _read_phone),
    Finder(_VERSION, _read_version, (".", "v")),
    Finder(_TOKEN, _read_token),
    Finder(_DIGITS, _read_digits),
    Finder(_BARE, _read_bare),
    Finder(_QUOTED, _read_quoted, ('"', "“", "«", "„", "「", "『", "‘"), digit=False),
)
"""How values are found, the most specific first."""


def find(text: str) -> tuple[Value, ...]:
    """The values of `text` in order, none overlapping another."""
    hits: list[_Hit] = []
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


def _without(text: str, hits: list[_Hit]) -> str:
    """`text` with the hits blanked out, its length unchanged."""
    pieces: list[str] = []
    done = 0
    for hit in hits:
        pieces += (text[done : hit.start], _TAKEN * (hit.end - hit.start))
        done = hit.end
    return "".join((*pieces, text[done:]))


# Comparing -----------------------------------------------------------------------------------------------------------


def _claims(value: Value) -> set[str]:
    """What `value` may mean. Two values are the same where the claims of one meet the `_lookups` of the other."""
    return _CLAIMS.get(value.kind, lambda norm: {f"{value.kind} {norm}"})(value.norm)


def _claim_id(norm: str) -> set[str]:
    exact = re.sub(r"[-_/\s#]", "", norm)
    return {f"={exact}", f"#{exact}"} if exact.isdecimal() else {f"={exact}"}


def _claim_amount(norm: str) -> set[str]:
    amount, _, unit = norm.partition(" ")
    if unit == "pound":
        return {norm, f"{amount} lb", f"{amount} GBP"}
    return {norm} if unit else {f"={norm}", f"#{norm}"}


def _claim_money(norm: str) -> set[str]:
    return {norm, f"${norm.partition(' ')[0]}"}


def _claim_phone(norm: str) -> set[str]:
    digits = norm.lstrip("+0")
    if norm.startswith("+"):
        return {f"={digits}", *(f"national {digits[code:]}" for code in (1, 2, 3))}
    return {f"={norm}", f"local {digits}"}


def _claim_time(norm: str) -> set[str]:
    return {norm[:5], f"{(int(norm[:2]) + 12) % 24:02}{norm[2:5]}"} if norm.endswith("?") else {norm}


def _claim_date(norm: str) -> set[str]:
    return {
        f"{''.join(known)} {' '.join(known[part] for part in parts)}"
        for known in _readings(norm)
        for size in range(1, len(known) + 1)
        for parts in combinations(known, size)
    }


_CLAIMS: Final[dict[ValueKind, Callable[[str], set[str]]]] = {
    ValueKind.ID: _claim_id,
    ValueKind.VERSION: lambda norm: {f"={norm}"},
    ValueKind.QUANTITY: _claim_amount,
    ValueKind.DURATION: _claim_amount,
    ValueKind.MONEY: _claim_money,
    ValueKind.PHONE: _claim_phone,
    ValueKind.TIME: _claim_time,
    ValueKind.DATE: _claim_date,
}


def _lookups(value: Value) -> set[str]:
    """The claims of others that `value` agrees with: `#` (a bare number) meets `$` (an amount of money)."""
    claims = _claims(value)
    match value.kind:
        case ValueKind.ID | ValueKind.QUANTITY | ValueKind.MONEY:
            swap = {"#": "$", "$": "#"}
            return {swap.get(claim[0], claim[0]) + claim[1:] for claim in claims}
        case ValueKind.PHONE:
            other = {"national": "local", "local": "national"}
            tagged = (claim.partition(" ") for claim in claims)
            return {f"{other[tag]} {digits}" if digits else tag for tag, _, digits in tagged}
        case ValueKind.DATE:
            return {
                f"{mask} {' '.join(known[part] for part in mask if part in known)}"
                for known in _readings(value.norm)
                for mask in ("ymd", "md", "d", "ym", "y", "m")
                if ("d" in mask) == ("d" in known) and set(mask) & set(known)
            }
        case _:
            return claims


def _readings(norm: str) -> list[dict[str, str]]:
    """The known parts (y, m, d) of a date, once per possible order of day and month."""
    year, _, rest = norm.partition("-")
    if "|" in rest:
        one, _, two = rest.partition("|")
        orders = [(one, two), (two, one)]
    else:
        month, _, day = rest.partition("-")
        orders = [(month, day)]
    return [
        {name: part for name, part in zip("ymd", (year, *order), strict=True) if "?" not in part}
        for order in orders
    ]


def same(a: Value, b: Value) -> bool:
    """Whether two values mean the same, however they were said.

    What one of them leaves open (the year, am or pm, the order of day and month, the currency of a bare number) does
    not make a difference.
    """
    return not _claims(a).isdisjoint(_lookups(b))


class _Text:
    """A text that is asked, many times, whether it holds a value."""

    def __init__(self, text: str) -> None:
        self._folded = text.casefold()
        self._claims = {claim for value in find(text) for claim in _claims(value)}

    def holds(self, value: Value) -> bool:
        return not self._claims.isdisjoint(_lookups(value)) or self._literally(value.text.casefold())

    def _literally(self, needle: str) -> bool:
        """Whether `needle` stands here, and not as a part of a longer word or number."""
        start = self._folded.find(needle)
        while start >= 0:
            before, after = (
                self._folded[max(0, start - 2) : start],
                self._folded[start + len(needle) : start + len(needle) + 2],
            )
            if not (_joined(before, needle[0]) or _joined(after[::-1], needle[-1])):
                return True
            start = self._folded.find(needle, start + 1)
        return False


def _joined(beside: str, edge: str) -> bool:
    """Whether `edge`, the outer character of a value, goes on in the two characters beside it (the near one last)."""
    near = beside[-1:]
    wordlike = near.isdecimal() or (near.isascii() and near.isalnum()) or near == "_"
    return (wordlike and edge.isalnum()) or (
        near in {".", ","} and edge.isdecimal() and beside[:1].isdecimal()
    )


def missing(source: str, target: str) -> tuple[Value, ...]:
    """The values of `source` that `target` does not hold, each once, in order."""
    there = _Text(target)
    unique = {(value.kind, value.norm): value for value in reversed(find(source))}
    return tuple(
        sorted((value for value in unique.values() if not there.holds(value)), key=lambda value: value.start)
    )


def invented(summary: str, source: str) -> tuple[Value, ...]:
    """The values of `summary` that stand nowhere in `source`, neither said differently nor as a part of its text."""
    return missing(summary, source)
