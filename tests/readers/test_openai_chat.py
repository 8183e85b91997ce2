"""OpenAI chat records become transcripts, and what is none says what is wrong with it."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic_ai.messages import ImageUrl

from turnstate.core.context.validity import heal
from turnstate.core.messages import ToolCallPart, UserPromptPart, args_text, response_text, user_text
from turnstate.readers.openai_chat import read_chat
from turnstate.readers.transcript import RecordProblem, Transcript
from turnstate.replay.check import faults

USER = {"role": "user", "content": "Where is order 12345?"}


def _read(*messages: object, **around: Any) -> Transcript:
    return read_chat({"messages": list(messages), **around}, 7, "file:7")


def _call(call_id: str | None, name: str = "get_order", arguments: object = "{}") -> dict[str, Any]:
    call: dict[str, Any] = {"type": "function", "function": {"name": name, "arguments": arguments}}
    return call if call_id is None else {"id": call_id, **call}


def test_the_shared_sample_tells_its_story(shared_data: Path) -> None:
    """Two tickets, a search, and the wrong date."""
    line = (shared_data / "transcript_formats/openai/chat_completions.jsonl").read_text(encoding="utf-8")
    transcript = read_chat(json.loads(line), 1, "sample")
    assert transcript.instructions == "You are a booking agent."
    assert [user_text(turn.user) for turn in transcript.turns] == [
        "Two tickets from Seattle to New York on December 5th, please.",
        "Two, as I said.",
    ]
    search = transcript.turns[0].steps[0]
    (call,) = (part for part in search.response.parts if isinstance(part, ToolCallPart))
    assert json.loads(args_text(call))["passengers"] == 2
    assert search.calls[0].result is not None
    assert "HAT12" in str(search.calls[0].result.content)
    assert transcript.turns[1].reply == "Booking HAT12 for two passengers on December 6th."
    assert (transcript.notes, transcript.responses) == ((), 3)


@pytest.mark.parametrize(
    ("file", "conversations", "responses"),
    [("tau_bench_airline/trajectories.jsonl", 100, 1229), ("sgd_long_sessions/sessions.jsonl", 3, 812)],
)
def test_recorded_sessions_are_read_whole(
    shared_data: Path, file: str, conversations: int, responses: int
) -> None:
    """Every response is there, every call has its result, and nothing had to be left out."""
    lines = (shared_data / file).read_text(encoding="utf-8").splitlines()
    read = [read_chat(json.loads(line), 1, "x") for line in lines]
    assert len(read) == conversations
    assert sum(transcript.responses for transcript in read) == responses
    assert not any(transcript.notes for transcript in read)
    assert not any(step.pending for t in read for turn in t.turns for step in turn.steps)


def test_a_bare_list_of_messages_is_a_record() -> None:
    """It takes its id from the file."""
    transcript = read_chat([USER], 7, "file:7")
    assert (transcript.id, transcript.record, transcript.tools) == ("file:7", 7, ())


@pytest.mark.parametrize(
    ("given_id", "found"),
    [
        ("web-42", "web-42"),
        (42, "42"),
        ("", "file:7"),
        ("  ", "file:7"),
        (None, "file:7"),
        (True, "file:7"),
        ("a\ud800\0b", "a��b"),
        ("x" * 600, "x" * 512),
    ],
)
def test_an_id_can_be_a_conversation_id(given_id: object, found: str) -> None:
    """1 to 512 characters that any file and terminal can hold."""
    assert _read(USER, id=given_id).id == found


def test_system_and_developer_messages_are_the_instructions() -> None:
    """Those before the first user message, blank ones left out; one inside the conversation is noted."""
    transcript = _read(
        {"role": "system", "content": "Be brief."},
        {"role": "developer", "content": [{"type": "text", "text": "Be kind."}]},
        {"role": "system", "content": ""},
        USER,
        {"role": "system", "content": "Now be long."},
    )
    assert transcript.instructions == "Be brief.\n\nBe kind."
    assert transcript.notes == ("A system message inside the conversation was left out.",)


def test_a_greeting_is_no_turn() -> None:
    """It answers nobody; what it called before anybody spoke is left out with a note."""
    transcript = _read(
        {"role": "assistant", "content": "Welcome!", "tool_calls": [_call("a")]},
        {"role": "tool", "tool_call_id": "a", "content": "x"},
        USER,
        {"role": "assistant", "content": "On its way."},
    )
    assert (transcript.greeting, transcript.responses, len(transcript.turns)) == ("Welcome!", 1, 1)
    assert len(transcript.notes) == 2


@pytest.mark.parametrize(
    ("arguments", "text"),
    [('{"id": 1}', '{"id": 1}'), ({"id": 1}, '{"id":1}'), (None, "{}"), ("{broken", "{broken"), ([1], "[1]")],
)
def test_arguments_are_kept_as_written(arguments: object, text: str) -> None:
    """As text or as an object; text that is no JSON is what the model wrote."""
    transcript = _read(USER, {"role": "assistant", "tool_calls": [_call("a", arguments=arguments)]})
    (part,) = transcript.turns[0].steps[0].response.parts
    assert isinstance(part, ToolCallPart)
    assert args_text(part) == text


def test_function_calls_of_the_older_api_are_tool_calls() -> None:
    """They have no ids: the result goes to the open call of that name, and functions are tools."""
    transcript = _read(
        USER,
        {"role": "assistant", "content": None, "function_call": {"name": "get_order", "arguments": "{}"}},
        {"role": "function", "name": "get_order", "content": "shipped"},
        {"role": "assistant", "content": "Shipped."},
        functions=[{"name": "get_order"}],
    )
    (call,) = transcript.turns[0].steps[0].calls
    assert call.result is not None
    assert (call.tool_call_id, call.result.content) == ("call_1", "shipped")
    assert transcript.tools == ({"type": "function", "function": {"name": "get_order"}},)


def test_calls_without_ids_get_their_own() -> None:
    """In the order of the record, so that two of them do not share a result."""
    transcript = _read(
        USER,
        {"role": "assistant", "tool_calls": [_call(None), _call(None)]},
        {"role": "tool", "content": "first"},
        {"role": "tool", "content": "second"},
    )
    results = [call.result.content for call in transcript.turns[0].steps[0].calls if call.result]
    assert results == ["first", "second"]


def test_parts_are_texts_and_images() -> None:
    """A part that is neither is kept as its type, with a note."""
    transcript = _read(
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "See"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
                {"type": "input_audio", "input_audio": {"data": "", "format": "wav"}},
            ],
        },
        {"role": "assistant", "content": [{"type": "text", "text": "I see."}]},
    )
    (part,) = transcript.turns[0].user.parts
    assert isinstance(part, UserPromptPart)
    assert part.content == ["See", ImageUrl("data:image/png;base64,AA=="), "(input_audio)"]
    assert transcript.turns[0].reply == "I see."
    assert len(transcript.notes) == 1


def test_a_refusal_is_what_the_assistant_said() -> None:
    """As a field beside an empty content, or as a part."""
    field = _read(USER, {"role": "assistant", "content": None, "refusal": "I cannot."})
    part = _read(USER, {"role": "assistant", "content": [{"type": "refusal", "refusal": "I cannot."}]})
    assert field.turns[0].reply == part.turns[0].reply == "I cannot."


def test_tools_that_are_no_tools_are_left_out_with_a_note() -> None:
    """The conversation can be replayed without them."""
    assert _read(USER, tools=["get_order"]).notes == (
        "The record's tools are not a list of objects and were left out.",
    )
    assert _read(USER, tools=[{"type": "function"}]).tools == ({"type": "function"},)


@pytest.mark.parametrize(
    ("value", "at"),
    [
        (1_700_000_000, 1_700_000_000_000_000),
        (1_700_000_000.5, 1_700_000_000_500_000),
        (1_700_000_000_500, 1_700_000_000_500_000),
        ("2023-11-14T22:13:20Z", 1_700_000_000_000_000),
        ("2023-11-14T22:13:20", 1_700_000_000_000_000),
        ("yesterday", 1_000_000),
        (True, 1_000_000),
        (-5, 1_000_000),
        (float("inf"), 1_000_000),
        (10**400, 1_000_000),
        ([], 1_000_000),
    ],
)
def test_times_are_read_where_they_are_recorded(value: object, at: int) -> None:
    """Seconds, milliseconds or ISO 8601; anything else counts as no time."""
    assert _read({**USER, "timestamp": value}).turns[0].at == at


REFUSED: list[tuple[Any, str]] = [
    (None, "is null, not an object"),
    (3, "is a number, not an object"),
    ("hi", "is text, not an object"),
    ({}, "has no 'messages'"),
    ({"messages": {}}, "has 'messages' that are an object, not a list"),
    ([], "has no user message"),
    ([{"role": "system", "content": "x"}], "has no user message"),
    (["hi"], "message 1 is text, not an object"),
    ([USER, {"content": "x"}], "message 2 has no role"),
    ([USER, {"role": "robot"}], "message 2 has the unknown role 'robot'"),
    ([{"role": "user", "content": 5}], "message 1 has content that is a number, not a list"),
    ([{"role": "user", "content": [5]}], "message 1 has a content part that is a number"),
    ([{"role": "user", "content": [{}]}], "message 1 has a content part without a type"),
    ([{"role": "user", "content": [{"type": "text"}]}], "message 1 has a text part without text"),
    ([{"role": "user", "content": [{"type": "image_url"}]}], "message 1 has an image that is null"),
    (
        [USER, {"role": "assistant", "content": [{"type": "tool_use", "id": "x"}]}],
        "message 2 has a part of type 'tool_use', which is not of this format",
    ),
    ([USER, {"role": "assistant", "tool_calls": {"a": 1}}], "message 2 has 'tool_calls' that are an obj"),
    ([USER, {"role": "assistant", "tool_calls": ["x"]}], "message 2 has a tool call that is text"),
    ([USER, {"role": "assistant", "tool_calls": [{"id": "x"}]}], "message 2 has a tool call without a n"),
    ([USER, {"role": "assistant", "function_call": "x"}], "message 2 has a function that is text"),
]
"""Records that are no chats, and how their reasons begin."""


@pytest.mark.parametrize(("record", "reason"), REFUSED)
def test_a_record_that_is_no_chat_says_why(record: object, reason: str) -> None:
    """With the number of the message."""
    with pytest.raises(RecordProblem) as caught:
        read_chat(record, 1, "x")
    assert str(caught.value).startswith(reason)


Strategy: TypeAlias = st.SearchStrategy[Any]

_TEXT = st.text(st.characters(codec=None, categories=None), max_size=12)
_JSON: Strategy = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=8,
)
_KNOWN = st.sampled_from(
    ["messages", "role", "content", "tool_calls", "function", "name", "arguments", "id", "type", "text"]
)
_ID = st.sampled_from(["1", "2", "call/3", "", "é"])
_PARTS: Strategy = (
    st.fixed_dictionaries({"type": st.just("text"), "text": _TEXT})
    | st.just({"type": "image_url", "image_url": {"url": "https://example.com/a.png"}})
    | _TEXT
)
_CONTENT: Strategy = st.none() | _TEXT | st.lists(_PARTS, max_size=3)
_FUNCTIONS: Strategy = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["get", "put"]) | _TEXT.filter(str.strip),
        "arguments": _TEXT | st.dictionaries(_TEXT, _JSON, max_size=2),
    }
)
_CALLS = st.lists(st.fixed_dictionaries({"id": _ID, "function": _FUNCTIONS}), max_size=3)
MESSAGES: Strategy = (
    st.fixed_dictionaries({"role": st.just("user"), "content": _CONTENT})
    | st.fixed_dictionaries({"role": st.just("assistant"), "content": _CONTENT, "tool_calls": _CALLS})
    | st.fixed_dictionaries({"role": st.just("tool"), "tool_call_id": _ID, "content": _CONTENT})
    | st.fixed_dictionaries({"role": st.just("system"), "content": _CONTENT})
)


@given(record=_JSON | st.dictionaries(_KNOWN, _JSON) | st.lists(st.dictionaries(_KNOWN, _JSON), max_size=3))
def test_any_json_is_read_or_refused(record: object) -> None:
    """A record is a transcript with a turn, or a problem, and nothing else comes out."""
    with suppress(RecordProblem):
        assert read_chat(record, 1, "x").turns


@given(messages=st.lists(MESSAGES, max_size=12))
def test_any_conversation_can_be_sent(messages: list[dict[str, Any]]) -> None:
    """However broken the record is, its turns make a request that a provider takes."""
    assume(any(message["role"] == "user" for message in messages))
    transcript = read_chat(messages, 1, "x")
    sent = [message for turn in transcript.turns for message in turn.messages()]
    assert faults(heal(sent).messages) == ()
    said = sum(len(response_text(step.response)) for turn in transcript.turns for step in turn.steps)
    assert said <= sum(len(json.dumps(message)) for message in messages)
