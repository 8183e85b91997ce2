"""Where messages arrive: keys, order, cancelling, and the end of the assistant."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from pydantic_ai.messages import ModelRequest

from acceptance.doors import assert_gapless, assistant, recorded, run, sentences
from turnstate import Assistant, Conversation, Reply, tool
from turnstate.core.events import ModelResponded, ToolReturned, TurnClosed, TurnFailed, TurnOpened
from turnstate.core.messages import user_text
from turnstate.errors import (
    KeyConflict,
    MessageError,
    ModelFailed,
    SettingError,
    StoreClosed,
    TurnCancelled,
    TurnInterrupted,
    TurnUnknown,
    UserConflict,
)
from turnstate.testing.scripted import Answer, Asked, Call, ScriptedModel

FAULT = ConnectionError("no luck")


def echo(asked: Asked) -> Answer:
    """Say what was said last."""
    return f"You said {asked.said[-1]}."


# Keys ----------------------------------------------------------------------------------------------------------------


def test_one_key_and_message_sent_at_once_is_one_turn(store: str) -> None:
    """Every sender gets the one reply, for one model call."""

    async def scenario() -> None:
        gate = asyncio.Event()
        model = ScriptedModel([[gate, "One reply."]])
        async with assistant(model, store=store) as door:
            chat = door.conversation("c", user="u")
            sent = [asyncio.create_task(chat.send("hello", key="k")) for _ in range(10)]
            streams = [chat.stream("hello", key="k") for _ in range(3)]
            read = [asyncio.create_task(sentences(stream)) for stream in streams]
            await model.asked(1)
            gate.set()
            replies = await asyncio.gather(*sent)
            assert {(reply.text, reply.turn) for reply in replies} == {("One reply.", 1)}
            assert ["".join(found) for found in await asyncio.gather(*read)] == ["One reply."] * 3
            assert len(model.requests) == 1
            assert len(await recorded(chat, TurnOpened)) == 1

    run(scenario())


def test_a_stream_that_joins_a_stream_gets_its_sentences_as_they_come() -> None:
    """The second reader does not wait for the end."""

    async def scenario() -> None:
        gate = asyncio.Event()
        model = ScriptedModel([["One. ", "Two. ", gate, "Three."]])
        async with assistant(model) as door:
            chat = door.conversation("c")
            first, second = chat.stream("hello", key="k"), chat.stream("hello", key="k")
            began = [(await anext(stream)).strip() for stream in (first, second)]
            gate.set()
            rest = [sentence.strip() for sentence in await sentences(second)]
            assert (began, rest) == (["One.", "One."], ["Two.", "Three."])
            assert await first.reply() == await second.reply()

    run(scenario())


def test_a_closed_turn_is_replayed_without_a_model_call(database: str) -> None:
    """By send and by stream, in the same process and in one that starts later."""

    async def first() -> None:
        async with assistant(["Let me see. It is blue."], store=database) as door:
            chat = door.conversation("c", user="u")
            told = await chat.send("which colour?", key="k")
            assert not told.replayed
            await check(chat, told)

    async def check(chat: Conversation, told: Reply | None) -> None:
        again = await chat.send("which colour?", key="k")
        assert again.replayed
        assert (again.text, again.turn) == ("Let me see. It is blue.", 1)
        stream = chat.stream("which colour?", key="k")
        assert await sentences(stream) == ["Let me see. ", "It is blue."]
        assert (await stream.reply()).replayed
        if told is not None:
            assert (again.context, again.usage) == (told.context, told.usage)
        assert len(await recorded(chat, TurnOpened)) == 1

    async def later() -> None:
        model = ScriptedModel([])
        async with assistant(model, store=database) as door:
            await check(door.conversation("c", user="u"), None)
            assert model.requests == []

    run(first())
    run(later())


def test_a_turn_that_was_cut_out_of_view_is_still_replayed() -> None:
    """The log keeps what the context forgot."""

    async def scenario() -> None:
        model = ScriptedModel(echo)
        async with assistant(model, strategy="truncate", max_rounds=3) as door:
            chat = door.conversation("c")
            first = await chat.send("first " + "word " * 900, key="k")
            for number in range(20):
                await chat.send(f"{number} " + "word " * 900)
            assert first.text.split()[2] not in " ".join(model.requests[-1].said)
            asked = len(model.requests)
            again = await chat.send("first " + "word " * 900, key="k")
            assert (again.text, again.replayed, len(model.requests)) == (first.text, True, asked)

    run(scenario())


def test_a_key_with_another_message_is_a_conflict(store: str) -> None:
    """Nothing of the other message is recorded, and the conversation goes on."""

    async def scenario() -> None:
        async with assistant(["One.", "Two."], store=store) as door:
            chat = door.conversation("c")
            await chat.send("hello", key="k")
            before = await chat.events()
            for message in ("Hello", "hello ", ["hello"]):
                with pytest.raises(KeyConflict) as raised:
                    await chat.send(message, key="k")
                assert (raised.value.key, raised.value.turn) == ("k", 1)
                with pytest.raises(KeyConflict):
                    await sentences(chat.stream(message, key="k"))
            assert await chat.events() == before
            assert (await chat.send("bye", key="k2")).text == "Two."

    run(scenario())


def test_a_key_belongs_to_its_conversation(store: str) -> None:
    """The same key elsewhere is another message."""

    async def scenario() -> list[str]:
        async with assistant(echo, store=store) as door:
            chats = [door.conversation(name) for name in ("a", "b", "a ", "A")]
            return [(await chat.send(f"hi from {chat.id!r}", key="k")).text for chat in chats]

    assert run(scenario()) == [f"You said hi from {name!r}." for name in ("a", "b", "a ", "A")]


def test_without_a_key_every_message_is_a_turn_of_its_own() -> None:
    """Saying the same twice is saying it twice."""

    async def scenario() -> list[int]:
        async with assistant(["One.", "Two."]) as door:
            chat = door.conversation("c")
            return [(await chat.send("hello")).turn for _ in range(2)]

    assert run(scenario()) == [1, 2]


def test_a_failed_turn_succeeds_when_it_is_sent_again(store: str) -> None:
    """In the same turn: the model sees the user's message once."""

    async def scenario() -> None:
        model = ScriptedModel([FAULT, FAULT, "Hello."])
        async with assistant(model, store=store) as door:
            chat = door.conversation("c")
            for _ in range(2):
                with pytest.raises(ModelFailed):
                    await chat.send("hello", key="k")
            reply = await chat.send("hello", key="k")
            assert (reply.text, reply.turn, reply.replayed) == ("Hello.", 1, False)
            assert model.requests[-1].said == ("hello",)
            events = await chat.events()
            assert_gapless(events)
            assert {found.turn for found in events} == {0, 1}
            assert len(await recorded(chat, TurnFailed)) == 2

    run(scenario())


