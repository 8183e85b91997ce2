"""Questions that an agent asks again: found where they were needless, and left alone where there was a reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.audit_repeats import PARTS, hits, verdict
from benchmarks.audit_sessions import measured, rows
from benchmarks.questions import Outcome, f1, templates
from hypothesis import given
from hypothesis import strategies as st
from tests.audit.dialogues import dialogue, sound, transcripts

from turnstate.audit.findings import Check
from turnstate.audit.goals import check_goals
from turnstate.audit.phases import check_phases
from turnstate.audit.promises import check_promises
from turnstate.audit.repeats import check_repeats
from turnstate.readers.recognise import read_transcripts
from turnstate.readers.transcript import Transcript

CHECKS: tuple[Check, ...] = (check_repeats, check_goals, check_phases, check_promises)
ASKED = "How many passengers will be travelling?"


def test_a_question_that_was_answered_is_found_with_the_answer() -> None:
    """Asked, answered and asked again: one finding, which quotes the answer and the second question."""
    found = check_repeats(
        dialogue(
            "I need a flight.",
            ASKED,
            "Three passengers.",
            "Thanks.",
            "And now?",
            "How many passengers are you?",
            "Still three.",
        )
    )
    assert [(one.kind, one.first.turn, one.first.quote, one.turn, one.then.quote) for one in found] == [
        ("asked_again", 2, "Three passengers.", 3, "How many passengers are you?")
    ]
    assert found[0].about == "number of people"


def test_what_the_user_said_without_being_asked_need_not_be_asked() -> None:
    """The user gave the number with the request and says so: asking for it is asking again."""
    found = check_repeats(
        dialogue(
            "Two tickets from Seattle to New York on December 5th, please.",
            f"I found HAT12 for $310 each. {ASKED}",
            "Two, as I said.",
            "Booking HAT12 for two passengers on December 6th.",
        )
    )
    assert [(one.first.turn, one.then.quote) for one in found] == [(1, ASKED)]


def test_the_greeting_may_ask_first() -> None:
    """A question of the greeting, answered by the first message, is asked again in vain."""
    talk = dialogue(
        "For three people.",
        "Good. For how many people?",
        "For three people, as I said.",
        greeting="How many people are you?",
    )
    assert [one.turn for one in check_repeats(talk)] == [1]


@pytest.mark.parametrize(
    "talk",
    [
        dialogue("I need a flight.", ASKED, "What does it cost?", "It costs $300.", "Ok.", ASKED, "Three."),
        dialogue("I need a flight.", ASKED, "Three.", "Booked for three.", "Now I also need another flight.", ASKED, "Five."),
        dialogue("A table at 5 pm.", "For how many people?", "Four.", "Unfortunately they have no tables for four. For how many people else?", "Two."),
        dialogue("I need a flight.", ASKED, "Three.", "Good.", "What was your question? Ask me again.", ASKED, "Three."),
        dialogue("I need a flight.", ASKED, "I don't know yet.", "Fine.", "Go on.", ASKED, "Three."),
        dialogue("A flight for three passengers.", "So that is three passengers, right?", "Yes.", "Thanks.", "Bye.", "Anything else?", "No."),
    ],
    ids=["not answered", "another one", "failed", "asked for", "unknown to the user", "read back"],
)  # fmt: skip
def test_a_reason_to_ask_again_is_no_finding(talk: Transcript) -> None:
    """Not answered, another thing, a failure, the user's own wish, not known, a read-back."""
    assert not check_repeats(talk)


def test_who_answers_something_else_was_rightly_asked() -> None:
    """The same question, but the user has another number this time: nobody lost anything."""
    start = ("I need a flight.", ASKED, "Three passengers.", "Thanks.", "Go on.", ASKED)
    assert not check_repeats(dialogue(*start, "Seven passengers."))
    assert check_repeats(dialogue(*start, "Three passengers."))


def test_the_user_s_objection_makes_it_surer() -> None:
    """An objection ("I told you already") says it was asked again; no reply leaves more doubt."""
    start = ("I need a flight.", ASKED, "Three passengers.", "Thanks.", "Go on.", ASKED)
    objected, silent = (
        check_repeats(dialogue(*start, "I already told you.")),
        check_repeats(dialogue(*start, "Hm.")),
    )
    assert objected[0].sure > silent[0].sure


@given(transcripts())
def test_every_finding_is_sound_and_the_same_each_time(talk: Transcript) -> None:
    """No transcript breaks it, every quote stands where it says, and looking again finds the same."""
    found = check_repeats(talk)
    assert all(sound(one, talk) for one in found)
    assert check_repeats(talk) == found


@given(
    st.lists(
        st.sampled_from(["Two.", "On May 5th.", "Seattle", "I want a flight for two people.", "As I said."]),
        max_size=6,
    )
)
def test_who_asks_nothing_asks_nothing_again(said: list[str]) -> None:
    """Replies without a question yield nothing, whatever the user says."""
    talk = [text for one in said for text in (one, "I have noted that.")] or ["Hello.", "Welcome."]
    assert not check_repeats(dialogue(*talk))


@given(st.text(max_size=80))
def test_one_question_alone_is_not_asked_again(said: str) -> None:
    """A question that nothing came before but a greeting word is never a second one."""
    assert not check_repeats(dialogue("Hello.", ASKED, said or "?"))


def test_the_story_of_the_samples_asks_for_the_passengers_again(shared_data: Path) -> None:
    """Of the checks of questions, goals, phases and promises, only the one of questions finds anything: the passengers."""
    path = shared_data / "transcript_formats" / "openai" / "chat_completions.jsonl"
    (talk,) = read_transcripts(path)
    assert isinstance(talk, Transcript)
    (found,) = [one for check in CHECKS for one in check(talk)]
    assert (found.kind, found.then.quote) == ("asked_again", ASKED)
    assert found.first.quote in "Two tickets from Seattle to New York on December 5th, please."


def test_inserted_repeats_are_found_on_the_half_that_nothing_was_chosen_on(shared_data: Path) -> None:
    """Recall of at least 0.80 with false alarms on at most a tenth of the sessions."""
    figures = measured(shared_data, "question_repetition", check_repeats, hits)["reported"]
    assert figures["recall"] >= 0.8
    assert figures["false_alarms"] <= 0.1


def test_with_hindsight_the_guard_s_judgement_is_better(shared_data: Path) -> None:
    """What the user replies raises F1 on the labelled repeats over the guard's own 0.714 and 0.462."""
    wording = templates(shared_data)
    for part, guard in zip(PARTS, (0.714, 0.462), strict=True):
        pairs = rows(shared_data / "question_repetition_gold" / f"{part}.jsonl")
        outcomes = [Outcome(row["redundant"], verdict(row, wording).kind == "repeated") for row in pairs]
        assert f1(outcomes) > guard
