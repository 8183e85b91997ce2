"""The strategies by name."""

from __future__ import annotations

from turnstate.core.context.append import append
from turnstate.core.context.hybrid import hybrid
from turnstate.core.context.summarize import summarize
from turnstate.core.context.truncate import truncate
from turnstate.core.context.types import Strategy
from turnstate.errors import StrategyError

STRATEGIES: dict[str, Strategy] = {
    "append": append,
    "truncate": truncate,
    "summarize": summarize,
    "hybrid": hybrid,
}
"""In the order in which reports list them."""


def strategy(name: str | Strategy) -> Strategy:
    """The strategy of this name, or the function that was given.

    Raises:
        StrategyError: there is no such strategy.
    """
    if not isinstance(name, str):
        return name
    try:
        return STRATEGIES[name]
    except KeyError:
        raise StrategyError(name, tuple(STRATEGIES)) from None
