"""Strategies have names, and a function is a strategy."""

from __future__ import annotations

import pytest

from turnstate.core.context.strategies import STRATEGIES, strategy
from turnstate.core.context.types import Choice, Room
from turnstate.errors import StrategyError


def test_a_name_gives_its_strategy() -> None:
    """All four, in the order of reports."""
    assert list(STRATEGIES) == ["append", "truncate", "summarize", "hybrid"]
    assert all(strategy(name) is function for name, function in STRATEGIES.items())


def test_a_function_is_taken_as_it_is() -> None:
    """A strategy of the user's own needs no registration."""

    def own(room: Room) -> Choice:
        return Choice(keep=room.keep_recent)

    assert strategy(own) is own


def test_another_name_is_refused_with_the_ones_there_are() -> None:
    """One clear error while the assistant is built."""
    with pytest.raises(StrategyError, match="append, truncate, summarize, hybrid") as caught:
        strategy("rolling")
    assert caught.value.name == "rolling"
