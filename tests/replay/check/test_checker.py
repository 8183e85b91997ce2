"""Each family's own rules: the checker finds what this provider refuses, and nothing that it takes."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from pydantic_ai.messages import (
    AudioUrl,
    CachePoint,
    CompactionPart,
    FilePart,
    NativeToolCallPart,
    NativeToolReturnPart,
    RetryFeedbackPart,
    RetryInfo,
    RetryPromptPart,  # pyright: ignore[reportDeprecated]  # histories recorded elsewhere still hold it
    UploadedFile,
    VideoUrl,
)

from generators.histories import PNG, messages_of
from generators.wild import wild
from turnstate.core.context.families import ANYWHERE, Family, Wire
from turnstate.core.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    UserPromptPart,
    moment,
    request,
    tool_return,
    user_message,
)
from turnstate.replay.check import Checker, faults

T = moment(0)
CLAUDE = Wire(Family.ANTHROPIC, "anthropic", "claude-haiku-5-5")
CHAT = Wire(Family.OPENAI_CHAT, "openai", "gpt-4o")
RESPONSES = Wire(Family.OPENAI_RESPONSES, "openai", "gpt-5")
GEMINI = Wire(Family.GEMINI, "google", "gemini-3-pro")
WIRES = (CLAUDE, CHAT, RESPONSES, GEMINI, ANYWHERE)


def answered(*parts: Any, wire: Wire = CLAUDE) -> list[ModelMessage]:
    """A request with an answer of these parts in it, and a result for each call."""
    results = [
        tool_return(p.tool_name, "ok", p.tool_call_id, 0) for p in parts if isinstance(p, ToolCallPart)
    ]
    response = ModelResponse(
        parts=list(parts), timestamp=T, provider_name=wire.provider or None, model_name=wire.model or None
    )
    last = request([*results, UserPromptPart("And now?", timestamp=T)])
    return [user_message("Where is it?", 0), response, last]


def refusing(messages: list[ModelMessage]) -> set[Wire]:
    """The wires on which something is found."""
    return {wire for wire in WIRES if faults(messages, wire)}


def called(call_id: str = "a", name: str = "look") -> ToolCallPart:
    """A call."""
    return ToolCallPart(name, {}, tool_call_id=call_id)


@pytest.mark.parametrize(
    ("part", "refused_by"),
    [
        (called(), set[Wire]()),
        (called("x" * 41), {CHAT, ANYWHERE}),
        (called("x" * 65), {CHAT, RESPONSES, ANYWHERE}),
        (called("é"), {CLAUDE, ANYWHERE}),
        (called(""), set(WIRES)),
        (called(name="look.up"), {CLAUDE, CHAT, RESPONSES, ANYWHERE}),
        (called(name="3d_view"), {GEMINI, ANYWHERE}),
        (called(name="n" * 65), {CHAT, RESPONSES, GEMINI, ANYWHERE}),
        (called(name=""), set(WIRES)),
    ],
)
def test_ids_and_names_are_judged_by_the_family(part: ToolCallPart, refused_by: set[Wire]) -> None:
    """As each reference states them; without a wire, by all at once."""
    assert refusing(answered(part)) == refused_by


@pytest.mark.parametrize(
    ("part", "accepted_by"),
    [
        (ThinkingPart("Hm.", signature="s", provider_name="anthropic"), {CLAUDE, ANYWHERE}),
        (ThinkingPart("Hm.", provider_name="anthropic"), {ANYWHERE}),
        (ThinkingPart("Hm.", id="rs_1", signature="s", provider_name="openai"), {RESPONSES, ANYWHERE}),
        (ThinkingPart("Hm.", id="reasoning_content", provider_name="openai"), {CHAT, ANYWHERE}),
        (ThinkingPart("Hm.", signature="s", provider_name="google"), {GEMINI, ANYWHERE}),
        (ThinkingPart(" "), set[Wire]()),
    ],
)
def test_thinking_is_for_who_thought_it(part: ThinkingPart, accepted_by: set[Wire]) -> None:
    """Signed where it has to be, and of the kind that the API has."""
    unnamed = Wire(model="")
    assert set(WIRES) - refusing(answered(part, TextPart("So."), wire=unnamed)) == accepted_by


def test_thinking_of_another_model_is_found() -> None:
    """A date behind the name makes no other model."""
    thought = ThinkingPart("Hm.", signature="s", provider_name="anthropic")
    history = answered(thought, TextPart("So."))
    assert faults(history, CLAUDE) == ()
    assert faults(history, Wire(Family.ANTHROPIC, "anthropic", "claude-haiku-5-5-20260901")) == ()
    assert faults(history, Wire(Family.ANTHROPIC, "anthropic", "claude-opus-5-5")) == (
        "A thinking of another model cannot be read.",
    )


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        (
            [TextPart("a", id="msg_1"), ThinkingPart("Hm.", id="rs_1", provider_name="openai")],
            "Reasoning is followed by nothing.",
        ),
        ([TextPart("a", id="msg_1"), called(), TextPart("b", id="msg_1")], "An item is sent twice."),
        (
            [ThinkingPart("Hm.", id="content", provider_name="openai"), called()],
            "Thinking would be sent as the assistant's words.",
        ),
        ([TextPart("a", id="msg_1", provider_name="google")], "A text of another provider cannot be read."),
        ([TextPart("a", id="fc_1")], "An item's id is of another kind of item."),
        ([ThinkingPart("Hm.", id="rs_1", provider_name="openai")], "An answer has neither words nor calls."),
    ],
)
def test_items_of_responses_are_looked_at(parts: list[Any], fault: str) -> None:
    """Whole, once, and one's own."""
    assert fault in faults(answered(*parts, wire=RESPONSES), RESPONSES)


