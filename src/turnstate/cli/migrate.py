"""`turnstate migrate`: the tables of a PostgreSQL store, made or brought up to date."""

from __future__ import annotations

import asyncio

import typer

from turnstate.cli.store import NotThere


def migrate(url: str, schema: str) -> None:
    """Migrate a database, and say from which version to which.

    Raises:
        NotThere: the driver is not installed.
        StoreUrlError: the URL or the schema does not read.
        StoreError: the database cannot be reached, or is newer than this release; nothing was changed.
    """
    try:
        from turnstate.stores.postgres.database import migrate as migrate_database
        from turnstate.stores.postgres.database import shown
    except ModuleNotFoundError:
        raise NotThere(
            "The PostgreSQL driver is not installed", "Run `pip install 'turnstate[postgres]'`"
        ) from None
    before, after = asyncio.run(migrate_database(url, schema))
    where = f"schema {schema} of {shown(url)}"
    typer.echo(f"{where} is at version {after}" + (f", was at {before}" if before != after else " already"))
