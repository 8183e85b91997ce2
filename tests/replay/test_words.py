"""The text of each kind of part."""

from __future__ import annotations

from turnstate.core.messages import (
    BinaryContent,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    UserPromptPart,
    moment,
    tool_return,
)
from turnstate.replay.words import words


def test_what_was_said_called_and_returned_is_text() -> None:
    """As the provider is sent it."""
    assert words(UserPromptPart("hi", timestamp=moment(0))) == "hi"
    image = BinaryContent(b"x", media_type="image/png")
    assert words(UserPromptPart(["see", image, "this"], timestamp=moment(0))) == "see\nthis"
    assert words(TextPart("yes")) == "yes"
    assert words(ToolCallPart("get", {"id": 1}, "a")) == '{"id":1}'
    assert words(tool_return("get", "ok", "a", 0)) == "ok"


def test_thinking_says_nothing() -> None:
    """It is nobody's statement."""
    assert words(ThinkingPart("12345")) == ""
