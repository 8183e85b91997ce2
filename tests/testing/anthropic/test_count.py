"""Counting is deterministic, near the real thing for English and CJK, and never above the bytes."""

from __future__ import annotations

import base64
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.testing.anthropic import count_request, count_text
from turnstate.testing.anthropic.count import IMAGE_TOKENS, PAGE_TOKENS, TOOL_PROMPT_TOKENS, segments

ENGLISH = (
    "The weather in the mountains changes quickly, and a traveller who sets out in bright sunshine may be walking "
    "through snow before the afternoon is over. Please could you tell me whether my order has already left the "
    "warehouse? I ordered two lamps and a small wooden table last Thursday."
)


@given(st.text())
def test_a_text_costs_at_most_its_bytes(text: str) -> None:
    """A bound of one token a byte always holds, and only the empty text is free."""
    assert count_text(text) <= len(text.encode("utf-8", "surrogatepass"))
    assert (count_text(text) == 0) is (not text)


@given(st.text(), st.text())
def test_a_longer_text_never_costs_less(start: str, more: str) -> None:
    """Appending adds tokens or none."""
    assert count_text(start) <= count_text(start + more)


def test_english_is_about_four_characters_a_token() -> None:
    """Prose has the density that people expect."""
    assert 3.5 < len(ENGLISH) / count_text(ENGLISH) < 4.5


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("order", 1),
        ("an order", 2),
        ("confirmation", 3),
        ("12345", 2),
        ("注文はどこですか", 8),
        ("주문 번호", 5),
        ("a注文b", 4),
        ("\n\n  \n", 1),
        ("¡Sí!", 3),
        ("🎉🎉", 2),
    ],
)
def test_a_text_is_cut_into_words_digits_signs_and_characters(text: str, tokens: int) -> None:
    """Short words, three digits, a sign, a run of white space and a CJK character are one token each."""
    assert count_text(text) == tokens


def test_tools_bring_a_hidden_prompt(body: dict[str, Any]) -> None:
    """The first tool costs its definition and the provider's own instructions; a deferred one costs nothing."""
    plain: dict[str, Any] = {**body, "tools": [], "messages": body["messages"][:1]}
    offered: dict[str, Any] = {**plain, "tools": body["tools"]}
    assert count_request(offered) > count_request(plain) + TOOL_PROMPT_TOKENS
    twice: dict[str, Any] = {**plain, "tools": [*body["tools"], {**body["tools"][0], "name": "get_invoice"}]}
    assert count_request(twice) < count_request(offered) + TOOL_PROMPT_TOKENS
    deferred: dict[str, Any] = {
        **plain,
        "tools": [*body["tools"], {**twice["tools"][1], "defer_loading": True}],
    }
    assert count_request(deferred) == count_request(offered)


def test_a_request_is_the_sum_of_its_parts() -> None:
    """System, framing of each message, text: nothing else."""
    messages = [
        {"role": "user", "content": "an order"},
        {"role": "user", "content": [{"type": "text", "text": "a"}]},
    ]
    assert count_request({"messages": messages}) == 3 + 2 + 3 + 1
    assert count_request({"messages": messages, "system": "Be kind."}) == 3 + 2 + 3 + 1 + 3


def png(width: int, height: int) -> dict[str, Any]:
    """A picture of which only the header counts."""
    head = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + struct.pack(">II", width, height)
    return {"type": "base64", "media_type": "image/png", "data": base64.b64encode(head).decode()}


@pytest.mark.parametrize(
    ("source", "tokens"),
    [
        (png(1, 1), 1),
        (png(750, 100), 101),
        (png(8_000, 8_000), IMAGE_TOKENS),
        ({"type": "base64", "media_type": "image/jpeg", "data": "aGk="}, IMAGE_TOKENS),
        ({"type": "url", "url": "https://example.com/a.png"}, IMAGE_TOKENS),
    ],
)
def test_an_image_costs_by_its_pixels(source: dict[str, Any], tokens: int) -> None:
    """Not by the length of its base64; unknown pixels cost the most."""
    message = {"role": "user", "content": [{"type": "image", "source": source}]}
    assert count_request({"messages": [message]}) == 3 + tokens


@pytest.mark.parametrize(
    ("source", "tokens"),
    [
        ({"type": "text", "media_type": "text/plain", "data": "an order"}, 2),
        ({"type": "content", "content": "an order"}, 2),
        ({"type": "content", "content": [{"type": "text", "text": "an order"}]}, 2),
        ({"type": "url", "url": "https://example.com/a.pdf"}, PAGE_TOKENS),
        (
            {
                "type": "base64",
                "media_type": "application/pdf",
                "data": base64.b64encode(b"/Type /Pages /Type /Page /Type/Page").decode(),
            },
            2 * PAGE_TOKENS,
        ),
    ],
)
def test_a_document_costs_by_its_text_or_pages(source: dict[str, Any], tokens: int) -> None:
    """Title and context count too."""
    block = {"type": "document", "source": source, "title": "a", "context": "b"}
    assert count_request({"messages": [{"role": "user", "content": [block]}]}) == 3 + 2 + tokens


def test_calls_results_and_thoughts_count() -> None:
    """Every block that goes back to the model costs what it says."""
    blocks: list[dict[str, Any]] = [
        {"type": "thinking", "thinking": "an order", "signature": "x"},
        {"type": "redacted_thinking", "data": "12345678"},
        {"type": "tool_use", "id": "a", "name": "look", "input": {}},
        {
            "type": "tool_result",
            "tool_use_id": "a",
            "content": [{"type": "tool_reference", "tool_name": "look"}],
        },
        {"type": "tool_result", "tool_use_id": "a"},
        {"type": "search_result", "source": "kb", "title": "a", "content": [{"type": "text", "text": "b"}]},
    ]
    found = segments({"messages": [{"role": "user", "content": blocks}]})
    assert [segment.tokens for segment in found] == [3 + 2, 2, 1 + 2, 1, 0, 3]


def test_marks_are_not_content(body: dict[str, Any]) -> None:
    """A segment is the same with and without its cache mark, also inside a tool result."""
    mark = {"cache_control": {"type": "ephemeral"}}
    inner = {"type": "text", "text": "ok"}
    result = {"type": "tool_result", "tool_use_id": "a", "content": [inner]}
    marked = {**result, "content": [{**inner, **mark}], **mark}
    plain, with_mark = (
        segments({"messages": [{"role": "user", "content": [block]}]})[0] for block in (result, marked)
    )
    assert plain.content == with_mark.content
    assert (plain.marked, with_mark.marked) == (False, True)
    assert [segment.marked for segment in segments({**body, **mark})][-2:] == [False, True]
