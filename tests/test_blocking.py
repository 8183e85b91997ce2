"""The synchronous door: the same names, from any thread, inside a running event loop too."""

from __future__ import annotations

import asyncio
import inspect
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import turnstate
from acceptance.doors import assert_gapless, over_http, run
from turnstate import Facts, Reply, Single, blocking, tool
from turnstate.errors import IdError, KeyConflict, MessageError, ModelFailed, StoreClosed, TurnCancelled
from turnstate.testing.anthropic import AnthropicServer
from turnstate.testing.scripted import Answer, Asked, Call, Script, ScriptedModel


class Customer(Facts):
    """What the shop remembers."""

    email: Single[str]


def door(script: Script, *, store: str = "memory:", **options: Any) -> blocking.Assistant:
    """A synchronous assistant, in memory unless told otherwise."""
    return blocking.Assistant(ScriptedModel(script), store=store, **options)


def public(kind: type[object]) -> dict[str, object]:
    """The public members of a class, those of the protocols it implements left out."""
    return {name: getattr(kind, name) for name in vars(kind) if not name.startswith("_")}


def parameters(function: Any) -> list[tuple[str, object, object]]:
    """Names, kinds and defaults."""
    return [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]


@pytest.mark.parametrize("name", ["Assistant", "Conversation", "Stream"])
def test_the_doors_have_the_same_names_and_parameters(name: str) -> None:
    """Whoever knows one knows the other."""
    here, there = getattr(blocking, name), getattr(turnstate, name)
    instance_attributes = {"id", "user", "deps"} if name == "Conversation" else set[str]()
    assert set(public(here)) - instance_attributes == set(public(there))
    for member, function in public(there).items():
        if callable(function):
            assert parameters(getattr(here, member)) == parameters(function), member
    if name == "Assistant":
        assert parameters(here) == parameters(there)


def test_a_conversation_from_the_first_message_to_the_log(tmp_path: Path) -> None:
    """Send, stream, facts and events; reopened, it goes on."""
    store = f"sqlite:///{tmp_path / 'chat.db'}"
    with door(["One.", "Two. Three."], store=store, facts=Customer) as shop:
        chat = shop.conversation("c", user="u", deps="d")
        assert (chat.id, chat.user, chat.deps) == ("c", "u", "d")
        assert chat.send("My email is ann@example.com.", key="k").text == "One."
        stream = chat.stream("hello")
        assert [sentence.strip() for sentence in stream] == ["Two.", "Three."]
        assert stream.reply().text == "Two. Three."
        assert [fact.value for fact in chat.facts()] == ["ann@example.com"]
        assert chat.facts() == shop.facts("u")
        assert [fact.value for fact in chat.remember(email="a@b.co")] == ["a@b.co"]
        chat.forget("email")
        assert chat.facts() == ()
        events = chat.events()
        assert_gapless(events)
        assert chat.events(after=3) == events[3:]
        assert not chat.cancel()
    with door([], store=store) as shop:
        assert shop.conversation("c", user="u").send("My email is ann@example.com.", key="k").replayed


def test_it_works_from_many_threads() -> None:
    """Each gets its own reply; turns of one conversation still run one at a time."""

    def answer(asked: Asked) -> Answer:
        return f"{asked.said[-1]}!"

    with door(answer, strategy="append") as shop, ThreadPoolExecutor(8) as pool:

        def send(number: int) -> Reply:
            return shop.conversation("c").send(f"m{number}")

        def stream(number: int) -> str:
            return "".join(shop.conversation(f"c{number}").stream("hi"))

        same = list(pool.map(send, range(40)))
        assert sorted(reply.turn for reply in same) == list(range(1, 41))
        assert [reply.text for reply in same] == [f"m{n}!" for n in range(40)]
        assert list(pool.map(stream, range(20))) == ["hi!"] * 20
        assert_gapless(shop.conversation("c").events())


def test_it_works_inside_a_running_event_loop() -> None:
    """In a notebook: its own loop is in a thread of its own."""

    async def cell() -> str:
        with door(["Hi."]) as shop:
            return shop.conversation("c").send("hello").text

    assert run(cell()) == "Hi."


def test_errors_come_through_as_they_are() -> None:
    """Typed, from send, stream and the making of a conversation."""
    with door([ConnectionError("no"), ["One. ", "T", ConnectionError("no")], "Fine."]) as shop:
        chat = shop.conversation("c")
        with pytest.raises(ModelFailed):
            chat.send("hello", key="k")
        with pytest.raises(KeyConflict):
            chat.send("other", key="k")
        stream = chat.stream("hello", key="k")
        assert next(stream).strip() == "One."
        with pytest.raises(ModelFailed):
            next(stream)
        with pytest.raises(MessageError):
            chat.send("")
        with pytest.raises(IdError):
            shop.conversation("")
        assert chat.send("hello", key="k").text == "Fine."


