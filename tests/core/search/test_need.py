"""Whether a message needs anything that was said before."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.search import Statistics, words
from turnstate.core.search.need import need, sentences

KNOWN = set(words("the walrus lamp order 4471290 departure date bus 订单号"))


def look(asked: Sequence[str]) -> tuple[set[str], Statistics] | None:
    """A conversation of a thousand messages, in one of which all of it was said."""
    return (KNOWN, Statistics(1_000, 40.0, dict.fromkeys(KNOWN, 3))) if KNOWN.intersection(asked) else None


@pytest.mark.parametrize(
    "message",
    [
        "What was the departure date of the bus?",
        "Fine. And which lamp did I order?",
        "Remind me of the walrus.",
        "Please cancel order 4471290",
        "我的订单号是什么？",
    ],
)
def test_a_message_that_asks_or_points_back_needs_it(message: str) -> None:
    """By its form, by a cue, or by an id."""
    assert 0 < need(message, look) <= 1


@pytest.mark.parametrize(
    "message", ["", "Thanks!", "I saw a walrus.", "What about pasta?", "Why?", "It costs 12 dollars", "\n \n"]
)
def test_a_message_that_does_not_needs_nothing(message: str) -> None:
    """Nor does a question about what nobody said."""
    assert need(message, look) == 0


def test_the_more_it_asks_the_more_it_needs() -> None:
    """One word is a hint, three are a question about just that."""
    assert need("Which lamp?", look) < need("Which walrus lamp order, of the bus departure date?", look)


@given(st.text(max_size=200))
def test_any_message_has_an_answer(message: str) -> None:
    """A share, and sentences that are its own."""
    assert 0 <= need(message, look) <= 1
    assert all(sentence in message for sentence in sentences(message))
