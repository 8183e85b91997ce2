"""Deleting a demo's database, and no other: what holds anything that the demo did not record is refused."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from turnstate.apps.support.shop import Shop
from turnstate.cli.agents import orders_beside
from turnstate.cli.store import NotThere, file_of
from turnstate.stores import open_log

BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite puts beside a database."""


def start_over(url: str, user: str, conversations: re.Pattern[str]) -> None:
    """Delete the database of `url` and what stands beside it: SQLite's files, and the shop's orders.

    Args:
        url: the store.
        user: the only user whose conversations may be in it.
        conversations: what their ids look like.

    Raises:
        NotThere: it is no file, or holds other conversations too; nothing was deleted.
        StoreError: it is no database of ours, or the orders beside it are no shop's; nothing was deleted.
    """
    path = file_of(url)
    if path is None:
        raise NotThere(
            f"{url} is no file, so there is nothing to delete",
            "Leave --fresh out, or give a path with --store",
        )
    if (
        path.exists()
        and path.stat().st_size
        and (other := asyncio.run(_foreign(url, user, conversations))) is not None
    ):
        raise NotThere(
            f"{path} was not deleted: it holds conversation {other!r}, which is not the demo's",
            "Give the demo a database of its own with --store",
        )
    orders = orders_beside(path)
    Shop(orders)  # what is no shop's file is an error here, before anything is deleted
    for name in (path, *(path.with_name(path.name + ending) for ending in BESIDE), orders):
        _delete(name)


async def _foreign(url: str, user: str, conversations: re.Pattern[str]) -> str | None:
    """A conversation in the store that the demo did not open, or None."""
    log = open_log(url)
    try:
        found = await log.conversations(limit=100_000)
    finally:
        await log.close()
    foreign = (
        info.conversation
        for info in found
        if info.user != user or not conversations.fullmatch(info.conversation)
    )
    return next(foreign, None)


def _delete(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise NotThere(f"{path} cannot be deleted ({error})", "Check who may write there") from error
