"""What every store says and keeps of what it erased: the tombstone's name, the receipt, and what nobody can reach."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal
from uuid import uuid4

from turnstate.core.events import Erased, Event, Recorded, Span, SummaryWritten
from turnstate.ports import Receipt

BEYOND = (
    "backups and replicas of the database",
    "what model providers keep of the requests",
    "logs and traces that were sent elsewhere",
    "exports and copies that were made before",
)
"""What no erasing of ours can reach, whatever the store."""

TOMB = "\\erased:"
"""What an erased conversation's id begins with in its column: no id does, because a backslash is escaped."""


def tomb_of(conversation: str) -> str:
    """The column of an erased conversation: a digest that its id is known by, and nothing of the id."""
    digest = hashlib.sha256(b"erased\0" + conversation.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{TOMB}{digest}"


@dataclass(slots=True)
class Tally:
    """What is being erased, counted.

    Attributes:
        scope: what it is.
        at: when, in microseconds since the epoch.
        id: the receipt's.
    """

    scope: Literal["conversation", "user", "retention"]
    at: int
    id: str = ""
    conversations: int = 0
    turns: int = 0
    events: int = 0
    facts: int = 0
    blobs: int = 0

    def __post_init__(self) -> None:
        self.id = self.id or uuid4().hex

    def receipt(self, *unreachable: str) -> Receipt:
        """The receipt; `unreachable` is what the store itself cannot reach."""
        return Receipt(
            self.id,
            self.scope,
            self.conversations,
            self.turns,
            self.events,
            self.facts,
            self.blobs,
            self.at,
            (*unreachable, *BEYOND),
        )

    def tombstone(self, turns: Span | None = None) -> Erased:
        """The event that stays."""
        return Erased(self.scope, turns, self.id, BEYOND)


def goes(recorded: Recorded, through: int) -> bool:
    """Whether an event goes with the turns up to `through`: it is theirs, or a summary of one of them."""
    event: Event = recorded.event
    if isinstance(event, SummaryWritten):
        return event.covers.first <= through
    return 0 < recorded.turn <= through
