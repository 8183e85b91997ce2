"""What every store decides alike: which events a turn takes, whose a conversation is, and which facts are in force."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from turnstate.core.events import (
    ApprovalAnswered,
    ConversationOpened,
    Event,
    FactsLearned,
    HandedOff,
    Rated,
    Resumed,
    Said,
    SummaryWritten,
    TurnClosed,
    TurnFailed,
    TurnOpened,
    TurnPaused,
    TurnPinned,
)
from turnstate.core.facts import Fact, supersede
from turnstate.core.history import TurnStatus
from turnstate.errors import KeyConflict, TurnNotOpen, UserConflict

Standing: TypeAlias = TurnStatus | Literal["absent"]
"""Where a turn stands in the store; "absent" where nothing was opened under its number."""

LATE = (FactsLearned, SummaryWritten)
"""Work behind a turn: welcome for any turn that is on record, and outside turns."""

ABOUT = (*LATE, TurnPinned, Rated, Said)
"""What may be said of any turn that is on record, or in it by a person, whatever became of it."""

BETWEEN = (*LATE, Said, HandedOff, Resumed)
"""What may happen outside any turn; a person takes over and gives back when they like, and the assistant
may speak first."""


LONGEST_LEASE = 300_000_000
"""The longest time for which a worker may count as alive without a word, in microseconds."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """What an append comes to.

    Attributes:
        places: which of the events are recorded, by their index.
        standing: where the turn stands after them.
        closed: the highest turn that has closed after them.
        ended: whether the turn closed, failed or paused with them, and its lease with it.
    """

    places: tuple[int, ...]
    standing: Standing
    closed: int
    ended: bool = False


def admit(conversation: str, turn: int, standing: Standing, closed: int, events: Sequence[Event]) -> Admitted:
    """Decide on events for a turn, all or none.

    Args:
        conversation: its id, for the error.
        turn: the turn, or 0 for events outside any turn.
        standing: where the turn stands.
        closed: the highest turn of the conversation that has closed.
        events: in the order in which they are to be recorded.

    Raises:
        TurnNotOpen: one of them needs an open turn, or reopens a turn that the conversation has left behind.
        ValueError: a conversation is opened by the store itself, never by an append.
    """
    places: list[int] = []
    for place, event in enumerate(events):
        match event:
            case ConversationOpened():
                raise ValueError("a conversation is opened by start() or open(), not by an append")
            case TurnOpened():
                if standing not in {"open", "paused", "failed"}:
                    raise TurnNotOpen(conversation, turn, standing)
                if closed > turn and standing != "paused":
                    raise TurnNotOpen(conversation, turn, "interrupted")
                if standing == "open":
                    continue  # it goes on from what is recorded; there is nothing to reopen
                standing = "open"
            case _:
                _check_taken(conversation, turn, standing, event)
                if isinstance(event, TurnClosed):
                    standing, closed = "closed", max(closed, turn)
                elif isinstance(event, TurnFailed):
                    standing = "failed"
                elif isinstance(event, TurnPaused):
                    standing = "paused"
        places.append(place)
    ended = any(isinstance(events[place], TurnClosed | TurnFailed | TurnPaused) for place in places)
    return Admitted(tuple(places), standing, closed, ended)


def _check_taken(conversation: str, turn: int, standing: Standing, event: Event) -> None:
    taken = isinstance(event, BETWEEN) if turn == 0 else standing == "open"
    taken = taken or (standing == "paused" and isinstance(event, ApprovalAnswered | TurnFailed))
    if not taken and not (isinstance(event, ABOUT) and standing != "absent"):
        raise TurnNotOpen(conversation, turn, standing)


@dataclass(frozen=True, slots=True)
class Held:
    """A turn that somebody may be working on.

    Attributes:
        turn: its number.
        open: whether it is open; one that is not may be leased all the same, to be reopened.
        holder: its worker, or None.
        until: when its worker counts as silent, in microseconds on the store's clock.
        token: its newest fencing token; 0 while it was never leased.
    """

    turn: int
    open: bool
    holder: str | None
    until: int
    token: int

    def alive(self, now: int) -> bool:
        """Whether its worker has said a word lately; a word from the future, by a clock that jumped back, is none."""
        return self.holder is not None and now < self.until <= now + LONGEST_LEASE


@dataclass(frozen=True, slots=True)
class Before:
    """What comes before a turn.

    Attributes:
        behind: turns of live workers that come first.
        left: open turns of silent workers that come first.
        busy: all other turns of live workers.
    """

    behind: tuple[int, ...]
    left: tuple[int, ...]
    busy: tuple[int, ...]


def before(turn: int, known: Iterable[Held], now: int, holder: str) -> Before:
    """What a claim has to wait for.

    That is another live worker who has the turn, live workers of open turns before it, and whoever has a lease now. Turn 0
    waits only for another worker who has it.

    Args:
        turn: the turn that is claimed.
        known: the turns of the conversation that are open or have a worker, itself among them.
        now: microseconds on the store's clock.
        holder: who claims it.
    """
    behind: list[int] = []
    left: list[int] = []
    busy: list[int] = []
    for held in known:
        if held.turn == turn and held.alive(now) and held.holder != holder:
            behind.append(turn)
        if held.turn == turn or not (turn and held.turn):
            continue
        earlier = held.open and held.turn < turn
        if held.alive(now):
            busy.append(held.turn)
            if earlier or held.token:
                behind.append(held.turn)
        elif earlier:
            left.append(held.turn)
    return Before(tuple(behind), tuple(left), tuple(busy))


def check_user(conversation: str, owner: str | None, user: str | None) -> None:
    """Let only the user in whose name the conversation was opened; no user at all is a user too.

    Raises:
        UserConflict: it is another one.
    """
    if owner != user:
        raise UserConflict(conversation)


def check_message(key: str, turn: int, recorded: str, digest: str) -> None:
    """Let a key stand for one message.

    Raises:
        KeyConflict: the digests of the recorded and the new message differ.
    """
    if recorded != digest:
        raise KeyConflict(key, turn)


def owner_of(user: str | None, conversation: str) -> str:
    """Whose facts they are: the user's, or the conversation's where there is no user. The two never meet."""
    return f"c:{conversation}" if user is None else f"u:{user}"


def in_force(facts: Sequence[Fact]) -> tuple[bool, ...]:
    """Which of one owner's facts stand, given all of those of some keys in the order they were learned.

    Time is left to the reader: a fact that will expire stands, and so does a user's word behind an application's.
    """
    standing = set(supersede(facts).standing)
    flags: list[bool] = []
    for fact in facts:
        flags.append(fact in standing)
        standing.discard(fact)  # the same fact learned again stands once
    return tuple(flags)
