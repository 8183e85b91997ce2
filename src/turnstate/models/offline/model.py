"""The model `offline` as pydantic-ai sees it: requests, streams and counts, all by rule."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pydantic_ai import RunContext
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    ModelResponseStreamEvent,
    TextPart,
    ToolCallPart,
)
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

from turnstate.models.offline.decide import Act, decide
from turnstate.models.offline.tokens import count_request, count_response
from turnstate.models.offline.view import read_view

NAME: Final = "offline"
SYSTEM: Final = "turnstate"


def offline_model() -> Model:
    """The model `offline`: a support agent of deterministic rules, without a language model, network or randomness.

    It sees the request that any provider would get, and nothing else. The first reply of a conversation says what it is.
    """
    return OfflineModel()


class OfflineModel(Model):
    """A support agent of rules, as a pydantic-ai model."""

    _announces_lookalike_notes = False

    @property
    def model_name(self) -> str:
        """Its name: "offline"."""
        return NAME

    @property
    def system(self) -> str:
        """Who makes it: "turnstate"."""
        return SYSTEM

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """Answer a request."""
        _, parameters = self.prepare_request(model_settings, model_request_parameters)
        return _respond(messages, parameters)

    async def count_tokens(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> RequestUsage:
        """The tokens that a request will be reported to have."""
        _, parameters = self.prepare_request(model_settings, model_request_parameters)
        return RequestUsage(input_tokens=count_request(messages, parameters))

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,  # noqa: ARG002 - part of the interface
    ) -> AsyncGenerator[StreamedResponse]:
        """Answer a request word by word."""
        _, parameters = self.prepare_request(model_settings, model_request_parameters)
        yield OfflineStream(parameters, _respond(messages, parameters))


def _respond(messages: list[ModelMessage], parameters: ModelRequestParameters) -> ModelResponse:
    act = decide(read_view(messages, parameters))
    parts = _parts(act, messages)
    response = ModelResponse(
        parts=parts, model_name=NAME, provider_name=SYSTEM, finish_reason="tool_call" if act.calls else "stop"
    )
    response.usage = RequestUsage(
        input_tokens=count_request(messages, parameters), output_tokens=count_response(response)
    )
    return response


def _parts(act: Act, messages: list[ModelMessage]) -> list[TextPart | ToolCallPart]:
    if not act.calls:
        return [TextPart(act.text)]
    seen = hashlib.sha256()
    for message in messages:
        for part in message.parts:
            seen.update(
                repr(
                    (part.part_kind, getattr(part, "content", ""), getattr(part, "tool_call_id", ""))
                ).encode("utf-8", "replace")
            )
    prefix = seen.hexdigest()[:16]
    return [
        ToolCallPart(
            call.tool,
            json.dumps(dict(call.args), ensure_ascii=False, separators=(",", ":")),
            tool_call_id=f"call_{prefix}_{index}",
        )
        for index, call in enumerate(act.calls)
    ]


@dataclass
class OfflineStream(StreamedResponse):
    """A response that is known from the start, given out word by word.

    Attributes:
        response: the response.
    """

    response: ModelResponse

    def __post_init__(self) -> None:
        self._usage = RequestUsage(input_tokens=self.response.usage.input_tokens)
        self.finish_reason = self.response.finish_reason

    async def _get_event_iterator(self) -> AsyncIterator[ModelResponseStreamEvent]:
        for index, part in enumerate(self.response.parts):
            if isinstance(part, TextPart):
                for word in in_words(part.content):
                    for event in self._parts_manager.handle_text_delta(vendor_part_id=index, content=word):
                        yield event
            elif isinstance(part, ToolCallPart):
                yield self._parts_manager.handle_tool_call_part(
                    vendor_part_id=index,
                    tool_name=part.tool_name,
                    args=part.args if isinstance(part.args, str) else part.args_as_json_str(),
                    tool_call_id=part.tool_call_id,
                )
        self._usage = self.response.usage

    async def close_stream(self) -> None:
        """Nothing is held open."""

    @property
    def model_name(self) -> str:
        """The model's name."""
        return NAME

    @property
    def provider_name(self) -> str:
        """The model's maker."""
        return SYSTEM

    @property
    def provider_url(self) -> None:
        """There is no provider to reach."""
        return

    @property
    def timestamp(self) -> datetime:
        """When the response was made."""
        return self.response.timestamp


def in_words(text: str) -> list[str]:
    """`text` in pieces that join to it: each word with the space before it."""
    return re.findall(r"\s*\S+|\s+$", text) or [text]
