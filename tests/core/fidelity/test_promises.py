"""Promises that a summary makes firmer than they were made."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.histories import called, exchange, opened, record, returned
from generators.histories import said as says
from turnstate.core.commitments import Firmness
from turnstate.core.context.types import Excerpt
from turnstate.core.events import Span
from turnstate.core.fidelity import hardened, inverted, ledger, repair, verify
from turnstate.core.history import fold


def excerpt(*said: tuple[str, str], cap: int = 200) -> Excerpt:
    """The excerpt of a conversation of these exchanges."""
    turns = fold(record([exchange(*one) for one in said])).turns
    return Excerpt(Span(1, len(turns)), turns, cap)


SOURCES: list[tuple[str, str, str]] = [
    ("Can I get a refund?", "I should be able to refund it.", "The agent promised a refund."),
    ("Can I get a refund?", "If it has not shipped, I can refund it.", "The agent will refund it."),
    ("Can I get a refund?", "I can't promise a refund.", "A refund was promised to the customer."),
    ("Please cancel it.", "I'll cancel it tomorrow.", "The order was cancelled."),
    ("Please cancel it.", "I have not cancelled it yet.", "The agent cancelled it."),
    ("Please waive the fee.", "We might waive the fee.", "The fee was waived."),
    ("I want a refund.", "Let me check that.", "A refund was issued."),
    ("Please move it.", "We cannot move the appointment.", "The appointment will be moved."),
]


@pytest.mark.parametrize(("asked", "said", "summary"), SOURCES, ids=[s[2] for s in SOURCES])
def test_a_hardened_promise_is_found(asked: str, said: str, summary: str) -> None:
    """Hedged, conditional, refused or only asked for is neither promised nor done."""
    assert hardened(summary, excerpt((asked, said)))
    assert any("firmer" in fault for fault in verify(summary, excerpt((asked, said), ("hm " * 30, "ok"))))


@pytest.mark.parametrize("said", [source[1] for source in SOURCES])
def test_what_was_said_may_be_said_again(said: str) -> None:
    """Word for word, and in the third person as firmly."""
    assert hardened(said, excerpt(("Please help.", said))) == ()


@pytest.mark.parametrize(
    ("said", "summary"),
    [
        ("I'll refund you by Friday.", "The agent promised a refund by Friday."),
        ("I have cancelled the order.", "The order was cancelled."),
        ("I should be able to refund it.", "The agent might refund it."),
        ("We can't refund it.", "The agent refused a refund."),
        ("I booked the room.", "The agent booked the room."),
        ("If it is there, I can cancel it.", "The agent could cancel it if it is there."),
        ("It is late.", "The customer asked for a refund."),
    ],
)
def test_a_faithful_summary_is_no_fault(said: str, summary: str) -> None:
    """As firm as it was said."""
    assert hardened(summary, excerpt(("I want a refund, please cancel it.", said))) == ()


@settings(max_examples=50)
@given(
    st.lists(
        st.sampled_from([source[1] for source in SOURCES] + ["Thanks.", "It is late."]),
        min_size=1,
        max_size=5,
    )
)
def test_no_sentence_of_the_source_is_hardened(said: list[str]) -> None:
    """Whatever stands around it."""
    source = excerpt(*(("Please help.", sentence) for sentence in said))
    assert hardened(" ".join(said), source) == ()


BESIDE_A_TOOL: list[tuple[str, str, str, bool]] = [
    ("Refund my order", "I might be able to refund the order.", "A refund for the order was issued.", True),
    (
        "Refund my order",
        "I might be able to refund the order.",
        "The assistant might refund the order.",
        False,
    ),
    ("Refund my order", "I might be able to refund the order.", "The agent promised a refund.", True),
    ("Refund my order", "Let me check whether a refund is possible.", "A refund was issued.", True),
    ("Refund my order", "Let me check whether a refund is possible.", "The agent promised a refund.", True),
    ("Refund my order", "Would you like a refund or a replacement?", "The agent refunded the order.", True),
    (
        "Cancel it please",
        "I can't cancel the order, but I have refunded the shipping.",
        "The order was cancelled.",
        True,
    ),
    (
        "Cancel it please",
        "I can't cancel the order, but I have refunded the shipping.",
        "The agent refunded the shipping.",
        False,
    ),
    (
        "Cancel it please",
        "I can't cancel the order, but I have refunded the shipping.",
        "The agent could not cancel the order.",
        False,
    ),
    (
        "Upgrade my seat",
        "I may be able to upgrade the order, and I've cancelled the old one.",
        "The order was upgraded.",
        True,
    ),
    (
        "Upgrade my seat",
        "I've changed your cabin to business.",
        "The agent upgraded the cabin to business.",
        False,
    ),
    (
        "Move my appointment",
        "I have moved your appointment to Friday.",
        "The appointment was rescheduled to Friday.",
        False,
    ),
    (
        "Replace the lamp",
        "If it's in stock we will replace the lamp.",
        "The store will replace the lamp.",
        True,
    ),
    (
        "Replace the lamp",
        "If it's in stock we will replace the lamp.",
        "If it is in stock, the store will replace the lamp.",
        False,
    ),
    (
        "Replace the lamp",
        "If it's in stock we will replace the lamp.",
        "The agent promised to replace the lamp if it is in stock.",
        False,
    ),
    ("Replace the lamp", "Please send a photo, and I'll replace it.", "The agent will replace it.", True),
    (
        "Replace the lamp",
        "Please send a photo, and I'll replace it.",
        "The agent will replace it once a photo is sent.",
        False,
    ),
    ("Waive the fee", "I'd like to waive the fee, but I can't promise it.", "The fee will be waived.", True),
    ("Waive the fee", "I've asked my manager about the fee.", "The fee was waived.", True),
    ("Book a table", "I'm going to book the table.", "The table has been booked.", True),
    ("Book a table", "Your table is booked.", "The agent booked the table.", False),
    ("Where is it", "It should arrive by Friday.", "It will arrive by Friday.", True),
    ("Where is it", "It should arrive by Friday.", "It should arrive by Friday.", False),
    ("Where is it", "Your parcel will arrive on Tuesday.", "Delivery is promised for Tuesday.", False),
    (
        "Refund my order",
        "You'll get your money back within 5 days.",
        "The agent promised a refund within 5 days.",
        False,
    ),
    ("Refund my order", "Done! Your refund is on its way.", "A refund was issued.", False),
    (
        "I want a refund",
        "I've escalated this to my supervisor.",
        "The case was escalated to a supervisor.",
        False,
    ),
    ("I want a refund", "I'll ask my supervisor.", "The customer wants a refund.", False),
    (
        "I cancelled my order yesterday",
        "Thanks for telling me.",
        "The customer cancelled the order yesterday.",
        False,
    ),
    (
        "I cancelled my order yesterday",
        "Thanks for telling me.",
        "The customer's order was cancelled.",
        False,
    ),
    ("Please refund", "We will not be able to refund that.", "The agent will not refund it.", False),
    ("Please refund", "We will not be able to refund that.", "The agent will refund it.", True),
    (
        "Please refund",
        "I haven't refunded it yet, I will do it tomorrow.",
        "The agent has refunded it.",
        True,
    ),
    (
        "Please refund",
        "I haven't refunded it yet, I will do it tomorrow.",
        "The agent has not yet refunded it.",
        False,
    ),
]


@pytest.mark.parametrize(("asked", "answer", "summary", "wrong"), BESIDE_A_TOOL)
def test_each_deed_is_judged_for_itself(asked: str, answer: str, summary: str, wrong: bool) -> None:
    """That an order was looked up, or another deed done to it, makes no refund of it."""
    events = record(
        [[opened(asked), called("a"), returned("a", "paid"), says(answer)], exchange("ok", "bye")]
    )
    turns = fold(events).turns
    assert bool(hardened(summary, Excerpt(Span(1, len(turns)), turns, 200))) is wrong


# Order ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "summary", "wrong"),
    [
        ("We moved it from 5 pm to 7 pm.", "It was moved from 7 pm to 5 pm.", True),
        ("We moved it from 5 pm to 7 pm.", "It was moved from 5 pm to 7 pm.", False),
        ("Changed from Boston to Denver.", "The trip was changed from Denver to Boston.", True),
        ("I want tea instead of coffee.", "The customer wants coffee instead of tea.", True),
        ("I want tea instead of coffee.", "The customer wants tea instead of coffee.", False),
        ("Breakfast before checkout.", "Checkout before breakfast.", True),
        ("Breakfast before checkout.", "Checkout after breakfast.", False),
        ("Nothing of the kind.", "It was moved from 7 pm to 5 pm.", False),
        ("First cancel the flight, then book the hotel.", "First book the hotel, then cancel it.", True),
        (
            "First cancel the flight, then book the hotel.",
            "Book the hotel before cancelling the flight.",
            True,
        ),
        ("First cancel the flight, then book the hotel.", "The hotel is booked after cancelling it.", False),
        ("Cancel the flight before you book the hotel.", "The hotel was booked, then they cancel it.", True),
        ("Cancel the flight and after that book the hotel.", "Book the hotel, afterwards cancel it.", True),
        ("Cancel the flight and then book the hotel.", "Cancel the flight, after this book it.", False),
        ("Call us, then wait.", "If they wait, then call us.", False),
    ],
)
def test_an_order_that_is_turned_round(source: str, summary: str, wrong: bool) -> None:
    """Only where both say one."""
    assert bool(inverted(summary, source)) is wrong


def test_hostile_text_is_read_once() -> None:
    """A long word (base64 in a tool's result) or a row of stops costs no more than it is long."""
    for piece in ("a", "!", "1:", "a.", "from a to ", "a before ", "a, then ", "I'll ", "\n", "<a"):
        text = f"{piece * (16_000 // len(piece))}x"
        source = excerpt((text, text))
        inverted(text, text)
        verify("They spoke.", source)
        repair(text, source)
        ledger(source)


@pytest.mark.parametrize(
    ("day", "wrong"),
    [("April 12", False), ("April 12, 2001", False), ("April 12, 1986", True), ("April 13", True)],
)
def test_a_day_said_without_its_year_is_still_that_day(day: str, wrong: bool) -> None:
    """Less is said of it, and nothing else: only another day, or another year, is invented."""
    source = excerpt(("Kevin's date of birth is April 12, 2001. " + "Please go on. " * 20, "Ok."))
    assert bool(verify(f"Kevin was born on {day}, the user said.", source)) is wrong


# Repair --------------------------------------------------------------------------------------------------------------


def test_what_is_wrong_leaves_and_the_rest_stays() -> None:
    """No sentence is changed, none is added."""
    source = excerpt(("Where is order 12345? " + "It is late. " * 30, "I should be able to refund it."))
    summary = (
        "Here is a summary: The customer asked about order 12345. It is late. It is late. "
        "The agent promised a refund. Order 99999 was lost. The customer is waiting for an answer."
    )
    repaired = repair(summary, source)
    assert repaired.splitlines() == [
        "The customer asked about order 12345.",
        "It is late.",
        "The customer is waiting for an answer.",
    ]
    assert verify(repaired, source) == ()


def test_too_little_is_not_worth_having() -> None:
    """Then it is asked for once more, or replaced."""
    source = excerpt(("Where is order 12345? " * 10, "I should be able to refund it."))
    assert repair("Order 99999 was lost. Order 88888 too.", source) == ""
    assert repair("", source) == ""


# Ledger --------------------------------------------------------------------------------------------------------------


def test_every_value_and_promise_is_kept_with_its_words() -> None:
    """By turn and speaker, verbatim; a relative day with the day that it was."""
    kept = ledger(
        excerpt(
            ("Where is order A-12345? Write to ann@example.com.", "I'll refund $45.50 tomorrow."),
            ("Thanks", "It will arrive by March 11th."),
        )
    )
    assert [(one.turn, one.speaker, one.text) for one in kept if one.kind not in set(Firmness)] == [
        (1, "user", "order A-12345"),
        (1, "user", "ann@example.com"),
        (1, "assistant", "$45.50"),
        (1, "assistant", "tomorrow"),
        (2, "assistant", "March 11th"),
    ]
    assert [one.text for one in kept if one.kind == "promised"] == [
        "I'll refund $45.50 tomorrow.",
        "It will arrive by March 11th.",
    ]
    assert all(one.text in one.context for one in kept if one.context)
    # A time that no clock gave dates nothing.
    (relative,) = [one for one in kept if one.text == "tomorrow"]
    assert "(" not in relative.context


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("I'll send the contract by Friday.", "promised"),
        ("I’ll call my bank tomorrow.", "promised"),
        ("I'm going to return the lamp on Monday.", "intended"),
        ("We plan to cancel the old contract.", "intended"),
        ("I might pay the rest in cash.", "hedged"),
        ("I'll pay it once the refund arrives.", "conditional"),
        ("I won't pay the fee.", "refused"),
        ("I've paid the invoice already.", "done"),
        ("I paid the invoice on Monday.", "done"),
    ],
)
def test_what_the_user_undertakes_is_kept(said: str, kind: str) -> None:
    """Who promised what, and how firmly: the user as well, beside what the assistant said."""
    kept = ledger(excerpt((f"Hello. {said} Where is it?", "I'll look.")))
    assert [(one.speaker, one.kind, one.text) for one in kept if one.kind in set(Firmness)] == [
        ("user", kind, said)
    ]


@pytest.mark.parametrize(
    "said",
    [
        "I want to cancel my order.",
        "I would like to change the flight.",
        "Can I cancel it?",
        "I can't log in.",
        "I didn't receive it.",
        "You will refund me.",
        "It was promised to me.",
        "I have two bags.",
    ],
)
def test_what_the_user_asks_for_is_no_promise_of_theirs(said: str) -> None:
    """A wish, a complaint and what another shall do commit the user to nothing."""
    assert [one for one in ledger(excerpt((said, "Hm."))) if one.kind in set(Firmness)] == []


def test_a_relative_day_has_the_day_that_it_was() -> None:
    """Long after its turn it would say nothing."""
    source = excerpt(("Call me.", "I'll call you tomorrow."))
    turns = tuple(replace(turn, at=1_700_000_000_000_000) for turn in source.turns)
    (relative,) = [one for one in ledger(replace(source, turns=turns)) if one.text == "tomorrow"]
    assert relative.context.endswith("tomorrow (2023-11-15)")
