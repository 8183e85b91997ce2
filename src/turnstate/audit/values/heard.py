"""What has been said so far: the user's values with what became of them, and where any value was said last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from turnstate.audit.values.agree import beginnings, matches
from turnstate.audit.values.mentions import Mention, Sort
from turnstate.audit.values.names import words_of
from turnstate.audit.values.story import Said

_WORDED: Final = frozenset({"name", "code"})
RECENT: Final = 24
"""The user's last values, of each sort, that a later one may contradict."""


@dataclass(slots=True, eq=False)
class Given:
    """A value that the user gave.

    Attributes:
        said: where, the last time.
        mention: how, the last time.
        last: what repeated it last: the user, the agent, or a call that carries it.
        repeated: whether the agent or a call was that.
        cues: the small words that it was said behind.
        keys: the arguments that carried it, each behind its tool.
    """

    said: Said
    mention: Mention
    last: Said
    repeated: bool = False
    cues: set[str] = field(default_factory=set[str])
    keys: set[str] = field(default_factory=set[str])


class Ears:
    """Listens to a story, in order.

    Attributes:
        newest: the user's newest message.
    """

    def __init__(self) -> None:
        self._given: dict[Sort, dict[str, Given]] = {}
        self._all = _Said()
        self.newest: Said | None = None

    def hear(self, said: Said) -> None:
        """Take in what was said."""
        self._all.add(said)
        if said.speaker == "user":
            self.newest = said
            for mention in said.mentions:
                self._give(said, mention)
        elif said.speaker != "tool":
            keys = [f"{said.tool} {argument.key.name}" for argument in said.arguments] or [""] * len(
                said.mentions
            )
            for mention, key in zip(said.mentions, keys, strict=True):
                for given in self.of(mention):
                    given.last, given.repeated = said, True
                    given.cues.add(mention.cue)
                    given.keys.add(key)

    def _give(self, said: Said, mention: Mention) -> None:
        values = self._given.setdefault(mention.sort, {})
        given = values.pop(mention.norm, None)
        if given is None:
            given = Given(said, mention, said)
        given.said, given.mention, given.last, given.repeated = said, mention, said, False
        given.cues.add(mention.cue)
        values[mention.norm] = given

    def recent(self, sort: Sort | None = None) -> Iterator[Given]:
        """The user's last values of a sort, or of every sort, newest first."""
        for values in [self._given.get(sort, {})] if sort else self._given.values():
            yield from islice(reversed(values.values()), RECENT)

    def of(self, mention: Mention) -> list[Given]:
        """What the user gave lately that a mention may be."""
        return [
            given
            for sort, values in self._given.items()
            if sort == mention.sort or "count" in {sort, mention.sort}
            for given in islice(reversed(values.values()), RECENT)
            if matches(given.mention, mention)
        ]

    def replaced(self, said: Said, mention: Mention) -> list[Given]:
        """What the user gave of a mention's sort that something said does not hold, newest first."""
        found: list[Given] = []
        for given in self.recent(mention.sort):
            if not holds(said, given.mention) and not any(
                matches(given.mention, other.mention) for other in found
            ):
                found.append(given)
        return found

    def last(self, mention: Mention) -> int:
        """Where a value was last said, by anybody; -1 where it never was."""
        return self._all.last(mention)

    def talked(self, mention: Mention) -> bool:
        """Whether the user or the agent has said an exact value, and not only a tool."""
        return self._all.talked(mention)


def holds(said: Said, mention: Mention) -> bool:
    """Whether something said holds a value: said differently, or as a part of something longer."""
    if any(matches(mention, other) for other in said.mentions):
        return True
    if mention.sort == "count":
        return not said.words.isdisjoint({mention.norm, mention.text.casefold()})
    words = words_of(mention.text) if mention.sort in _WORDED else frozenset[str]()
    return bool(words) and words <= said.words


@dataclass(slots=True)
class _Last:
    """A value and where it was said last."""

    mention: Mention
    order: int


def _last_of(typed: Mapping[Sort, Mapping[str, _Last]], mention: Mention) -> int:
    values = typed.get(mention.sort, {}).values()
    return max((last.order for last in values if matches(last.mention, mention)), default=-1)


class _Said:
    """Where every word and value was said last."""

    def __init__(self) -> None:
        self._words: dict[str, int] = {}
        self._typed: dict[Sort, dict[str, _Last]] = {}
        self._returned: dict[Sort, dict[str, _Last]] = {}
        self._names: dict[str, dict[str, _Last]] = {}
        self._results: list[Said] = []

    def add(self, said: Said) -> None:
        self._words.update(dict.fromkeys(said.words, said.order))
        if said.speaker == "tool":
            self._results.append(said)
        else:
            self._take(said)

    def _take(self, said: Said) -> None:
        for mention in said.mentions:
            last = _Last(mention, said.order)
            if mention.sort != "name":
                typed = self._returned if said.speaker == "tool" else self._typed
                typed.setdefault(mention.sort, {})[mention.norm] = last
                continue
            for beginning in beginnings(mention.text):
                self._names.setdefault(beginning, {})[mention.norm] = last

    def last(self, mention: Mention) -> int:
        if mention.sort == "name":
            return self._named(mention)
        if mention.sort != "count":  # a result is full of numbers that count nothing
            for said in self._results:
                self._take(said)
            self._results.clear()
        return max(_last_of(self._typed, mention), _last_of(self._returned, mention))

    def talked(self, mention: Mention) -> bool:
        return _last_of(self._typed, mention) >= 0

    def _named(self, mention: Mention) -> int:
        """Where a name was last said; its words may be scattered."""
        words = [self._words.get(word, -1) for word in words_of(mention.text)]
        like = (
            last for beginning in beginnings(mention.text) for last in self._names.get(beginning, {}).values()
        )
        literal = min(words, default=-1)
        return (
            literal
            if literal >= 0
            else max((last.order for last in like if matches(last.mention, mention)), default=-1)
        )
