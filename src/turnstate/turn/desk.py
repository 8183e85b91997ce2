"""Where messages arrive: each becomes a task of its own that opens its turn, waits for its place and is told to its end.

A turn outlives whoever waits for it: only `cancel` stops it.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, TypeVar

from turnstate.core.context.pins import pinned_text
from turnstate.core.context.plan import MARK
from turnstate.core.events import (
    FactsLearned,
    HandedOff,
    Recorded,
    Resumed,
    Said,
    TurnFailed,
    TurnOpened,
    TurnPinned,
)
from turnstate.core.facts import Fact, supersede
from turnstate.core.history import History, Turn, fold
from turnstate.core.messages import user_message
from turnstate.core.state import State
from turnstate.errors import HandoffError, TurnBroken, TurnCancelled, TurnNotOpen, TurnstateError, TurnUnknown
from turnstate.ports import Log, Opening
from turnstate.turn.ahead import write_ahead
from turnstate.turn.crew import Crew
from turnstate.turn.feed import Feed
from turnstate.turn.handing import PERSON, note
from turnstate.turn.incoming import Incoming
from turnstate.turn.lane import Lane, Ticket
from turnstate.turn.ownership import States
from turnstate.turn.pipeline import Telling, reply_of
from turnstate.turn.reply import Reply
from turnstate.turn.sentences import split
from turnstate.turn.settle import learn_by_model, unread
from turnstate.turn.speak import redacted
from turnstate.turn.team import Team

S = TypeVar("S", bound=State)

LANES = 1_024
"""Conversations whose history stays folded in memory; the others are folded again from the log when needed."""


class Desk:
    """Takes messages for many conversations.

    Args:
        store: the log.
        clock: now, in microseconds since the epoch.
        crew: makes what a turn of this number works with, in the loop that the turn runs in.

    Attributes:
        store: the log.
        clock: now.
    """

    def __init__(
        self, store: Log, clock: Callable[[], int], crew: Callable[[Incoming, int], Awaitable[Crew]]
    ) -> None:
        self.store = store
        self.clock = clock
        self._crew = crew
        self._lock = threading.Lock()  # protects _lanes and _tasks
        self._lanes: OrderedDict[str, Lane] = OrderedDict()
        self._tasks: dict[asyncio.Task[None], Future[None]] = {}

    def take(self, incoming: Incoming, *, streaming: bool) -> Feed:
        """Take a message; its turn runs in the current event loop. Order of arrival is the order of these calls."""
        lane = self._lane(incoming.opening.conversation)
        ticket = lane.take(streaming=streaming)

        def ended(_: object) -> None:
            # A task that is cancelled before its first step runs none of its own code.
            ticket.feed.finish(TurnCancelled(0))
            lane.leave(ticket)

        ticket.task = self._start(self._run(lane, ticket, incoming))
        ticket.task.add_done_callback(ended)
        return ticket.feed

    async def cancel(self, conversation: str) -> bool:
        """Stop the turn in flight. Returns whether there was one."""
        lane = self._lane(conversation)
        running = next((ticket for ticket in lane.tickets() if ticket.task and not ticket.feed.done), None)
        if running is None or running.task is None:
            return False
        running.cancelled = True
        running.task.get_loop().call_soon_threadsafe(running.task.cancel)
        await asyncio.shield(asyncio.wrap_future(running.done))
        return True

    async def facts(self, user: str | None, conversation: str) -> tuple[Fact, ...]:
        """The facts in force now: the user's, or the conversation's where `user` is None."""
        found = await self.store.facts(user=user, conversation=conversation)
        return supersede(found).active(self.clock())

    async def learn(self, facts: tuple[Fact, ...], conversation: str, user: str | None) -> tuple[Fact, ...]:
        """Record what the application states; returns the facts."""
        await self.store.start(conversation, user, self.clock())
        if facts:
            await self.store.append(conversation, 0, [FactsLearned("learned", "app", 0, facts)], self.clock())
        return facts

    async def pin(self, conversation: str, turn: int, *, on: bool) -> None:
        """Pin a closed turn, or let it go.

        Raises:
            TurnUnknown: there is no such turn, or it has not closed.
        """
        found = fold(await self.store.read(conversation, turn=turn)).turn(turn)
        if found is None or found.status != "closed":
            raise TurnUnknown(conversation, turn, "absent" if found is None else found.status)
        pinned = TurnPinned(pinned_text(found) if on else "")
        await self.store.append(conversation, turn, [pinned], self.clock())

    async def state(self, conversation: str, state: type[S], team: Team) -> S:
        """The value of a state as of the last turn that closed."""
        history = fold(await self.store.load(conversation))
        nothing = Turn(0, 0, 0, user_message("", 0))
        value = States(team, history, nothing).value(state)
        return value if isinstance(value, state) else state()

    async def hand_off(self, conversation: str, user: str | None, reason: str, team: Team | None) -> str:
        """Pause the agent until `resume`; returns the note for the person who takes over.

        Raises:
            HandoffError: a person has taken over already.
        """
        await self.store.start(conversation, user, self.clock())
        history = fold(await self.store.load(conversation))
        if history.handed_off:
            raise HandoffError(conversation, "is with a person already", "Call resume() first.")
        told = note(history, team, await self.facts(user, conversation))
        await self.store.append(conversation, 0, [HandedOff(reason, told)], self.clock())
        return told

    async def answer(self, conversation: str, person: str, text: str) -> int:
        """Record what a person says in the agent's place; returns the turn that it answers.

        Raises:
            HandoffError: the conversation is not with a person, or nobody has said anything in it.
        """
        history = await self._with_person(conversation)
        if not history.last_turn:
            raise HandoffError(conversation, "has no message to answer", "Wait for the user.")
        said = Said(f"{PERSON}{person}", text)
        await self.store.append(conversation, history.last_turn, [said], self.clock())
        return history.last_turn

    async def resume(self, conversation: str, by: str) -> None:
        """Let the agent take over again.

        Raises:
            HandoffError: the conversation is not with a person.
        """
        await self._with_person(conversation)
        await self.store.append(conversation, 0, [Resumed(by)], self.clock())

    async def _with_person(self, conversation: str) -> History:
        history = fold(await self.store.load(conversation))
        if not history.handed_off:
            raise HandoffError(conversation, "is not with a person", "Call handoff() first.")
        return history

    async def drain(self) -> None:
        """Wait for every turn and what follows it, those of other event loops too, as long as these run."""
        while True:
            with self._lock:
                waiting = [done for task, done in self._tasks.items() if task.get_loop().is_running()]
            if not waiting:
                return
            await asyncio.shield(asyncio.wrap_future(waiting[0]))

    def _lane(self, conversation: str) -> Lane:
        with self._lock:
            lane = self._lanes.get(conversation)
            if lane is None:
                lane = self._lanes[conversation] = Lane(self.store, conversation)
            self._lanes.move_to_end(conversation)
            if len(self._lanes) > LANES:
                oldest = next(iter(self._lanes))
                if self._lanes[oldest].idle:
                    del self._lanes[oldest]
            return lane

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        done: Future[None] = Future()
        done.set_running_or_notify_cancel()
        with self._lock:
            self._tasks[task] = done

        def ended(_: object) -> None:
            with self._lock:
                self._tasks.pop(task, None)
            done.set_result(None)

        task.add_done_callback(ended)
        return task

    async def _run(self, lane: Lane, ticket: Ticket, incoming: Incoming) -> None:
        opening = incoming.opening
        try:
            opened = await self.store.open(opening)
            ticket.numbered.set_result(opened.turn)
            if (other := await lane.same_turn(ticket)) is not None:
                await _follow(other, ticket)
                return
            if opened.state == "closed":
                await self._replay(ticket, opening.conversation)
                return
            await lane.wait(ticket)
            ticket.new = opened.state == "new"
            if ticket.new:
                event = TurnOpened(opening.key, opening.digest, opening.message)
                lane.expect(Recorded(opening.conversation, opened.head, opened.turn, opening.at, event))
            crew = await self._crew(incoming, opened.turn)
            reply = await Telling(crew, lane, ticket, opening.conversation).tell()
            _release(ticket, reply)
            ticket.feed.finish(reply)
            if crew.reading is not None and crew.reading.extractor is not None:
                self._start(self._settle(lane, crew))
            nearly = reply.context.tokens >= MARK * reply.context.target
            if nearly and lane.history is not None and lane.preparing is None:
                # Known before the next turn can ask for it: two of them must not write the same.
                lane.preparing = Future()
                self._start(self._prepare(lane, crew, lane.history))
        except asyncio.CancelledError:
            await self._stopped(ticket, opening)
        except TurnstateError as error:
            ticket.feed.finish(error)
        except Exception as error:  # noqa: BLE001 - whoever waits must hear of it, whatever it is
            number = ticket.numbered.result() if ticket.numbered.done() else 0
            broken = TurnBroken(number, redacted(f"{type(error).__name__}: {error}"))
            broken.__cause__ = error
            ticket.feed.finish(broken)
        finally:
            lane.leave(ticket)

    async def _replay(self, ticket: Ticket, conversation: str) -> None:
        """Give the recorded reply again: only the turn's own events are read."""
        number = ticket.numbered.result()
        turn = fold(await self.store.read(conversation, turn=number)).turn(number)
        if turn is None:
            raise TurnBroken(number, "its events are gone from the log")
        reply = replace(reply_of(turn), replayed=True)
        _release(ticket, reply)
        ticket.feed.finish(reply)

    async def _stopped(self, ticket: Ticket, opening: Opening) -> None:
        """A cancelled turn is recorded as failed; a loop that ends leaves it open, as a crash would."""
        number = ticket.numbered.result() if ticket.numbered.done() else 0
        error = TurnCancelled(number)
        if ticket.cancelled and number:
            failed = TurnFailed("cancelled", str(error), retry=True, released=ticket.feed.released)
            try:
                await self.store.append(opening.conversation, number, [failed], self.clock())
            except TurnNotOpen:
                pass  # it had closed before the cancellation arrived
            except TurnstateError as failure:
                ticket.feed.finish(failure)
        ticket.feed.finish(error)
        if not ticket.cancelled:
            raise asyncio.CancelledError

    async def _settle(self, lane: Lane, crew: Crew) -> None:
        if crew.reading is None or lane.settling:
            return
        lane.settling = True
        try:
            while unread(history := await lane.load()):
                await learn_by_model(crew.reading, crew.store, history, crew.clock)
        except TurnstateError:
            pass  # unread turns are read after the next turn
        finally:
            lane.settling = False

    async def _prepare(self, lane: Lane, crew: Crew, history: History) -> None:
        try:
            await write_ahead(crew, history)
        except TurnstateError:
            pass  # the cut writes what it needs itself
        finally:
            if lane.preparing is not None:
                preparing, lane.preparing = lane.preparing, None
                preparing.set_result(None)


async def _follow(other: Ticket, ticket: Ticket) -> None:
    """Two sends with one key are one turn: the later one hears what the earlier one gets."""
    index = 0
    while ticket.streaming and (sentence := await other.feed.sentence(index)) is not None:
        ticket.feed.release(sentence)
        index += 1
    reply = await other.feed.reply()
    _release(ticket, reply)
    ticket.feed.finish(reply)


def _release(ticket: Ticket, reply: Reply) -> None:
    """Give a reader of sentences the whole reply, where nothing of it was written before their eyes."""
    for sentence in split(reply.text) if ticket.streaming and not ticket.feed.released else ():
        ticket.feed.release(sentence)
