"""The official SDK talks to the local server: messages, streams, tools, counts, faults, and what HTTP demands."""

from __future__ import annotations

import http.client
import json
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import urlsplit

import anthropic
import pytest
from anthropic.types import Message, MessageParam, ToolParam

from turnstate.testing.anthropic import (
    AnthropicServer,
    Call,
    Fault,
    MessagesRequest,
    Reply,
    Say,
    Think,
    in_order,
)

MODEL = "claude-haiku-4-5"
TOOL: ToolParam = {"name": "get_order", "description": "Look up.", "input_schema": {"type": "object"}}
ASKED: list[MessageParam] = [{"role": "user", "content": "Where is order 1?"}]
HEADERS = {"x-api-key": "any", "anthropic-version": "2026-10-21", "content-type": "application/json"}


@contextmanager
def connected(
    server: AnthropicServer, *, retries: int = 0, timeout: float | None = None
) -> Generator[anthropic.Anthropic, None, None]:
    """The official client, without retries unless asked for."""
    with anthropic.Anthropic(
        base_url=server.base_url, api_key="any", max_retries=retries, timeout=timeout
    ) as client:
        yield client


def raw(server: AnthropicServer) -> http.client.HTTPConnection:
    """One connection that sends whatever it is told."""
    return http.client.HTTPConnection(urlsplit(server.base_url).netloc)


def test_a_message_is_answered(server: AnthropicServer, client: anthropic.Anthropic) -> None:
    """Text comes back with usage that matches the recorded request."""
    answer = client.messages.create(model=MODEL, max_tokens=64, system="Be kind.", messages=ASKED)
    assert [block.text for block in answer.content if block.type == "text"] == ["Where is order 1?"]
    assert (answer.stop_reason, answer.role, answer.model) == ("end_turn", "assistant", MODEL)
    (request,) = server.requests
    assert (request.prompt, request.system, request.stream) == ("Where is order 1?", "Be kind.", False)
    assert answer.usage.input_tokens == request.tokens
    assert answer.usage.output_tokens > 0
    assert answer._request_id  # pyright: ignore[reportPrivateUsage]  # the SDK's public name for it begins with a dash


def test_a_message_is_streamed(server: AnthropicServer, client: anthropic.Anthropic) -> None:
    """The pieces add up to the text, and the final message is the one without streaming."""
    messages: list[MessageParam] = [
        {"role": "user", "content": "A rather long sentence, streamed in pieces. 日本語 🎉"}
    ]
    with client.messages.stream(model=MODEL, max_tokens=64, messages=messages) as stream:
        pieces = list(stream.text_stream)
        final = stream.get_final_message()
    assert len(pieces) > 2
    assert "".join(pieces) == messages[0]["content"]
    whole = client.messages.create(model=MODEL, max_tokens=64, messages=messages)
    streamed, plain = (message.to_dict(exclude_unset=True) for message in (final, whole))
    assert streamed.pop("id") != plain.pop("id")
    assert streamed["usage"] == plain["usage"]
    assert streamed["stop_reason"] == plain["stop_reason"]
    assert [request.stream for request in server.requests] == [True, False]


@pytest.mark.parametrize("streaming", [False, True])
def test_tools_make_a_round_trip(streaming: bool) -> None:
    """The model thinks, speaks and calls twice; the client sends results; the model answers from them."""
    arguments = {"id": "1", "note": "Größe 🎉 and more text than one piece holds"}

    def script(request: MessagesRequest) -> Reply:
        if request.results:
            return Reply.of(" and ".join(request.results.values()))
        return Reply.of(Think("hm"), "Looking.", Call("get_order", arguments), Call("get_order", {}))

    with AnthropicServer(script) as server, connected(server) as client:

        def say(messages: list[MessageParam]) -> Message:
            asked: dict[str, Any] = {"model": MODEL, "max_tokens": 64, "messages": messages, "tools": [TOOL]}
            if not streaming:
                return client.post("/v1/messages", body=asked, cast_to=Message)
            with client.messages.stream(**asked) as stream:
                return stream.get_final_message()

        first = say(ASKED)
        assert first.stop_reason == "tool_use"
        assert [block.type for block in first.content] == ["thinking", "text", "tool_use", "tool_use"]
        calls = [block for block in first.content if block.type == "tool_use"]
        assert [call.input for call in calls] == [arguments, {}]
        results: MessageParam = {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": call.id, "content": f"result {number}"}
                for number, call in enumerate(calls)
            ],
        }
        second = say([*ASKED, first.to_param(), results])
        assert [block.to_dict()["text"] for block in second.content] == ["result 0 and result 1"]
        assert server.requests[1].results == {call.id: f"result {n}" for n, call in enumerate(calls)}
        assert server.refusals == []


