"""Dates that were not said in full are read by the time they were said at."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.values import Dated, Value, ValueKind, find, invented, missing, resolve, same


def on(year: int, month: int, day: int) -> int:
    """Noon of a day, in microseconds since the epoch."""
    return int(datetime(year, month, day, 12, tzinfo=UTC).timestamp()) * 1_000_000


WEDNESDAY = on(2026, 3, 4)
OPEN = [
    "today", "tomorrow", "the day after tomorrow", "yesterday", "Friday", "next Friday", "this Sunday", "last Monday",
    "Tuesday next week", "in two weeks", "3 days ago", "in a month", "March 11th", "the 11th of this month",
    "on the 5th of next month", "on 3/11", "by the 31st",
]  # fmt: skip


def one_date(text: str, at: int | None = WEDNESDAY) -> Value:
    """The one date of a text."""
    (value,) = (value for value in find(text, at=at) if value.kind is ValueKind.DATE)
    return value


@pytest.mark.parametrize(
    ("text", "norm"),
    [
        ("today", "2026-03-04"),
        ("later today", "2026-03-04"),
        ("tomorrow", "2026-03-05"),
        ("day after tomorrow", "2026-03-06"),
        ("yesterday", "2026-03-03"),
        ("this Friday", "2026-03-06"),
        ("next Friday", "2026-03-13"),
        ("Friday", "2026-03-06"),
        ("last Friday", "2026-02-27"),
        ("Tuesday next week", "2026-03-10"),
        ("Sunday this week", "2026-03-08"),
        ("in two weeks", "2026-03-18"),
        ("a week ago", "2026-02-25"),
        ("in a month", "2026-04-04"),
        ("in 2 years", "2028-03-04"),
        ("the 11th", "2026-03-11"),
        ("6th of this month", "2026-03-06"),
        ("6th of next month", "2026-04-06"),
        ("March 11th", "2026-03-11"),
        ("11th of March", "2026-03-11"),
        ("December 24", "2025-12-24"),
        ("3月11日", "2026-03-11"),
        ("by 3/11", "2026-03|11"),
        ("3/25", "2026-03-25"),
    ],
)
def test_dates_are_read_by_the_time_they_were_said(text: str, norm: str) -> None:
    """Relative and partial dates become days of the calendar."""
    assert one_date(text).norm == norm


@pytest.mark.parametrize("text", OPEN)
def test_without_a_time_they_stay_open(text: str) -> None:
    """What was not said is not made up, and can be filled in later."""
    found = one_date(text, at=None)
    assert "?" in found.norm
    assert resolve(found, WEDNESDAY) == one_date(text)
    assert same(found, one_date(text))


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("next Friday", "March 13th", True),
        ("next Friday", "March 6th", True),
        ("next Friday", "March 20th", False),
        ("tomorrow", "March 5th", True),
        ("tomorrow", "March 6th", False),
        ("the 11th", "2026-03-11", True),
        ("the 11th", "2026-05-11", False),
        ("March 11th", "2025-03-11", True),
        ("March 11th", "2022-03-11", False),
        ("in two weeks", "two weeks", True),
        ("in two weeks", "three weeks", False),
        ("Friday", "tomorrow", False),
    ],
)
def test_readings_that_people_have_are_not_called_different(one: str, other: str, alike: bool) -> None:
    """Words with two readings meet both, and no third."""
    (a,), (b,) = find(one, at=WEDNESDAY), find(other, at=WEDNESDAY)
    assert same(a, b) is alike
    assert same(b, a) is alike
    (a,), (b,) = find(one), find(other)
    assert same(a, b, at=WEDNESDAY) is alike


def test_an_open_weekday_contradicts_a_date_of_another() -> None:
    """Which day of the week a full date is needs no clock."""
    assert same(one_date("Friday", None), one_date("2026-03-13", None))
    assert not same(one_date("Friday", None), one_date("2026-03-12", None))
    assert not same(one_date("tomorrow", None), one_date("yesterday", None))


@pytest.mark.parametrize(
    "text",
    [
        "How can I help you today?",
        "open Monday to Friday",
        "every Friday",
        "on Fridays",
        "Black Friday",
        "Sunday's best",
        "24/7",
        "9/11",
        "1/2 cup",
        "for 3/4 of the price",
        "march on",
        "may I",
        "In May 20 people came",
        "it may 5 times",
        "we won 3-2",
        "pages 5-8",
    ],
)
def test_words_that_only_look_like_dates(text: str) -> None:
    """Habits, greetings, fractions, scores and verbs are no dates."""
    assert [value for value in find(text) if value.kind is ValueKind.DATE] == []


def test_a_weekday_beside_its_date_is_one_value() -> None:
    """The date says it all."""
    assert [value.norm for value in find("on Friday, March 13th at noon")] == ["????-03-13", "12:00"]


@pytest.mark.parametrize(
    "text", ["March 5-8", "5-8 March", "March 5 to 8", "between March 5th and 8th", "March 5 – 8"]
)
def test_both_ends_of_a_range_are_dates(text: str) -> None:
    """The end that lacks its month has the other's."""
    assert [value.norm for value in find(text)] == ["????-03-05", "????-03-08"]
    assert missing(text, "from 5 March until March 8th") == ()
    assert [value.norm for value in missing(text, "from 5 March until March 9th, 8 people")] == ["????-03-08"]


def test_a_summary_may_write_out_a_relative_date() -> None:
    """Each message is read by its own time: tomorrow is another day in each of them."""
    source = [Dated("Deliver it tomorrow.", on(2026, 3, 4)), Dated("No, tomorrow.", on(2026, 3, 6))]
    assert invented("They want it on March 5th, then on March 7th.", source, at=on(2026, 3, 9)) == ()
    assert [value.text for value in invented("It comes on March 6th.", source, at=on(2026, 3, 9))] == [
        "March 6th"
    ]
    assert [value.norm for value in missing(source, "They want it on March 5th.", at=on(2026, 3, 9))] == [
        "2026-03-07"
    ]


def test_the_same_words_at_another_time_are_another_day() -> None:
    """Standing there literally is not enough for a day that depends on when it was said."""
    lost = missing([Dated("Come on the 5th.", on(2026, 3, 4))], [Dated("Come on the 5th.", on(2026, 9, 4))])
    assert [value.norm for value in lost] == ["2026-03-05"]


@given(st.sampled_from(OPEN), st.integers(-(10**20), 10**20))
def test_any_time_will_do(text: str, at: int) -> None:
    """Years beyond the calendar leave a date open; nothing raises."""
    for value in find(text, at=at):
        assert same(value, value)
        assert resolve(value, at) in {value, resolve(value, at)}


@given(st.dates(datetime(1990, 1, 1).date(), datetime(2090, 12, 31).date()), st.integers(0, 60))  # noqa: DTZ001  # a day has no zone
def test_days_from_now_are_counted(day: datetime, ahead: int) -> None:
    """So many days ahead is that day of the calendar, also across months and years."""
    at = on(day.year, day.month, day.day)
    wanted = datetime.fromtimestamp(at / 1e6 + 86_400 * ahead, UTC).date().isoformat()
    assert find(f"in {ahead} days", at=at)[0].norm == wanted
