"""The checker finds every way in which a request can be broken, and nothing in a request that is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    ToolCallPart,
    UserPromptPart,
    moment,
    text_response,
    tool_return,
    user_message,
)
from turnstate.replay.check import Checker, faults


def _user(*content: Any) -> UserPromptPart:
    return UserPromptPart(content[0] if len(content) == 1 else list(content), timestamp=moment(0))


def _calls(*ids: str) -> ModelResponse:
    return ModelResponse(parts=[ToolCallPart("get", "{}", i) for i in ids], timestamp=moment(0))


def _results(*ids: str) -> ModelRequest:
    return ModelRequest(parts=[tool_return("get", "ok", i, 0) for i in ids])


def _valid() -> list[ModelMessage]:
    return [
        user_message("hi", 0),
        _calls("a", "b"),
        _results("a", "b"),
        text_response("done", 0),
        user_message(["see", "this"], 0),
        _calls("c"),
        ModelRequest(parts=[tool_return("get", {"n": 1}, "c", 0), _user("and?")]),
    ]


def test_a_valid_request_has_no_faults() -> None:
    """With parallel calls, several texts, and a message behind a result."""
    assert faults(_valid()) == ()


Edit = Callable[[list[ModelMessage]], object]


def _replace(place: int, message: ModelMessage) -> Edit:
    return lambda messages: messages.__setitem__(place, message)


BREAKAGES: list[tuple[Edit, str]] = [
    (lambda m: m.clear(), "no messages"),
    (lambda m: m.pop(0), "does not start with the user"),
    (_replace(0, _results("z")), "does not start with the user"),
    (_replace(0, _results("z")), "no call directly before"),
    (lambda m: m.append(text_response("bye", 0)), "ends with the assistant"),
    (lambda m: m.append(user_message("more", 0)), "one role stand in a row"),
    (lambda m: m.insert(3, text_response("more", 0)), "one role stand in a row"),
    (lambda m: m.append(_calls("d")), "no result"),
    (lambda m: m.pop(2), "no result"),
    (_replace(2, _results("a")), "no result"),
    (_replace(2, _results("a", "b", "z")), "no call directly before"),
    (_replace(2, _results("a", "b", "b")), "two results"),
    (_replace(1, _calls("a", "b", "b")), "one id"),
    (_replace(5, _calls("a")), "one id"),
    (_replace(1, _calls("a", "é")), "characters that providers refuse"),
    (_replace(1, _calls("a", "")), "characters that providers refuse"),
    (_replace(6, ModelRequest(parts=[_user("x"), tool_return("get", "ok", "c", 0)])), "stands behind"),
    (_replace(2, ModelRequest(parts=[])), "empty"),
    (_replace(0, user_message("  \n", 0)), "blank"),
    (_replace(0, ModelRequest(parts=[_user([])])), "blank"),
    (_replace(4, user_message(["see", " "], 0)), "blank"),
    (_replace(3, text_response("", 0)), "blank"),
    (_replace(2, ModelRequest(parts=[tool_return("g", " ", i, 0) for i in "ab"])), "blank"),
    (
        _replace(0, ModelRequest(parts=[SystemPromptPart("x", timestamp=moment(0)), _user("hi")])),
        "system text",
    ),
    (_replace(0, user_message("a\0b", 0)), "JSON cannot carry"),
    (_replace(3, text_response("\ud800", 0)), "JSON cannot carry"),
    (_replace(2, ModelRequest(parts=[tool_return("g", {"k": ["\0"]}, i, 0) for i in "ab"])), "JSON"),
    (_replace(1, ModelResponse(parts=[ToolCallPart("g\0", "{}", i) for i in "ab"])), "JSON cannot carry"),
    (
        _replace(1, ModelResponse(parts=[ToolCallPart("g", {"k\ud800": 1}, i) for i in "ab"])),
        "JSON cannot carry",
    ),
]
"""Edits of a valid request, and words of the fault that they make."""


@pytest.mark.parametrize(("edit", "fault"), BREAKAGES)
def test_every_breakage_is_found(edit: Edit, fault: str) -> None:
    """Each rule sees what breaks it."""
    messages = _valid()
    edit(messages)
    assert any(fault in found for found in faults(messages)), faults(messages)


def test_a_checker_remembers_parts_and_still_sees_their_order() -> None:
    """The same objects in another place are judged anew."""
    checker, messages = Checker(), _valid()
    assert checker.faults(messages) == ()
    messages[2], messages[3] = messages[3], messages[2]
    assert checker.faults(messages) == faults(messages) != ()


@given(order=st.permutations(range(7)))
def test_a_permuted_request_is_valid_only_if_calls_and_turns_stay_in_place(order: list[int]) -> None:
    """It starts with a message of the user, alternates, and each result is directly behind its call."""
    messages = _valid()
    place = {message: order.index(message) for message in order}
    requests = [message in {0, 2, 4, 6} for message in order]
    expected = (
        order[0] in {0, 4}
        and requests == [True, False, True, False, True, False, True]
        and place[2] == place[1] + 1
        and place[6] == place[5] + 1
    )
    assert (faults([messages[i] for i in order]) == ()) == expected
