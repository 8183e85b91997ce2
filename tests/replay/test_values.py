"""The values that were said, and which of them stand in a request."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.messages import ModelMessage, ModelRequest, user_message
from turnstate.core.values import find
from turnstate.replay.values import InView, Said, Values, stands_for


def _said(*texts: str) -> Said:
    said = Said(Values())
    said.add([user_message(text, 0) for text in texts])
    return said


def _request(*texts: str) -> list[ModelMessage]:
    return [user_message(text, 0) for text in texts]


def test_each_value_counts_once_however_often_it_was_said() -> None:
    """By what it means."""
    said = _said("Order 12345, please.", "It is order 12345!", "I paid $20 for it.")
    assert said.stand(_request("Hello.")) == InView(2, 0)
    assert said.stand(_request("order 12345")) == InView(2, 1)
    assert said.stand(_request("order 12345", "$20.00")) == InView(2, 2)


@pytest.mark.parametrize(
    ("value", "view", "there"),
    [
        ("It leaves on 2026-03-05.", "Leaving March 5th.", True),
        ("It leaves on 2026-03-05.", "Leaving on the 5th.", False),
        ("It leaves on 2026-03-05.", "Leaving on March 6th.", False),
        ("At 14:00.", "At 2 pm.", True),
        ("Call 408-842-1119.", "Call (408) 842-1119.", True),
        ('It is called "Blue Heron".', "the blue heron room", True),
        ('It is called "Blue Heron".', "the blue herons", False),
    ],
)
def test_a_value_may_be_said_differently(value: str, view: str, there: bool) -> None:
    """But not with less: the day of a month does not tell a date."""
    assert _said(value).stand(_request(view)) == InView(1, int(there))


def test_the_newest_message_counts_as_view_and_not_as_said() -> None:
    """What was said is added by whoever replays, when it is over."""
    said = _said("order 12345")
    assert said.stand(_request("order 12345", "order 67890")) == InView(1, 1)


def test_a_conversation_serves_several_replays() -> None:
    """What one of them has said does not count for another."""
    values = Values()
    one, other = Said(values), Said(values)
    one.add(_request("order 12345"))
    assert one.stand([]) == InView(1, 0)
    assert other.stand([]) == InView(0, 0)
    assert one.stand(_request("order 12345")) == InView(1, 1)


_TEXTS = st.lists(
    st.sampled_from(
        [
            "order 12345",
            "$20",
            "20 USD",
            "March 5th",
            "2026-03-05",
            "at 2 pm",
            "14:00",
            "nothing",
            "v1.2.3",
            "5 kg",
        ]
    ),
    max_size=6,
)


@given(texts=_TEXTS, view=_TEXTS)
def test_what_is_in_view_is_a_part_of_what_was_said(texts: list[str], view: list[str]) -> None:
    """All of it where everything is shown; never less when more is shown."""
    said = _said(*texts)
    some = said.stand(_request(*view))
    assert 0 <= some.there <= some.seen == len({(v.kind, v.norm) for text in texts for v in find(text)})
    assert said.stand(_request(*texts)).there == some.seen
    assert said.stand(_request(*view, *texts[:2])).there >= some.there


def test_a_date_with_less_does_not_stand_for_one_with_more() -> None:
    """The year may be open: it is seldom said."""
    full, day, month_day = (find(text)[0] for text in ("2026-03-05", "on the 5th", "March 5th"))
    assert stands_for(month_day, full)
    assert stands_for(full, day)
    assert not stands_for(day, full)


def test_parts_without_text_hold_nothing() -> None:
    """An empty request has no value."""
    assert _said("order 12345").stand([ModelRequest(parts=[])]) == InView(1, 0)
