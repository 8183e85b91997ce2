"""The arguments of a tool call as mentions, each under its key; and what a tool takes, as far as anybody says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple, cast

from turnstate.audit.values.mentions import CODE, SORTS, Mention, clusters, end_of
from turnstate.audit.values.names import telling
from turnstate.core.messages import ToolCallPart, args_text
from turnstate.core.values import find, number, plain

_MOST: Final = 120
_LONGEST_COUNT: Final = 4
_DEEPEST: Final = 6
_FLAGS: Final = frozenset({"true", "false", "none", "null", "dontcare", ""})
_CALENDAR: Final = frozenset(
    [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "today",
        "tomorrow",
    ]
)
_FIGURE: Final = re.compile(r"\d")
_OPEN_DAY: Final = re.compile(r"day\b|tomorrow|tonight|noon|midnight|next|@", re.IGNORECASE)
_LONGEST: Final = 200
_LONGEST_NUMBER: Final = 40
_PARTS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


class Key(NamedTuple):
    """The name of an argument, read as words.

    Attributes:
        name: as it is written.
        ways: which end of a trip or a stay it speaks of.
        about: the clusters of its words.
    """

    name: str
    ways: frozenset[str]
    about: frozenset[str]


class Argument(NamedTuple):
    """One value of a call."""

    key: Key
    said: Mention


@lru_cache(maxsize=4096)
def key(name: str) -> Key:
    """An argument's name as words: `pickupTime` speaks of a start and of a time."""
    words = [word.casefold() for word in _PARTS.findall(name)]
    joined = [*words, *(one + other for one, other in pairwise(words))]
    ways = frozenset(way for word in joined if (way := end_of(word)))
    about = frozenset(cluster for word in words for cluster in clusters(word))
    return Key(name, ways, about)


def data_of(call: ToolCallPart) -> Mapping[str, Any]:
    """The arguments as an object; empty where they are none."""
    try:
        data: object = call.args if isinstance(call.args, dict) else json.loads(args_text(call))
    except (ValueError, RecursionError):
        return {}
    return cast("Mapping[str, Any]", data) if isinstance(data, dict) else {}


def arguments(data: object, at: int | None, *, deepest: int = _DEEPEST) -> list[Argument]:
    """The leaves of an object, the first hundred or so; `deepest` is how many levels below its own are looked at."""
    found: list[Argument] = []
    for name, leaf in leaves(data, "", deepest):
        if len(found) >= _MOST:
            break
        if (said := leaf_mention(name, leaf, at)) is not None:
            found.append(Argument(key(name), said))
    return found


def leaves(data: object, name: str, left: int) -> Iterator[tuple[str, object]]:
    """The leaves of JSON data, each with the nearest key above it."""
    if isinstance(data, dict | list) and left < 0:
        return
    if isinstance(data, dict):
        for inner, item in cast("dict[object, object]", data).items():
            yield from leaves(item, str(inner), left - 1)
    elif isinstance(data, list):
        for item in cast("list[object]", data):
            yield from leaves(item, name, left - 1)
    else:
        yield name, data


def leaf_mention(name: str, leaf: object, at: int | None) -> Mention | None:
    """A leaf as a mention; None where there is nothing to compare."""
    if leaf is None or isinstance(leaf, bool):
        return None
    text = (plain(Decimal(leaf)) if isinstance(leaf, int) and abs(leaf) < 10**15 else str(leaf)).strip()
    return None if len(text) > _LONGEST or text.casefold() in _FLAGS else _leaf(name, text, at)


@lru_cache(maxsize=32_768)
def _leaf(name: str, text: str, at: int | None) -> Mention | None:
    words = key(name)
    figures = _FIGURE.search(text) is not None
    amount = number(text) if len(text) <= _LONGEST_NUMBER and (figures or " " not in text) else None
    if amount is not None:
        if len(plain(amount)) > _LONGEST_COUNT:
            return Mention("code", text, -1, text, None, words.ways, words.about)
        return Mention("count", text, -1, plain(amount), None, words.ways, words.about)
    if CODE.fullmatch(text):
        return Mention("code", text, -1, text.lstrip("#").upper(), None, words.ways, words.about)
    for value in find(text, at=at) if figures or _OPEN_DAY.search(text) else ():
        if value.kind in SORTS and 2 * (value.end - value.start) > len(text):
            return Mention(SORTS[value.kind], text, -1, value.norm, value, words.ways, words.about)
    if text.casefold() in _CALENDAR or not telling(text):
        return None
    return Mention("name", text, -1, text.casefold().replace("_", " "), None, words.ways, words.about)
