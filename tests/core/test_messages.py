"""Messages: made with the times they are given, read in every form, kept and sent without loss."""

from __future__ import annotations

import json
from datetime import UTC, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_ai.messages import (
    BinaryImage,
    CachePoint,
    DocumentUrl,
    FilePart,
    ImageUrl,
    NativeToolCallPart,
    NativeToolReturnPart,
    TextContent,
    UploadedFile,
)

from generators.histories import PNG, POISONED, SOUND, conversations, messages_of
from generators.wire import ANTHROPIC, CHAT, body
from turnstate.core.events import Recorded
from turnstate.core.messages import (
    BinaryContent,
    ModelMessage,
    ModelResponse,
    RequestUsage,
    RetryPromptPart,  # pyright: ignore[reportDeprecated]  # histories recorded elsewhere still hold it
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    args_text,
    calls,
    dump,
    load,
    moment,
    request,
    response_text,
    result_text,
    text_response,
    tool_return,
    user_message,
    user_text,
    wire_safe,
)

T = moment(1_234_567_890_123_456)
IMAGE = BinaryImage(PNG, media_type="image/png")
PDF = BinaryContent(bytes(range(256)), media_type="application/pdf")


def respond(*parts: Any, **fields: Any) -> ModelResponse:
    """A response of these parts."""
    return ModelResponse(parts=list(parts), timestamp=T, **fields)


def again(message: ModelMessage) -> ModelMessage:
    """`message` after it was written as JSON and read back."""
    return load(json.loads(json.dumps(dump(message))))


# Making and reading --------------------------------------------------------------------------------------------------


@given(st.integers(0, 4 * 10**15))
def test_a_moment_is_exact(at: int) -> None:
    """Microseconds go in and come out, in UTC."""
    found = moment(at)
    assert found.tzinfo is UTC
    assert round((found - moment(0)) / timedelta(microseconds=1)) == at


def test_no_message_asks_the_clock() -> None:
    """Everything that we make is the same every time."""
    for _ in range(2):
        assert user_message("hi", 5).parts[0].timestamp == moment(5)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]  # it is the user's part
        assert text_response("hi", 5).timestamp == moment(5)
        assert tool_return("look", "r", "a", 5).timestamp == moment(5)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (user_message("hi", 0), "hi"),
        (
            user_message(
                ["a", IMAGE, TextContent("b"), CachePoint(), ImageUrl("https://x.example/i.png")], 0
            ),
            "a\nb",
        ),
        (user_message([IMAGE], 0), ""),
        (request([tool_return("look", "r", "a", 0), *user_message("hi", 0).parts]), "hi"),
        (request([SystemPromptPart("be brief", timestamp=T)]), ""),
        (text_response("hi", 0), ""),
    ],
)
def test_the_users_words_are_the_users_alone(message: ModelMessage, text: str) -> None:
    """Not a tool's, not the system's, not the assistant's; what is no text has no words."""
    assert user_text(message) == text


def test_a_responses_text_and_calls() -> None:
    """Text parts are one text; thinking is not shown; a call on the provider's side is not ours to answer."""
    call = ToolCallPart("look", {"a": "é"}, tool_call_id="a")
    native = NativeToolCallPart("web_search", {}, tool_call_id="b")
    response = respond(ThinkingPart("hm"), TextPart("a "), call, native, TextPart("b"))
    assert response_text(response) == "a b"
    assert calls(response) == (call,)


@pytest.mark.parametrize(
    ("args", "text"),
    [
        ({"a": "é", "b": None}, '{"a":"é","b":null}'),
        ('{"a": 1', '{"a": 1'),
        (None, "{}"),
        ({}, "{}"),
        ("", ""),
    ],
)
def test_arguments_as_text(args: Any, text: str) -> None:
    """Text as the model wrote it, data as JSON."""
    assert args_text(ToolCallPart("look", args, tool_call_id="a")) == text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("plain", "plain"),
        ({"a": [1, None]}, '{"a":[1,null]}'),
        (None, ""),
        (IMAGE, ""),
        (["a", IMAGE], "a"),
        (12, "12"),
    ],
)
def test_a_result_as_text(content: Any, text: str) -> None:
    """What the model reads, without files."""
    assert result_text(tool_return("look", content, "a", 0)) == text