def test_events_stand_on_the_wire_as_documented(server: AnthropicServer, body: dict[str, Any]) -> None:
    """Named events in a chunked response, with a ping that clients must ignore."""
    with closing(raw(server)) as connection:
        connection.request("POST", "/v1/messages", json.dumps({**body, "stream": True}), HEADERS)
        response = connection.getresponse()
        assert response.headers.get_content_type() == "text/event-stream"
        assert response.headers["transfer-encoding"] == "chunked"
        assert response.headers["request-id"].startswith("req_")
        names = [
            line.removeprefix(b"event: ")
            for line in response.read().splitlines()
            if line.startswith(b"event: ")
        ]
    assert names[:3] == [b"message_start", b"ping", b"content_block_start"]
    assert names[-3:] == [b"content_block_stop", b"message_delta", b"message_stop"]
    assert set(names[3:-3]) == {b"content_block_delta"}


def test_tokens_are_counted_as_they_are_charged(server: AnthropicServer, client: anthropic.Anthropic) -> None:
    """The counting endpoint and the usage of the same request agree, and counting calls no model."""
    counted = client.messages.count_tokens(model=MODEL, messages=ASKED, tools=[TOOL], system="Be kind.")
    assert (len(server.requests), len(server.counts)) == (0, 1)
    answer = client.messages.create(
        model=MODEL, max_tokens=9, messages=ASKED, tools=[TOOL], system="Be kind."
    )
    assert counted.input_tokens == answer.usage.input_tokens == server.counts[0].tokens


def test_the_cache_shows_in_the_usage(client: anthropic.Anthropic) -> None:
    """A marked system prompt is written once and read afterwards; a stream reports the same split."""
    asked: dict[str, Any] = {
        "model": MODEL,
        "max_tokens": 9,
        "messages": ASKED,
        "system": [{"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}],
    }
    first = client.post("/v1/messages", body=asked, cast_to=Message).usage
    with client.messages.stream(**asked) as stream:
        second = stream.get_final_message().usage
    assert first.cache_creation_input_tokens == second.cache_read_input_tokens == 3
    assert first.input_tokens == second.input_tokens > 0


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault(429, "rate_limit_error", "Slow down."), anthropic.RateLimitError),
        (Fault(500, "api_error", "Internal server error"), anthropic.InternalServerError),
        (Fault(529, "overloaded_error", "Overloaded"), anthropic.APIStatusError),
    ],
)
def test_a_fault_is_the_sdks_error(fault: Fault, error: type[anthropic.APIStatusError]) -> None:
    """Status and body are those of the real outage."""
    with AnthropicServer(in_order(fault)) as server, connected(server) as client:
        with pytest.raises(error) as caught:
            client.messages.create(model=MODEL, max_tokens=9, messages=ASKED)
        assert (caught.value.status_code, len(server.requests)) == (fault.status, 1)


def test_the_client_tries_again_after_an_outage() -> None:
    """With its own retries the SDK gets the reply that follows the faults."""
    script = in_order(
        Fault(529, "overloaded_error", "Overloaded"),
        Fault(429, "rate_limit_error", "Slow down.", retry_after=0),
        Reply.of("Here."),
    )
    with AnthropicServer(script) as server, connected(server, retries=2) as client:
        answer = client.messages.create(model=MODEL, max_tokens=9, messages=ASKED)
        assert answer.content[0].to_dict()["text"] == "Here."
        assert len(server.requests) == 3


def test_a_stream_breaks_after_some_text() -> None:
    """What was said arrives before the error does."""
    broken = Reply((Say("Your order has"),), broken_by=Fault(529, "overloaded_error", "Overloaded"))
    with AnthropicServer(in_order(broken)) as server, connected(server) as client:
        heard: list[str] = []

        def listen() -> None:
            with client.messages.stream(model=MODEL, max_tokens=9, messages=ASKED) as stream:
                heard.extend(stream.text_stream)

        with pytest.raises(anthropic.APIStatusError, match="overloaded_error"):
            listen()
        assert "".join(heard) == "Your order has"


def test_a_request_over_the_window_is_too_long() -> None:
    """The client raises the API's words with both numbers."""
    with AnthropicServer(window=50) as server, connected(server) as client:
        with pytest.raises(anthropic.BadRequestError, match=r"prompt is too long: \d+ tokens > 50 maximum"):
            client.messages.create(
                model=MODEL, max_tokens=9, messages=[{"role": "user", "content": "word " * 60}]
            )
        assert server.requests == []


