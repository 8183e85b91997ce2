"""Many messages at once: none lost, none doubled, in order of arrival, each seeing the ones before."""

from __future__ import annotations

import asyncio
import threading

import pytest

from acceptance.doors import assistant, run
from turnstate import Budget, Conversation, Reply
from turnstate.core.events import TurnOpened
from turnstate.core.messages import user_text
from turnstate.testing.scripted import Asked, ScriptedModel

MANY = 200


def echo(asked: Asked) -> str:
    """Says how many user messages it has seen, and the newest."""
    mine = [text for text in asked.said if text.startswith("message ")]
    return f"reply {len(mine)} to {mine[-1]}"


def check(replies: list[Reply], said: list[str], model: ScriptedModel) -> None:
    """Pairs in order, and every request with all that came before it."""
    assert [reply.turn for reply in replies] == list(range(1, len(said) + 1))
    assert [reply.text for reply in replies] == [f"reply {n} to {text}" for n, text in enumerate(said, 1)]
    for number, asked in enumerate(model.requests):
        pairs = [part for n, text in enumerate(said[:number], 1) for part in (text, f"reply {n} to {text}")]
        assert list(asked.said) == [*pairs, said[number]]


def test_200_sends_at_once_in_one_loop(store: str) -> None:
    """200 pairs, in arrival order, each seeing the ones before (known failures B70, S5)."""
    model = ScriptedModel(echo)
    said = [f"message {number}" for number in range(MANY)]

    async def scenario() -> list[Reply]:
        async with assistant(model, store=store, budget=Budget(target=1_000_000)) as door:
            chat = door.conversation("c")
            replies = await asyncio.gather(*(chat.send(text) for text in said))
            opened = [e.event for e in await chat.events() if isinstance(e.event, TurnOpened)]
            assert [user_text(event.message) for event in opened] == said
            return list(replies)

    check(run(scenario(), patience=100), said, model)


def test_sends_from_several_threads_with_loops_of_their_own(store: str) -> None:
    """Whatever the order of arrival, the log has one, and every reply saw all earlier turns."""
    model = ScriptedModel(echo)
    replies: list[Reply] = []
    failures: list[BaseException] = []

    def work(chat: Conversation, thread: int) -> None:
        async def send() -> list[Reply]:
            return list(await asyncio.gather(*(chat.send(f"message {thread}.{n}") for n in range(15))))

        try:
            replies.extend(asyncio.run(send()))
        except BaseException as error:  # noqa: BLE001 - told to the test
            failures.append(error)

    async def scenario() -> list[str]:
        async with assistant(model, store=store, budget=Budget(target=1_000_000)) as door:
            chat = door.conversation("c")
            threads = [threading.Thread(target=work, args=(chat, number)) for number in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                await asyncio.to_thread(thread.join)
            opened = [e.event for e in await chat.events() if isinstance(e.event, TurnOpened)]
            return [user_text(event.message) for event in opened]

    said = run(scenario(), patience=100)
    assert failures == []
    check(sorted(replies, key=lambda reply: reply.turn), said, model)


@pytest.mark.parametrize("count", [20])
def test_conversations_do_not_mix(store: str, count: int) -> None:
    """Each conversation sees its own messages and its own dependencies only (known failures S9, B106)."""
    model = ScriptedModel(lambda asked: " | ".join(asked.said))

    async def scenario() -> None:
        async with assistant(model, store=store) as door:
            chats = [door.conversation(f"c{n}", user=f"u{n}") for n in range(count)]
            await asyncio.gather(*(chat.send(f"secret of {chat.id}") for chat in chats for _ in range(3)))
            for chat in chats:
                reply = await chat.send("and now")
                assert {f"c{n}" for n in range(count) if f"secret of c{n} " in f"{reply.text} "} == {chat.id}

    run(scenario(), patience=100)
