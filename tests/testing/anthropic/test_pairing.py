"""Any valid conversation is accepted, and one wrong step in it is refused."""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnstate.testing.anthropic import validate
from turnstate.testing.anthropic.count import count_request, count_text
from turnstate.testing.anthropic.pairing import wire_turns
from turnstate.testing.anthropic.validate import parse

Body = dict[str, Any]
Block = dict[str, Any]
Mutation = Callable[[Body, st.DataObject], None]

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(
    lambda text: text.strip()
)
TOOL: Block = {"name": "get_order", "description": "Look up.", "input_schema": {"type": "object"}}


def text(value: str) -> Block:
    """A text block."""
    return {"type": "text", "text": value}


@st.composite
def conversations(draw: st.DrawFn, *, rich: bool = False) -> Body:
    """Valid requests: exchanges with and without tool calls, results alone or with text, users in a row.

    A `rich` one opens with a text and two calls at least, so that every mutation finds its place.
    """
    must = int(rich)
    numbers = iter(range(1_000))
    messages: list[Body] = []
    for _ in range(draw(st.integers(1, 3))):
        for _ in range(draw(st.integers(1, 2))):
            said = draw(TEXTS)
            messages.append({"role": "user", "content": draw(st.sampled_from([said, [text(said)]]))})
        for _ in range(draw(st.integers(must, 2))):
            ids = [f"toolu_{next(numbers)}" for _ in range(draw(st.integers(1 + must, 3)))]
            calls: list[Block] = [
                {"type": "tool_use", "id": call, "name": "get_order", "input": {}} for call in ids
            ]
            opening = [text(draw(TEXTS))] if rich or draw(st.booleans()) else []
            messages.append({"role": "assistant", "content": [*opening, *calls]})
            results: list[Block] = [
                {
                    "type": "tool_result",
                    "tool_use_id": call,
                    "content": draw(st.sampled_from(["", "ok", [text("ok")]])),
                }
                for call in draw(st.permutations(ids))
            ]
            closing = [text(draw(TEXTS))] if draw(st.booleans()) else []
            messages.append({"role": "user", "content": [*results, *closing]})
        messages.append({"role": "assistant", "content": draw(TEXTS)})
    messages.pop()  # the request ends with the user
    return {"model": "claude-haiku-4-5", "max_tokens": 16, "tools": [TOOL], "messages": messages}


@given(conversations())
def test_a_valid_conversation_is_accepted(body: Body) -> None:
    """Whatever the mixture of texts, calls and results, it is legal, and survives the wire."""
    assert validate(body) is None
    assert parse(json.dumps(body).encode()) == body


@given(conversations())
def test_turns_alternate_and_keep_every_block(body: Body) -> None:
    """Consecutive messages of a role are one turn, and nothing is lost."""
    turns = wire_turns(body["messages"])
    assert all(turn.role != following.role for turn, following in itertools.pairwise(turns))
    sizes = [
        1 if isinstance(message["content"], str) else len(message["content"]) for message in body["messages"]
    ]
    assert sum(len(turn.blocks) for turn in turns) == sum(sizes)


@given(conversations(), TEXTS)
def test_a_longer_request_costs_more(body: Body, more: str) -> None:
    """One more message costs its text and its framing."""
    longer = {**body, "messages": [*body["messages"], {"role": "user", "content": more}]}
    assert count_request(longer) == count_request(body) + 3 + count_text(more)


def placed(body: Body, kind: str) -> list[tuple[list[Block], int]]:
    """Where blocks of a kind stand: the content list and the index in it."""
    contents = [message["content"] for message in body["messages"] if isinstance(message["content"], list)]
    return [
        (content, index)
        for content in contents
        for index, block in enumerate(content)
        if block["type"] == kind
    ]


def pick(body: Body, data: st.DataObject, kind: str) -> tuple[list[Block], int]:
    """One of the blocks of a kind."""
    return data.draw(st.sampled_from(placed(body, kind)))


