"""A conversation moves between providers at any turn, over real HTTP: nothing is refused, and nothing foreign is sent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

from acceptance.doors import recorded, run
from generators.histories import messages_of
from generators.wild import wild
from turnstate import Assistant, Budget
from turnstate.core.events import ModelResponded, Recorded, TurnClosed, TurnFailed, TurnOpened
from turnstate.core.messages import ToolCallPart
from turnstate.ports import Log, Opening
from turnstate.stores.memory import MemoryLog
from turnstate.testing.anthropic import AnthropicServer, Call, MessagesRequest, Reply, Think
from turnstate.testing.anthropic.script import blocks_of
from turnstate.testing.openai import OpenAIRequest, OpenAIServer

THOUGHT = "I ought to look the order up first."
PLACES: tuple[str, ...] = ("claude", "other claude", "chat", "responses", "other responses")


def _reply(request: MessagesRequest | OpenAIRequest, signature: str = "") -> Reply:
    """Think and call twice, side by side; then think again and speak."""
    if request.results:
        said = " and ".join(request.results.values())
        return Reply.of(Think("That is what the shop says.", signature), f"The shop says: {said}.")
    orders = [Call("get_order", {"order_id": order}) for order in ("12345", "777")]
    return Reply.of(Think(THOUGHT, signature), "Let me look.", *orders)


def _claude(request: MessagesRequest) -> Reply:
    return _reply(request, f"signed by {request.model}")


def get_order(order_id: str) -> str:
    """What the shop knows about an order."""
    return f"order {order_id} has shipped"


@dataclass(frozen=True, slots=True)
class Providers:
    """The two local providers, with the models that they serve."""

    anthropic: AnthropicServer
    openai: OpenAIServer

    def model(self, place: str) -> Model[Any]:
        """A model by its place, with a client of its own."""
        claude = AnthropicProvider(base_url=self.anthropic.base_url, api_key="test")
        openai = OpenAIProvider(base_url=self.openai.base_url, api_key="test")
        claude.client.max_retries = openai.client.max_retries = 0
        match place:
            case "claude":
                return AnthropicModel("claude-haiku-5-5", provider=claude)
            case "other claude":
                return AnthropicModel("claude-sonnet-5-5", provider=claude)
            case "chat":
                return OpenAIChatModel("gpt-4o", provider=openai)
            case "responses":
                return OpenAIResponsesModel("gpt-5", provider=openai)
            case _:
                return OpenAIResponsesModel("gpt-5-mini", provider=openai)

    def refusals(self) -> list[str]:
        """What either of them refused."""
        return [refusal.message for refusal in (*self.anthropic.refusals, *self.openai.refusals)]


@pytest.fixture
def providers() -> Iterator[Providers]:
    """Both, running."""
    with AnthropicServer(_claude) as anthropic, OpenAIServer(_reply) as openai:
        yield Providers(anthropic, openai)


async def _tour(providers: Providers, store: str, places: list[str], **options: Any) -> list[ModelResponded]:
    """One turn at each place, all in one conversation; what the models answered."""
    answered: list[ModelResponded] = []
    for number, place in enumerate(places):
        model = providers.model(place)
        async with Assistant(
            model, tools=[get_order], store=store, instructions="Be kind.", **options
        ) as shop:
            chat = shop.conversation("c")
            if number % 2:
                reply = await chat.send(f"Turn {number}: where are my orders?", key=f"k{number}")
            else:
                stream = chat.stream(f"Turn {number}: where are my orders?", key=f"k{number}")
                _ = [sentence async for sentence in stream]
                reply = await stream.reply()
            assert "order 12345 has shipped and order 777 has shipped" in reply.text
            answered = await recorded(chat, ModelResponded)
    return answered


def _foreign(providers: Providers) -> list[str]:
    """Thinking that went where it cannot be read, or went as words."""
    found: list[str] = []
    for request in providers.anthropic.requests:
        for message in request.messages:
            found += [
                f"{request.model} was sent {block['signature']}"
                for block in blocks_of(message["content"])
                if block["type"] == "thinking" and block["signature"] != f"signed by {request.model}"
            ]
    return [*found, *_foreign_words(providers)]


def _foreign_words(providers: Providers) -> list[str]:
    """Thinking that went as words."""
    sent = [
        json.dumps(request.body) for request in (*providers.anthropic.requests, *providers.openai.requests)
    ]
    return [
        f"thinking went as words: {body}" for body in sent if re.search("<think|assistant_thinking", body)
    ]


@pytest.mark.parametrize("seed", range(8))
def test_a_conversation_moves_between_providers_at_any_turn(
    providers: Providers, tmp_path: Path, seed: int
) -> None:
    """Claude, chat completions, responses, and back, in any order: parallel calls and thinking, no refusal."""
    places = Random(seed).choices(PLACES, k=7)
    store = f"sqlite:///{tmp_path}/chat.db"
    answered = run(_tour(providers, store, places), patience=120.0)
    assert providers.refusals() == []
    assert _foreign(providers) == []
    assert len(answered) == 2 * len(places)
    assert len(providers.anthropic.requests) + len(providers.openai.requests) == len(answered)


@pytest.mark.parametrize("place", PLACES)
def test_own_thinking_goes_back_with_its_calls(providers: Providers, tmp_path: Path, place: str) -> None:
    """Who thought it gets it back, in the turn and in the next one; chat completions never show any."""
    run(_tour(providers, f"sqlite:///{tmp_path}/chat.db", [place, place]), patience=60.0)
    assert providers.refusals() == []
    last = [*providers.anthropic.requests, *providers.openai.requests][-1]
    assert json.dumps(last.body).count(THOUGHT) == (0 if place == "chat" else 2)


def test_a_conversation_moves_while_it_is_summarised(providers: Providers, tmp_path: Path) -> None:
    """A budget that cuts every few turns changes nothing about that."""
    places = [PLACES[number % len(PLACES)] for number in range(15)]
    store = f"sqlite:///{tmp_path}/chat.db"
    answered = run(_tour(providers, store, places, budget=Budget(target=900)), patience=240.0)
    assert providers.refusals() == []
    assert _foreign(providers) == []
    assert any(event.request.managed for event in answered)


def test_the_trace_says_what_was_left_out(providers: Providers, tmp_path: Path) -> None:
    """A sentence for each kind of repair stands with the request that needed it."""
    answered = run(_tour(providers, f"sqlite:///{tmp_path}/chat.db", ["claude", "chat"]), patience=60.0)
    assert answered[0].request.notes == answered[1].request.notes == ()
    assert answered[2].request.notes == ("Thinking that this model cannot read was left out.",)


def test_ids_stay_the_same_wherever_the_conversation_is(providers: Providers, tmp_path: Path) -> None:
    """Each provider sees the calls of the others under the same ids, request after request."""
    answered = run(
        _tour(providers, f"sqlite:///{tmp_path}/chat.db", ["responses", "claude", "chat", "claude"]),
        patience=60.0,
    )
    made = [
        part.tool_call_id
        for event in answered
        for part in event.response.parts
        if isinstance(part, ToolCallPart)
    ]
    assert len(set(made)) == len(made) == 8
    for request in (*providers.anthropic.requests, *providers.openai.requests):
        sent = json.dumps(request.body)
        shown = [call_id for call_id in made if call_id in sent]
        assert shown == made[: len(shown)]


async def _written(log: Log, events: list[Recorded]) -> None:
    """The turns of a conversation in a log; what was left open has failed, as after a crash."""
    turns = groupby((found for found in events if found.turn), key=lambda found: found.turn)
    for number, found in turns:
        opened, *later = [recorded.event for recorded in found]
        assert isinstance(opened, TurnOpened)
        await log.open(Opening("c", None, f"k{number}", opened.digest, opened.message, number))
        if not any(isinstance(event, TurnClosed | TurnFailed) for event in later):
            later.append(TurnFailed("interrupted", "the process died", retry=False))
        await log.append("c", number, later, number)


async def _taken_up(providers: Providers, events: list[Recorded], place: str) -> ModelResponded:
    """The answer to one more message in a conversation that was recorded elsewhere."""
    log = MemoryLog()
    await _written(log, events)
    async with Assistant(providers.model(place), tools=[get_order], store=log) as shop:
        chat = shop.conversation("c")
        assert (await chat.send("And where are my orders now?", key="now")).text
        return (await recorded(chat, ModelResponded))[-1]


@pytest.mark.parametrize("place", ["claude", "chat", "other responses"])
def test_a_poisoned_history_heals_on_load(providers: Providers, place: str) -> None:
    """Orphans, blanks, interrupted calls, odd ids: the next message is answered, and the trace says what was healed."""
    taken_up = healed = 0
    for seed in range(60):
        events = wild(Random(seed), most=4)
        # Files behind addresses would be fetched, and calls on a provider's side are not simulated here.
        if re.search("Url|UploadedFile|NativeTool", str(messages_of(events))):
            continue
        answered = run(_taken_up(providers, events, place), patience=60.0)
        assert providers.refusals() == []
        taken_up += 1
        healed += bool(answered.request.notes)
    assert taken_up > 20
    assert healed > taken_up / 2
    assert _foreign_words(providers) == []
