"""What an event says, as a search finds it."""

from __future__ import annotations

from turnstate.core.events import (
    ConversationOpened,
    Count,
    Cut,
    ModelResponded,
    RequestTrace,
    ToolReturned,
    Trace,
    TurnClosed,
    TurnOpened,
)
from turnstate.core.messages import text_response, tool_return, user_message
from turnstate.ports import Spoken, spoken


def test_who_says_what() -> None:
    """Users, models and tools; a reply that only the end of a turn has."""
    trace = RequestTrace(1, Count(1, 1), 10, Cut())
    assert spoken(TurnOpened(None, "d", user_message("Where?", 0))) == Spoken("user", "Where?")
    assert spoken(ModelResponded("m", text_response("Here.", 0), trace)) == Spoken("assistant", "Here.")
    assert spoken(ToolReturned("c", tool_return("look", "a map", "c", 0))) == Spoken("tool", "a map")
    assert spoken(TurnClosed("Here it is.", Trace())) == Spoken("assistant", "Here it is.")


def test_what_says_nothing_is_not_found() -> None:
    """Blank texts, and events without words."""
    assert spoken(TurnOpened(None, "d", user_message(" \n", 0))) is None
    assert spoken(TurnClosed(None, Trace())) is None
    assert spoken(ConversationOpened()) is None
