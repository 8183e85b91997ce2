"""What tools take: as declared in a transcript, and as seen in the calls of many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

from turnstate.audit.values.arguments import arguments, data_of
from turnstate.audit.values.names import telling
from turnstate.core.messages import calls
from turnstate.readers.transcript import Transcript

_MOST_VALUES: Final = 60
_TWICE: Final = 2
"""Seen so often, a value counts as one that an argument may have."""
_MANY: Final = 5
_ENOUGH: Final = 3
"""Calls of a tool from which on what they all carry is what it takes."""


@dataclass
class Signature:
    """What one tool takes.

    Attributes:
        times: calls seen.
        carried: in how many of them each key stood.
        values: the names that stood under a key, without case, the first few.
        sorts: of what sort the values under each key were.
        declared: the keys of its schema, each with whether it is required.
    """

    times: int = 0
    carried: Counter[str] = field(default_factory=Counter[str])
    values: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    sorts: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    declared: dict[str, bool] = field(default_factory=dict[str, bool])

    def also(self, declared: Signature) -> Signature:
        """This, and what a schema declares."""
        return replace(
            self, values={**declared.values, **self.values}, declared={**self.declared, **declared.declared}
        )

    @property
    def certain(self) -> bool:
        """Whether enough is known to tell what it does not take."""
        return bool(self.declared) or self.times >= _ENOUGH

    def always(self, key: str) -> bool:
        """Whether a call has never been seen without a key."""
        return self.declared.get(key, False) or (self.times >= _MANY and self.carried[key] == self.times)

    def sort(self, key: str) -> str:
        """The sort of nearly all values under a key; "" where they differ or none was seen."""
        seen = self.sorts.get(key)
        if not seen:
            return ""
        sort, times = seen.most_common(1)[0]
        return sort if times >= 0.9 * seen.total() else ""

    def takes(self) -> Mapping[str, float]:
        """Each key with how likely a call has to carry what the user said for it."""
        seen = {
            key: 0.4 + 0.6 * count / self.times
            for key, count in self.carried.items()
            if self.times >= _ENOUGH and count >= _ENOUGH - 1
        }
        return seen | {
            key: 1.0 if required else max(0.8, seen.get(key, 0)) for key, required in self.declared.items()
        }


@dataclass
class Signatures:
    """What the tools of many transcripts take, learnt from their calls; an audit of one file learns from all of it."""

    tools: dict[str, Signature] = field(default_factory=dict[str, Signature])

    def with_declared(self, tools: Iterable[Mapping[str, Any]]) -> Signatures:
        """These, and what the tools of one transcript declare; as they are where it declares none."""
        both = dict(self.tools)
        for name, declared in _declared(tools):
            both[name] = both.get(name, Signature()).also(declared)
        return Signatures(both)

    def learn(self, transcripts: Iterable[Transcript]) -> None:
        """Look at the calls and the declared tools of some transcripts."""
        for transcript in transcripts:
            for name, declared in _declared(transcript.tools):
                self.tools[name] = self.tools.get(name, Signature()).also(declared)
            for turn in transcript.turns:
                for step in turn.steps:
                    for call in calls(step.response):
                        self._call(call.tool_name, data_of(call))

    def names(self, transcript: Transcript) -> frozenset[str]:
        """The names that the tools which a transcript calls have been called with."""
        called = {
            call.tool_name
            for turn in transcript.turns
            for step in turn.steps
            for call in calls(step.response)
        }
        return frozenset(
            name
            for tool in called
            if tool in self.tools
            for values in self.tools[tool].values.values()
            for name, times in values.items()
            if times >= _TWICE and telling(name)
        )

    def _call(self, name: str, data: Mapping[str, Any]) -> None:
        signature = self.tools.setdefault(name, Signature())
        signature.times += 1
        found = arguments(data, None)
        signature.carried.update(set(data))
        for argument in found:
            signature.sorts.setdefault(argument.key.name, Counter())[argument.said.sort] += 1
            if argument.said.sort == "name":
                seen = signature.values.setdefault(argument.key.name, Counter())
                if argument.said.norm in seen or len(seen) < _MOST_VALUES:
                    seen[argument.said.norm] += 1


def _declared(tools: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Signature]]:
    """What schemas declare: the keys, each with whether it is required, and the names that a key may have."""
    for tool in tools:
        inner = _object(tool.get("function")) or tool
        schema = _object(inner.get("parameters")) or _object(inner.get("input_schema")) or {}
        properties = _object(schema.get("properties")) or {}
        needed = {str(key) for key in _list(schema.get("required"))}
        name = inner.get("name")
        if isinstance(name, str):
            values = {
                key: Counter({str(choice).casefold().replace("_", " "): _TWICE for choice in _list(choices)})
                for key, declared in properties.items()
                if (choices := (_object(declared) or {}).get("enum"))
            }
            yield name, Signature(values=values, declared={key: key in needed for key in properties})


def _list(data: object) -> Sequence[object]:
    return cast("list[object]", data) if isinstance(data, list) else ()


def _object(data: object) -> Mapping[str, Any] | None:
    return cast("Mapping[str, Any]", data) if isinstance(data, dict) else None
