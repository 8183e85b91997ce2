"""What happens to one request, from its bytes to the answer's: everything about the protocols but the sockets."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import threading
from collections.abc import Callable
from typing import cast

from turnstate.testing.anthropic.provider import MAX_BODY, Answer, Delay, Exchange, Refusal
from turnstate.testing.anthropic.script import Call, Fault, JsonObject, Part, Reply, Say, Think
from turnstate.testing.anthropic.validate import parse
from turnstate.testing.openai.chat import chunks, completion
from turnstate.testing.openai.count import count_request
from turnstate.testing.openai.render import Answered, Ids, Refused, error
from turnstate.testing.openai.responses import events, response
from turnstate.testing.openai.script import Api, OpenAIRequest, Replier
from turnstate.testing.openai.validate import Issued, chat_problem, responses_problem

__all__ = ["OpenAIProvider", "Refusal"]

_APIS: dict[str, Api] = {"/v1/chat/completions": "chat", "/v1/responses": "responses"}
_COUNTING = "/input_tokens"
_PREFIXES: dict[type[Part], str] = {Say: "msg", Call: "fc", Think: "rs"}


class OpenAIProvider:
    """The scripted provider: validates, counts, records and answers requests; safe across threads.

    Args:
        reply: the scripted model.
        window: input tokens that a request may have.
        delay: what a request waits for, after it was recorded and before it is answered.
    """

    def __init__(self, reply: Replier, *, window: int, delay: Delay | None) -> None:
        self._reply = reply
        self._window = window
        self._delay = delay
        self._numbers = itertools.count(1)
        self._closing = threading.Event()
        self._lock = threading.Lock()  # guards what follows
        self._requests: list[OpenAIRequest] = []
        self._counts: list[OpenAIRequest] = []
        self._refusals: list[Refusal] = []
        self._issued: dict[str, Issued] = {}

    @property
    def requests(self) -> list[OpenAIRequest]:
        """Accepted requests, oldest first."""
        with self._lock:
            return list(self._requests)

    @property
    def counts(self) -> list[OpenAIRequest]:
        """Accepted requests for a token count, oldest first."""
        with self._lock:
            return list(self._counts)

    @property
    def refusals(self) -> list[Refusal]:
        """Refused requests, oldest first; a scripted fault is an answer, not a refusal."""
        with self._lock:
            return list(self._refusals)

    def close(self) -> None:
        """Release every request that waits for an event."""
        self._closing.set()

    def answer(self, exchange: Exchange) -> Answer:
        """Answer one request; what is wrong with it, or with the script, becomes an error in the provider's shape."""
        body: object = None
        try:
            api = _admitted(exchange)
            body = _json_of(exchange.data)
            counting = exchange.path.endswith(_COUNTING)
            request = self._accepted(body, api, counting=counting)
        except Fault as fault:
            with self._lock:
                self._refusals.append(Refusal(exchange.path, fault.status, fault.kind, fault.message, body))
            return _failed(fault)
        if counting:
            return _json({"object": "response.input_tokens", "input_tokens": request.tokens})
        try:
            return self._played(request)
        except Fault as fault:
            return _failed(fault)

    def _accepted(self, body: object, api: Api, *, counting: bool) -> OpenAIRequest:
        """The valid request, counted and recorded.

        Raises:
            Fault: it is refused.
        """
        with self._lock:
            problem = chat_problem(body) if api == "chat" else responses_problem(body, self._issued)
        if problem:
            raise Refused(problem)
        content = cast("JsonObject", body)
        tokens = count_request(content)
        if tokens > self._window and not counting:
            raise Refused(
                f"This model's maximum context length is {self._window} tokens. However, your messages resulted in "
                f"{tokens} tokens. Please reduce the length of the messages.",
                code="context_length_exceeded",
            )
        request = OpenAIRequest(content, api, tokens)
        with self._lock:
            (self._counts if counting else self._requests).append(request)
        return request

    def _played(self, request: OpenAIRequest) -> Answer:
        """The script's answer to a request.

        Raises:
            Fault: the script answers with one, or cannot be played.
        """
        reply = self._scripted(request)
        number = next(self._numbers)
        ids = tuple(_ids(part, f"{number} {index} {request.model}") for index, part in enumerate(reply.parts))
        answered = Answered(request, reply, f"{number:024d}", ids)
        self._issue(answered)
        if request.stream:
            return Answer(200, chunks(answered) if request.api == "chat" else events(answered))
        if reply.broken_by:
            raise reply.broken_by
        made: Callable[[Answered], JsonObject] = completion if request.api == "chat" else response
        return _json(made(answered))

    def _issue(self, answered: Answered) -> None:
        """Remember the items of an answer, so that they are known when they come back."""
        reasoning = ""
        with self._lock:
            for part, ids in zip(answered.reply.parts, answered.ids, strict=True):
                model = answered.request.model
                if isinstance(part, Think):
                    reasoning = ids.item
                    self._issued[ids.item] = Issued(model, encrypted=ids.encrypted)
                else:
                    self._issued[ids.item] = Issued(model, reasoning)

    def _scripted(self, request: OpenAIRequest) -> Reply:
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
            why = f"The script failed: {type(problem).__name__}: {problem}"
            raise Fault(500, "server_error", why) from problem
        if isinstance(reply, Fault):
            raise reply
        return reply

    def _wait(self) -> None:
        if isinstance(self._delay, threading.Event):
            while not self._closing.is_set() and not self._delay.wait(0.01):
                pass
        elif self._delay:
            self._delay()


def _check_calls(reply: Reply, request: OpenAIRequest) -> None:
    for part in reply.parts:
        if isinstance(part, Call):
            json.dumps(dict(part.input))  # before a stream begins: TypeError for what is not JSON
            if part.name not in request.tools:
                offered = ", ".join(request.tools) or "none"
                raise ValueError(f"it calls tool {part.name!r}, and the request offers {offered}")


def _ids(part: Part, seed: str) -> Ids:
    """Ids that no other part of this server's has, and that are the same in every run."""
    digest = hashlib.sha256(seed.encode())
    own = digest.hexdigest()
    call = part.id if isinstance(part, Call) and part.id else f"call_{own[:24]}"
    return Ids(f"{_PREFIXES[type(part)]}_{own[:32]}", call, base64.b64encode(digest.digest()).decode())


def _admitted(exchange: Exchange) -> Api:
    """Which API a request goes to, by its method, path, size and headers.

    Raises:
        Fault: it is refused.
    """
    path = exchange.path.removesuffix(_COUNTING)
    api = _APIS.get(path) if path in {exchange.path, "/v1/responses"} else None
    if exchange.method != "POST" or api is None:
        raise Refused(f"Invalid URL ({exchange.method} {exchange.path})", status=404)
    scheme, _, token = exchange.headers.get("authorization", "").partition(" ")
    if scheme != "Bearer" or not token.strip():
        raise Refused("You didn't provide an API key.", status=401, code="invalid_api_key")
    if len(exchange.data) > MAX_BODY:
        raise Refused("The request is too large.", status=413)
    return api


def _json_of(data: bytes) -> object:
    try:
        return parse(data)
    except ValueError as problem:
        raise Refused(f"We could not parse the JSON body of your request. ({problem})") from problem


def _json(body: JsonObject) -> Answer:
    return Answer(200, json.dumps(body).encode())


def _failed(fault: Fault) -> Answer:
    headers = {} if fault.retry_after is None else {"retry-after": str(fault.retry_after)}
    return Answer(fault.status, json.dumps(error(fault)).encode(), headers)
