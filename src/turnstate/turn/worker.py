"""Tells turns: opens each, waits for its place among processes, and brings it to its reply or to somebody else's."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any

from turnstate.core.context.plan import MARK
from turnstate.core.events import Recorded, TurnFailed, TurnOpened
from turnstate.errors import (
    LeaseLost,
    ModelFailed,
    TurnBroken,
    TurnCancelled,
    TurnError,
    TurnInterrupted,
    TurnNotOpen,
    TurnstateError,
    WiringError,
)
from turnstate.ports import Log, Opened
from turnstate.turn.crew import Crew
from turnstate.turn.incoming import Incoming
from turnstate.turn.lane import Lane, Ticket
from turnstate.turn.leases import LONGEST, SHORTEST, Leases, Policy, read_turn
from turnstate.turn.pipeline import Telling, reply_of
from turnstate.turn.reply import Reply, approvals_of
from turnstate.turn.sentences import split
from turnstate.turn.settling import Settling
from turnstate.turn.speak import redacted

TAKEOVERS = 6
"""How often a turn is taken up before it counts as what ends the processes that tell it."""

CUT_OFF = "The turn was cut off and the next message came."


@dataclass(frozen=True, slots=True)
class Worker:
    """Tells the turns of one desk.

    Attributes:
        store: the log.
        clock: now, in microseconds since the epoch.
        crew: makes what a turn of this number works with, in the loop that the turn runs in.
        policy: how turns follow each other.
        leases: this worker's.
        settling: what follows a turn.
    """

    store: Log
    clock: Callable[[], int]
    crew: Callable[[Incoming, int], Awaitable[Crew]]
    policy: Policy
    leases: Leases
    settling: Settling

    async def run(self, lane: Lane, ticket: Ticket, incoming: Incoming) -> None:
        """Open the turn of a message, and see to its reply; the ticket's feed hears of everything."""
        opening = replace(incoming.opening, claim=self.leases.claim, alone=self.policy.on_busy == "reject")

        async def work() -> None:
            opened = await self.store.open(opening)
            ticket.numbered.set_result(opened.turn)
            if (other := await lane.same_turn(ticket)) is not None:
                await _follow(other, ticket)
            elif opened.state == "closed" or await self._waits(opening.conversation, opened):
                _finish(ticket, await self._recorded(lane, ticket, incoming, opened.turn, again=True))
            else:
                await self._see_to(lane, ticket, incoming, opened)

        await self._hear(lane, ticket, opening.conversation, work())

    async def go_on(self, lane: Lane, ticket: Ticket, incoming: Incoming, number: int) -> None:
        """Bring a turn that is on record to its reply: what it waited for is there."""
        ticket.numbered.set_result(number)
        opened = Opened(number, "paused", 0)
        work = self._see_to(lane, ticket, incoming, opened)
        await self._hear(lane, ticket, incoming.opening.conversation, work)

    async def _hear(
        self, lane: Lane, ticket: Ticket, conversation: str, work: Coroutine[Any, Any, None]
    ) -> None:
        try:
            await work
        except asyncio.CancelledError:
            await self._stopped(ticket, conversation)
        except TurnstateError as error:
            ticket.feed.finish(error)
        except Exception as error:  # noqa: BLE001 - whoever waits must hear of it, whatever it is
            number = ticket.numbered.result() if ticket.numbered.done() else 0
            broken = TurnBroken(number, redacted(f"{type(error).__name__}: {error}"))
            broken.__cause__ = error
            ticket.feed.finish(broken)
        finally:
            lane.leave(ticket)

    async def _waits(self, conversation: str, opened: Opened) -> bool:
        """Whether a turn waits for a person; one whose calls are all answered goes on, whoever died over it."""
        if opened.state != "paused":
            return False
        turn = await read_turn(self.store, conversation, opened.turn)
        return turn is not None and bool(approvals_of(turn))

    async def _see_to(self, lane: Lane, ticket: Ticket, incoming: Incoming, opened: Opened) -> None:
        conversation = incoming.opening.conversation
        arrived = time.monotonic()
        ticket.new, ticket.token = opened.state == "new", opened.token
        with self.leases.beating(lane, conversation):
            if self.policy.on_busy == "interrupt" and ticket.new and not ticket.token:
                await self._interrupt(lane, ticket, conversation)
            if ticket.token:
                # Leased: nobody runs here either, and whoever comes first waits for this one.
                ticket.running = True
            else:
                await lane.wait(ticket)
            if ticket.new and ticket.token:
                event = TurnOpened(incoming.opening.key, incoming.opening.digest, incoming.opening.message)
                lane.expect(Recorded(conversation, opened.head, opened.turn, incoming.opening.at, event))
            else:
                ticket.new = False  # others may have written meanwhile
            await self._tell(lane, ticket, incoming, arrived if opened.state == "new" else None)

    async def _tell(self, lane: Lane, ticket: Ticket, incoming: Incoming, arrived: float | None) -> None:
        conversation, number = incoming.opening.conversation, ticket.numbered.result()
        while True:
            if not ticket.token and not await self._lease(lane, ticket, incoming):
                _finish(ticket, await self._recorded(lane, ticket, incoming, number))
                return
            if arrived is not None and (later := await self._later(lane, number, arrived)):
                crew = await self.crew(incoming, number)
                await Telling(crew, lane, ticket, conversation).merge(later)
                lane.leave(ticket)  # the one that answers is behind this one
                _finish(ticket, await self._recorded(lane, ticket, incoming, later))
                return
            crew = await self.crew(incoming, number)
            try:
                reply = await Telling(crew, lane, ticket, conversation).tell()
            except LeaseLost:
                if ticket.feed.released:
                    raise  # what was read must not be followed by another worker's words
                ticket.token, ticket.new = 0, False
                continue
            except Exception:
                await self.leases.give_up(conversation, number)
                raise
            _finish(ticket, reply)
            self.settling.follow(lane, crew, nearly=reply.context.tokens >= MARK * reply.context.target)
            return

    async def _lease(self, lane: Lane, ticket: Ticket, incoming: Incoming) -> bool:
        """Wait until the turn may be told here; False where another worker has brought it to its end."""
        conversation, number = incoming.opening.conversation, ticket.numbered.result()
        pause = SHORTEST
        while True:
            claimed = await self.leases.ask(conversation, number)
            if claimed.state == "closed":
                return False
            if claimed.token:
                ticket.token = claimed.token
                return True
            if claimed.left and not claimed.behind:
                await self._end(lane, incoming, claimed.left[0])
                continue
            if pause == SHORTEST:
                await self.leases.forget_ended(lane, conversation)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST)

    async def _end(self, lane: Lane, incoming: Incoming, number: int) -> bool:
        """Bring a turn to its end that another worker has left: its message is on record, and so will be its reply.

        Returns:
            Whether it had closed before.
        """
        conversation = incoming.opening.conversation
        lane.ending.add(number)
        try:
            claimed = await self.leases.ask(conversation, number)
            if not claimed.token:
                return claimed.state == "closed"
            if claimed.token > TAKEOVERS:
                failed = TurnFailed("interrupted", CUT_OFF, retry=False)
                await self.store.append(conversation, number, [failed], self.clock(), token=claimed.token)
                return False
            ticket = Ticket(token=claimed.token)
            ticket.numbered.set_result(number)
            await Telling(await self.crew(incoming, number), lane, ticket, conversation).tell()
        except (TurnError, WiringError, TurnNotOpen, LeaseLost):
            # How it ended is on record, or it is somebody else's, or it is tried again until it has been often enough.
            await self.leases.give_up(conversation, number)
        finally:
            lane.ending.discard(number)
        return False

    async def _later(self, lane: Lane, number: int, arrived: float) -> int:
        """The newest message that waits behind this one and can be answered together with it, or 0."""
        if not self.policy.merges:
            return 0
        await asyncio.sleep(max(0.0, arrived + self.policy.debounce - time.monotonic()))
        turns = (await lane.load()).turns
        return max(
            (turn.number for turn in turns if turn.number > number and turn.status == "open"), default=0
        )

    async def _recorded(
        self, lane: Lane, ticket: Ticket, incoming: Incoming, number: int, *, again: bool = False
    ) -> Reply:
        """The reply on record for a turn, perhaps in a later one that answers it too; waited for, if need be.

        Args:
            lane: the conversation's.
            ticket: whose reply it is.
            incoming: the message.
            number: the turn.
            again: whether a turn that failed is told again.

        Raises:
            TurnError: the turn that answers has failed.
        """
        conversation = incoming.opening.conversation
        pause = SHORTEST
        while True:
            turn = await read_turn(self.store, conversation, number)
            if turn is None:
                raise TurnBroken(number, "its events are gone from the log")
            if turn.answered_in:
                number = turn.answered_in
                continue
            if turn.status in {"closed", "paused"}:
                return replace(reply_of(turn), replayed=again)
            if turn.status == "failed" and turn.failure is not None and not again:
                raise ModelFailed(f"turn {number}", turn.failure.message, retry=turn.failure.retry)
            here = next((t for t in lane.tickets() if t is not ticket and _is(t, number)), None)
            if here is not None:
                return await here.feed.reply()
            if await self._end(lane, incoming, number):
                await self._check_told(conversation, number)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST)

    async def _check_told(self, conversation: str, number: int) -> None:
        """A turn that has closed says so itself, unless the event that did is damaged and left out of every read."""
        turn = await read_turn(self.store, conversation, number)
        if turn is not None and turn.status != "closed":
            raise TurnBroken(number, "it has closed, and the event that says so does not decode")

    async def _interrupt(self, lane: Lane, ticket: Ticket, conversation: str) -> None:
        """Stop the turns before this one, here and in other processes."""
        number = ticket.numbered.result()
        for other in lane.tickets():
            if other.task is not None and other.numbered.done() and 0 < other.numbered.result() < number:
                other.interrupted = True
                other.task.get_loop().call_soon_threadsafe(other.task.cancel)
                await asyncio.shield(asyncio.wrap_future(other.done))
        claimed = await self.leases.ask(conversation, number)
        ticket.token = claimed.token
        for left in (*claimed.behind, *claimed.left):
            cut_off = TurnFailed("interrupted", "The next message came and stopped it.", retry=False)
            try:
                await self.store.append(conversation, left, [cut_off], self.clock())
            except TurnNotOpen:
                continue  # it has just ended

    async def _stopped(self, ticket: Ticket, conversation: str) -> None:
        """A turn that was asked to end is recorded as failed; a loop that ends leaves it open, as a crash would."""
        number = ticket.numbered.result() if ticket.numbered.done() else 0
        asked = ticket.cancelled or ticket.interrupted
        error = TurnCancelled(number) if ticket.cancelled or not asked else TurnInterrupted(number)
        if asked and number:
            reason = "cancelled" if ticket.cancelled else "interrupted"
            failed = TurnFailed(reason, str(error), retry=ticket.cancelled, released=ticket.feed.released)
            try:
                await self.store.append(conversation, number, [failed], self.clock())
            except TurnNotOpen:
                pass  # it had closed before it was asked to end
            except TurnstateError as failure:
                ticket.feed.finish(failure)
        ticket.feed.finish(error)
        if not asked:
            raise asyncio.CancelledError


def _is(ticket: Ticket, number: int) -> bool:
    return ticket.numbered.done() and ticket.numbered.result() == number


async def _follow(other: Ticket, ticket: Ticket) -> None:
    """Two sends with one key are one turn: the later one hears what the earlier one gets."""
    index = 0
    while ticket.streaming and (sentence := await other.feed.sentence(index)) is not None:
        ticket.feed.release(sentence)
        index += 1
    _finish(ticket, await other.feed.reply())


def _finish(ticket: Ticket, reply: Reply) -> None:
    """Give the reply; to a reader of sentences the whole of it, where nothing of it was written before their eyes."""
    for sentence in split(reply.text) if ticket.streaming and not ticket.feed.released else ():
        ticket.feed.release(sentence)
    ticket.feed.finish(reply)
