"""Which questions of an agent can be asked again, and which ask the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.audit.asked import Manner, Put, alike, manner_of, puts


def _put(text: str, turn: int = 1) -> Put:
    """The first question of a reply."""
    return next(puts(turn, [text]))


@pytest.mark.parametrize(
    ("text", "manner"),
    [
        ("How many passengers?", "open"),
        ("Do you have a preferred time?", "open"),
        ("Will you leave on May 6th?", "open"),
        ("What type of car, an SUV or a Sedan?", "open"),
        ("Do you need insurance?", "bare"),
        ("Is that acceptable?", "free"),
        ("How about the Mumford Theatre?", "free"),
        ("Would you like to book a table?", "free"),
        ("So that is three passengers, right?", "free"),
    ],
)
def test_how_a_question_asks(text: str, manner: Manner) -> None:
    """For something, for yes or no, or so that it may come again: an offer, a choice, a read-back."""
    assert manner_of(_put(text), set()) == manner


def test_courtesies_and_statements_are_no_questions() -> None:
    """A courtesy ("Anything else?") and what tells what there is ask nothing; examples to choose from do."""
    assert not list(
        puts(
            1,
            [
                "Can I help you with anything else?",
                "I have the junction theatre.",
                "What would you like to know?",
            ],
        )
    )
    assert [put.step for put in puts(1, ["Fine.", "Do you prefer music, theater or something else?"])] == [2]


def test_the_same_in_other_words_is_found_among_others() -> None:
    """Of several earlier questions, the one that asks for the same."""
    earlier = [
        _put("What date do you leave?", 1),
        _put("How many people will travel?", 2),
        _put("Which city?", 3),
    ]
    found = alike(_put("For how many passengers?", 4), earlier, bare=False)
    assert [put.turn for _, put in found][:1] == [2]


def test_a_question_of_yes_or_no_has_to_be_nearly_the_same() -> None:
    """Insurance again is the same question, a table is another."""
    again = _put("Do you want insurance?", 2)
    assert alike(again, [_put("Do you need insurance?")], bare=True)
    assert not alike(again, [_put("Do you need a table outside?")], bare=True)


@given(st.text(max_size=80))
def test_any_reply_can_be_looked_at(text: str) -> None:
    """No text breaks it; every question stands in its reply."""
    for put in puts(1, [text]):
        assert put.text in text
        assert manner_of(put, set()) in {"open", "bare", "free"}
