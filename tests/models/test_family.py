"""Every model is known by its class, through wrappers, and what is unknown gets the strictest rules."""

from __future__ import annotations

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

from turnstate.core.context.families import ANYWHERE, Family, Wire
from turnstate.models.family import wire_of
from turnstate.models.offline import offline_model
from turnstate.testing.scripted import ScriptedModel

CLAUDE = AnthropicModel("claude-haiku-4-5", provider=AnthropicProvider(api_key="none"))
CHAT = OpenAIChatModel("gpt-4o", provider=OpenAIProvider(api_key="none"))
RESPONSES = OpenAIResponsesModel("gpt-5", provider=OpenAIProvider(api_key="none"))


class Ours(OpenAIChatModel):
    """A class of a user's own."""


class BedrockConverseModel(ScriptedModel):
    """Stands for the class of that name, whose package is not installed."""

    @property
    def system(self) -> str:
        """As the real one."""
        return "bedrock"


class GoogleModel(ScriptedModel):
    """As above."""

    @property
    def system(self) -> str:
        """As the real one."""
        return "google"


def _answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    raise NotImplementedError


@pytest.mark.parametrize(
    ("model", "wire"),
    [
        (CLAUDE, Wire(Family.ANTHROPIC, "anthropic", "claude-haiku-4-5")),
        (CHAT, Wire(Family.OPENAI_CHAT, "openai", "gpt-4o")),
        (RESPONSES, Wire(Family.OPENAI_RESPONSES, "openai", "gpt-5")),
        (
            Ours("llama", provider=OpenAIProvider(base_url="http://127.0.0.1:1", api_key="none")),
            Wire(Family.OPENAI_CHAT, "openai", "llama"),
        ),
        (WrapperModel(RESPONSES), Wire(Family.OPENAI_RESPONSES, "openai", "gpt-5")),
        (FallbackModel(WrapperModel(CHAT), CLAUDE), Wire(Family.OPENAI_CHAT, "openai", "gpt-4o")),
        (
            BedrockConverseModel([], name="eu.anthropic.claude-haiku"),
            Wire(Family.ANTHROPIC, "bedrock", "eu.anthropic.claude-haiku"),
        ),
        (BedrockConverseModel([], name="amazon.nova"), ANYWHERE),
        (GoogleModel([], name="gemini-3"), Wire(Family.GEMINI, "google", "gemini-3")),
        (FunctionModel(_answer), ANYWHERE),
        (TestModel(), ANYWHERE),
        (ScriptedModel([]), ANYWHERE),
        (offline_model(), ANYWHERE),
    ],
)
def test_a_model_is_known_by_its_class(model: Model, wire: Wire) -> None:
    """The family, the provider's name as its parts carry it, and the model's."""
    assert wire_of(model) == wire
