"""Which turns are old: what a retention rule deletes of one conversation."""

from __future__ import annotations

from typing import NamedTuple

from turnstate.ports import Kept


class Old(NamedTuple):
    """What of a conversation is old.

    Attributes:
        through: the last turn that is, with all before it; 0 for none.
        whole: whether nothing else is left of the conversation.
    """

    through: int
    whole: bool


def old_turns(kept: Kept, before: int) -> Old:
    """The turns that ended before a time, up to the first that did not or has not ended.

    Args:
        kept: the conversation.
        before: microseconds since the epoch.
    """
    newest: dict[int, int] = {}
    for event in kept.events:
        newest[event.turn] = max(event.at, newest.get(event.turn, 0))
    through = 0
    for turn in sorted(kept.turns, key=lambda turn: turn.turn):
        if turn.status in {"open", "paused"} or newest.get(turn.turn, 0) >= before:
            return Old(through, whole=False)
        through = turn.turn
    return Old(through, whole=kept.updated < before and max(newest.values(), default=0) < before)
