"""The contract of leases: one worker at a time tells a turn, in order, and takes over from one that is silent."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from turnstate.core.events import ApprovalAnswered, ApprovalAsked, ToolCalled, TurnPaused
from turnstate.errors import ConversationBusy, LeaseLost, TurnNotOpen
from turnstate.ports import Claim, Claimed, Log, Opened
from turnstate.testing.log_contract.story import (
    AT,
    Story,
    closed,
    failed,
    opening,
    reopened,
    responded,
    story,
)

LONG = 60_000_000
"""A lease that does not end within a test, in microseconds."""

ANN, BOB = Claim("ann", LONG), Claim("bob", LONG)
SILENT = Claim("silent", 1)
"""A worker that is silent as soon as it has said a word."""


async def opened(log: Log, claim: Claim | None, key: str | None = None, *, alone: bool = False) -> Opened:
    """A new turn of a worker."""
    return await log.open(replace(opening(key=key), claim=claim, alone=alone))


async def fell_silent() -> None:
    """Time enough for a lease of a microsecond."""
    await asyncio.sleep(0.005)


class LeaseRules(Story):
    """Claiming, renewing, releasing, and what a lease ends with."""

    @story
    async def test_a_turn_is_leased_as_it_is_opened(self, log: Log) -> None:
        """Where nobody comes first; without a worker nobody has it."""
        assert (await opened(log, ANN)).token == 1
        await log.append("c1", 1, [closed("Hi")], AT, token=1)
        assert (await opened(log, None)).token == 0
        assert (await log.claim("c1", 2, ANN)).token == 1

    @story
    async def test_turns_are_leased_in_order(self, log: Log) -> None:
        """Whoever opened them; each when the one before has ended."""
        assert [(await opened(log, worker)).token for worker in (ANN, BOB, ANN)] == [1, 0, 0]
        assert await log.claim("c1", 2, BOB) == Claimed(0, "open", behind=(1,))
        assert await log.claim("c1", 3, ANN) == Claimed(0, "open", behind=(1, 2))
        await log.append("c1", 1, [closed("Hi")], AT, token=1)
        assert await log.claim("c1", 3, ANN) == Claimed(0, "open", behind=(2,))
        assert await log.claim("c1", 2, BOB) == Claimed(1, "open")
        assert await log.claim("c1", 1, BOB) == Claimed(0, "closed")

    @story
    async def test_a_turn_that_another_worker_has_is_refused(self, log: Log) -> None:
        """It is in its own way; its worker may claim it again, with a new token."""
        await opened(log, ANN)
        assert await log.claim("c1", 1, BOB) == Claimed(0, "open", behind=(1,))
        assert await log.claim("c1", 1, ANN) == Claimed(2, "open")

    @story
    async def test_a_silent_worker_is_taken_over_from(self, log: Log) -> None:
        """With a higher token; what it wants to write then is refused, and nothing of it recorded."""
        token = (await opened(log, SILENT)).token
        await fell_silent()
        taken = await log.claim("c1", 1, BOB)
        assert taken.token > token
        with pytest.raises(LeaseLost) as lost:
            await log.append("c1", 1, [responded(), closed()], AT, token=token)
        assert (lost.value.conversation, lost.value.turn) == ("c1", 1)
        assert len(await log.read("c1")) == 2
        await log.append("c1", 1, [responded("Bob's"), closed()], AT, token=taken.token)

    @story
    async def test_an_earlier_turn_of_a_silent_worker_comes_first(self, log: Log) -> None:
        """It is named, so that whoever comes next ends it."""
        await opened(log, SILENT)
        await fell_silent()
        assert (await opened(log, ANN)).token == 0
        assert await log.claim("c1", 2, ANN) == Claimed(0, "open", left=(1,))
        ended = await log.claim("c1", 1, ANN)
        await log.append("c1", 1, [failed()], AT, token=ended.token)
        assert (await log.claim("c1", 2, ANN)).token == 1

    @story
    async def test_a_word_keeps_all_turns_of_a_worker(self, log: Log) -> None:
        """Leased and waiting; nobody else's."""
        await opened(log, replace(ANN, lasts=1))
        await opened(log, BOB)
        await opened(log, replace(ANN, lasts=1))
        assert await log.renew("c1", ANN) == (1, 3)
        assert await log.renew("c1", Claim("carl", LONG)) == ()
        assert await log.renew("unknown", ANN) == ()
        await fell_silent()
        assert await log.claim("c1", 2, BOB) == Claimed(0, "open", behind=(1,))

    @story
    async def test_a_turn_that_was_given_up_is_free(self, log: Log) -> None:
        """By its own worker only."""
        await opened(log, ANN)
        await log.release("c1", 1, BOB)
        assert await log.claim("c1", 1, BOB) == Claimed(0, "open", behind=(1,))
        await log.release("c1", 1, ANN)
        assert await log.claim("c1", 1, BOB) == Claimed(2, "open")
        assert await log.renew("c1", ANN) == ()

    @story
    async def test_a_failed_turn_is_leased_to_be_reopened(self, log: Log) -> None:
        """While it is, no other turn runs."""
        await opened(log, ANN, "k")
        await log.append("c1", 1, [failed()], AT, token=1)
        assert await log.renew("c1", ANN) == ()
        again = await log.claim("c1", 1, BOB)
        assert (again.token, again.state) == (2, "failed")
        assert (await opened(log, ANN)).token == 0
        assert await log.claim("c1", 2, ANN) == Claimed(0, "open", behind=(1,))
        await log.append("c1", 1, [reopened(), closed("Hi")], AT, token=2)
        assert (await log.claim("c1", 2, ANN)).token == 1

    @story
    async def test_a_turn_that_is_to_be_alone_is_refused_beside_another(self, log: Log) -> None:
        """Nothing is recorded; with the key of a turn that is there, that turn is found."""
        await opened(log, ANN, "k")
        with pytest.raises(ConversationBusy) as busy:
            await opened(log, BOB, "other", alone=True)
        assert (busy.value.conversation, busy.value.turn) == ("c1", 1)
        assert (await opened(log, BOB, "k", alone=True)).state == "open"
        assert len(await log.read("c1")) == 2
        await log.append("c1", 1, [closed("Hi")], AT)
        assert (await opened(log, BOB, "other", alone=True)).token == 1

    @story
    async def test_a_silent_worker_keeps_nobody_out(self, log: Log) -> None:
        """A turn that is to be alone is opened beside what was left."""
        await opened(log, SILENT)
        await fell_silent()
        assert (await opened(log, BOB, alone=True)).turn == 2

    @story
    async def test_a_paused_turn_waits_for_a_person_and_keeps_nobody_waiting(self, log: Log) -> None:
        """What the person says is recorded, then it is leased and opened again, also behind later turns."""
        await opened(log, ANN, "k")
        pausing = [ApprovalAsked("call-1", "t1", "refund"), TurnPaused("One moment.")]
        await log.append("c1", 1, [responded(), *pausing], AT, token=1)
        assert (await opened(log, BOB, "k")).state == "paused"
        assert (await opened(log, BOB)).token == 1
        await log.append("c1", 2, [closed("Hi")], AT, token=1)
        with pytest.raises(TurnNotOpen):
            await log.append("c1", 1, [ToolCalled("call-1", "t1", "refund", "once")], AT)
        await log.append("c1", 1, [ApprovalAnswered("call-1", approved=True, by="eve")], AT)
        again = await log.claim("c1", 1, BOB)
        assert (again.token, again.state) == (2, "paused")
        await log.append("c1", 1, [reopened(), closed("Done")], AT, token=2)
        assert (await opened(log, BOB, "k")).state == "closed"

    @story
    async def test_the_work_between_turns_has_a_lease_of_its_own(self, log: Log) -> None:
        """It waits for no turn and keeps none waiting; it is no turn."""
        await opened(log, ANN)
        token = (await log.claim("c1", 0, ANN)).token
        assert token
        assert (await log.claim("c1", 0, BOB)).token == 0
        assert await log.renew("c1", ANN) == (0, 1)
        await log.append("c1", 1, [closed("Hi")], AT, token=1)
        assert (await opened(log, BOB)).token == 1
        await log.release("c1", 0, ANN)
        assert (await log.claim("c1", 0, BOB)).token > token
        (info,) = await log.conversations()
        assert info.turns == 2

    @story
    async def test_what_is_not_there_cannot_be_leased(self, log: Log) -> None:
        """Neither a turn nor a conversation; giving it up does nothing."""
        await opened(log, ANN)
        for conversation, turn in [("c1", 2), ("unknown", 1)]:
            with pytest.raises(TurnNotOpen) as absent:
                await log.claim(conversation, turn, ANN)
            assert absent.value.state == "absent"
            await log.release(conversation, turn, ANN)
