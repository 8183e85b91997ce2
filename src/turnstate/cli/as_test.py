"""`turnstate show --turn N --test`: a recorded turn as a pytest module on stdout."""

from __future__ import annotations

import asyncio
import sys

import typer

from turnstate.cli.records import read_account
from turnstate.cli.store import reading
from turnstate.testing.recorded import RecordedTurn, as_test, recorded_turn

MAKE = """\
from turnstate.apps.{module} import {app}


def assistant(model, store):
    return {app}(model, store=store)
"""

MAKES = {
    "sales": MAKE.format(module="sales.agents", app="sales"),
    "support": MAKE.format(module="support.agent", app="support"),
}
"""What makes the assistant of an app."""

OWN = "from your_app import assistant  # a function (model, store) -> Assistant with your team"
"""What stands there for any other."""


def print_test(store: str | None, conversation: str, turn: int, app: str | None) -> None:
    """Print the module.

    Raises:
        typer.BadParameter: there is no such app.
        TurnstateError: the store or the conversation is not there, or the turn has not closed.
    """
    if app is not None and app not in MAKES:
        raise typer.BadParameter(
            f"there is no app {app!r}; choose from: {', '.join(MAKES)}", param_hint="--app"
        )
    recorded = asyncio.run(_read(store, conversation, turn))
    make = OWN if app is None else MAKES[app]
    sys.stdout.write(as_test(recorded, conversation, make))


async def _read(store: str | None, conversation: str, turn: int) -> RecordedTurn:
    async with reading(store) as log:
        told = await read_account(log, conversation)
        return recorded_turn(told.events, turn)
