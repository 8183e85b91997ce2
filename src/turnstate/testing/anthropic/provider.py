"""What happens to one request, from its bytes to the answer's: everything about the protocol but the sockets."""

from __future__ import annotations

import hashlib
import itertools
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from turnstate.testing.anthropic.cache import PromptCache
from turnstate.testing.anthropic.count import segments
from turnstate.testing.anthropic.render import Answered, error, events, message
from turnstate.testing.anthropic.script import Call, Fault, JsonObject, MessagesRequest, Part, Replier, Reply
from turnstate.testing.anthropic.validate import VERSIONS, Rules, parse, validate

MAX_BODY = 32_000_000
"""Bytes that a request may have, as at the real endpoint."""

Delay: TypeAlias = threading.Event | Callable[[], object]
"""What a request waits for before it is answered: an event to be set, or a function to return."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request as it came off the socket.

    Attributes:
        method: the HTTP method.
        path: the path without its query.
        headers: the headers by lower-case name.
        data: the body.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    data: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back.

    Attributes:
        status: the HTTP status.
        body: the whole body, or the events of a stream.
        headers: headers beside content type and length.
    """

    status: int
    body: bytes | Iterator[bytes]
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Refusal:
    """A request that the server refused; the key and the other headers are not kept.

    Attributes:
        path: where it went.
        status: the HTTP status.
        kind: the error's type.
        message: the error's text.
        body: the JSON that was sent, or None where the refusal came before it was read.
    """

    path: str
    status: int
    kind: str
    message: str
    body: object = None


class Provider:
    """The scripted provider: validates, counts, records and answers requests; safe across threads.

    Args:
        reply: the scripted model.
        window: input tokens that a request may have.
        allow_prefill: whether the last message may be the assistant's.
        delay: what a request waits for, after it was recorded and before it is answered.
    """

    def __init__(self, reply: Replier, *, window: int, allow_prefill: bool, delay: Delay | None) -> None:
        self._reply = reply
        self._window = window
        self._allow_prefill = allow_prefill
        self._delay = delay
        self._cache = PromptCache()
        self._numbers = itertools.count(1)
        self._closing = threading.Event()
        self._changed = threading.Condition()
        self._requests: list[MessagesRequest] = []
        self._counts: list[MessagesRequest] = []
        self._refusals: list[Refusal] = []

    @property
    def requests(self) -> list[MessagesRequest]:
        """Accepted requests for a message, oldest first."""
        with self._changed:
            return list(self._requests)

    @property
    def counts(self) -> list[MessagesRequest]:
        """Accepted requests for a count, oldest first."""
        with self._changed:
            return list(self._counts)

    @property
    def refusals(self) -> list[Refusal]:
        """Refused requests, oldest first; a scripted fault is an answer, not a refusal."""
        with self._changed:
            return list(self._refusals)

    def wait_for(self, requests: int, timeout: float) -> bool:
        """Whether that many requests for a message were accepted within `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self._requests) >= requests, timeout)

    def close(self) -> None:
        """Release every request that waits for an event."""
        self._closing.set()

    def answer(self, exchange: Exchange) -> Answer:
        """Answer one request; what is wrong with it, or with the script, becomes an error in the provider's shape."""
        request_id = f"req_{next(self._numbers):024d}"
        body: object = None
        try:
            _admit(exchange)
            body = _json_of(exchange.data)
            counting = exchange.path.endswith("/count_tokens")
            request = self._accepted(body, exchange.headers, counting=counting)
        except Fault as fault:
            with self._changed:
                self._refusals.append(Refusal(exchange.path, fault.status, fault.kind, fault.message, body))
            return _failed(fault, request_id)
        if counting:
            return _json(200, {"input_tokens": request.tokens}, request_id)
        try:
            return self._played(request, request_id)
        except Fault as fault:
            return _failed(fault, request_id)

    def _accepted(self, body: object, headers: Mapping[str, str], *, counting: bool) -> MessagesRequest:
        """The valid request, counted and recorded.

        Raises:
            Fault: it is refused.
        """
        names = tuple(name.strip() for name in headers.get("anthropic-beta", "").split(",") if name.strip())
        version = headers["anthropic-version"]
        rules = Rules(version, betas=bool(names), counting=counting, allow_prefill=self._allow_prefill)
        problem = validate(body, rules)
        if problem:
            raise _invalid(problem)
        content = cast("JsonObject", body)
        parts = segments(content)
        tokens = sum(part.tokens for part in parts)
        if counting:
            request = MessagesRequest(content, tokens, betas=names)
        elif tokens > self._window:
            raise _invalid(f"prompt is too long: {tokens} tokens > {self._window} maximum")
        else:
            use = self._cache.use(content["model"], parts)
            request = MessagesRequest(content, tokens, use.read, use.creation, names)
        with self._changed:
            (self._counts if counting else self._requests).append(request)
            self._changed.notify_all()
        return request

    def _wait(self) -> None:
        if isinstance(self._delay, threading.Event):
            while not self._closing.is_set() and not self._delay.wait(0.01):
                pass
        elif self._delay:
            self._delay()

    def _played(self, request: MessagesRequest, request_id: str) -> Answer:
        """The script's answer to a request.

        Raises:
            Fault: the script answers with one, or cannot be played.
        """
        reply = self._scripted(request)
        number = next(self._numbers)
        seed = f"{number} {json.dumps(request.body)}"
        ids = tuple(_call_id(part, f"{seed} {index}") for index, part in enumerate(reply.parts))
        answered = Answered(request, reply, f"msg_{number:024d}", ids)
        if request.stream:
            return Answer(200, events(answered), {"request-id": request_id})
        if reply.broken_by:
            raise reply.broken_by
        return _json(200, message(answered), request_id)

    def _scripted(self, request: MessagesRequest) -> Reply:
        """The script's reply.

        Raises:
            Fault: the script answers with one, or with something that this request cannot get.
        """
        try:
            self._wait()
            reply = self._reply(request)
            if not isinstance(reply, Fault):
                _check_calls(reply, request)
        except Fault:
            raise
        except Exception as problem:
            raise Fault(
                500, "api_error", f"The script failed: {type(problem).__name__}: {problem}"
            ) from problem
        if isinstance(reply, Fault):
            raise reply
        return reply


