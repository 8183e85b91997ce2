"""From a model id to a pydantic-ai model, with errors that say what to do and never repeat a key."""

from __future__ import annotations

import asyncio
import threading
from weakref import WeakKeyDictionary

from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model, infer_model

from turnstate.errors import ModelNameError
from turnstate.models.offline import offline_model


def resolve(model: str | Model) -> Model:
    """The model of this id, or the model that was given.

    Args:
        model: "offline" (rules, no key), "local:PATH.gguf" (llama.cpp on this machine, with "?window=2048" where the
            window is not 4,096 tokens), or pydantic-ai's "provider:name", as in "anthropic:claude-sonnet-5-5". Keys
            come from the provider's own environment variable; turnstate never stores or logs one.

    Raises:
        ModelNameError: no such model, its package is not installed, or its key is not set.
    """
    if isinstance(model, Model):
        return model
    if not isinstance(model, str):  # pyright: ignore[reportUnnecessaryIsInstance]  # callers are not all typed
        raise ModelNameError(repr(model), "it is neither an id nor a pydantic-ai model")
    if model == "offline":
        return offline_model()
    if model.startswith("local:"):
        from turnstate.models.local import local_model  # noqa: PLC0415 - an extra; brings Anthropic's SDK along

        return local_model(model)
    try:
        return infer_model(model)
    except UserError as error:
        raise ModelNameError(model, str(error).partition(" To try")[0].rstrip(".")) from error
    except ImportError as error:
        provider = model.partition(":")[0]
        needed = f"its package is not installed (pip install 'pydantic-ai-slim[{provider}]')"
        raise ModelNameError(model, needed) from error
    except (TypeError, ValueError, OSError) as error:
        raise ModelNameError(model, f"it cannot be set up ({type(error).__name__})") from error


def model_name(model: str | Model) -> str:
    """The id that the log records for this model."""
    return model if isinstance(model, str) else model.model_id


class PerLoop:
    """One model for each event loop: the providers' HTTP clients belong to the loop that first used them.

    Args:
        model: as for `resolve`.

    Attributes:
        name: the id that the log records.

    Raises:
        ModelNameError: as `resolve`, at once.
    """

    def __init__(self, model: str | Model) -> None:
        self._first: Model | None = resolve(model)
        self._model = model
        self.name = model_name(model)
        self._opened: WeakKeyDictionary[asyncio.AbstractEventLoop, Model] = WeakKeyDictionary()
        self._lock = threading.Lock()  # protects what follows and _first
        self._by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, Model] = WeakKeyDictionary()

    async def open_here(self) -> None:
        """Open the model of the running event loop, so that leaving closes its connections.

        A model that was given is opened once: it cannot belong to two loops.
        """
        loop, model = asyncio.get_running_loop(), self.get()
        with self._lock:
            if loop in self._opened or (self._opened and not isinstance(self._model, str)):
                return
            self._opened[loop] = model
        await model.__aenter__()

    async def close(self) -> None:
        """Close what was opened, each in its own loop, as long as that runs."""
        with self._lock:
            opened, self._opened = dict(self._opened), WeakKeyDictionary()
        for loop, model in opened.items():
            if loop is asyncio.get_running_loop():
                await model.__aexit__(None, None, None)
            elif loop.is_running():
                closing = asyncio.run_coroutine_threadsafe(_left(model), loop)
                await asyncio.wrap_future(closing)

    def get(self) -> Model:
        """The model of the running event loop."""
        loop = asyncio.get_running_loop()
        with self._lock:
            if (found := self._by_loop.get(loop)) is None:
                found, self._first = self._first or resolve(self._model), None
                self._by_loop[loop] = found
            return found


async def _left(model: Model) -> None:
    await model.__aexit__(None, None, None)
