"""What a store URL says: which kind of store, and where it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from turnstate.errors import StoreUrlError

_MEMORY = {"memory:", "memory://"}
_SQLITE = "sqlite:///"


@dataclass(frozen=True, slots=True)
class Target:
    """The store that a URL names.

    Attributes:
        kind: "memory" or "sqlite".
        path: the file; the current folder for a store that has none.
    """

    kind: Literal["memory", "sqlite"]
    path: Path = Path()


def parse(url: str) -> Target:
    """The store that `url` names: "memory:", "sqlite:///relative.db" or "sqlite:////absolute/path.db".

    Raises:
        StoreUrlError: it names none.
    """
    if url in _MEMORY:
        return Target("memory")
    if url.startswith(_SQLITE):
        return Target("sqlite", _file(url))
    raise StoreUrlError(without_password(url))


def without_password(url: str) -> str:
    """`url` as it may be shown: what stands before the last "@" may hold a password."""
    scheme, separator, rest = url.partition("://")
    _, at, host = rest.rpartition("@")
    return f"{scheme}://***@{host}" if separator and at else url


def _file(url: str) -> Path:
    path = url.removeprefix(_SQLITE)
    if not path or path.endswith("/"):
        raise StoreUrlError(url, "names no file")
    if path == ":memory:":
        raise StoreUrlError(url, "would be gone at exit, and is another database for every connection")
    if "?" in path:
        raise StoreUrlError(url, "has options, and a file has none")
    if "\0" in path:
        raise StoreUrlError(url, "has a NUL in its path")
    return Path(path)
