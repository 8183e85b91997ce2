"""The feed: sentences and the reply for any number of readers, in any event loop."""

from __future__ import annotations

import asyncio
import threading

import pytest

from acceptance.doors import run
from turnstate.errors import TurnCancelled
from turnstate.turn.feed import Feed
from turnstate.turn.reply import ContextUse, Reply

REPLY = Reply("One. Two.", 1, ContextUse())


async def read(feed: Feed, seen: list[str] | None = None) -> list[str]:
    """All sentences; `seen` has those that came before an error."""
    seen = [] if seen is None else seen
    while (sentence := await feed.sentence(len(seen))) is not None:
        seen.append(sentence)
    return seen


def test_readers_get_what_was_released_before_and_after_they_came() -> None:
    """A late reader starts from the first sentence."""

    async def scenario() -> None:
        feed = Feed()
        early = asyncio.create_task(read(feed))
        await asyncio.sleep(0)
        feed.release("One. ")
        late = asyncio.create_task(read(feed))
        await asyncio.sleep(0)
        feed.release("Two.")
        assert not feed.done
        feed.finish(REPLY)
        assert await early == await late == await read(feed) == ["One. ", "Two."]
        assert await feed.reply() is REPLY
        assert (feed.released, feed.done) == ("One. Two.", True)

    run(scenario())


def test_an_error_comes_after_the_sentences_that_were_released() -> None:
    """What the reader has seen stays; then it is told."""

    async def scenario() -> list[str]:
        feed = Feed()
        feed.release("One. ")
        feed.finish(TurnCancelled(1))
        seen: list[str] = []
        with pytest.raises(TurnCancelled):
            await read(feed, seen)
        with pytest.raises(TurnCancelled):
            await feed.reply()
        return seen

    assert run(scenario()) == ["One. "]


def test_the_first_end_counts() -> None:
    """A reply that is there is not replaced by a late error."""

    async def scenario() -> Reply:
        feed = Feed()
        feed.finish(REPLY)
        feed.finish(TurnCancelled(1))
        return await feed.reply()

    assert run(scenario()) is REPLY


def test_a_reader_that_stops_waiting_stops_nobody_else() -> None:
    """Cancelling one reader leaves the feed and the other readers alone."""

    async def scenario() -> list[str]:
        feed = Feed()
        impatient, patient = asyncio.create_task(read(feed)), asyncio.create_task(read(feed))
        waiting = asyncio.create_task(feed.reply())
        await asyncio.sleep(0)
        impatient.cancel()
        waiting.cancel()
        await asyncio.wait([impatient, waiting])
        feed.release("One. ")
        feed.finish(REPLY)
        assert impatient.cancelled()
        return await patient

    assert run(scenario()) == ["One. "]


def test_a_reader_that_timed_out_asks_again_and_misses_nothing() -> None:
    """A heartbeat between sentences is a cancelled wait."""

    async def scenario() -> list[str]:
        feed = Feed()
        for _ in range(3):
            waiting = asyncio.create_task(feed.sentence(0))
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.wait([waiting])
        feed.release("One. ")
        feed.finish(REPLY)
        return await read(feed)

    assert run(scenario()) == ["One. "]


def test_readers_live_in_other_threads_and_loops() -> None:
    """Every sentence reaches every loop, in order."""
    feed = Feed()
    found: list[list[str]] = []
    threads = [threading.Thread(target=lambda: found.append(run(read(feed)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    said = [f"{number}. " for number in range(200)]
    for sentence in said:
        feed.release(sentence)
    feed.finish(REPLY)
    for thread in threads:
        thread.join()
    assert found == [said] * 4
