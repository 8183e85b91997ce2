"""What a pin keeps: everything that was said, called and returned."""

from __future__ import annotations

from generators.histories import called, opened, record, returned, said
from turnstate.core.context.pins import pinned_text
from turnstate.core.history import fold


def test_a_turn_is_pinned_word_for_word() -> None:
    """One line for each thing; a call without a result has none, an empty text no line."""
    events = record(
        [[opened("Where is it?"), called("a", "b"), returned("a", "in the van"), said("In the van.")]]
    )
    lines = pinned_text(fold(events).turns[0]).splitlines()
    assert lines[0] == "user: Where is it?"
    assert lines[-1] == "assistant: In the van."
    assert sum(line.startswith("tool: ") for line in lines) == 3
    assert any(line.endswith("-> in the van") for line in lines)
