"""Counting: the bound is never under the bytes that are sent, the estimate learns from what is reported."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_ai.messages import (
    CachePoint,
    DocumentUrl,
    FilePart,
    ImageUrl,
    NativeToolCallPart,
    NativeToolReturnPart,
    RetryPromptPart,  # pyright: ignore[reportDeprecated]  # histories recorded elsewhere still hold it
    TextContent,
    UploadedFile,
)

from generators.histories import PNG, POISONED, conversations, messages_of, record, trace
from generators.wire import ANTHROPIC, body
from turnstate.core.context.counting import (
    MESSAGE,
    MOST_IMAGE,
    MOST_PAGE,
    MOST_PAGES,
    NOTHING,
    PAGE,
    Calibration,
    Size,
    bound_arguments,
    bound_text,
    calibrate,
    ratio_of,
    size_head,
    size_message,
    size_messages,
    size_text,
)
from turnstate.core.context.families import Family, Wire
from turnstate.core.context.images import unknown_image_tokens
from turnstate.core.context.validity import heal
from turnstate.core.events import ModelResponded, Recorded, TurnOpened
from turnstate.core.history import fold
from turnstate.core.messages import (
    BinaryContent,
    ModelResponse,
    RequestUsage,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    moment,
    request,
    text_response,
    tool_return,
    user_message,
)
from turnstate.testing.anthropic import count_request

T = moment(0)


def respond(*parts: Any) -> ModelResponse:
    """A response of these parts."""
    return ModelResponse(parts=list(parts), timestamp=T)


# Messages ------------------------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(conversations(POISONED, most=4))
def test_the_bound_is_never_under_a_providers_count(events: list[Recorded]) -> None:
    """The whole request as it is sent, counted by the test provider: tools, hidden prompt, framing, everything."""
    messages = heal(messages_of(events)).messages
    sent = body(ANTHROPIC, messages)
    tools = str(sent["tools"])
    size = size_head("Be brief.", tools) + size_messages(messages)
    assert size.bound >= count_request(sent)
    assert 0.4 <= count_request(sent) / size.estimate <= 3


LONG = "何か " * 50
PROBLEM: Any = {"type": "missing", "loc": ("a",), "msg": LONG, "input": None}


@pytest.mark.filterwarnings("ignore:.*RetryPromptPart")
def test_every_kind_of_part_is_counted() -> None:
    """What is sent is never nothing (known failure B67): its bytes are in the bound, whatever the part."""
    again = RetryPromptPart([PROBLEM], tool_name="look", timestamp=T)  # pyright: ignore[reportDeprecated]  # see its import
    parts = [
        user_message(LONG, 0),
        user_message([TextContent(LONG)], 0),
        request([tool_return("look", {"found": [LONG]}, "a", 0)]),
        request([tool_return("look", LONG, "a", 0, "failed")]),
        request([again]),
        respond(TextPart(LONG)),
        respond(ThinkingPart(LONG, signature="s")),
        respond(ThinkingPart("", signature="s" * len(LONG.encode()))),
        respond(ToolCallPart("look", {"for": LONG}, tool_call_id="a")),
        respond(ToolCallPart("look", '{"for": "' + LONG, tool_call_id="a")),
        respond(NativeToolCallPart("web_search", {"query": LONG}, tool_call_id="a")),
        respond(NativeToolReturnPart("web_search", [LONG], tool_call_id="a", timestamp=T)),
    ]
    for message in parts:
        size = size_message(message)
        assert size.bound >= len(LONG.encode()), message
        assert size.estimate >= 20, message
        assert size.estimate <= size.bound


def test_an_id_is_in_the_bound() -> None:
    """The templates of some models spell it out, and no estimate knows."""
    short, long = (
        respond(ToolCallPart("look", {}, tool_call_id="a")),
        respond(ToolCallPart("look", {}, tool_call_id="a" * 40)),
    )
    assert size_message(long).bound - size_message(short).bound == 39
    assert size_message(long).estimate == size_message(short).estimate


@given(st.lists(st.sampled_from([user_message("hi", 0), text_response("hello there", 0)]), max_size=5))
def test_messages_add_up(messages: list[Any]) -> None:
    """The size of several is the sum of the sizes."""
    total = NOTHING
    for message in messages:
        total += size_message(message)
    assert size_messages(messages) == total


def test_the_head_counts_the_hidden_prompt_of_tools() -> None:
    """Offering tools costs more than their text."""
    bare, tools = size_head("Be brief.", ""), size_head("Be brief.", "[{}]")
    assert tools.estimate - bare.estimate > 300
    assert tools.bound - bare.bound > 300
    assert size_head("", "").estimate > 0


# Files ---------------------------------------------------------------------------------------------------------------


def image(width: int, height: int) -> BinaryContent:
    """A PNG of this size, and of 400 kB."""
    header = PNG[:16] + width.to_bytes(4, "big") + height.to_bytes(4, "big")
    return BinaryContent(header + b"\0" * 400_000, media_type="image/png")


PDF = b"%PDF-1.4\n<< /Type /Pages /Count 3 >>\n" + b"<< /Type /Page /Parent 1 0 R >>\n" * 3 + b"\0" * 400_000


def of(item: Any) -> Size:
    """The size of one item of a user's message, without framing."""
    with_item, without = size_message(user_message(["", item], 0)), size_message(user_message(["", "x"], 0))
    return Size(with_item.estimate - without.estimate + 1, with_item.bound - without.bound + 2)


