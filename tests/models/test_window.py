"""The windows that providers publish."""

from __future__ import annotations

import pytest

from turnstate.models.window import window_of


def test_a_published_window_is_known() -> None:
    """By the model's id as the assistant takes it."""
    assert window_of("openai:gpt-4o") == 128_000
    assert (window_of("anthropic:claude-sonnet-5-5") or 0) >= 200_000


@pytest.mark.parametrize(
    "name", ["offline", "", ":", "anthropic:", "nobody:nothing", "test:test", "local:/x.gguf"]
)
def test_what_nobody_publishes_is_not_guessed(name: str) -> None:
    """Unknown is None, never zero."""
    assert window_of(name) is None
