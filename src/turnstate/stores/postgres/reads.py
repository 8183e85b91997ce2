"""What a store is asked: the view of a conversation, its events, facts, a listing."""

from __future__ import annotations

from collections.abc import Sequence

from turnstate.ports import ConversationInfo
from turnstate.stores.codec import uncolumn
from turnstate.stores.postgres.courier import Ask
from turnstate.stores.postgres.rows import Row, digest_of, number_of
from turnstate.stores.rules import owner_of

LARGEST = 2**63 - 1
"""The largest integer of a column; what is asked for beyond it is not there."""


def asked(query: str, **values: object) -> Ask[list[Row]]:
    """A statement that only reads."""
    return Ask(query, values, list, reads=True)


def load(conversation: str) -> Ask[list[Row]]:
    """The events that the conversation's snapshot names, and all from its first on; all without a snapshot."""
    return asked("load_events", conversation=number_of(conversation))


def last_turn(conversation: str) -> Ask[int]:
    """The newest turn of a conversation; 0 where there is none."""
    values = {"conversation": number_of(conversation)}
    return Ask("find_last_turn", values, lambda rows: rows[0][0] if rows else 0, reads=True)


def read(conversation: str, after: int, turn: int | None, limit: int | None) -> Ask[list[Row]]:
    """Events with a seq above `after`, in order; of one turn, if given; at most `limit`."""
    number, most = number_of(conversation), LARGEST if limit is None else bounded(limit)
    if turn is None:
        return asked("read_events", conversation=number, after=bounded(after), limit=most)
    turns = [bounded(turn)]
    return asked("read_turns", conversation=number, turns=turns, after=bounded(after), limit=most)


def read_turns(conversation: str, turns: Sequence[int]) -> Ask[list[Row]]:
    """The events of some turns, in order."""
    wanted = sorted({turn for turn in turns if 0 <= turn <= LARGEST})
    return asked("read_turns", conversation=number_of(conversation), turns=wanted, after=0, limit=LARGEST)


def blobs(conversation: str, names: Sequence[str]) -> Ask[list[Row]]:
    """What events left beside them."""
    return asked("find_blobs", conversation=number_of(conversation), shas=list(names))


def facts(user: str | None, conversation: str, *, superseded: bool) -> Ask[list[Row]]:
    """An owner's facts in the order they were learned: those in force, or all."""
    return asked("list_facts", owner=digest_of(owner_of(user, conversation)), superseded=superseded)


def conversations(user: str | None, limit: int) -> Ask[tuple[ConversationInfo, ...]]:
    """The tenant's conversations, or one user's, the most recently updated first."""
    if user is None:
        return Ask("list_conversations", {"limit": bounded(limit)}, _infos, reads=True)
    values = {"owner": digest_of(owner_of(user, "")), "limit": bounded(limit)}
    return Ask("list_user_conversations", values, _infos, reads=True)


def bounded(number: int) -> int:
    """A number that a column can hold."""
    return max(0, min(number, LARGEST))


def _infos(rows: list[Row]) -> tuple[ConversationInfo, ...]:
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
