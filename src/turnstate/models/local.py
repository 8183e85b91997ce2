"""A GGUF model on this machine: llama.cpp's server on loopback, spoken to like any other Anthropic endpoint."""

from __future__ import annotations

import asyncio
import atexit
import importlib.util
import os
import secrets
import threading
import weakref
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import ModelRequestParameters, StreamedResponse
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.settings import ModelSettings
from pydantic_ai.usage import RequestUsage

from turnstate.errors import ModelNameError

PREFIX = "local:"
"""How the id of such a model starts."""

WINDOW = 4_096
"""Tokens of context where the id names no window: what nearly every model was trained for."""

LARGEST = 1 << 20
"""The largest window that an id may ask for, in tokens: memory for it is taken at once."""

_MAGIC = b"GGUF"
_NOWHERE = "http://127.0.0.1:9"  # the discard port: where a model points before its server stands


class Place(NamedTuple):
    """What one server serves.

    Attributes:
        path: the GGUF file.
        window: its context window in tokens.
    """

    path: Path
    window: int


class LocalModel(AnthropicModel):
    """A model that runs in this process's own llama.cpp server.

    The server starts when the model is entered (`async with`), or at the first request; it is shared by all models of
    one file and window in the process, and stops when the last of them is left.

    Args:
        place: the file and the window.

    Attributes:
        window: the context window in tokens; the server refuses a longer request.
    """

    def __init__(self, place: Place) -> None:
        self.window = place.window
        self._place = place
        self._entered = 0
        self._lease: _Lease | None = None
        super().__init__(place.path.stem, provider=AnthropicProvider(base_url=_NOWHERE, api_key="none"))

    @property
    def context_window(self) -> int | None:
        """The window in tokens, as pydantic-ai asks for it."""
        return self.window

    async def __aenter__(self) -> Self:
        self._entered += 1
        try:
            await self._ready()
        except BaseException:
            self._entered -= 1
            raise
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> bool | None:
        self._entered -= 1
        if self._entered == 0 and self._lease is not None:
            lease, self._lease = self._lease, None
            try:
                await self.client.close()
            finally:
                await asyncio.to_thread(lease.release)
        return None

    async def _ready(self) -> None:
        """Start the server, or join the one that runs, and speak to it."""
        if self._lease is not None:
            return
        lease = await asyncio.to_thread(_Lease, self._place)
        if self._lease is not None:  # another task was quicker
            lease.release()
            return
        # A proxy of the environment has no way to this machine's own loopback.
        client = AsyncAnthropic(
            base_url=lease.address, api_key=lease.key, http_client=DefaultAsyncHttpxClient(trust_env=False)
        )
        self._provider = AnthropicProvider(anthropic_client=client)
        self._lease = lease

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """One response."""
        await self._ready()
        return await super().request(messages, model_settings, model_request_parameters)

    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: Any = None,
    ) -> AsyncGenerator[StreamedResponse]:
        """One response while it is written."""
        await self._ready()
        opened = super().request_stream(messages, model_settings, model_request_parameters, run_context)
        async with opened as stream:
            yield stream

    async def count_tokens(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> RequestUsage:
        """The server's own count, by the model's own tokenizer."""
        await self._ready()
        return await super().count_tokens(messages, model_settings, model_request_parameters)


def local_model(model: str) -> LocalModel:
    """The model of an id `local:PATH.gguf`, or `local:PATH.gguf?window=2048`.

    The file is looked at, not loaded.

    Raises:
        ModelNameError: the file is missing or no GGUF, the window is none, or the extra `local` is not installed.
    """
    path, asked, query = model.removeprefix(PREFIX).partition("?")
    if not path:
        raise ModelNameError(model, "it names no file, as 'local:models/small.gguf' does")
    place = Place(Path(os.path.expanduser(path)).absolute(), _window(model, query) if asked else WINDOW)  # noqa: PTH111 - leaves a user that is not known as it is
    if not place.path.is_file():
        raise ModelNameError(model, "there is no such file")
    try:
        with place.path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise ModelNameError(model, f"the file cannot be read ({type(error).__name__})") from error
    if magic != _MAGIC:
        raise ModelNameError(model, "the file is not a GGUF")
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelNameError(model, "its package is not installed (pip install 'turnstate[local]')")
    return LocalModel(place)


def _window(model: str, query: str) -> int:
    """The window that an id asks for."""
    name, _, value = query.partition("=")
    if name != "window":
        raise ModelNameError(model, "after '?' only window=TOKENS may stand, as in '?window=2048'")
    if not (value.isascii() and value.isdigit() and len(value) < 9 and 0 < int(value) <= LARGEST):
        raise ModelNameError(model, f"its window is not a whole number from 1 to {LARGEST:,}")
    return int(value)


class _Running:
    """A server with the number of those who use it."""

    def __init__(self, place: Place, key: str) -> None:
        self.key = key
        self.users = 0
        self.server: Any = _start(place, key)


# Protects what follows, also while a server loads, so that nobody starts a second one. A lease that becomes garbage
# meanwhile lets go in this very thread.
_lock = threading.RLock()
_running: dict[Place, _Running] = {}


def serving() -> tuple[Place, ...]:
    """What servers of this process serve now."""
    with _lock:
        return tuple(_running)


class _Lease:
    """One user's hold on the server of a place; let go once, at the latest when it is garbage.

    Raises:
        ModelNameError: llama.cpp cannot load the file.
    """

    def __init__(self, place: Place) -> None:
        with _lock:
            found = _running.get(place)
            if found is None:
                found = _running[place] = _Running(place, secrets.token_hex(16))
            found.users += 1
        self.address = str(found.server.listening_address)
        self.key = found.key
        self.release = weakref.finalize(self, _release, place)
        self.release.atexit = False


def _release(place: Place) -> None:
    with _lock:
        running = _running.get(place)
        if running is None:
            return  # stopped with the process
        running.users -= 1
        if not running.users:
            del _running[place]
            del running.server  # stops it


@atexit.register
def _stop_all() -> None:
    """Servers that nobody left stop before the interpreter takes their threads' ground away."""
    for running in _running.values():
        del running.server
    _running.clear()


def _start(place: Place, key: str) -> Any:
    """llama.cpp's server on a free port of the loopback address, silent, one request at a time.

    The temperature is 0 where a request asks for none, so that a conversation can be repeated.
    """
    llama = import_module("xllamacpp")
    params = llama.CommonParams()
    params.model.path = str(place.path)
    params.n_ctx = place.window
    params.n_parallel = 1
    # Its threads wait for each other by spinning: with one for every core, whatever else runs here makes it crawl.
    params.cpuparams.n_threads = max(1, (os.cpu_count() or 2) // 2)
    params.fit_params = False  # or the window is made smaller where memory is short
    params.port = 0
    params.api_keys = [key]  # others on this machine have no business here
    params.endpoint_slots = False
    params.ui = False
    params.warmup = False
    params.verbosity = -1
    params.sampling.temp = 0.0
    try:
        return llama.Server(params)
    except Exception as error:
        name = f"{PREFIX}{place.path}"
        raise ModelNameError(name, f"llama.cpp cannot load it ({type(error).__name__})") from error