# Kept ----------------------------------------------------------------------------------------------------------------

KEPT = {
    "user": user_message("NUL \x00, half a pair \ud83d, 字", 5),
    "user with files": user_message(
        [
            "see",
            IMAGE,
            PDF,
            ImageUrl("https://x.example/i.png"),
            DocumentUrl("https://x.example/d.pdf"),
            CachePoint(),
        ],
        5,
    ),
    "user with application data": user_message([TextContent("t", metadata={"a": None})], 5),
    "uploaded": user_message([UploadedFile("f1", "anthropic", media_type="application/pdf")], 5),
    "system": request([SystemPromptPart("s", timestamp=T)]),
    "result": request([tool_return("look", {"eta": None, "of": [{"x": None}]}, "a", 5, "failed")]),
    "result of nothing": request([tool_return("look", None, "a", 5)]),
    "result of emptiness": request([tool_return("look", "", "a", 5)]),
    "result with files": request([tool_return("look", ["a", IMAGE, {"b": None}], "a", 5)]),
    "text": respond(TextPart("")),
    "thinking": respond(
        ThinkingPart("hm", signature="sig==", provider_name="anthropic", id="x", provider_details={"a": None})
    ),
    "redacted thinking": respond(
        ThinkingPart("", id="redacted_thinking", signature="zz", provider_name="anthropic")
    ),
    "call": respond(ToolCallPart("look", {"a": None, "b": {"c": [None, "\x00"]}}, tool_call_id="a")),
    "call in text": respond(ToolCallPart("look", '{"a": 1', tool_call_id="a")),
    "call without arguments": respond(ToolCallPart("look", None, tool_call_id="a")),
    "call on the provider's side": respond(
        NativeToolCallPart("web_search", {"q": None}, tool_call_id="s", provider_name="anthropic"),
        NativeToolReturnPart("web_search", None, tool_call_id="s", provider_name="anthropic", timestamp=T),
    ),
    "file": respond(FilePart(IMAGE)),
    "nothing": respond(),
    "what a provider says": respond(
        TextPart("x"),
        usage=RequestUsage(input_tokens=5, cache_read_tokens=3, details={"reasoning_tokens": 0}),
        model_name="m",
        provider_details={"finish": None, "at": 1},
        provider_response_id="r",
        finish_reason="stop",
    ),
}


@pytest.mark.parametrize("message", KEPT.values(), ids=KEPT.keys())
def test_every_kind_of_message_is_kept_whole(message: ModelMessage) -> None:
    """Through JSON and back it is equal, and is written the same again."""
    assert again(message) == message
    assert dump(again(message)) == dump(message)


@settings(max_examples=40)
@given(conversations(POISONED, most=4))
def test_whatever_was_said_is_kept_whole(events: list[Recorded]) -> None:
    """Broken histories as well: the log holds what happened."""
    for message in messages_of(events):
        back = again(message)
        assert dump(back) == dump(message)
        assert str(wire_safe(back).parts) == str(wire_safe(load(dump(message))).parts)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=9),
        lambda s: st.lists(s, max_size=3) | st.dictionaries(st.text(max_size=5), s, max_size=3),
    )
)
def test_a_result_reads_the_same_after_it_was_kept(content: Any) -> None:
    """The model sees one text before and after a restart."""
    part = tool_return("look", content, "a", 0)
    back: Any = again(request([part])).parts[0]
    if "\\ud" not in ascii(content):
        assert result_text(back) == result_text(part)
    assert back.tool_call_id == "a"


@pytest.mark.filterwarnings("ignore:.*RetryPromptPart")
def test_a_retry_is_kept_as_the_result_that_it_is() -> None:
    """Its words and its call stay."""
    old = RetryPromptPart("no such order", tool_name="look", tool_call_id="a", timestamp=T)  # pyright: ignore[reportDeprecated]  # see its import
    back: Any = again(request([old])).parts[0]
    assert (back.tool_name, back.tool_call_id, "no such order" in result_text(back)) == ("look", "a", True)


