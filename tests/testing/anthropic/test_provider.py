"""One request at a time, without sockets: what is admitted, refused, recorded and answered."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any, cast

import pytest

from turnstate.testing.anthropic import Call, Fault, MessagesRequest, Reply, echo, in_order
from turnstate.testing.anthropic.provider import MAX_BODY, Answer, Delay, Exchange, Provider
from turnstate.testing.anthropic.script import Replier

HEADERS = {"x-api-key": "secret-key", "anthropic-version": "2023-06-01"}


def provider(reply: Replier = echo, *, window: int = 10_000, delay: Delay | None = None) -> Provider:
    """A provider without a server around it."""
    return Provider(reply, window=window, allow_prefill=False, delay=delay)


def posted(body: object, path: str = "/v1/messages", **headers: str | None) -> Exchange:
    """A request as it comes off the socket; a header that is None is left out."""
    merged = HEADERS | {name.replace("_", "-"): value for name, value in headers.items()}
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Exchange("POST", path, {name: value for name, value in merged.items() if value is not None}, data)


def content(answer: Answer) -> dict[str, Any]:
    """The JSON of an answer."""
    assert isinstance(answer.body, bytes)
    return json.loads(answer.body)


def failure(answer: Answer) -> tuple[int, str, str]:
    """Status, type and message of an error in the API's shape."""
    body = content(answer)
    assert body["type"] == "error"
    assert body["request_id"] == answer.headers["request-id"]
    return answer.status, body["error"]["type"], body["error"]["message"]


@pytest.mark.parametrize(
    ("exchange", "error"),
    [
        (posted({}, path="/v1/models"), (404, "not_found_error", "POST /v1/models does not exist here")),
        (
            Exchange("GET", "/v1/messages", HEADERS, b""),
            (404, "not_found_error", "GET /v1/messages does not exist here"),
        ),
        (posted({}, x_api_key=None), (401, "authentication_error", "x-api-key header is required")),
        (posted({}, x_api_key=""), (401, "authentication_error", "x-api-key header is required")),
        (
            posted({}, x_api_key=None, authorization="Bearer "),
            (401, "authentication_error", "x-api-key header is required"),
        ),
        (
            posted({}, x_api_key=None, authorization="Basic eDp5"),
            (401, "authentication_error", "x-api-key header is required"),
        ),
        (
            posted({}, anthropic_version=None),
            (400, "invalid_request_error", "anthropic-version: header is required"),
        ),
        (
            posted({}, anthropic_version="2024-01-01"),
            (400, "invalid_request_error", 'anthropic-version: "2024-01-01" is not a valid version'),
        ),
        (
            posted(b" " * (MAX_BODY + 1)),
            (413, "request_too_large", "Request exceeds the maximum size"),
        ),
        (
            posted(b'"\\ud83d"'),
            (400, "invalid_request_error", "The request body is not valid JSON: no low surrogate in string"),
        ),
    ],
)
def test_what_is_no_request_is_turned_away(exchange: Exchange, error: tuple[int, str, str]) -> None:
    """Path, key, version, size and JSON are checked in this order, and the refusal is recorded."""
    served = provider()
    assert failure(served.answer(exchange)) == error
    refusal = served.refusals[0]
    assert (refusal.status, refusal.kind, refusal.message) == error
    assert refusal.body is None


@pytest.mark.parametrize("data", [b"", b"{", b"{'a': 1}", b"\xff\xfe", b'{"a": NaN}', b"[" * 100_000])
def test_broken_json_is_refused(data: bytes) -> None:
    """Cut off, misquoted, of another encoding, not a number, or too deep."""
    status, kind, message = failure(provider().answer(posted(data)))
    assert (status, kind) == (400, "invalid_request_error")
    assert message.startswith("The request body is not valid JSON")


@pytest.mark.parametrize("headers", [{}, {"x_api_key": None, "authorization": "Bearer secret-key"}])
def test_a_key_is_admitted_in_either_header_and_not_kept(
    headers: dict[str, Any], body: dict[str, Any]
) -> None:
    """Newer clients send it as a bearer token; nothing that is recorded or answered contains it."""
    served = provider()
    answer = served.answer(posted(body, **headers))
    assert answer.status == 200
    refused = served.answer(posted({}, **headers))
    assert "secret-key" not in repr((answer, refused, served.requests, served.refusals))


def test_a_request_over_the_window_is_refused(body: dict[str, Any]) -> None:
    """The sentence names both numbers, as the API's does, and counting still works."""
    counted = content(
        provider().answer(posted(without(body, "max_tokens"), path="/v1/messages/count_tokens"))
    )
    tokens = counted["input_tokens"]
    assert provider(window=tokens).answer(posted(body)).status == 200
    served = provider(window=tokens - 1)
    assert failure(served.answer(posted(body))) == (
        400,
        "invalid_request_error",
        f"prompt is too long: {tokens} tokens > {tokens - 1} maximum",
    )
    assert served.requests == []
    again = served.answer(posted(without(body, "max_tokens"), path="/v1/messages/count_tokens"))
    assert content(again) == {"input_tokens": tokens}
    assert [request.tokens for request in served.counts] == [tokens]


def without(body: dict[str, Any], *names: str) -> dict[str, Any]:
    """The body without these parameters."""
    return {name: value for name, value in body.items() if name not in names}


