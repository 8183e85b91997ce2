"""Events and facts as rows: how they are written, and what comes back of them."""

from __future__ import annotations

import hashlib
import logging
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from turnstate.core.events import Event, Recorded
from turnstate.core.facts import Fact
from turnstate.errors import EventDecodeError
from turnstate.stores.codec import Encoded, decode, decode_fact, encode
from turnstate.stores.searched import searched_words

Row: TypeAlias = tuple[Any, ...]

_LOG = logging.getLogger("turnstate.stores")


def number_of(conversation: str) -> uuid.UUID:
    """What the tables call a conversation: half of its id's SHA-256. Whoever writes compares the id as well."""
    return uuid.UUID(bytes=hashlib.sha256(_bytes(conversation)).digest()[:16])


def digest_of(text: str) -> bytes:
    """SHA-256 of a text that may be too long for an index: an owner, or a client's key."""
    return hashlib.sha256(_bytes(text)).digest()


SPAN = 512
"""Turns whose words the index keeps together: a search that goes back span by span reads no more than it needs."""


def word_of(conversation: uuid.UUID, word: str) -> int:
    """What a word of a conversation is called: 64 bits of a digest of both."""
    told = hashlib.blake2b(_bytes(word), digest_size=8, key=conversation.bytes).digest()
    return int.from_bytes(told, "big", signed=True)


def indexed(word: int, span: int) -> int:
    """What the index calls a word in one span of the conversation's turns."""
    return word ^ span


def every(conversation: uuid.UUID) -> int:
    """By what the index knows all of a conversation."""
    return int.from_bytes(conversation.bytes[:8], "big", signed=True)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Entry:
    """An event as it is written.

    Attributes:
        encoded: its row.
        words: what it is found by, whatever its span.
    """

    encoded: Encoded
    words: tuple[int, ...]


def words_of(number: uuid.UUID, event: Event) -> Iterator[int]:
    """What an event of a conversation is found by, whatever its span."""
    return (word_of(number, word) for word in searched_words(event))


def entry(conversation: str, turn: int, event: Event) -> Entry:
    """An event of a turn ready to be written; what stands outside any turn is not searched.

    Raises:
        EventEncodeError: it holds what cannot be written.
    """
    words = words_of(number_of(conversation), event) if turn else ()
    return Entry(encode(event), tuple(sorted(words)))


def columns_of(entries: Sequence[Entry]) -> dict[str, str]:
    """Entries as arrays of one length, one for each column."""
    rows = [entry.encoded for entry in entries]
    return {
        "versions": array(row.version for row in rows),
        "tags": array(row.tag for row in rows),
        "bodies": array(row.body for row in rows),
        "blobs": array(array(row.blobs) if row.blobs else None for row in rows),
    }


def heard(number: uuid.UUID, turn: int, words: Iterable[int]) -> str:
    """What the index is told of a turn: its words, and what all of a conversation have; or nothing."""
    names = {indexed(word, turn // SPAN) for word in words}
    return array((every(number), *sorted(names)) if names else ())


def said_in(entries: Iterable[Entry]) -> set[int]:
    """The words of some entries."""
    return {word for entry in entries for word in entry.words}


def blobs_of(entries: Sequence[Entry]) -> dict[str, str]:
    """What is large beside the entries."""
    large = {sha: data for entry in entries for sha, data in entry.encoded.blobs.items()}
    return {"shas": array(large), "datas": array(rf"\x{data.hex()}" for data in large.values())}


def array(items: Iterable[str | int | None]) -> str:
    """An array as the database reads it: quicker than the driver, which looks at each item's type.

    Arrays of unequal lengths make no array of two dimensions: they are arrays of such texts.
    """
    return f"{{{','.join(map(_item, items))}}}"


def _item(item: str | int | None) -> str:
    if isinstance(item, str):
        escaped = item.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return "NULL" if item is None else str(item)


class Reading:
    """Rows as events and facts; what does not decode is left out with a warning, once, so that the rest can be read."""

    def __init__(self) -> None:
        self._warned: set[tuple[str, int]] = set()

    def recorded(
        self, conversation: str, rows: Iterable[Row], large: Mapping[str, bytes]
    ) -> Iterator[Recorded]:
        """Rows of events, and what is large beside them."""
        for seq, turn, at, tag, version, body, _ in rows:
            try:
                event = decode(tag, version, body, large.get)
            except EventDecodeError as error:
                self._warn(conversation, seq, error)
            else:
                yield Recorded(conversation, seq, turn, at, event, version)

    def fact(self, place: int, body: object) -> Fact | None:
        """A row of the projection, or None."""
        try:
            return decode_fact(body)
        except EventDecodeError as error:
            self._warn("", place, error)
            return None

    def _warn(self, conversation: str, seq: int, error: EventDecodeError) -> None:
        if (conversation, seq) not in self._warned:
            self._warned.add((conversation, seq))
            where = f"event {seq} of conversation {conversation!r}" if conversation else f"fact {seq}"
            _LOG.warning("%s is left out: %s", where, error)


def large_of(rows: Iterable[Row]) -> list[str]:
    """The names of what rows of events left beside them."""
    return sorted({name for row in rows for name in row[6] or ()})