def test_a_failed_turn_cannot_go_on_after_a_later_turn_closed(store: str) -> None:
    """The conversation has moved on; the error says to use a new key, and the message is still in the context."""

    async def scenario() -> None:
        model = ScriptedModel([FAULT, "Second.", "Third."])
        async with assistant(model, store=store) as door:
            chat = door.conversation("c")
            with pytest.raises(ModelFailed):
                await chat.send("first", key="k1")
            await chat.send("second", key="k2")
            for _ in range(2):
                with pytest.raises(TurnInterrupted) as raised:
                    await chat.send("first", key="k1")
                assert raised.value.turn == 1
            with pytest.raises(TurnInterrupted):
                await sentences(chat.stream("first", key="k1"))
            assert (await chat.send("first", key="k3")).text == "Third."
            assert " ".join(model.requests[1].said).split() == ["first", "second"]

    run(scenario())


def test_a_failed_turn_that_is_sent_again_never_runs_beside_a_later_one() -> None:
    """Turns of a conversation run one at a time, whatever their keys."""

    async def scenario() -> None:
        gate = asyncio.Event()
        running = most = 0

        async def answer(asked: Asked) -> Answer:
            nonlocal running, most
            if len(model.requests) == 1:
                return FAULT
            running += 1
            most = max(most, running)
            if asked.said[-1] == "second":
                await gate.wait()
            await asyncio.sleep(0)
            running -= 1
            return "Fine."

        model = ScriptedModel(answer)
        async with assistant(model) as door:
            chat = door.conversation("c")
            with pytest.raises(ModelFailed):
                await chat.send("first", key="k1")
            second = asyncio.create_task(chat.send("second", key="k2"))
            await model.asked(2)
            first = asyncio.create_task(chat.send("first", key="k1"))
            third = asyncio.create_task(chat.send("third", key="k3"))
            for _ in range(50):
                await asyncio.sleep(0)
            gate.set()
            outcomes = await asyncio.gather(first, second, third, return_exceptions=True)
            assert isinstance(outcomes[0], TurnInterrupted | Reply)
            assert [outcome.text for outcome in outcomes[1:] if isinstance(outcome, Reply)] == ["Fine."] * 2
            assert most == 1

    run(scenario())


