"""A budget is a target in tokens, said in words, or it is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.context.budget import Budget
from turnstate.errors import BudgetError


@given(st.integers(1, 10**9))
def test_a_target_is_taken_as_it_is(target: int) -> None:
    """From one token up."""
    assert Budget(target=target).target == target


@given(st.integers(1, 10**9), st.floats(0, 1, exclude_min=True))
def test_a_share_of_a_window_is_a_target_within_it(window: int, share: float) -> None:
    """At least one token, never more than the window."""
    assert 1 <= Budget(window=window, share=share).target <= window


def test_a_target_beside_a_window_is_the_target() -> None:
    """The window then says only how far a target may go."""
    assert Budget(target=8_000, window=200_000).target == 8_000
    assert Budget(window=200_000).target == 150_000
    assert Budget(target=9, window=9).target == 9


@pytest.mark.parametrize(
    "given_",
    [
        {},
        {"target": 0},
        {"target": -1},
        {"target": 1.5},
        {"target": "8000"},
        {"target": True},
        {"window": 0},
        {"window": 100.0},
        {"target": 10, "window": 9},
        {"window": 100, "share": 0},
        {"window": 100, "share": 1.01},
        {"window": 100, "share": float("nan")},
        {"window": 100, "share": "half"},
        {"window": 100, "share": True},
        {"window": 100, "share": None},
        {"target": 100, "keep_recent": -1},
        {"target": 100, "keep_recent": 2.0},
        {"target": None},
    ],
)
def test_what_cannot_be_a_budget_is_refused(given_: dict[str, Any]) -> None:
    """With a typed error, while the assistant is built and not in a turn."""
    with pytest.raises(BudgetError):
        Budget(**given_)


def test_a_bare_number_is_refused() -> None:
    """Nobody remembers what it meant."""
    budget: Any = Budget
    with pytest.raises(TypeError):
        budget(8_000)


def test_no_exchange_need_stay() -> None:
    """`keep_recent` may be nothing."""
    assert Budget(target=1, keep_recent=0).keep_recent == 0
