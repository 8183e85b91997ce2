"""A process of turnstate's own: an assistant with a model that answers at once, in SQLite or PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

from benchmarks.peers.talk import Send, said, serve
from turnstate import Assistant, Budget


class Instant(Model):
    """Answers at once, and does nothing else."""

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """An answer of the usual length."""
        del model_settings, model_request_parameters
        text = said(len(messages), "Answer")
        return ModelResponse([TextPart(text)], usage=RequestUsage(output_tokens=90), model_name="instant")

    @property
    def model_name(self) -> str:
        """Its name."""
        return "instant"

    @property
    def system(self) -> str:
        """Its provider, which is none."""
        return "test"


@asynccontextmanager
async def opened(store: str) -> AsyncGenerator[Send]:
    """An assistant on a store."""
    async with Assistant(
        Instant(), instructions="Answer.", store=store, budget=Budget(target=8_000)
    ) as assistant:

        async def send(conversation: str, words: str) -> str:
            return (await assistant.conversation(conversation, user="u").send(words)).text

        yield send


if __name__ == "__main__":
    serve(opened)
