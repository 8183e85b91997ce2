"""Stretches in which an agent, not the user, leaves the goal."""

from __future__ import annotations

from pathlib import Path

from benchmarks.audit_goals import hits
from benchmarks.audit_sessions import measured
from hypothesis import given
from tests.audit.dialogues import dialogue, sound, transcripts

from turnstate.audit.goals import check_goals
from turnstate.readers.transcript import Transcript

OPENING = (
    "I need a flight from Seattle to New York on May 5th.",
    'call SearchFlights: {"origin": "Seattle", "destination": "New York", "date": "2026-05-05"} -> [{"airline": "Alaska", "price": "310"}]',
    "I found a flight with Alaska for 310 dollars.",
    "Is it direct? And what does a bag cost?",
    'call FlightDetails: {"airline": "Alaska"} -> {"stops": 0, "bag": "30"}',
    "The Alaska flight is direct, a bag costs 30.",
    "Book it for two passengers please.",
)  # fmt: skip
BOOKED = (
    'call BookFlight: {"airline": "Alaska", "passengers": 2} -> {"booked": true}',
    "Your Alaska flight is booked for two passengers from Seattle.",
    "Thanks. Which terminal in New York?",
    'call FlightDetails: {"airline": "Alaska"} -> {"terminal": "7"}',
)


def test_a_stretch_about_what_nobody_asked_for_is_found() -> None:
    """Two messages about salons and therapists in a talk about a flight: one finding, against the opening."""
    talk = dialogue(
        *OPENING,
        "There is a nice hair salon called Atelier Willow Glen.",
        "Ok, and the flight?",
        "Dwyer Patricia is a psychologist in Vallejo, shall I arrange a therapy session?",
        "I only want the flight to New York.",
        *BOOKED[:2],
    )
    found = check_goals(talk)
    assert [(one.kind, one.first.quote, one.turn) for one in found] == [("goal_left", OPENING[0], 3)]
    assert "Atelier" in found[0].why


def test_an_agent_that_stays_with_the_flight_has_left_nothing() -> None:
    """Results of tools and what the user speaks of hold what the agent says."""
    assert not check_goals(dialogue(*OPENING, *BOOKED, "You arrive at terminal 7."))


def test_the_user_s_own_change_of_topic_moves_the_goal() -> None:
    """The user asks for a salon, the agent speaks of salons: nobody left anything."""
    talk = dialogue(
        *OPENING,
        *BOOKED[:2],
        "Now find me a hair salon in Willow Glen and a psychologist in Vallejo.",
        "There is a nice hair salon in Willow Glen.",
        "And the psychologist?",
        "There is a psychologist in Vallejo.",
        "Good.",
        "You are welcome.",
    )
    assert not check_goals(talk)


def test_one_odd_message_is_no_stretch() -> None:
    """A single message off the goal may be anything."""
    talk = dialogue(
        *OPENING, "There is a nice hair salon called Atelier Willow Glen.", "Pardon?", *BOOKED[:2]
    )
    assert not check_goals(talk)


def test_who_speaks_freely_throughout_cannot_be_judged() -> None:
    """An agent whose words are its own from the beginning has no usual share of held words to fall below."""
    talk = dialogue(
        "Tell me a tale.",
        "Once a heron flew north.",
        "More!",
        "Foxes dug burrows under snow.",
        "More!",
        "An owl sang in a willow.",
        "More!",
        "Rivers froze by winter.",
    )
    assert not check_goals(talk)


@given(transcripts())
def test_every_finding_is_sound_and_the_same_each_time(talk: Transcript) -> None:
    """No transcript breaks it, every quote stands where it says, and looking again finds the same."""
    found = check_goals(talk)
    assert all(sound(one, talk) for one in found)
    assert check_goals(talk) == found


def test_splices_are_found_on_the_half_that_nothing_was_chosen_on(shared_data: Path) -> None:
    """Recall of at least 0.80 with false alarms on at most a tenth of the sessions."""
    figures = measured(shared_data, "goal_drift", check_goals, hits)["reported"]
    assert figures["recall"] >= 0.8
    assert figures["false_alarms"] <= 0.1
