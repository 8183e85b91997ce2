"""Questions in replies: recorded with what they ask for, and objected to where they were asked and answered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turn.views import Told, view
from turnstate.core.events import Question
from turnstate.core.questions import Answer, Asks
from turnstate.turn.asking import AskedGuard, questions_in
from turnstate.turn.guards import Mode, View

ASKS = {
    "budget": Asks("budget", ("spend",), lasting=True),
    "timeline": Asks("timeline", ("be live", "deadline"), lasting=True),
    "consent": Asks("permission", ("may we record",), lasting=True, required=True),
}
TOLD = Told("Hello", "What is your budget?", [("budget", "What is your budget?")])
ANSWERED = Told("About $40,000 a year.", "Noted.")


@pytest.mark.parametrize(
    ("text", "told", "found"),
    [
        ("", (), []),
        ("Noted: $40,000.", (), []),
        ("Noted. What is your budget?", (), [("budget", "What is your budget?")]),
        (
            "When do you want to be live? And how much can you spend?",
            (),
            [("timeline", "When do you want to be live?"), ("budget", "And how much can you spend?")],
        ),
        ("Is there anything else I can help you with?", (), []),
        ("What colour is your van?", (), [("", "What colour is your van?")]),
        ("What colour is your van?", ("budget",), [("budget", "What colour is your van?")]),
        ("What colour is your van?", ("unheard of",), [("", "What colour is your van?")]),
        (
            "What is your budget? What colour is your van?",
            ("budget",),
            [("budget", "What is your budget?"), ("", "What colour is your van?")],
        ),
    ],
)
def test_the_questions_of_a_reply_have_their_keys(
    text: str, told: tuple[str, ...], found: list[tuple[str, str]]
) -> None:
    """By their own words first; what the model says it asked for goes to a question without a key."""
    assert questions_in(text, ASKS, told) == tuple(Question(key, words) for key, words in found)


@given(st.text(max_size=200), st.lists(st.sampled_from([*ASKS, "unheard of"]), max_size=3))
def test_whatever_a_reply_says_its_questions_stand_in_it(text: str, told: list[str]) -> None:
    """And their keys are declared ones."""
    for question in questions_in(text, ASKS, told):
        assert question.text in text
        assert question.key in {"", *ASKS}


@pytest.mark.parametrize("mode", ["observe", "regenerate", "block"])
def test_a_question_that_was_answered_is_objected_to(mode: Mode) -> None:
    """With both quotes and their turns, which is what a model needs to write it again."""
    objection = AskedGuard(ASKS, on_key=mode).check("And what budget do you have?", view(TOLD, ANSWERED))
    assert objection is not None
    assert objection.mode == mode
    assert "asked in turn 1 (“What is your budget?”)" in objection.reason
    assert "in turn 2: “About $40,000 a year" in objection.reason


@pytest.mark.parametrize(
    ("sentence", "seen"),
    [
        ("What is your budget?", view()),
        ("What is your budget?", view(TOLD, Told("I do not know yet.", "I see."))),
        ("Your budget is $40,000, right?", view(TOLD, ANSWERED)),
        ("When do you want to be live?", view(TOLD, ANSWERED)),
        ("Your budget is noted.", view(TOLD, ANSWERED)),
        ("Is there anything else I can help you with?", view(TOLD, ANSWERED)),
        ("", view(TOLD, ANSWERED)),
        (
            "What is your budget?",
            view(TOLD, ANSWERED, newest="Please ask me again what our budget is, it has changed."),
        ),
        (
            "May we record this call?",
            view(
                Told("Hi", "May we record this call?", [("consent", "May we record this call?")]),
                Told("Yes, you may."),
            ),
        ),
    ],
    ids=[
        "never",
        "not answered",
        "read back",
        "another",
        "no question",
        "courtesy",
        "empty",
        "asked for",
        "required",
    ],
)
def test_a_question_with_a_reason_is_sent(sentence: str, seen: View) -> None:
    """What was not answered, what the user asks for, what is read back, what is required."""
    assert AskedGuard(ASKS, on_key="block", on_paraphrase="block").check(sentence, seen) is None


def test_what_is_on_record_is_not_asked_for_although_nobody_asked() -> None:
    """A value that was volunteered; where it does not stand, the question is sent."""
    seen = view(Told("We are done by March, and have $40,000.", "Noted."))
    guard = AskedGuard(ASKS, known=lambda _: [Answer("budget", 1, "have $40,000")], on_key="block")
    objection = guard.check("What is your budget?", seen)
    assert objection is not None
    assert "The user said in turn 1: “have $40,000”." in objection.reason
    assert AskedGuard(ASKS, known=lambda _: [], on_key="block").check("What is your budget?", seen) is None


def test_words_that_are_only_alike_have_a_mode_of_their_own() -> None:
    """No key is needed for them; `off` says nothing, and how alike is for a function of one's own to say."""
    van = "What colour is your delivery van?"
    seen = view(Told("Hello", van, [("", van)]), Told("It is blue.", "Nice."))
    guard = AskedGuard({}, on_key="block", on_paraphrase="observe")
    objection = guard.check(van, seen)
    assert objection is not None
    assert objection.mode == "observe"
    assert AskedGuard({}, on_paraphrase="off").check(van, seen) is None
    assert AskedGuard({}, on_paraphrase="block", similar=lambda _a, _b: 0.0).check(van, seen) is None


def test_off_by_key_is_off() -> None:
    """Nothing is looked at twice."""
    assert AskedGuard(ASKS, on_key="off").check("What is your budget?", view(TOLD, ANSWERED)) is None


def test_the_question_of_this_very_reply_is_no_earlier_one() -> None:
    """What the turn itself recorded before it was taken up again does not count against it."""
    seen = view(newest="Hello")
    own = view(Told("Hello", "", [("budget", "What is your budget?")]))
    replayed = View(own.history, own.history.turns[0], "Hello", seen.state)
    assert AskedGuard(ASKS, on_key="block").check("What is your budget?", replayed) is None


@given(st.text(max_size=200))
def test_any_sentence_can_be_looked_at(sentence: str) -> None:
    """A guard objects or it does not; it never raises."""
    objection = AskedGuard(ASKS, on_key="block").check(sentence, view(TOLD, ANSWERED))
    assert objection is None or objection.reason
