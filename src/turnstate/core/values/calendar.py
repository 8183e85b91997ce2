"""Dates that were not said in full, by the time they were said at."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from typing import Final, NamedTuple

from turnstate.core.values.finders.relative import WEEKDAYS
from turnstate.core.values.types import Value, ValueKind

_EPOCH: Final = date(1970, 1, 1)
_DAY: Final = 86_400_000_000
SHORT_DAYS: Final = tuple(day[:3] for day in WEEKDAYS)
"""Days of the week as norms have them, Monday first."""


class _Meant(NamedTuple):
    """The likeliest reading of a date, and the others that its words allow."""

    norm: str
    also: tuple[str, ...] = ()


def resolve(value: Value, at: int) -> Value:
    """`value` with what a date left open filled in from the time it was said.

    The year of "March 11th" is the one that brings it nearest; "the 11th" is of the month it is said in; "next Friday"
    is of the next calendar week (weeks begin on Monday). Other readings that people have for the same words are kept in
    `also`, so that no two dates are called different over them. What is no open date comes back as it is.

    Args:
        value: as `find` found it.
        at: microseconds since the epoch, UTC.
    """
    if value.kind is not ValueKind.DATE or "?" not in value.norm or value.also:
        return value
    try:
        meant = _meant(value, _EPOCH + timedelta(days=at // _DAY))
    except (OverflowError, ValueError):  # beyond the years that dates have
        return value
    return replace(value, norm=meant.norm, also=meant.also) if meant else value


def weekday(norm: str) -> str:
    """The day of the week ("fri") of a date said in full; "" for any other."""
    try:
        return SHORT_DAYS[date.fromisoformat(norm).weekday()]
    except ValueError:
        return ""


def _meant(value: Value, today: date) -> _Meant | None:
    said, _, open_date = value.norm.partition(" ")
    year, _, rest = said.partition("-")
    if "?" not in year:
        return None
    if "|" in rest:
        return _nearest_order(rest, today)
    month, _, day = rest.partition("-")
    if "?" not in month and "?" not in day:
        return _nearest(int(month), int(day), today)
    if "?" not in day:
        this = re.search(r"\b(?:this|the)\s+month", value.text, re.IGNORECASE) is not None
        return _of_month(int(day), today, shift=1 if open_date else 0, certain=this or bool(open_date))
    return _relative(open_date, today) if open_date else None


def _nearest(month: int, day: int, today: date) -> _Meant:
    """That day of the nearest year; the other reading is on the other side of today."""
    dates = [found for year in range(today.year - 4, today.year + 5) if (found := _valid(year, month, day))]
    before = max((found for found in dates if found <= today), default=dates[0])
    after = min((found for found in dates if found >= today), default=dates[-1])
    near, far = sorted((before, after), key=lambda found: abs(found - today))
    return _Meant(near.isoformat(), (far.isoformat(),) if far != near else ())


def _nearest_order(rest: str, today: date) -> _Meant:
    one, _, two = rest.partition("|")
    meant = _nearest(int(one), int(two), today)
    return _Meant(f"{meant.norm[:4]}-{rest}", tuple(f"{norm[:4]}-{rest}" for norm in meant.also))


def _of_month(day: int, today: date, *, shift: int, certain: bool) -> _Meant:
    """That day of the month of today, or `shift` later; the neighbouring month's is another reading."""
    here = _valid_in(today, shift, day)
    other = _valid_in(today, shift + (1 if day < today.day else -1), day)
    if here is None:
        here = other if other is not None and other > today else _valid_in(today, shift + 1, day)
    also = () if certain or other is None or other == here else (other.isoformat(),)
    return _Meant(here.isoformat(), also) if here else _Meant(f"????-??-{day:02}")


def _relative(open_date: str, today: date) -> _Meant:
    if open_date.endswith("month"):
        return _Meant(_months_on(today, int(open_date.partition(" ")[0])).isoformat())
    if open_date[0] in "+-":
        days = int(open_date)
        return _Meant(
            (today + timedelta(days=days)).isoformat(), (f"{abs(days) * 86400} s",) if abs(days) > 2 else ()
        )
    form, _, name = open_date.rpartition(" ")
    wanted = SHORT_DAYS.index(name)
    monday = today - timedelta(days=today.weekday())
    if form.startswith("week"):
        return _Meant((monday + timedelta(days=wanted + 7 * int(form[4:]))).isoformat())
    coming = today + timedelta(days=(wanted - today.weekday()) % 7)
    strictly = coming if coming > today else coming + timedelta(days=7)
    gone = coming - timedelta(days=7)
    match form:
        case "next":
            following = monday + timedelta(days=wanted + 7)
            readings = [
                following,
                strictly,
                *([strictly + timedelta(days=7)] if today.weekday() == 6 else []),
            ]
        case "last":
            readings = [gone, monday + timedelta(days=wanted - 7)]
        case "this":
            readings = [coming, monday + timedelta(days=wanted)]
        case _:
            readings = [coming, gone, strictly]
    norms = list(dict.fromkeys(found.isoformat() for found in readings))
    return _Meant(norms[0], tuple(norms[1:]))


def _months_on(today: date, months: int) -> date:
    index = today.year * 12 + today.month - 1 + months
    return next(
        found for day in range(today.day, 0, -1) if (found := _valid(index // 12, index % 12 + 1, day))
    )


def _valid_in(today: date, months: int, day: int) -> date | None:
    index = today.year * 12 + today.month - 1 + months
    return _valid(index // 12, index % 12 + 1, day)


def _valid(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
