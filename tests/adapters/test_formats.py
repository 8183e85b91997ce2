"""Formats are recognised by content, and dicts make turns."""

from __future__ import annotations

from typing import Any

import pytest

from turnstate.adapters.formats import family_of, grouped, turn_of
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


@pytest.mark.parametrize("calls", [5, [1], [{"function": {}}]])
def test_calls_that_cannot_be_read_are_named(calls: Any) -> None:
    """The error names the message."""
    with pytest.raises(SettingError, match=r"messages\[1\]"):
        family_of([USER, {"role": "assistant", "tool_calls": calls}])


def test_a_turn_begins_behind_a_response() -> None:
    """User messages in a row are one turn; a late one is the next."""
    groups = grouped([USER, USER, {"role": "assistant", "content": "Hi"}, USER])
    assert [len(group.dicts) for group in groups] == [3, 1]
    assert turn_of(1, groups[0]).reply == "Hi"
