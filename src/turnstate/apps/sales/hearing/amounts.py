"""Amounts of money as buyers write them: "$40k", "forty grand", "between 40 and 60k", "low six figures"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final, NamedTuple

from turnstate.core.facts import Span
from turnstate.core.values import number
from turnstate.core.values.numbers import SPELLED

_SIGN: Final = (
    r"(?:(?:US|CA|AU|NZ|HK|[SCA])?\$|[€£¥₹₽₩]|(?:USD|EUR|GBP|CHF|CAD|AUD|SEK|NOK|DKK|PLN)(?![a-z]))"
)
_NAME: Final = (
    r"(?:(?:us |u\.s\. |canadian |australian )?dollars?|bucks?|euros?|pounds?(?: sterling)?|quid|usd|eur|gbp|chf|cad|aud|sek|nok|dkk|pln|"
    r"rupees|francs|franken|dólares|dolares|libras|dollari|sterline|долларов|евро|рублей|美元|欧元|元|万元|ドル|円|ユーロ|달러|유로|원|[$€£¥₹₽₩])"
)
_FIGURE: Final = r"\d{1,3}(?:[,.'’ ]\d{3}){1,4}(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d{1,12}(?:[.,]\d{1,3})?(?!\d)"
_SCALES: Final = {
    "k": 3, "thousand": 3, "thousands": 3, "thou": 3, "grand": 3, "g": 3, "gs": 3, "ks": 3, "tausend": 3, "tsd": 3, "mil": 3, "mille": 3, "mila": 3,
    "тысяч": 3, "тыс": 3, "m": 6, "mn": 6, "mm": 6, "million": 6, "mio": 6, "millionen": 6, "millones": 6, "millions": 6, "万": 4, "만": 4,
    "lakh": 5, "lakhs": 5,
}  # fmt: skip
_SCALE: Final = "|".join(sorted(_SCALES, key=len, reverse=True))
_AMOUNT: Final = re.compile(
    rf"(?<![0-9A-Za-z_\u00c0-\u024f.,$€£])(?<![A-JL-Za-jl-z]-)(?<![A-Za-z]{{2}}-)(?P<sign>{_SIGN}\s?)?(?:(?P<figure>{_FIGURE})|(?P<half>half a|a quarter of a)|(?P<words>(?:a\s+)?{SPELLED}(?![^\W_])))(?:\s?-?ish\b)?"
    rf"(?:[\s-]?(?P<scale>{_SCALE})(?:s\b|(?![^\W\d_])|(?=[$€£])|(?<=[万만])))?\+?(?:\s?(?P<name>{_NAME})(?:(?<![a-z])|(?![^\W\d_])))?",
    re.IGNORECASE,
)
_BARE_SCALE: Final = re.compile(r"(?:hundred|thousand|million)", re.IGNORECASE)
_FIGURES: Final = re.compile(
    r"\b(?P<size>low|mid|high|lower|upper|middle)?(?:\s|-)?(?P<many>four|five|six|seven|4|5|6|7)[\s-]figures?\b(?:\s+(?:range|sum|budget))?",
    re.IGNORECASE,
)
_JOINT: Final = re.compile(
    r"\s?(?:-|–|—|to|and|or|up to|bis|y|à|a|e|und|~|〜|～)\s?(?:(?:maybe|perhaps|around|about|even)\s)?",
    re.IGNORECASE,
)
_MOVED: Final = re.compile(
    r"\b(?:rais|increas|bump|up|lift|rose|risen|went|gone|go|mov|chang|revis|cut|reduc|lower|drop|grew|grown|extend|doubl|stretch|jump|adjust|updat)\w{0,4}\b[^.;?!]{0,30}\bfrom\s+(?:\w+\s+){0,2}$",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(r"\b(?:between|from|zwischen|entre|tra|von)\s+$", re.IGNORECASE)


class Amount(NamedTuple):
    """An amount as it stands in a text.

    Attributes:
        span: where.
        low: the number, or the lower end of a range.
        high: the upper end, or the number again.
        money: whether its words say that it is money.
        large: whether its words say that it is in the thousands.
    """

    span: Span
    low: Decimal
    high: Decimal
    money: bool
    large: bool

    @property
    def ranges(self) -> bool:
        """Whether it is a range."""
        return self.low != self.high


class _One(NamedTuple):
    span: Span
    value: Decimal
    scale: int
    money: bool


def amounts(text: str) -> tuple[Amount, ...]:
    """The amounts of a text in order, ranges as one; numbers that count nothing are among them."""
    found: list[Amount] = [*_figures(text)]
    taken = [amount.span for amount in found]
    singles = [one for one in _singles(text) if not any(map(one.span.meets, taken))]
    index = 0
    while index < len(singles):
        one = singles[index]
        other = singles[index + 1] if index + 1 < len(singles) else None
        if other is not None and _joined(text, one, other):
            found.append(_range(one, other))
            index += 2
        else:
            found.append(_amount(one))
            index += 1
    return tuple(sorted(found))


def _singles(text: str) -> Iterator[_One]:
    """The amounts one by one."""
    for match in _AMOUNT.finditer(text):
        if match["half"]:
            value = Decimal("0.5") if match["half"].lower().startswith("half") else Decimal("0.25")
            if not match["scale"]:
                continue
        else:
            said = match["figure"] or match["words"]
            if _BARE_SCALE.fullmatch(said):
                continue
            read = number(said.removeprefix("a ").removeprefix("A "), dot_groups=True)
            if read is None:
                continue
            value = read
        scale = _SCALES[match["scale"].lower()] if match["scale"] else 0
        money = bool(match["sign"] or match["name"] or (match["scale"] or "").lower() in {"grand", "gs"})
        yield _One(Span(*match.span()), value, scale, money)


def _joined(text: str, one: _One, other: _One) -> bool:
    """Whether two amounts are the ends of one range."""
    gap = text[one.span.end : other.span.start]
    if len(gap) > 24 or not _JOINT.fullmatch(gap):
        return False
    if _MOVED.search(text[max(0, one.span.start - 60) : one.span.start]):
        return False
    if gap.strip().lower() in {"and", "y", "e", "a", "und"} and not _BETWEEN.search(
        text[max(0, one.span.start - 20) : one.span.start]
    ):
        return False
    low, high = one.value.scaleb(one.scale or _shared(one, other)), other.value.scaleb(other.scale)
    return low < high


def _shared(one: _One, other: _One) -> int:
    """The scale of the other end, where it holds for both: "40 to 60k"."""
    return other.scale if one.value < 1000 else 0


def _range(one: _One, other: _One) -> Amount:
    """Two amounts as a range."""
    low = one.value.scaleb(one.scale or _shared(one, other))
    high = other.value.scaleb(other.scale)
    return Amount(Span(one.span.start, other.span.end), low, high, one.money or other.money, high >= 1000)


def _amount(one: _One) -> Amount:
    """One amount."""
    value = one.value.scaleb(one.scale)
    return Amount(one.span, value, value, one.money, value >= 1000)


def _figures(text: str) -> Iterator[Amount]:
    """Amounts by the number of their figures: "low six figures"."""
    for match in _FIGURES.finditer(text):
        digits = {"four": 4, "five": 5, "six": 6, "seven": 7}.get(match["many"].lower()) or int(match["many"])
        low, high = Decimal(10) ** (digits - 1), Decimal(10) ** digits - 1
        size = (match["size"] or "").lower()
        if size.startswith("low"):
            high = low * 4
        elif size in {"mid", "middle"}:
            low, high = low * 4, low * 7
        elif size:
            low = low * 7
        yield Amount(Span(*match.span()), low, high, money=True, large=True)
