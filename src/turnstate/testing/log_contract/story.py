"""How a contract runs its stories, and the small events that they are made of."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeAlias, TypeVar

from turnstate.core.events import (
    Count,
    Cut,
    Event,
    FactsLearned,
    ModelResponded,
    RequestTrace,
    Span,
    SummaryWritten,
    ToolReturned,
    Trace,
    TurnClosed,
    TurnFailed,
    TurnOpened,
)
from turnstate.core.facts import Fact, Source
from turnstate.core.messages import text_response, tool_return, user_message
from turnstate.ports import Log, Opening

Contract = TypeVar("Contract", bound="Story")
OpenLog: TypeAlias = AbstractAsyncContextManager[Log]

AT = 1_767_225_600_000_000
"""When the stories take place: 2026-01-01, in microseconds since the epoch."""

SECOND = 1_000_000
"""A second, in microseconds."""


@asynccontextmanager
async def closing(log: Log) -> AsyncGenerator[Log]:
    """`log`, closed on the way out."""
    try:
        yield log
    finally:
        await log.close()


class Story(ABC):
    """What a subclass provides: a fresh store for every test, opened as often as the test likes."""

    @abstractmethod
    def open_log(self, tenant: str = "default") -> OpenLog:
        """The test's store, opened for `tenant` and closed on the way out."""


def story(test: Callable[[Contract, Log], Coroutine[Any, Any, None]]) -> Callable[[Contract], None]:
    """A test method that is given an open log, as a plain method that any pytest runs."""

    def told(self: Contract) -> None:
        async def tell() -> None:
            async with self.open_log() as log:
                await test(self, log)

        asyncio.run(tell())

    told.__name__ = test.__name__
    told.__qualname__ = test.__qualname__
    told.__doc__ = test.__doc__
    return told


def opening(
    conversation: str = "c1",
    text: str = "Hello",
    *,
    user: str | None = None,
    key: str | None = None,
    digest: str = "",
    at: int = AT,
) -> Opening:
    """A turn to be opened; without a digest, the text stands for it."""
    return Opening(conversation, user, key, digest or f"digest of {text}", user_message(text, at), at)


def responded(text: str = "Hi", cut: Cut | None = None, at: int = AT) -> ModelResponded:
    """A model's response of one text."""
    trace = RequestTrace(1, Count(10, 20), 8_000, cut or Cut())
    return ModelResponded("scripted", text_response(text, at), trace)


def closed(reply: str | None = None) -> TurnClosed:
    """The turn's close."""
    return TurnClosed(reply, Trace(rounds=1))


def failed(reason: str = "model") -> TurnFailed:
    """The turn's failure."""
    return TurnFailed(reason, "It did not work.", retry=True)


def reopened(text: str = "Hello") -> TurnOpened:
    """A turn taken up again."""
    return TurnOpened(None, f"digest of {text}", user_message(text, AT))


def unwritable() -> Event:
    """An event that no store can keep: the tool's result is not data."""
    return ToolReturned("call-1", tool_return("look", {"object": object()}, "t1", AT))


def summary(first: int = 1, last: int = 1) -> SummaryWritten:
    """A summary of a span of turns."""
    return SummaryWritten(Span(first, last), "They said hello.", "extractive", 4)


def fact(
    key: str,
    value: str,
    *,
    conversation: str = "c1",
    at: int = AT,
    many: bool = False,
    retracted: bool = False,
) -> Fact:
    """A fact in the user's own words."""
    quote = f"my {key} is {value}"
    return Fact(
        key,
        value,
        Source.USER_QUOTE,
        quote,
        0,
        len(quote),
        conversation,
        1,
        at,
        None,
        retracted=retracted,
        many=many,
    )


def verified(key: str, value: str, *, at: int = AT, many: bool = False, retracted: bool = False) -> Fact:
    """A fact that the application states, or takes back."""
    return Fact(key, value, Source.APP, "", 0, 0, "c1", 0, at, None, retracted=retracted, many=many)


def learned(*facts: Fact, source: int = 1) -> FactsLearned:
    """What one message taught."""
    return FactsLearned("learned" if facts else "none", "rules", source, facts)


async def say(
    log: Log, text: str = "Hello", *, conversation: str = "c1", user: str | None = None, at: int = AT
) -> int:
    """A whole turn: opened, answered, closed; its number."""
    opened = await log.open(opening(conversation, text, user=user, at=at))
    await log.append(conversation, opened.turn, [responded(f"You said: {text}", at=at), closed()], at)
    return opened.turn
