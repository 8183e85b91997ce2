"""A long support session through the official Anthropic SDK against a server that refuses what the real API refuses."""

from __future__ import annotations

from itertools import pairwise

import pytest

from acceptance.doors import answers_results, assert_gapless, over_http, run
from turnstate import Assistant, Budget, Conversation, Reply, tool
from turnstate.apps.support.agent import instructions
from turnstate.errors import ModelFailed
from turnstate.testing.anthropic import AnthropicServer, Call, MessagesRequest, Say
from turnstate.testing.anthropic import Reply as Answer

TURNS = 300
WINDOW = 3_600


@tool(effect="read")
def get_order(order_id: str) -> dict[str, object]:
    """Look up an order by its number."""
    return {"order_id": order_id, "status": "shipped", "eta": "2026-12-05", "items": ["lamp", "desk"]}


def answer(request: MessagesRequest) -> Answer:
    """Two lookups for a question, a sentence for their results, and some words for anything else."""
    if answers_results(request):
        return Answer.of(Say("Both are shipped and arrive on 2026-12-05. Anything else?"))
    if request.prompt.endswith("?"):
        return Answer.of(
            Say("Let me look."),
            Call("get_order", {"order_id": "12345"}),
            Call("get_order", {"order_id": "777"}),
        )
    return Answer.of(Say("Understood. " + "I have noted that down for you. " * 4))


async def _turn(chat: Conversation, number: int) -> Reply:
    text = f"Where is order 1234{number}?" if number % 3 == 0 else f"Item {number} is fine, " + "really " * 20
    if number % 2:
        return await chat.send(text)
    stream = chat.stream(text)
    said = [sentence async for sentence in stream]
    reply = await stream.reply()
    assert "".join(said).strip() == reply.text
    return reply


async def _session(chat: Conversation) -> list[int]:
    return [(await _turn(chat, number)).context.tokens for number in range(TURNS)]


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["hybrid", "truncate", "summarize"])
def test_no_request_of_a_long_session_is_refused(strategy: str) -> None:
    """300 turns with tools at a small window: every request is accepted, and sizes rise and drop again and again."""
    with AnthropicServer(reply=answer, window=WINDOW) as server:

        async def scenario() -> list[int]:
            async with Assistant(
                over_http(server.base_url),
                instructions=instructions(),
                tools=[get_order],
                budget=Budget(target=3_000),
                strategy=strategy,
                store="memory:",
            ) as shop:
                chat = shop.conversation("c")
                sizes = await _session(chat)
                events = await chat.events()
                assert_gapless(events)
                return sizes

        sizes = run(scenario(), patience=240)
        assert server.refusals == []
        assert len(server.requests) >= TURNS
        drops = sum(1 for before, after in pairwise(sizes) if after < before * 0.9)
        assert drops >= 5
        assert max(sizes[-50:]) <= 3_000


def test_unmanaged_the_same_session_is_refused_for_its_length() -> None:
    """`append` climbs until the provider says no: a typed error, and the message is on record."""
    with AnthropicServer(reply=answer, window=WINDOW) as server:

        async def scenario() -> None:
            async with Assistant(
                over_http(server.base_url),
                instructions=instructions(),
                tools=[get_order],
                budget=Budget(target=3_000),
                strategy="append",
                store="memory:",
            ) as shop:
                chat = shop.conversation("c")
                with pytest.raises(ModelFailed, match="too long") as caught:
                    await _session(chat)
                assert not caught.value.retry
                assert "in the log" in caught.value.durable

        run(scenario(), patience=120)
        assert any("too long" in refusal.message for refusal in server.refusals)
