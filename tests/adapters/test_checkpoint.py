"""The state of a call before: read, refused, or not used."""

from __future__ import annotations

from typing import Any

import pytest

from turnstate.adapters.checkpoint import OTHER, Checkpoint, digests, read_state, written_state
from turnstate.adapters.planned import plan_messages
from turnstate.core.context.budget import Budget
from turnstate.core.events import Cut
from turnstate.errors import SettingError

TALK: list[dict[str, Any]] = [{"role": "user", "content": f"{n} " * 50} for n in range(4)]


def test_what_is_written_is_read() -> None:
    """For the same messages and for longer lists of them."""
    reached = Checkpoint(Cut(first=2, since=2))
    state = written_state(reached, digests(TALK[:2], "anthropic"))
    notes: list[str] = []
    assert read_state(state, digests(TALK, "anthropic"), notes) == reached
    assert notes == []
    assert read_state(state, digests(TALK, "openai_chat"), notes) is None
    assert notes == [OTHER]


_BAD: list[dict[str, Any]] = [
    {"cut": None},
    {"cut": {"first": "x"}},
    {"cut": {"first": 1, "since": 3, "values": 0, "cap": 0}},
    {"at": [1]},
    {"at": "ab"},
    {"summaries": [{}]},
    {"summaries": 5},
    {"cuts": [None]},
    {"messages": "many"},
]


@pytest.mark.parametrize("change", _BAD)
def test_a_state_that_is_none_is_one_clear_error(change: dict[str, Any]) -> None:
    """The error names it and says what to give."""
    state = plan_messages(TALK, Budget(target=2_000)).state | change
    with pytest.raises(SettingError, match="state cannot be read"):
        plan_messages(TALK, Budget(target=2_000), state=state)


def test_messages_that_are_no_json_are_named() -> None:
    """A key that no JSON has."""
    bad: Any = {"role": "user", ("a",): 1, "b": 2}
    with pytest.raises(SettingError, match=r"messages\[1\] cannot be written as JSON"):
        digests([{"role": "user"}, bad], "")
