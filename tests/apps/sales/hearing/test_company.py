"""Industry, size and fit, as buyers put them."""

from __future__ import annotations

import pytest

from turnstate.apps.sales.hearing import Policy, hear
from turnstate.apps.sales.states import Mention

INDUSTRIES = (
    ("we are in logistics", "logistics"),
    ("I run a chain of clinics", "chain of clinics"),
    ("freight forwarding", "freight forwarding"),
    ("By the way, we are a logistics company with 45 people, mostly regional freight.", "logistics"),
    ("we're a 40-person logistics company", "logistics"),
    ("We're a small courier firm in Leeds", "courier"),
    ("our trucking business is family-run", "trucking"),
    ("I work for a haulage company.", "haulage"),
    ("we do last-mile delivery", "last-mile delivery"),
    ("We're in the furniture business", "furniture"),
    ("we are a food wholesaler with our own vans", "food wholesaler"),
    ("our industry is freight", "freight"),
    ("Regional distribution, about 60 people.", "Regional distribution"),
    ("we run a 3PL", "3PL"),
    ("I own a bakery", "bakery"),
    ("we're a marketing agency", "marketing agency"),
    ("logistics, 80 people", "logistics"),
    ("We transport chilled food across Bavaria", "transport chilled food"),
    ("we're hauliers, 30 trucks", "hauliers"),
    ("Wir sind eine Spedition mit 50 Leuten.", "Spedition"),
)

FIT = (
    ("we're a 40-person logistics company", "40-person logistics company", 95),
    (
        "we are a logistics company with 45 people, mostly regional freight.",
        "logistics company with 45 people",
        95,
    ),
    ("We're a courier firm. There are 25 of us.", "courier", 95),
    ("we are in logistics", "logistics", 80),
    ("about 45 employees", "45 employees", 60),
    ("we have forty-five people", "forty-five people", 60),
    ("I run a chain of clinics with 60 staff", "chain of clinics with 60 staff", 40),
    ("we're a marketing agency of 3 people", "marketing agency of 3 people", 5),
    ("we are a logistics group with 8,000 employees", "logistics group with 8,000 employees", 30),
    ("I'm a one-man band", "one-man band", 5),
    ("there are 45 of us", "45 of us", 60),
    ("team of 45", "45", 60),
    ("we employ 120", "120", 60),
    ("headcount is 45", "45", 60),
    ("freight forwarding, 45 ppl", "freight forwarding, 45 ppl", 95),
)

SILENT = (
    "Do you work with logistics companies?",
    "Does it integrate with our delivery app?",
    "A friend runs a courier company",
    "We lose ten hours a week.",
    "Hi, can you help?",
    "We use SAP for shipping labels.",
    "I'm in a hurry",
    "we are in trouble",
    "We are on track.",
    "Your competitor is a logistics company",
    "we have 6 weeks",
    "The budget is 40k.",
    "If we were a bank, sure",
    "I'm in a meeting",
    "We keep missing delivery slots",
)


def _all(text: str, kind: str, expecting: tuple[str, ...] = ()) -> list[Mention]:
    return [mention for mention in hear(text, expecting=expecting).mentions if mention.kind == kind]


@pytest.mark.parametrize(("text", "said"), INDUSTRIES)
def test_the_industry_is_heard_before_and_when_it_is_asked(text: str, said: str) -> None:
    """The trade alone, in the buyer's words."""
    assert [mention.said for mention in _all(text, "industry")] == [said]
    assert [mention.said for mention in _all(text, "industry", ("fit",))] == [said]


@pytest.mark.parametrize(("text", "said", "value"), FIT)
def test_the_fit_is_of_industry_and_size(text: str, said: str, value: int) -> None:
    """Both fit, one does, or neither."""
    assert [(mention.said, mention.value) for mention in _all(text, "fit")] == [(said, value)]


@pytest.mark.parametrize("text", SILENT)
def test_other_sentences_say_nothing_about_the_company(text: str) -> None:
    """Questions, other companies and other senses of the words are no industry."""
    assert _all(text, "industry") + _all(text, "fit") == []


def test_a_bare_number_answers_the_question_for_the_size() -> None:
    """A text like "45" is the size where the size was asked for, and no budget."""
    mentions = hear("45", expecting=("fit", "budget")).mentions
    assert [(mention.kind, mention.said, mention.value) for mention in mentions] == [("fit", "45", 60)]


def test_the_industries_are_the_policys() -> None:
    """A business that sells to clinics scores clinics high."""
    policy = Policy(industries=("clinics", "hospitals"))
    mentions = hear("I run a chain of clinics with 60 staff", policy=policy).mentions
    assert [mention.value for mention in mentions if mention.kind == "fit"] == [95]
