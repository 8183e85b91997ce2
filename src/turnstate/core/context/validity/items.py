"""Items of OpenAI's responses: reasoning stands before what it led to, and no item id is sent twice.

The provider keeps every item under its id and refuses one that comes twice, reasoning that nothing follows, and an
item whose reasoning is missing. A response in which that does not hold is sent as plain words and calls.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from turnstate.core.context.families import Family, Wire
from turnstate.core.context.validity.parts import plain
from turnstate.core.messages import ModelMessage, ModelResponse, ThinkingPart

_PREFIXES = {"thinking": "rs", "text": "msg", "tool-call": "fc"}


def with_whole_items(messages: list[ModelMessage], wire: Wire, notes: list[str]) -> list[ModelMessage]:
    """The messages with the items of each response whole and once, or as plain words and calls."""
    if wire.family is not Family.OPENAI_RESPONSES or not wire.provider:
        return messages
    # Other providers of the API may name their items as they like.
    named = wire.provider in {"openai", "azure"}
    seen: set[str] = set()
    found: list[ModelMessage] = []
    for message in messages:
        if not isinstance(message, ModelResponse):
            found.append(message)
            continue
        runs = [key for key, _ in groupby(_items(message.parts))]
        ids = [item_id for item_id, _ in runs if item_id]
        once = len(ids) == len(set(ids)) and seen.isdisjoint(ids)
        whole = once and not (runs and runs[-1][1]) and (not named or all(map(_is_well_named, message.parts)))
        seen.update(ids)
        healed = message if whole else plain(message)
        if healed is not message:
            notes.append("An answer whose items were not whole was sent as plain words and calls.")
        if healed.parts:
            found.append(healed)
    return found


def _is_well_named(part: Any) -> bool:
    """Whether an item's id says what it is, as OpenAI's do."""
    return getattr(part, "id", None) is None or part.id.startswith(_PREFIXES.get(part.part_kind, ""))


def _items(parts: Iterable[Any]) -> Iterable[tuple[str, bool]]:
    """The items of a response: the id, and whether it is reasoning; parts in a row with one id are one item."""
    for part in parts:
        yield getattr(part, "id", None) or "", isinstance(part, ThinkingPart)
