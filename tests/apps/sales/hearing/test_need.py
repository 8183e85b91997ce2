"""The need and the pains, as buyers put them."""

from __future__ import annotations

import pytest

from turnstate.apps.sales.hearing import hear

HURTS = (
    ("we lose 10 hours a week", "10 hours a week"),
    ("Our dispatchers lose about ten hours a week re-typing orders", "ten hours a week"),
    ("it's killing us", "killing us"),
    ("It costs us $5,000 a month in fines.", "$5,000 a month"),
    ("two customers left us over late deliveries", "two customers"),
    ("planning takes me three hours every morning", "three hours every morning"),
    ("Honestly it's a nightmare.", "nightmare"),
    ("we're drowning in paperwork", "drowning"),
    ("about 15% of our deliveries are late", "15% of our deliveries"),
    ("We waste half a day per week on routing by hand", "half a day per week"),
    ("I'm sick of it", "sick of"),
    ("it's driving my dispatchers mad", "driving my dispatchers mad"),
    ("we're losing customers left and right", "losing customers"),
    ("this is our biggest headache", "biggest headache"),
    ("spending 20 hrs a week on the phone to drivers", "20 hrs a week"),
    ("We can't cope any more with the volume.", "can't cope"),
)

SUFFERS = (
    "We keep missing delivery slots because we plan everything on spreadsheets.",
    "we do all the planning by hand",
    "it's a mess tbh",
    "Drivers complain every day",
    "our routes are planned in excel and it takes forever",
    "The current system is clunky and slow.",
    "We struggle with last-minute changes.",
    "loads of manual data entry",
    "we have no visibility of where the vans are",
    "Orders fall through the cracks.",
    "It's a real pain to replan the day",
    "we've outgrown our whiteboard",
    "double bookings all the time",
    "too many phone calls",
    "My problem is late deliveries.",
)  # fmt: skip

MILD = (
    ("just looking around", 25),
    ("I'm just browsing", 25),
    ("Only curious for now", 25),
    ("it would be nice-to-have", 25),
    ("it works fine as it is", 25),
    ("planning isn't really a problem", 25),
    ("We have no real problems today.", 25),
    ("we're looking for a better tool", 60),
    ("We want to automate our planning.", 60),
    ("we need something better", 60),
    ("We don't need this.", 8),
    ("we have no need for it", 8),
)

SILENT = (
    "Do your customers lose hours on planning?",
    "a friend of mine loses ten hours a week",
    "We have 45 people.",
    "no problem",
    "The price is a problem.",
    "I'm worried about migration.",
    "Thanks!",
    "If we lost ten hours a week, I would call you.",
    'My colleague said "we lose 10 hours a week"',
    "Where is the data stored?",
    "We go live in six weeks.",
    "Sounds good.",
    "Not a problem at all, thanks.",
    "Is it hard to learn?",
    "hello there",
)  # fmt: skip


@pytest.mark.parametrize(("text", "said"), HURTS)
def test_what_hurts_is_heard_with_its_measure(text: str, said: str) -> None:
    """Hours, money and customers lost are the need, in the buyer's words; and they are a pain."""
    mentions = hear(text).mentions
    need = [mention for mention in mentions if mention.kind == "need"]
    assert [(mention.said, mention.value) for mention in need] == [(said, 90)]
    assert [mention for mention in mentions if mention.kind == "pain"]


@pytest.mark.parametrize("text", SUFFERS)
def test_what_is_a_trouble_is_a_need_and_a_pain(text: str) -> None:
    """A trouble without a measure is a need all the same."""
    mentions = hear(text).mentions
    assert [mention.value for mention in mentions if mention.kind == "need"] == [75]
    assert [mention for mention in mentions if mention.kind == "pain"]


@pytest.mark.parametrize(("text", "value"), MILD)
def test_a_mild_need_scores_low_and_only_none_rules_out(text: str, value: int) -> None:
    """Wanting, looking around and needing nothing are three degrees."""
    assert [mention.value for mention in hear(text).mentions if mention.kind == "need"] == [value]


@pytest.mark.parametrize("text", SILENT)
def test_other_sentences_say_nothing_about_the_need(text: str) -> None:
    """Questions, other people's troubles, objections and courtesy are no need."""
    assert not [mention for mention in hear(text).mentions if mention.kind in {"need", "pain"}]


def test_every_pain_of_a_message_is_heard() -> None:
    """Two pains in one sentence are two."""
    text = "Our dispatchers lose about ten hours a week re-typing orders, and two customers left us."
    assert len([mention for mention in hear(text).mentions if mention.kind == "pain"]) == 2


def test_a_bare_measure_answers_the_question_for_the_need() -> None:
    """A text like "About ten hours a week" is the need where the need was asked for, and no timeline."""
    mentions = hear("About ten hours a week.", expecting=("need", "timeline")).mentions
    assert [(mention.kind, mention.said) for mention in mentions] == [("need", "ten hours a week")]
