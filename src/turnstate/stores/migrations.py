"""SQL as files: named queries with their purpose, and numbered migrations with their checksum."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import NamedTuple

_NAMED = re.compile(r"^-- (\w+): \S.*\n", re.MULTILINE)
_NUMBERED = re.compile(r"(\d{4})_(\w+)\.sql")


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of a schema.

    Attributes:
        number: its place, from 1 without gaps; the schema's version is the highest one.
        name: what it does, in a few words.
        checksum: SHA-256 of its text, hex, whatever the line ends.
        statements: its statements in order.
    """

    number: int
    name: str
    checksum: str
    statements: tuple[str, ...]


class Migrated(NamedTuple):
    """What a migration did.

    Attributes:
        before: the schema version that was there; 0 for none.
        after: the schema version that is there now.
    """

    before: int
    after: int


def read_migrations(folder: Traversable) -> tuple[Migration, ...]:
    """The migrations in `folder` (`0001_initial.sql`, …), in order.

    Raises:
        ValueError: a number is missing or used twice.
    """
    found = sorted(
        (int(match[1]), match[2], file.read_text(encoding="utf-8"))
        for file in folder.iterdir()
        if (match := _NUMBERED.fullmatch(file.name))
    )
    if [number for number, _, _ in found] != list(range(1, len(found) + 1)):
        raise ValueError(f"migrations are numbered {[number for number, _, _ in found]}")
    return tuple(
        Migration(number, name, hashlib.sha256(sql.encode()).hexdigest(), split(sql))
        for number, name, sql in found
    )


def read_queries(sql: str) -> Mapping[str, str]:
    """The queries of a file by name; `-- name: purpose` stands above each.

    Raises:
        ValueError: two queries have one name, or one is empty.
    """
    pieces = _NAMED.split(sql)[1:]
    queries: dict[str, str] = {}
    for name, text in zip(pieces[::2], pieces[1::2], strict=True):
        query = text.strip().removesuffix(";")
        if name in queries or not query:
            raise ValueError(f"query {name!r} is there twice, or empty")
        queries[name] = query
    return MappingProxyType(queries)


def split(sql: str) -> tuple[str, ...]:
    """The statements of a script, without comments; each ends with a semicolon at the end of a line."""
    lines = [line.partition("--")[0].rstrip() for line in sql.splitlines()]
    statements = "\n".join(line for line in lines if line).split(";\n")
    return tuple(statement.strip().removesuffix(";") for statement in statements if statement.strip())
