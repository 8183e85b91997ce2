"""Topics, promises and ways back, as buyers put them."""

from __future__ import annotations

import pytest

from turnstate.apps.sales.hearing import hear

TOPICS = (
    ("does it integrate with QuickBooks?", "integrations"),
    ("Is there an API?", "integrations"),
    ("will it sync with our ERP", "integrations"),
    ("Where is our data stored?", "security"),
    ("are you GDPR compliant", "security"),
    ("Do you do SSO?", "security"),
    ("How much is it?", "pricing"),
    ("any discount for charities?", "pricing"),
    ("What are your support hours?", "support"),
    ("is there 24/7 support", "support"),
    ("How does onboarding work?", "onboarding"),
    ("who does the training", "onboarding"),
    ("What's the minimum term of the contract?", "contract"),
    ("can we cancel any time?", "contract"),
    ("Could you send me a case study from a company like ours?", "references"),
    ("who else uses it in our industry?", "references"),
    ("Yes, let's book a meeting on Thursday at 10:00.", "meeting"),
    ("can we see a demo?", "meeting"),
    ("does the driver app work offline?", "mobile"),
    ("is there a free trial", "trial"),
)

PROMISES = (
    ("I'll send you the data by Friday", "I'll send you the data by Friday"),
    ("Great. I will forward it to my boss tomorrow.", "I will forward it to my boss tomorrow"),
    ("ok, I'll get back to you next week", "I'll get back to you next week"),
    ("We'll share our route files with you.", "We'll share our route files with you"),
    ("I'm going to talk to my team and let you know", "I'm going to talk to my team and let you know"),
)

NO_PROMISES = (
    "Can you send me the data?",
    "I'll need it in six weeks",
    "We will be live in March.",
    "I sent it yesterday.",
    "They will send it.",
    "I won't send you anything",
)

BACK = (
    ("let's go back to pricing", "pricing"),
    ("Can we come back to the budget?", "the budget"),
    ("I'd like to return to security for a moment", "security"),
    ("Going back to the integrations question", "the integrations"),
    ("ok, back to the price", "the price"),
    ("let's revisit the timeline", "the timeline"),
)

NOT_BACK = (
    "I'll get back to you",
    "we're back to paper",
    "Welcome back!",
    "My back hurts",
    "I'll be back in the office Monday",
)


@pytest.mark.parametrize(("text", "topic"), TOPICS)
def test_a_topic_is_one_word_of_ours(text: str, topic: str) -> None:
    """However it is put, a topic has one name; its quote is the buyer's."""
    found = [mention for mention in hear(text).mentions if mention.kind == "topic"]
    assert topic in {mention.said for mention in found}
    assert all(mention.quote in text for mention in found)


@pytest.mark.parametrize(("text", "said"), PROMISES)
def test_what_the_buyer_undertakes_is_a_promise(text: str, said: str) -> None:
    """The undertaking in the buyer's words, without the politeness before it."""
    assert [mention.said for mention in hear(text).mentions if mention.kind == "promise"] == [said]


@pytest.mark.parametrize("text", NO_PROMISES)
def test_requests_plans_and_reports_are_no_promises(text: str) -> None:
    """Only what the buyer will do for us is one."""
    assert not [mention for mention in hear(text).mentions if mention.kind == "promise"]


@pytest.mark.parametrize(("text", "said"), BACK)
def test_a_way_back_says_where_to(text: str, said: str) -> None:
    """What the buyer returns to, in the buyer's words."""
    assert [mention.said for mention in hear(text).mentions if mention.kind == "back"] == [said]


@pytest.mark.parametrize("text", NOT_BACK)
def test_other_senses_of_back_lead_nowhere(text: str) -> None:
    """Getting back to somebody is no way back."""
    assert not [mention for mention in hear(text).mentions if mention.kind == "back"]
