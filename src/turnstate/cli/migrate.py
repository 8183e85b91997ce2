"""`turnstate migrate`: the tables of a store, made or brought up to date."""

from __future__ import annotations

import asyncio

import typer

from turnstate.cli.store import NotThere, file_of, url_of
from turnstate.cli.text import printable
from turnstate.errors import StoreUrlError
from turnstate.stores.migrations import Migrated
from turnstate.stores.sqlite.database import migrate as migrate_file
from turnstate.stores.urls import parse


def migrate(store: str, schema: str) -> None:
    """Migrate a store, and say from which version to which.

    Raises:
        NotThere: the driver is not installed.
        StoreUrlError: the URL or the schema does not read, or names a store that has no tables.
        StoreError: the store cannot be reached, or is newer than this release; nothing was changed.
    """
    url = url_of(store)
    if file_of(url) is not None:
        _say(url, migrate_file(parse(url).path, url))
        return
    if url.startswith("memory:"):
        raise StoreUrlError(url, "has no tables")
    _migrate_database(url, schema)


def _migrate_database(url: str, schema: str) -> None:
    try:
        from turnstate.stores.postgres.database import migrate as migrate_database
        from turnstate.stores.postgres.database import shown
    except ModuleNotFoundError:
        raise NotThere(
            "The PostgreSQL driver is not installed", "Run `pip install 'turnstate[postgres]'`"
        ) from None
    _say(f"schema {schema} of {shown(url)}", asyncio.run(migrate_database(url, schema)))


def _say(where: str, migrated: Migrated) -> None:
    before, after = migrated
    done = f", was at {before}" if before != after else " already"
    typer.echo(f"{printable(where)} is at version {after}{done}")
