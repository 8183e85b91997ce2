"""Turns of several workers on one store: order, take-over, and what a message does that comes while a turn runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from acceptance.doors import always, assert_gapless, assistant, recorded, run
from turnstate import Assistant, tool
from turnstate.core.events import TurnClosed, TurnFailed, TurnOpened
from turnstate.errors import ConversationBusy, ModelFailed, SettingError, TurnInterrupted
from turnstate.ports import Claim, Log
from turnstate.stores import MemoryLog, SqliteLog
from turnstate.testing.scripted import Answer, Asked, Call, Script, ScriptedModel
from turnstate.turn.incoming import opening

GONE = Claim("a process that is gone", 1)
"""A worker that has been silent for longer than it counts as alive."""


class Stores:
    """A store as several processes see it: each opens it for itself."""

    def __init__(self, kind: str, folder: Path) -> None:
        self._memory = MemoryLog() if kind == "memory" else None
        self._path = folder / "chat.db"

    def open(self) -> Log:
        """The store for one process."""
        return self._memory or SqliteLog(self._path, "default")


@pytest.fixture(params=["memory", "sqlite"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Stores:
    """An empty store."""
    return Stores(request.param, tmp_path)


@asynccontextmanager
async def doors(
    stores: Stores, *scripts: Script | ScriptedModel, **options: Any
) -> AsyncGenerator[list[Assistant]]:
    """One assistant for each script, each with the store opened for itself."""
    async with AsyncExitStack() as stack:
        found: list[Assistant] = []
        for script in scripts:
            log = stores.open()
            if isinstance(log, SqliteLog):
                stack.push_async_callback(log.close)
            found.append(await stack.enter_async_context(assistant(script, store=log, **options)))
        yield found


def echo(asked: Asked) -> Answer:
    """Say what was said last."""
    return f"You said {asked.said[-1]}."


async def waiting(door: Assistant, count: int) -> None:
    """Wait until this many turns are open."""
    chat = door.conversation("c")
    for _ in range(10_000):
        if len(await recorded(chat, TurnOpened)) >= count:
            return
        await asyncio.sleep(0.002)


# Queue ---------------------------------------------------------------------------------------------------------------


def test_two_workers_tell_one_conversation_in_order(stores: Stores) -> None:
    """Each turn sees the ones before it, whoever told them."""

    async def scenario() -> None:
        async with doors(stores, echo, echo) as both:
            chats = [door.conversation("c") for door in both]
            sent = [chats[number % 2].send(f"m{number}") for number in range(20)]
            replies = await asyncio.gather(*sent)
            assert sorted(reply.turn for reply in replies) == list(range(1, 21))
            events = await chats[0].events()
            assert_gapless(events)
            closed = [found.turn for found in events if isinstance(found.event, TurnClosed)]
            assert closed == list(range(1, 21))

    run(scenario())


def test_a_message_waits_for_the_turn_of_another_worker(stores: Stores) -> None:
    """And then sees its reply."""

    async def scenario() -> None:
        gate = asyncio.Event()
        second = ScriptedModel(echo)
        async with doors(stores, [[gate, "First."]], second) as (one, two):
            first = asyncio.create_task(one.conversation("c").send("hello"))
            await waiting(one, 1)
            later = asyncio.create_task(two.conversation("c").send("and?"))
            await waiting(one, 2)
            await asyncio.sleep(0.05)
            assert not second.requests
            gate.set()
            assert (await first).text == "First."
            assert (await later).turn == 2
            assert "First." in second.requests[0].said

    run(scenario())


def test_one_key_in_two_workers_is_one_turn(stores: Stores) -> None:
    """The second waits for the first one's reply, and asks no model."""

    async def scenario() -> None:
        gate = asyncio.Event()
        async with doors(stores, [[gate, "Once."]], always("Twice.")) as (one, two):
            first = asyncio.create_task(one.conversation("c").send("hello", key="k"))
            await waiting(one, 1)
            again = asyncio.create_task(two.conversation("c").send("hello", key="k"))
            await asyncio.sleep(0.05)
            gate.set()
            assert (await first).text == (await again).text == "Once."
            assert len(await recorded(one.conversation("c"), TurnOpened)) == 1

    run(scenario())


