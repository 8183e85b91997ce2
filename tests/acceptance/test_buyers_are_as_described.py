"""The twenty buyers of the sales tests are what their fields say they are."""

from __future__ import annotations

import pytest

from acceptance.buyers import BUYERS, Buyer

EACH = pytest.mark.parametrize("buyer", BUYERS, ids=lambda buyer: buyer.name)


def _first(buyer: Buyer, words: str) -> int:
    """The turn, from 1, of the first message that holds the words; 0 for none."""
    return next((turn for turn, line in enumerate(buyer.lines, 1) if words in line), 0)


def test_there_are_twenty_and_no_message_is_said_twice() -> None:
    """Twenty names, three hundred messages, all of them different whatever their case."""
    lines = [line.casefold() for buyer in BUYERS for line in buyer.lines]
    assert len({buyer.name for buyer in BUYERS}) == len(BUYERS) == 20
    assert len(set(lines)) == len(lines) == 300


@EACH
def test_a_buyer_has_fifteen_messages_with_something_in_each(buyer: Buyer) -> None:
    """Fifteen messages, none of them empty or padded."""
    assert len(buyer.lines) == 15
    assert all(line and line == line.strip() for line in buyer.lines)


@EACH
def test_the_timeline_comes_in_the_third_message_and_in_no_other(buyer: Buyer) -> None:
    """Only the third message names the timeline."""
    assert [turn for turn, line in enumerate(buyer.lines, 1) if buyer.timeline in line] == [3]


@EACH
def test_the_industry_is_volunteered_in_the_fourth_or_fifth_message(buyer: Buyer) -> None:
    """The trade's key term stands in message four or five."""
    assert any(buyer.industry in line for line in buyer.lines[3:5])


@EACH
def test_the_corrected_budget_follows_the_first_one(buyer: Buyer) -> None:
    """Both budgets are said, and the correction comes later, in message nine or ten."""
    assert 0 < _first(buyer, buyer.first_budget) < _first(buyer, buyer.budget)
    assert _first(buyer, buyer.budget) in (9, 10)


@EACH
def test_the_unanswerable_question_is_one_of_the_later_messages(buyer: Buyer) -> None:
    """What the knowledge base cannot hold is asked after the budget was corrected."""
    assert buyer.lines.index(buyer.unanswerable) + 1 > _first(buyer, buyer.budget)