def drop(body: Body, data: st.DataObject, kind: str) -> None:
    """Take a block away, and its message with it when that leaves nothing."""
    content, index = pick(body, data, kind)
    del content[index]
    body["messages"] = [message for message in body["messages"] if message["content"]]


def repeat(body: Body, data: st.DataObject, kind: str) -> None:
    """Say a block twice."""
    content, index = pick(body, data, kind)
    content.insert(index, copy.deepcopy(content[index]))


def rename(body: Body, data: st.DataObject, kind: str, key: str) -> None:
    """Give a block an id that nothing else has."""
    content, index = pick(body, data, kind)
    content[index][key] = "toolu_other"


def share(body: Body, data: st.DataObject) -> None:
    """Give two calls, and their results, one id."""
    calls = placed(body, "tool_use")
    (first, at), (second, other) = data.draw(st.permutations(calls))[:2]
    old, new = second[other]["id"], first[at]["id"]
    second[other]["id"] = new
    for content, index in placed(body, "tool_result"):
        if content[index]["tool_use_id"] == old:
            content[index]["tool_use_id"] = new


def interrupt(body: Body, data: st.DataObject) -> None:
    """Put text before a result."""
    content, index = pick(body, data, "tool_result")
    content.insert(index, text("Wait."))


def swap(body: Body, data: st.DataObject, role: str) -> None:
    """Give a message the other role or none that exists."""
    data.draw(st.sampled_from(body["messages"]))["role"] = role


def blank(body: Body, data: st.DataObject, value: str) -> None:
    """Leave nothing readable in a text."""
    content, index = pick(body, data, "text")
    content[index]["text"] = value


def empty(body: Body, data: st.DataObject, value: object) -> None:
    """Leave nothing in a message."""
    data.draw(st.sampled_from(body["messages"]))["content"] = value


def without_tools(body: Body, _data: st.DataObject) -> None:
    """Keep the calls but not the tools."""
    del body["tools"]


def start_with_assistant(body: Body, _data: st.DataObject) -> None:
    """Let the assistant open the conversation."""
    body["messages"].insert(0, {"role": "assistant", "content": "Hello."})


def end_with_assistant(body: Body, _data: st.DataObject) -> None:
    """Let the assistant have the last word."""
    body["messages"].append({"role": "assistant", "content": "Well,"})


def retype(body: Body, data: st.DataObject) -> None:
    """Make a block one that does not exist."""
    content, index = pick(body, data, "text")
    content[index]["type"] = "txt"


MUTATIONS: dict[str, Mutation] = {
    "a result is dropped": lambda body, data: drop(body, data, "tool_result"),
    "a call is dropped": lambda body, data: drop(body, data, "tool_use"),
    "a result is said twice": lambda body, data: repeat(body, data, "tool_result"),
    "a call is said twice": lambda body, data: repeat(body, data, "tool_use"),
    "a result has another id": lambda body, data: rename(body, data, "tool_result", "tool_use_id"),
    "a call has another id": lambda body, data: rename(body, data, "tool_use", "id"),
    "two calls share an id": share,
    "text stands before a result": interrupt,
    "a text is empty": lambda body, data: blank(body, data, ""),
    "a text is blank": lambda body, data: blank(body, data, " \n\t"),
    "a message is empty": lambda body, data: empty(body, data, ""),
    "a message has no blocks": lambda body, data: empty(body, data, []),
    "a message is from the system": lambda body, data: swap(body, data, "system"),
    "a message is from nobody": lambda body, data: swap(body, data, "developer"),
    "the tools are missing": without_tools,
    "the assistant opens": start_with_assistant,
    "the assistant ends": end_with_assistant,
    "a block has no known type": retype,
}


@pytest.mark.parametrize("name", MUTATIONS)
@settings(max_examples=40)
@given(body=conversations(rich=True), data=st.data())
def test_one_wrong_step_is_refused(name: str, body: Body, data: st.DataObject) -> None:
    """A valid conversation with one mistake in it is refused with a reason."""
    wrong = copy.deepcopy(body)
    MUTATIONS[name](wrong, data)
    assert wrong != body
    assert validate(wrong)