# Order ---------------------------------------------------------------------------------------------------------------


def test_turns_run_in_order_of_arrival_and_see_the_ones_before(store: str) -> None:
    """Ten messages at once are ten exchanges one after the other."""

    async def scenario() -> None:
        model = ScriptedModel(echo)
        async with assistant(model, store=store, strategy="append") as door:
            chat = door.conversation("c")
            replies = await asyncio.gather(*(chat.send(f"m{number}") for number in range(10)))
            assert [reply.turn for reply in replies] == list(range(1, 11))
            assert [reply.text for reply in replies] == [f"You said m{number}." for number in range(10)]
            for number, asked in enumerate(model.requests):
                said = [text for n in range(number) for text in (f"m{n}", f"You said m{n}.")]
                assert list(asked.said) == [*said, f"m{number}"]

    run(scenario())


def test_a_failed_turn_does_not_hold_up_the_queue() -> None:
    """The next one runs, and sees the message that was not answered."""

    async def scenario() -> None:
        gate = asyncio.Event()
        model = ScriptedModel([[gate, FAULT], "Two."])
        async with assistant(model) as door:
            chat = door.conversation("c")
            first, second = asyncio.create_task(chat.send("one")), asyncio.create_task(chat.send("two"))
            await model.asked(1)
            gate.set()
            with pytest.raises(ModelFailed):
                await first
            assert (await second).text == "Two."
            assert "".join(model.requests[1].said).split() == ["one", "two"]

    run(scenario())


def test_conversations_do_not_wait_for_each_other() -> None:
    """One that hangs leaves the others alone."""

    async def scenario() -> str:
        gate = asyncio.Event()

        def answer(asked: Asked) -> Answer:
            return [gate, "Late."] if asked.said[-1] == "hang" else "Soon."

        async with assistant(answer) as door:
            hanging = asyncio.create_task(door.conversation("a").send("hang"))
            told = (await door.conversation("b").send("go")).text
            gate.set()
            return told + (await hanging).text

    assert run(scenario()) == "Soon.Late."


def test_a_conversation_belongs_to_its_user(store: str) -> None:
    """Another user, or none, is refused, and nothing is recorded."""

    async def scenario() -> None:
        async with assistant(["One."], store=store) as door:
            await door.conversation("c", user="u").send("hello")
            before = await door.conversation("c", user="u").events()
            for user in ("v", None, "U"):
                with pytest.raises(UserConflict):
                    await door.conversation("c", user=user).send("hello")
            assert await door.conversation("c", user="u").events() == before

    run(scenario())


# Cancelling ----------------------------------------------------------------------------------------------------------


def test_a_cancelled_turn_keeps_its_message_and_is_taken_up_again(store: str) -> None:
    """Whoever waits is told; the same key goes on in the same turn."""

    async def scenario() -> None:
        never = asyncio.Event()
        model = ScriptedModel([[never, "No."], "Yes."])
        async with assistant(model, store=store) as door:
            chat = door.conversation("c")
            waiting = asyncio.create_task(chat.send("hello", key="k"))
            await model.asked(1)
            assert await chat.cancel()
            with pytest.raises(TurnCancelled) as raised:
                await waiting
            assert (raised.value.turn, raised.value.retry) == (1, True)
            (failed,) = await recorded(chat, TurnFailed)
            assert (failed.reason, failed.retry) == ("cancelled", True)
            reply = await chat.send("hello", key="k")
            assert (reply.text, reply.turn) == ("Yes.", 1)
            assert model.requests[-1].said == ("hello",)
            assert_gapless(await chat.events())

    run(scenario())


