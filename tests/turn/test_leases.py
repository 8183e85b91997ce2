"""The heartbeat of a worker, and what it gives up."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from acceptance.doors import run
from turnstate.ports import Claim
from turnstate.stores.memory import MemoryLog
from turnstate.turn.incoming import opening
from turnstate.turn.lane import Lane
from turnstate.turn.leases import Leases, Policy, read_turn


class Heard(MemoryLog):
    """A log that counts the words of its workers."""

    def __init__(self) -> None:
        super().__init__()
        self.words = 0

    async def renew(self, conversation: str, claim: Claim) -> tuple[int, ...]:
        """Count."""
        self.words += 1
        return await super().renew(conversation, claim)


def test_one_word_is_enough_for_all_that_wait_in_a_conversation() -> None:
    """Many blocks at once beat as often as one; none after the last has ended."""

    async def beats(count: int) -> int:
        log = Heard()
        leases, lane = Leases(log, Policy(lease=0.06)), Lane(log, "c")

        async def wait() -> None:
            with leases.beating(lane, "c"):
                await asyncio.sleep(0.3)

        await asyncio.gather(*(wait() for _ in range(count)))
        words = log.words
        await asyncio.sleep(0.1)
        assert log.words == words
        return words

    async def scenario() -> None:
        assert await beats(1) > 1
        assert await beats(50) < 50

    run(scenario())


def test_what_an_ended_loop_left_is_given_up() -> None:
    """Turns of this worker that nobody here works on; those that are waited for stay."""

    async def scenario() -> None:
        log = MemoryLog()
        leases, lane = Leases(log, Policy()), Lane(log, "c")
        for text in ("one", "two"):
            await log.open(replace(opening("c", None, None, text, 1), claim=leases.claim))
        ticket = lane.take(streaming=False)
        await leases.forget_ended(lane, "c")  # the ticket's turn is not known yet: nothing is given up
        assert await log.renew("c", leases.claim) == (1, 2)
        ticket.numbered.set_result(2)
        await leases.forget_ended(lane, "c")
        assert await log.renew("c", leases.claim) == (2,)

    run(scenario())


def test_a_turn_is_read_alone() -> None:
    """None where there is none."""

    async def scenario() -> None:
        log = MemoryLog()
        await log.open(opening("c", None, "k", "one", 1))
        turn = await read_turn(log, "c", 1)
        assert turn is not None
        assert turn.key == "k"
        assert await read_turn(log, "c", 2) is None

    run(scenario())


def test_what_merges() -> None:
    """Asked for, or because messages wait for each other."""
    assert not Policy().merges
    assert Policy(on_busy="merge").merges
    assert Policy(debounce=0.1).merges
