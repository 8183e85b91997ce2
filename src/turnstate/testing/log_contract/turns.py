"""The contract of turns: places without gaps, one turn per key, and what an open, failed or closed turn takes."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from turnstate.core.events import (
    ApprovalAnswered,
    ApprovalAsked,
    ConversationOpened,
    Event,
    HandedOff,
    Resumed,
    StateChanged,
    ToolCalled,
    TurnOpened,
)
from turnstate.errors import EventEncodeError, KeyConflict, TurnNotOpen, UserConflict
from turnstate.ports import Log, Opened
from turnstate.testing.log_contract.story import (
    AT,
    SECOND,
    Story,
    closed,
    failed,
    learned,
    opening,
    reopened,
    responded,
    say,
    story,
    summary,
    unwritable,
)

T = TypeVar("T")

PROGRESS: tuple[Event, ...] = (
    responded(),
    ToolCalled("call-1", "t1", "look", "read"),
    ApprovalAsked("call-1", "t1", "look"),
    ApprovalAnswered("call-1", approved=True),
    StateChanged("Memory", 1, "rules", {"set": 1}, {"size": 1}),
    HandedOff("asked for a person"),
    Resumed("ann"),
    closed("Bye"),
    failed(),
)
"""What only an open turn takes."""


class TurnRules(Story):
    """Opening, appending and closing turns."""

    @story
    async def test_a_conversation_begins_with_its_opening(self, log: Log) -> None:
        """The first turn opens the conversation too, in the same write."""
        opened = await log.open(opening(user="ann", key="k1"))
        events = await log.read("c1")
        assert opened == Opened(1, "new", 2)
        assert [(event.seq, event.turn, event.at) for event in events] == [(1, 0, AT), (2, 1, AT)]
        assert events[0].event == ConversationOpened("ann")
        first = events[1].event
        assert isinstance(first, TurnOpened)
        assert (first.key, first.digest, first.message) == ("k1", "digest of Hello", opening().message)

    @story
    async def test_a_conversation_may_start_without_a_turn(self, log: Log) -> None:
        """Starting again finds it as it is."""
        assert await log.start("c1", "ann", AT) == 1
        assert await log.start("c1", "ann", AT + SECOND) == 1
        assert (await log.open(opening(user="ann"))).head == 2
        assert await log.start("c1", "ann", AT) == 2
        assert [event.event for event in await log.read("c1", turn=0)] == [ConversationOpened("ann")]

    @story
    async def test_a_conversation_belongs_to_the_user_who_opened_it(self, log: Log) -> None:
        """Nobody else opens a turn in it, and no user at all is somebody else too."""
        await log.open(opening(user="ann", key="k1"))
        await log.open(opening("c2"))
        for conversation, user in [("c1", "bob"), ("c1", None), ("c2", "ann")]:
            with pytest.raises(UserConflict) as caught:
                await log.open(opening(conversation, user=user, key="k1"))
            assert caught.value.conversation == conversation
            with pytest.raises(UserConflict):
                await log.start(conversation, user, AT)
        assert len(await log.read("c1")) == len(await log.read("c2")) == 2

    @story
    async def test_places_have_no_gaps_and_keep_their_order_when_clocks_run_back(self, log: Log) -> None:
        """The place is the order; the time is only what a clock said."""
        times = [AT, AT - 5 * SECOND, AT + SECOND, 0]
        for at in times:
            await say(log, at=at)
        events = await log.read("c1")
        assert [event.seq for event in events] == list(range(1, 14))
        assert [event.at for event in events if event.turn] == [at for at in times for _ in range(3)]

    @story
    async def test_what_was_recorded_is_returned_and_read_back(self, log: Log) -> None:
        """An append answers with the events as they stand in the log."""
        opened = await log.open(opening())
        recorded = await log.append("c1", 1, [responded("Hi"), closed("Hi")], AT + 3)
        assert [(event.seq, event.turn, event.at) for event in recorded] == [(3, 1, AT + 3), (4, 1, AT + 3)]
        assert await log.read("c1", after=opened.head) == recorded

    @story
    async def test_an_event_that_cannot_be_written_stops_all_of_them(self, log: Log) -> None:
        """Nothing of the list is recorded, and the turn goes on."""
        await log.open(opening())
        before = await log.read("c1")
        with pytest.raises(EventEncodeError):
            await log.append("c1", 1, [responded(), unwritable(), closed()], AT)
        assert await log.read("c1") == before
        assert len(await log.append("c1", 1, [closed("Hi")], AT)) == 1

    @story
    async def test_an_event_that_the_turn_does_not_take_stops_all_of_them(self, log: Log) -> None:
        """Also when it only comes too late because of the one before it."""
        await log.open(opening())
        before = await log.read("c1")
        for events in ([closed(), responded()], [failed(), closed()], [learned(), closed(), failed()]):
            with pytest.raises(TurnNotOpen):
                await log.append("c1", 1, events, AT)
        assert await log.read("c1") == before
        assert len(await log.append("c1", 1, [closed("Hi")], AT)) == 1

    @story
    async def test_a_conversation_is_not_opened_by_an_append(self, log: Log) -> None:
        """Its first event, with its user, is written once."""
        await log.open(opening())
        with pytest.raises(ValueError, match="opened"):
            await log.append("c1", 1, [ConversationOpened("mallory")], AT)
        assert len(await log.read("c1")) == 2

    @story
    async def test_a_key_finds_its_turn_in_whatever_state_it_is(self, log: Log) -> None:
        """The same message sent again is the same turn, for as long as the log is kept."""
        assert (await log.open(opening(key="k1"))).state == "new"
        assert await log.open(opening(key="k1", at=AT + SECOND)) == Opened(1, "open", 2)
        await log.append("c1", 1, [failed()], AT)
        assert await log.open(opening(key="k1")) == Opened(1, "failed", 3)
        await log.append("c1", 1, [reopened(), closed("Hi")], AT)
        await say(log)
        assert await log.open(opening(key="k1")) == Opened(1, "closed", 8)
        assert len(await log.read("c1")) == 8

    @story
    async def test_a_key_stands_for_one_message(self, log: Log) -> None:
        """Another message with the same key is refused, and the error says which turn has it."""
        await say(log)
        await log.open(opening(key="k1"))
        with pytest.raises(KeyConflict) as caught:
            await log.open(opening(text="Something else", key="k1"))
        assert (caught.value.key, caught.value.turn) == ("k1", 2)
        assert len(await log.read("c1", turn=2)) == 1

    @story
    async def test_a_key_belongs_to_its_conversation(self, log: Log) -> None:
        """Elsewhere the same key opens a turn of its own, and a message without a key always does."""
        assert await log.open(opening("c1", key="k1")) == Opened(1, "new", 2)
        assert await log.open(opening("c2", key="k1")) == Opened(1, "new", 2)
        assert await log.open(opening("c1")) == Opened(2, "new", 3)
        assert await log.open(opening("c1")) == Opened(3, "new", 4)

    @story
    async def test_one_key_sent_at_once_from_everywhere_opens_one_turn(self, log: Log) -> None:
        """Idempotency lives in the store, not in the process or loop that asks."""
        answers = await _from_threads([[log.open(opening(key="k1")) for _ in range(10)] for _ in range(5)])
        assert {answer.turn for answer in answers} == {1}
        assert sorted(answer.state for answer in answers) == ["new"] + ["open"] * 49
        assert len(await log.read("c1")) == 2

    @story
    async def test_messages_sent_at_once_from_everywhere_are_all_kept(self, log: Log) -> None:
        """Every one has a turn of its own, whole, and places have no gaps."""
        texts = [[f"message {thread}-{number}" for number in range(10)] for thread in range(5)]
        await log.start("c1", None, AT)
        turns = await _from_threads([[say(log, text) for text in some] for some in texts])
        events = await log.read("c1")
        assert sorted(turns) == list(range(1, 51))
        assert [event.seq for event in events] == list(range(1, 152))
        said = [event.event.message.parts[0] for event in events if isinstance(event.event, TurnOpened)]
        assert sorted(str(getattr(part, "content", "")) for part in said) == sorted(
            text for some in texts for text in some
        )

    @story
    async def test_a_closed_turn_takes_nothing_but_what_comes_late(self, log: Log) -> None:
        """There is one reply; facts and summaries are welcome later."""
        await say(log)
        for event in (*PROGRESS, reopened()):
            with pytest.raises(TurnNotOpen) as caught:
                await log.append("c1", 1, [event], AT)
            assert (caught.value.conversation, caught.value.turn, caught.value.state) == ("c1", 1, "closed")
        recorded = await log.append("c1", 1, [learned(), summary()], AT)
        assert [event.seq for event in recorded] == [5, 6]

    @story
    async def test_a_failed_turn_is_taken_up_by_opening_it_again(self, log: Log) -> None:
        """Until then it takes nothing but what comes late."""
        await log.open(opening())
        await log.append("c1", 1, [failed()], AT)
        for event in PROGRESS:
            with pytest.raises(TurnNotOpen) as caught:
                await log.append("c1", 1, [event], AT)
            assert caught.value.state == "failed"
        assert len(await log.append("c1", 1, [learned()], AT)) == 1
        recorded = await log.append("c1", 1, [reopened(), responded(), closed()], AT)
        assert [event.seq for event in recorded] == [5, 6, 7]

    @story
    async def test_an_open_turn_goes_on_without_being_opened_again(self, log: Log) -> None:
        """Whoever takes it up after a crash may say so; there is nothing to record."""
        await log.open(opening())
        assert await log.append("c1", 1, [reopened()], AT) == ()
        recorded = await log.append("c1", 1, [reopened(), closed("Hi")], AT)
        assert [event.seq for event in recorded] == [3]

    @story
    async def test_a_turn_is_not_taken_up_after_a_later_one_has_closed(self, log: Log) -> None:
        """The conversation has moved on; a later turn that is only open does not matter."""
        for _ in range(3):
            await log.open(opening())
        await log.append("c1", 1, [failed()], AT)
        assert len(await log.append("c1", 1, [reopened(), failed()], AT)) == 2
        await log.append("c1", 3, [closed("Hi")], AT)
        for turn in (1, 2):
            with pytest.raises(TurnNotOpen) as caught:
                await log.append("c1", turn, [reopened()], AT)
            assert caught.value.turn == turn
        assert len(await log.read("c1")) == 8

    @story
    async def test_an_absent_turn_takes_nothing(self, log: Log) -> None:
        """Nor does a conversation that was never opened."""
        await log.start("c1", None, AT)
        for conversation in ("c1", "c2"):
            for event in (*PROGRESS, reopened(), learned(), summary()):
                with pytest.raises(TurnNotOpen) as caught:
                    await log.append(conversation, 1, [event], AT)
                assert caught.value.state == "absent"
        assert len(await log.read("c1")) == 1
        assert await log.read("c2") == ()

    @story
    async def test_some_events_stand_outside_any_turn(self, log: Log) -> None:
        """Facts, summaries, and a person's coming and going; an answer does not."""
        await log.start("c1", None, AT)
        between = [learned(), summary(), HandedOff("asked for a person"), Resumed("ann")]
        recorded = await log.append("c1", 0, between, AT)
        assert [(event.seq, event.turn) for event in recorded] == [(2, 0), (3, 0), (4, 0), (5, 0)]
        for event in (responded(), closed("Hi"), failed(), reopened()):
            with pytest.raises(TurnNotOpen):
                await log.append("c1", 0, [event], AT)
        with pytest.raises(TurnNotOpen):
            await log.append("c2", 0, [learned()], AT)

    @story
    async def test_late_work_does_not_disturb_an_open_turn(self, log: Log) -> None:
        """What fences a writer is that its turn is open, not that nobody else has written."""
        await say(log)
        await log.open(opening())
        await log.append("c1", 2, [responded("Let me see")], AT)
        await log.append("c1", 1, [summary(), learned()], AT - SECOND)
        await log.open(opening(text="And another thing"))
        recorded = await log.append("c1", 2, [responded(), closed()], AT)
        assert [event.seq for event in recorded] == [10, 11]

    @story
    async def test_a_caller_who_gives_up_leaves_all_or_nothing(self, log: Log) -> None:
        """However early or late the cancellation comes."""
        for patience in range(12):
            conversation = f"c{patience}"
            await log.open(opening(conversation))
            asking = asyncio.ensure_future(log.append(conversation, 1, [responded(), closed()], AT))
            for _ in range(patience):
                await asyncio.sleep(0)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            assert (await log.open(opening(conversation))).turn == 2
            assert len(await log.read(conversation, turn=1)) in {1, 3}


async def _from_threads(asked: list[list[Coroutine[Any, Any, T]]]) -> list[T]:
    """Every list awaited together in a thread and event loop of its own."""

    async def together(some: list[Coroutine[Any, Any, T]]) -> list[T]:
        return await asyncio.gather(*some)

    with ThreadPoolExecutor(len(asked)) as threads:
        loop = asyncio.get_running_loop()
        running = [
            loop.run_in_executor(threads, lambda some=some: asyncio.run(together(some))) for some in asked
        ]
        return [answer for some in await asyncio.gather(*running) for answer in some]
