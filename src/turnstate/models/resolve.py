"""From a model id to a pydantic-ai model, with errors that say what to do and never repeat a key."""

from __future__ import annotations

from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model, infer_model

from turnstate.errors import ModelNameError
from turnstate.models.offline import offline_model


def resolve(model: str | Model) -> Model:
    """The model of this id, or the model that was given.

    Args:
        model: "offline" (rules, no key), or pydantic-ai's "provider:name", as in "anthropic:claude-sonnet-4-5". Keys
            come from the provider's own environment variable; turnstate never stores or logs one.

    Raises:
        ModelNameError: no such model, its package is not installed, or its key is not set.
    """
    if not isinstance(model, str):
        return model
    if model == "offline":
        return offline_model()
    try:
        return infer_model(model)
    except UserError as error:
        raise ModelNameError(model, str(error).rstrip(".")) from error
    except ImportError as error:
        provider = model.partition(":")[0]
        needed = f"its package is not installed (pip install 'pydantic-ai-slim[{provider}]')"
        raise ModelNameError(model, needed) from error
    except (TypeError, ValueError, OSError) as error:
        raise ModelNameError(model, f"it cannot be set up ({type(error).__name__})") from error


def model_name(model: str | Model) -> str:
    """The id that the log records for this model."""
    return model if isinstance(model, str) else model.model_id