def test_cancelling_nothing_says_so() -> None:
    """Before the first turn, after the last, and twice."""

    async def scenario() -> None:
        never = asyncio.Event()
        model = ScriptedModel(["One.", [never]])
        async with assistant(model) as door:
            chat = door.conversation("c")
            assert not await chat.cancel()
            await chat.send("hello")
            assert not await chat.cancel()
            waiting = asyncio.create_task(chat.send("again"))
            await model.asked(2)
            assert [await chat.cancel(), await chat.cancel()] == [True, False]
            await asyncio.gather(waiting, return_exceptions=True)

    run(scenario())


def test_what_was_streamed_before_the_cancellation_is_recorded() -> None:
    """The user has seen it, so the log says it."""

    async def scenario() -> None:
        never = asyncio.Event()
        async with assistant([["One. ", "Two. ", "Thr", never]]) as door:
            chat = door.conversation("c")
            stream = chat.stream("count")
            seen = [await anext(stream)]
            await chat.cancel()
            with pytest.raises(TurnCancelled):
                seen.extend([sentence async for sentence in stream])
            (failed,) = await recorded(chat, TurnFailed)
            assert failed.released.startswith("One.")

    run(scenario())


def test_the_next_in_the_queue_runs_when_the_first_is_cancelled() -> None:
    """Only the turn in flight is stopped."""

    async def scenario() -> str:
        never = asyncio.Event()
        model = ScriptedModel([[never], "Two."])
        async with assistant(model) as door:
            chat = door.conversation("c")
            first, second = asyncio.create_task(chat.send("one")), asyncio.create_task(chat.send("two"))
            await model.asked(1)
            assert await chat.cancel()
            with pytest.raises(TurnCancelled):
                await first
            return (await second).text

    assert run(scenario()) == "Two."


def test_everyone_who_waits_for_a_cancelled_turn_is_told() -> None:
    """Senders of the same key, and readers of its stream."""

    async def scenario() -> None:
        never = asyncio.Event()
        model = ScriptedModel([[never]])
        async with assistant(model) as door:
            chat = door.conversation("c")
            waiting = [asyncio.create_task(chat.send("one", key="k")) for _ in range(3)]
            waiting.append(asyncio.create_task(chat.stream("one", key="k").reply()))
            await model.asked(1)
            await chat.cancel()
            for outcome in await asyncio.gather(*waiting, return_exceptions=True):
                assert isinstance(outcome, TurnCancelled)

    run(scenario())


def test_a_caller_that_is_cancelled_does_not_cancel_the_turn(store: str) -> None:
    """Its reply is recorded, and the same key gets it."""

    async def scenario() -> None:
        gate = asyncio.Event()
        model = ScriptedModel([[gate, "Recorded."]])
        async with assistant(model, store=store) as door:
            chat = door.conversation("c")
            waiting = asyncio.create_task(chat.send("hello", key="k"))
            await model.asked(1)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            assert waiting.cancelled()
            gate.set()
            assert (await chat.send("hello", key="k")).text == "Recorded."
            assert len(model.requests) == 1
            assert len(await recorded(chat, TurnClosed)) == 1

    run(scenario())


@pytest.mark.parametrize(("effect", "times"), [("once", 1), ("read", 2), ("idempotent", 2)])
def test_a_tool_that_was_cancelled_runs_again_only_if_that_does_no_harm(effect: Any, times: int) -> None:
    """With the same call id; a `once` call is never repeated, and the model is told that nobody knows."""
    ids: list[str] = []
    started, never = asyncio.Event(), asyncio.Event()

    @tool(effect=effect)
    async def pay(call_id: str) -> str:
        """Pay."""
        ids.append(call_id)
        started.set()
        if len(ids) == 1:
            await never.wait()
        return "paid"

    async def scenario() -> None:
        model = ScriptedModel([["I will pay. ", Call("pay", {})], "Done."])
        async with assistant(model, tools=[pay]) as door:
            chat = door.conversation("c")
            waiting = asyncio.create_task(chat.send("pay", key="k"))
            await started.wait()
            await chat.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            assert (await chat.send("pay", key="k")).text == "I will pay.\n\nDone."
            assert len(model.requests) == 2
            (returned,) = await recorded(chat, ToolReturned)
            unknown = effect == "once"
            assert returned.result.outcome == ("interrupted" if unknown else "success")
            assert ("is unknown" in str(returned.result.content)) is unknown

    run(scenario())
    assert len(ids) == times
    assert len(set(ids)) == 1


