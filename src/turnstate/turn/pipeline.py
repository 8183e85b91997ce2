"""The story of a turn, one line per step: load, heal, plan, speak, run tools, close.

It goes on from whatever is recorded: a response that is durable is not asked for again, a result that is durable is
used, and a tool that runs once and was cut off is never run again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from turnstate.core.context.budget import Budget
from turnstate.core.context.plan import plan
from turnstate.core.context.types import NeedCount, NeedRecall, NeedSummaries, Plan, Quote
from turnstate.core.events import (
    AgentActed,
    Event,
    FactsLearned,
    ModelResponded,
    Recorded,
    RequestTrace,
    Trace,
    TurnClosed,
    TurnFailed,
    TurnOpened,
    TurnPaused,
)
from turnstate.core.facts import Fact
from turnstate.core.history import History, Step, Turn, advance, as_sent, fold
from turnstate.core.messages import (
    ModelResponse,
    calls,
    response_text,
    text_response,
    user_message,
)
from turnstate.core.state import State
from turnstate.errors import (
    ContextTooLarge,
    EventEncodeError,
    ModelFailed,
    StoreError,
    TooManyRounds,
    TurnBroken,
    TurnError,
    TurnInterrupted,
    TurnNotOpen,
)
from turnstate.turn.calling import Calling
from turnstate.turn.crew import WALL, Crew, inputs_for, within
from turnstate.turn.guards import View
from turnstate.turn.handing import TAKEN
from turnstate.turn.lane import Lane, Ticket
from turnstate.turn.recall import recall
from turnstate.turn.reply import Reply, approvals_of, context_of, usage_of
from turnstate.turn.screen import Screen
from turnstate.turn.sentences import split
from turnstate.turn.settle import learn_by_rules
from turnstate.turn.speak import Overflow, Speaker, redacted
from turnstate.turn.summaries import ExtractiveSummarizer, write_summaries

log = logging.getLogger("turnstate.context")

EXTRACT = ExtractiveSummarizer()
"""Takes a summarizer's place where its calls would not pay."""

REWRITE = (
    "In your reply stands this sentence: {sentence}\nIt cannot be sent: {why}\n"
    "Write that one sentence again so that it can be, and nothing else."
)
"""What asks for a sentence to be written once more."""

PARAGRAPH = "\n\n"
"""What stands between the texts of several responses in one reply."""


