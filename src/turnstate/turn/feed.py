"""What a running turn gives to those who wait for it: sentences as they are released, and the reply.

Readers may live in other event loops and other threads than the turn.
"""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future

from turnstate.errors import TurnstateError
from turnstate.redaction import masked_error
from turnstate.turn.reply import Reply


class Feed:
    """Sentences that were released, in order, for any number of readers; then the reply or an error.

    Attributes:
        redact: the kinds of values that are masked in an error.
    """

    def __init__(self) -> None:
        self.redact: frozenset[str] = frozenset()
        self._lock = threading.Lock()  # protects _sentences and _waiting
        self._sentences: list[str] = []
        self._waiting: list[Future[None]] = []
        self._result: Future[Reply] = Future()
        self._result.set_running_or_notify_cancel()

    @property
    def released(self) -> str:
        """The text that was released so far."""
        with self._lock:
            return "".join(self._sentences)

    @property
    def done(self) -> bool:
        """Whether the reply or an error is there."""
        return self._result.done()

    def release(self, sentence: str) -> None:
        """Give a sentence to the readers; it is never taken back."""
        with self._lock:
            self._sentences.append(sentence)
            waiting, self._waiting = self._waiting, []
        _wake(waiting)

    def finish(self, reply: Reply | BaseException) -> None:
        """End the feed with the reply or an error."""
        if self._result.done():
            return
        if isinstance(reply, Reply):
            self._result.set_result(reply)
        else:
            if self.redact and isinstance(reply, TurnstateError):
                reply = masked_error(reply, self.redact)
            self._result.set_exception(reply)
        with self._lock:
            waiting, self._waiting = self._waiting, []
        _wake(waiting)

    async def reply(self) -> Reply:
        """The reply, once it is recorded. A caller that stops waiting does not stop the turn.

        Raises:
            TurnstateError: the turn did not close.
        """
        waiting = asyncio.wrap_future(self._result)
        # Looked at here, because nobody else does once the caller has stopped waiting.
        waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(waiting)

    async def sentence(self, index: int) -> str | None:
        """The sentence at `index`, from 0, once it is released; None where the reply has no more.

        Raises:
            TurnstateError: the turn did not close, and what was released before has been read.
        """
        while True:
            with self._lock:
                if index < len(self._sentences):
                    return self._sentences[index]
                waiter: Future[None] | None = None
                if not self._result.done():
                    waiter = Future()
                    self._waiting.append(waiter)
            if waiter is None:
                await self.reply()
                return None
            await asyncio.wrap_future(waiter)


def _wake(waiting: list[Future[None]]) -> None:
    for waiter in waiting:
        if waiter.set_running_or_notify_cancel():
            waiter.set_result(None)