def test_a_turn_may_be_cancelled_from_another_thread() -> None:
    """The turn runs in one event loop and is stopped from another."""
    model = ScriptedModel([[threading.Event()], "Again."])
    outcome: list[object] = []

    def send(door: Assistant) -> None:
        try:
            run(door.conversation("c").send("hello"))
        except TurnCancelled as error:
            outcome.append(error.turn)

    async def scenario() -> None:
        async with assistant(model) as door:
            thread = threading.Thread(target=send, args=(door,))
            thread.start()
            await model.asked(1)
            assert await door.conversation("c").cancel()
            await asyncio.to_thread(thread.join)
            assert (await door.conversation("c").send("go on")).text == "Again."

    run(scenario())
    assert outcome == [1]


# The end -------------------------------------------------------------------------------------------------------------


def test_leaving_the_block_waits_for_the_turns_in_flight(database: str) -> None:
    """Their replies are in the log, also where nobody waits for them any more."""

    async def scenario() -> None:
        gate = asyncio.Event()
        model = ScriptedModel([[gate, "One."], "Two."])
        async with assistant(model, store=database) as door:
            chat = door.conversation("c")
            waiting = [asyncio.create_task(chat.send(text)) for text in ("one", "two")]
            await model.asked(1)
            waiting[1].cancel()
            asyncio.get_running_loop().call_later(0, gate.set)
        assert (await waiting[0]).text == "One."
        async with assistant([], store=database) as door:
            closed = await recorded(door.conversation("c"), TurnClosed)
            assert len(closed) == 2

    run(scenario())


def test_leaving_the_block_waits_for_the_turns_of_other_loops() -> None:
    """A thread that is still in a turn gets its reply."""
    gate = threading.Event()
    model = ScriptedModel([[gate, "Late."]])
    outcome: list[str] = []

    async def scenario() -> None:
        async with assistant(model) as door:
            chat = door.conversation("c")
            thread = threading.Thread(target=lambda: outcome.append(run(chat.send("hello")).text))
            thread.start()
            await model.asked(1)
            asyncio.get_running_loop().call_later(0, gate.set)
        await asyncio.to_thread(thread.join)

    run(scenario())
    assert outcome == ["Late."]


def test_a_loop_that_ends_in_the_middle_of_a_turn_leaves_the_conversation_usable() -> None:
    """As after a crash: the turn stays open, the next one ends it first, and nobody waits for the loop."""

    def stuck_once() -> ScriptedModel:
        asked_before: list[str] = []

        def answer(asked: Asked) -> Answer:
            first = asked.said[-1].endswith("hang") and not asked_before
            asked_before.append(asked.said[-1])
            return [threading.Event()] if first else "Fine."

        return ScriptedModel(answer)

    async def begin(door: Assistant, *, steps: int) -> None:
        sending = asyncio.create_task(door.conversation("c").send("hang"))
        for _ in range(steps):
            await asyncio.sleep(0)
        assert not sending.done()

    async def scenario(steps: int) -> None:
        async with assistant(stuck_once()) as door:
            # asyncio.run cancels whatever is left, at whatever point it is.
            await asyncio.to_thread(asyncio.run, begin(door, steps=steps))
            assert (await door.conversation("c").send("hello")).text == "Fine."
            failed = await recorded(door.conversation("c"), TurnFailed)
            assert failed == []

    for steps in (1, 2, 3, 30):
        run(scenario(steps))


def test_what_is_posted_is_known_to_the_next_reply(store: str) -> None:
    """Before the first message, which no provider takes as the assistant's own, and between turns; no model is asked."""

    async def scenario() -> None:
        model = ScriptedModel(echo)
        async with assistant(model, store=store) as door:
            chat = door.conversation("c", user="u")
            assert (await chat.post("Welcome!"), await chat.post("How can I <greeting>help?")) == (0, 0)
            await chat.send("hello")
            assert await chat.post("Your order has arrived.") == 1
            with pytest.raises(MessageError):
                await chat.post("  ")
            with pytest.raises(UserConflict):
                await door.conversation("c", user="other").post("hi")
        async with assistant(model, store=store) as door:
            chat = door.conversation("c", user="u")
            if store != "memory:":
                await chat.send("and now?")
        for asked in model.requests:
            first = user_text(asked.messages[0])
            assert isinstance(asked.messages[0], ModelRequest)
            assert "Welcome!" in first
            assert "&lt;greeting>help?" in first
        assert "Your order has arrived." in " ".join(model.requests[-1].said) or store == "memory:"

    run(scenario())


