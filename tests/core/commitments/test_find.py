"""Commitments: who promised what, how firmly; and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.commitments import Firmness, find_commitments

SAID: dict[Firmness, list[str]] = {
    Firmness.PROMISED: [
        "I'll refund you by Friday.",
        "I will send the replacement tomorrow.",
        "We'll ship it today.",
        "We will cancel the order for you.",
        "You will receive a refund within five days.",
        "You'll get a confirmation e-mail soon.",
        "Your refund will be processed to the original card.",
        "It will arrive by March 11.",
        "I promise a full refund.",
        "We guarantee delivery on Monday.",
        "The agent promised a refund.",
        "The assistant agreed to cancel the booking.",
        "The assistant said it would refund the order.",
        "The team will call you back.",
        "Your parcel will arrive on Tuesday.",
    ],
    Firmness.INTENDED: [
        "I'm going to cancel the order.",
        "We are planning to replace the lamp.",
        "I can cancel it for you.",
        "I'd like to book the table for you.",
        "We intend to waive the fee.",
        "I'm happy to send a new one.",
        "The agent plans to replace the lamp.",
        "The store offers to exchange the shoes.",
        "Let me go ahead and cancel the order.",
    ],
    Firmness.HEDGED: [
        "I should be able to cancel it.",
        "We might be able to waive the fee.",
        "I could probably refund half of it.",
        "The refund might be issued.",
        "I'll try to get it replaced.",
        "I can't promise a refund.",
        "We cannot guarantee delivery by Friday.",
        "Perhaps we can replace the lamp.",
        "I think we can refund the shipping.",
        "The agent might refund the order.",
        "Hopefully the parcel will arrive on Monday.",
        "I may be able to move the appointment.",
    ],
    Firmness.CONDITIONAL: [
        "If it's in the warehouse I can cancel it.",
        "Once we receive the lamp, we'll refund you.",
        "I'll refund the order if it has not shipped.",
        "We will replace it as soon as you send the photo.",
        "Unless it has shipped, I can cancel the order.",
        "When you confirm, I'll book the room.",
    ],
    Firmness.REFUSED: [
        "We will not be able to refund that.",
        "I won't change the booking.",
        "I cannot cancel the flight.",
        "We can't refund a basic fare.",
        "I'm unable to process the cancellation.",
        "I've not cancelled it yet.",
        "I have not booked the room.",
        "I haven't sent the replacement.",
        "The refund has not been processed.",
        "Your order hasn't been cancelled.",
        "Unfortunately, no refund is possible.",
        "The ticket cannot be changed.",
        "The agent refused a refund.",
        "The agent declined to cancel the flight.",
        "We are not allowed to change the name.",
        "That fare is not eligible for a refund.",
        "We never cancelled your order.",
    ],
    Firmness.DONE: [
        "I have cancelled your order.",
        "I've booked the room.",
        "We've just sent the replacement.",
        "Your refund has been processed.",
        "A refund was issued.",
        "I booked the table for five people.",
        "Your reservation is confirmed.",
        "The order was cancelled yesterday.",
        "Your flight on May 24th has been successfully booked.",
        "The agent cancelled the order.",
        "Your appointment is scheduled.",
        "I have already updated your address.",
    ],
}

NONE = [
    "Can you refund me?",
    "Will you cancel the order",
    "Would you like me to book it?",
    "Shall I cancel the order?",
    "Let me check that for you.",
    "I'll look into the order.",
    "I will check the status of the refund.",
    "You said you'd refund me.",
    "Your colleague said the refund was approved.",
    "Thanks for your help!",
    "The hotel is three miles away.",
    "I understand that you want a refund.",
    "How can I help you today?",
    "I'm glad I could help.",
    "",
    "...",
    "什么时候到？",
    "Ich werde es erstatten.",
]


@pytest.mark.parametrize(
    ("sentence", "firmness"),
    [pytest.param(text, firmness, id=text[:40]) for firmness, texts in SAID.items() for text in texts],
)
def test_how_firmly_it_was_said(sentence: str, firmness: Firmness) -> None:
    """Promised, intended, hedged, conditional, refused or done; negation too."""
    found = find_commitments(sentence, "assistant")
    assert [(one.firmness, one.speaker) for one in found] == [(firmness, "assistant")]


@pytest.mark.parametrize("sentence", NONE, ids=str)
def test_what_commits_nobody(sentence: str) -> None:
    """Questions, looking something up, another's words, other languages."""
    assert find_commitments(sentence, "assistant") == ()


def test_each_clause_is_judged_for_itself() -> None:
    """A deed beside a doubt stays a deed."""
    found = find_commitments("I have made the payment, and the money should arrive soon.", "assistant")
    assert [one.firmness for one in found] == [Firmness.DONE]


def test_the_action_is_the_same_in_every_form() -> None:
    """What was refunded is about a refund, a cancellation about cancelling."""
    actions = [
        find_commitments(text, "a")[0].action for text in ("I will refund it.", "A refund was issued.")
    ]
    assert "refund" in actions[0] & actions[1]
    actions = [
        find_commitments(text, "a")[0].action
        for text in ("I'll cancel it.", "Your cancellation is confirmed.")
    ]
    assert "cancel" in actions[0] & actions[1]


@given(
    st.text(max_size=300)
    | st.lists(st.sampled_from(["I will", "not", "refund", ".", "if", "\n", "?", "the"])).map(" ".join)
)
def test_whatever_is_said_the_places_are_exact(text: str) -> None:
    """It never raises, and what it quotes stands there."""
    for found in find_commitments(text, "user"):
        assert text[found.start : found.end] == found.text
        assert found.action


def test_it_is_linear() -> None:
    """A text without a full stop is read once, however long."""
    for piece in ("I will refund you and ", "I ", "'", "not ", "will be "):
        text = piece * 50_000
        assert len(find_commitments(text, "a")) <= len(text)
