"""What a document is once it has been read: passages under their headings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from turnstate.core.evidence.types import JOINT


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a list, a row of a table: what is kept together if it can be.

    Attributes:
        headings: the headings above it, outermost first.
        text: its words.
        alone: whether it is a passage of its own, as a record of a table is.
    """

    headings: tuple[str, ...]
    text: str
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document that can be quoted.

    Attributes:
        title: the headings above it, outermost first.
        text: its words.
    """

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A file that has been read.

    Attributes:
        title: what it calls itself, else its name.
        kind: "markdown", "text", "html" or "csv".
        sha: SHA-256 of its bytes, hex.
        passages: in order.
        notes: what had to be guessed on the way, one sentence each.
    """

    title: str
    kind: str
    sha: str
    passages: tuple[Passage, ...]
    notes: tuple[str, ...] = ()


class Headings:
    """The headings above a place, while a document is read from top to bottom.

    A heading whose section has no text of its own is said by the sections below it, or is a block itself.
    """

    def __init__(self) -> None:
        self._path: list[tuple[int, str]] = []
        self._said = True

    @property
    def path(self) -> tuple[str, ...]:
        """The headings in force, outermost first."""
        return tuple(text for _, text in self._path)

    def open(self, level: int, text: str) -> Iterator[Block]:
        """A heading of a level from 1; what would otherwise be lost of the ones before is given as a block."""
        if self._path and self._path[-1][0] >= level:
            yield from self.close()
        while self._path and self._path[-1][0] >= level:
            self._path.pop()
        if text:
            self._path.append((level, text))
            self._said = False

    def under(self, text: str, *, alone: bool = False) -> Block:
        """A block below the headings in force."""
        self._said = True
        return Block(self.path, text, alone)

    def close(self) -> Iterator[Block]:
        """The last heading as a block, where nothing stands below it."""
        if not self._said and self._path:
            yield Block(self.path, self._path[-1][1])
        self._said = True


def title_of(headings: Iterable[str], document: str) -> str:
    """A passage's title: the document's and its headings, none said twice in a row."""
    path = [" ".join(heading.split()) for heading in (document, *headings)]
    return JOINT.join(
        text for place, text in enumerate(path) if text and (not place or text != path[place - 1])
    )
