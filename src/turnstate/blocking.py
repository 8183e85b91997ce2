"""The same front door without `await`: every call runs on an event loop of its own, in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection, Coroutine, Iterator, Sequence
from datetime import timedelta
from typing import Any, Self, TypeVar

from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

import turnstate.assistant as door
from turnstate.core.context.budget import Budget
from turnstate.core.context.types import Strategy
from turnstate.core.events import Recorded
from turnstate.core.facts import Fact, Facts
from turnstate.core.state import State
from turnstate.errors import SettingError, StoreClosed
from turnstate.ports import ConversationInfo, FactExtractor, Log, Receipt, Summarizer
from turnstate.redaction import Kind
from turnstate.turn.incoming import Message
from turnstate.turn.leases import OnBusy
from turnstate.turn.reply import Approval, Rating, Reply
from turnstate.turn.team import Team
from turnstate.turn.tools import AnyTool

T = TypeVar("T")
S = TypeVar("S", bound=State)


class _Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name="turnstate", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        try:
            self._loop.run_forever()
        finally:
            # Here, because the caller's thread may be running a loop of its own.
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop.is_closed():
            work.close()
            raise StoreClosed
        if threading.current_thread() is self._thread:
            work.close()
            fix = "Await turnstate.Assistant there, or make the tool a plain function."
            raise SettingError("turnstate.blocking", "was called from inside its own event loop", fix)
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()


class Assistant:
    """`turnstate.Assistant`, synchronous: the same arguments, as a plain context manager, usable from any thread.

    Args:
        model: as for `turnstate.Assistant`, like all that follow.
        team: agents with states of their own.
        instructions: the system text.
        tools: what the model may call.
        facts: what is worth remembering about a user.
        extract: how facts are read.
        budget: what a request may have.
        strategy: what to do when a request is over it.
        summarizer: who writes summaries.
        store: where the log is.
        tenant: whose data it is.
        settings: pydantic-ai's model settings.
        max_rounds: the most model requests of one turn.
        on_busy: what a message does that comes while a turn runs.
        debounce: for how many seconds a message waits for others.
        lease: after how many silent seconds another process takes over.
        redact: kinds of values that are masked in logs, traces and errors.
        clock: now, in microseconds since the epoch.
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
        budget: Budget = door.BUDGET,
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
        clock: Callable[[], int] = door.now,
    ) -> None:
        self._door = door.Assistant(
            model,
            team=team,
            instructions=instructions,
            tools=tools,
            facts=facts,
            extract=extract,
            budget=budget,
            strategy=strategy,
            summarizer=summarizer,
            store=store,
            tenant=tenant,
            settings=settings,
            max_rounds=max_rounds,
            on_busy=on_busy,
            debounce=debounce,
            lease=lease,
            redact=redact,
            clock=clock,
        )
        self._loop: _Loop | None = None

    def __enter__(self) -> Self:
        self._loop = _Loop()
        try:
            self._loop.wait(self._door.__aenter__())
        except BaseException:
            self._loop.stop()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        try:
            self._running().wait(self._door.__aexit__(*exc))
        finally:
            self._running().stop()
            self._loop = None

    def _running(self) -> _Loop:
        if self._loop is None:
            raise StoreClosed
        return self._loop

    @property
    def log(self) -> Log:
        """As `turnstate.Assistant.log`: asynchronous, for reading."""
        return self._door.log

    def conversation(self, id: str, *, user: str | None = None, deps: Any = None) -> Conversation:  # noqa: A002
        """As `turnstate.Assistant.conversation`."""
        return Conversation(self._running(), self._door.conversation(id, user=user, deps=deps))

    def facts(self, user: str) -> tuple[Fact, ...]:
        """As `turnstate.Assistant.facts`."""
        return self._running().wait(self._door.facts(user))

    def erase(self, *, conversation: str | None = None, user: str | None = None) -> Receipt:
        """As `turnstate.Assistant.erase`."""
        return self._running().wait(self._door.erase(conversation=conversation, user=user))

    def retain(
        self,
        older_than: timedelta,
        *,
        user: str | None = None,
        keep: Callable[[ConversationInfo], bool] | None = None,
    ) -> tuple[Receipt, ...]:
        """As `turnstate.Assistant.retain`."""
        return self._running().wait(self._door.retain(older_than, user=user, keep=keep))


