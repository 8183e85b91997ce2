"""The layout on the wire: consecutive requests, as the official SDK sends them, repeat each other byte for byte."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, cast

import pytest
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

from turnstate import Assistant, Budget, Facts, Single
from turnstate.testing.anthropic import AnthropicServer, Call, JsonObject, MessagesRequest, Reply

pytestmark = pytest.mark.anyio

WORDS = "please tell me all that you know about it, for I have been waiting since Monday. "
TURNS = 40


class Customer(Facts):
    """What is known about the user."""

    order_id: Single[str]
    email: Single[str]


def get_order(number: str) -> str:
    """Look an order up."""
    return f"order {number} left the warehouse. {WORDS}"


def _answer(request: MessagesRequest) -> Reply:
    """Every third question has a look at the order first."""
    if request.results or sum(message["role"] == "user" for message in request.messages) % 3:
        return Reply.of(f"It is on its way. {WORDS}")
    return Reply.of(Call("get_order", {"number": "12345"}))


def _said(turn: int) -> str:
    if turn % 7 == 5:
        return f"My order id is {60_000 + turn}, by the way. {WORDS}"
    if turn % 11 == 8:
        return "What did I say my order id was at the very beginning?"
    return f"Question {turn}: where is it? {WORDS}"


def _blocks(body: JsonObject) -> list[str]:
    """Tools, system and the content blocks of the messages as canonical JSON, without cache marks."""
    blocks = [("tools", body.get("tools")), ("system", body.get("system"))]
    for message in body["messages"]:
        content = message["content"]
        blocks += [(message["role"], block) for block in ([content] if isinstance(content, str) else content)]
    return [json.dumps(_unmarked(block), sort_keys=True, ensure_ascii=False) for block in blocks]


def _unmarked(value: Any) -> Any:
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value).items()
        return {key: _unmarked(item) for key, item in items if key != "cache_control"}
    return (
        [_unmarked(item) for item in cast("list[Any]", value)] if isinstance(value, list | tuple) else value
    )


def _before_newest(body: JsonObject) -> int:
    """How many blocks stand before the newest exchange: before the last message in which the user speaks."""
    newest = max(i for i, message in enumerate(body["messages"]) if _speaks(message))
    return len(_blocks({**body, "messages": body["messages"][:newest]}))


def _speaks(message: JsonObject) -> bool:
    content = message["content"]
    return message["role"] == "user" and (
        isinstance(content, str) or any(block["type"] == "text" for block in content)
    )


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    return next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


@pytest.mark.parametrize("strategy", ["append", "truncate", "summarize", "hybrid"])
async def test_only_a_cut_changes_what_stands_before_the_newest_exchange(strategy: str) -> None:
    """With facts that change, tools and recall: whatever changed stands in the newest message and moves nothing else."""
    requests: list[tuple[JsonObject, bool]] = []
    with AnthropicServer(_answer) as server:
        provider = AnthropicProvider(base_url=server.base_url, api_key="test")
        async with (
            AnthropicModel("claude-haiku-4-5", provider=provider) as model,
            Assistant(
                model,
                instructions="Answer kindly.",
                tools=[get_order],
                facts=Customer,
                store="memory:",
                strategy=strategy,
                budget=Budget(target=3_000),
            ) as assistant,
        ):
            chat = assistant.conversation("c", user="u")
            for turn in range(TURNS):
                seen = len(server.requests)
                reply = await chat.send(_said(turn))
                cut = bool(reply.context.managed)
                requests += [(request.body, cut) for request in server.requests[seen:]]
    assert len(requests) > TURNS
    following = [(before, after) for (before, _), (after, cut) in pairwise(requests) if not cut]
    assert len(following) > TURNS // 2
    for before, after in following:
        assert _common(_blocks(before), _blocks(after)) >= _before_newest(before)
    # A change in the head would have been seen: the facts changed, and were told.
    assert any("60005" in block for body, _ in requests for block in _blocks(body)[2:])
