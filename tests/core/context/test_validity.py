"""Histories that a provider would refuse are healed; sound ones are not touched."""

from __future__ import annotations

from typing import Any

import pytest
from generators.histories import POISONED, SOUND, conversations
from hypothesis import given

from turnstate.core.context.validity import EMPTY, INTERRUPTED, heal
from turnstate.core.events import Recorded
from turnstate.core.history import fold
from turnstate.core.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
    moment,
    result_text,
    text_response,
    tool_return,
    user_message,
)

T = moment(0)


def ask(*ids: str) -> ModelResponse:
    """A response that calls a tool once for each id."""
    return ModelResponse(parts=[ToolCallPart("look", {}, tool_call_id=i) for i in ids], timestamp=T)


def give(*ids: str) -> ModelRequest:
    """A request with one result for each id."""
    return ModelRequest(parts=[tool_return("look", f"result {i}", i, 0) for i in ids])


def faults(messages: tuple[ModelMessage, ...]) -> list[str]:
    """What any provider would refuse, found without the code under test."""
    found: list[str] = []
    if not messages or not isinstance(messages[0], ModelRequest):
        return ["does not start with the user"]
    first: list[Any] = list(messages[0].parts)
    if not any(isinstance(part, UserPromptPart) for part in first):
        found.append("does not start with a user message")
    if isinstance(messages[-1], ModelResponse):
        found.append("ends with the assistant")
    seen: list[str] = []
    for before, message in zip((None, *messages), messages, strict=False):
        if type(before) is type(message):
            found.append("two neighbours of one role")
        parts: list[Any] = list(message.parts)
        if not parts:
            found.append("an empty message")
        asked = [p.tool_call_id for p in before.parts if isinstance(p, ToolCallPart)] if before else []
        given_back = [p.tool_call_id for p in parts if isinstance(p, ToolReturnPart)]
        if isinstance(message, ModelRequest) and sorted(asked) != sorted(given_back):
            found.append(f"calls {asked} answered by {given_back}")
        seen.extend(p.tool_call_id for p in parts if isinstance(p, ToolCallPart))
        found.extend(
            "a blank text"
            for p in parts
            if isinstance(p, TextPart | UserPromptPart) and isinstance(p.content, str) and not p.content.strip()
        )
    if len(seen) != len(set(seen)):
        found.append("an id used twice")
    return found


def messages_of(events: list[Recorded]) -> list[ModelMessage]:
    """All messages of a recorded conversation, unhealed."""
    return [message for turn in fold(events).turns for message in turn.messages()]


@given(conversations(POISONED))
def test_any_poisoned_history_becomes_valid(events: list[Recorded]) -> None:
    """Orphans, lost results, blanks and repeated ids: no provider would refuse what comes out."""
    assert faults(heal(messages_of(events)).messages) == []


@given(conversations(POISONED))
def test_healing_twice_changes_nothing(events: list[Recorded]) -> None:
    """What was healed once is sound."""
    once = heal(messages_of(events))
    assert heal(once.messages) == (once.messages, ())


@given(conversations(SOUND))
def test_a_sound_history_comes_back_as_the_same_objects(events: list[Recorded]) -> None:
    """A no-op changes no byte (known failure B13)."""
    messages = messages_of(events)
    if faults(tuple(messages)) or "\\x00" in str(messages):
        return
    healed = heal(messages)
    assert healed.notes == ()
    assert all(new is old for new, old in zip(healed.messages, messages, strict=True))


@pytest.mark.parametrize(
    ("history", "gone"),
    [
        pytest.param([user_message("hi", 0), give("c1"), text_response("a", 0), user_message("q", 0)], "c1", id="B01"),
        pytest.param(
            [user_message("hi", 0), ask("A"), give("A", "ORPHAN"), text_response("a", 0), user_message("q", 0)],
            "ORPHAN",
            id="B02",
        ),
        pytest.param([give("c1"), user_message("q", 0)], "c1", id="B19: starts with a bare result"),
    ],
)
def test_results_without_their_call_are_left_out(history: list[ModelMessage], gone: str) -> None:
    """One matching id does not let an orphan beside it survive (known failures B01, B02, B14, B19)."""
    healed = heal(history)
    assert faults(healed.messages) == []
    assert gone not in str(healed.messages)
    assert healed.notes


def test_the_same_result_twice_is_sent_once() -> None:
    """Each message exactly once (known failure B04)."""
    healed = heal([user_message("hi", 0), ask("a", "b"), give("a", "b", "a")])
    assert [p.tool_call_id for p in healed.messages[-1].parts if isinstance(p, ToolReturnPart)] == ["a", "b"]


def test_an_interrupted_call_gets_a_result_that_says_so() -> None:
    """The next message works after a call that never came back (known failures B10, B11, B28)."""
    healed = heal([user_message("hi", 0), ask("a"), user_message("still there?", 0)])
    result = healed.messages[-1].parts[0]
    assert isinstance(result, ToolReturnPart)
    assert result_text(result) == INTERRUPTED
    assert faults(healed.messages) == []
    assert any("interrupted" in note for note in healed.notes)


def test_a_tool_only_response_gets_no_invented_text() -> None:
    """A blank text beside a call is left out, nothing is put in its place (known failure B22)."""
    response = ModelResponse(parts=[TextPart(""), ToolCallPart("look", {}, tool_call_id="a")], timestamp=T)
    healed = heal([user_message("hi", 0), response, give("a")])
    assert [type(part) for part in healed.messages[1].parts] == [ToolCallPart]


def test_a_system_text_in_the_middle_is_left_out() -> None:
    """There is one system text, and it stands apart (known failures B23, B25, B34)."""
    note = ModelRequest(parts=[SystemPromptPart("be brief", timestamp=T)])
    healed = heal([user_message("hi", 0), text_response("hello", 0), note, user_message("q", 0)])
    assert "be brief" not in str(healed.messages)
    assert faults(healed.messages) == []


def test_an_unanswered_message_joins_the_next() -> None:
    """Two user messages in a row lose nothing."""
    healed = heal([user_message("first", 0), user_message("second", 0)])
    assert len(healed.messages) == 1
    assert [part.content for part in healed.messages[0].parts if isinstance(part, UserPromptPart)] == ["first", "second"]


def test_a_blank_message_says_that_it_is_empty() -> None:
    """A provider accepts no blank text, and a turn cannot be left out."""
    healed = heal([user_message("  ", 0)])
    assert [part.content for part in healed.messages[0].parts if isinstance(part, UserPromptPart)] == [EMPTY]


def test_a_history_that_ends_with_the_assistant_gets_a_user_message() -> None:
    """No prefill loop (known failure B28)."""
    assert faults(heal([user_message("hi", 0), text_response("hello", 0)]).messages) == []


def test_ids_that_a_provider_refuses_are_renamed_with_their_results() -> None:
    """Small models use the same id in every response, and signs that no schema allows."""
    history = [user_message("a", 0), ask("call:1"), give("call:1"), ask("call:1"), give("call:1")]
    healed = heal(history)
    assert faults(healed.messages) == []
    ids = [p.tool_call_id for m in healed.messages for p in m.parts if isinstance(p, ToolCallPart)]
    assert ids == ["call_1", "call_1_2"]
