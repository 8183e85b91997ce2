"""Where messages arrive: each becomes a task of its own, and a worker tells its turn.

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
from turnstate.core.events import ApprovalAnswered, FactsLearned, HandedOff, Rated, Resumed, Said, TurnPinned
from turnstate.core.facts import Fact, supersede
from turnstate.core.history import History, Turn, fold
from turnstate.core.messages import user_message
from turnstate.core.state import State
from turnstate.errors import HandoffError, TurnCancelled, TurnUnknown
from turnstate.ports import ConversationInfo, Log, Receipt
from turnstate.turn.approving import to_be_answered, waits_for
from turnstate.turn.crew import Crew
from turnstate.turn.feed import Feed
from turnstate.turn.handing import PERSON, POSTED, note
from turnstate.turn.incoming import Incoming
from turnstate.turn.lane import Lane, Ticket
from turnstate.turn.leases import Leases, Policy
from turnstate.turn.ownership import States
from turnstate.turn.reply import Approval, Rating, Reply, approvals_of
from turnstate.turn.retaining import EVERY, aged
from turnstate.turn.settling import Settling
from turnstate.turn.team import Team
from turnstate.turn.worker import Worker

S = TypeVar("S", bound=State)

QUEUE = Policy()
"""Messages wait, in order of arrival."""

LANES = 1_024
"""Conversations whose history stays folded in memory; the others are folded again from the log when needed."""


class Desk:
    """Takes messages for many conversations.

    Args:
        store: the log.
        clock: now, in microseconds since the epoch.
        crew: makes what a turn of this number works with, in the loop that the turn runs in.
        policy: how turns of one conversation follow each other.

    Attributes:
        store: the log.
        clock: now.
        redact: the kinds of values that are masked in errors.
    """

    def __init__(
        self,
        store: Log,
        clock: Callable[[], int],
        crew: Callable[[Incoming, int], Awaitable[Crew]],
        policy: Policy = QUEUE,
    ) -> None:
        self.store = store
        self.clock = clock
        self.redact: frozenset[str] = frozenset()
        leases = Leases(store, policy)
        self._worker = Worker(store, clock, crew, policy, leases, Settling(leases, self._start))
        self._lock = threading.Lock()  # protects _lanes and _tasks
        self._lanes: OrderedDict[str, Lane] = OrderedDict()
        self._tasks: dict[asyncio.Task[None], Future[None]] = {}

    def take(self, incoming: Incoming, *, streaming: bool) -> Feed:
        """Take a message; its turn runs in the current event loop. Order of arrival is the order of these calls."""
        lane = self._lane(incoming.opening.conversation)
        ticket = lane.take(streaming=streaming)
        return self._begin(lane, ticket, self._worker.run(lane, ticket, incoming))

    def _begin(self, lane: Lane, ticket: Ticket, work: Coroutine[Any, Any, None]) -> Feed:
        def ended(_: object) -> None:
            # A task that is cancelled before its first step runs none of its own code.
            ticket.feed.finish(TurnCancelled(0))
            lane.leave(ticket)

        ticket.feed.redact = self.redact
        ticket.task = self._start(work)
        ticket.task.add_done_callback(ended)
        return ticket.feed

    async def approvals(self, conversation: str) -> tuple[Approval, ...]:
        """The tool calls that wait for a person, in order."""
        history = fold(await self.store.load(conversation))
        return tuple(found for turn in history.turns for found in approvals_of(turn))

    async def answer_call(self, incoming: Incoming, call_id: str, answer: ApprovalAnswered) -> Reply:
        """Record what a person says to a tool call; the turn goes on when nothing else is waited for.

        Args:
            incoming: the conversation and its dependencies; the message is that of the turn.
            call_id: the call.
            answer: what the person says.

        Raises:
            ApprovalUnknown: there is no such call, or it was answered otherwise.
            TurnError: the turn did not close.
        """
        conversation = incoming.opening.conversation
        turn = to_be_answered(fold(await self.store.load(conversation)), call_id, answer)
        if waits_for(turn, call_id):
            await self.store.append(conversation, turn.number, [answer], self.clock())
        lane = self._lane(conversation)
        ticket = lane.take(streaming=False)
        opening = replace(incoming.opening, key=turn.key, digest=turn.digest, message=turn.user, at=turn.at)
        going = self._worker.go_on(lane, ticket, replace(incoming, opening=opening), turn.number)
        return await self._begin(lane, ticket, going).reply()

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

    async def rate(self, conversation: str, turn: int, rated: Rated) -> None:
        """Record how good the reply of a closed turn was.

        Raises:
            TurnUnknown: there is no such turn, or it has not closed.
        """
        found = fold(await self.store.read(conversation, turn=turn)).turn(turn)
        if found is None or found.status != "closed":
            raise TurnUnknown(conversation, turn, "absent" if found is None else found.status)
        await self.store.append(conversation, turn, [rated], self.clock())

    async def ratings(self, conversation: str) -> tuple[Rating, ...]:
        """How good the replies were, in order of turns; of one person the newest word about each."""
        newest: dict[tuple[int, str], Rating] = {}
        for found in await self.store.read(conversation):
            if isinstance(event := found.event, Rated):
                newest[found.turn, event.by] = Rating(
                    found.turn, event.score, event.by, event.comment, found.at
                )
        return tuple(newest[place] for place in sorted(newest))

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

    async def post(self, conversation: str, user: str | None, text: str) -> int:
        """Record what the assistant says unasked, behind the turns that run; returns the turn that it stands behind, or 0."""
        lane = self._lane(conversation)
        ticket = lane.take(streaming=False)
        try:
            ticket.numbered.set_result(EVERY)  # behind all that were opened before
            await lane.wait(ticket)
            await self.store.start(conversation, user, self.clock())
            ended = [turn for turn in (await lane.load()).turns if turn.status in {"closed", "failed"}]
            last = ended[-1].number if ended else 0
            await self.store.append(conversation, last, [Said(POSTED, text)], self.clock())
            return last
        finally:
            lane.leave(ticket)

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

    async def erase(self, conversation: str | None, user: str | None) -> Receipt:
        """Delete a conversation, or all of a user; what was folded of them is forgotten too."""
        gone = [conversation] if conversation is not None else []
        if user is not None:
            gone += [info.conversation for info in await self.store.conversations(user=user, limit=EVERY)]
        receipt = await self.store.erase(conversation=conversation, user=user, at=self.clock())
        with self._lock:
            for name in gone:
                if (lane := self._lanes.get(name)) is not None and lane.idle:
                    del self._lanes[name]
                elif lane is not None:
                    lane.history = None  # its running turn finds nothing, and is refused
        return receipt

    async def retain(
        self, before: int, user: str | None, keep: Callable[[ConversationInfo], bool] | None
    ) -> tuple[Receipt, ...]:
        """Delete what ended before a time; returns a receipt for each conversation of which something is gone."""
        receipts: list[Receipt] = []
        async for kept, old in aged(self.store, before, user, keep):
            if old.whole:
                receipts.append(await self.erase(kept.conversation, None))
            else:
                done = await self.store.erase_turns(kept.conversation, old.through, self.clock())
                receipts += [done] if done.events else []
        return tuple(receipts)

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
