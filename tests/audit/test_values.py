"""Values that an agent changes or loses: found with both places, and left alone where there was a reason."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from benchmarks.audit_sessions import sessions
from benchmarks.audit_values import learnt, measured
from hypothesis import given
from hypothesis import strategies as st
from tests.audit.dialogues import dialogue, sound, transcripts

from turnstate.audit.findings import Finding
from turnstate.audit.values import LEAST, Signatures, check_values, suspected
from turnstate.readers.openai_chat import read_chat
from turnstate.readers.recognise import read_transcripts
from turnstate.readers.transcript import Transcript


def told(found: Sequence[Finding]) -> list[tuple[str, str, str]]:
    """Kind, what is quoted first and what it is about."""
    return [(one.kind, one.first.quote, one.about) for one in found]


def call(name: str, /, **arguments: object) -> str:
    """A call as `dialogue` reads it, with an empty result."""
    return f"call {name}: {json.dumps(arguments)} -> []"


def with_tools(talk: Transcript, **keys: Sequence[str]) -> Transcript:
    """The transcript with tools declared, each with its arguments, all optional."""
    return replace(talk, tools=tuple(tool(name, taken) for name, taken in keys.items()))


def tool(name: str, keys: Sequence[str]) -> dict[str, Any]:
    """A tool as it is declared to a model."""
    properties = {key: {"type": "string"} for key in keys}
    return {"type": "function", "function": {"name": name, "parameters": {"properties": properties}}}


CONTRADICTED = [
    ("A table for December 5th, please.", "Booking your table for December 6th.", "date"),
    ("A taxi at 3 pm, please.", "To confirm: your taxi comes at 3:30 pm, correct?", "time"),
    ("I need three tickets.", "I'll book two tickets for you.", "count"),
    ("I want to go to Chicago.", "You would like to go to Boston, right?", "name"),
    ("Please write to ana@example.com.", "I will send it to anna@example.com, correct?", "contact"),
    (
        "Send the money to Mary Jones.",
        "Please confirm that you want to send the money to Paul Simon.",
        "name",
    ),
]


@pytest.mark.parametrize(("said", "reply", "about"), CONTRADICTED)
def test_a_value_said_back_differently_is_found_with_both_places(said: str, reply: str, about: str) -> None:
    """A date, a time, a number of things, a place, an address, a person: one finding that quotes both."""
    (found,) = check_values(dialogue(said, reply))
    assert (found.kind, found.about) == ("value_changed", about)
    assert (found.first.turn, found.first.speaker, found.then.turn, found.then.speaker) == (
        1,
        "user",
        1,
        "assistant",
    )
    assert found.first.quote in said
    assert found.then.quote in reply


SAID_DIFFERENTLY = [
    ("A table for December 5th, please.", "Booking your table for 5 December."),
    ("A taxi at half past 3 in the afternoon.", "To confirm: your taxi comes at 15:30, correct?"),
    ("I need three tickets.", "I'll book 3 tickets for you."),
    ("I want to fly to NYC.", "You would like to fly to New York, right?"),
    ("Pick me up at John F. Kennedy Airport.", "You want to be picked up at JFK Airport, right?"),
    ("It costs $1,200.", "You will pay 1200 dollars, correct?"),
]


@pytest.mark.parametrize(("said", "reply"), SAID_DIFFERENTLY)
def test_the_same_value_said_differently_is_none(said: str, reply: str) -> None:
    """Another spelling, another format, a nickname, initials."""
    assert check_values(dialogue(said, reply)) == []


def test_an_argument_that_contradicts_is_found() -> None:
    """The call carries another city than the user named; the finding quotes the call by name and arguments."""
    talk = dialogue(
        "A hotel in Chicago, please.", call("find_hotel", city="Boston"), "Here are three hotels."
    )
    (found,) = check_values(talk)
    assert (found.kind, found.about, found.then.speaker) == ("value_changed", "city", "call")
    assert found.then.quote.startswith("find_hotel ")
    assert sound(found, talk)


def test_a_change_that_the_user_confirmed_is_none() -> None:
    """The agent proposed another time, the user took it, and the booking has it."""
    found = check_values(
        dialogue(
            "A table at 7 pm, please.",
            "Unfortunately 7 pm is not available. How about 8 pm?",
            "Yes, that works.",
            call("book_table", time="20:00"),
            "Your table is booked for 8 pm.",
        )
    )
    assert found == []


def test_the_user_s_own_correction_is_none() -> None:
    """The newest value counts."""
    found = check_values(
        dialogue(
            "The 3rd of May, please.",
            "Noted, May 3rd.",
            "Actually, make it May 4th.",
            "Booking it for May 4th.",
        )
    )
    assert found == []


def test_going_back_to_a_value_that_the_user_corrected_is_found() -> None:
    """A call with the older of two values, just after the newer was read back."""
    found = check_values(
        dialogue(
            "Set an alarm for 5 pm.",
            "An alarm for 5 pm, correct?",
            "No, make it 3 pm.",
            "You want an alarm for 3 pm, correct?",
            "Yes.",
            call("add_alarm", alarm_time="17:00"),
            "It is set.",
        )
    )
    assert [(one.kind, one.about, one.then.speaker) for one in found] == [
        ("value_changed", "alarm_time", "call")
    ]


def test_the_value_of_another_thing_is_none() -> None:
    """What a tool knew of a flight is not what the user asked of a hotel."""
    result = '[{"flight": "HAT12", "date": "2026-06-09"}]'
    found = check_values(
        dialogue(
            "When is my flight HAT12? And I need a hotel on June 11th.",
            f"call get_flight: {json.dumps({'flight': 'HAT12'})} -> {result}",
            "Your flight HAT12 is on June 9th. The hotel is for June 11th, correct?",
        )
    )
    assert found == []


def test_a_day_that_follows_from_the_user_s_is_none() -> None:
    """Five nights from May 3rd end on May 8th."""
    found = check_values(
        dialogue("A room from 2026-05-03 for five days.", "You will check out on 2026-05-08, correct?")
    )
    assert found == []


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        (
            "I have to arrive by 5 pm.",
            "Train TR12 gets you there at 4:40 pm. I will book it for you, correct?",
        ),
        ("Something under $100, please.", "So you want the room for $80, correct?"),
        ("A table at 7 pm, please.", "Unfortunately 7 pm is taken. The closest I have is 8 pm, is that ok?"),
        ("A train on Monday at 10 am.", "There is one that leaves at 10:20 am."),
    ],
)
def test_a_bound_and_an_open_offer_are_none(said: str, reply: str) -> None:
    """What keeps within a bound, and what is offered openly, contradicts nothing."""
    assert check_values(dialogue(said, reply)) == []


def test_the_record_that_an_id_brings_back_is_not_what_was_asked_for() -> None:
    """A lookup by an id returns the user's name; it does not take one."""
    found = check_values(
        dialogue(
            "I am Raj Sanchez, about reservation MZDDS4.",
            f"call get_reservation: {json.dumps({'reservation_id': 'MZDDS4'})} -> {json.dumps({'last_name': 'Sanchez'})}",
            "How can I help?",
        )
    )
    assert found == []