def test_zeros_are_not_kept() -> None:
    """Most of a usage is zeros, and every count defaults to zero."""
    data = dump(respond(TextPart("x"), usage=RequestUsage(input_tokens=5)))
    assert data["usage"] == {"input_tokens": 5}


@pytest.mark.parametrize(
    "data", [None, 3, "text", [], {}, {"kind": "request"}, {"kind": "other", "parts": []}]
)
def test_what_is_no_message_is_refused(data: object) -> None:
    """With a ValueError, whatever it is."""
    with pytest.raises(ValueError, match="validation error"):
        load(data)


# Sent ----------------------------------------------------------------------------------------------------------------


@given(conversations(SOUND, most=3))
def test_what_can_be_sent_is_the_same_object(events: list[Recorded]) -> None:
    """Nothing is copied, nothing is cleaned twice (known failure B13)."""
    for message in messages_of(events):
        assert wire_safe(message) is message


@given(conversations(POISONED, most=3))
def test_what_was_cleaned_is_clean(events: list[Recorded]) -> None:
    """A second time changes nothing, and the rest of the message stays as it was."""
    for message in messages_of(events):
        clean = wire_safe(message)
        assert wire_safe(clean) is clean
        assert len(clean.parts) == len(message.parts)
        assert all(
            new is old or repr(new) != repr(old) for new, old in zip(clean.parts, message.parts, strict=True)
        )


BAD = "a\x00b\ud83dc"
GOOD = "a�b�c"


@pytest.mark.parametrize(
    ("message", "cleaned"),
    [
        (user_message(BAD, 0), user_message(GOOD, 0)),
        (user_message([BAD, IMAGE, TextContent(BAD)], 0), user_message([GOOD, IMAGE, TextContent(GOOD)], 0)),
        (respond(TextPart(BAD)), respond(TextPart(GOOD))),
        (respond(ThinkingPart(BAD, signature="s")), respond(ThinkingPart(GOOD, signature="s"))),
        (request([SystemPromptPart(BAD, timestamp=T)]), request([SystemPromptPart(GOOD, timestamp=T)])),
        (
            respond(ToolCallPart(BAD, {BAD: [{"x": BAD}], "n": float("nan")}, tool_call_id="a")),
            respond(ToolCallPart(GOOD, {GOOD: [{"x": GOOD}], "n": None}, tool_call_id="a")),
        ),
        (
            respond(ToolCallPart("look", '{"x": "\\ud83d", "n": -Infinity}', tool_call_id="a")),
            respond(ToolCallPart("look", {"x": "�", "n": None}, tool_call_id="a")),
        ),
        (
            request([tool_return(BAD, {"x": (BAD, float("inf"))}, "a", 0)]),
            request([tool_return(GOOD, {"x": [GOOD, None]}, "a", 0)]),
        ),
    ],
)
def test_what_no_json_carries_is_replaced(message: ModelMessage, cleaned: ModelMessage) -> None:
    """In texts, names, arguments and results, in keys and deep inside."""
    assert wire_safe(message) == cleaned


@pytest.mark.parametrize(
    "args", ['{"name": "NaN bread"}', '{"emoji": "\\ud83d\\ude00"}', '{"a": NaN', "[NaN]", '{"a": 1}']
)
def test_arguments_in_text_that_can_be_sent_stay_as_the_model_wrote_them(args: str) -> None:
    """A word that looks like a number, a whole pair of surrogates, and what is no JSON object at all."""
    message = respond(ToolCallPart("look", args, tool_call_id="a"))
    assert wire_safe(message) is message


def test_what_was_cleaned_reaches_the_provider() -> None:
    """The clients write it as JSON without an error."""
    history = [
        user_message(BAD, 0),
        respond(ToolCallPart("look", {"n": float("inf"), BAD: BAD}, tool_call_id="a")),
    ]
    history.append(request([tool_return("look", {"x": BAD}, "a", 0)]))
    for model in (ANTHROPIC, CHAT):
        assert "a�b�c" in str(body(model, [wire_safe(message) for message in history]))
