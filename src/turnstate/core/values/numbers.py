"""Numbers, in figures of either style or in English words."""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal
from typing import Final, NamedTuple

from turnstate.core.values.patterns import any_of, words_in

_GAP: Final = "\u00a0\u202f"
GROUPED: Final = rf"\d{{1,3}}(?:[,.'’{_GAP}]\d{{3}}){{1,6}}(?!\d)(?:[.,]\d{{1,2}}(?!\d))?"
FIGURE: Final = rf"(?<!\d[.,])(?:{GROUPED}|\d{{1,18}}(?:[.,]\d{{1,350}})?(?!\d))"
SMALL: Final[dict[str, int]] = dict(
    zip(
        words_in(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
        ),
        (*range(20), *range(20, 100, 10)),
        strict=True,
    )
)
_SCALES: Final = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
NUMBER_WORDS: Final = frozenset((*SMALL, *_SCALES))
"""The words that English numbers are made of."""
_NUMBER_WORD: Final = rf"(?:{any_of((*SMALL, *_SCALES))})"
SPELLED: Final = rf"(?>{_NUMBER_WORD}(?:(?:[ -]|\sand\s){_NUMBER_WORD}\b){{0,7}})"


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
        known = all(word in SMALL or word in _SCALES or word == "and" for word in words)
        return _spelled(words) if known and not re.search(r"\d", text) else None
    figures = re.sub(rf"[\s{_GAP}'’]", "", ascii_digits(text))
    if not re.fullmatch(r"[+-]?\d{1,60}(?:[.,]\d{1,350}){0,20}", figures):
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
            current += SMALL.get(word, 0)
    return Decimal(total + current)


class Number(NamedTuple):
    """A number as it stands in a text, in figures or words."""

    value: Decimal
    start: int
    end: int


_NUMBER: Final = re.compile(rf"(?<!\d)[+-]?{FIGURE}|(?<![^\W_]){SPELLED}(?![^\W_])", re.IGNORECASE)


def numbers(text: str) -> tuple[Number, ...]:
    """The numbers of `text` in order, whatever they count."""
    found = ((match, number(match[0])) for match in _NUMBER.finditer(text))
    return tuple(Number(value, *match.span()) for match, value in found if value is not None)


def plain(amount: Decimal) -> str:
    """One spelling per number: no exponent, no trailing zeros."""
    text = format(amount, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