# Take-over -----------------------------------------------------------------------------------------------------------


def test_a_turn_of_a_silent_worker_is_told_before_the_next(stores: Stores) -> None:
    """Its message is answered, and whoever sends it again gets that reply."""

    async def scenario() -> None:
        log = stores.open()
        await log.open(replace(opening("c", None, "k", "hello", 1), claim=GONE))
        await asyncio.sleep(0.01)
        async with doors(stores, echo) as (door,):
            chat = door.conversation("c")
            assert (await chat.send("and?")).text == "You said and?."
            again = await chat.send("hello", key="k")
            assert (again.text, again.turn, again.replayed) == ("You said hello.", 1, True)
        if isinstance(log, SqliteLog):
            await log.close()

    run(scenario())


def test_a_turn_that_ends_its_workers_is_left(stores: Stores) -> None:
    """After some attempts it is marked as interrupted, and the conversation goes on."""

    async def scenario() -> None:
        log = stores.open()
        await log.open(replace(opening("c", None, "k", "hello", 1), claim=GONE))
        for _ in range(7):
            await asyncio.sleep(0.01)
            assert (await log.claim("c", 1, GONE)).token
        await asyncio.sleep(0.01)
        async with doors(stores, echo) as (door,):
            chat = door.conversation("c")
            assert (await chat.send("and?")).turn == 2
            assert [event.reason for event in await recorded(chat, TurnFailed)] == ["interrupted"]
            with pytest.raises(TurnInterrupted):
                await chat.send("hello", key="k")
        if isinstance(log, SqliteLog):
            await log.close()

    run(scenario())


def test_a_worker_that_was_silent_too_long_gives_the_other_ones_reply(stores: Stores) -> None:
    """What it wanted to record is refused, and its sender hears what is on record."""

    async def scenario() -> None:
        gate = asyncio.Event()
        async with doors(stores, [[gate, "Late."]], always("Taken over."), lease=0.05) as (one, two):
            first = asyncio.create_task(one.conversation("c").send("hello", key="k"))
            await waiting(one, 1)
            await silence(one)
            await asyncio.sleep(0.1)
            taken = await two.conversation("c").send("hello", key="k")
            gate.set()
            assert (await first).text == taken.text == "Taken over."
            assert len(await recorded(two.conversation("c"), TurnClosed)) == 1

    run(scenario())


async def silence(door: Assistant) -> None:
    """Give up what the assistant has, as if its heartbeats had not come through."""
    desk: Any = door._at_desk()  # pyright: ignore[reportPrivateUsage]  # a fault from inside
    await desk._worker.leases.give_up("c", 1)


def test_a_heartbeat_keeps_a_turn(stores: Stores) -> None:
    """However long a model thinks."""

    async def scenario() -> None:
        gate = asyncio.Event()
        async with doors(stores, [[gate, "Thought."]], echo, lease=0.2) as (one, two):
            first = asyncio.create_task(one.conversation("c").send("hello"))
            await waiting(one, 1)
            later = asyncio.create_task(two.conversation("c").send("and?"))
            await asyncio.sleep(0.7)
            gate.set()
            assert (await first).text == "Thought."
            assert (await later).turn == 2

    run(scenario())


# Merge, debounce -----------------------------------------------------------------------------------------------------


def test_messages_that_wait_are_answered_together(stores: Stores) -> None:
    """One reply for all of them, and the same for each of their keys afterwards."""

    async def scenario() -> None:
        gate = asyncio.Event()
        models = [ScriptedModel([[gate, "First."], "Both."]), ScriptedModel(["Both."])]
        async with doors(stores, *models, on_busy="merge") as (one, two):
            chat = one.conversation("c")
            first = asyncio.create_task(chat.send("hello"))
            await waiting(one, 1)
            second = asyncio.create_task(chat.send("my order", key="a"))
            await waiting(one, 2)
            third = asyncio.create_task(two.conversation("c").send("is 12345", key="b"))
            await waiting(one, 3)
            gate.set()
            assert (await first).text == "First."
            assert {(reply.text, reply.turn) for reply in (await second, await third)} == {("Both.", 3)}
            asked = (models[0].requests + models[1].requests)[-1]
            assert asked.said[-1].index("my order") < asked.said[-1].index("is 12345")
            for key, text in [("a", "my order"), ("b", "is 12345")]:
                assert (await chat.send(text, key=key)).text == "Both."

    run(scenario())


