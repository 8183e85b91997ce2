"""One request to the model: streamed to the readers or not, with every failure as one typed error."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelRequestRejectedError,
    UserError,
)
from pydantic_ai.messages import InstructionPart, PartDeltaEvent, PartStartEvent, TextPartDelta
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from turnstate.core.messages import ModelMessage, ModelResponse, TextPart, calls, response_text
from turnstate.errors import ModelFailed
from turnstate.turn.sentences import Sentences

_SECRET = re.compile(
    r"\b(?:sk|pk|rk|key|xai|gsk|AIza|Bearer)[-_ ][A-Za-z0-9_\-.*]{6,}|\bAIza[\w-]{10,}", re.IGNORECASE
)
_OVERFLOW = re.compile(
    r"prompt is too long|context.{0,20}(?:length|window|size)|too many (?:input )?tokens", re.IGNORECASE
)


class Overflow(Exception):
    """The provider refused the request for its length; `reason` is its words."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class Speaker:
    """A model with all that stays the same between the requests of a turn.

    Attributes:
        model: the model.
        name: its id, for errors and the log.
        instructions: the system text.
        tools: what it may call.
        settings: pydantic-ai's model settings.
    """

    model: Model
    name: str
    instructions: str
    tools: Sequence[ToolDefinition] = ()
    settings: ModelSettings | None = None

    def _parameters(self) -> ModelRequestParameters:
        instructions = [InstructionPart(self.instructions)] if self.instructions else None
        return ModelRequestParameters(function_tools=list(self.tools), instruction_parts=instructions)

    async def speak(
        self, messages: Sequence[ModelMessage], release: Callable[[str], None] | None = None
    ) -> ModelResponse:
        """Ask the model once.

        Args:
            messages: the request.
            release: receives each sentence of the visible text while it is written; None for no streaming.

        Raises:
            Overflow: the request is too long for the model.
            ModelFailed: no usable response came.
        """
        released: list[str] = []
        try:
            if release is None:
                response = await model_request(
                    self.model,
                    list(messages),
                    model_settings=self.settings,
                    model_request_parameters=self._parameters(),
                )
            else:
                response = await self._stream(messages, lambda text: (released.append(text), release(text)))
        except ModelContextWindowExceededError as error:
            raise Overflow(redacted(str(error))) from error
        except (AgentRunError, UserError, OSError, ValueError, TypeError) as error:
            if (
                isinstance(error, ModelHTTPError)
                and error.status_code in (400, 413)
                and _OVERFLOW.search(str(error))
            ):
                raise Overflow(redacted(str(error))) from error
            raise self._failed(error, "".join(released)) from error
        if not response_text(response).strip() and not calls(response):
            raise ModelFailed(self.name, "the response has neither text nor a tool call", retry=True)
        return response

    def _failed(self, error: Exception, released: str) -> ModelFailed:
        if isinstance(error, ModelRequestRejectedError | UserError):
            retry = False
        elif isinstance(error, ModelHTTPError):
            retry = error.status_code >= 500 or error.status_code in (408, 409, 425, 429)
        else:
            retry = isinstance(error, ModelAPIError | AgentRunError | OSError)
        return ModelFailed(
            self.name, redacted(str(error)) or type(error).__name__, retry=retry, released=released
        )

    async def _stream(self, messages: Sequence[ModelMessage], release: Callable[[str], Any]) -> ModelResponse:
        sentences = Sentences()
        opened = model_request_stream(
            self.model,
            list(messages),
            model_settings=self.settings,
            model_request_parameters=self._parameters(),
        )
        async with opened as stream:
            async for event in stream:
                for sentence in sentences.feed(_text(event)):
                    release(sentence)
            for sentence in sentences.rest():
                release(sentence)
            return stream.get()

    async def count(self, messages: Sequence[ModelMessage]) -> int | None:
        """The provider's count of a request; None where it has no counter or gives no number above zero."""
        try:
            usage = await self.model.count_tokens(list(messages), self.settings, self._parameters())
        except Exception:  # noqa: BLE001 - a counter that fails degrades the count, never the turn
            return None
        return usage.input_tokens or None


def _text(event: object) -> str:
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""


def redacted(text: str) -> str:
    """`text` without what looks like a provider's key."""
    return _SECRET.sub("[redacted]", text)
