"""Commitments: who promised what, how firmly; and what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.commitments import Firmness, action_of, asserted, deeds_of, find_commitments

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
        "Let me check that and I will refund you.",
        "I'll send it right away.",
        "You'll have it by Monday.",
        "We'll take care of it.",
        "Our team will contact you within 24 hours.",
        "I'll make the necessary changes now.",
        "The full amount will be credited to your card.",
        "Your replacement will ship tomorrow.",
        "We promise to call you back.",
        "I guarantee you a seat.",
        "The rep said they would waive the fee.",
        "A full refund was promised to the customer.",
        "I will personally cancel it.",
        "You will be notified by e-mail.",
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
        "I'm about to cancel it.",
        "I would like to offer you a voucher.",
        "We want to replace the lamp.",
        "I can offer you a certificate.",
        "We're happy to extend the deadline.",
        "The assistant intends to rebook the flight.",
        "I am able to change the date.",
        "We hope to ship it soon.",
        "Let me cancel that for you.",
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
        "It should arrive by Friday.",
        "I'll see if we can refund it.",
        "We might refund the fee.",
        "I'm not sure we can replace it.",
        "You should be able to get it: I could possibly waive it.",
        "We'll try to deliver it today.",
        "The delivery should be scheduled for Monday.",
        "We are considering a refund, maybe we can send it.",
        "I would be able to change it.",
        "Potentially we could upgrade you.",
        "I may be able to offer some compensation.",
        "I believe we can extend the warranty.",
        "We cannot promise a refund.",
        "There is no guarantee, I can't guarantee a seat.",
    ],
    Firmness.CONDITIONAL: [
        "If it's in the warehouse I can cancel it.",
        "Once we receive the lamp, we'll refund you.",
        "I'll refund the order if it has not shipped.",
        "We will replace it as soon as you send the photo.",
        "Unless it has shipped, I can cancel the order.",
        "When you confirm, I'll book the room.",
        "Please confirm, and I'll cancel the order.",
        "Please provide your user ID so I can cancel it.",
        "Send me a photo and I'll refund you.",
        "Provided that it is unopened, we will take it back and refund it.",
        "We can waive it only when you cancel within 24 hours, and in that case we will refund it.",
        "As long as it is sealed, we'll exchange it.",
        "I'll book it once you confirm.",
        "I need the number before I can refund it.",
        "Subject to approval, we will refund it.",
        "In case it is lost, we will replace it.",
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
        "I won't be able to cancel it.",
        "We do not refund opened items.",
        "I'm afraid I can't change that.",
        "No changes are allowed.",
        "Changes to passenger names are not permitted.",
        "I'm not able to refund this.",
        "We have never charged your card.",
        "The fee will not be waived.",
        "Your order was not cancelled.",
        "None of the flights were cancelled by us.",
        "No additional fees were charged.",
        "The assistant could not cancel the booking.",
        "I refuse to pay for it.",
        "We didn't send the e-mail.",
        "I couldn't update the address.",
        "I must decline the request, we cannot refund it.",
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
        "I’ve cancelled it.",
        "I've gone ahead: I have refunded the fee.",
        "The payment has been made.",
        "You're all set, I have booked it.",
        "We sent the parcel on Monday.",
        "It's been cancelled: it has been cancelled today.",
        "I've added a bag to your reservation.",
        "Your address was updated successfully.",
        "Everything's booked.",
        "The flights were changed to May 20.",
        "I just issued the credit.",
        "Your order is on its way: the order is on its way.",
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
    "Is it cancelled?",
    "Do you want me to refund it?",
    "I hope you feel better soon!",
    "I wish I could assist you further.",
    "It seems there is no credit card on file.",
    "The policy for delayed flights is fixed.",
    "The flight was scheduled to depart on May 21.",
    "First, let me check the details to see if insurance was added.",
    "Refunds depend on whether insurance was purchased.",
    "The total for Ivan's reservation is $299.",
    "The remaining balance will be $171.",
    "I'll be happy to assist you.",
    "I'll look up your reservation.",
    "A human agent who may have more options is needed.",
    "They said the order was cancelled.",
    "You promised you would refund me.",
    "Could I get a refund if it is late?",
    "The only changes allowed are these.",
    "I'll do my best to assist you.",
    "How long will it take?",
    "No problem!",
    "Nothing else, thanks.",
    "Let me see.",
    "I'd be happy to help.",
]


@pytest.mark.parametrize(
    ("sentence", "firmness"),
    [pytest.param(text, firmness, id=text[:40]) for firmness, texts in SAID.items() for text in texts],
)
def test_how_firmly_it_was_said(sentence: str, firmness: Firmness) -> None:
    """Promised, intended, hedged, conditional, refused or done; negation too."""
    found = find_commitments(sentence, "assistant")
    assert {(one.firmness, one.speaker) for one in found} == {(firmness, "assistant")}


@pytest.mark.parametrize("sentence", NONE, ids=str)
def test_what_commits_nobody(sentence: str) -> None:
    """Questions, looking something up, another's words, other languages."""
    assert find_commitments(sentence, "assistant") == ()


def test_each_clause_is_judged_for_itself() -> None:
    """A deed beside a doubt stays a deed."""
    found = find_commitments("I have made the payment, and the money should arrive soon.", "assistant")
    assert [one.firmness for one in found] == [Firmness.DONE]


@pytest.mark.parametrize(
    ("text", "firmness"),
    [
        ("If it is late, I will check it and I will refund it.", [Firmness.CONDITIONAL]),
        ("If it has not shipped, I can cancel it, and I'll refund it.", [Firmness.CONDITIONAL] * 2),
        ("Please confirm, and I'll cancel it.", [Firmness.CONDITIONAL]),
        (
            "If it is lost we will replace it, but I will refund the fee.",
            [Firmness.CONDITIONAL, Firmness.PROMISED],
        ),
        ("If it is lost, tell me. I'll refund the fee.", [Firmness.PROMISED]),
    ],
)
def test_a_condition_holds_to_the_end_of_its_sentence(text: str, firmness: list[Firmness]) -> None:
    """Its later clauses too, unless one says "but"; the next sentence is free of it."""
    assert [one.firmness for one in find_commitments(text, "assistant")] == firmness


def test_a_deed_is_the_same_however_it_is_called() -> None:
    """What it is done to is no deed, unless there is no other."""
    assert deeds_of(action_of("The reservation was cancelled")) == {"cancel"}
    assert deeds_of(action_of("I have booked a reservation")) == {"book"}
    assert deeds_of(action_of("moved it")) == deeds_of(action_of("rescheduled it"))
    assert asserted("Let me check the refund. Is it a refund? The parcel came.") == action_of("parcel came")


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
    for piece in (
        "I will refund you and ",
        "I ",
        "'",
        "not ",
        "will be ",
        "!",
        ".",
        "…",
        "。",
        "? ",
        ", and ",
    ):
        text = f"{piece * 50_000}x"
        assert len(find_commitments(text, "a")) <= len(text)
