"""What stands in a part of a message as text: what was said, what a tool was called with, and what it returned."""

from __future__ import annotations

from typing import TypeAlias

from turnstate.core.messages import (
    ModelRequestPart,
    ModelResponsePart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
    args_text,
    request,
    result_text,
    user_text,
)

Part: TypeAlias = ModelRequestPart | ModelResponsePart


def words(part: Part) -> str:
    """The text of `part`; "" for thinking and files."""
    match part:
        case UserPromptPart():
            return user_text(request([part]))
        case TextPart():
            return part.content
        case ToolCallPart():
            return args_text(part)
        case ToolReturnPart():
            return result_text(part)
        case _:
            return ""
