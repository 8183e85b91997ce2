"""Objections, as buyers put them."""

from __future__ import annotations

import pytest

from turnstate.apps.sales.hearing import hear

OBJECTIONS = (
    "too expensive",
    "that's more than we pay today",
    "worried about migration",
    "we already use Routely",
    "The price is too high for us, we pay far less today.",
    "hmm that's pretty steep",
    "I'm concerned about data security",
    "our drivers won't use an app",
    "we're locked in with our current vendor until May",
    "not sure it works for a company our size",
    "We tried something like this before and it failed.",
    "we can't afford that",
    "sounds a bit risky to me",
    "Your competitor is cheaper.",
    "i'm not convinced tbh",
    "We don't have the people to set this up",
    "It's over our budget",
    "cant justify that to the board",
    "that's a lot of money for a planner",
    "I fear the learning curve",
)

NONE = (
    "It's not too expensive.",
    "I'm not worried about the price",
    "we already have $40,000 set aside",
    "We plan everything on spreadsheets.",
    "Is it hard to learn?",
    "That sounds fair.",
    "Great, thanks!",
    "we lose ten hours a week",
    "If it were too expensive I would say so",
    "What does it cost?",
    "I sign off on it",
    "No concerns from our side.",
    "Six weeks",
    "We are a logistics company",
    "we'd like to start soon",
)


@pytest.mark.parametrize("text", OBJECTIONS)
def test_what_speaks_against_buying_is_heard(text: str) -> None:
    """Price, risk, what is there already, and people who would not use it."""
    found = [mention for mention in hear(text).mentions if mention.kind == "objection"]
    assert found
    assert all(mention.said in text for mention in found)


@pytest.mark.parametrize("text", NONE)
def test_other_sentences_are_no_objection(text: str) -> None:
    """What is denied, supposed, asked or about something else speaks against nothing."""
    assert not [mention for mention in hear(text).mentions if mention.kind == "objection"]
