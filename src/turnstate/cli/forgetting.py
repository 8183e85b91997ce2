"""`turnstate erase`, `retention`, `export` and `import`: what leaves a store, for good or for another one."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path

import typer
from pydantic_core import to_json

from turnstate.cli.store import chosen as chosen_store
from turnstate.cli.store import reading, url_of
from turnstate.cli.text import printable
from turnstate.errors import ExportError, SettingError
from turnstate.ports import Log, Receipt
from turnstate.stores import open_log
from turnstate.stores.exporting import chosen, export, put
from turnstate.turn.retaining import aged

_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


def now() -> int:
    """The time, in microseconds since the epoch."""
    return int(datetime.now(UTC).timestamp() * 1_000_000)


def age(given: str) -> timedelta:
    """An age as it is written on the command line: 90d, 12h, 8w.

    Raises:
        SettingError: it is written otherwise.
    """
    match = re.fullmatch(r"(\d{1,6})([hdw])", given.strip())
    if match is None:
        raise SettingError("--older-than", f"is {given!r}", "Write a number with h, d or w, as in 90d.")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


def erase(
    store: str | None, conversation: str | None, user: str | None, *, sure: bool, as_json: bool
) -> None:
    """Erase a conversation or a user, once it is confirmed.

    Raises:
        SettingError: neither or both were named.
        TurnstateError: the store cannot be read or written.
    """
    if (conversation is None) == (user is None):
        raise SettingError("erase", "takes --conversation or --user", "Give exactly one of them.")
    what = f"conversation {conversation!r}" if user is None else f"all of user {user!r}"
    if not sure:
        typer.confirm(
            f"Erase {printable(what)} from {printable(chosen_store(store))} for good?", abort=True, err=True
        )

    async def work() -> Receipt:
        async with reading(store) as log:
            return await log.erase(conversation=conversation, user=user, at=now())

    _show([asyncio.run(work())], as_json=as_json)


def retain(store: str | None, older_than: str, user: str | None, *, dry: bool, as_json: bool) -> None:
    """Erase what ended long ago, or only say what it would be.

    Raises:
        SettingError: the age does not read.
        TurnstateError: the store cannot be read or written.
    """
    before = now() - int(age(older_than).total_seconds() * 1_000_000)

    async def work() -> list[Receipt]:
        async with reading(store) as log:
            return [receipt for receipt in await _retain(log, before, user, dry=dry) if receipt.events]

    receipts = asyncio.run(work())
    if dry and not as_json:
        typer.echo("Nothing was changed; this would be erased:")
    _show(receipts, as_json=as_json)


async def _retain(log: Log, before: int, user: str | None, *, dry: bool) -> list[Receipt]:
    receipts: list[Receipt] = []
    async for kept, old in aged(log, before, user):
        if dry:
            events = sum(old.whole or 0 < event.turn <= old.through for event in kept.events)
            turns = sum(turn.turn <= old.through for turn in kept.turns)
            receipts.append(Receipt("", "retention", 1, turns, events, 0, 0, before))
        elif old.whole:
            receipts.append(await log.erase(conversation=kept.conversation, at=now()))
        else:
            receipts.append(await log.erase_turns(kept.conversation, old.through, now()))
    return receipts


def write(store: str | None, conversation: str | None, user: str | None, out: Path | None) -> None:
    """Export conversations to a file or to stdout.

    Raises:
        SettingError: a conversation and a user were named, or the file cannot be written.
        TurnstateError: the store cannot be read.
    """
    if conversation is not None and user is not None:
        raise SettingError("export", "takes --conversation or --user", "Give one of them, or none for all.")

    async def work() -> None:
        async with reading(store) as log:
            names = await chosen(log, conversation=conversation, user=user)
            lines = export(log, names)
            if out is None:
                async for line in lines:
                    sys.stdout.write(line)
                return
            # A file that is there is replaced only by a whole one.
            part = out.with_name(f"{out.name}.part")
            with part.open("w", encoding="utf-8") as file:
                async for line in lines:
                    file.write(line)
            part.replace(out)

    try:
        asyncio.run(work())
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise SettingError("--out", f"cannot be written ({error})", "Give a path that can be.") from error


def read(store: str, file: Path) -> None:
    """Import an export; the store is made unless it is there.

    Raises:
        ExportError: the file does not read.
        StoreError: a conversation is there already, or the store cannot be written.
    """

    async def work() -> int:
        log = open_log(url_of(store))
        try:
            return await put(log, _lines(file))
        finally:
            await log.close()

    typer.echo(f"{asyncio.run(work())} conversations imported into {printable(url_of(store))}")


def _lines(file: Path) -> Iterator[str]:
    try:
        with file.open(encoding="utf-8") as lines:
            yield from lines
    except (OSError, UnicodeDecodeError) as error:
        raise ExportError(None, f"cannot be read ({error})") from error


def _show(receipts: list[Receipt], *, as_json: bool) -> None:
    if as_json:
        typer.echo(to_json([asdict(receipt) for receipt in receipts], indent=2).decode())
        return
    if not receipts:
        typer.echo("There is nothing to erase.")
    for receipt in receipts:
        counts = (
            ("conversations", receipt.conversations),
            ("turns", receipt.turns),
            ("events", receipt.events),
        )
        more = (("facts", receipt.facts), ("large parts", receipt.blobs))
        told = ", ".join(f"{number:,} {name}" for name, number in (*counts, *more))
        typer.echo(f"{told}" + (f" (receipt {receipt.id})" if receipt.id else ""))
    if beyond := list(dict.fromkeys(what for receipt in receipts for what in receipt.unreachable)):
        typer.echo("Not reached:")
        for what in beyond:
            typer.echo(f"  {what}")
