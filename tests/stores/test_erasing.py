"""The tombstone's name, and what goes with old turns."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.events import Erased, Recorded, Resumed, Span, SummaryWritten, TurnFailed
from turnstate.stores.codec import column
from turnstate.stores.erasing import TOMB, Tally, goes, tomb_of

ids = st.text(st.characters(codec=None), min_size=1, max_size=512)


@given(ids, ids)
def test_a_tombstone_is_no_conversation_and_says_nothing_of_it(first: str, second: str) -> None:
    """No id is written like it, and different ids have different ones."""
    assert (tomb_of(first) == tomb_of(second)) == (first == second)
    assert not column(first).startswith(TOMB)
    assert tomb_of(first).isascii()


@given(st.integers(0, 9), st.integers(0, 9), st.integers(1, 9), st.integers(1, 9))
def test_a_summary_goes_with_the_first_of_its_turns(through: int, turn: int, first: int, last: int) -> None:
    """Whatever turn it was written in; everything else goes with its own turn, and what stands outside stays."""
    summary = SummaryWritten(Span(min(first, last), max(first, last)), "text", "extractive", 1)
    assert goes(Recorded("c", 1, turn, 1, summary), through) == (min(first, last) <= through)
    for event in (Resumed(), TurnFailed("model", "text", retry=True)):
        assert goes(Recorded("c", 1, turn, 1, event), through) == (0 < turn <= through)


def test_a_receipt_says_what_was_counted() -> None:
    """The tombstone has its id; what a store cannot reach stands first."""
    tally = Tally("user", 7)
    tally.conversations, tally.facts = 2, 3
    receipt = tally.receipt("pages of the file")
    assert (receipt.conversations, receipt.facts, receipt.at, receipt.unreachable[0]) == (
        2,
        3,
        7,
        "pages of the file",
    )
    assert tally.tombstone(Span(1, 2)) == Erased("user", Span(1, 2), receipt.id, receipt.unreachable[1:])
    assert Tally("user", 7).id != receipt.id
