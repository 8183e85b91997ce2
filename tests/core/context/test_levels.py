"""How much of what was kept is shown as room gets short."""

from __future__ import annotations

from turnstate.core.context.levels import Level, rendered
from turnstate.core.events import Kept


def test_levels_show_less_and_less() -> None:
    """With words, bare, without what the user undertook, without what only tools said, without both."""
    kept = (
        Kept(1, "user", "id", "A-12", "order A-12"),
        Kept(1, "user", "promised", "I'll send it."),
        Kept(1, "assistant", "promised", "I'll wait."),
        Kept(1, "tool", "id", "T-99", "ticket: T-99"),
    )
    assert [rendered(kept, "", level).splitlines() for level in Level] == [
        [
            "turn 1 user: order A-12; I'll send it.",
            "turn 1 assistant: I'll wait.",
            "turn 1 tool: ticket: T-99",
        ],
        ["turn 1 user: A-12; I'll send it.", "turn 1 assistant: I'll wait.", "turn 1 tool: T-99"],
        ["turn 1 user: A-12", "turn 1 assistant: I'll wait.", "turn 1 tool: T-99"],
        ["turn 1 user: A-12; I'll send it.", "turn 1 assistant: I'll wait."],
        ["turn 1 user: A-12", "turn 1 assistant: I'll wait."],
    ]