@pytest.mark.parametrize(
    ("item", "size"),
    [
        pytest.param(image(4_000, 3_000), Size(1_530, MOST_IMAGE), id="a large image is scaled down (B62)"),
        pytest.param(
            image(200, 150), Size(1_120, MOST_IMAGE), id="a small one as the dearest family counts it"
        ),
        pytest.param(
            BinaryContent(b"?", media_type="image/heic"),
            Size(unknown_image_tokens(), MOST_IMAGE),
            id="an unknown one",
        ),
        pytest.param(
            ImageUrl("https://x.example/a"), Size(unknown_image_tokens(), MOST_IMAGE), id="an image elsewhere"
        ),
        pytest.param(
            BinaryContent(PDF, media_type="application/pdf"),
            Size(3 * PAGE, 3 * MOST_PAGE),
            id="a PDF by its pages (B61)",
        ),
        pytest.param(
            BinaryContent(PDF + b"/ObjStm", media_type="application/pdf"),
            Size(PAGE, MOST_PAGES * MOST_PAGE),
            id="a PDF that does not say",
        ),
        pytest.param(
            DocumentUrl("https://x.example/a"), Size(PAGE, MOST_PAGES * MOST_PAGE), id="a document elsewhere"
        ),
        pytest.param(UploadedFile("f", "openai"), Size(PAGE, MOST_PAGES * MOST_PAGE), id="an uploaded file"),
        pytest.param(
            BinaryContent(b"a,b\n" * 100, media_type="text/csv"), size_text("a,b\n" * 100), id="a text"
        ),
        pytest.param(
            BinaryContent(b'{"a":1}', media_type="application/json"), size_text('{"a":1}'), id="JSON"
        ),
    ],
)
def test_a_file_is_counted_by_what_a_provider_makes_of_it(item: Any, size: Size) -> None:
    """By pixels, pages or letters; never by its bytes in base64 (known failures B61, B62)."""
    assert of(item) == size


def test_images_and_pages_are_counted_as_their_family_counts_them() -> None:
    """Where a request goes says what an image in it costs, and what it can cost at most (known failures B61, B62)."""
    sizes = {
        name: size_message(
            user_message([image(200, 150), BinaryContent(PDF, media_type="application/pdf")], 0), wire
        )
        for name, wire in {
            "claude": Wire(Family.ANTHROPIC, "anthropic", "claude-sonnet-4-5"),
            "gpt": Wire(Family.OPENAI_CHAT, "openai", "gpt-4o"),
            "gemini": Wire(Family.GEMINI, "google", "gemini-2.5-pro"),
        }.items()
    }
    framing = 3 * MESSAGE
    assert sizes["claude"].estimate == 48 + 3 * PAGE + framing
    assert sizes["gpt"].estimate == 255 + 3 * PAGE + framing
    assert sizes["gemini"].estimate == 258 + 3 * 258 + framing
    assert all(size.bound < MOST_IMAGE for size in sizes.values())
    assert size_messages(
        [user_message([image(200, 150)], 0)], Wire(Family.OPENAI_CHAT, "openai", "gpt-4o")
    ) == (size_message(user_message([image(200, 150)], 0), Wire(Family.OPENAI_CHAT, "openai", "gpt-4o")))