def test_a_prefill_is_continued_where_it_is_allowed() -> None:
    """The switch of the older models."""
    messages: list[MessageParam] = [*ASKED, {"role": "assistant", "content": "It is"}]
    with AnthropicServer(allow_prefill=True) as server, connected(server) as client:
        assert client.messages.create(model=MODEL, max_tokens=9, messages=messages).stop_reason == "end_turn"


@pytest.mark.parametrize(
    ("path", "headers", "data", "status", "kind"),
    [
        ("/v1/messages", HEADERS, b"not json", 400, "invalid_request_error"),
        ("/v1/messages", HEADERS, b"[]", 400, "invalid_request_error"),
        ("/v1/messages", HEADERS, b"", 400, "invalid_request_error"),
        ("/v1/messages?beta=true", HEADERS, b"{}", 400, "invalid_request_error"),
        ("/v1/messages", {"anthropic-version": "2023-06-01"}, b"{}", 401, "authentication_error"),
        ("/v1/messages", {"x-api-key": "any"}, b"{}", 400, "invalid_request_error"),
        ("/v1/complete", HEADERS, b"{}", 404, "not_found_error"),
        ("/", {}, b"{}", 404, "not_found_error"),
    ],
)
def test_raw_bytes_get_an_error_in_the_apis_shape(
    server: AnthropicServer, path: str, headers: dict[str, str], data: bytes, status: int, kind: str
) -> None:
    """What no SDK would send is refused and the connection stays usable."""
    with closing(raw(server)) as connection:
        for _ in range(2):
            connection.request("POST", path, data, headers)
            response = connection.getresponse()
            error = json.loads(response.read())
            assert (response.status, error["type"], error["error"]["type"]) == (status, "error", kind)
            assert error["request_id"] == response.headers["request-id"]
            assert response.headers.get_content_type() == "application/json"
    assert len(server.refusals) == 2


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods_are_not_found(server: AnthropicServer, method: str) -> None:
    """In the same shape, on a connection that stays open; HEAD has no body."""
    with closing(raw(server)) as connection:
        for _ in range(2):
            connection.request(method, "/v1/messages", headers=HEADERS)
            response = connection.getresponse()
            answer = response.read()
            assert response.status == 404
            assert bool(answer) is (method != "HEAD")


def sent(server: AnthropicServer, data: bytes) -> bytes:
    """What comes back for bytes that may not be HTTP, until the server closes."""
    address = urlsplit(server.base_url)
    with socket.create_connection((address.hostname or "", address.port or 0)) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        while piece := connection.recv(65_536):
            received += piece
    return received


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"POST and more /v1/messages HTTP/1.1\r\n\r\n", b"400"),
        (b"BREW /v1/messages HTTP/1.1\r\n\r\n", b"501"),
        (b"POST /v1/messages HTTP/1.1\r\nContent-Length: many\r\n\r\n", b"400"),
        (b"POST /v1/messages HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", b"400"),
        (b"POST /v1/messages HTTP/1.1\r\nContent-Length: 999999999\r\n\r\n", b"413"),
    ],
)
def test_what_is_not_http_is_refused_in_the_same_shape(
    server: AnthropicServer, data: bytes, status: bytes
) -> None:
    """An error page would confuse a client that reads JSON."""
    head, _, answer = sent(server, data).partition(b"\r\n\r\n")
    assert status in head.splitlines()[0]
    assert json.loads(answer)["type"] == "error"


def test_a_client_that_leaves_in_the_middle_of_its_request_is_forgotten(server: AnthropicServer) -> None:
    """Half a body is not a request."""
    assert sent(server, b"POST /v1/messages HTTP/1.1\r\nContent-Length: 100\r\n\r\n{") == b""
    assert (server.requests, server.refusals) == ([], [])


def test_one_connection_serves_many_requests(server: AnthropicServer, body: dict[str, Any]) -> None:
    """Answers, streams, refusals and counts leave the connection open."""
    count = {name: body[name] for name in ("model", "messages", "tools")}
    kinds: list[tuple[str, dict[str, Any], int]] = [
        ("/v1/messages", body, 200),
        ("/v1/messages", {**body, "stream": True}, 200),
        ("/v1/messages", {**body, "messages": []}, 400),
        ("/v1/messages/count_tokens", count, 200),
        ("/v1/models", {}, 404),
    ]
    with closing(raw(server)) as connection:
        connection.connect()
        first = connection.sock
        for number in range(200):
            path, sent_body, status = kinds[number % len(kinds)]
            connection.request("POST", path, json.dumps(sent_body), HEADERS)
            response = connection.getresponse()
            response.read()
            assert response.status == status
            assert connection.sock is first
    assert (len(server.requests), len(server.counts), len(server.refusals)) == (80, 40, 80)


