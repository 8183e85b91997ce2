"""What a message asks for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.offline.wordings import WORDINGS, Wording
from turnstate.models.offline.intents import Intent, read


def _kinds(text: str) -> list[tuple[str, str]]:
    return [(ask.intent.value, ask.aspect) for ask in read(text).asks]


@pytest.mark.parametrize("wording", WORDINGS, ids=lambda wording: wording.text)
def test_a_wording_is_read_as_its_intent(wording: Wording) -> None:
    """People ask for one thing in many words."""
    kinds = _kinds(wording.text)
    assert any(intent == wording.intent and wording.aspect in (None, aspect) for intent, aspect in kinds), (
        kinds
    )


@pytest.mark.parametrize("wording", WORDINGS, ids=lambda wording: wording.text)
def test_the_way_of_typing_does_not_matter(wording: Wording) -> None:
    """Case, space and the kind of apostrophe carry no intent."""
    text = wording.text
    for typed in (text.upper(), text.lower(), f"  {text}\n", text.replace("'", "’")):
        assert {intent for intent, _ in _kinds(typed)} & {intent for intent, _ in _kinds(text)}, typed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Where is order 80211? And please change the address to 9 Low Street, Hull.",
            {Intent.STATUS, Intent.ADDRESS},
        ),
        (
            "One cup is cracked. Can I get a refund? Also what are your opening hours?",
            {Intent.REFUND, Intent.POLICY},
        ),
        ("has it shipped and how much was it", {Intent.STATUS}),
        ("cancel order 80211 and tell me what address you have for me", {Intent.CANCEL, Intent.RECALL}),
        ("hi, where's my parcel, thanks", {Intent.GREETING, Intent.STATUS}),
    ],
)
def test_several_requests_are_all_found(text: str, expected: set[Intent]) -> None:
    """A message may ask for more than one thing."""
    assert expected <= {ask.intent for ask in read(text).asks}


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("I don't want a refund", Intent.REFUND),
        ("please don't cancel it", Intent.CANCEL),
        ("A cup broke, but I already got a refund. When are you open?", Intent.REFUND),
        ("A cup broke. Does the warranty cover that?", Intent.REFUND),
        ("what was the address I gave you?", Intent.ADDRESS),
        ("how long do refunds take?", Intent.REFUND),
        ("what is your cancellation policy?", Intent.CANCEL),
        ("I ordered 3 lamps 20 days ago", Intent.STATUS),
    ],
)
def test_words_alone_are_no_request(text: str, absent: Intent) -> None:
    """To speak of a refund, an address or a cancellation is not to ask for one."""
    assert absent not in {ask.intent for ask in read(text).asks}


def test_what_is_pasted_from_somebody_else_asks_for_nothing() -> None:
    """Quoted text is read for its values only."""
    letter = "The bell is broken, so the driver should knock, and please refund me the taxi and cancel the cake, will you."
    assert [ask.intent for ask in read(f'My aunt wrote: "{letter}" Where is my parcel?').requests] == [
        Intent.STATUS
    ]


def test_in_a_story_only_what_is_asked_counts() -> None:
    """A long message tells much and asks for little."""
    story = (
        "We moved to a new flat last month and the lift never works, so I was late for everything. The neighbours got "
        "a refund from the landlord, and my brother cancelled his rent. Anyway, I wanted to be sure before the holidays "
        "start and everybody leaves town. So: when will my order get here?"
    )
    assert [(ask.intent, ask.aspect) for ask in read(story).requests] == [(Intent.STATUS, "eta")]


@given(st.text(max_size=300))
def test_every_message_is_read(text: str) -> None:
    """Whatever is typed, something comes of it, and the same every time."""
    reading = read(text)
    assert reading.asks
    assert reading == read(text)
