"""The front door: an assistant and its conversations."""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from typing import Any, Self, TypeVar, cast, get_args

from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from turnstate.core.context.budget import Budget
from turnstate.core.context.draft import LONGEST
from turnstate.core.context.strategies import strategy as strategy_named
from turnstate.core.context.types import Strategy
from turnstate.core.events import ApprovalAnswered, Rated, Recorded
from turnstate.core.facts import Fact, Facts, Key, forgotten, told
from turnstate.core.state import State, name_of
from turnstate.errors import BudgetError, MessageError, SettingError, StoreClosed, TeamError
from turnstate.models.extractor import ModelExtractor
from turnstate.models.family import wire_of
from turnstate.models.resolve import PerLoop
from turnstate.models.summarizer import ModelSummarizer
from turnstate.models.window import window_of
from turnstate.ports import ConversationInfo, FactExtractor, Log, Receipt, Summarizer
from turnstate.redaction import Kind, checked, redacting
from turnstate.stores import open_log
from turnstate.turn.crew import Crew
from turnstate.turn.desk import Desk
from turnstate.turn.feed import Feed
from turnstate.turn.incoming import Incoming, Message, check_id, opening
from turnstate.turn.leases import OnBusy, Policy
from turnstate.turn.reading import recall_tool
from turnstate.turn.reply import Approval, Rating, Reply
from turnstate.turn.scene import Scene, record_tool
from turnstate.turn.settle import FactReading
from turnstate.turn.speak import Speaker
from turnstate.turn.summaries import ExtractiveSummarizer, Guarded
from turnstate.turn.team import Team
from turnstate.turn.tools import AnyTool, Offer, Toolbox

S = TypeVar("S", bound=State)

BUDGET = Budget(target=8_000)
"""The budget where none is given."""


def now() -> int:
    """The time, in microseconds since the epoch."""
    return time.time_ns() // 1_000


def never_back(clock: Callable[[], int]) -> Callable[[], int]:
    """`clock`, but for when it jumps back: then the time stands still until it is what it was.

    What was said later would otherwise count as said before, and a correction of a fact as corrected already.
    """
    newest = 0

    def forward() -> int:
        nonlocal newest
        newest = max(newest, clock())
        return newest

    return forward


