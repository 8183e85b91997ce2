"""The contract of reading: the view that a snapshot names, events by place and turn, listings, and the end."""

from __future__ import annotations

import pytest

from turnstate.core.events import Cut, TurnOpened
from turnstate.core.history import Snapshot, fold
from turnstate.core.messages import user_text
from turnstate.errors import StoreClosed
from turnstate.ports import ConversationInfo, Log
from turnstate.testing.log_contract.story import (
    AT,
    SECOND,
    Story,
    closed,
    opening,
    responded,
    say,
    story,
    summary,
)


class ReadingRules(Story):
    """What comes out of a log."""

    durable: bool = True
    """Whether a store that is closed and opened again has what it had."""

    @story
    async def test_without_a_snapshot_everything_is_loaded(self, log: Log) -> None:
        """The fold of it is the fold of the log."""
        for number in range(3):
            await say(log, f"message {number}")
        assert await log.load("c1") == await log.read("c1")

    @story
    async def test_a_snapshot_loads_less_and_folds_to_the_same(self, log: Log) -> None:
        """The events that it names and all later ones give the history of the whole log."""
        await _long_conversation(log, turns=30, cut=21)
        history = fold(await log.read("c1"))
        await log.append("c1", 30, [summary(5, 6)], AT, snapshot=history.snapshot())
        await say(log, "One more thing")
        everything, loaded = await log.read("c1"), await log.load("c1")
        assert len(loaded) < len(everything) / 2
        assert [event for event in everything if event in loaded] == list(loaded)
        assert fold(loaded) == fold(everything)

    @story
    async def test_a_snapshot_replaces_the_one_before(self, log: Log) -> None:
        """It may come alone, and names any number of events."""
        for _ in range(400):
            await log.open(opening())
        await log.append("c1", 400, [], AT, snapshot=Snapshot(401, (1,)))
        assert [event.seq for event in await log.load("c1")] == [1, 401]
        keep = tuple(range(1, 400, 3))
        await log.append("c1", 400, [closed("Hi")], AT, snapshot=Snapshot(400, keep))
        assert [event.seq for event in await log.load("c1")] == [*keep, 400, 401, 402]

    @story
    async def test_a_snapshot_of_a_refused_append_is_not_kept(self, log: Log) -> None:
        """It is part of the same transaction."""
        await say(log)
        with pytest.raises(Exception, match="closed"):
            await log.append("c1", 1, [closed("Hi")], AT, snapshot=Snapshot(4))
        assert len(await log.load("c1")) == 4

    @story
    async def test_events_are_read_by_place_turn_and_number(self, log: Log) -> None:
        """Each narrows the other."""
        for number in range(4):
            await say(log, f"message {number}")
        assert [event.seq for event in await log.read("c1", after=8)] == [9, 10, 11, 12, 13]
        assert [event.seq for event in await log.read("c1", turn=2)] == [5, 6, 7]
        assert [event.seq for event in await log.read("c1", turn=2, after=5, limit=1)] == [6]
        assert [event.seq for event in await log.read("c1", limit=3)] == [1, 2, 3]
        assert [event.seq for event in await log.read("c1", limit=0)] == []
        assert [event.seq for event in await log.read("c1", after=10**30)] == []
        assert [event.seq for event in await log.read("c1", after=-5, turn=0, limit=10**30)] == [1]

    @story
    async def test_an_unknown_conversation_is_empty(self, log: Log) -> None:
        """Reading does not create it."""
        assert await log.load("c1") == await log.read("c1") == await log.conversations() == ()
        assert await log.facts(user=None, conversation="c1") == ()

    @story
    async def test_what_is_read_is_the_readers_own(self, log: Log) -> None:
        """Changing a message that was read changes nothing in the log, nor in what others have read."""
        await say(log, "Hello")
        held = await log.read("c1")
        for event in await log.load("c1"):
            if isinstance(event.event, TurnOpened):
                event.event.message.parts = []
        for events in (held, await log.read("c1"), await log.load("c1")):
            assert [
                user_text(event.event.message) for event in events if isinstance(event.event, TurnOpened)
            ] == ["Hello"]

    @story
    async def test_conversations_are_listed_newest_first(self, log: Log) -> None:
        """With their user, their counts and their times; of one user, where asked."""
        await say(log, conversation="old", user="ann", at=AT)
        await say(log, conversation="new", user="bob", at=AT + 2 * SECOND)
        await say(log, conversation="mid", at=AT + SECOND)
        await say(log, conversation="old", user="ann", at=AT + 3 * SECOND)
        old = ConversationInfo("old", "ann", 2, 7, AT, AT + 3 * SECOND)
        new = ConversationInfo("new", "bob", 1, 4, AT + 2 * SECOND, AT + 2 * SECOND)
        mid = ConversationInfo("mid", None, 1, 4, AT + SECOND, AT + SECOND)
        assert await log.conversations() == (old, new, mid)
        assert await log.conversations(limit=2) == (old, new)
        assert await log.conversations(limit=0) == ()
        assert await log.conversations(user="ann") == (old,)
        assert await log.conversations(user="nobody") == ()

    @story
    async def test_late_work_moves_a_conversation_up_and_a_clock_does_not_move_it_down(
        self, log: Log
    ) -> None:
        """A listing goes by the newest time that any event had."""
        await say(log, conversation="c1", at=AT)
        await say(log, conversation="c2", at=AT + SECOND)
        await log.append("c1", 1, [summary()], AT + 2 * SECOND)
        await log.append("c1", 1, [summary()], AT - SECOND)
        assert [(info.conversation, info.updated) for info in await log.conversations()] == [
            ("c1", AT + 2 * SECOND),
            ("c2", AT + SECOND),
        ]

    @story
    async def test_a_closed_log_says_so(self, log: Log) -> None:
        """Closing again does nothing."""
        await log.open(opening())
        await log.close()
        await log.close()
        for asked in (
            lambda: log.start("c1", None, AT),
            lambda: log.open(opening()),
            lambda: log.append("c1", 1, [closed()], AT),
            lambda: log.load("c1"),
            lambda: log.read("c1"),
            lambda: log.read_turns("c1", [1]),
            lambda: log.search("c1", ["hello"], before=2),
            lambda: log.facts(user=None, conversation="c1"),
            log.conversations,
        ):
            with pytest.raises(StoreClosed):
                await asked()

    @story
    async def test_what_was_recorded_outlives_the_log(self, log: Log) -> None:
        """A store that was closed and is opened again has everything."""
        if not self.durable:
            pytest.skip("this store is gone when it is closed")
        await say(log, user="ann")
        await log.open(opening(user="ann", key="k1"))
        await log.append("c1", 2, [], AT, snapshot=Snapshot(5, (1,)))
        before, listing = await log.read("c1"), await log.conversations()
        await log.close()
        async with self.open_log() as again:
            assert await again.read("c1") == before
            assert [event.seq for event in await again.load("c1")] == [1, 5]
            assert await again.conversations() == listing
            assert (await again.open(opening(user="ann", key="k1"))).state == "open"


async def _long_conversation(log: Log, *, turns: int, cut: int) -> None:
    """A conversation whose last request was cut: the opening and one summary stand before the turns in view."""
    for number in range(1, turns + 1):
        opened = await log.open(opening(text=f"message {number}", at=AT + number))
        if number == cut - 5:
            await log.append("c1", number, [summary(1, cut - 1)], AT)
        view = Cut(first=cut) if number > cut + 2 else Cut()
        await log.append("c1", opened.turn, [responded(f"reply {number}", view), closed()], AT + number)