class Telling:
    """One turn of one conversation, from what is recorded to its reply."""

    def __init__(self, crew: Crew, lane: Lane, ticket: Ticket, conversation: str) -> None:
        self._crew = crew
        self._lane = lane
        self._ticket = ticket
        self._conversation = conversation
        self._number = ticket.numbered.result()
        self._place = 0
        self._calling = Calling(crew, conversation, self._number, ticket.token)
        self._notes: tuple[str, ...] = ()
        self._recalled: dict[NeedRecall, tuple[Quote, ...]] = {}
        self._learned: tuple[Fact, ...] = ()
        self._speakers = crew.speakers
        self._rewritten = (0, 0)

    async def tell(self) -> Reply:
        """Bring the turn to its reply.

        Raises:
            TurnError: it did not close; the failure is recorded.
            StoreError: the log could not be written; what was recorded before stands.
        """
        history = await self._take_up()
        turn = self._turn(history)
        if turn.status == "closed":
            return replace(reply_of(turn), replayed=True)
        try:
            turn = await self._to_the_reply(history)
        except TurnNotOpen:
            # Another process may have brought the same turn to its end: its reply is the recorded one.
            turn = self._turn(await self._lane.load())
            if turn.failure is not None and turn.failure.reason == "interrupted":
                raise TurnInterrupted(self._number) from None
            if turn.status != "closed":
                raise
            return replace(reply_of(turn), replayed=True)
        except StoreError as error:
            if isinstance(error, EventEncodeError):
                await self._record(
                    TurnFailed("internal", str(error), retry=False, released=self._ticket.feed.released)
                )
            raise
        except TurnError as error:
            await self._record(_failure(error, self._ticket.feed.released))
            raise
        except Exception as error:
            broken = TurnBroken(self._number, redacted(f"{type(error).__name__}: {error}"))
            await self._record(_failure(broken, self._ticket.feed.released))
            raise broken from error
        return replace(reply_of(turn), facts=self._learned)

    async def merge(self, later: int) -> None:
        """Close the turn without a word of its own: the reply of turn `later` answers it too.

        Raises:
            StoreError: the log could not be written.
        """
        turn = self._turn(await self._take_up())
        learned = self._learn(turn)
        closed = TurnClosed("", Trace(notes=(f"Answered together with turn {later}.",)), later)
        await self._record(*(() if learned is None else (learned,)), closed)

    async def _take_up(self) -> History:
        """Load, and reopen this turn if it had failed or was waiting for a person."""
        history = self._lane.history
        if history is None or not self._ticket.new or history.turn(self._number) is None:
            history = await self._lane.load()
        turn = self._turn(history)
        if turn.status not in {"failed", "paused"}:
            return history
        try:
            return await self._record(TurnOpened(turn.key, turn.digest, turn.user))
        except TurnNotOpen as error:
            raise TurnInterrupted(self._number) from error

    async def _to_the_reply(self, history: History) -> Turn:
        self._catch_up(self._turn(history))
        while True:
            turn = self._turn(history)
            if turn.status in {"closed", "paused"}:
                return turn
            if turn.steps and (pending := turn.steps[-1].pending):
                if all(call.awaits for call in pending):
                    history = await self._record(TurnPaused(_text_of(turn)))
                    continue
                await self._calling.run(turn, turn.steps[-1], self._record)
                history = await self._lane.load()
            elif turn.steps and self._done(turn.steps[-1]):
                history = await self._record(*self._closing(history, turn))
            elif len(turn.steps) >= self._crew.max_rounds:
                raise TooManyRounds(len(turn.steps))
            else:
                history = await self._next(history, turn)

    async def _next(self, history: History, turn: Turn) -> History:
        """Let those think who have not, then let one speak: with its own words, or through a model."""
        scene = self._crew.scene
        if history.handed_off and not turn.steps:
            learned = self._learn(turn)
            closed = TurnClosed("", Trace(notes=(TAKEN,)))
            return await self._record(*(() if learned is None else (learned,)), closed)
        if scene is None:
            return await self._ask(history, turn)
        if (stage := scene.stage(turn)) is not None:
            return await self._record(*await scene.think(stage, history, turn))
        if not turn.steps and (said := await scene.own_words(history, turn)):
            return await self._record(*said, *self._closing(history, _after(turn, said, self._crew.clock())))
        self._speakers = self._crew.cast.get(scene.speaker(history, turn).model, self._crew.speakers)
        return await self._ask(history, turn)

    def _done(self, step: Step) -> bool:
        """Whether a step ends the turn: it calls nothing that has to be run, and says something."""
        called = calls(step.response)
        return not called or (
            all(map(self._crew.offer.records, called)) and bool(response_text(step.response).strip())
        )

    async def _ask(self, history: History, turn: Turn) -> History:
        """One round. Where a model fails before it said anything, the next of the list is asked."""
        while True:
            try:
                return await self._ask_speaker(history, turn)
            except ModelFailed as error:
                if error.released or self._place + 1 == len(self._speakers):
                    raise
                self._place += 1
                failed = f"{error.model} failed ({error.reason}); {self._speaker.name} was asked instead."
                self._notes = (*self._notes, failed)
                log.warning("%s", failed)
                history = self._lane.history or history

    async def _ask_speaker(self, history: History, turn: Turn) -> History:
        """Plan, speak, record. The last response and the end of the turn are one transaction."""
        speaker, round_number = self._speaker, len(turn.steps) + 1
        retried = ""
        while True:
            budget = self._budget(speaker)
            planned = await self._plan(history, turn, budget)
            history = self._lane.history or history
            self._say(planned, round_number, budget)
            screen = self._screen(history, turn)
            try:
                response = await speaker.speak(
                    planned.messages, screen.feed if self._ticket.streaming else None
                )
            except Overflow as error:
                # The wall is nearer than the budget says: learn it, and plan well below what was just refused.
                refused = min(planned.count.best, error.limit or planned.count.best)
                self._crew.learned[speaker.name] = max(1, refused * 4 // 5)
                if retried:
                    raise ModelFailed(speaker.name, error.reason, retry=False) from error
                retried = error.reason
                continue
            break
        trace = RequestTrace(
            round=round_number,
            count=planned.count,
            target=budget.target,
            cut=planned.cut,
            managed=planned.managed,
            dropped=planned.dropped,
            summarised=planned.summarised,
            retried=retried,
            notes=(*self._notes, *planned.notes),
            recalled=planned.recalled,
        )
        if not self._ticket.streaming and not screen.idle:
            for sentence in split(response_text(response)):
                screen.feed(sentence)
        await screen.settle(lambda sentence, why: self._rewrite(planned, response, sentence, why))
        responded = ModelResponded(speaker.name, response, trace)
        step = Step(response, (), trace, speaker.name)
        after = replace(turn, steps=(*turn.steps, step), guards=(*turn.guards, *screen.acts))
        moved = planned.cut != history.cut
        if not self._done(step):
            return await self._record(responded, *screen.acts, moved=moved)
        noted = self._calling.noted(after, step)
        closing = self._closing(history, after)
        return await self._record(responded, *screen.acts, *noted, *closing, moved=moved)

    async def _rewrite(self, planned: Plan, response: ModelResponse, sentence: str, why: str) -> str:
        """Have a sentence written once more, with what is wrong with it."""
        said = text_response(response_text(response), 0)
        asked = user_message(REWRITE.format(sentence=sentence, why=why), self._crew.clock())
        again = await replace(self._speaker, tools=()).speak([*planned.messages, said, asked])
        used = again.usage
        self._rewritten = (self._rewritten[0] + used.input_tokens, self._rewritten[1] + used.output_tokens)
        return response_text(again)

    def _screen(self, history: History, turn: Turn) -> Screen:
        """What is between the sentences of a response and those who read them."""
        scene = self._crew.scene
        if scene is None:
            return Screen((), View(history, turn, "", _no_state), self._release())
        return Screen(scene.team.guards, scene.view(history, turn), self._release())

    @property
    def _speaker(self) -> Speaker:
        return self._speakers[self._place]

    def _budget(self, speaker: Speaker) -> Budget:
        """The budget for this model: its own window and what an overflow taught of it are walls."""
        walls = (self._crew.learned.get(speaker.name), speaker.window and int(speaker.window * WALL))
        return within(self._crew.budget, min((wall for wall in walls if wall), default=None))

    def _release(self) -> Callable[[str], None] | None:
        """Where the sentences of one response go; joined with those before, they are the text that is recorded."""
        if not self._ticket.streaming:
            return None
        feed = self._ticket.feed
        held = PARAGRAPH if feed.released else ""
        begun = False

        def release(sentence: str) -> None:
            # White space at the ends of a response is not part of the reply: it waits for what follows.
            nonlocal held, begun
            text = sentence if begun else sentence.lstrip()
            if not text.strip():
                held += text if begun else ""
                return
            begun = True
            feed.release(held + text.rstrip())
            held = text[len(text.rstrip()) :]

        return release

    def _catch_up(self, turn: Turn) -> None:
        """Give a reader of sentences what a turn that goes on has already said."""
        if self._ticket.streaming and not self._ticket.feed.released:
            for sentence in split(_text_of(turn)):
                self._ticket.feed.release(sentence)

    async def _plan(self, history: History, turn: Turn, budget: Budget) -> Plan:
        inputs = await inputs_for(self._crew, self._speaker, history, turn, budget)
        if self._crew.scene is not None:
            inputs = replace(inputs, brief=self._crew.scene.brief(history, turn))
        planning = plan(inputs)
        try:
            need = next(planning)
            while True:
                match need:
                    case NeedCount():
                        need = planning.send(await self._speaker.count(need.messages))
                    case NeedSummaries():
                        if await self._lane.prepared():
                            return await self._plan(await self._lane.load(), turn, budget)
                        summarizer = EXTRACT if need.quick else self._crew.summarizer
                        written = await write_summaries(summarizer, need.excerpts, history.head)
                        await self._record(*written)
                        need = planning.send(written)
                    case NeedRecall():
                        need = planning.send(await self._recall(need))
        except StopIteration as end:
            return end.value

    async def _recall(self, need: NeedRecall) -> tuple[Quote, ...]:
        """What the log has about the newest message; the rounds of a turn ask the same, and are told the same."""
        if need not in self._recalled:
            try:
                found = await recall(self._crew.store, self._conversation, need)
            except Exception as error:  # noqa: BLE001 - what is recalled helps; that it is missing costs no turn
                self._notes = (*self._notes, redacted(f"Nothing could be recalled: {error}"))
                found = ()
            self._recalled[need] = found
        return self._recalled[need]

    def _say(self, planned: Plan, round_number: int, budget: Budget) -> None:
        if planned.managed:
            log.info("%s", planned.managed)
        log.debug(
            "[request] turn %d.%d: %s tok of %s",
            self._number,
            round_number,
            f"{planned.count.best:,}",
            f"{budget.target:,}",
        )

    def _closing(self, history: History, turn: Turn) -> tuple[Event, ...]:
        usage, sent = usage_of(turn), as_sent(turn)
        scene = self._crew.scene
        acted = () if scene is None else scene.closing(history, turn)
        notes = tuple(note for event in acted if isinstance(event, AgentActed) for note in event.notes)
        tokens = (usage.input_tokens + self._rewritten[0], usage.output_tokens + self._rewritten[1])
        trace = Trace(usage.requests, *tokens, notes)
        text = _text_of(sent)
        closed = TurnClosed(None if text == response_text(sent.steps[-1].response).strip() else text, trace)
        learned = self._learn(sent)
        return (*acted, learned, closed) if learned is not None else (*acted, closed)

    def _learn(self, turn: Turn) -> FactsLearned | None:
        if self._crew.reading is None:
            return None
        history = self._lane.history or History()
        event = learn_by_rules(self._crew.reading, history, turn)
        self._learned = event.facts
        return event if event.facts or event.problems else None

    async def _record(self, *events: Event, moved: bool = False) -> History:
        """Record events of this turn in one transaction; `moved` says that the view moved, and the snapshot with it."""
        store, at = self._crew.store, self._crew.clock()
        snapshot = None
        if moved:
            known = self._lane.history or History()
            ahead = [
                Recorded(self._conversation, known.head + 1 + i, self._number, at, e)
                for i, e in enumerate(events)
            ]
            snapshot = fold(ahead, known).snapshot()
        return await self._lane.absorb(
            await store.append(
                self._conversation, self._number, events, at, snapshot=snapshot, token=self._ticket.token
            )
        )

    def _turn(self, history: History) -> Turn:
        if (turn := history.turn(self._number)) is None:
            raise TurnInterrupted(self._number)
        return turn


def _after(turn: Turn, events: Sequence[Event], at: int) -> Turn:
    """`turn` after events that are recorded together with those that are made of it."""
    for event in events:
        turn = advance(turn, Recorded("", 0, turn.number, at, event))
    return turn


def _no_state(state: type[State]) -> State:
    return state()


def _text_of(turn: Turn) -> str:
    """All that the assistant said in a turn, one paragraph for each response."""
    return PARAGRAPH.join(text for step in turn.steps if (text := response_text(step.response).strip()))


def reply_of(turn: Turn) -> Reply:
    """The recorded reply of a closed turn, or what a paused one has said and waits for."""
    waits = turn.status == "closed" and not turn.steps
    text = _text_of(turn) if turn.status == "paused" else turn.reply
    return Reply(
        text,
        turn.number,
        context_of(turn),
        usage=usage_of(turn),
        handed_off=waits,
        approvals=approvals_of(turn),
    )


def _failure(error: TurnError, released: str) -> TurnFailed:
    match error:
        case ModelFailed():
            reason = "model"
        case ContextTooLarge():
            reason = "context"
        case TooManyRounds():
            reason = "rounds"
        case _:
            reason = "internal"
    return TurnFailed(reason, str(error), retry=error.retry, released=released)