class Assistant:
    """An agent with a bounded context, facts that persist, and a log that keeps every turn.

    Use it as an async context manager; it may serve any number of conversations, from any event loop.

    Args:
        model: "offline", "local:PATH.gguf", a pydantic-ai id such as "anthropic:claude-sonnet-5-5", or a pydantic-ai
            `Model`; or a list of them: where one fails before it said anything, the next is asked.
        team: agents with states of their own, or None for one agent that does everything.
        instructions: the system text. Keep clocks and ids out of it: it stands at the head of every request.
        tools: functions, `turnstate.tool`s, pydantic-ai tools and toolsets, MCP servers.
        facts: the class that declares what is worth remembering about a user, or None.
        extract: how facts are read: "rules" (no call), "model" (a call after the turn, with this model), a model id,
            or a `FactExtractor` of your own.
        budget: what a request may have.
        strategy: "append", "truncate", "summarize", "hybrid", or a function from `Room` to `Choice`.
        summarizer: "extractive" (no call), "model", a model id, or a `Summarizer` of your own.
        store: a store URL such as "sqlite:///chat.db" or "memory:", or a `Log` of your own, which you close.
        tenant: whose data this is; a store shows a tenant nothing of another.
        settings: pydantic-ai's model settings. Prompt caching is on unless they say otherwise.
        max_rounds: the most model requests of one turn.
        on_busy: what a message does that comes while a turn of its conversation runs, in this process or another:
            "queue" (wait, in order of arrival), "merge" (be answered together with the others that wait), "interrupt"
            (stop the running turn) or "reject" (`ConversationBusy`, and nothing is recorded).
        debounce: for how many seconds a message waits for others to be answered together with.
        lease: after how many seconds without a heartbeat another process may take a running turn over.
        redact: kinds of values that are masked in what the library logs, traces and raises, as {"email", "phone"};
            the event log keeps them. See `turnstate.redaction`.
        clock: now, in microseconds since the epoch.

    Raises:
        WiringError: something does not fit together; said before any token is spent.
    """

    def __init__(
        self,
        model: str | Model | Sequence[str | Model],
        *,
        team: Team | None = None,
        instructions: str = "",
        tools: Sequence[AnyTool] = (),
        facts: type[Facts] | None = None,
        extract: str | FactExtractor = "rules",
        budget: Budget = BUDGET,
        strategy: str | Strategy = "hybrid",
        summarizer: str | Summarizer = "extractive",
        store: str | Log = "sqlite:///turnstate.db",
        tenant: str = "default",
        settings: ModelSettings | None = None,
        max_rounds: int = 16,
        on_busy: OnBusy = "queue",
        debounce: float = 0,
        lease: float = 15,
        redact: Collection[Kind] = (),
        clock: Callable[[], int] = now,
    ) -> None:
        _check(budget, max_rounds)
        self._policy = _policy(on_busy, debounce, lease)
        listed = [model] if isinstance(model, str | Model) else _listed(model)
        if not listed:
            raise SettingError("model", "is an empty list", "Give at least one model.")
        self._models = [PerLoop(each) for each in listed]
        self._all_models = list(self._models)
        self._team = team
        own = {agent.model for agent in team.agents if agent.model} if team is not None else set[str]()
        self._cast = {model: self._also(model) for model in sorted(own)}
        self._instructions = instructions
        # Half of the longest text that is shown whole: whatever the provider counts, what is read is not shortened again.
        most = min(budget.recalled, budget.target // LONGEST) // 2
        reader = recall_tool(lambda: self._at_desk().store, most) if most else None
        self._toolbox = Toolbox(tools, reader)
        self._reading = self._reader(facts, extract) if facts is not None else None
        self._budget = budget
        self._strategy = strategy_named(strategy)
        self._summarizer = self._summarizer_for(summarizer)
        self._store = store
        self._tenant = tenant
        self._settings = ModelSettings(cache=True) | (settings or ModelSettings())
        self._max_rounds = max_rounds
        self._redact = checked(redact)
        self._clock = never_back(clock)
        self._learned: dict[str, int] = {}
        self._stack: AsyncExitStack | None = None
        self._desk: Desk | None = None

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as stack:
            log = open_log(self._store, tenant=self._tenant) if isinstance(self._store, str) else self._store
            if log is not self._store:
                stack.push_async_callback(log.close)
            await stack.enter_async_context(self._toolbox)
            for models in self._all_models:
                stack.push_async_callback(models.close)
                await models.open_here()
            if self._redact:
                stack.callback(redacting(self._redact))
            self._desk = Desk(log, self._clock, self._crew, self._policy)
            self._desk.redact = self._redact
            stack.push_async_callback(self._desk.drain)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Wait for the turns in flight and what follows them, then release the store."""
        if self._stack is not None:
            stack, self._stack = self._stack, None
            try:
                await stack.aclose()
            finally:
                self._desk = None

    def _at_desk(self) -> Desk:
        if self._desk is None:
            raise StoreClosed
        return self._desk

    @property
    def log(self) -> Log:
        """The log, for reading.

        Raises:
            StoreClosed: outside the `async with` block.
        """
        return self._at_desk().store

    def conversation(self, id: str, *, user: str | None = None, deps: Any = None) -> Conversation:  # noqa: A002
        """A conversation, new or resumed. Nothing is read or written until it is used.

        Args:
            id: any string of 1 to 512 characters; never used as a path.
            user: whose it is; the facts of all of a user's conversations are shared. Without a user, facts stay with
                the conversation.
            deps: what tools receive as `ctx.deps`.

        Raises:
            IdError: an id is empty, too long or not a string.
        """
        check_id("conversation", id)
        if user is not None:
            check_id("user", user)
        keys: Mapping[str, Key] = self._reading.keys if self._reading is not None else {}
        return Conversation(self._at_desk, keys, id, user=user, deps=deps, team=self._team)

    async def facts(self, user: str) -> tuple[Fact, ...]:
        """What is on record about a user, in the order it was learned; expired facts are left out.

        Raises:
            IdError: the user cannot be an id.
        """
        check_id("user", user)
        return await self._at_desk().facts(user, "")

    async def erase(self, *, conversation: str | None = None, user: str | None = None) -> Receipt:
        """Delete a conversation, or all of a user's conversations and facts, for good.

        A turn that is running then stays deleted: what it writes later is refused.

        Args:
            conversation: its id, or None.
            user: whose everything is deleted, or None; give one of the two.

        Returns:
            What is gone, and what erasing cannot reach.

        Raises:
            SettingError: neither or both were given.
        """
        if (conversation is None) == (user is None):
            raise SettingError("erase()", "takes a conversation or a user", "Give exactly one of them.")
        return await self._at_desk().erase(conversation, user)

    async def retain(
        self,
        older_than: timedelta,
        *,
        user: str | None = None,
        keep: Callable[[ConversationInfo], bool] | None = None,
    ) -> tuple[Receipt, ...]:
        """Delete turns that ended long ago, whole, and conversations of which nothing else is left.

        The newest values of states stay as long as their conversation does. Facts go with the turns that taught them.

        Args:
            older_than: how long ago.
            user: only this user's conversations, or None for all.
            keep: says which conversations are kept as they are, or None for a rule that keeps none.

        Returns:
            A receipt for each conversation of which something is gone.

        Raises:
            SettingError: the age is negative.
        """
        if older_than < timedelta(0):
            raise SettingError("older_than", f"is {older_than}", "Give a timedelta of at least 0.")
        before = self._clock() - int(older_than.total_seconds() * 1_000_000)
        return await self._at_desk().retain(before, user, keep)

    async def _crew(self, incoming: Incoming, turn: int) -> Crew:
        for models in self._all_models:
            await models.open_here()
        first = self._models[0].get()
        offer = await self._toolbox.offer(incoming.deps, first, incoming.opening.conversation, turn)
        if self._team is not None and self._team.recorded:
            offer = replace(offer, record=record_tool(self._team.recorded))
        speakers = [self._speaker(models, offer) for models in self._models]
        cast = {model: [self._speaker(models, offer)] for model, models in self._cast.items()}
        scene = None if self._team is None else Scene(self._team, lambda a: cast.get(a.model, speakers)[0])
        return Crew(
            store=self._at_desk().store,
            clock=self._clock,
            speakers=speakers,
            offer=offer,
            summarizer=self._summarizer,
            reading=self._reading,
            budget=self._budget,
            strategy=self._strategy,
            max_rounds=self._max_rounds,
            learned=self._learned,
            scene=scene,
            cast=cast,
        )

    def _speaker(self, models: PerLoop, offer: Offer) -> Speaker:
        model = models.get()
        return Speaker(
            model=model,
            name=models.name,
            instructions=self._instructions,
            tools=offer.definitions,
            settings=self._settings,
            wire=wire_of(model),
            window=getattr(model, "context_window", None) or window_of(models.name),
        )

    def _also(self, model: str) -> PerLoop:
        self._all_models.append(PerLoop(model))
        return self._all_models[-1]

    def _reader(self, facts: type[Facts], extract: str | FactExtractor) -> FactReading:
        keys = facts.keys()
        if not isinstance(extract, str):
            return FactReading(keys, extract)
        if extract == "rules":
            return FactReading(keys)
        models = self._models[0] if extract == "model" else self._also(extract)
        return FactReading(keys, ModelExtractor(models.get))

    def _summarizer_for(self, summarizer: str | Summarizer) -> Summarizer:
        if not isinstance(summarizer, str):
            return Guarded(summarizer)
        if summarizer == "extractive":
            return ExtractiveSummarizer()
        models = self._models[0] if summarizer == "model" else self._also(summarizer)
        return Guarded(ModelSummarizer(models.get, models.name))


class Conversation:
    """One conversation of an assistant; made by `Assistant.conversation`.

    Attributes:
        id: its id.
        user: whose it is, or None.
        deps: what tools receive.
    """

    def __init__(
        self,
        desk: Callable[[], Desk],
        keys: Mapping[str, Key],
        id: str,  # noqa: A002
        *,
        user: str | None = None,
        deps: Any = None,
        team: Team | None = None,
    ) -> None:
        self._team = team
        self._desk = desk
        self._keys = keys
        self.id = id
        self.user = user
        self.deps = deps

    async def send(self, message: Message, *, key: str | None = None) -> Reply:
        """Say something and wait for the reply.

        The message is durable before any model is called. The turn goes on if the caller stops waiting.

        Args:
            message: text, or a list of text, images and documents.
            key: the client's id for this message: the same key and message give the one recorded reply.

        Raises:
            TurnError: the turn did not close; says what is durable and whether to try again.
            StoreError: the log could not be written.
            IdError: the key cannot be an id.
        """
        return await self._take(message, key, streaming=False).reply()

    def stream(self, message: Message, *, key: str | None = None) -> Stream:
        """Say something and read the reply sentence by sentence, while it is written.

        Args:
            message: as for `send`.
            key: as for `send`.

        Returns:
            An async iterator of sentences; nothing is sent before the first is asked for. What was released is never
            changed. Joined, and without white space at the ends, the sentences are the reply's text.
        """
        return Stream(lambda: self._take(message, key, streaming=True))

    def _take(self, message: Message, key: str | None, *, streaming: bool) -> Feed:
        desk = self._desk()
        opened = opening(self.id, self.user, key, message, desk.clock())
        return desk.take(Incoming(opened, self.deps), streaming=streaming)

    async def cancel(self) -> bool:
        """Stop the turn in flight; its message stays and may be sent again with the same key.

        Returns:
            Whether there was one.
        """
        return await self._desk().cancel(self.id)

    async def events(self, *, after: int = 0) -> tuple[Recorded, ...]:
        """The log of the conversation, in order, behind seq `after`."""
        return await self._desk().store.read(self.id, after=after)

    async def facts(self) -> tuple[Fact, ...]:
        """The facts in force: the user's, or the conversation's where it has no user."""
        return await self._desk().facts(self.user, self.id)

    async def pin(self, turn: int) -> None:
        """Keep a turn in view, word for word, whatever else leaves it.

        Args:
            turn: the number of a turn that has closed, as in `Reply.turn`.

        Raises:
            TurnUnknown: there is no such turn, or it has not closed.
        """
        await self._desk().pin(self.id, turn, on=True)

    async def unpin(self, turn: int) -> None:
        """Let a pinned turn go; one that is not pinned stays as it is.

        Raises:
            TurnUnknown: there is no such turn, or it has not closed.
        """
        await self._desk().pin(self.id, turn, on=False)

    async def rate(self, turn: int, score: float, *, by: str = "", comment: str = "") -> None:
        """Record how good a reply was; the same person's next word about it replaces the last.

        Args:
            turn: the number of a turn that has closed, as in `Reply.turn`.
            score: any finite number; the scale is the application's.
            by: who says it.
            comment: their words.

        Raises:
            TurnUnknown: there is no such turn, or it has not closed.
            SettingError: the score is no finite number.
        """
        await self._desk().rate(self.id, turn, Rated(_finite(score), by, comment))

    async def ratings(self) -> tuple[Rating, ...]:
        """How good the replies were, in order of turns: of each person the newest word about each turn."""
        return await self._desk().ratings(self.id)

    async def state(self, state: type[S]) -> S:
        """The value of a state as of the last turn that closed; its defaults where nothing is on record.

        Args:
            state: a class that one of the team's agents owns.

        Raises:
            TeamError: the team has no such state.
        """
        if self._team is None or state not in self._team.states:
            raise TeamError("team", f"has nobody who owns {name_of(state)}", "Ask for a state of the team.")
        return await self._desk().state(self.id, state, self._team)

    async def handoff(self, reason: str) -> str:
        """Let a person take over. Messages that come meanwhile are recorded, and no agent answers them.

        Args:
            reason: why, for the log and the person.

        Returns:
            A note for the person, made from state and facts.

        Raises:
            HandoffError: a person has taken over already.
        """
        return await self._desk().hand_off(self.id, self.user, reason, self._team)

    async def answer(self, text: str, *, by: str) -> int:
        """Record what a person says to the user in the agent's place. It is part of the conversation from then on.

        Args:
            text: the words.
            by: who says it.

        Returns:
            The number of the turn that it answers.

        Raises:
            HandoffError: the conversation is not with a person, or there is nothing to answer.
            MessageError: the text is empty.
        """
        if not text.strip():
            raise MessageError("is empty")
        return await self._desk().answer(self.id, by, text.strip())

    async def post(self, text: str) -> int:
        """Say something unasked, as the assistant: a greeting, a reminder. No model is called.

        It is part of the conversation from then on: the next reply knows it. It waits for the turns that are running here.

        Args:
            text: the words.

        Returns:
            The number of the turn that it stands behind; 0 where the user has said nothing yet.

        Raises:
            MessageError: the text is empty.
            UserConflict: the conversation belongs to another user.
        """
        if not text.strip():
            raise MessageError("is empty")
        return await self._desk().post(self.id, self.user, text.strip())

    async def resume(self, *, by: str = "") -> None:
        """Let the agent take over again; its next brief is made from state, and it sees what was said meanwhile.

        Args:
            by: who gives the conversation back.

        Raises:
            HandoffError: the conversation is not with a person.
        """
        await self._desk().resume(self.id, by)

    async def approvals(self) -> tuple[Approval, ...]:
        """The tool calls that wait for a person, in order; also those of days ago."""
        return await self._desk().approvals(self.id)

    async def approve(self, call_id: str, *, by: str = "") -> Reply:
        """Let a tool call run that waits for a person, and wait for the reply of its turn.

        It may be said days later and in another process; said again, it gives the recorded reply.

        Args:
            call_id: as in `Reply.approvals`.
            by: who approves.

        Returns:
            The reply of the turn, which waits for other approvals where there are any.

        Raises:
            ApprovalUnknown: no such call waits, or it was denied.
            TurnError: the turn did not close.
        """
        return await self._answered(call_id, ApprovalAnswered(call_id, approved=True, by=by))

    async def deny(self, call_id: str, reason: str = "", *, by: str = "") -> Reply:
        """Tell the model that a tool call will not run, and wait for the reply of its turn.

        Args:
            call_id: as in `Reply.approvals`.
            reason: why, in words for the model.
            by: who denies.

        Raises:
            ApprovalUnknown: no such call waits, or it was approved.
            TurnError: the turn did not close.
        """
        return await self._answered(call_id, ApprovalAnswered(call_id, approved=False, by=by, reason=reason))

    async def _answered(self, call_id: str, answer: ApprovalAnswered) -> Reply:
        desk = self._desk()
        opened = opening(self.id, self.user, None, "approval", desk.clock())
        return await desk.answer_call(Incoming(opened, self.deps), call_id, answer)

    async def remember(self, **values: object) -> tuple[Fact, ...]:
        """Put facts on record that the application knows to be true. What a user says never supersedes them.

        Args:
            **values: values by key of the facts class; a list for a `Many` key.

        Raises:
            FactsDeclarationError: no such key, or the value does not fit it.
        """
        desk = self._desk()
        facts = told(self._keys, values, conversation=self.id, at=desk.clock())
        return await desk.learn(facts, self.id, self.user)

    async def forget(self, *keys: str) -> tuple[Fact, ...]:
        """Take facts off the record, by key. The history of the key stays; nothing of it is used again.

        Raises:
            FactsDeclarationError: no such key.
        """
        desk = self._desk()
        facts = forgotten(self._keys, keys, await self.facts(), conversation=self.id, at=desk.clock())
        return await desk.learn(facts, self.id, self.user)


class Stream(AsyncIterator[str]):
    """The sentences of a reply while it is written.

    Args:
        start: sends the message; called when the first sentence is asked for.
    """

    def __init__(self, start: Callable[[], Feed]) -> None:
        self._start = start
        self._feed: Feed | None = None
        self._read = 0

    def _begun(self) -> Feed:
        if self._feed is None:
            self._feed = self._start()
        return self._feed

    def __aiter__(self) -> Stream:
        return self

    async def __anext__(self) -> str:
        # Counted when it is here: a reader that times out and asks again gets the same sentence.
        index = self._read
        sentence = await self._begun().sentence(index)
        if sentence is None:
            raise StopAsyncIteration
        self._read = max(self._read, index + 1)
        return sentence

    async def reply(self) -> Reply:
        """The recorded reply; waits for the end, whether the sentences were read or not.

        Raises:
            TurnError: the turn did not close.
        """
        return await self._begun().reply()


def _listed(models: Any) -> list[str | Model]:
    """A list of models; what is none is left for the resolver to refuse."""
    return list(cast("Sequence[Any]", models)) if isinstance(models, Sequence) else [models]


def _policy(on_busy: object, debounce: object, lease: object) -> Policy:
    if on_busy not in get_args(OnBusy):
        raise SettingError("on_busy", f"is {on_busy!r}", f"Choose one of {', '.join(get_args(OnBusy))}.")
    if isinstance(debounce, bool) or not isinstance(debounce, int | float) or not 0 <= debounce <= 60:
        raise SettingError("debounce", f"is {debounce!r}", "Give seconds from 0 to 60.")
    if isinstance(lease, bool) or not isinstance(lease, int | float) or not 0.05 <= lease <= 300:
        raise SettingError("lease", f"is {lease!r}", "Give seconds from 0.05 to 300.")
    return Policy(cast("OnBusy", on_busy), debounce, lease)


def _finite(score: object) -> float:
    if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        raise SettingError("score", f"is {score!r}", "Give a finite number.")
    return float(score)


def _check(budget: object, max_rounds: object) -> None:
    if not isinstance(budget, Budget):
        raise BudgetError(f"budget={budget!r} is not a Budget")
    if isinstance(max_rounds, bool) or not isinstance(max_rounds, int) or max_rounds < 1:
        raise SettingError("max_rounds", f"is {max_rounds!r}", "Give a whole number of at least 1.")
