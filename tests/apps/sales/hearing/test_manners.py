"""What a message does: asks, thanks, declines, leaves the matter."""

from __future__ import annotations

import pytest

from turnstate.apps.sales.hearing import hear

ASKS = (
    "Does it integrate with QuickBooks?",
    "And does the driver app work offline on Android phones?",
    "where is our data stored",
    "Could you send me a case study?",
    "tell me about your support",
    "I'd like to know how onboarding works.",
    "what's the price",
    "how much is it",
    "quick question: do you have an API",
    "We have $40k. Is that enough?",
    "I was wondering whether you have references.",
    "any discount for a yearly plan?",
    "Please send me the price list.",
    "can it handle 300 drops a day?",
    "Wie viel kostet das?",
    "¿Cuánto cuesta?",
    "多少钱？",
)

SAYS = (
    "We have about $40,000 set aside for this.",
    "Hi! We keep missing delivery slots because we plan everything on spreadsheets. Can you help?",
    "How are you?",
    "I sign off on it.",
    "That's fair, right?",
    "six weeks",
    "Yes, let's book a meeting on Thursday at 10:00.",
    "no rush, next year",
    "I have no questions.",
    "What a mess.",
    "thanks!",
    "Sounds good.",
    "We know how it works.",
    "our budget is 40k",
    "Great, thank you. Talk to you then!",
)

DECLINES = (
    "not interested",
    "please stop",
    "we went with someone else",
    "We've decided not to go ahead.",
    "no thanks",
    "I'm not interested, sorry.",
    "Stop emailing me.",
    "we're going with a competitor",
    "I think we'll pass.",
    "This is not for us.",
    "unsubscribe",
    "The project was cancelled.",
    "we chose another vendor last week",
    "Leave me alone",
    "Sorry, it's a no from us.",
    "Wir haben kein Interesse.",
)

STAYS = (
    "Are other companies not interested?",
    "We are interested.",
    "No thanks needed for that, go on: what does it cost?",
    "If you can't do it we'll pass.",
    "Can you stop the old vehicles from being planned?",
    "I'm not uninterested",
    "We have to pass it on to our accountant.",
    "too expensive",
    "It's not for us to decide.",
    "we lose ten hours a week",
    "I'll leave it to my boss.",
    "We don't want to lose another customer.",
    "The driver can stop anywhere.",
    "we don't have a budget yet",
    "A friend went with someone else",
)

THANKS = (
    "thanks!",
    "Thank you very much.",
    "cheers mate",
    "thx",
    "much appreciated",
    "Danke!",
    "merci beaucoup",
    "ありがとう",
)
NO_THANKS = ("no thanks", "No, thank you.", "We have 45 people.", "tank you")

DIGRESSES = (
    "Before we go on: does it integrate with QuickBooks?",
    "And does the driver app work offline on Android phones?",
    "Where is our data stored?",
    "by the way, do you have a COBOL SDK?",
    "What's the weather like over there?",
    "off-topic: who won the match yesterday?",
)

KEEPS_TO_IT = (
    "We have about $40,000 set aside for this.",
    "How much is it?",
    "Could you send me a case study?",
    "Is $50k enough?",
    "By the way, we are a logistics company with 45 people.",
    "not interested, why do you keep asking?",
    "six weeks",
)


@pytest.mark.parametrize("text", ASKS)
def test_questions_and_requests_ask(text: str) -> None:
    """With or without the sign, in whatever language."""
    assert hear(text).asks


@pytest.mark.parametrize("text", SAYS)
def test_statements_and_courtesy_ask_nothing(text: str) -> None:
    """A text like "How are you?", "can you help?" and ", right?" want no answer from the knowledge base."""
    assert not hear(text).asks


@pytest.mark.parametrize("text", DECLINES)
def test_a_buyer_who_wants_no_more_declines(text: str) -> None:
    """However politely."""
    assert hear(text).declines


@pytest.mark.parametrize("text", STAYS)
def test_a_buyer_who_objects_or_supposes_does_not_decline(text: str) -> None:
    """Objections, conditions, questions and other senses of the words are no refusal."""
    assert not hear(text).declines


@pytest.mark.parametrize("text", THANKS)
def test_thanks_are_heard(text: str) -> None:
    """In several languages."""
    assert hear(text).thanks


@pytest.mark.parametrize("text", NO_THANKS)
def test_no_thanks_are_none(text: str) -> None:
    """A text like "No thanks" thanks for nothing."""
    assert not hear(text).thanks


@pytest.mark.parametrize("text", DIGRESSES)
def test_questions_outside_the_sale_digress(text: str) -> None:
    """What the product can do, and the weather."""
    assert hear(text).digresses


@pytest.mark.parametrize("text", KEEPS_TO_IT)
def test_what_belongs_to_the_sale_does_not_digress(text: str) -> None:
    """Answers, prices, references and meetings are what the talk is about."""
    assert not hear(text).digresses