def test_a_date_of_birth_contradicts_no_day_of_travel() -> None:
    """It is a date of another thing."""
    found = check_values(
        dialogue(
            "Book me a flight on May 24.", call("add_passenger", first_name="Ivan", dob="1985-02-03"), "Done."
        )
    )
    assert found == []


def test_a_day_counted_from_the_user_s_is_none() -> None:
    """A day before the 28th is the 27th."""
    found = check_values(
        dialogue(
            "The party is on September 28th. Remind me a day before.",
            call("add_reminder", due_date="2026-09-27"),
            "You will be reminded.",
        )
    )
    assert found == []


def test_another_code_is_none_and_a_misread_one_is_found() -> None:
    """Ids of other things are no contradiction; two letters changed places in the user's own are."""
    other, misread = (
        check_values(dialogue("It is about order W2378156.", call("get_item", item_id=code), "Let me see."))
        for code in ("7706410293", "W2378165")
    )
    assert other == []
    assert [(one.kind, one.about) for one in misread] == [("value_changed", "item_id")]


def test_a_heading_is_no_name() -> None:
    """What stands before a colon names what follows."""
    reply = "To confirm:\n- **Payment Method**: card\n- **Passenger Name**: Mia Li"
    assert check_values(dialogue("My name is Mia Li.", reply)) == []


def test_what_the_user_denied_was_not_given() -> None:
    """Not on Friday: Saturday contradicts nothing."""
    assert check_values(dialogue("Not on May 5th, please.", "Booking it for May 6th.")) == []


def test_a_declared_argument_that_is_left_out_is_found() -> None:
    """The tool takes a date by its schema, the user gave one, the call has none."""
    talk = with_tools(
        dialogue("A table in Chicago on May 5th.", call("find_table", city="Chicago"), "Here are two."),
        find_table=("city", "date"),
    )
    assert told(check_values(talk)) == [("value_left_out", "A table in Chicago on May 5th.", "date")]


def test_what_the_tool_does_not_take_is_not_left_out() -> None:
    """The schema has no date."""
    talk = with_tools(
        dialogue("A table in Chicago on May 5th.", call("find_table", city="Chicago"), "Here are two."),
        find_table=("city",),
    )
    assert check_values(talk) == []


def test_an_argument_that_the_tool_s_other_calls_carry_is_missed() -> None:
    """The same tool was called with a time before; the second call has none though the user gave one."""
    found = check_values(
        dialogue(
            "Set an alarm named Gym for 5 pm.",
            call("add_alarm", alarm_name="Gym", alarm_time="17:00"),
            "Sorry, that failed.",
            "Try 6 pm then.",
            call("add_alarm", alarm_name="Gym"),
            "I could not set it.",
        )
    )
    assert told(found) == [("value_left_out", "Try 6 pm then.", "alarm_time")]


