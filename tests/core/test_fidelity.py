"""A summary may stand for its source if it is something, smaller, within its cap, and true to the exact values."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.histories import POISONED, called, conversations, exchange, opened, record, returned, said
from turnstate.core.context.extractive import extract_summary
from turnstate.core.context.types import Excerpt
from turnstate.core.events import Recorded, Span
from turnstate.core.fidelity import source_text, verify
from turnstate.core.history import fold

STORY = [
    exchange(
        "My order 12345 never came, and I would like my $40.50 back.", "I am sorry to hear that. Let me look."
    ),
    [
        opened("Well?"),
        called("a"),
        returned("a", "lost in the mail"),
        said("It was lost; a refund is on its way."),
    ],
]


def excerpt(cap: int = 200) -> Excerpt:
    """The story, to be summarised."""
    return Excerpt(Span(1, 2), fold(record(STORY)).turns, cap)


def test_the_source_is_all_that_was_said_called_and_returned() -> None:
    """One line each, with the turn and the speaker."""
    assert source_text(excerpt()).splitlines() == [
        "turn 1 user: My order 12345 never came, and I would like my $40.50 back.",
        "turn 1 assistant: I am sorry to hear that. Let me look.",
        "turn 2 user: Well?",
        'turn 2 tool: get_order({"order_id":"12345"})',
        "turn 2 tool: get_order -> lost in the mail",
        "turn 2 assistant: It was lost; a refund is on its way.",
    ]


def test_a_true_summary_is_accepted() -> None:
    """No problem is an empty tuple."""
    assert (
        verify(
            "The customer wants $40.50 back for order 12345, which was lost; a refund was promised.",
            excerpt(),
        )
        == ()
    )


@pytest.mark.parametrize(
    ("summary", "cap", "problem"),
    [
        ("", 200, "is empty"),
        (" \n", 200, "is empty"),
        ("The customer asked. " * 40, 2_000, "not smaller than what it summarises"),
        ("The customer asked about an order that had been lost.", 5, "its cap is 5"),
        ("The customer wants $45.00 back.", 200, "never said: $45.00"),
        ("Order 99887 was lost.", 200, "99887"),
    ],
)
def test_what_is_wrong_is_said(summary: str, cap: int, problem: str) -> None:
    """One sentence for each fault (known failures B37, B40, B53, S62)."""
    assert any(problem in each for each in verify(summary, excerpt(cap)))


def test_every_fault_is_named() -> None:
    """A second attempt learns of all of them."""
    assert len(verify("Order 99887 for $1,234.56. " * 60, excerpt(10))) == 4


@settings(max_examples=40)
@given(conversations(POISONED, most=5), st.integers(6, 200))
def test_what_the_extractive_summarizer_writes_passes(events: list[Recorded], cap: int) -> None:
    """The last resort needs no last resort of its own."""
    turns = fold(events).turns
    made = Excerpt(Span(1, turns[-1].number), turns, cap)
    text = extract_summary(made).text
    assert verify(text, made) == () or not text