def test_betas_are_recorded_and_admit_their_parameters(body: dict[str, Any]) -> None:
    """The header is split at its commas."""
    served = provider()
    body["context_management"] = {"edits": []}
    assert served.answer(posted(body)).status == 400
    assert served.answer(posted(body, anthropic_beta="a-2026-01-01, b-2026-01-01")).status == 200
    assert served.requests[0].betas == ("a-2026-01-01", "b-2026-01-01")


def test_usage_reports_the_cache(body: dict[str, Any]) -> None:
    """The first request writes the marked prefix, the same one again reads it."""
    served = provider()
    body["system"] = [{"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}]
    first, second = (content(served.answer(posted(body)))["usage"] for _ in range(2))
    assert first["cache_creation_input_tokens"] == second["cache_read_input_tokens"] > 0
    assert first["cache_read_input_tokens"] == second["cache_creation_input_tokens"] == 0
    for usage, request in zip((first, second), served.requests, strict=True):
        assert (
            sum(usage[f"{part}input_tokens"] for part in ("", "cache_read_", "cache_creation_"))
            == request.tokens
            == served.requests[0].tokens
        )


@pytest.mark.parametrize("raised", [True, False])
def test_a_script_answers_with_a_fault(raised: bool, body: dict[str, Any]) -> None:
    """Raised or returned; it is an answer, so the request is recorded and nothing is refused."""
    fault = Fault(429, "rate_limit_error", "Slow down.", retry_after=7)

    def script(_request: MessagesRequest) -> Fault:
        if raised:
            raise fault
        return fault

    served = provider(script)
    answer = served.answer(posted(body))
    assert failure(answer) == (429, "rate_limit_error", "Slow down.")
    assert answer.headers["retry-after"] == "7"
    assert (len(served.requests), served.refusals) == (1, [])


def test_a_broken_reply_without_a_stream_is_its_error(body: dict[str, Any]) -> None:
    """Where nothing was sent yet, the error is the whole answer; in a stream it is the last event."""
    served = provider(lambda _: Reply(broken_by=Fault(500, "api_error", "Gone.")))
    assert failure(served.answer(posted(body))) == (500, "api_error", "Gone.")
    streamed = served.answer(posted({**body, "stream": True}))
    assert streamed.status == 200
    last = list(cast("Iterator[bytes]", streamed.body))[-1]
    assert (
        last
        == b'event: error\ndata: {"type": "error", "error": {"type": "api_error", "message": "Gone."}}\n\n'
    )


def wrong_type(_request: MessagesRequest) -> Any:
    """A script that forgets to wrap its text."""
    return "Hi"


def raises(_request: MessagesRequest) -> Reply:
    """A script with a mistake in it."""
    raise KeyError("order")


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (
            in_order(*[Reply.of(Call("refund", {}))] * 2),
            "it calls tool 'refund', and the request offers get_order",
        ),
        (in_order(*[Reply.of(Call("get_order", {"at": object()}))] * 2), "not JSON serializable"),
        (wrong_type, "AttributeError"),
        (raises, "KeyError: 'order'"),
    ],
)
def test_a_script_that_cannot_be_played_is_a_500_that_says_why(
    script: Replier, words: str, body: dict[str, Any]
) -> None:
    """Also for a stream, before its first event."""
    for streaming in (False, True):
        status, kind, message = failure(provider(script).answer(posted({**body, "stream": streaming})))
        assert (status, kind) == (500, "api_error")
        assert message.startswith("The script failed: ")
        assert words in message


def test_ids_are_new_each_time_and_the_same_in_every_run(body: dict[str, Any]) -> None:
    """Two equal requests get different calls; a second provider gives the same ones again; a script may choose."""

    def ids() -> list[str]:
        served = provider(
            lambda _: Reply.of(Call("get_order", {}), Call("get_order", {}), Call("get_order", {}, id="mine"))
        )
        answers = [content(served.answer(posted(body))) for _ in range(2)]
        return [block["id"] for answer in answers for block in answer["content"]] + [
            answer["id"] for answer in answers
        ]

    first = ids()
    assert first == ids()
    assert first[2] == first[5] == "mine"
    assert len({*first}) == len(first) - 1


def test_the_delay_comes_after_recording_and_before_the_script(body: dict[str, Any]) -> None:
    """So that a test sees the request that hangs."""
    order: list[str] = []
    served: Provider

    def script(request: MessagesRequest) -> Reply:
        order.append("script")
        return echo(request)

    served = provider(script, delay=lambda: order.append(f"delay with {len(served.requests)} recorded"))
    served.answer(posted(body))
    assert order == ["delay with 1 recorded", "script"]


def test_closing_releases_what_waits_for_an_event(body: dict[str, Any]) -> None:
    """A provider that is given up answers what is under way."""
    served = provider(delay=threading.Event())
    served.close()
    assert served.answer(posted(body)).status == 200


def test_waiting_for_requests(body: dict[str, Any]) -> None:
    """True once they are there, False when the time is over."""
    served = provider()
    assert not served.wait_for(1, timeout=0)
    served.answer(posted(body))
    assert served.wait_for(1, timeout=0)


def test_what_is_recorded_can_be_kept(body: dict[str, Any]) -> None:
    """The lists are copies: a test's list does not grow behind its back."""
    served = provider()
    before = served.requests
    served.answer(posted(body))
    assert before == []
    assert len(served.requests) == 1
