"""Tolerant reading of the JSON that a model wrote: fences, chatter, broken syntax and odd shapes become candidates or problems."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, cast

import json_repair

from turnstate.core.facts import Candidate, Key

Status: TypeAlias = Literal["learned", "none", "failed"]
"""Something was found; the model says that there is nothing; or nothing could be read."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a model's answer holds.

    Attributes:
        candidates: what it proposes, in its order; none of it is admitted yet.
        problems: what of it could not be used, one sentence each.
        status: whether there is something, nothing, or no reading it.
    """

    candidates: tuple[Candidate, ...]
    problems: tuple[str, ...]
    status: Status


# Finding JSON in a text ----------------------------------------------------------------------------------------------

_LONGEST: Final = 200_000
_LONGEST_REPAIR: Final = 20_000
_DEEPEST: Final = 60
_FENCE: Final = re.compile(r"```[\w-]{0,20}[^\S\n]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_STRUCTURE: Final = re.compile(
    r"\[\s*(?=[\[{\"'\]\d-]|true|false|null|None|True|False)|\{\s*(?=[\"'}]|[A-Za-z_]\w{0,60}\s*:)"
)
_ANY_BRACKET: Final = re.compile(r"[\[{]")
_BRACKETS: Final = re.compile(r"[\[{}\]]")


def read_json(text: str) -> tuple[object, ...]:
    """The arrays and objects in what a model wrote, repaired where they are broken; none for plain prose.

    Raises nothing, whatever the text.
    """
    text = text[:_LONGEST].strip().lstrip("\ufeff")
    for piece in (*(match[1] for match in _FENCE.finditer(text)), text):
        if found := _read_piece(piece):
            return found
    return ()


def _read_piece(text: str) -> tuple[object, ...]:
    """The structures of one piece of text: those that are valid, or else what the repair makes of it."""
    start = _STRUCTURE.search(text) or _ANY_BRACKET.search(text)
    if start is None or _too_deep(text):
        return ()
    if found := tuple(_read_valid(text)):
        return found
    closed = max(text.rfind("]"), text.rfind("}")) + 1
    for candidate in dict.fromkeys((text[start.start() : closed], text[start.start() :])):
        value = _read_repaired(candidate)
        if value:
            # The repair makes one list of objects that stand one after the other
            several = isinstance(value, list) and candidate.startswith("{")
            return tuple(cast("list[object]", value)) if several else (value,)
    return ()


def _too_deep(text: str) -> bool:
    depth = 0
    for bracket in _BRACKETS.findall(text):
        depth += 1 if bracket in "[{" else -1
        if depth > _DEEPEST:
            return True
    return False


def _read_valid(text: str) -> Iterator[object]:
    """Every valid structure from left to right; nothing at all where one of them is broken."""
    decoder, values, at = json.JSONDecoder(), list[object](), 0
    while match := _STRUCTURE.search(text, at):
        try:
            value, at = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            return
        values.append(value)
    yield from values


def _read_repaired(text: str) -> list[Any] | dict[Any, Any] | None:
    if len(text) > _LONGEST_REPAIR:
        return None
    try:
        value: object = json_repair.loads(text)
    except Exception:  # noqa: BLE001  # what the repair cannot do is "nothing found", whatever it raises
        return None
    return cast("list[Any] | dict[Any, Any]", value) if isinstance(value, list | dict) else None


# From JSON to candidates ---------------------------------------------------------------------------------------------

_KEY_NAMES: Final = ("key", "field", "slot", "name", "attribute", "type")
_VALUE_NAMES: Final = ("value", "val", "content", "text")
_QUOTE_NAMES: Final = ("quote", "evidence", "verbatim")
_WRAPPERS: Final = frozenset(
    {
        "facts",
        "fact",
        "memory",
        "memories",
        "data",
        "result",
        "results",
        "items",
        "output",
        "extracted",
        "entities",
    }
    | {"updates", "text", "content", "statement"}
)
_ABSENT: Final = frozenset(
    {"", "-", "none", "null", "n/a", "na", "unknown", "not provided", "not specified", "not mentioned"}
)
_NOTHING: Final = re.compile(
    r"\W*(?:none|null|nothing|empty|n/?a|(?:there (?:are|is) )?no (?:new |lasting )?(?:facts?|information|memories|updates?)\b[^\n\[{]{0,80})\W*",
    re.IGNORECASE,
)
_PAIR: Final = re.compile(
    r"[\s\"'*•-]{0,8}(\w[\w .-]{0,60}?)[\"'*]{0,3}\s{0,8}(?::|=|->|→)[\s*]{0,8}(\S.*)", re.DOTALL
)
_SHOWN: Final = 40


@dataclass(slots=True)
class _Reader:
    """Collects candidates and problems while walking through what was read.

    Attributes:
        keys: the declaration.
        candidates: what was found.
        problems: what could not be used.
        empty: whether it says, somewhere, that there is nothing.
    """

    keys: Mapping[str, Key]
    candidates: list[Candidate] = field(default_factory=list[Candidate])
    problems: list[str] = field(default_factory=list[str])
    empty: bool = False

    def key_named(self, name: object) -> Key | None:
        """The key that a model means, whatever case, blanks and dashes it writes."""
        if not isinstance(name, str):
            return None
        if name in self.keys:
            return self.keys[name]
        wanted = _letters(name)
        return next((key for key in self.keys.values() if _letters(key.name) == wanted), None)

    def read(self, value: object) -> None:
        """One JSON value that may hold candidates at any depth."""
        members, items = _members(value), _items(value)
        if _absent(value):
            self.empty = True
        elif members is not None:
            self._read_object(members)
        elif items is not None:
            for item in items:
                self.read(item)
        elif isinstance(value, str):
            self._read_string(value)
        else:
            self.problems.append(f"A bare {type(value).__name__} names no key.")

    def _read_object(self, held: dict[str, object]) -> None:
        """A record of a key, its value and its quote; or an object whose names are keys or wrap them."""
        if named := self._record_name(held):
            key, value_name = self.key_named(held[named]), _first(held, _VALUE_NAMES)
            if key is None:
                self.problems.append(f"{_shown(held[named])} is not a key.")
            elif value_name is None:
                self.problems.append(f"{key.name} has no value.")
            else:
                self._read_values(key, held[value_name], _quote_of(held))
            return
        for name, value in held.items():
            key = self.key_named(name)
            if key is not None:
                self._read_values(key, value, _quote_of(held))
            elif name.lower() in _WRAPPERS or self._mentions_key(value):
                self.read(value)
            elif name not in _QUOTE_NAMES:
                self.problems.append(f"{_shown(name)} is not a key.")

    def _record_name(self, held: Mapping[str, object]) -> str | None:
        """Which member of an object says what key it is about; "name" and "type" only where they name one."""
        for name in _KEY_NAMES:
            said = held.get(name)
            if isinstance(said, str) and (
                self.key_named(said) or (name in _KEY_NAMES[:3] and name not in self.keys)
            ):
                return name
        return None

    def _read_values(self, key: Key, value: object, quote: str) -> None:
        """What stands for a key: a value, an object with a value and a quote, or a list of these."""
        members, items = _members(value), _items(value)
        if _absent(value):
            self.empty = True
        elif items is not None:
            for item in items:
                self._read_values(key, item, quote)
        elif members is not None:
            name = _first(members, _VALUE_NAMES)
            if name is None:
                self.problems.append(f"{key.name} has an object without a value.")
            else:
                self._read_values(key, members[name], _quote_of(members) or quote)
        else:
            self.candidates.append(Candidate(key.name, value, quote))

    def _read_string(self, text: str) -> None:
        """A line such as "order_id: 12345"."""
        if _NOTHING.fullmatch(text[:200]):
            self.empty = True
            return
        pair = _PAIR.fullmatch(text)
        key = self.key_named(pair[1]) if pair else None
        if pair is None or key is None:
            self.problems.append(f"{_shown(text)} names no key.")
        else:
            self._read_values(key, pair[2].strip().strip("\"'"), "")

    def _mentions_key(self, value: object) -> bool:
        """Whether an object or list below an unknown name holds keys or records itself."""
        members = _members(value)
        if members is not None:
            return any(self.key_named(name) or name in _KEY_NAMES[:2] for name in members)
        return any(self._mentions_key(item) for item in _items(value) or ())


def _members(value: object) -> dict[str, object] | None:
    if not isinstance(value, dict):
        return None
    return {str(name): held for name, held in cast("dict[object, object]", value).items()}


def _items(value: object) -> list[object] | None:
    return list(cast("list[object]", value)) if isinstance(value, list | tuple) else None


def _letters(name: str) -> str:
    return re.sub(r"[^0-9a-z]", "", name.casefold())


def _first(held: Mapping[str, object], names: tuple[str, ...]) -> str | None:
    return next((name for name in names if name in held), None)


def _quote_of(held: Mapping[str, object]) -> str:
    name = _first(held, _QUOTE_NAMES)
    quote = held[name] if name else ""
    return quote.strip() if isinstance(quote, str) else ""


def _absent(value: object) -> bool:
    """Whether a value says that there is none."""
    if isinstance(value, str):
        return value.strip().casefold() in _ABSENT
    return value is None or _members(value) == {} or _items(value) == []


def _shown(said: object) -> str:
    text = " ".join(str(said).split())
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")


def read_candidates(text: str, keys: Mapping[str, Key]) -> Extraction:
    """The candidates in a model's answer, whatever shape it gave them.

    It reads `[{"key", "value", "quote"}]`, `{"order_id": "12345"}`, `{"order_id": {"value", "quote"}}`, any of these inside
    `{"facts": ...}`, and lists of strings such as "order_id: 12345". It raises nothing, whatever the text.
    """
    if len(text) <= 200 and _NOTHING.fullmatch(text.strip()):
        return Extraction((), (), "none")
    values = read_json(text)
    if not values:
        return Extraction((), ("The answer holds no readable JSON.",), "failed")
    reader = _Reader(keys)
    for value in values:
        reader.read(value)
    candidates, problems = tuple(dict.fromkeys(reader.candidates)), tuple(dict.fromkeys(reader.problems))
    if not (candidates or problems or reader.empty):
        reader.empty = True
    status: Status = "learned" if candidates else "none" if reader.empty else "failed"
    return Extraction(candidates, problems, status)
