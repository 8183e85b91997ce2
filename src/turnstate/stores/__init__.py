"""The stores of conversations, opened by URL."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import cast

from turnstate.errors import StoreUrlError
from turnstate.ports import Log
from turnstate.stores.memory import MemoryLog
from turnstate.stores.sqlite.log import SqliteLog
from turnstate.stores.urls import parse

__all__ = ["MemoryLog", "SqliteLog", "open_log"]


def open_log(url: str, tenant: str = "default") -> Log:
    """Open the store that `url` names, for one tenant; whoever opens it closes it.

    Args:
        url: "memory:", "sqlite:///relative.db", "sqlite:////absolute/path.db" or "postgresql://user@host/database",
            for which the extra `turnstate[postgres]` is installed.
        tenant: whose conversations these are; tenants of one store see nothing of each other.

    Raises:
        StoreUrlError: the URL names no store.
        StoreError: the store is there and cannot be opened.
    """
    if url.startswith(("postgresql://", "postgres://")):
        return _postgres(url, tenant)
    target = parse(url)
    match target.kind:
        case "memory":
            return MemoryLog(tenant)
        case "sqlite":
            return SqliteLog(target.path, tenant, url=url)


def _postgres(url: str, tenant: str) -> Log:
    try:
        opened = import_module("turnstate.stores.postgres.log").PostgresLog
    except ModuleNotFoundError:
        raise StoreUrlError(
            "postgresql:", "needs the PostgreSQL driver; install it: pip install 'turnstate[postgres]'"
        ) from None
    return cast("Callable[[str, str], Log]", opened)(url, tenant)
