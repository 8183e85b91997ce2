"""Repairs of Anthropic's dicts leave alone what is right."""

from __future__ import annotations

from typing import Any

from turnstate.adapters.anthropic import paired_anthropic

USER: dict[str, Any] = {"role": "user", "content": "Hello"}


def test_users_in_a_row_are_joined() -> None:
    """Anthropic: roles take turns."""
    notes: list[str] = []
    assert [len(piece.message["content"]) for piece in paired_anthropic([USER, USER], notes)] == [2]
    assert len(notes) == 1


def test_a_message_holds_what_it_was_made_of() -> None:
    """A late result brings the message that it came in."""
    use: dict[str, Any] = {"type": "tool_use", "id": "a", "name": "f", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": "r"}
    given: list[dict[str, Any]] = [
        USER,
        {"role": "assistant", "content": [use]},
        USER,
        {"role": "assistant", "content": "Hm."},
        {"role": "user", "content": [result]},
    ]
    found = paired_anthropic(given, [])
    assert [piece.sources for piece in found] == [(0,), (1,), (4, 2), (3,)]
    assert [block["type"] for block in found[2].message["content"]] == ["tool_result", "text"]
