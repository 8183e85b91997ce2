"""The stream of events and the whole message say the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.testing.anthropic import Call, Fault, MessagesRequest, Part, Reply, Say, Think
from turnstate.testing.anthropic.render import Answered, error, events, message

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT, lambda inner: st.lists(inner, max_size=3), max_leaves=5
)
PARTS = st.one_of(
    st.builds(Say, TEXT),
    st.builds(Think, TEXT),
    st.builds(Call, st.just("get_order"), st.dictionaries(TEXT, VALUES, max_size=3)),
)


def answered(parts: list[Part], **reply: Any) -> Answered:
    """A reply to a request of 100 tokens, of which 20 were cached and 30 will be."""
    request = MessagesRequest({"model": "m", "messages": []}, 100, 20, 30)
    return Answered(
        request, Reply(tuple(parts), **reply), "msg_1", tuple(f"toolu_{n}" for n in range(len(parts)))
    )


def read(stream: Answered) -> list[dict[str, Any]]:
    """The events of a stream, each checked to be named as its data says."""
    found: list[dict[str, Any]] = []
    for raw in events(stream):
        head, data, *rest = raw.decode().split("\n")
        assert rest == ["", ""]
        found.append(json.loads(data.removeprefix("data: ")))
        assert head == f"event: {found[-1]['type']}"
    return found


def folded(stream: list[dict[str, Any]]) -> dict[str, Any]:
    """What a client makes of the events: the message."""
    whole: dict[str, Any] = {}
    arguments: dict[int, str] = {}
    for event in stream:
        match event["type"]:
            case "message_start":
                whole = event["message"]
            case "content_block_start":
                assert event["index"] == len(whole["content"])
                whole["content"].append(event["content_block"])
            case "content_block_delta":
                block, delta = whole["content"][event["index"]], event["delta"]
                if delta["type"] == "input_json_delta":
                    arguments[event["index"]] = arguments.get(event["index"], "") + delta["partial_json"]
                else:
                    key = delta["type"].removesuffix("_delta")
                    block[key] += delta[key]
            case "content_block_stop" if event["index"] in arguments:
                whole["content"][event["index"]]["input"] = json.loads(arguments[event["index"]])
            case "message_delta":
                whole |= event["delta"] | {"usage": event["usage"]}
            case _:
                pass
    return whole


@given(st.lists(PARTS, max_size=4))
def test_a_stream_folds_to_the_message(parts: list[Part]) -> None:
    """Text, thoughts, signatures, calls and usage arrive complete."""
    reply = answered(parts)
    stream = read(reply)
    assert folded(stream) == message(reply)
    assert [event["type"] for event in stream[:2]] == ["message_start", "ping"]
    assert [event["type"] for event in stream[-2:]] == ["message_delta", "message_stop"]


def test_arguments_come_in_several_pieces() -> None:
    """The first piece is empty and none holds the whole, so that a client must put them together."""
    stream = read(answered([Call("get_order", {"id": "12345", "note": "leave it at the door"})]))
    pieces = [event["delta"]["partial_json"] for event in stream if event["type"] == "content_block_delta"]
    assert pieces[0] == ""
    assert len(pieces) > 3
    assert json.loads("".join(pieces)) == {"id": "12345", "note": "leave it at the door"}


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply.of("Hi"), "end_turn"),
        (Reply.of("Hi", Call("get_order", {})), "tool_use"),
        (Reply.of(), "end_turn"),
        (Reply((Say("Hi"),), stop_reason="max_tokens"), "max_tokens"),
    ],
)
def test_the_stop_reason_follows_from_the_parts(reply: Reply, reason: str) -> None:
    """A call stops for its result, unless the script says otherwise."""
    assert message(answered(list(reply.parts), stop_reason=reply.stop_reason))["stop_reason"] == reason


def test_usage_splits_the_input_by_the_cache() -> None:
    """The three input numbers add up to the counted tokens."""
    assert message(answered([Say("an order")]))["usage"] == {
        "input_tokens": 50,
        "cache_creation_input_tokens": 30,
        "cache_read_input_tokens": 20,
        "output_tokens": 2,
        "service_tier": "standard",
    }


def test_a_broken_stream_ends_with_its_error() -> None:
    """What was said stands, and the message is never finished."""
    stream = read(answered([Say("Half")], broken_by=Fault(529, "overloaded_error", "Overloaded")))
    assert stream[-1] == {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    assert "message_stop" not in [event["type"] for event in stream]


def test_an_error_carries_the_id_of_its_request() -> None:
    """As in the API's bodies; in a stream there is none."""
    fault = Fault(400, "invalid_request_error", "No.")
    assert error(fault, "req_1") == {**error(fault), "request_id": "req_1"}
