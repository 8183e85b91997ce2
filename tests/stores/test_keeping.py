"""What a kept conversation holds: events where they read, and what they taught in order of time."""

from __future__ import annotations

from turnstate.core.history import Snapshot
from turnstate.ports import Kept, KeptEvent
from turnstate.stores.codec import encode
from turnstate.stores.keeping import event_of, lessons_of
from turnstate.testing.log_contract.story import fact, learned


def conversation(name: str, *events: KeptEvent) -> Kept:
    """A conversation with these events."""
    return Kept(name, "ann", 1, 1, 1, 1, len(events), events, (), {}, Snapshot(1))


def taught(seq: int, at: int, value: str) -> KeptEvent:
    """An event that taught a value."""
    encoded = encode(learned(fact("size", value)))
    return KeptEvent(seq, 1, at, encoded.tag, encoded.version, encoded.body)


def test_what_does_not_read_is_none() -> None:
    """An unknown tag, a newer version, a damaged body."""
    good = taught(1, 1, "8")
    kept = conversation("c1", good)
    assert event_of(kept, good) == learned(fact("size", "8"))
    for bad in (
        KeptEvent(1, 1, 1, "unknown", 1, "{}"),
        KeptEvent(1, 1, 1, good.tag, 99, good.body),
        KeptEvent(1, 1, 1, good.tag, good.version, "{"),
    ):
        assert event_of(kept, bad) is None


def test_lessons_come_in_order_of_time() -> None:
    """Over all conversations; events that do not read taught nothing."""
    damaged = KeptEvent(3, 1, 1, "facts-learned", 1, "{")
    first = conversation("c1", taught(1, 10, "a"), taught(2, 30, "c"), damaged)
    second = conversation("c2", taught(1, 20, "b"))
    assert [lesson.facts[0].value for lesson in lessons_of([second, first])] == ["a", "b", "c"]