def test_many_clients_at_once(server: AnthropicServer, body: dict[str, Any]) -> None:
    """Every request is answered once and recorded once."""

    def ask(number: int) -> tuple[str, str]:
        text = f"Message {number}"
        with connected(server) as client:
            answer = client.messages.create(
                model=MODEL, max_tokens=9, messages=[{"role": "user", "content": text}]
            )
        assert answer.content[0].to_dict()["text"] == text
        return answer.id, text

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(64)))
    assert Counter(request.prompt for request in server.requests) == Counter(text for _, text in answers)
    assert len({message_id for message_id, _ in answers}) == 64


def test_a_hung_request_is_seen_and_its_client_may_die(body: dict[str, Any]) -> None:
    """A request that waits is on record; when its client is gone, the server goes on with others."""
    gate = threading.Event()
    with AnthropicServer(delay=gate) as server:
        connection = raw(server)
        connection.request("POST", "/v1/messages", json.dumps(body), HEADERS)
        assert server.wait_for(1)
        # Reset instead of close, as the kernel does for a process that is killed.
        connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
        gate.set()
        with connected(server) as client:
            client.messages.create(model=MODEL, max_tokens=9, messages=ASKED)
        assert len(server.requests) == 2


def test_a_client_gives_up_waiting() -> None:
    """The SDK's own time limit ends a request that hangs."""
    with AnthropicServer(delay=threading.Event()) as server, connected(server, timeout=1.0) as client:
        with pytest.raises(anthropic.APITimeoutError):
            client.messages.create(model=MODEL, max_tokens=9, messages=ASKED)
        assert server.wait_for(1)


def dropped_stream(server: AnthropicServer, body: dict[str, Any]) -> None:
    """Read the head of a long stream and go away."""
    connection = raw(server)
    connection.request("POST", "/v1/messages", json.dumps({**body, "stream": True}), HEADERS)
    connection.getresponse().close()
    connection.close()


def idle(server: AnthropicServer, body: dict[str, Any]) -> None:
    """Nothing happens."""


def opened(server: AnthropicServer, body: dict[str, Any]) -> http.client.HTTPConnection:
    """A connection that was used and waits for more."""
    connection = raw(server)
    connection.request("POST", "/v1/messages", json.dumps(body), HEADERS)
    connection.getresponse().read()
    return connection


@pytest.mark.parametrize("use", [idle, opened, dropped_stream])
def test_leaving_the_block_leaves_nothing(
    use: Callable[[AnthropicServer, dict[str, Any]], http.client.HTTPConnection | None], body: dict[str, Any]
) -> None:
    """No thread, no open port: also after an idle connection and a stream that nobody read."""
    before = set(threading.enumerate())
    with AnthropicServer(lambda _: Reply.of("word " * 200_000)) as server:
        connection = use(server, body)
        address = urlsplit(server.base_url)
    assert set(threading.enumerate()) <= before
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((address.hostname or "", address.port or 0))
    if connection:
        connection.close()


def test_leaving_the_block_releases_a_hung_request(body: dict[str, Any]) -> None:
    """A test that fails while a request hangs does not hang itself."""
    before = set(threading.enumerate())
    with AnthropicServer(delay=threading.Event()) as server:
        connection = raw(server)
        connection.request("POST", "/v1/messages", json.dumps(body), HEADERS)
        assert server.wait_for(1)
    assert set(threading.enumerate()) <= before
    connection.close()


def test_an_error_in_the_block_closes_the_server() -> None:
    """The error comes through and the port is free."""
    before = set(threading.enumerate())
    with pytest.raises(LookupError, match="mine"), AnthropicServer():
        raise LookupError("mine")
    assert set(threading.enumerate()) <= before


def test_a_delay_that_fails_is_an_answer(body: dict[str, Any]) -> None:
    """A function may stand in for the event; what it raises does not drop the connection."""

    def delay() -> None:
        raise TimeoutError("too late")

    with (
        AnthropicServer(delay=delay) as server,
        connected(server) as client,
        pytest.raises(anthropic.InternalServerError, match="TimeoutError: too late"),
    ):
        client.messages.create(model=MODEL, max_tokens=9, messages=ASKED)