def _check_calls(reply: Reply, request: MessagesRequest) -> None:
    for part in reply.parts:
        if isinstance(part, Call):
            json.dumps(dict(part.input))  # before a stream begins: TypeError for what is not JSON
            if part.name not in request.tools:
                offered = ", ".join(request.tools) or "none"
                raise ValueError(f"it calls tool {part.name!r}, and the request offers {offered}")


def _call_id(part: Part, seed: str) -> str:
    """An id that no other call has, also on another server, and that is the same in every run."""
    given = part.id if isinstance(part, Call) else None
    return given or f"toolu_{hashlib.sha256(seed.encode()).hexdigest()[:24]}"


def _admit(exchange: Exchange) -> None:
    """Let a request in by its method, path, size and headers.

    Raises:
        Fault: it is refused.
    """
    if exchange.method != "POST" or exchange.path not in {"/v1/messages", "/v1/messages/count_tokens"}:
        raise Fault(404, "not_found_error", f"{exchange.method} {exchange.path} does not exist here")
    scheme, _, token = exchange.headers.get("authorization", "").partition(" ")
    if not (exchange.headers.get("x-api-key") or (scheme == "Bearer" and token.strip())):
        raise Fault(401, "authentication_error", "x-api-key header is required")
    if (version := exchange.headers.get("anthropic-version")) is None:
        raise _invalid("anthropic-version: header is required")
    if version not in VERSIONS:
        raise _invalid(f'anthropic-version: "{version}" is not a valid version')
    if len(exchange.data) > MAX_BODY:
        raise Fault(413, "request_too_large", "Request exceeds the maximum size")


def _json_of(data: bytes) -> object:
    try:
        return parse(data)
    except ValueError as problem:
        raise _invalid(str(problem)) from problem


def _invalid(problem: str) -> Fault:
    return Fault(400, "invalid_request_error", problem)


def _failed(fault: Fault, request_id: str) -> Answer:
    answer = _json(fault.status, error(fault, request_id), request_id)
    if fault.retry_after is None:
        return answer
    return Answer(answer.status, answer.body, {**answer.headers, "retry-after": str(fault.retry_after)})


def _json(status: int, body: JsonObject, request_id: str) -> Answer:
    return Answer(status, json.dumps(body).encode(), {"request-id": request_id})
