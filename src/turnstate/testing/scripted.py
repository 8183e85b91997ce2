"""A scripted model: a pydantic-ai model without a provider, for tests of what stands around a model.

```python
model = ScriptedModel([Call("get_order", {"id": "12345"}), "It is shipped."])
async with Assistant(model, tools=[get_order], store="memory:") as shop:
    await shop.conversation("c1").send("Where is order 12345?")
assert model.requests[1].results == {"call_1_0": "shipped"}
```
"""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeAlias, cast

from pydantic_ai import RunContext
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ModelResponsePart,
    ModelResponseStreamEvent,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.usage import RequestUsage

from turnstate.core.context.counting import estimate_text, size_head, size_messages
from turnstate.core.messages import args_text, moment, response_text, result_text, user_text
from turnstate.testing.anthropic.script import Call

__all__ = ["Answer", "Asked", "Call", "Item", "Script", "ScriptedModel"]

Item: TypeAlias = str | Call | ModelResponsePart | BaseException | asyncio.Event | threading.Event
"""One thing that an answer does: say text, call a tool, give a part as it is, raise, or wait for an event."""

Answer: TypeAlias = Item | Sequence[Item] | ModelResponse
"""What a request is answered with: items in order, or a whole response."""

_TICK = 0.002


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as the model received it.

    Attributes:
        messages: the messages.
        instructions: the system text, or "".
        tools: the tools on offer.
        settings: the model settings, or None.
        stream: whether a stream was asked for.
    """

    messages: tuple[ModelMessage, ...]
    instructions: str = ""
    tools: tuple[ToolDefinition, ...] = ()
    settings: ModelSettings | None = None
    stream: bool = False

    @property
    def prompt(self) -> str:
        """The user's words in the newest message, blocks of data included."""
        return user_text(self.messages[-1])

    @property
    def said(self) -> tuple[str, ...]:
        """The words of every message in order: the user's, the model's and the tools'."""
        return tuple(text for message in self.messages for text in _words(message))

    @property
    def results(self) -> dict[str, str]:
        """The tool results in the newest message: their text by the id of the call."""
        parts = self.messages[-1].parts
        return {part.tool_call_id: result_text(part) for part in parts if isinstance(part, ToolReturnPart)}


def _words(message: ModelMessage) -> tuple[str, ...]:
    if isinstance(message, ModelResponse):
        calls = [f"{p.tool_name}({args_text(p)})" for p in message.parts if isinstance(p, ToolCallPart)]
        return tuple(text for text in (response_text(message), *calls) if text)
    results = [result_text(part) for part in message.parts if isinstance(part, ToolReturnPart)]
    return tuple(text for text in (*results, user_text(message)) if text)


Script: TypeAlias = Iterable[Answer] | Callable[[Asked], Answer | Awaitable[Answer]]
"""Answers to be given one after the other, or a function from a request to its answer."""


def in_words(text: str) -> list[str]:
    """`text` in pieces that join to it: each word with the space before it."""
    return re.findall(r"\s*\S+|\s+$", text) or [text]