def test_a_debounced_message_waits_for_the_next(stores: Stores) -> None:
    """What is said in one breath is answered once; one alone is answered alone."""

    async def scenario() -> None:
        model = ScriptedModel(echo)
        async with doors(stores, model, debounce=0.15) as (door,):
            chat = door.conversation("c")
            replies = await asyncio.gather(chat.send("one"), chat.send("two"), chat.send("three"))
            assert len({reply.text for reply in replies}) == len(model.requests) == 1
            assert {reply.turn for reply in replies} == {3}
            assert (await chat.send("four")).turn == 4

    run(scenario())


def test_when_the_turn_that_answers_fails_all_hear_of_it(stores: Stores) -> None:
    """And each of them may be sent again."""

    async def scenario() -> None:
        model = ScriptedModel([ConnectionError("no luck"), "Both."])
        async with doors(stores, model, debounce=0.1) as (door,):
            chat = door.conversation("c")
            sent = [chat.send("one", key="a"), chat.send("two", key="b")]
            found = await asyncio.gather(*sent, return_exceptions=True)
            assert all(isinstance(error, ModelFailed) for error in found), found
            assert (await chat.send("one", key="a")).text == "Both."
            assert (await chat.send("two", key="b")).text == "Both."
            assert len(model.requests) == 2

    run(scenario())


# Interrupt, reject ---------------------------------------------------------------------------------------------------


def test_a_message_interrupts_the_running_turn(stores: Stores) -> None:
    """Here and in another process; the message stays in the log and the next turn sees it."""

    async def scenario() -> None:
        never = asyncio.Event()
        two_model = ScriptedModel([[never, "Never."], "Third."])
        async with doors(stores, [[never, "Never."]], two_model, on_busy="interrupt") as (one, two):
            first = asyncio.create_task(one.conversation("c").send("hello"))
            await waiting(one, 1)
            second = asyncio.create_task(two.conversation("c").send("wait"))
            await waiting(one, 2)
            await two_model.asked(1)
            assert (await two.conversation("c").send("stop")).text == "Third."
            never.set()
            outcomes = await asyncio.gather(first, second, return_exceptions=True)
            assert [type(outcome) for outcome in outcomes] == [TurnInterrupted, TurnInterrupted]
            assert [event.reason for event in await recorded(one.conversation("c"), TurnFailed)] == [
                "interrupted"
            ] * 2
            said = two_model.requests[-1].said
            assert sum("hello" in words for words in said) == 1

    run(scenario())


def test_a_message_is_rejected_while_a_turn_runs(stores: Stores) -> None:
    """Nothing of it is recorded; the key of the running turn still finds it."""

    async def scenario() -> None:
        gate = asyncio.Event()
        async with doors(stores, [[gate, "First."], "Next."], echo, on_busy="reject") as (one, two):
            first = asyncio.create_task(one.conversation("c").send("hello", key="k"))
            await waiting(one, 1)
            for door in (one, two):
                with pytest.raises(ConversationBusy) as busy:
                    await door.conversation("c").send("and?")
                assert (busy.value.conversation, busy.value.turn) == ("c", 1)
            again = asyncio.create_task(two.conversation("c").send("hello", key="k"))
            await asyncio.sleep(0.02)
            gate.set()
            assert (await first).text == (await again).text == "First."
            assert (await one.conversation("c").send("and?")).turn == 2

    run(scenario())


@pytest.mark.parametrize(
    "wrong",
    [
        {"on_busy": "wait"},
        {"debounce": -1},
        {"debounce": True},
        {"lease": 0},
        {"lease": 1e9},
        {"lease": "15"},
    ],
    ids=str,
)
def test_a_policy_that_cannot_work_is_refused(wrong: dict[str, Any]) -> None:
    """While building, with the setting's name."""
    with pytest.raises(SettingError, match=next(iter(wrong))):
        assistant(["unused"], **wrong)


# Approvals -----------------------------------------------------------------------------------------------------------


