"""Which family a model belongs to, told by its class, without importing a provider's package."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic_ai.models import Model
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.wrapper import WrapperModel

from turnstate.core.context.families import ANYWHERE, Family, Wire

_CLASSES: Mapping[str, Family] = {
    "AnthropicModel": Family.ANTHROPIC,
    "OpenAIResponsesModel": Family.OPENAI_RESPONSES,
    "OpenAIChatModel": Family.OPENAI_CHAT,
    "GoogleModel": Family.GEMINI,
    "GroqModel": Family.OPENAI_CHAT,
    "MistralModel": Family.OPENAI_CHAT,
    "HuggingFaceModel": Family.OPENAI_CHAT,
    "XaiModel": Family.OPENAI_CHAT,
    "CohereModel": Family.OPENAI_CHAT,
}
"""pydantic-ai's classes by name; a class of one's own is known by the one it derives from."""


def wire_of(model: Model) -> Wire:
    """What requests to `model` have to keep to.

    A wrapper is what it wraps; of models that stand in for each other, the first. A model that no rule is known for,
    as one that runs offline, gets the strictest.
    """
    if isinstance(model, WrapperModel):
        return wire_of(model.wrapped)
    if isinstance(model, FallbackModel):
        return wire_of(model.models[0])
    names = [base.__name__ for base in type(model).__mro__]
    if "BedrockConverseModel" in names:
        return (
            Wire(Family.ANTHROPIC, model.system, model.model_name)
            if "anthropic" in model.model_name
            else ANYWHERE
        )
    family = next((_CLASSES[name] for name in names if name in _CLASSES), None)
    return ANYWHERE if family is None else Wire(family, model.system, model.model_name)
