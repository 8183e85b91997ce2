"""What the tests of the front door share: an assistant over a scripted model, and readers of its log."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Sequence
from typing import Any, TypeVar, cast

from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

from turnstate import Assistant, Conversation, Stream
from turnstate.core.events import Event, FactsLearned, Recorded
from turnstate.ports import Log
from turnstate.testing.anthropic import MessagesRequest
from turnstate.testing.scripted import Answer, Script, ScriptedModel

T = TypeVar("T")
E = TypeVar("E", bound=Event)

PATIENCE = 90.0
"""Seconds after which a test that hangs is given up; nothing is measured by it."""


def run(work: Coroutine[Any, Any, T], *, patience: float = PATIENCE) -> T:
    """Run `work` on an event loop of its own; a test that hangs fails instead."""

    async def bounded() -> T:
        return await asyncio.wait_for(work, patience)

    return asyncio.run(bounded())


def assistant(model: Model[Any] | Script, *, store: str | Log = "memory:", **options: Any) -> Assistant:
    """An assistant over a model or a script for one, in memory unless told otherwise."""
    found = cast("Model[Any]", model) if isinstance(model, Model) else ScriptedModel(model)
    return Assistant(found, store=store, **options)


def over_http(base_url: str) -> AnthropicModel:
    """The official SDK through pydantic-ai, pointed to a local server; it does not try again by itself."""
    provider = AnthropicProvider(base_url=base_url, api_key="test")
    provider.client.max_retries = 0
    return AnthropicModel("claude-haiku-5-5", provider=provider)


async def sentences(stream: Stream) -> list[str]:
    """All sentences of a stream."""
    return [sentence async for sentence in stream]


async def recorded(conversation: Conversation, kind: type[E]) -> list[E]:
    """The events of one kind, in order."""
    return [found.event for found in await conversation.events() if isinstance(found.event, kind)]


async def read_by_model(conversation: Conversation, count: int) -> None:
    """Wait until a model has read `count` messages for facts; the log is the only place that tells."""
    for _ in range(100_000):
        if (
            len([event for event in await recorded(conversation, FactsLearned) if event.by == "model"])
            >= count
        ):
            return
        await asyncio.sleep(0)


def answers_results(request: MessagesRequest) -> bool:
    """Whether the newest message brings tool results."""
    newest: Any = request.messages[-1]["content"]
    return isinstance(newest, list) and any(
        block.get("type") == "tool_result" for block in cast("list[Any]", newest)
    )


def kinds(events: Iterable[Recorded]) -> list[str]:
    """The names of the events."""
    return [type(found.event).__name__ for found in events]


def assert_gapless(events: Sequence[Recorded]) -> None:
    """Places count from 1 without gaps, and times never run backwards."""
    assert [found.seq for found in events] == list(range(1, len(events) + 1))


def always(answer: Answer) -> Script:
    """A script that gives one answer for ever."""
    return lambda _asked: answer