@pytest.mark.parametrize(
    "text",
    [
        "\ufdfa",
        "\ufdfa" * 50,
        "\u3300\u3371",
        "\u33ff ½ ﬃ",
        "ｆｕｌｌ　ｗｉｄｔｈ",
        "\u1e9b\u0323",
        "e\u0301",
    ],
)
def test_the_bound_holds_for_tokenizers_that_normalise_first(text: str) -> None:
    """A sign may stand for a whole phrase: what is read is its compatibility form, in texts and in arguments."""
    longer = unicodedata.normalize("NFKC", text).encode()
    call = respond(ToolCallPart("look", {"for": text}, tool_call_id="a"))
    for bound in (
        bound_text(text),
        bound_text(f"before {text} after"),
        bound_arguments(f'{{"for": "{text}"}}'),
        size_message(user_message(text, 0)).bound,
        size_message(call).bound,
        size_head(text, "").bound,
    ):
        assert bound > max(len(longer), len(text.encode()))


def test_sound_is_counted_by_its_length() -> None:
    """And never as less than a second or more than its bytes."""
    size = of(BinaryContent(b"\0" * 100_000, media_type="audio/mpeg"))
    assert 100 < size.estimate < 2_000
    assert size.bound >= 2_000


def test_a_cache_mark_costs_nothing() -> None:
    """It is no content."""
    assert size_message(user_message(["hi", CachePoint()], 0)) == size_message(user_message(["hi"], 0))


def test_files_in_results_and_responses_are_files() -> None:
    """A screenshot that a tool took, or an image that the model drew, is not half a million letters."""
    shot = image(4_000, 3_000)
    for message in (
        request([tool_return("look", shot, "a", 0)]),
        request([tool_return("look", ["seen", shot], "a", 0)]),
        respond(FilePart(shot)),
    ):
        size = size_message(message)
        assert 1_530 <= size.estimate < 1_580
        assert MOST_IMAGE <= size.bound < MOST_IMAGE + 200


# Calibration ---------------------------------------------------------------------------------------------------------


def reported(*reports: tuple[str, int, int]) -> list[Recorded]:
    """One turn for each (model, our raw estimate, tokens that the provider reported)."""
    turns: list[Any] = []
    for model, raw, tokens in reports:
        response = replace(text_response("a", 0), usage=RequestUsage(input_tokens=tokens))
        turns.append(
            [TurnOpened(None, "d", user_message("q", 0)), ModelResponded(model, response, trace(1, raw=raw))]
        )
    return record(turns)


@pytest.mark.parametrize(
    ("reports", "ratio", "known"),
    [
        pytest.param([], 1.0, False, id="nothing yet"),
        pytest.param([("m", 100, 130)], 1.3, True, id="a report"),
        pytest.param([("m", 100, 130), ("m", 100, 90)], 0.9, True, id="the newest counts"),
        pytest.param([("m", 100, 130), ("m", 100, 0)], 1.3, True, id="zero is unknown (B64, B65)"),
        pytest.param([("m", 100, 130), ("m", 0, 100)], 1.3, True, id="nothing to compare with"),
        pytest.param([("m", 100, 130), ("m", 100, -120)], 1.3, True, id="less than nothing"),
        pytest.param([("m", 100, 130), ("m", 100, 10_000)], 1.3, True, id="absurdly much"),
        pytest.param([("m", 100, 130), ("m", 1_000, 3)], 1.3, True, id="absurdly little"),
        pytest.param([("m", 100, 130), ("other", 100, 90)], 1.3, True, id="another model"),
        pytest.param([("other", 100, 90)], 1.0, False, id="only another model"),
    ],
)
def test_the_estimate_learns_from_the_newest_report_that_can_be_true(
    reports: list[tuple[str, int, int]], ratio: float, known: bool
) -> None:
    """Broken reports are passed over, not believed."""
    found = calibrate(fold(reported(*reports)), "m")
    assert (found.ratio, found.known, found.model) == (ratio, known, "m")
    assert (found.reported > 0) == known


@given(st.integers(-10, 10**6), st.integers(-10, 10**6))
def test_a_ratio_is_plausible_or_none(counted: int, raw: int) -> None:
    """Never a division by zero, never a negative number."""
    ratio = ratio_of(counted, raw)
    assert ratio is None or 0.4 <= ratio <= 3


def test_a_calibration_scales() -> None:
    """The provider's tokens for ours."""
    assert Calibration().apply(100) == 100
    assert Calibration(1.5, known=True).apply(100) == 150


def test_a_whole_request_is_what_was_reported_and_what_has_changed() -> None:
    """At the rate at which the conversation's own text was counted, not that of instructions and tools."""
    calibration = Calibration(2.0, known=True, reported=2_000, raw=1_000, slope=1.0)
    assert calibration.whole(1_000) == 2_000
    assert calibration.whole(1_300) == 2_300
    assert calibration.whole(400) == 1_400
    assert Calibration(1.5, known=True).whole(100) == 150
    assert Calibration(1.0, known=True, reported=10, raw=1_000, slope=2.0).whole(1) == 1
