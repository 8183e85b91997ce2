"""Comparing values, however they were said: what each may mean, and whether a text holds it."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations
from typing import Final

from turnstate.core.values.find import find
from turnstate.core.values.types import Value, ValueKind


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