def refunds(done: list[str]) -> Any:
    """A tool that a person has to approve."""

    @tool(effect="once", approval=True)
    def refund(order: str, call_id: str) -> str:
        """Refund an order."""
        done.append(call_id)
        return f"refunded {order}"

    return refund


def asks(asked: Asked) -> Answer:
    """Call the tool, and say what came of it."""
    return (
        list(asked.results.values()) if asked.results else ["Let me see.", Call("refund", {"order": "12345"})]
    )


def test_an_approved_call_runs_once_in_whatever_process(stores: Stores) -> None:
    """The turn pauses, survives its process, and goes on with the same reply for its key."""

    async def scenario() -> None:
        done: list[str] = []
        async with doors(stores, asks, tools=[refunds(done)]) as (door,):
            paused = await door.conversation("c").send("refund 12345", key="k")
            assert (paused.text, done) == ("Let me see.", [])
            (approval,) = paused.approvals
            assert (approval.tool, approval.arguments, approval.turn) == ("refund", {"order": "12345"}, 1)
            again = await door.conversation("c").send("refund 12345", key="k")
            assert (again.approvals, again.replayed) == (paused.approvals, True)
        async with doors(stores, asks, tools=[refunds(done)]) as (door,):
            chat = door.conversation("c")
            assert await chat.approvals() == (approval,)
            reply = await chat.approve(approval.call_id, by="ann")
            assert reply.text == "Let me see.\n\nrefunded 12345"
            assert done == [approval.call_id]
            for found in (await chat.approve(approval.call_id), await chat.send("refund 12345", key="k")):
                assert (found.text, found.turn) == (reply.text, 1)
            assert (done, await chat.approvals()) == ([approval.call_id], ())

    run(scenario())


def test_a_denied_call_does_not_run_and_the_model_hears_why(stores: Stores) -> None:
    """An approval cannot follow."""

    async def scenario() -> None:
        done: list[str] = []
        async with doors(stores, asks, tools=[refunds(done)]) as (door,):
            chat = door.conversation("c")
            (approval,) = (await chat.send("refund 12345")).approvals
            reply = await chat.deny(approval.call_id, "It is too late.", by="ann")
            assert "too late" in reply.text
            with pytest.raises(Exception, match="was denied before"):
                await chat.approve(approval.call_id)
            with pytest.raises(Exception, match="is not there"):
                await chat.approve("call_unknown")
            assert done == []

    run(scenario())


def test_a_conversation_goes_on_while_an_approval_is_open(stores: Stores) -> None:
    """Other turns close meanwhile, see that the call waits, and see its result when it has run."""

    async def scenario() -> None:
        done: list[str] = []
        model = ScriptedModel(
            lambda asked: (
                asks(asked)
                if asked.results or "refund" in asked.prompt
                else f"Turn with {len(asked.messages)}."
            )
        )
        async with doors(stores, model, tools=[refunds(done)]) as (door,):
            chat = door.conversation("c")
            (approval,) = (await chat.send("refund 12345")).approvals
            for number in range(2, 6):
                assert (await chat.send("and the weather?")).turn == number
            assert any("waits for a person" in said for said in model.requests[-1].said)
            assert "refunded" in (await chat.approve(approval.call_id)).text
            await chat.send("and the weather?")
            assert any("refunded 12345" in said for said in model.requests[-1].said)

    run(scenario())


def test_two_approvals_of_one_response_are_answered_one_by_one(stores: Stores) -> None:
    """What is approved runs at once; the turn goes on when both are answered."""

    async def scenario() -> None:
        done: list[str] = []
        calls = [Call("refund", {"order": "1"}), Call("refund", {"order": "2"})]
        model = ScriptedModel([calls, "Both are settled."])
        async with doors(stores, model, tools=[refunds(done)]) as (door,):
            chat = door.conversation("c")
            first, second = (await chat.send("refund both")).approvals
            paused = await chat.approve(second.call_id)
            assert (paused.approvals, done) == ((first,), [second.call_id])
            assert (await chat.deny(first.call_id)).text == "Both are settled."
            assert done == [second.call_id]
            assert len(model.requests) == 2

    run(scenario())
