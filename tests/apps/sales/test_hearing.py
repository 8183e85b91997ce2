"""Whole conversations: the last word on each dimension is right, whatever else is said in between."""

from __future__ import annotations

import pytest

from turnstate.apps.sales.hearing import hear
from turnstate.apps.sales.states import DIMENSIONS, Mention

CHATTY = (
    "Hiya! So, our planners do everything on a giant whiteboard and honestly it's a bit of a circus. Is that something you can help with?",
    "Oh, where do I start. I'd say each dispatcher wastes two hours every single day moving jobs around, and our biggest customer is threatening to walk.",
    "We've got to have something up and running in eight weeks, because that's when the Christmas madness begins.",
    "I should probably say that we're a parcel courier in Manchester, 62 people all in.",
    "Money-wise, I've been promised forty-two thousand pounds for the year.",
    "Quick one before I forget: will it talk to Sage?",
    "And is there an app for the drivers' iPhones?",
    "It's my budget, so I sign it off, no need to bother anyone else.",
    "Hmm, £48,000? That's rather steep, our current tool costs a fraction of that.",
    "Right, I've had a word with the finance director and she's topped it up. We can spend £56,000 now.",
    "Where do you keep our data, by the way?",
    "Lovely. Could you send me a case study from another courier?",
    "Let's get a call in the diary for Tuesday at 2pm.",
    "Brilliant, cheers, speak then!",
)
TERSE = (
    "planning on excel. sucks",
    "10 hrs a week wasted",
    "live by 1 June",
    "freight, 80 ppl",
    "50k budget",
    "api?",
    "offline app?",
    "i decide",
    "too expensive",
    "ok 60k now",
    "gdpr?",
    "case study pls",
    "book thursday 10am",
    "thx",
)
FORMAL = (
    "Good afternoon. Our dispatch department is struggling with an increasing number of late deliveries.",
    "Approximately fifteen hours per week are lost to manual data entry.",
    "Our objective is to be operational by the end of Q3.",
    "For your information, we are a logistics provider with 140 employees.",
    "The board has allocated a budget of EUR 45,000 for this project.",
    "May I ask whether an integration with SAP is available?",
    "As Chief Operating Officer I approve such purchases myself.",
    "I am concerned about the effort of migration.",
    "I must correct myself: following an adjustment the budget now amounts to EUR 52,000.",
    "I will send you our route data by Friday.",
    "We would appreciate a case study.",
    "Thank you for your assistance.",
)
TYPOS = (
    "hey our routes are planed by hand and its killing us",
    "we loose customers, 3 left last month",
    "need it runnning in 10 wks",
    "were a trucking company btw, about 35 people",
    "bugdet is around 45k",
    "dont need aproval, im the owner",
    "does it sync w quickbooks",
    "thats more then we pay today, we pay like 500 a month",
    "ok scratch that, budgets 55k",
    "send the case study plz",
    "thanks alot!",
)
AMERICAN = (
    "Hey there! We're dropping the ball on delivery windows like every day. Can you guys help?",
    "It's costing us real money - we figure $6,000 a month in penalties.",
    "We gotta be live before Black Friday.",
    "FYI we're a regional distribution company out of Ohio, 210 employees.",
    "Ballpark? I've got $40K to play with.",
    "Does it work with NetSuite?",
    "I'm the VP of Operations, this one's my call.",
    "Yeah, that price tag is way over what we're paying now.",
    "Good news, the CFO just bumped us to $58K.",
    "What about data security, where's everything hosted?",
    "Awesome. Shoot me a case study and let's book a demo for Wednesday.",
)
ANSWERS = (
    ("Hello", ()),
    ("About two days a week, across the team.", ("need",)),
    ("Logistics, 45 people.", ("fit",)),
    ("Six weeks.", ("timeline",)),
    ("Forty thousand.", ("budget",)),
    ("Me.", ("authority",)),
    ("Sorry, make that fifty-five thousand.", ()),
    ("And eight weeks, not six.", ()),
)


def _last(messages: tuple[str, ...] | tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, Mention]:
    known: dict[str, Mention] = {}
    for message in messages:
        text, asked = (message, ()) if isinstance(message, str) else message
        missing = tuple(
            name for name in ("need", "fit", "timeline", "budget", "authority") if name not in known
        )
        for mention in hear(text, expecting=asked or missing).mentions:
            if mention.kind in {*DIMENSIONS, "industry"}:
                known[mention.kind] = mention
    return known


@pytest.mark.parametrize(
    ("messages", "budget", "timeline", "industry"),
    [
        (CHATTY, "£56,000", "eight weeks", "parcel courier"),
        (TERSE, "60k", "1 June", "freight"),
        (FORMAL, "EUR 52,000", "end of Q3", "logistics"),
        (TYPOS, "55k", "10 wks", "trucking"),
        (AMERICAN, "$58K", "before Black Friday", "regional distribution"),
        (ANSWERS, "fifty-five thousand", "eight weeks", "Logistics"),
    ],
)
def test_a_conversation_ends_with_the_right_values(
    messages: tuple[str, ...], budget: str, timeline: str, industry: str
) -> None:
    """In every register the corrected budget, the timeline and the industry are right to the word, and all scores are high."""
    known = _last(messages)
    assert (known["budget"].said, known["timeline"].said, known["industry"].said) == (
        budget,
        timeline,
        industry,
    )
    assert {name: known[name].value >= 50 for name in DIMENSIONS} == dict.fromkeys(DIMENSIONS, True)


@pytest.mark.parametrize("messages", [CHATTY, TERSE, FORMAL, TYPOS, AMERICAN])
def test_each_conversation_has_a_pain_an_objection_and_no_refusal(messages: tuple[str, ...]) -> None:
    """What is remembered besides the scores."""
    heard = [hear(text) for text in messages]
    kinds = {mention.kind for one in heard for mention in one.mentions}
    assert {"pain", "objection", "topic"} <= kinds
    assert not any(one.declines for one in heard)
    assert heard[-1].thanks or messages is AMERICAN
