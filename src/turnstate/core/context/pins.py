"""What a pin keeps: a turn word for word, as text."""

from __future__ import annotations

from collections.abc import Iterator

from turnstate.core.history import Turn
from turnstate.core.messages import args_text, calls, response_text, result_text, user_text


def pinned_text(turn: Turn) -> str:
    """Everything said, called and returned in a turn, one line for each thing, whole; files are left out."""
    return "\n".join(f"{speaker}: {text}" for speaker, text in _said(turn) if text.strip())


def _said(turn: Turn) -> Iterator[tuple[str, str]]:
    yield "user", user_text(turn.user)
    for step in turn.steps:
        yield "assistant", response_text(step.response)
        for call in calls(step.response):
            yield "tool", f"{call.tool_name}({args_text(call)})"
        for call in step.calls:
            if call.result is not None:
                yield "tool", f"{call.result.tool_name} -> {result_text(call.result)}"
