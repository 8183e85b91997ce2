"""Events and ids come back from text as they went in, from every version that was ever written."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stores.events import data, events, facts, texts
from turnstate.core.events import (
    Count,
    Cut,
    Event,
    FactsLearned,
    ModelResponded,
    RequestTrace,
    StateChanged,
    ToolReturned,
    Trace,
    TurnClosed,
    TurnOpened,
)
from turnstate.core.messages import BinaryContent, text_response, tool_return, user_message
from turnstate.errors import EventDecodeError, EventEncodeError
from turnstate.stores.codec import (
    Encoded,
    Upcast,
    column,
    decode,
    decode_fact,
    encode,
    encode_fact,
    uncolumn,
)

AT = 1_767_225_600_000_000


def back(encoded: Encoded) -> Event:
    """What comes back."""
    return decode(encoded.tag, encoded.version, encoded.body, encoded.blobs.get)


@given(events)
def test_every_event_comes_back_as_it_went_in(event: Event) -> None:
    """Whatever characters, data and files are in it; the body is text for any database."""
    encoded = encode(event)
    assert back(encoded) == event
    assert "\0" not in encoded.body
    encoded.body.encode()
    assert isinstance(json.loads(encoded.body), dict)


@given(events)
def test_writing_again_what_came_back_gives_the_same_bytes(event: Event) -> None:
    """Nothing is added or lost on the way, not even a default."""
    encoded = encode(event)
    assert encode(back(encoded)) == encoded


@given(facts)
def test_every_fact_comes_back_as_it_went_in(fact: Any) -> None:
    """In a projection, on its own."""
    assert decode_fact(encode_fact(fact)) == fact


@given(texts)
def test_any_string_goes_through_a_column(text: str) -> None:
    """As text that encodes and has no NUL."""
    assert uncolumn(column(text)) == text
    assert "\0" not in column(text)
    column(text).encode()


@given(texts, texts)
def test_different_strings_are_different_columns(one: str, other: str) -> None:
    """Two ids never meet."""
    assert (column(one) == column(other)) == (one == other)


def test_an_ordinary_id_is_a_readable_column() -> None:
    """Only what a database cannot take is escaped, and the escape itself."""
    assert column("web-42 é 😀 ../x") == "web-42 é 😀 ../x"
    assert column("a\0\ud800\\") == "a\\0000\\d800\\005c"


def test_defaults_take_no_room() -> None:
    """A plain turn is little more than its words."""
    opened = encode(TurnOpened(None, "d", user_message("Hello", AT)))
    closed = encode(TurnClosed(None, Trace(1)))
    nothing = encode(FactsLearned("none", "rules", 3))
    assert opened.body == (
        '{"digest":"d","message":{"parts":[{"content":"Hello",'
        '"timestamp":"2026-01-01T00:00:00Z","part_kind":"user-prompt"}]}}'
    )
    assert closed.body == '{"trace":{"rounds":1}}'
    assert nothing.body == '{"status":"none","by":"rules","source":3}'
    trace = RequestTrace(1, Count(10, 20), 8_000, Cut())
    responded = encode(ModelResponded("offline", text_response("Hi", AT), trace))
    assert json.loads(responded.body)["request"] == {
        "round": 1,
        "count": {"estimate": 10, "bound": 20},
        "target": 8_000,
    }


def test_large_binaries_stand_beside_the_body_once() -> None:
    """Under the name of their content; small ones stay in it."""
    small, large = (BinaryContent(size * b"x", media_type="application/pdf") for size in (999, 1_000))
    event = TurnOpened("k", "d", user_message([large, "and", small, "and", large], AT))
    encoded = encode(event)
    assert list(encoded.blobs.values()) == [1_000 * b"x"]
    assert len(encoded.body) < 2_500
    assert back(encoded) == event


def test_a_tools_result_that_looks_like_a_binary_is_not_one() -> None:
    """Data in the shape of the codec's own marks comes back as data."""
    long = "QUFB" * 400
    contents: list[dict[str, Any]] = [
        {"kind": "binary", "data": long},
        {"kind": "binary", "data": "ab" * 32, "blobs": [["result", "content"]]},
        {"kind": "binary", "data": long[:-1] + "!"},
        {"escaped": "x", "blobs": [], "request": {"cut": {"facts_blob": "x"}}},
    ]
    for content in contents:
        event = ToolReturned("call-1", tool_return("look", content, "t1", AT))
        assert back(encode(event)) == event
        state = StateChanged("S", 1, "rules", content, content)
        assert back(encode(state)) == state


def test_the_facts_of_a_cut_are_kept_once() -> None:
    """They are the same in every request until the next cut."""
    trace = RequestTrace(1, Count(1, 2), 9, Cut(4, 2, facts="city: Oslo\n" * 50))
    one = encode(ModelResponded("m", text_response("Hi", AT), trace))
    other = encode(ModelResponded("m", text_response("Hi again", AT), replace(trace, round=2)))
    assert one.blobs == other.blobs
    assert len(one.blobs) == 1
    assert "Oslo" not in one.body


def test_a_blob_that_is_gone_is_an_error() -> None:
    """An event never comes back without its file."""
    message = user_message([BinaryContent(5_000 * b"x", media_type="application/pdf")], AT)
    encoded = encode(TurnOpened(None, "d", message))
    with pytest.raises(EventDecodeError, match="is not in the store"):
        decode(encoded.tag, encoded.version, encoded.body)


