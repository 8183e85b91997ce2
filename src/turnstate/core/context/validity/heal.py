"""Healing: the order of the repairs that make a history valid for where it goes.

A history that was stored broken (an orphaned result, an interrupted call, a blank text), or that another provider wrote
part of, is healed on the way out, with a note; the log keeps what happened. A history without a fault comes back as it
is, and what comes later does not change how the beginning is healed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from turnstate.core.context.families import ANYWHERE, Wire
from turnstate.core.context.validity.ids import with_sendable_ids
from turnstate.core.context.validity.items import with_whole_items
from turnstate.core.context.validity.origin import at_home
from turnstate.core.context.validity.pairs import (
    ending_with_user,
    merged,
    paired,
    starting_with_user,
    with_native_pairs,
    without_leading_mark,
)
from turnstate.core.context.validity.said import is_said
from turnstate.core.context.validity.texts import with_results_that_say, without_blanks
from turnstate.core.messages import ModelMessage, wire_safe


class Healed(NamedTuple):
    """Messages that are valid, and what was healed, one sentence each."""

    messages: tuple[ModelMessage, ...]
    notes: tuple[str, ...]


def _whole(messages: Sequence[ModelMessage]) -> int:
    """How many messages at the beginning no repair changes, whatever comes behind: plain words of both in turn.

    The last two of them are healed with the rest, so that the rest begins like a history.
    """
    count = 0
    while count + 1 < len(messages) and is_said(messages[count], messages[count + 1]):
        count += 2
    return max(0, count - 2)


def heal(messages: Sequence[ModelMessage], wire: Wire = ANYWHERE) -> Healed:
    """Make `messages` valid for where they go.

    Starts with the user, ends with the user or a tool result; every result stands directly behind exactly one call
    and every call has its results; ids are unique and, as tool names, of signs that are accepted; no blank text, no
    system text, nothing that JSON cannot carry. Where the provider is known, nothing that only another one can read:
    thinking, signatures, item ids, calls that ran on its side, kinds of files.

    Returns:
        The messages, the same objects where nothing was wrong, and a note for each kind of repair.
    """
    done = _whole(messages)
    rest = repaired(messages[done:], wire)
    return Healed((*messages[:done], *rest.messages), rest.notes)


def repaired(messages: Sequence[ModelMessage], wire: Wire = ANYWHERE) -> Healed:
    """As `heal`, where every message is looked at by every repair."""
    notes: list[str] = []
    found = [with_results_that_say(wire_safe(message)) for message in messages]
    found = at_home(found, wire, notes)
    found = without_blanks(found, wire, notes)
    found = with_whole_items(found, wire, notes)
    found = starting_with_user(found, notes)
    found = paired(found, wire, notes)
    found = merged(with_native_pairs(merged(found, notes), wire, notes), notes)
    found = with_sendable_ids(without_leading_mark(found), wire, notes)
    return Healed(tuple(ending_with_user(found, notes)), tuple(dict.fromkeys(notes)))
