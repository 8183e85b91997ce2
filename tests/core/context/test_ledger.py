"""The lines that stand beside a summary: what it does not hold, within their room."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.context.counting import estimate_text
from turnstate.core.context.ledger import render_ledger, stands_in
from turnstate.core.events import Kept

entries = st.lists(
    st.builds(
        Kept,
        st.integers(1, 5),
        st.sampled_from(["user", "assistant", "tool"]),
        st.sampled_from(["id", "money", "promised"]),
        st.sampled_from(["A-1", "A-12", "$4.50", "I will call.", "12 345"]),
        st.sampled_from(["", "order A-12", "pay $4.50 now"]),
    ),
    max_size=12,
).map(lambda kept: sorted(kept, key=lambda entry: entry.turn))


@given(entries, st.text(max_size=20), st.integers(0, 120))
def test_it_keeps_to_its_room_and_to_the_turns(kept: list[Kept], held: str, tokens: int) -> None:
    """At most so many tokens, in order of turns, the same every time."""
    text = render_ledger(kept, held, tokens)
    assert estimate_text(text) <= tokens
    turns = [int(line.split()[1]) for line in text.splitlines()]
    assert turns == sorted(turns)
    assert render_ledger(kept, held, tokens) == text


@given(entries)
def test_with_room_everything_stands(kept: list[Kept]) -> None:
    """Each value word for word."""
    text = render_ledger(kept, "", 10_000)
    assert all(" ".join(entry.text.split()) in text for entry in kept)


def test_what_stands_beside_it_is_not_said_twice() -> None:
    """Nor what a kept promise says already; a longer number is another one."""
    kept = [
        Kept(1, "user", "id", "A-12", "order A-12"),
        Kept(1, "user", "id", "A-1", "order A-1"),
        Kept(2, "assistant", "money", "$5", ""),
        Kept(2, "assistant", "promised", "I will refund $5.", ""),
    ]
    assert (
        render_ledger(kept, "They spoke of A-12.", 100)
        == "turn 1 user: order A-1\nturn 2 assistant: I will refund $5."
    )


def test_words_leave_before_values_and_tools_before_people() -> None:
    """In a room that is too small for all of it."""
    kept = [
        Kept(1, "user", "id", "A-12", "the number of the order is A-12 in full"),
        Kept(1, "tool", "id", "T-99", "ticket: T-99"),
    ]
    assert "the number" in render_ledger(kept, "", 100)
    bare = render_ledger(kept, "", estimate_text("turn 1 user: A-12\nturn 1 tool: T-99"))
    assert bare == "turn 1 user: A-12\nturn 1 tool: T-99"
    assert render_ledger(kept, "", estimate_text("turn 1 user: A-12")) == "turn 1 user: A-12"


def test_what_the_user_undertook_leaves_before_any_value() -> None:
    """And a value that stood in those words stands for itself then."""
    kept = [
        Kept(1, "user", "date", "Friday", "contract by Friday"),
        Kept(1, "user", "promised", "I'll send the contract by Friday."),
        Kept(1, "tool", "id", "T-99", "ticket: T-99"),
    ]
    assert render_ledger(kept, "", 100).startswith("turn 1 user: I'll send the contract by Friday.\n")
    values = "turn 1 user: Friday\nturn 1 tool: T-99"
    assert render_ledger(kept, "", estimate_text(values)) == values


def test_a_part_of_a_longer_word_is_not_it() -> None:
    """Numbers and words end where they end."""
    assert stands_in("12", "a 12 b")
    assert stands_in("12", "12.")
    assert not stands_in("12", "312 and 123 and 12.5")
    assert not stands_in("a-1", "xa-1")
