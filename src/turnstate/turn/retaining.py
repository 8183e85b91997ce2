"""Which turns are old: what a retention rule deletes of one conversation."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

from turnstate.ports import ConversationInfo, Kept, Log

EVERY = 2**31 - 1
"""A listing's limit that is none."""


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


class Aged(NamedTuple):
    """A conversation of which something is old.

    Attributes:
        kept: the conversation.
        old: what of it.
    """

    kept: Kept
    old: Old


async def aged(
    log: Log, before: int, user: str | None, keep: Callable[[ConversationInfo], bool] | None = None
) -> AsyncIterator[Aged]:
    """The conversations with turns that ended before a time, one in memory at a time.

    Args:
        log: the store.
        before: microseconds since the epoch.
        user: whose conversations, or None for all.
        keep: says which conversations are passed over, or None.
    """
    for info in await log.conversations(user=user, limit=EVERY):
        spared = info.started >= before or (keep is not None and keep(info))
        kept = None if spared else await log.kept(info.conversation)
        if kept is not None and (old := old_turns(kept, before)).through:
            yield Aged(kept, old)
