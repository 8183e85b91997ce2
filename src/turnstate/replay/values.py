"""The exact values that a conversation has said, and how many of them stand in a request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from turnstate.core.messages import ModelMessage
from turnstate.core.values import Value, ValueKind, find, same
from turnstate.replay.memo import Memo
from turnstate.replay.words import Part, words

_NUMBERS = frozenset({ValueKind.ID, ValueKind.QUANTITY, ValueKind.MONEY, ValueKind.VERSION, ValueKind.PHONE})
"""The kinds of which one may be another, by how much was said of it."""


class Key(NamedTuple):
    """What makes two values one: their kind and their one spelling."""

    kind: ValueKind
    norm: str


class InView(NamedTuple):
    """What a request has of what was said before it.

    Attributes:
        seen: distinct values that were said.
        there: how many of them stand in the request.
    """

    seen: int
    there: int


@dataclass(slots=True)
class _Alike:
    """The keys that mean the same as one key, among the first `compared` of its family."""

    keys: set[Key] = field(default_factory=set[Key])
    compared: int = 0


class Values:
    """The values of one conversation: each text is read once, and two values are compared once.

    It may serve several replays of the conversation: what it knows depends on the texts alone.
    """

    def __init__(self) -> None:
        self._texts: dict[str, frozenset[Key]] = {}
        self._folded: dict[str, str] = {}
        self._literal: dict[tuple[str, Key], bool] = {}
        self._values: dict[Key, Value] = {}
        self._families: dict[ValueKind, list[Key]] = {}
        self._alike: dict[Key, _Alike] = {}

    def of(self, text: str) -> frozenset[Key]:
        """The values of a text."""
        keys = self._texts.get(text)
        if keys is None:
            keys = self._texts[text] = frozenset(map(self._key, find(text)))
        return keys

    def _key(self, value: Value) -> Key:
        key = Key(value.kind, value.norm)
        if key not in self._values:
            self._values[key] = value
            self._families.setdefault(_family(key.kind), []).append(key)
        return key

    def said_differently(self, key: Key, view: set[Key]) -> bool:
        """Whether a value of `view` means the same as `key`."""
        alike = self._alike.setdefault(key, _Alike())
        family = self._families[_family(key.kind)]
        if alike.compared < len(family):
            value = self._values[key]
            new = family[alike.compared :]
            alike.keys.update(other for other in new if stands_for(self._values[other], value))
            alike.compared = len(family)
        return not alike.keys.isdisjoint(view)

    def literally(self, key: Key, text: str) -> bool:
        """Whether the words of a value stand in `text`, whatever they are taken for there."""
        asked = (text, key)
        found = self._literal.get(asked)
        if found is None:
            folded = self._folded.setdefault(text, text.casefold())
            # Without the quotation marks of what was quoted.
            said = key.norm if key.kind is ValueKind.QUOTED else self._values[key].text.casefold()
            found = self._literal[asked] = _stands(said, folded)
        return found


class Said:
    """What has been said so far in one replay of a conversation.

    A value stands in a request if it is found there, if another one there means the same (`stands_for`),
    or if its words stand in a text that was written for the request, such as a summary.
    """

    def __init__(self, values: Values) -> None:
        self._values = values
        self._seen: dict[Key, None] = {}
        self._texts: set[str] = set()
        self._words: Memo[Part, str] = Memo(words)

    def add(self, messages: Iterable[ModelMessage]) -> None:
        """Messages were said."""
        for text in map(words, _parts(messages)):
            self._texts.add(text)
            self._seen.update(dict.fromkeys(self._values.of(text)))

    def stand(self, messages: Sequence[ModelMessage]) -> InView:
        """How much of it stands in the messages of a request."""
        self._words.turn_over()
        texts = list(map(self._words.of, _parts(messages)))
        view = set(chain.from_iterable(map(self._values.of, texts)))
        written = [text for text in dict.fromkeys(texts) if text not in self._texts]
        absent = [key for key in self._seen if key not in view]
        lost = sum(not self._elsewhere(key, view, written) for key in absent)
        return InView(len(self._seen), len(self._seen) - lost)

    def _elsewhere(self, key: Key, view: set[Key], written: Sequence[str]) -> bool:
        return self._values.said_differently(key, view) or any(
            self._values.literally(key, text) for text in written
        )


def stands_for(other: Value, value: Value) -> bool:
    """Whether whoever reads `other` knows `value`: they mean the same, and no part of a date but the year is left open."""
    if not same(value, other):
        return False
    return value.kind is not ValueKind.DATE or _open(other) <= _open(value)


def _open(date: Value) -> set[int]:
    """Which of month and day (0 and 1) a date leaves open."""
    rest = date.norm.partition("-")[2]
    parts = rest.split("|" if "|" in rest else "-")
    return {index for index, part in enumerate(parts) if "?" in part}


def _parts(messages: Iterable[ModelMessage]) -> Iterable[Part]:
    return (part for message in messages for part in message.parts)


def _family(kind: ValueKind) -> ValueKind:
    return ValueKind.ID if kind in _NUMBERS else kind


def _stands(needle: str, text: str) -> bool:
    """Whether `needle` stands in `text`, and not as a part of a longer word or number."""
    start = text.find(needle)
    while start >= 0:
        end = start + len(needle)
        joined_before = start > 0 and needle[0].isalnum() and text[start - 1].isalnum()
        joined_after = end < len(text) and needle[-1].isalnum() and text[end].isalnum()
        if not (joined_before or joined_after):
            return True
        start = text.find(needle, start + 1)
    return False