def test_a_stream_that_is_given_up_does_not_stop_the_turn() -> None:
    """Its reply is recorded, and leaving the block waits for it."""
    gate = threading.Event()
    with door([["One. ", "Two. ", gate, "Three."]]) as shop:
        chat = shop.conversation("c")
        for sentence in chat.stream("count", key="k"):
            assert sentence.strip() == "One."
            break
        gate.set()
        assert chat.send("count", key="k").text == "One. Two. Three."


def test_cancelling_from_another_thread() -> None:
    """Whoever waits is told."""
    model = ScriptedModel([[threading.Event()], "Again."])
    with blocking.Assistant(model, store="memory:") as shop, ThreadPoolExecutor(1) as pool:
        chat = shop.conversation("c")
        waiting = pool.submit(chat.send, "hello")
        run(model.asked(1))
        assert chat.cancel()
        with pytest.raises(TurnCancelled):
            waiting.result()
        assert chat.send("go on").text == "Again."


def test_leaving_the_block_waits_for_other_threads() -> None:
    """A thread in the middle of a turn gets its reply."""
    gate = threading.Event()
    model = ScriptedModel([[gate, "Late."]])
    with ThreadPoolExecutor(1) as pool:
        with blocking.Assistant(model, store="memory:") as shop:
            waiting = pool.submit(shop.conversation("c").send, "hello")
            run(model.asked(1))
            threading.Timer(0, gate.set).start()
        assert waiting.result().text == "Late."


def test_outside_the_block_nothing_works() -> None:
    """Before and after; entered again, it works again."""
    shop = door(lambda asked: "Hi.")
    with pytest.raises(StoreClosed):
        shop.conversation("c")
    for _ in range(2):
        with shop:
            chat = shop.conversation("c")
            stream = chat.stream("hello")
            assert chat.send("hello").text == "Hi."
            assert shop.log.url == "memory:"
        _check_closed(shop, chat, stream)


def _check_closed(shop: blocking.Assistant, chat: blocking.Conversation, stream: blocking.Stream) -> None:
    for work in (
        lambda: shop.conversation("c"),
        lambda: shop.facts("u"),
        lambda: shop.log,
        lambda: chat.send("hello"),
        lambda: list(stream),
        stream.reply,
        chat.events,
        chat.cancel,
        chat.facts,
    ):
        with pytest.raises(StoreClosed):
            work()


def test_a_block_that_cannot_be_entered_leaves_no_thread() -> None:
    """The loop is stopped again."""
    before = threading.active_count()
    with pytest.raises(turnstate.TurnstateError), door([], store="nope://x"):
        pass
    assert threading.active_count() == before


def test_an_error_in_the_block_comes_out_and_everything_is_closed() -> None:
    """No thread is left either."""
    before = threading.active_count()
    with pytest.raises(ZeroDivisionError), door(["Hi."]):
        raise ZeroDivisionError
    assert threading.active_count() == before


def test_connections_of_a_real_client_are_closed() -> None:
    """Over HTTP, twice with one model."""
    with AnthropicServer() as server:
        model = over_http(server.base_url)
        for _ in range(2):
            with blocking.Assistant(model, store="memory:") as shop:
                assert "".join(shop.conversation("c").stream("hello")) == "hello"


def test_a_sync_tool_may_use_the_door_of_another_conversation() -> None:
    """It runs in a thread of its own, so it may wait."""
    shops: list[blocking.Assistant] = []

    @tool(effect="read")
    def consult(question: str, call_id: str) -> str:
        """Consult a colleague."""
        return shops[0].conversation("colleague").send(question).text

    def answer(asked: Asked) -> Answer:
        if asked.results:
            return next(iter(asked.results.values()))
        return Call("consult", {"question": "q"}) if asked.prompt == "hello" else f"I say {asked.prompt}."

    with door(answer, tools=[consult]) as shop:
        shops.append(shop)
        assert shop.conversation("c").send("hello").text == "I say q."


def test_an_async_tool_that_uses_the_synchronous_door_is_told_so() -> None:
    """It would wait for itself; that is a failed call, not a hang."""
    shops: list[blocking.Assistant] = []

    async def consult() -> str:
        """Consult a colleague."""
        await asyncio.sleep(0)
        return shops[0].conversation("colleague").send("q").text

    def answer(asked: Asked) -> Answer:
        return next(iter(asked.results.values())) if asked.results else Call("consult", {})

    with door(answer, tools=[consult]) as shop:
        shops.append(shop)
        assert "failed" in shop.conversation("c").send("hello").text


def test_a_tool_that_wants_to_leave_the_program_is_a_failed_call() -> None:
    """`sys.exit` in a tool ends neither the loop nor the caller's wait."""

    def leave() -> None:
        """Leave."""
        sys.exit(3)

    def answer(asked: Asked) -> Answer:
        return next(iter(asked.results.values())) if asked.results else Call("leave", {})

    with door(answer, tools=[leave]) as shop:
        assert "SystemExit" in shop.conversation("c").send("hello").text
