"""One value said in several ways is one value; a changed one, however it is said, is another."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from hypothesis import assume, given
from hypothesis import strategies as st

from turnstate.core.values import Value, find, invented, missing, same

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["_", "_", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def nth(day: int) -> str:
    """`day` as an ordinal."""
    suffix = "th" if 10 <= day <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{suffix}"


def in_words(count: int) -> str:
    """A number below ten thousand in English."""
    if count < 20:
        return _SMALL[count]
    if count < 100:
        return _TENS[count // 10] + (f"-{_SMALL[count % 10]}" if count % 10 else "")
    size, name = (100, "hundred") if count < 1000 else (1000, "thousand")
    rest = f" {'and ' if count % size < 100 else ''}{in_words(count % size)}" if count % size else ""
    return f"{in_words(count // size)} {name}{rest}"


def amounts(count: int) -> list[str]:
    """Ways to say so many dollars."""
    return [f"${count}", f"${count:,}", f"${count:,}.00", f"USD {count:,}.00", f"{count} dollars", f"{count} bucks",
            f"{count:,} USD", f"{in_words(count)} dollars", f"US${count}", f"{count} usd"]  # fmt: skip


def dates(day: date) -> list[str]:
    """Ways to say a day in full."""
    month = _MONTHS[day.month - 1]
    return [day.isoformat(), f"{month} {nth(day.day)}, {day.year}", f"{day.day} {month} {day.year}",
            f"the {nth(day.day)} of {month} {day.year}", f"{month[:3]} {nth(day.day)} {day.year}",
            f"{day.day}.{day.month}.{day.year}", f"{day.year}/{day.month:02}/{day.day:02}", f"{day.year}年{day.month}月{day.day}日"]  # fmt: skip


def times(minutes: int) -> list[str]:
    """Ways to say a time of day between ten and half past eleven at night or in the evening."""
    hour, minute = divmod(minutes, 60)
    twelve, half = (hour - 1) % 12 + 1, "pm" if hour >= 12 else "am"
    part = "in the morning" if hour < 12 else "in the afternoon" if hour < 17 else "in the evening"
    ways = [
        f"{hour:02}:{minute:02}",
        f"{twelve}:{minute:02} {half}",
        f"{twelve}:{minute:02}{half.upper()}",
        f"{twelve}:{minute:02} {part}",
    ]
    if minute == 0:
        ways += [f"{twelve} {half}", f"{_SMALL[twelve]} {half}", f"{twelve} o'clock {part}"]
    if minute in {15, 30}:
        ways.append(f"{'quarter' if minute == 15 else 'half'} past {twelve} {part}")
    if minute == 45:
        ways.append(f"quarter to {twelve % 12 + 1} {part}")
    return ways


def orders(code: int) -> list[str]:
    """Ways to name an order."""
    return [
        f"order {code}",
        f"#{code}",
        f"Order #{code}",
        f"order number {code}",
        f"order no. {code}",
        f"order id: {code}",
    ]


def shares(count: int) -> list[str]:
    """Ways to say a percentage."""
    return [f"{count}%", f"{count} percent", f"{in_words(count)} percent", f"{count} %", f"{count}.0%"]


def spans(count: int) -> list[str]:
    """Ways to say so many weeks."""
    return [f"{count} weeks", f"{in_words(count)} weeks", f"{count * 7} days", f"{count} wks"]


def _one(text: str) -> Value:
    (value,) = find(text)
    return value


def _holds(ways: Callable[[int], list[str]], count: int, other: int) -> None:
    ours, theirs = ways(count), ways(other)
    for one in ours:
        for two in ours:
            assert same(_one(one), _one(two)), (one, two)
            assert missing(one, two) == () == invented(one, two)
        for changed in theirs:
            assert not same(_one(one), _one(changed)), (one, changed)
            assert missing(one, f"It is {changed} then.") != ()


@given(st.integers(1, 9_999), st.integers(1, 9_999))
def test_amounts(count: int, other: int) -> None:
    """Dollars before and after, in figures and words."""
    assume(count != other)
    _holds(amounts, count, other)


@given(st.integers(1_000, 10**9), st.integers(1_000, 10**9))
def test_orders(code: int, other: int) -> None:
    """A number with and without the word for what it numbers."""
    assume(code != other)
    _holds(orders, code, other)


@given(st.integers(1, 99), st.integers(1, 99))
def test_shares(count: int, other: int) -> None:
    """Percent by sign and by word."""
    assume(count != other)
    _holds(shares, count, other)


@given(st.integers(2, 60), st.integers(2, 60))
def test_spans(count: int, other: int) -> None:
    """Weeks as weeks and as days."""
    assume(count != other)
    _holds(spans, count, other)


@given(st.integers(5 * 60, 21 * 60), st.integers(5 * 60, 21 * 60))
def test_times(minutes: int, other: int) -> None:
    """Figures of either clock, and words; a full hour in the morning may be said without one."""
    assume(minutes % 720 != other % 720)
    _holds(times, minutes, other)


_DAYS = st.dates(date(1970, 1, 1), date(2069, 12, 31)).map(date.toordinal)


@given(_DAYS, _DAYS)
def test_dates(day: int, other: int) -> None:
    """Days in figures, in words and in Chinese."""
    assume(day != other)
    _holds(lambda ordinal: dates(date.fromordinal(ordinal)), day, other)


@given(st.one_of(*(numbers.map(ways).flatmap(st.sampled_from) for numbers, ways in (
    (st.integers(1, 9_999), amounts), (st.integers(10_000, 10**9), orders), (st.integers(1, 99), shares), (st.integers(300, 1_260), times),
))))  # fmt: skip
def test_a_value_is_found_again_in_its_own_words(text: str) -> None:
    """Finding is idempotent where the words say it all; four figures alone are no order: they may be a year."""
    value = _one(text)
    assert _one(value.text).norm == value.norm