def test_what_is_posted_waits_for_the_running_turn(store: str) -> None:
    """And stands behind its reply."""

    async def scenario() -> None:
        gate = asyncio.Event()
        model = ScriptedModel([[gate, "One."], "Two."])
        async with assistant(model, store=store) as door:
            chat = door.conversation("c")
            sending = asyncio.create_task(chat.send("a"))
            await model.asked(1)
            posting = asyncio.create_task(chat.post("By the way."))
            await asyncio.sleep(0.02)
            gate.set()
            assert ((await sending).text, await posting) == ("One.", 1)
            await chat.send("b")
            said = " ".join(model.requests[-1].said)
            assert said.index("One.") < said.index("By the way.") < said.index("b")

    run(scenario())


def test_a_reply_is_rated_and_rated_again(store: str) -> None:
    """Each person's newest word about each turn counts; the conversation goes on as if nothing had been said."""

    async def scenario() -> None:
        async with assistant(["One.", "Two.", "Three."], store=store) as door:
            chat = door.conversation("c")
            for text in ("a", "b"):
                await chat.send(text)
            await chat.rate(2, 1, by="ann")
            await chat.rate(1, 0.5)
            await chat.rate(2, -3, by="ann", comment="It was wrong.")
            await chat.rate(2, 5, by="bob")
            found = [(one.turn, one.score, one.by, one.comment) for one in await chat.ratings()]
            assert found == [(1, 0.5, "", ""), (2, -3.0, "ann", "It was wrong."), (2, 5.0, "bob", "")]
            assert (await chat.send("c")).turn == 3
            for turn in (0, 4):
                with pytest.raises(TurnUnknown):
                    await chat.rate(turn, 1)
            for score in (float("nan"), float("inf"), True, "5"):
                with pytest.raises(SettingError, match="score"):
                    await chat.rate(1, score)  # type: ignore[arg-type]

    run(scenario())


def test_outside_the_block_nothing_works() -> None:
    """Before and after; the error says where to use the assistant."""

    async def scenario() -> None:
        door = assistant(["Hi.", "Hi."])
        chat = door.conversation("c", user="u")

        async def check() -> None:
            works: list[Any] = [
                chat.send("x"),
                sentences(chat.stream("x")),
                chat.stream("x").reply(),
                chat.cancel(),
                chat.events(),
                chat.facts(),
                chat.remember(),
                chat.forget(),
                door.facts("u"),
            ]
            for work in works:
                with pytest.raises(StoreClosed, match="async with"):
                    await work
            with pytest.raises(StoreClosed):
                _ = door.log

        await check()
        async with door:
            assert (await chat.send("x")).text == "Hi."
        await check()
        async with door:
            assert (await chat.send("x")).turn == 1

    run(scenario())


def test_many_idle_conversations_are_forgotten_and_found_again() -> None:
    """More conversations than stay folded in memory: the first one goes on from the log."""

    async def scenario() -> tuple[str, ...]:
        model = ScriptedModel(lambda asked: "Ok.")
        async with assistant(model) as door:
            await door.conversation("first").send("remember me")
            for number in range(4_200):
                await door.conversation(f"other {number}").cancel()
            await door.conversation("first").send("do you?")
        return model.requests[-1].said

    assert run(scenario()) == ("remember me", "Ok.", "do you?")


def test_responses_are_recorded_once() -> None:
    """One ModelResponded and one TurnClosed for a plain exchange, in one place after the other."""

    async def scenario() -> None:
        async with assistant(["Hi."]) as door:
            chat = door.conversation("c")
            await chat.send("hello")
            assert [type(found.event) for found in (await chat.events())[1:]] == [
                TurnOpened,
                ModelResponded,
                TurnClosed,
            ]

    run(scenario())
