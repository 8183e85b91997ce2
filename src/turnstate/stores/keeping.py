"""What a kept conversation holds, for a store that puts it: its events where they read, and what they taught."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from turnstate.core.events import Event, FactsLearned
from turnstate.core.facts import Fact
from turnstate.errors import EventDecodeError
from turnstate.ports import Kept, KeptEvent
from turnstate.stores.codec import decode


@dataclass(frozen=True, slots=True)
class Lesson:
    """What one event taught.

    Attributes:
        at: when, in microseconds since the epoch.
        conversation: where.
        seq: its place there.
        user: whose conversation it is, or None.
        facts: in order.
    """

    at: int
    conversation: str
    seq: int
    user: str | None
    facts: tuple[Fact, ...]


def event_of(kept: Kept, event: KeptEvent) -> Event | None:
    """An event, or None where this release cannot read it."""
    try:
        return decode(event.tag, event.version, event.body, kept.blobs.get)
    except EventDecodeError:
        return None


def lessons_of(all_kept: Iterable[Kept]) -> list[Lesson]:
    """What conversations taught, in order of time: a user's facts come from all of them."""
    found = [
        Lesson(kept.at, one.conversation, kept.seq, one.user, event.facts)
        for one in all_kept
        for kept in one.events
        if kept.tag == "facts-learned"
        and isinstance(event := event_of(one, kept), FactsLearned)
        and event.facts
    ]
    return sorted(found, key=lambda lesson: (lesson.at, lesson.conversation, lesson.seq))
