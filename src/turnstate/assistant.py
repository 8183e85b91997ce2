"""The front door: an assistant and its conversations."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias
from weakref import WeakKeyDictionary

from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from turnstate.core.context.budget import Budget
from turnstate.core.context.strategies import strategy as strategy_named
from turnstate.core.context.types import Strategy
from turnstate.core.events import FactsLearned, Recorded
from turnstate.core.facts import Fact, Facts, forgotten, told
from turnstate.core.messages import ModelRequest, UserContent, dump, user_message, user_text
from turnstate.errors import IdError, MessageError, StoreClosed
from turnstate.models.extractor import ModelExtractor
from turnstate.models.resolve import model_name, resolve
from turnstate.models.summarizer import ModelSummarizer
from turnstate.ports import FactExtractor, Log, Opening, Summarizer
from turnstate.stores import open_log
from turnstate.turn.desk import Desk, Incoming
from turnstate.turn.feed import Feed
from turnstate.turn.pipeline import Crew
from turnstate.turn.reply import Reply
from turnstate.turn.settle import FactReading
from turnstate.turn.speak import Speaker
from turnstate.turn.summaries import ExtractiveSummarizer
from turnstate.turn.tools import AnyTool, Toolbox

Message: TypeAlias = str | Sequence[UserContent]
"""What a user sends: text, or a list of text, images and documents."""

LONGEST_ID = 512
"""Characters of the longest id."""


def _now() -> int:
    return time.time_ns() // 1_000


class Assistant:
    """An agent with a bounded context, facts that persist, and a log that keeps every turn.

    Use it as an async context manager; it may serve any number of conversations, from any event loop.

    Args:
        model: "offline", a pydantic-ai id such as "anthropic:claude-sonnet-4-5", or a pydantic-ai `Model`.
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
        clock: now, in microseconds since the epoch.

    Raises:
        WiringError: something does not fit together; said before any token is spent.
    """

    def __init__(
        self,
        model: str | Model,
        *,
        instructions: str = "",
        tools: Sequence[AnyTool] = (),
        facts: type[Facts] | None = None,
        extract: str | FactExtractor = "rules",
        budget: Budget = Budget(target=8_000),  # noqa: B008 - frozen
        strategy: str | Strategy = "hybrid",
        summarizer: str | Summarizer = "extractive",
        store: str | Log = "sqlite:///turnstate.db",
        tenant: str = "default",
        settings: ModelSettings | None = None,
        max_rounds: int = 16,
        clock: Callable[[], int] = _now,
    ) -> None:
        self._models = _Models(model)
        self._models.get()  # an unknown model or a missing key is said here, not in the first turn
        self._instructions = instructions
        self._toolbox = Toolbox(tools)
        self._facts = facts
        self._reading = self._reader(extract) if facts is not None else None
        self._budget = budget
        self._strategy = strategy_named(strategy)
        self._summarizer = self._summarizer_for(summarizer)
        self._store = store
        self._tenant = tenant
        self._settings = ModelSettings(cache=True) | (settings or ModelSettings())
        self._max_rounds = max_rounds
        self._clock = clock
        self._learned: dict[str, int] = {}
        self._stack: AsyncExitStack | None = None
        self._open: tuple[Log, Desk] | None = None

    async def __aenter__(self) -> Assistant:
        async with AsyncExitStack() as stack:
            log = open_log(self._store, tenant=self._tenant) if isinstance(self._store, str) else self._store
            if log is not self._store:
                stack.push_async_callback(log.close)
            await stack.enter_async_context(self._toolbox)
            desk = Desk(log, self._clock, self._crew)
            stack.push_async_callback(desk.drain)
            self._open = (log, desk)
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Wait for the turns in flight and what follows them, then release the store."""
        if self._stack is not None:
            stack, self._stack = self._stack, None
            try:
                await stack.aclose()
            finally:
                self._open = None

    @property
    def log(self) -> Log:
        """The log, for reading.

        Raises:
            StoreClosed: outside the `async with` block.
        """
        return self._opened()[0]

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
        _checked_id("conversation", id)
        if user is not None:
            _checked_id("user", user)
        return Conversation(self, id, user, deps)

    async def facts(self, user: str) -> tuple[Fact, ...]:
        """What is on record about a user, in the order it was learned; expired facts are left out."""
        return await self._facts_of(user, "")

    async def _facts_of(self, user: str | None, conversation: str) -> tuple[Fact, ...]:
        now = self._clock()
        found = await self.log.facts(user=user, conversation=conversation)
        return tuple(fact for fact in found if fact.expires_at is None or fact.expires_at > now)

    def _opened(self) -> tuple[Log, Desk]:
        if self._open is None:
            raise StoreClosed
        return self._open

    def _take(self, conversation: Conversation, message: Message, key: str | None, *, streaming: bool) -> Feed:
        _, desk = self._opened()
        if key is not None:
            _checked_id("key", key)
        now = self._clock()
        request = _checked_message(message, now)
        opening = Opening(conversation.id, conversation.user, key, _digest(request), request, now)
        return desk.take(Incoming(opening, conversation.deps), streaming=streaming)

    async def _crew(self, incoming: Incoming) -> Crew:
        log, _ = self._opened()
        model = self._models.get()
        offer = await self._toolbox.offer(incoming.deps, model, incoming.opening.conversation)
        return Crew(
            store=log,
            clock=self._clock,
            speaker=Speaker(model, self._models.name, self._instructions, offer.definitions, self._settings),
            offer=offer,
            summarizer=self._summarizer,
            reading=self._reading,
            budget=self._budget,
            strategy=self._strategy,
            max_rounds=self._max_rounds,
            learned=self._learned,
        )

    def _reader(self, extract: str | FactExtractor) -> FactReading:
        keys = self._facts.keys() if self._facts is not None else {}
        if not isinstance(extract, str):
            return FactReading(keys, extract)
        if extract == "rules":
            return FactReading(keys)
        models = self._models if extract == "model" else _Models(extract)
        return FactReading(keys, ModelExtractor(models.get))

    def _summarizer_for(self, summarizer: str | Summarizer) -> Summarizer:
        if not isinstance(summarizer, str):
            return summarizer
        if summarizer == "extractive":
            return ExtractiveSummarizer()
        models = self._models if summarizer == "model" else _Models(summarizer)
        return ModelSummarizer(models.get, models.name)


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation of an assistant.

    Attributes:
        assistant: whose it is.
        id: its id.
        user: whose it is, or None.
        deps: what tools receive.
    """

    assistant: Assistant
    id: str
    user: str | None = None
    deps: Any = None

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
        return await self.assistant._take(self, message, key, streaming=False).reply()  # noqa: SLF001 - one module

    def stream(self, message: Message, *, key: str | None = None) -> Stream:
        """Say something and read the reply sentence by sentence, while it is written.

        Args:
            message: as for `send`.
            key: as for `send`.

        Returns:
            An async iterator of sentences; nothing is sent before the first is asked for. What was released is never
            changed. Joined, the sentences are the reply's text.
        """
        return Stream(lambda: self.assistant._take(self, message, key, streaming=True))  # noqa: SLF001 - one module

    async def cancel(self) -> bool:
        """Stop the turn in flight, if there is one; its message stays and may be sent again with the same key."""
        return await self.assistant._opened()[1].cancel(self.id)  # noqa: SLF001 - one module

    async def events(self, *, after: int = 0) -> tuple[Recorded, ...]:
        """The log of the conversation, in order, behind seq `after`."""
        return await self.assistant.log.read(self.id, after=after)

    async def facts(self) -> tuple[Fact, ...]:
        """The facts in force: the user's, or the conversation's where it has no user."""
        return await self.assistant._facts_of(self.user, self.id)  # noqa: SLF001 - one module

    async def remember(self, **values: object) -> tuple[Fact, ...]:
        """Put facts on record that the application knows to be true. What a user says never supersedes them.

        Args:
            **values: values by key of the facts class; a list for a `Many` key.

        Raises:
            FactsDeclarationError: no such key, or the value does not fit it.
        """
        now = self.assistant._clock()  # noqa: SLF001 - one module
        facts = told(self.assistant._keys(), values, conversation=self.id, at=now)  # noqa: SLF001
        return await self._record(facts, now)

    async def forget(self, *keys: str) -> tuple[Fact, ...]:
        """Take facts off the record, by key. The history of the key stays; nothing of it is used again.

        Raises:
            FactsDeclarationError: no such key.
        """
        now = self.assistant._clock()  # noqa: SLF001 - one module
        facts = forgotten(self.assistant._keys(), keys, await self.facts(), conversation=self.id, at=now)  # noqa: SLF001
        return await self._record(facts, now)

    async def _record(self, facts: Sequence[Fact], now: int) -> tuple[Fact, ...]:
        log = self.assistant.log
        await log.start(self.id, self.user, now)
        if facts:
            await log.append(self.id, 0, [FactsLearned("learned", "app", 0, tuple(facts))], now)
        return tuple(facts)


class Stream(AsyncIterator[str]):
    """The sentences of a reply while it is written.

    Args:
        start: sends the message; called when the first sentence is asked for.
    """

    def __init__(self, start: Callable[[], Feed]) -> None:
        self._start = start
        self._feed: Feed | None = None
        self._sentences: AsyncIterator[str] | None = None

    def _begun(self) -> Feed:
        if self._feed is None:
            self._feed = self._start()
        return self._feed

    def __aiter__(self) -> Stream:
        return self

    async def __anext__(self) -> str:
        if self._sentences is None:
            self._sentences = self._begun().sentences()
        return await anext(self._sentences)

    async def reply(self) -> Reply:
        """The recorded reply; waits for the end, whether the sentences were read or not.

        Raises:
            TurnError: the turn did not close.
        """
        return await self._begun().reply()


class _Models:
    """One model for each event loop: the providers' HTTP clients belong to the loop that first used them."""

    def __init__(self, model: str | Model) -> None:
        self._model = model
        self.name = model_name(model)
        self._first: Model | None = None
        self._by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, Model] = WeakKeyDictionary()

    def get(self) -> Model:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._first = self._first or resolve(self._model)
            return self._first
        if (found := self._by_loop.get(loop)) is None:
            found, self._first = self._first or resolve(self._model), None
            self._by_loop[loop] = found
        return found


def _checked_id(role: Literal["conversation", "user", "key"], given: object) -> None:
    if not isinstance(given, str):
        raise IdError(role, f"is {type(given).__name__}, not a string")
    if not given:
        raise IdError(role, "is empty")
    if len(given) > LONGEST_ID:
        raise IdError(role, f"has {len(given):,} characters")


def _checked_message(message: Message, at: int) -> ModelRequest:
    try:
        request = user_message(message if isinstance(message, str) else list(message), at)
    except (TypeError, ValueError) as error:
        raise MessageError(f"is not something a user can send ({error})") from error
    if not user_text(request).strip() and (isinstance(message, str) or all(isinstance(part, str) for part in message)):
        raise MessageError("is empty")
    return request


def _digest(request: ModelRequest) -> str:
    """SHA-256 of what was said, whenever it was said."""
    said = [part.get("content") for part in dump(request)["parts"]]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
