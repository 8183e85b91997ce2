"""Formats are recognised by content, and dicts make turns."""

from __future__ import annotations

from typing import Any

import pytest

from turnstate.adapters.formats import family_of
from turnstate.core.context.families import Family
from turnstate.errors import SettingError

USER: dict[str, Any] = {"role": "user", "content": "Hello"}


@pytest.mark.parametrize(
    ("message", "family"),
    [
        (USER, None),
        ({"role": "system", "content": "Be kind."}, Family.OPENAI_CHAT),
        ({"role": "tool", "tool_call_id": "a", "content": "x"}, Family.OPENAI_CHAT),
        ({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]}, Family.ANTHROPIC),
    ],
)
def test_the_format_is_recognised(message: dict[str, Any], family: Family | None) -> None:
    """What only one format has says which it is."""
    assert family_of([message]) is family


def test_tools_and_system_tell_plain_messages_apart() -> None:
    """Where the messages themselves do not."""
    assert family_of([USER], "Be kind.") is Family.ANTHROPIC
    assert family_of([USER], None, [{"name": "f", "input_schema": {}}]) is Family.ANTHROPIC
    assert family_of([USER], None, [{"type": "function", "function": {}}]) is Family.OPENAI_CHAT
    blocks = [{"type": "tool_use", "id": "a", "name": "f"}]
    instructed = [USER, {"role": "assistant", "content": blocks}, {"role": "system", "content": "Be kind."}]
    assert family_of(instructed) is Family.ANTHROPIC


@pytest.mark.parametrize("calls", [5, [1], [{"function": {}}]])
def test_calls_that_cannot_be_read_are_named(calls: Any) -> None:
    """The error names the message."""
    with pytest.raises(SettingError, match=r"messages\[1\]"):
        family_of([USER, {"role": "assistant", "tool_calls": calls}])
