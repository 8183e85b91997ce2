"""The support agent, wired: instructions, tools, facts and a budget around any model."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from typing import Any

from pydantic_ai.models import Model

from turnstate.apps.support.customer import Customer
from turnstate.apps.support.shop import Shop, tools
from turnstate.assistant import Assistant
from turnstate.core.context.budget import Budget
from turnstate.ports import Log

BUDGET = Budget(target=4_000)
"""Small on purpose: the agent's context is managed within an ordinary session."""


def instructions() -> str:
    """The agent's instructions with the shop's policy, as they stand in the package."""
    return resources.files("turnstate.apps.support").joinpath("instructions.md").read_text("utf-8").strip()


def support(
    model: str | Model = "offline",
    *,
    store: str | Log = "sqlite:///support.db",
    shop: Shop | None = None,
    budget: Budget = BUDGET,
    clock: Callable[[], int] | None = None,
    **options: Any,
) -> Assistant:
    """The support agent of the shop.

    Args:
        model: as for `Assistant`.
        store: as for `Assistant`.
        shop: the shop whose orders it serves; a fresh one in memory if None.
        budget: as for `Assistant`.
        clock: as for `Assistant`.
        **options: anything else that `Assistant` takes.

    Returns:
        An assistant, to be used in an `async with` block.

    Raises:
        WiringError: as `Assistant`.
    """
    if clock is not None:
        options["clock"] = clock
    return Assistant(
        model,
        instructions=instructions(),
        tools=tools(shop if shop is not None else Shop()),
        facts=Customer,
        budget=budget,
        store=store,
        **options,
    )
