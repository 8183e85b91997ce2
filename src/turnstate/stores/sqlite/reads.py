"""What a store reads, each in one transaction: the view of a conversation, its events, facts, a listing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from turnstate.core.events import Recorded
from turnstate.core.facts import Fact
from turnstate.ports import ConversationInfo
from turnstate.stores.codec import column, uncolumn
from turnstate.stores.searched import newest
from turnstate.stores.sqlite.search import row_before, token
from turnstate.stores.sqlite.session import Session

_ROWS = 4
"""Rows of the index that are read for each turn that is wanted."""

_LARGEST = 2**63 - 1
"""The largest integer that SQLite has; what is asked for beyond it is not there."""


def load(session: Session, conversation: str) -> tuple[Recorded, ...]:
    """The events that the conversation's snapshot names, and all from its first on; all without a snapshot."""
    place = session.find(conversation)
    if place is None:
        return ()
    first, keep = session.row("find_snapshot", conversation=place.number) or (1, "[]")
    return session.recorded(
        place, session.rows("load_events", conversation=place.number, first=first, keep=keep)
    )


def read(
    session: Session, conversation: str, after: int, turn: int | None, limit: int | None
) -> tuple[Recorded, ...]:
    """Events with a seq above `after`, in order; of one turn, if given; at most `limit`."""
    place = session.find(conversation)
    if place is None:
        return ()
    most = _LARGEST if limit is None else _bounded(limit)
    if turn is None:
        rows = session.rows("read_events", conversation=place.number, after=_bounded(after), limit=most)
    else:
        rows = session.rows(
            "read_turns",
            conversation=place.number,
            turns=json.dumps([_bounded(turn)]),
            after=_bounded(after),
            limit=most,
        )
    return session.recorded(place, rows)


def read_turns(session: Session, conversation: str, turns: Sequence[int]) -> tuple[Recorded, ...]:
    """The events of some turns, in order."""
    place = session.find(conversation)
    if place is None:
        return ()
    wanted = json.dumps(sorted({turn for turn in turns if 0 <= turn <= _LARGEST}))
    rows = session.rows("read_turns", conversation=place.number, turns=wanted, after=0, limit=_LARGEST)
    return session.recorded(place, rows)


def search(
    session: Session, conversation: str, words: Sequence[str], before: int, most: int | None
) -> Mapping[str, tuple[int, ...]]:
    """The turns before `before`, in order, in which each word was said: all, or the newest `most` of each."""
    # A turn has a word once for every event that says it, seldom more than four.
    limit = -1 if most is None else _ROWS * max(0, most)
    place = session.find(conversation)
    found: dict[str, tuple[int, ...]] = dict.fromkeys(words, ())
    if place is None:
        return found
    for word in found:
        if not word:
            continue
        rows = session.rows(
            "search_word",
            conversation=place.number,
            word=f'"{token(word)}"',
            before=row_before(before),
            limit=limit,
        )
        found[word] = newest(sorted({turn for (turn,) in rows}), most)
    return found


def facts(session: Session, owner: str, *, superseded: bool) -> tuple[Fact, ...]:
    """An owner's facts in the order they were learned: those in force, or all."""
    rows = session.rows("list_facts", owner=column(owner), superseded=superseded)
    return tuple(fact for place, body in rows if (fact := session.fact(place, body)))


def conversations(session: Session, user: str | None, limit: int) -> tuple[ConversationInfo, ...]:
    """The tenant's conversations, or one user's, the most recently updated first."""
    if user is None:
        rows = session.rows("list_conversations", limit=_bounded(limit))
    else:
        rows = session.rows("list_user_conversations", user=column(user), limit=_bounded(limit))
    return tuple(
        ConversationInfo(
            uncolumn(conversation),
            None if owner is None else uncolumn(owner),
            turns,
            events,
            started,
            updated,
        )
        for conversation, owner, turns, events, started, updated in rows
    )


def _bounded(number: int) -> int:
    return max(0, min(number, _LARGEST))