class ScriptedModel(Model):
    """Answers as scripted, streaming or not, and remembers what it was asked; usable from any event loop.

    Args:
        script: the answers in order, or a function of the request; a request after the last answer is an error.
        name: the model's name.
        pieces: how a text is cut for a stream.
        report: whether responses report their usage, in our own estimate; without it every count is zero.
        counts: whether it counts tokens ahead of a request, in the same estimate.
    """

    _announces_lookalike_notes = False

    def __init__(
        self,
        script: Script,
        *,
        name: str = "scripted",
        pieces: Callable[[str], Iterable[str]] = in_words,
        report: bool = True,
        counts: bool = False,
    ) -> None:
        super().__init__()
        self._script = script if callable(script) else None
        self._answers = iter(()) if callable(script) else iter(script)
        self._name = name
        self._pieces = pieces
        self._report = report
        self._counts = counts
        self._lock = threading.Lock()  # protects _answers, _requests and _waiting
        self._requests: list[Asked] = []
        self._waiting: list[tuple[int, Future[None]]] = []

    @property
    def requests(self) -> list[Asked]:
        """Every request so far, oldest first."""
        with self._lock:
            return list(self._requests)

    async def asked(self, count: int) -> None:
        """Wait until that many requests have come."""
        with self._lock:
            if len(self._requests) >= count:
                return
            waiter: Future[None] = Future()
            self._waiting.append((count, waiter))
        await asyncio.wrap_future(waiter)

    @property
    def model_name(self) -> str:
        """The name that it was given."""
        return self._name

    @property
    def system(self) -> str:
        """Who makes it: "scripted"."""
        return "scripted"

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Answer a request."""
        played = await self._played(messages, model_settings, model_request_parameters, stream=False)
        parts: list[ModelResponsePart] = []
        async for part in played.parts():
            last = parts[-1] if parts else None
            if isinstance(part, str):
                joined = isinstance(last, TextPart)
                parts[-1 if joined else len(parts) :] = [TextPart(last.content + part if joined else part)]
            else:
                parts.append(part)
        response = replace(played.response, parts=parts)
        return replace(response, usage=played.usage(response))

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,  # noqa: ARG002 - the base class's
    ) -> AsyncGenerator[StreamedResponse]:
        """Answer a request piece by piece."""
        played = await self._played(messages, model_settings, model_request_parameters, stream=True)
        yield ScriptedStream(model_request_parameters, played, self._pieces)

    async def count_tokens(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> RequestUsage:
        """The tokens that a request will be reported to have.

        Raises:
            NotImplementedError: unless it was made with `counts=True`.
        """
        if not self._counts:
            return await super().count_tokens(messages, model_settings, model_request_parameters)
        return RequestUsage(
            input_tokens=_size(self._asked(messages, model_settings, model_request_parameters))
        )

    def _asked(
        self,
        messages: Sequence[ModelMessage],
        settings: ModelSettings | None,
        parameters: ModelRequestParameters,
        *,
        stream: bool = False,
    ) -> Asked:
        instructions = "\n\n".join(part.content for part in parameters.instruction_parts or ())
        return Asked(tuple(messages), instructions, tuple(parameters.function_tools), settings, stream)

    async def _played(
        self,
        messages: list[ModelMessage],
        settings: ModelSettings | None,
        parameters: ModelRequestParameters,
        *,
        stream: bool,
    ) -> _Played:
        asked = self._asked(messages, settings, parameters, stream=stream)
        with self._lock:
            self._requests.append(asked)
            number = len(self._requests)
            ready = [waiter for count, waiter in self._waiting if count <= number]
            self._waiting = [(count, waiter) for count, waiter in self._waiting if count > number]
            answer = None if self._script else next(self._answers, None)
        for waiter in ready:
            if waiter.set_running_or_notify_cancel():
                waiter.set_result(None)
        if self._script is not None:
            given = self._script(asked)
            answer = await given if inspect.isawaitable(given) else given
        if answer is None:
            raise UserError(f"The script has {number - 1} answers and all of them were given.")
        return _Played(asked, answer, number, self._name, report=self._report)


def _size(asked: Asked) -> int:
    told = [{"name": tool.name, "input_schema": tool.parameters_json_schema} for tool in asked.tools]
    head = size_head(asked.instructions, json.dumps(told) if told else "")
    return (head + size_messages(asked.messages)).estimate


@dataclass(frozen=True, slots=True)
class _Played:
    """One answer on its way out.

    Attributes:
        asked: the request.
        answer: as scripted.
        number: which request it is, from 1.
        name: the model's name.
        report: whether usage is reported.
    """

    asked: Asked
    answer: Answer
    number: int
    name: str
    report: bool

    @property
    def response(self) -> ModelResponse:
        """The response without its parts."""
        newest = self.asked.messages[-1]
        at = newest.timestamp if isinstance(newest, ModelRequest) and newest.timestamp else moment(0)
        given = self.answer if isinstance(self.answer, ModelResponse) else ModelResponse([], timestamp=at)
        return replace(given, parts=[], model_name=self.name)

    async def parts(self) -> AsyncIterator[ModelResponsePart | str]:
        """The parts in order, waiting and raising where the script says so; text is a string, to be joined."""
        for index, item in enumerate(_items(self.answer)):
            match item:
                case BaseException():
                    raise item
                case asyncio.Event():
                    await item.wait()
                case threading.Event():
                    while not item.is_set():  # noqa: ASYNC110 - a thread sets it, so there is nothing to await
                        await asyncio.sleep(_TICK)
                case Call():
                    call_id = item.id or f"call_{self.number}_{index}"
                    yield ToolCallPart(item.name, dict(item.input), tool_call_id=call_id)
                case _:
                    yield item

    def usage(self, response: ModelResponse) -> RequestUsage:
        """The usage that the script gave, or our own estimate."""
        if isinstance(self.answer, ModelResponse) and self.answer.usage.has_values():
            return self.answer.usage
        if not self.report:
            return RequestUsage()
        said = sum(estimate_text(text) for text in _words(response))
        return RequestUsage(input_tokens=_size(self.asked), output_tokens=said)


def _items(answer: Answer) -> Sequence[Item]:
    if isinstance(answer, ModelResponse):
        return cast("Sequence[Item]", answer.parts)
    if isinstance(answer, Sequence) and not isinstance(answer, str):
        return answer
    return [answer]


@dataclass
class ScriptedStream(StreamedResponse):
    """An answer that comes piece by piece.

    Attributes:
        played: the answer.
        pieces: how a text is cut.
    """

    played: _Played
    pieces: Callable[[str], Iterable[str]] = field(default=in_words)

    async def _get_event_iterator(self) -> AsyncIterator[ModelResponseStreamEvent]:
        place = 0
        text_at: int | None = None
        async for part in self.played.parts():
            if isinstance(part, str):
                text_at = place if text_at is None else text_at
                for piece in self.pieces(part):
                    for event in self._parts_manager.handle_text_delta(vendor_part_id=text_at, content=piece):
                        yield event
            else:
                text_at = None
                yield self._parts_manager.handle_part(vendor_part_id=place, part=part)
            place += 1
        self._usage = self.played.usage(ModelResponse(self._parts_manager.get_parts()))

    async def close_stream(self) -> None:
        """Nothing is held open."""

    @property
    def model_name(self) -> str:
        """The model's name."""
        return self.played.name

    @property
    def provider_name(self) -> None:
        """There is no provider."""
        return

    @property
    def provider_url(self) -> None:
        """There is no provider to reach."""
        return

    @property
    def timestamp(self) -> datetime:
        """The time of the request."""
        return self.played.response.timestamp