def test_other_transcripts_tell_what_a_tool_takes() -> None:
    """Alone nothing says that it takes a city; five other conversations do."""
    talk = dialogue("A doctor in Chicago, please.", call("find_doctor", kind="any"), "Here are two.")
    known = Signatures()
    known.learn(
        dialogue("A doctor.", call("find_doctor", city=city, kind="any"), "Here.")
        for city in ("Boston", "Denver", "Seattle", "Austin", "Dallas")
    )
    assert check_values(talk) == []
    assert told(check_values(talk, known)) == [("value_left_out", "A doctor in Chicago, please.", "city")]


def test_the_choices_that_a_schema_offers_are_known_in_any_case() -> None:
    """The schema names the kinds of rides; the user chose one in lower case, the call has none."""
    talk = dialogue("I prefer a pool ride.", call("get_ride", destination="Main Street"), "It is on its way.")
    schema = {"destination": {"type": "string"}, "kind": {"enum": ["Pool", "Luxury"]}}
    offered = {"name": "get_ride", "input_schema": {"properties": schema, "required": ["destination"]}}
    assert told(check_values(replace(talk, tools=(offered,)))) == [
        ("value_left_out", "I prefer a pool ride.", "kind")
    ]


@given(
    st.lists(
        st.dictionaries(st.text(max_size=12), st.integers() | st.text() | st.lists(st.text())), max_size=3
    )
)
def test_tools_that_declare_nothing_sensible_are_no_matter(tools: list[dict[str, Any]]) -> None:
    """Whatever stands where schemas should, the check goes on."""
    named = [{"name": "f", "parameters": tool, "input_schema": 3} for tool in tools]
    talk = replace(dialogue("On May 5th.", call("f", a="b"), "Yes."), tools=(*tools, *named))
    assert all(sound(one, talk) for one in suspected(talk))


@given(transcripts())
def test_every_finding_is_sound_and_the_same_each_time(talk: Transcript) -> None:
    """No transcript breaks it, every quote stands where it says, and looking again finds the same."""
    found = list(suspected(talk))
    assert all(sound(one, talk) for one in found)
    assert list(suspected(talk)) == found
    assert check_values(talk) == [one for one in found if one.sure >= LEAST]


_VALUES = {
    "date": st.sampled_from(["May 5th", "2026-11-30", "next Friday", "the 3rd of June", "tomorrow"]),
    "time": st.sampled_from(["5 pm", "17:30", "half past 3 in the afternoon", "noon"]),
    "city": st.sampled_from(["Chicago", "New York", "San Jose", "Zürich", "Oakley Creek"]),
    "name": st.sampled_from(["Mary Jones", "Pulp Fiction", "Leave for home", "Ana", "3 Below Theaters"]),
    "tickets": st.sampled_from(["two tickets", "3 tickets", "one ticket"]),
    "amount": st.sampled_from(["$45", "1,200 dollars", "93 EUR"]),
}


@given(st.lists(st.fixed_dictionaries(_VALUES), min_size=1, max_size=4), st.booleans())
def test_an_agent_that_repeats_the_user_s_values_exactly_is_never_accused(
    given_values: list[dict[str, str]], called: bool
) -> None:
    """Whatever was given before, the reply and the call with the user's own words contradict and lose nothing."""
    said: list[str] = []
    for values in given_values:
        text = "I want {tickets} for {name} in {city} on {date} at {time} for {amount}.".format(**values)
        said.append(text)
        if called:
            said.append(call("book", **values))
        said.append(
            "You want {tickets} for {name} in {city} on {date} at {time} for {amount}, correct?".format(
                **values
            )
        )
    assert check_values(dialogue(*said)) == []


@given(st.lists(st.text(max_size=60), min_size=1, max_size=5))
def test_an_agent_that_says_the_user_s_words_again_is_never_accused(said: list[str]) -> None:
    """An echo changes nothing, whatever is echoed."""
    messages = [{"role": role, "content": text} for text in said for role in ("user", "assistant")]
    assert check_values(read_chat({"messages": messages}, 1, "echo")) == []


def test_the_story_of_the_samples_books_the_sixth(shared_data: Path) -> None:
    """Exactly one changed value: December 5th became the 6th."""
    (talk,) = read_transcripts(shared_data / "transcript_formats" / "openai" / "chat_completions.jsonl")
    assert isinstance(talk, Transcript)
    (found,) = check_values(talk)
    assert found.kind == "value_changed"
    assert "December 5th" in found.first.quote
    assert "December 6th" in found.then.quote


def test_failures_are_found_on_the_half_that_nothing_was_chosen_on(shared_data: Path) -> None:
    """Recall of at least 0.80 for each kind, with false alarms on at most a tenth of the sessions."""
    figures = measured(shared_data, learnt(sessions(shared_data)), halves=["reported"])["reported"][
        "at_the_threshold"
    ]
    assert figures["value_drift_text"] >= 0.8
    assert figures["value_drift_tool_call"] >= 0.8
    assert figures["value_loss_tool_call"] >= 0.8
    assert figures["sessions_with_any"] <= 0.1
