"""Promises that a summary makes firmer than they were made."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.histories import exchange, record
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
    ],
)
def test_an_order_that_is_turned_round(source: str, summary: str, wrong: bool) -> None:
    """Only where both say one."""
    assert bool(inverted(summary, source)) is wrong


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


def test_a_relative_day_has_the_day_that_it_was() -> None:
    """Long after its turn it would say nothing."""
    source = excerpt(("Call me.", "I'll call you tomorrow."))
    turns = tuple(replace(turn, at=1_700_000_000_000_000) for turn in source.turns)
    (relative,) = [one for one in ledger(replace(source, turns=turns)) if one.text == "tomorrow"]
    assert relative.context.endswith("tomorrow (2023-11-15)")
