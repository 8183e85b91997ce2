"""Comparing values, however they were said: what each may mean, and whether a text holds it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Final, NamedTuple

from turnstate.core.values.calendar import SHORT_DAYS, resolve, weekday
from turnstate.core.values.find import find
from turnstate.core.values.numbers import NUMBER_WORDS
from turnstate.core.values.types import Value, ValueKind


def _claims(value: Value) -> set[str]:
    """What `value` may mean. Two values are the same where the claims of one meet the `_lookups` of the other."""
    claims = _CLAIMS.get(value.kind, lambda norm: {f"{value.kind} {norm}"})
    return claims(value.norm).union(*map(claims, value.also))


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
    """What is known of a date, in every choice of its parts; and its weekday, or how far it is from when it was said."""
    if norm.endswith(" s"):
        return {f"in {norm}"}
    said, _, open_date = norm.partition(" ")
    if open_date and said.endswith("??"):
        if "month" in open_date:
            return {f"far {open_date}"}
        if open_date[0] in "+-":
            return {f"far {open_date}", f"in {abs(int(open_date)) * 86400} s", "weekday ?"}
        return {f"weekday {open_date[-3:]}"}
    parts_of = {
        f"{''.join(known)} {' '.join(part + known[part] for part in parts)}"
        for known in _readings(said)
        for size in range(1, len(known) + 1)
        for parts in combinations(known, size)
    }
    return parts_of | {"known", f"weekday {weekday(said) or '?'}"}


_CLAIMS: Final[dict[ValueKind, Callable[[str], set[str]]]] = {
    ValueKind.ID: _claim_id,
    ValueKind.VERSION: lambda norm: {f"={norm}"},
    ValueKind.QUANTITY: _claim_amount,
    ValueKind.DURATION: lambda norm: {*_claim_amount(norm), f"for {norm}"},
    ValueKind.MONEY: _claim_money,
    ValueKind.PHONE: _claim_phone,
    ValueKind.TIME: _claim_time,
    ValueKind.DATE: _claim_date,
}


def _lookups(value: Value) -> set[str]:
    """The claims of others that `value` agrees with: `#` (a bare number) meets `$` (an amount of money)."""
    match value.kind:
        case ValueKind.ID | ValueKind.QUANTITY | ValueKind.MONEY:
            swap = {"#": "$", "$": "#"}
            return {swap.get(claim[0], claim[0]) + claim[1:] for claim in _claims(value)}
        case ValueKind.PHONE:
            other = {"national": "local", "local": "national"}
            tagged = (claim.partition(" ") for claim in _claims(value))
            return {f"{other[tag]} {digits}" if digits else tag for tag, _, digits in tagged}
        case ValueKind.DURATION:
            return {*_claim_amount(value.norm), f"in {value.norm}"}
        case ValueKind.DATE:
            return set[str]().union(*map(_date_lookups, (value.norm, *value.also)))
        case _:
            return _claims(value)


def _date_lookups(norm: str) -> set[str]:
    """A date said in figures meets what does not contradict it; one still open, any date that it may be."""
    if norm.endswith(" s"):
        return {f"for {norm}"}
    said, _, open_date = norm.partition(" ")
    if open_date and said.endswith("??"):
        if open_date[0] not in "+-":
            return {f"weekday {open_date[-3:]}", "weekday ?"}
        duration = set[str]() if "month" in open_date else {f"for {abs(int(open_date)) * 86400} s"}
        return {f"far {open_date}", "known", *(f"weekday {day}" for day in SHORT_DAYS), *duration}
    return {
        f"{mask} {' '.join(part + known[part] for part in mask if part in known)}"
        for known in _readings(said)
        for mask in ("ymd", "md", "d", "ym", "y", "m")
        if ("d" in mask) == ("d" in known) and set(mask) & set(known)
    }


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


def same(a: Value, b: Value, *, at: int | None = None) -> bool:
    """Whether two values mean the same, however they were said.

    What one of them leaves open (the year, am or pm, the order of day and month, the currency of a bare number, the day
    that "tomorrow" was said on) does not make a difference.

    Args:
        a: one value.
        b: another.
        at: when both were said, in microseconds since the epoch, if `find` was not told.
    """
    if at is not None:
        a, b = resolve(a, at), resolve(b, at)
    return not (_claims(a).isdisjoint(_lookups(b)) and _claims(b).isdisjoint(_lookups(a)))


_FIRST_WORD: Final = re.compile(r"[\s-]")


class Dated(NamedTuple):
    """A text and when it was said, in microseconds since the epoch, UTC (None where nobody knows)."""

    text: str
    at: int | None = None


class _Texts:
    """Texts that are asked, many times, whether they hold a value."""

    def __init__(self, texts: Iterable[Dated]) -> None:
        self._folded: list[str] = []
        self._claims: set[str] = set()
        for text, at in texts:
            self._folded.append(text.casefold())
            self._claims.update(claim for value in find(text, at=at) for claim in _claims(value))

    def holds(self, value: Value) -> bool:
        return not self._claims.isdisjoint(_lookups(value)) or self._literally(value)

    def _literally(self, value: Value) -> bool:
        """Whether its words stand here.

        They say too little where they are a day without its month, a day that depends on today, or a number in words
        (which may be the end of a longer one).
        """
        needle = value.text.casefold()
        if value.kind is ValueKind.DATE and (needle.isdecimal() or (value.also and "?" not in value.norm)):
            return False
        if _FIRST_WORD.split(needle, maxsplit=1)[0] in NUMBER_WORDS:
            return False
        return any(_stands(needle, text) for text in self._folded)


def _stands(needle: str, text: str) -> bool:
    """Whether `needle` stands in `text`, and not as a part of a longer word or number."""
    start = text.find(needle)
    while start >= 0:
        end = start + len(needle)
        before, after = text[max(0, start - 2) : start], text[end : end + 2]
        if not (_joined(before, needle[0]) or _joined(after[::-1], needle[-1])):
            return True
        start = text.find(needle, start + 1)
    return False


def _joined(beside: str, edge: str) -> bool:
    """Whether `edge`, the outer character of a value, goes on in the two characters beside it (the near one last)."""
    near = beside[-1:]
    wordlike = near.isdecimal() or (near.isascii() and near.isalnum()) or near == "_"
    return (wordlike and edge.isalnum()) or (
        near in {".", ","} and edge.isdecimal() and beside[:1].isdecimal()
    )


def missing(
    source: str | Iterable[Dated], target: str | Iterable[Dated], *, at: int | None = None
) -> tuple[Value, ...]:
    """The values of `source` that `target` does not hold, each once, in order.

    Args:
        source: a text, or several with the times they were said at.
        target: likewise.
        at: when those were said that come without a time of their own.
    """
    there = _Texts(_dated(target, at))
    unique: dict[tuple[ValueKind, str], Value] = {}
    for text, said in _dated(source, at):
        for value in find(text, at=said):
            unique.setdefault((value.kind, value.norm), value)
    return tuple(value for value in unique.values() if not there.holds(value))


def invented(
    summary: str | Iterable[Dated], source: str | Iterable[Dated], *, at: int | None = None
) -> tuple[Value, ...]:
    """The values of `summary` that stand nowhere in `source`, neither said differently nor as a part of its text.

    A date that depends on when it was said ("tomorrow") is judged only where that is known.

    Args:
        summary: a text, or several with the times they were said at.
        source: likewise.
        at: when those were said that come without a time of their own.
    """
    return tuple(
        value
        for value in missing(summary, source, at=at)
        if not (value.kind is ValueKind.DATE and " " in value.norm)
    )


def _dated(texts: str | Iterable[Dated], at: int | None) -> Iterator[Dated]:
    for text, said in [(texts, at)] if isinstance(texts, str) else texts:
        yield Dated(text, at if said is None else said)
