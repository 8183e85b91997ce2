"""The lane: order by number, one turn at a time, and one history that every turn shares."""

from __future__ import annotations

import asyncio

from acceptance.doors import run
from turnstate.core.events import FactsLearned, TurnFailed
from turnstate.core.history import fold
from turnstate.stores import MemoryLog
from turnstate.turn.incoming import opening
from turnstate.turn.lane import Lane, Ticket


def lane() -> Lane:
    """An empty lane."""
    return Lane(MemoryLog(), "c")


def opened(lane: Lane, number: int) -> Ticket:
    """A ticket whose turn has this number."""
    ticket = lane.take(streaming=False)
    ticket.numbered.set_result(number)
    return ticket


def test_turns_run_in_the_order_of_their_numbers() -> None:
    """Opened in one order, asked to wait in another: one at a time, the lowest first."""

    async def scenario() -> list[int]:
        found, ran = lane(), list[int]()
        tickets = [opened(found, number) for number in (3, 1, 2, 4)]

        async def turn(ticket: Ticket) -> None:
            await found.wait(ticket)
            number = ticket.numbered.result()
            ran.append(number)
            await asyncio.sleep(0)
            assert ran[-1] == number
            found.leave(ticket)

        await asyncio.gather(*map(turn, tickets))
        assert found.idle
        return ran

    assert run(scenario()) == [1, 2, 3, 4]


def test_nobody_overtakes_a_turn_that_runs() -> None:
    """A lower number that comes later waits for its end."""

    async def scenario() -> None:
        found = lane()
        running = opened(found, 5)
        await found.wait(running)
        late = opened(found, 2)
        waiting = asyncio.create_task(found.wait(late))
        for _ in range(5):
            await asyncio.sleep(0)
        assert not waiting.done()
        found.leave(running)
        await waiting

    run(scenario())


def test_a_turn_that_was_never_opened_holds_nobody_up() -> None:
    """Leaving without a number counts as zero; leaving twice is harmless."""

    async def scenario() -> None:
        found = lane()
        refused = found.take(streaming=False)
        ticket = opened(found, 1)
        waiting = asyncio.create_task(found.wait(ticket))
        await asyncio.sleep(0)
        found.leave(refused)
        found.leave(refused)
        await waiting
        assert refused.numbered.result() == 0

    run(scenario())


def test_a_waiter_that_is_cancelled_cancels_nobody_else() -> None:
    """Waiting is shielded: the numbers and ends that others wait for stay."""

    async def scenario() -> None:
        found = lane()
        first, second, third = (opened(found, number) for number in (1, 2, 3))
        impatient = asyncio.create_task(found.wait(second))
        patient = asyncio.create_task(found.wait(third))
        await asyncio.sleep(0)
        impatient.cancel()
        await asyncio.wait([impatient])
        assert not first.done.cancelled()
        found.leave(second)
        found.leave(first)
        await patient

    run(scenario())


def test_the_same_turn_is_found_in_front_only() -> None:
    """A ticket follows the one before it that has its number, and none behind it."""

    async def scenario() -> None:
        found = lane()
        other, first, second = opened(found, 1), opened(found, 2), opened(found, 2)
        assert await found.same_turn(second) is first
        assert await found.same_turn(first) is None
        assert await found.same_turn(other) is None

    run(scenario())


def test_the_history_follows_the_log_whoever_wrote_it() -> None:
    """Own events are folded as they were recorded; those of another writer are read first."""

    async def scenario() -> None:
        log = MemoryLog()
        found = Lane(log, "c")
        await log.open(opening("c", None, "k", "hello", 1))
        assert (await found.load()).head == 2
        note = FactsLearned("none", "rules", 1)
        own = await log.append("c", 1, [note], 2)
        assert (await found.absorb(own)).head == 3
        await log.append("c", 1, [note], 3)  # another worker's
        own = await log.append("c", 1, [TurnFailed("model", "no", retry=True)], 4)
        history = await found.absorb(own)
        assert history == fold(await log.read("c")) == found.history
        assert await found.absorb(own) == history
        assert await found.absorb(()) == history

    run(scenario())
