"""Finders for what a number counts: money, percentages, durations, quantities, and numbers that count nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Context, Decimal
from typing import Final, NamedTuple

from turnstate.core.values.finders.finder import Finder, Hit
from turnstate.core.values.numbers import FIGURE, GROUPED, SMALL, SPELLED, number, plain
from turnstate.core.values.patterns import EDGE, STOP, any_of, words_in
from turnstate.core.values.types import ValueKind

_CONTEXT: Final = Context(prec=60)
_MAGNITUDES: Final = {"k": 3, "thousand": 3, "m": 6, "mn": 6, "million": 6, "bn": 9, "billion": 9}
_MAGNITUDE: Final = rf"(?:\s?(?P<magnitude>{any_of(_MAGNITUDES)}){STOP})?"


class _Unit(NamedTuple):
    kind: ValueKind
    name: str
    factor: Decimal


def _units(kind: ValueKind, table: str) -> Iterator[tuple[str, _Unit]]:
    """Units from `name factor alias,alias` entries: so many of `name` are one alias."""
    for entry in re.split(r"[;\n]", table.strip()):
        name, factor, aliases = entry.split(maxsplit=2)
        yield from ((alias, _Unit(kind, name, Decimal(factor))) for alias in aliases.split(","))


_CODES: Final = words_in(
    "AED ARS AUD BRL CAD CHF CLP CNY COP CZK DKK EUR GBP HKD HUF IDR ILS INR JPY KRW MXN MYR NOK NZD PHP PKR PLN RON "
    "RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR"
)
_DOT_GROUPS: Final = words_in("ARS BRL CLP COP DKK EUR IDR NOK SEK TRY VND")
_SYMBOLS: Final[dict[str, str]] = {
    symbol: code
    for pair in words_in(
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
_UNIT: Final = rf"\s?-?(?P<unit>{any_of(_UNITS)})(?:(?<![0-9A-Za-z])|{STOP})"
_MEASURED: Final = re.compile(
    rf"(?=\d){EDGE}(?P<low>{FIGURE})(?:\s?(?:[-–—]|\bto\b)\s?(?P<high>{FIGURE}))?{_MAGNITUDE}{_UNIT}",
    re.IGNORECASE,
)
_MEASURED_WORDS: Final = re.compile(
    rf"{EDGE}(?<!-)(?P<low>{SPELLED})(?:\s(?:to|or)\s(?P<high>{SPELLED}))?{_UNIT}", re.IGNORECASE
)
_PRICED: Final = re.compile(
    rf"(?<![0-9A-Za-z])(?P<unit>{any_of((*_SYMBOLS, *_CODES))})\s?(?P<low>{FIGURE})"
    rf"(?:[-–—](?P=unit)?(?P<high>{FIGURE})(?!-))?(?i:{_MAGNITUDE})"
)
_EUROPEAN: Final = re.compile(
    rf"(?=\d){EDGE}(?<!\d[ .,])(?P<low>\d{{1,3}}(?: \d{{3}}){{1,4}}(?:,\d{{1,2}})?)\s?(?P<unit>€|₽|EUR|CHF|PLN|SEK|NOK|DKK|CZK|kr)"
    rf"(?:(?<![A-Za-z])|{STOP})"
)


def _unit(alias: str) -> _Unit | None:
    """The unit so written; case counts where it is one letter or a currency's code."""
    alias = re.sub(r"\s+", " ", alias)
    return _UNITS.get(alias) or (_UNITS.get(alias.lower()) if len(alias) > 1 else None)


_PLEASE_WAIT: Final = re.compile(r"one\s+(?:sec|second|min)", re.IGNORECASE)


def _read_measured(match: re.Match[str]) -> Hit | None:
    groups, unit = match.groupdict(), _unit(match["unit"])
    if unit is None or _PLEASE_WAIT.fullmatch(match[0]):
        return None
    magnitude = groups.get("magnitude")
    factor = unit.factor.scaleb(_MAGNITUDES[magnitude.lower()] if magnitude else 0)
    amounts = [
        plain(_CONTEXT.multiply(amount, factor))
        for text in (groups["low"], groups.get("high"))
        if text and (amount := number(text, dot_groups=unit.name in _DOT_GROUPS)) is not None
    ]
    sign = "%" if unit.kind is ValueKind.PERCENT else f" {unit.name}"
    return Hit(unit.kind, *match.span(), "-".join(amounts) + sign) if amounts else None


_BARE: Final = re.compile(
    rf"(?=\d){EDGE}(?<![-.,:/])(?P<low>{GROUPED}|\d{{1,18}}[.,]\d{{1,9}})(?P<thousands>[kK])?(?![0-9A-Za-z_\d]|[.,:/-]\d)"
)


def _read_bare(match: re.Match[str]) -> Hit | None:
    amount = number(match["low"])
    if amount is None:
        return None
    exact = _CONTEXT.multiply(amount, Decimal(1000 if match["thousands"] else 1))
    return Hit(ValueKind.QUANTITY, *match.span(), plain(exact))


EUROPEAN_MONEY: Final = Finder(
    _EUROPEAN, _read_measured, ("€", "₽", "eur", "chf", "pln", "sek", "nok", "dkk", "czk", "kr")
)
PRICED: Final = Finder(_PRICED, _read_measured, tuple(word.lower() for word in (*_SYMBOLS, *_CODES)))
MEASURED: Final = Finder(_MEASURED, _read_measured)
MEASURED_WORDS: Final = Finder(
    _MEASURED_WORDS,
    _read_measured,
    digit=False,
    tokens=frozenset((*SMALL, "hundred", "thousand", "million")),
    anchored=True,
)
BARE_NUMBER: Final = Finder(_BARE, _read_bare)
