"""Every rule of both APIs refuses what breaks it, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from turnstate.testing.openai import chat_problem, responses_problem
from turnstate.testing.openai.count import FILE_TOKENS, ITEM_TOKENS, count_request
from turnstate.testing.openai.validate import Issued

CALLS = [
    {"id": each, "type": "function", "function": {"name": "get_order", "arguments": "{}"}}
    for each in ("a", "b")
]
CHAT: dict[str, Any] = {
    "model": "gpt-4o",
    "messages": [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": [{"type": "text", "text": "Where are they?"}]},
        {"role": "assistant", "content": None, "tool_calls": CALLS},
        {"role": "tool", "tool_call_id": "b", "content": "shipped"},
        {"role": "tool", "tool_call_id": "a", "content": "lost"},
        {"role": "assistant", "content": "One is lost."},
        {"role": "user", "content": "Which?"},
    ],
    "tools": [{"type": "function", "function": {"name": "get_order", "description": "d", "parameters": {}}}],
}
RESPONSES: dict[str, Any] = {
    "model": "gpt-5",
    "instructions": "Be kind.",
    "input": [
        {"role": "user", "content": "Where is it?"},
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Hm."}]},
        {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "get_order", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": "shipped"},
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "Shipped.", "annotations": []}],
        },
        {"role": "assistant", "content": "Anything else?"},
        {"role": "user", "content": [{"type": "input_text", "text": "No."}]},
    ],
    "tools": [{"type": "function", "name": "get_order", "parameters": {}, "strict": False}],
}
ISSUED = {"rs_1": Issued("gpt-5", encrypted="e"), "fc_1": Issued("gpt-5", "rs_1"), "msg_1": Issued("gpt-5")}

Edit = Callable[[list[Any]], object]


def _set(place: int, **fields: Any) -> Edit:
    return lambda items: items[place].update(fields)


def test_valid_requests_have_no_problem() -> None:
    """With parallel calls in any order of their results, reasoning, and messages in every form."""
    assert chat_problem(CHAT) is None
    assert responses_problem(RESPONSES, ISSUED) is None
    assert responses_problem({"model": "m", "input": "Hi"}) is None


CHAT_BREAKAGES: list[tuple[Edit, str]] = [
    (lambda m: m.clear(), "empty array"),
    (lambda m: m.pop(3), "did not have response messages: b"),
    (lambda m: m.pop(2), "must be a response to a preceding message"),
    (lambda m: m.insert(3, {"role": "user", "content": "?"}), "did not have response messages: a, b"),
    (lambda m: m.append({"role": "tool", "tool_call_id": "a", "content": "x"}), "must be a response"),
    (lambda m: m.append({"role": "assistant", "content": None}), "expected a string, got null"),
    (_set(2, tool_calls=[CALLS[0] | {"id": "x" * 41}]), "maximum length 40"),
    (_set(2, tool_calls=[CALLS[0], CALLS[0]]), "Duplicate value for 'tool_call_id'"),
    (_set(2, tool_calls=[]), "empty array"),
    (_set(2, rs_1="thought"), "rs_1: Extra inputs are not permitted"),
    (_set(1, content=[]), "empty array"),
    (_set(1, content=[{"type": "document"}]), "does not match any of the expected tags"),
    (_set(1, role="model"), "Supported values are"),
    (_set(1, content=None), "valid list"),
    (lambda m: m.append("hello"), "valid dictionary"),
]


@pytest.mark.parametrize(("edit", "problem"), CHAT_BREAKAGES)
def test_chat_completions_refuse_what_breaks_a_rule(edit: Edit, problem: str) -> None:
    """Each rule on its own."""
    body = deepcopy(CHAT)
    edit(body["messages"])
    assert problem in (chat_problem(body) or "")


RESPONSES_BREAKAGES: list[tuple[Edit, str]] = [
    (lambda i: i.clear(), "empty array"),
    (lambda i: i.pop(3), "No tool output found for function call a"),
    (lambda i: i.pop(2), "without its required following item"),
    (
        lambda i: i.pop(1),
        "'fc_1' of type 'function_call' was provided without its required 'reasoning' item",
    ),
    (lambda i: i.append(i[3]), "No tool call found for function call output with call_id a"),
    (lambda i: i.append(i[4]), "Duplicate item found with id msg_1"),
    (_set(1, encrypted_content="other"), "could not be verified"),
    (_set(2, id="call_1"), "Expected an ID that begins with 'fc'"),
    (_set(4, id="msg_2"), "Item with id 'msg_2' not found"),
    (_set(2, call_id="x" * 65), "maximum length 64"),
    (_set(2, name="get order"), "match pattern"),
    (_set(0, content=[]), "empty array"),
    (lambda i: i.append({"type": "web_search_call", "id": "ws_1"}), "Invalid value: 'web_search_call'"),
    (lambda i: i.append(7), "valid dictionary"),
]


@pytest.mark.parametrize(("edit", "problem"), RESPONSES_BREAKAGES)
def test_responses_refuse_what_breaks_a_rule(edit: Edit, problem: str) -> None:
    """Each rule on its own."""
    body = deepcopy(RESPONSES)
    edit(body["input"])
    assert problem in (responses_problem(body, ISSUED) or "")


@pytest.mark.parametrize("body", [None, [], "text"])
def test_a_body_that_is_no_object_is_refused(body: object) -> None:
    """Before anything else is looked at."""
    assert "must be an object" in (chat_problem(body) or "")
    assert "must be an object" in (responses_problem(body) or "")


def test_unknown_parameters_are_refused() -> None:
    """A setting of one API is unknown to the other."""
    assert "input: Extra inputs" in (chat_problem(CHAT | {"input": "Hi"}) or "")
    assert "seed: Extra inputs" in (responses_problem(RESPONSES | {"seed": 1}) or "")


def test_every_text_and_file_of_a_request_is_counted() -> None:
    """Roles and ids cost nothing of their own, encrypted content neither; a file costs what an image does."""
    assert count_request({"model": "m", "input": "one two"}) == ITEM_TOKENS + 2
    assert count_request({"messages": [{"role": "user", "content": "one two"}]}) == ITEM_TOKENS + 2
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    assert count_request({"messages": [{"role": "user", "content": [image]}]}) == ITEM_TOKENS + FILE_TOKENS
    longer = deepcopy(CHAT)
    longer["messages"][-1]["content"] += " Tell me."
    assert count_request(longer) > count_request(CHAT) > count_request(CHAT | {"tools": []})
