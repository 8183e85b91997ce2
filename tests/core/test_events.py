"""Events are values: what a span holds, what a count says, and that none can be changed."""

from __future__ import annotations

import dataclasses
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.events import Count, Event, Recorded, Span


@given(st.integers(-3, 30), st.integers(-3, 30), st.integers(-3, 30))
def test_a_span_holds_both_its_ends(first: int, last: int, turn: int) -> None:
    """And what lies between; a span that ends before it starts holds nothing."""
    assert (turn in Span(first, last)) == (first <= turn <= last)


@pytest.mark.parametrize("other", ["1", None, 1.0, (1,)])
def test_only_turns_are_in_a_span(other: object) -> None:
    """Anything else is not in it, and asking is no error."""
    assert other not in Span(1, 9)


@pytest.mark.parametrize(("provider", "best"), [(None, 90), (120, 120), (80, 80)])
def test_the_providers_count_is_the_best_one(provider: int | None, best: int) -> None:
    """Our estimate stands in where there is none."""
    assert Count(90, 400, 88, provider).best == best


@pytest.mark.parametrize("kind", [*typing.get_args(Event), Recorded])
def test_an_event_cannot_be_changed(kind: type) -> None:
    """What is in the log is what happened: every event is a frozen value without room for more."""
    assert dataclasses.is_dataclass(kind)
    parameters: typing.Any = getattr(kind, "__dataclass_params__")  # noqa: B009 - no type checker knows the attribute
    assert parameters.frozen
    assert "__slots__" in vars(kind)
