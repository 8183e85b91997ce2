"""One request to the model: streamed to the readers or not, with every failure as one typed error."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.exceptions import (
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelRequestRejectedError,
    UserError,
)
from pydantic_ai.messages import InstructionPart, PartDeltaEvent, PartStartEvent, TextPartDelta
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from turnstate.core.context.families import ANYWHERE, Wire
from turnstate.core.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, calls, response_text
from turnstate.errors import ModelFailed
from turnstate.redaction import instrument
from turnstate.turn.sentences import Sentences

_SECRET = re.compile(
    r"\b(?:(?:sk|pk|rk|xai|gsk)[-_]|Bearer )[A-Za-z0-9_\-.*]{6,}|\bAIza[\w-]{10,}|\b(?=[\w-]*\d)[A-Za-z0-9_-]{32,}\b"
)
_LIMIT = re.compile(r"> ([\d,]+) maximum|maximum context length (?:is|of) ([\d,]+)")
_OVERFLOW = re.compile(
    r"prompt is too long|context.{0,20}(?:length|window|size)|too many (?:input )?tokens", re.IGNORECASE
)


class Overflow(Exception):
    """The provider refused the request for its length.

    Attributes:
        reason: its words.
        limit: the most tokens that it accepts, where it says so, or None.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        said = _LIMIT.search(reason)
        self.limit = int((said[1] or said[2]).replace(",", "")) if said else None
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
        wire: what its provider accepts.
        window: its context window in tokens, or None where that is not known.
    """

    model: Model
    name: str
    instructions: str
    tools: Sequence[ToolDefinition] = ()
    settings: ModelSettings | None = None
    wire: Wire = ANYWHERE
    window: int | None = None

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
                    instrument=instrument(),
                )
            else:
                response = await self._stream(messages, lambda text: (released.append(text), release(text)))
        except Exception as error:
            words = redacted(_words(error))
            if _overflows(error):
                raise Overflow(words) from error
            raise ModelFailed(
                self.name, words, retry=_may_retry(error), released="".join(released)
            ) from error
        if not response_text(response).strip() and not calls(response):
            raise ModelFailed(self.name, "the response has neither text nor a tool call", retry=True)
        return _with_ids_of_their_own(response)

    async def _stream(self, messages: Sequence[ModelMessage], release: Callable[[str], Any]) -> ModelResponse:
        sentences = Sentences()
        opened = model_request_stream(
            self.model,
            list(messages),
            model_settings=self.settings,
            model_request_parameters=self._parameters(),
            instrument=instrument(),
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


def _words(error: Exception) -> str:
    """What an error says; of several, the words of each."""
    if isinstance(error, ExceptionGroup):
        return "; ".join(_words(one) for one in cast("ExceptionGroup[Exception]", error).exceptions)
    return str(error) or type(error).__name__


def _overflows(error: Exception) -> bool:
    if isinstance(error, ModelContextWindowExceededError):
        return True
    return (
        isinstance(error, ModelHTTPError)
        and error.status_code in (400, 413)
        and bool(_OVERFLOW.search(str(error)))
    )


def _may_retry(error: Exception) -> bool:
    """Whether the same request may succeed later; what nobody knows may."""
    if isinstance(error, ExceptionGroup):
        several = cast("ExceptionGroup[Exception]", error)
        return _may_retry(several.exceptions[-1])
    if isinstance(error, ModelRequestRejectedError | UserError):
        return False
    if isinstance(error, ModelHTTPError):
        return error.status_code >= 500 or error.status_code in (408, 409, 425, 429)
    return True


def _with_ids_of_their_own(response: ModelResponse) -> ModelResponse:
    """Small models give one id to several calls of a response; each call must be told from the others."""
    seen: set[str] = set()
    parts: list[Any] = []
    for part in response.parts:
        if isinstance(part, ToolCallPart):
            own, number = part.tool_call_id, 1
            while own in seen:
                number += 1
                own = f"{part.tool_call_id}_{number}"
            seen.add(own)
            parts.append(part if own == part.tool_call_id else replace(part, tool_call_id=own))
        else:
            parts.append(part)
    return (
        replace(response, parts=parts)
        if any(a is not b for a, b in zip(parts, response.parts, strict=True))
        else response
    )


def _text(event: object) -> str:
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""


def redacted(text: str) -> str:
    """`text` without what looks like a provider's key."""
    return _SECRET.sub("[redacted]", text)
