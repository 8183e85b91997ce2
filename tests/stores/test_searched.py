"""The words that an event is found by."""

from __future__ import annotations

import pytest

from turnstate.core.events import ConversationOpened, Event, ToolReturned, TurnOpened
from turnstate.core.messages import BinaryContent, tool_return, user_message
from turnstate.ports import SEARCHED
from turnstate.stores.searched import searched_words
from turnstate.testing.log_contract.story import AT, closed, learned, responded, summary


def opened(text: str) -> TurnOpened:
    """A message of a user."""
    return TurnOpened(None, "d", user_message(text, AT))


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (opened("Two lamps, two"), {"two", "lamp"}),
        (responded("Two lamps"), {"two", "lamp"}),
        (closed("Two lamps"), {"two", "lamp"}),
        (ToolReturned("c", tool_return("t", {"lamp": 2}, "t1", AT)), {"lamp", "2"}),
        (ToolReturned("c", tool_return("t", None, "t1", AT)), set[str]()),
        (closed(), set[str]()),
        (responded(" \n"), set[str]()),
        (summary(), set[str]()),
        (learned(), set[str]()),
        (ConversationOpened("ann"), set[str]()),
    ],
)
def test_an_event_is_found_by_what_it_says(event: Event, words: set[str]) -> None:
    """Each word once; what nobody said is not found."""
    assert searched_words(event) == words


def test_a_picture_is_not_searched() -> None:
    """Only the words beside it are."""
    picture = BinaryContent(b"lamp" * 9, media_type="image/png")
    assert searched_words(TurnOpened(None, "d", user_message(["Look here", picture], AT))) == {"look", "her"}


def test_a_result_that_has_no_json_is_found_all_the_same() -> None:
    """A lone surrogate in it makes none of its other words unfindable."""
    result = tool_return("t", {"lamp": "\ud800 broken"}, "t1", AT)
    assert {"lamp", "broken"} <= searched_words(ToolReturned("c", result))


def test_a_huge_text_is_read_only_so_far() -> None:
    """The log keeps the rest."""
    found = searched_words(opened("first " + "x " * SEARCHED + "last"))
    assert "first" in found
    assert "last" not in found