class Conversation:
    """`turnstate.Conversation`, synchronous."""

    def __init__(self, loop: _Loop, conversation: door.Conversation) -> None:
        self._loop = loop
        self._door = conversation

    @property
    def id(self) -> str:
        """Its id."""
        return self._door.id

    @property
    def user(self) -> str | None:
        """Whose it is, or None."""
        return self._door.user

    @property
    def deps(self) -> Any:
        """What tools receive."""
        return self._door.deps

    def send(self, message: Message, *, key: str | None = None) -> Reply:
        """As `turnstate.Conversation.send`."""
        return self._loop.wait(self._door.send(message, key=key))

    def stream(self, message: Message, *, key: str | None = None) -> Stream:
        """As `turnstate.Conversation.stream`, as a plain iterator."""
        return Stream(self._loop, self._door.stream(message, key=key))

    def cancel(self) -> bool:
        """As `turnstate.Conversation.cancel`."""
        return self._loop.wait(self._door.cancel())

    def pin(self, turn: int) -> None:
        """As `turnstate.Conversation.pin`."""
        self._loop.wait(self._door.pin(turn))

    def unpin(self, turn: int) -> None:
        """As `turnstate.Conversation.unpin`."""
        self._loop.wait(self._door.unpin(turn))

    def events(self, *, after: int = 0) -> tuple[Recorded, ...]:
        """As `turnstate.Conversation.events`."""
        return self._loop.wait(self._door.events(after=after))

    def facts(self) -> tuple[Fact, ...]:
        """As `turnstate.Conversation.facts`."""
        return self._loop.wait(self._door.facts())

    def rate(self, turn: int, score: float, *, by: str = "", comment: str = "") -> None:
        """As `turnstate.Conversation.rate`."""
        self._loop.wait(self._door.rate(turn, score, by=by, comment=comment))

    def ratings(self) -> tuple[Rating, ...]:
        """As `turnstate.Conversation.ratings`."""
        return self._loop.wait(self._door.ratings())

    def state(self, state: type[S]) -> S:
        """As `turnstate.Conversation.state`."""
        return self._loop.wait(self._door.state(state))

    def handoff(self, reason: str) -> str:
        """As `turnstate.Conversation.handoff`."""
        return self._loop.wait(self._door.handoff(reason))

    def answer(self, text: str, *, by: str) -> int:
        """As `turnstate.Conversation.answer`."""
        return self._loop.wait(self._door.answer(text, by=by))

    def post(self, text: str) -> int:
        """As `turnstate.Conversation.post`."""
        return self._loop.wait(self._door.post(text))

    def resume(self, *, by: str = "") -> None:
        """As `turnstate.Conversation.resume`."""
        self._loop.wait(self._door.resume(by=by))

    def approvals(self) -> tuple[Approval, ...]:
        """As `turnstate.Conversation.approvals`."""
        return self._loop.wait(self._door.approvals())

    def approve(self, call_id: str, *, by: str = "") -> Reply:
        """As `turnstate.Conversation.approve`."""
        return self._loop.wait(self._door.approve(call_id, by=by))

    def deny(self, call_id: str, reason: str = "", *, by: str = "") -> Reply:
        """As `turnstate.Conversation.deny`."""
        return self._loop.wait(self._door.deny(call_id, reason, by=by))

    def remember(self, **values: object) -> tuple[Fact, ...]:
        """As `turnstate.Conversation.remember`."""
        return self._loop.wait(self._door.remember(**values))

    def forget(self, *keys: str) -> tuple[Fact, ...]:
        """As `turnstate.Conversation.forget`."""
        return self._loop.wait(self._door.forget(*keys))


class Stream(Iterator[str]):
    """`turnstate.Stream`, synchronous."""

    def __init__(self, loop: _Loop, stream: door.Stream) -> None:
        self._loop = loop
        self._door = stream

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> str:
        try:
            return self._loop.wait(self._next())
        except StopAsyncIteration:
            raise StopIteration from None

    async def _next(self) -> str:
        return await anext(self._door)

    def reply(self) -> Reply:
        """As `turnstate.Stream.reply`."""
        return self._loop.wait(self._door.reply())