@pytest.mark.parametrize("value", [object(), {1, 2}, b"bytes", {"a": [object()]}])
def test_what_is_not_data_cannot_be_written(value: object) -> None:
    """Found before anything is stored."""
    with pytest.raises(EventEncodeError):
        encode(StateChanged("S", 1, "rules", None, value))


def test_data_without_end_cannot_be_written() -> None:
    """Nor can what is nested beyond reason."""
    endless: list[Any] = []
    endless.append(endless)
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for value in (endless, deep):
        with pytest.raises(EventEncodeError):
            encode(StateChanged("S", 1, "rules", None, value))


@pytest.mark.parametrize(
    ("tag", "version", "body", "reason"),
    [
        ("turn-exploded", 1, "{}", "no such event"),
        ("turn-closed", 2, '{"trace":{}}', "this release knows version 1"),
        ("turn-closed", 0, '{"trace":{}}', "0"),
        ("turn-closed", 1, None, "NoneType, not text"),
        ("turn-closed", 1, b"{}", "bytes, not text"),
        ("turn-closed", 1, "", "Expecting value"),
        ("turn-closed", 1, '{"trace":', "Expecting value"),
        ("turn-closed", 1, "[]", "not a JSON object"),
        ("turn-closed", 1, "[" * 100_000, "recursion"),
        ("turn-closed", 1, '{"trace":{}}\udcff', "not UTF-8"),
        ("turn-closed", 1, '{"escaped":5}', "."),
        ("turn-closed", 1, "{}", "trace missing"),
        ("turn-closed", 1, '{"trace":[]}', "list where an object belongs"),
        ("turn-closed", 1, '{"trace":{},"reply":5}', "int where str belongs"),
        ("turn-closed", 1, '{"trace":{"rounds":"1"}}', "str where int belongs"),
        ("turn-closed", 1, '{"trace":{"rounds":true}}', "bool where int belongs"),
        ("turn-closed", 1, '{"trace":{"notes":"x"}}', "str where a list belongs"),
        ("turn-closed", 1, '{"trace":{},"blobs":[["x"]]}', "x"),
        ("turn-closed", 1, '{"trace":{},"request":5}', "get"),
        ("summary-written", 1, '{"covers":[1],"text":"","by":"","tokens":1}', "unpack"),
        ("tool-called", 1, '{"call_id":"","tool_call_id":"","tool":"","effect":"boom"}', "none of read"),
        ("turn-opened", 1, '{"digest":"","message":"x"}', "str where a message belongs"),
        ("turn-opened", 1, '{"digest":"","message":{"parts":[{"part_kind":"secret"}]}}', "does not read at"),
        ("tool-returned", 1, '{"call_id":"","result":{"part_kind":"user-prompt","content":"x"}}', "belongs"),
    ],
)
def test_what_does_not_read_is_a_decode_error(tag: str, version: int, body: Any, reason: str) -> None:
    """With the tag, the version and the reason; never another exception."""
    with pytest.raises(EventDecodeError, match=reason) as caught:
        decode(tag, version, body)
    assert (caught.value.tag, caught.value.version) == (tag, version)


@given(st.sampled_from(["turn-opened", "model-responded", "facts-learned", "tool-returned", "erased"]), data)
def test_no_body_is_worse_than_a_decode_error(tag: str, body: Any) -> None:
    """Also JSON that is well formed and means nothing."""
    for text in (
        json.dumps(body),
        json.dumps({"request": body, "message": body, "facts": body, "blobs": body}),
    ):
        with pytest.raises(EventDecodeError):
            decode(tag, 1, text)


def test_the_reason_does_not_quote_what_was_said() -> None:
    """It goes to a process log, where a user's words do not belong."""
    body = '{"digest":"","message":{"parts":[{"part_kind":"user-prompt","content":{"my pin":"1234"}}]}}'
    with pytest.raises(EventDecodeError) as caught:
        decode("turn-opened", 1, body)
    assert "1234" not in str(caught.value)


def test_an_older_version_is_lifted_step_by_step() -> None:
    """By pure functions on the body's data."""
    upcasts: dict[tuple[str, int], Upcast] = {
        ("turn-closed", -1): lambda old: {"answer": old["said"]},
        ("turn-closed", 0): lambda old: {"reply": old["answer"], "trace": {}},
    }
    event = decode("turn-closed", -1, '{"said":"Hi"}', upcasts=upcasts)
    assert event == TurnClosed("Hi", Trace())
    with pytest.raises(EventDecodeError):
        decode("turn-closed", -2, '{"said":"Hi"}', upcasts=upcasts)


def test_a_fact_that_does_not_read_is_a_decode_error() -> None:
    """As for an event."""
    for body in ("{}", "x", None, '{"key":"k","value":[],"source":"app","conversation":"","at":1}'):
        with pytest.raises(EventDecodeError):
            decode_fact(body)


@given(st.binary(min_size=1_000, max_size=1_200))
def test_binaries_of_any_content_come_back(content: bytes) -> None:
    """Through base64 and a blob."""
    message = user_message([BinaryContent(content, media_type="application/pdf")], AT)
    encoded = encode(TurnOpened(None, "d", message))
    assert list(encoded.blobs.values()) == [content]
    assert back(encoded) == TurnOpened(None, "d", message)
