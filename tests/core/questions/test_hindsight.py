"""What a user's reply to a second question says of it, when the dialogue is over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.questions import AskedQuestion, Asks, Exchange, Outgoing, repetition
from turnstate.core.questions.hindsight import (
    Reply,
    exact,
    moves,
    reads_back,
    reply_of,
    stated,
    tells,
    undone,
)
from turnstate.core.questions.types import Reason

ASKED = "How many passengers?"
PEOPLE = Asks("number of people", ("passengers",))


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("Two, as I said.", "objects"),
        ("I already told you.", "objects"),
        ("2 passengers.", "same"),
        ("Seven passengers.", "other"),
        ("Thanks, that's all.", "nothing"),
        ("What does it cost?", "nothing"),
        ("My neighbours would travel along with all of us then.", "plain"),
    ],
)
def test_what_a_user_says_to_a_second_question(message: str, reply: Reply) -> None:
    """An objection, the same number in figures, another one, nothing of the kind, or what may be an answer."""
    assert reply_of(ASKED, message, "Two passengers.") == reply


def test_a_request_is_read_as_what_it_states() -> None:
    """A wish put as a question says what is wished; another question stays one."""
    assert stated("Can you make it 5 pm?") == "make it 5 pm."
    assert stated("Can you hear me?") == "Can you hear me?"


def test_what_states_something_is_told_from_agreement() -> None:
    """A statement tells; agreement, thanks and questions do not."""
    assert tells("I am fond of musicals.")
    assert not any(map(tells, ("Sounds good.", "Thank you so much.", "Where is it?", "Yes")))


def test_names_and_numbers_are_exact() -> None:
    """Words with a figure, and capitals that open no sentence."""
    assert exact("Fly to Seattle on June 5th with HAT12") == {"seattle", "june", "5th", "hat12"}


def test_a_read_back_is_no_question() -> None:
    """It names the answer; what the earlier question named already does not count."""
    assert reads_back("So you leave from Seattle?", "From Seattle.")
    assert reads_back("Please confirm: two tickets to Rome.", "Two.")
    assert not reads_back("Will you leave on May 6th?", "On May 5th.")
    assert not reads_back(
        "Which Alaska flight?", "The Alaska one at noon.", "Which Alaska flight do you want?"
    )


@pytest.mark.parametrize(
    ("said", "reply", "reason"),
    [
        ("Ok.", "Fine.", None),
        ("Ok.", "Unfortunately there is no flight.", Reason.INVALID),
        ("Actually, I changed my mind.", "Fine.", Reason.CHANGED),
        ("I also need a hotel.", "Fine.", Reason.OTHER_ENTITY),
        ("Please ask me again.", "Fine.", Reason.USER_ASKED),
    ],
)
def test_what_undoes_an_answer(said: str, reply: str, reason: Reason | None) -> None:
    """A failure, a correction, one more thing, the user's own wish; otherwise it stands."""
    since = [Exchange(2, "Two.", reply), Exchange(3, said, ASKED)]
    assert undone(ASKED, ASKED, since) is reason


def test_a_failure_that_was_mended_undoes_nothing() -> None:
    """What failed first and was then done leaves the answer standing."""
    since = [
        Exchange(2, "Two.", "That failed."),
        Exchange(3, "Hm.", "It is booked now."),
        Exchange(4, "Ok.", ASKED),
    ]
    assert undone(ASKED, ASKED, since) is None


def test_the_guard_s_judgement_takes_the_reply_where_there_is_one() -> None:
    """Repeated for a guard; with hindsight legitimate if the user says something else, and repeated if the user objects."""
    asked = [AskedQuestion("people", ASKED, 1)]
    past = [Exchange(1, "A flight.", ASKED), Exchange(2, "Two passengers.", "Fine."), Exchange(3, "Go on.")]

    def kind(replied: str | None) -> str:
        return repetition(Outgoing(ASKED, "people", asks=PEOPLE, replied=replied), asked, past).kind

    assert (kind(None), kind("Two."), kind("Seven passengers."), kind("As I said, two.")) == (
        "repeated",
        "repeated",
        "legitimate",
        "repeated",
    )


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_any_words_can_be_read(question: str, message: str, answer: str) -> None:
    """No text breaks it, and reading it again says the same."""
    assert reply_of(question, message, answer) == reply_of(question, message, answer)
    assert moves(message) == moves(message)
    assert isinstance(reads_back(question, answer), bool)
    assert isinstance(stated(message), str)
