"""The agents that the program can talk to, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import typer

from turnstate.apps.sales.agents import sales
from turnstate.apps.support.agent import support
from turnstate.apps.support.shop import Shop
from turnstate.assistant import Assistant
from turnstate.cli.store import file_of
from turnstate.core.context.budget import Budget


@dataclass(frozen=True, slots=True)
class Setting:
    """What an agent runs with.

    Attributes:
        model: the model's id.
        target: tokens that a request may have.
        url: the store.
    """

    model: str
    target: int
    url: str


Make: TypeAlias = Callable[[Setting], Assistant]


def orders_beside(database: Path) -> Path:
    """Where the support agent's shop keeps its orders: beside the log that says what was done with them."""
    return database.with_name(f"{database.stem}.orders.json")


def _support(setting: Setting) -> Assistant:
    database = file_of(setting.url)
    shop = Shop(None if database is None else orders_beside(database))
    return support(setting.model, store=setting.url, shop=shop, budget=Budget(target=setting.target))


def _sales(setting: Setting) -> Assistant:
    return sales(setting.model, store=setting.url, budget=Budget(target=setting.target))


AGENTS: dict[str, Make] = {"support": _support, "sales": _sales}


def agent(name: str, setting: Setting) -> Assistant:
    """The agent of this name.

    Raises:
        typer.BadParameter: there is no such agent.
        WiringError: it cannot be set up.
    """
    if name not in AGENTS:
        known = ", ".join(AGENTS)
        raise typer.BadParameter(f"there is no app {name!r}; choose from: {known}", param_hint="--app")
    return AGENTS[name](setting)
