"""The stores of conversations, opened by URL."""

from __future__ import annotations

from turnstate.ports import Log
from turnstate.stores.memory import MemoryLog
from turnstate.stores.sqlite.log import SqliteLog
from turnstate.stores.urls import parse

__all__ = ["MemoryLog", "SqliteLog", "open_log"]


def open_log(url: str, tenant: str = "default") -> Log:
    """Open the store that `url` names, for one tenant; whoever opens it closes it.

    Args:
        url: "memory:", "sqlite:///relative.db" or "sqlite:////absolute/path.db".
        tenant: whose conversations these are; tenants of one store see nothing of each other.

    Raises:
        StoreUrlError: the URL names no store.
        StoreError: the store is there and cannot be opened.
    """
    target = parse(url)
    match target.kind:
        case "memory":
            return MemoryLog(tenant)
        case "sqlite":
            return SqliteLog(target.path, tenant, url=url)
