"""What is read of a conversation's log: all of its turns, those that have left the view of the model too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from turnstate.cli.store import NotThere
from turnstate.cli.text import one_line, turns_text
from turnstate.core.events import ConversationOpened, Recorded
from turnstate.core.history import Turn, fold
from turnstate.ports import ConversationInfo, Log

LISTED = 20
"""Conversations that an error names."""


@dataclass(frozen=True, slots=True)
class Account:
    """A conversation as its log tells it.

    Attributes:
        conversation: its id.
        events: all of them, in order.
        turns: all of them, by number.
    """

    conversation: str
    events: tuple[Recorded, ...] = field(repr=False)
    turns: tuple[Turn, ...] = field(repr=False)

    @property
    def user(self) -> str | None:
        """Whose conversation it is."""
        found = (recorded.event for recorded in self.events)
        return next((event.user for event in found if isinstance(event, ConversationOpened)), None)


def account(conversation: str, events: Sequence[Recorded]) -> Account:
    """The account of these events."""
    return Account(conversation, tuple(events), tuple(_turns(events)))


def _turns(events: Iterable[Recorded]) -> Iterator[Turn]:
    """Each turn is folded by itself: the fold of a whole conversation forgets what has left the view."""
    grouped: dict[int, list[Recorded]] = {}
    for recorded in events:
        if recorded.turn > 0:
            grouped.setdefault(recorded.turn, []).append(recorded)
    for number in sorted(grouped):
        if (turn := fold(grouped[number]).turn(number)) is not None:
            yield turn


async def read_account(log: Log, conversation: str, *, turn: int | None = None) -> Account:
    """The account of a conversation, or of one turn of it.

    Raises:
        NotThere: there is no such conversation, or no such turn; the error says what there is.
    """
    events = await log.read(conversation, turn=turn)
    if events:
        return account(conversation, events)
    if turn is not None and await log.read(conversation, limit=1):
        raise await _no_turn(log, conversation, turn)
    raise _no_conversation(conversation, await log.conversations(limit=LISTED + 1), log.url)


async def _no_turn(log: Log, conversation: str, turn: int) -> NotThere:
    turns = account(conversation, await log.read(conversation)).turns
    there = turns_text(turns[0].number, turns[-1].number) if turns else "no turn yet"
    step = "Give one of these" if turns else "Look at its events with --events"
    return NotThere(f"There is no turn {turn} in {conversation!r}: it has {there}", step)


def _no_conversation(conversation: str, there: Sequence[ConversationInfo], url: str) -> NotThere:
    names = ", ".join(one_line(info.conversation) for info in there[:LISTED])
    more = ", …" if len(there) > LISTED else ""
    step = f"Give one of these: {names}{more}" if names else "Nothing is recorded in it yet: run a turn first"
    return NotThere(f"There is no conversation {conversation!r} in {url}", step)
