"""Repairs of OpenAI's dicts leave alone what is right."""

from __future__ import annotations

from typing import Any

from turnstate.adapters.openai import paired_openai

USER: dict[str, Any] = {"role": "user", "content": "Hello"}


def test_a_late_result_stands_behind_its_call() -> None:
    """OpenAI: the user wrote before the result came."""
    asked: dict[str, Any] = {
        "role": "assistant",
        "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}],
    }
    result: dict[str, Any] = {"role": "tool", "tool_call_id": "a", "content": "x"}
    notes: list[str] = []
    found = paired_openai([USER, asked, USER, result], notes)
    assert [piece.message for piece in found] == [USER, asked, result, USER]
    assert [piece.sources for piece in found] == [(0,), (1,), (3,), (2,)]
    assert len(notes) == 1


def test_a_long_id_is_shortened_with_its_result() -> None:
    """Two that begin alike stay two."""
    ids = ["i" * 50, "i" * 60]
    made = [{"id": i, "function": {"name": "f", "arguments": "{}"}} for i in ids]
    results: list[dict[str, Any]] = [{"role": "tool", "tool_call_id": i, "content": i} for i in ids]
    notes: list[str] = []
    found = [
        p.message for p in paired_openai([USER, {"role": "assistant", "tool_calls": made}, *results], notes)
    ]
    sent = [call["id"] for call in found[1]["tool_calls"]]
    assert len(set(sent)) == 2
    assert all(len(call_id) <= 40 for call_id in sent)
    assert [message["tool_call_id"] for message in found[2:]] == sent
    assert [message["content"] for message in found[2:]] == ids


def test_arguments_are_text() -> None:
    """Some clients keep them as they parsed them; the caller's dict stays as it was."""
    call: dict[str, Any] = {"id": "a", "function": {"name": "f", "arguments": {"q": "é"}}}
    message: dict[str, Any] = {"role": "assistant", "tool_calls": [call]}
    found = paired_openai([USER, message], [])
    assert found[1].message["tool_calls"][0]["function"]["arguments"] == '{"q": "é"}'
    assert call["function"]["arguments"] == {"q": "é"}
