"""Three hundred turns with tools over HTTP, through the official SDK, against a server that refuses what the provider refuses."""

from __future__ import annotations

import itertools

import pytest

from acceptance.doors import assert_gapless, assistant, over_http, recorded, run, sentences
from turnstate import Assistant, Budget, Conversation, Reply, tool
from turnstate.core.events import ModelResponded, ToolReturned, TurnClosed
from turnstate.errors import ModelFailed
from turnstate.testing.anthropic import AnthropicServer, Call, MessagesRequest
from turnstate.testing.anthropic import Reply as Answered

WINDOW = 3_000
TARGET = 2_400
TURNS = 300


@tool(effect="read")
async def get_order(order_id: str) -> dict[str, object]:
    """Look up an order.

    Args:
        order_id: the order's number.
    """
    return {"order_id": order_id, "status": "shipped", "eta": "2026-12-05", "items": ["lamp", "desk"]}


@tool(effect="once")
def note(text: str, call_id: str) -> str:
    """Write something down.

    Args:
        text: what to write down.
    """
    return f"noted as {call_id}"


def answer(request: MessagesRequest) -> Answered:
    """A model that looks up two orders at once, takes notes, and talks."""
    if request.results:
        return Answered.of("Your order is shipped, it arrives on 2026-12-05. Anything else that I can do?")
    if request.prompt.endswith("?"):
        calls = [Call("get_order", {"order_id": number}) for number in ("12345", "777")]
        return Answered.of("Let me look.", *calls)
    if request.prompt.endswith("down."):
        return Answered.of(Call("note", {"text": "something"}))
    return Answered.of("Understood. " + "I have noted that down for you. " * 6)


def message(number: int) -> str:
    """What the user says in a turn."""
    if number % 3 == 0:
        return f"Where is order 1234{number}?"
    if number % 7 == 0:
        return f"Please write item {number} down."
    return f"I want to tell you that item {number} is fine, " + "really " * 20


def door(server: AnthropicServer, strategy: str, target: int = TARGET) -> Assistant:
    """The assistant under test."""
    return assistant(
        over_http(server.base_url),
        instructions="Be brief. " * 30,
        tools=[get_order, note],
        budget=Budget(target=target),
        strategy=strategy,
    )


async def say(chat: Conversation, number: int) -> Reply:
    """One turn, streamed every other time; what is streamed is the reply."""
    if number % 2:
        return await chat.send(message(number), key=f"k{number}")
    stream = chat.stream(message(number), key=f"k{number}")
    seen = "".join(await sentences(stream))
    reply = await stream.reply()
    assert seen.strip() == reply.text
    return reply


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["hybrid", "truncate", "summarize"])
def test_no_request_is_refused_and_the_context_stays_bounded(strategy: str) -> None:
    """Token counts rise and drop again and again; the log has every turn, without gaps."""

    async def scenario(server: AnthropicServer) -> None:
        async with door(server, strategy) as shop:
            chat = shop.conversation("c", user="u")
            replies = [await say(chat, number) for number in range(TURNS)]
            assert [reply.turn for reply in replies] == list(range(1, TURNS + 1))
            assert all(0 < reply.context.tokens <= TARGET for reply in replies)
            events = await chat.events()
            assert_gapless(events)
            assert len(await recorded(chat, TurnClosed)) == TURNS
            assert len(await recorded(chat, ModelResponded)) == len(server.requests)
            asked = sum(number % 3 == 0 for number in range(TURNS))
            noted = sum(number % 7 == 0 and number % 3 > 0 for number in range(TURNS))
            assert len(await recorded(chat, ToolReturned)) == 2 * asked + noted

    with AnthropicServer(answer, window=WINDOW) as server:
        run(scenario(server))
        assert server.refusals == []
        tokens = [request.tokens for request in server.requests]
        drops = sum(after < before * 0.8 for before, after in itertools.pairwise(tokens))
        assert drops >= 5
        assert max(tokens) <= WINDOW
        # Cut rarely and deep: most requests add to the one before, so that the prompt cache hits.
        assert drops <= len(tokens) / 6
        assert sum(request.cache_read > 0 for request in server.requests) > len(tokens) / 2


@pytest.mark.slow
def test_append_climbs_until_the_provider_refuses_it_for_its_length() -> None:
    """With a typed error that says why; nothing that was said is lost, and the log stays readable."""

    async def scenario(server: AnthropicServer) -> None:
        async with door(server, "append") as shop:
            chat = shop.conversation("c", user="u")
            replies: list[Reply] = []

            async def talk() -> None:
                for number in range(TURNS):
                    replies.append(await say(chat, number))  # noqa: PERF401 - what came before the error must stay

            with pytest.raises(ModelFailed) as raised:
                await talk()
            assert "prompt is too long" in raised.value.reason
            assert not raised.value.retry
            assert 5 < len(replies) < TURNS
            assert_gapless(await chat.events())
            assert len(await recorded(chat, TurnClosed)) == len(replies)

    with AnthropicServer(answer, window=WINDOW) as server:
        run(scenario(server))
        assert {refusal.status for refusal in server.refusals} == {400}
        assert all("prompt is too long" in refusal.message for refusal in server.refusals)
        firsts = [request.tokens for request in server.requests if not request.results]
        assert firsts == sorted(firsts)


@pytest.mark.slow
def test_a_target_above_the_window_is_learned_from_the_refusals() -> None:
    """The user notices nothing: the first overflow teaches where the wall is."""

    async def scenario(server: AnthropicServer) -> None:
        async with door(server, "hybrid", target=20_000) as shop:
            chat = shop.conversation("c", user="u")
            for number in range(120):
                assert (await say(chat, number)).text

    with AnthropicServer(answer, window=WINDOW) as server:
        run(scenario(server))
        assert 1 <= len(server.refusals) <= 3
        assert all("prompt is too long" in refusal.message for refusal in server.refusals)
