"""The local HTTP server: the sockets and threads of the other provider's, around this scripted one."""

from __future__ import annotations

import contextlib
import threading
from types import TracebackType
from typing import Any, Self, cast

from turnstate.testing.anthropic.provider import Delay, Refusal
from turnstate.testing.anthropic.server import (
    _Listener as Listener,  # pyright: ignore[reportPrivateUsage]  # one set of sockets for both providers
)
from turnstate.testing.openai.provider import OpenAIProvider
from turnstate.testing.openai.script import OpenAIRequest, Replier, echo


class OpenAIServer:
    """A strict provider on 127.0.0.1 that speaks chat completions and responses, for as long as the `with` block lasts.

    It refuses what the real APIs refuse, in the same words, and answers the rest as scripted. It takes any key and
    keeps none. Items of responses are known by the server that gave them out, as long as it runs.

    Args:
        reply: the scripted model; a function that must return, because leaving the block waits for it.
        window: input tokens that a request may have; a longer one is refused as the real one is.
        delay: what every request waits for, after it was recorded and before it is answered. An event is given up when
            the block is left; a function must return.

    Attributes:
        base_url: what a client is pointed to; set on entering the block.
    """

    base_url: str

    def __init__(self, reply: Replier = echo, *, window: int = 128_000, delay: Delay | None = None) -> None:
        self._provider = OpenAIProvider(reply, window=window, delay=delay)
        self._running = contextlib.ExitStack()

    @property
    def requests(self) -> list[OpenAIRequest]:
        """Accepted requests with their counted tokens, oldest first."""
        return self._provider.requests

    @property
    def counts(self) -> list[OpenAIRequest]:
        """Accepted requests for a token count, oldest first; only responses have a counter."""
        return self._provider.counts

    @property
    def refusals(self) -> list[Refusal]:
        """Refused requests, oldest first; a scripted fault is an answer, not a refusal."""
        return self._provider.refusals

    def __enter__(self) -> Self:
        listener = Listener(cast("Any", self._provider))
        self._running.callback(listener.close)
        loop = threading.Thread(
            target=listener.serve_forever, args=(0.01,), name="openai-server", daemon=True
        )
        loop.start()
        self._running.callback(loop.join)
        self._running.callback(listener.shutdown)
        self._running.callback(self._provider.close)
        host, port = listener.server_address[:2]
        self.base_url = f"http://{host!s}:{port}/v1"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._running.close()
