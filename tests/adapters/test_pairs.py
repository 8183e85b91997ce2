"""Repairs of dicts leave alone what is right."""

from __future__ import annotations

from typing import Any

from turnstate.adapters.pairs import paired_anthropic, paired_openai

USER: dict[str, Any] = {"role": "user", "content": "Hello"}


def test_a_late_result_stands_behind_its_call() -> None:
    """OpenAI: the user wrote before the result came."""
    asked: dict[str, Any] = {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "f"}}]}
    result: dict[str, Any] = {"role": "tool", "tool_call_id": "a", "content": "x"}
    notes: list[str] = []
    assert paired_openai([USER, asked, USER, result], notes) == [USER, asked, result, USER]
    assert not notes


def test_users_in_a_row_are_joined() -> None:
    """Anthropic: roles take turns."""
    notes: list[str] = []
    assert [len(message["content"]) for message in paired_anthropic([USER, USER], notes)] == [2]
    assert len(notes) == 1
