"""What a store reads: the view of a conversation, its events, facts, a listing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turnstate.core.events import Recorded
from turnstate.core.facts import Fact
from turnstate.ports import ConversationInfo
from turnstate.stores.codec import uncolumn
from turnstate.stores.postgres.session import Session, digest_of, number_of, word_of
from turnstate.stores.rules import owner_of
from turnstate.stores.searched import newest

_LARGEST = 2**63 - 1
"""The largest integer of a column; what is asked for beyond it is not there."""


async def load(session: Session, conversation: str) -> tuple[Recorded, ...]:
    """The events that the conversation's snapshot names, and all from its first on; all without a snapshot."""
    rows = await session.rows("load_events", conversation=number_of(conversation))
    return await session.recorded(conversation, rows)


async def read(
    session: Session, conversation: str, after: int, turn: int | None, limit: int | None
) -> tuple[Recorded, ...]:
    """Events with a seq above `after`, in order; of one turn, if given; at most `limit`."""
    number, most = number_of(conversation), _LARGEST if limit is None else _bounded(limit)
    if turn is None:
        rows = await session.rows("read_events", conversation=number, after=_bounded(after), limit=most)
    else:
        turns = [_bounded(turn)]
        rows = await session.rows(
            "read_turns", conversation=number, turns=turns, after=_bounded(after), limit=most
        )
    return await session.recorded(conversation, rows)


async def read_turns(session: Session, conversation: str, turns: Sequence[int]) -> tuple[Recorded, ...]:
    """The events of some turns, in order."""
    wanted = sorted({turn for turn in turns if 0 <= turn <= _LARGEST})
    if not wanted:
        return ()
    rows = await session.rows(
        "read_turns", conversation=number_of(conversation), turns=wanted, after=0, limit=_LARGEST
    )
    return await session.recorded(conversation, rows)


async def search(
    session: Session, conversation: str, words: Sequence[str], before: int, most: int | None
) -> Mapping[str, tuple[int, ...]]:
    """The turns before `before`, in order, in which each word was said: all, or the newest `most` of each."""
    number = number_of(conversation)
    asked = {word: word_of(number, word) for word in words if word}
    found: dict[int, list[int]] = {}
    if asked:
        rows = await session.rows(
            "search_words", conversation=number, words=sorted(set(asked.values())), before=_bounded(before)
        )
        for word, turn in rows:
            found.setdefault(word, []).append(turn)
    return {word: newest(found.get(asked[word], ()), most) if word else () for word in words}


async def facts(
    session: Session, user: str | None, conversation: str, *, superseded: bool
) -> tuple[Fact, ...]:
    """An owner's facts in the order they were learned: those in force, or all."""
    owner = digest_of(owner_of(user, conversation))
    rows = await session.rows("list_facts", owner=owner, superseded=superseded)
    return tuple(fact for place, body in rows if (fact := session.fact(place, body)))


async def conversations(session: Session, user: str | None, limit: int) -> tuple[ConversationInfo, ...]:
    """The tenant's conversations, or one user's, the most recently updated first."""
    if user is None:
        rows = await session.rows("list_conversations", limit=_bounded(limit))
    else:
        owner = digest_of(owner_of(user, ""))
        rows = await session.rows("list_user_conversations", owner=owner, limit=_bounded(limit))
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
