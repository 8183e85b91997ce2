"""An agent that opens a conversation a second time."""

from __future__ import annotations

from hypothesis import given
from tests.audit.dialogues import dialogue, sound, transcripts

from turnstate.audit.phases import check_phases
from turnstate.readers.transcript import Transcript

START = (
    "Hi.",
    "Hello! How can I help you?",
    "I need a refund for order A1.",
    "Why?",
    "It is broken.",
    "I see.",
)


def test_a_second_greeting_in_the_middle_is_found() -> None:
    """The user goes on, the agent greets and asks what it is about."""
    found = check_phases(dialogue(*START, "So?", "Hello! How can I help you today?"))
    assert [(one.kind, one.first.quote, one.turn) for one in found] == [("phase_regressed", "So?", 4)]


def test_who_is_greeted_may_greet() -> None:
    """A user who says hello again is answered with hello again."""
    assert not check_phases(dialogue(*START, "Hello again.", "Hello! How can I help you today?"))
    assert not check_phases(dialogue(*START, "That is all.", "Thank you for calling. How else can I help?"))


@given(transcripts())
def test_every_finding_is_sound_and_the_same_each_time(talk: Transcript) -> None:
    """No transcript breaks it, every quote stands where it says, and looking again finds the same."""
    found = check_phases(talk)
    assert all(sound(one, talk) for one in found)
    assert check_phases(talk) == found
