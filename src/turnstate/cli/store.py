"""Which store a command reads, and opening it without ever making one."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from turnstate.errors import TurnstateError
from turnstate.ports import Log
from turnstate.stores import open_log

DEMO = Path(".turnstate/demo.db")
"""Where the demo keeps its log, below the current folder."""

OWN = Path("turnstate.db")
"""Where the library keeps its log unless told otherwise."""

VARIABLE = "TURNSTATE_STORE"
"""The environment variable that names a store."""

_SQLITE = "sqlite:///"


class NotThere(TurnstateError):
    """What a command was asked about is not there.

    Attributes:
        problem: what is missing.
    """

    def __init__(self, problem: str, step: str) -> None:
        self.problem = problem
        super().__init__(f"{problem}. {step}.")


def url_of(store: str) -> str:
    """The URL of a store that is given as a path or as a URL."""
    return store if "://" in store or store.startswith("memory:") else f"{_SQLITE}{Path(store).expanduser()}"


def file_of(url: str) -> Path | None:
    """The file of a SQLite store's URL, None for other stores."""
    return Path(url.removeprefix(_SQLITE)) if url.startswith(_SQLITE) else None


def chosen(store: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The URL of the store to read: as given, or from the environment, or the demo's, or the library's own."""
    if given := store or environment.get(VARIABLE):
        return url_of(given)
    return url_of(str(DEMO if DEMO.exists() else OWN))


@asynccontextmanager
async def reading(store: str | None) -> AsyncGenerator[Log]:
    """The store that a command reads.

    Raises:
        NotThere: there is no such store; none is made.
        WiringError: the URL names no store.
        StoreError: it cannot be opened.
    """
    url = chosen(store)
    if url.startswith("memory:"):
        raise NotThere(f"Store {url!r} ends with its process", "Give the path of a database with --store")
    if (path := file_of(url)) is not None:
        _check_there(path, given=store is not None)
    log = open_log(url)
    try:
        yield log
    finally:
        await log.close()


def _check_there(path: Path, *, given: bool) -> None:
    step = (
        "Check the path"
        if given
        else f"Run `turnstate demo` to make one, or name yours with --store or in {VARIABLE}"
    )
    try:
        if path.is_dir():
            raise NotThere(f"{path} is a folder, not a database", step)
        if not path.exists():
            raise NotThere(f"There is no database at {path}", step)
        if path.stat().st_size == 0:
            raise NotThere(f"{path} is empty: nothing was ever recorded in it", step)
    except (OSError, ValueError) as error:
        raise NotThere(f"The database {str(path)!r} cannot be looked at ({error})", step) from error