def test_texts_of_one_item_are_one_item() -> None:
    """A message with several texts carries its id on each."""
    parts = [
        ThinkingPart("Hm.", id="rs_1", provider_name="openai"),
        ThinkingPart("Ah.", id="rs_1", provider_name="openai"),
        TextPart("a", id="msg_1"),
        TextPart("b", id="msg_1"),
    ]
    assert faults(answered(*parts, wire=RESPONSES), RESPONSES) == ()


SEARCH = NativeToolCallPart("web_search", {"q": "x"}, tool_call_id="s", provider_name="anthropic")
FOUND = NativeToolReturnPart("web_search", [], tool_call_id="s", provider_name="anthropic", timestamp=T)


@pytest.mark.parametrize(
    ("parts", "fault"),
    [
        ([SEARCH], "A call on the provider's side has no result."),
        ([FOUND], "A result from the provider's side has no call before it."),
        ([FOUND, SEARCH], "A result from the provider's side has no call before it."),
        ([SEARCH, FOUND, SEARCH, FOUND], "Two calls have one id."),
        ([SEARCH, FOUND, called("s")], "Two calls have one id."),
    ],
)
def test_calls_on_the_providers_side_come_in_pairs(parts: list[Any], fault: str) -> None:
    """Once, and in their order."""
    assert fault in faults(answered(*parts, TextPart("So.")), CLAUDE)
    assert faults(answered(SEARCH, FOUND, TextPart("So.")), CLAUDE) == ()


def test_chat_completions_have_no_calls_on_the_providers_side() -> None:
    """Neither one's own nor another's."""
    assert len(faults(answered(SEARCH, FOUND, TextPart("So.")), CHAT)) == 3


REMARK = RetryFeedbackPart("Speak.", retry=RetryInfo("no_output", attempt=1, max_retries=1), timestamp=T)
IMAGE = BinaryContent(PNG, media_type="image/png")


@pytest.mark.parametrize(
    ("item", "refused_by"),
    [
        (IMAGE, set[Wire]()),
        (BinaryContent(b"%PDF", media_type="application/pdf"), set[Wire]()),
        (BinaryContent(b"<svg/>", media_type="image/svg+xml"), {CLAUDE, CHAT, RESPONSES}),
        (BinaryContent(b"RIFF", media_type="audio/wav"), {CLAUDE, RESPONSES}),
        (BinaryContent(b"PK", media_type="application/zip"), {CLAUDE}),
        (AudioUrl("https://example.com/a.mp3"), {CLAUDE, RESPONSES}),
        (VideoUrl("https://example.com/a.mp4"), {CLAUDE, CHAT, RESPONSES}),
        (UploadedFile("f", provider_name="google", media_type="application/pdf"), {CLAUDE, CHAT, RESPONSES}),
    ],
)
def test_files_are_judged_by_the_family(item: Any, refused_by: set[Wire]) -> None:
    """What a client would not even send, or the provider refuses."""
    assert refusing([user_message(["Look.", item], 0)]) == refused_by
    result = request([tool_return("look", item, "a", 0)])
    assert refusing([user_message("Hi", 0), answered(called())[1], result]) == refused_by


def test_a_file_of_the_assistants_goes_to_gemini_alone() -> None:
    """The others take none."""
    assert refusing(answered(TextPart("Here."), FilePart(IMAGE))) == set(WIRES) - {GEMINI}


@pytest.mark.parametrize("wire", WIRES)
def test_what_no_request_carries_is_found_everywhere(wire: Wire) -> None:
    """Compactions, a framework's remark that would be a system text, and a cache mark with nothing before it."""
    for part, fault in (
        (CompactionPart("Before."), "A part is of a kind that no request carries."),
        (
            REMARK,
            "A system text stands inside the messages.",
        ),
    ):
        history = ModelRequest(parts=[UserPromptPart("Hi", timestamp=T), part])
        assert faults([history], wire) == (fault,)
    assert faults([user_message([CachePoint(), "Hi"], 0)], wire) == ("A cache mark has nothing before it.",)


@pytest.mark.parametrize("args", [{"n": float("nan")}, '{"n": NaN}', '{"n": -Infinity}'])
def test_numbers_that_json_does_not_have_are_found(args: Any) -> None:
    """As the client would read them."""
    call = ToolCallPart("look", args, tool_call_id="a")
    assert faults(answered(call)) == ("A text holds what JSON cannot carry.",)
    assert faults(answered(ToolCallPart("look", '{"n": NaN', tool_call_id="a"))) == ()


@pytest.mark.filterwarnings("ignore:.*RetryPromptPart")
def test_a_retry_that_names_the_tool_answers_its_call() -> None:
    """As it does in histories of other frameworks."""
    again = RetryPromptPart("no", tool_name="look", tool_call_id="a", timestamp=T)  # pyright: ignore[reportDeprecated]  # see its import
    assert faults([user_message("Hi", 0), answered(called())[1], request([again])]) == ()


@pytest.mark.parametrize("wire", WIRES)
def test_the_histories_of_the_property_tests_are_bad_enough(wire: Wire) -> None:
    """Of a hundred, most are refused before they are healed: the proof would be empty otherwise."""
    checker = Checker(wire)
    refused = [seed for seed in range(100) if checker.faults(messages_of(wild(Random(seed))))]
    assert len(refused) > 80
