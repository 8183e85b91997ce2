"""The story of a turn: it goes on from whatever is recorded, and ends in a reply or in one typed error."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import pytest
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import BinaryContent, ModelResponse, TextPart, ToolCallPart

from acceptance.doors import (
    always,
    assert_gapless,
    assistant,
    kinds,
    over_http,
    recorded,
    run,
    sentences,
)
from generators.histories import PNG
from turnstate import Budget, Choice, Reply, Room, tool
from turnstate.core.events import (
    Count,
    Cut,
    Event,
    ModelResponded,
    Recorded,
    RequestTrace,
    ToolCalled,
    ToolReturned,
    TurnClosed,
    TurnFailed,
    TurnOpened,
)
from turnstate.core.history import Snapshot
from turnstate.core.messages import tool_return
from turnstate.errors import (
    ContextTooLarge,
    ModelFailed,
    StoreUnavailable,
    TooManyRounds,
    TurnBroken,
)
from turnstate.stores import MemoryLog, open_log
from turnstate.testing.anthropic import AnthropicServer
from turnstate.testing.scripted import Answer, Asked, Call, ScriptedModel
from turnstate.turn.incoming import opening

TRACE = RequestTrace(1, Count(10, 20, 10), 8_000, Cut())
TOO_LONG = ModelHTTPError(
    400, "m", {"error": {"message": "prompt is too long: 5000 tokens > 3000 maximum", "type": "invalid"}}
)


def responded(*parts: TextPart | ToolCallPart) -> ModelResponded:
    """A response that was durable when the process died."""
    return ModelResponded("scripted:scripted", ModelResponse(parts=list(parts)), TRACE)


def called(number: int, effect: Any = "once") -> ToolCalled:
    """A call that was durable when the process died."""
    return ToolCalled(f"our-id-{number}", f"c{number}", "pay", effect)


def returned(number: int) -> ToolReturned:
    """A result that was durable when the process died."""
    return ToolReturned(f"our-id-{number}", tool_return("pay", f"paid {number}", f"c{number}", 5))


def ask(number: int) -> ToolCallPart:
    """A call of a response."""
    return ToolCallPart("pay", {"amount": number}, tool_call_id=f"c{number}")


async def died(database: str, *events: Event) -> None:
    """A log as a process leaves it that died behind `events` of its first turn."""
    log = open_log(database)
    await log.open(opening("c", "u", "k", "pay please", 1))
    for event in events:
        await log.append("c", 1, [event], 2)
    await log.close()


class Resumed:
    """What came of a turn that was taken up again."""

    def __init__(self) -> None:
        self.paid: list[tuple[int, str]] = []
        self.requests: list[Asked] = []
        self.events: Sequence[Recorded] = ()
        self.reply: Reply | None = None
        self.seen: list[str] = []


def resumed(
    database: str,
    *events: Event,
    script: list[Answer],
    effect: Any = "once",
    streaming: bool = False,
    message: str = "pay please",
    key: str = "k",
) -> Resumed:
    """Die behind `events`, then send the message in a process that starts later."""
    outcome = Resumed()

    @tool(effect=effect)
    def pay(amount: int, call_id: str) -> str:
        """Pay."""
        outcome.paid.append((amount, call_id))
        return f"paid {amount}"

    async def scenario() -> None:
        await died(database, *events)
        model = ScriptedModel(script)
        async with assistant(model, tools=[pay], store=database) as door:
            chat = door.conversation("c", user="u")
            stream = chat.stream(message, key=key)
            outcome.seen = await sentences(stream) if streaming else []
            outcome.reply = await (stream.reply() if streaming else chat.send(message, key=key))
            outcome.events = await chat.events()
        outcome.requests = model.requests

    run(scenario())
    assert_gapless(outcome.events)
    return outcome


def text_of(outcome: Resumed) -> str:
    """The reply's text."""
    assert outcome.reply is not None
    return outcome.reply.text


# Going on from what is recorded --------------------------------------------------------------------------------------


def test_a_turn_that_had_only_been_opened_is_told_from_the_start(database: str) -> None:
    """The user's message is there once."""
    outcome = resumed(database, script=["Hello."])
    assert text_of(outcome) == "Hello."
    assert outcome.requests[0].said == ("pay please",)
    assert kinds(outcome.events) == ["ConversationOpened", "TurnOpened", "ModelResponded", "TurnClosed"]


@pytest.mark.parametrize("streaming", [False, True])
def test_a_durable_reply_is_not_asked_for_again(database: str, streaming: bool) -> None:
    """The process died between the response and the close."""
    outcome = resumed(database, responded(TextPart("It is done.")), script=[], streaming=streaming)
    assert text_of(outcome) == "It is done."
    assert outcome.requests == []
    assert "".join(outcome.seen) == ("It is done." if streaming else "")


def test_a_call_that_was_not_durable_has_not_run(database: str) -> None:
    """Even a `once` tool is called: the process died before it was recorded."""
    outcome = resumed(database, responded(ask(1)), script=["Done."])
    assert [amount for amount, _ in outcome.paid] == [1]
    assert text_of(outcome) == "Done."


def test_a_once_call_without_a_result_is_never_repeated(database: str) -> None:
    """The model is told that the outcome is unknown, with the id to look it up by."""
    outcome = resumed(database, responded(ask(1)), called(1), script=["I must check."])
    assert outcome.paid == []
    assert "is unknown" in outcome.requests[0].results["c1"]
    assert "our-id-1" in outcome.requests[0].results["c1"]
    assert text_of(outcome) == "I must check."


@pytest.mark.parametrize("effect", ["read", "idempotent"])
def test_other_calls_run_again_with_their_recorded_id(database: str, effect: Any) -> None:
    """The service that does the work sees the same idempotency key."""
    outcome = resumed(database, responded(ask(1)), called(1, effect), script=["Done."], effect=effect)
    assert outcome.paid == [(1, "our-id-1")]


def test_a_durable_result_is_used(database: str) -> None:
    """The tool does not run, and the model gets the recorded words."""
    outcome = resumed(database, responded(ask(1)), called(1), returned(1), script=["Done."])
    assert outcome.paid == []
    assert outcome.requests[0].results == {"c1": "paid 1"}


def test_every_call_of_a_response_goes_on_from_where_it_stood(database: str) -> None:
    """One has its result, one is unknown, one was not yet recorded."""
    outcome = resumed(
        database,
        responded(ask(1), ask(2), ask(3)),
        called(1),
        called(2),
        returned(1),
        script=["Done."],
    )
    assert [amount for amount, _ in outcome.paid] == [3]
    results = outcome.requests[0].results
    assert (results["c1"], results["c3"]) == ("paid 1", "paid 3")
    assert "is unknown" in results["c2"]


def test_a_resumed_stream_is_the_whole_reply(database: str) -> None:
    """Joined, the sentences are the reply's text, also where some of it was written before the crash."""
    outcome = resumed(
        database,
        responded(TextPart("Let me see. One moment."), ask(1)),
        called(1),
        returned(1),
        script=["It is paid. Bye."],
        streaming=True,
    )
    assert "".join(outcome.seen).strip() == text_of(outcome) == "Let me see. One moment.\n\nIt is paid. Bye."


@pytest.mark.parametrize(
    "events",
    [
        [],
        [responded(TextPart("Half"), ask(1))],
        [responded(ask(1)), called(1)],
        [responded(ask(1), ask(2)), called(1), called(2), returned(2)],
    ],
    ids=["opened", "asked", "called", "half returned"],
)
def test_another_message_first_ends_what_was_cut_off(database: str, events: list[Event]) -> None:
    """Nothing that may have happened happens again, and the new message sees the reply that is now on record."""
    outcome = resumed(database, *events, script=["Paid.", "Hello again."], message="hello?", key="k2")
    assert text_of(outcome) == "Hello again."
    calls = [part for event in events if isinstance(event, ModelResponded) for part in event.response.parts]
    begun = {event.tool_call_id for event in events if isinstance(event, ToolCalled)}
    assert len(outcome.paid) == sum(
        isinstance(p, ToolCallPart) and p.tool_call_id not in begun for p in calls
    )
    closed = [found.turn for found in outcome.events if isinstance(found.event, TurnClosed)]
    assert closed == [1, 2]
    said = " ".join(outcome.requests[-1].said)
    assert said.startswith("pay please")
    assert said.endswith("Paid. hello?")


def test_a_cut_off_turn_is_sent_over_the_strict_wire(database: str) -> None:
    """The provider accepts the healed history, with the unanswered call in it."""

    @tool(effect="once")
    def pay(amount: int) -> str:
        """Pay."""
        return "paid"

    async def scenario(base_url: str) -> Reply:
        await died(
            database, responded(TextPart("Let me."), ask(1), ask(2)), called(1), called(2), returned(1)
        )
        async with assistant(over_http(base_url), tools=[pay], store=database) as door:
            return await door.conversation("c", user="u").send("and now?")

    with AnthropicServer() as server:
        assert "and now?" in run(scenario(server.base_url)).text
        assert server.refusals == []


# A log that fails ----------------------------------------------------------------------------------------------------


class Failing(MemoryLog):
    """A log whose append fails when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.failing: type[Event] | None = None

    async def append(
        self,
        conversation: str,
        turn: int,
        events: Sequence[Event],
        at: int,
        *,
        snapshot: Snapshot | None = None,
        token: int = 0,
    ) -> tuple[Recorded, ...]:
        """Append, or fail once."""
        if self.failing is not None and any(isinstance(event, self.failing) for event in events):
            self.failing = None
            raise StoreUnavailable("memory:", "disk I/O error")
        return await super().append(conversation, turn, events, at, snapshot=snapshot, token=token)


@pytest.mark.parametrize(
    ("failing", "asked", "paid"),
    [(ModelResponded, 3, 1), (ToolCalled, 2, 1), (ToolReturned, 2, 1)],
)
def test_a_log_that_fails_in_the_middle_loses_nothing_that_was_durable(
    failing: type[Event], asked: int, paid: int
) -> None:
    """The sender is told that the log failed; the same key goes on from what is recorded."""
    log = Failing()
    runs: list[int] = []

    def pay(amount: int) -> str:
        """Pay."""
        runs.append(amount)
        return "paid"

    async def scenario() -> None:
        def answer(request: Asked) -> Answer:
            return "Done." if request.results else Call("pay", {"amount": 1})

        model = ScriptedModel(answer)
        async with assistant(model, tools=[pay], store=log) as door:
            chat = door.conversation("c")
            log.failing = failing
            with pytest.raises(StoreUnavailable):
                await chat.send("pay", key="k")
            assert (await chat.send("pay", key="k")).text == "Done."
            assert (len(model.requests), len(runs)) == (asked, paid)
            assert model.requests[-1].said[0] == "pay"
            assert len(await recorded(chat, TurnOpened)) == 1
            assert_gapless(await chat.events())

    run(scenario())


def test_the_users_own_log_is_not_closed() -> None:
    """It is still open behind the block, for whoever made it."""
    log = MemoryLog()

    async def scenario() -> None:
        for number in (1, 2):
            async with assistant(["Hi."], store=log) as door:
                assert door.log is log
                assert (await door.conversation("c").send("hello")).turn == number
        assert len(await log.read("c")) > 0

    run(scenario())


# Rounds and budgets --------------------------------------------------------------------------------------------------


def work() -> str:
    """Work."""
    return "worked"


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_a_model_that_never_stops_calling_tools_is_stopped(rounds: int) -> None:
    """After `max_rounds` requests; what was done is recorded, and the next message is answered."""

    async def scenario() -> None:
        model = ScriptedModel(lambda asked: "Fine." if asked.said[-1] == "stop" else Call("work", {}))
        async with assistant(model, tools=[work], max_rounds=rounds) as door:
            chat = door.conversation("c")
            for _ in range(2):
                with pytest.raises(TooManyRounds) as raised:
                    await chat.send("go", key="k")
                assert (raised.value.rounds, raised.value.retry) == (rounds, False)
            assert len(model.requests) == rounds
            assert len(await recorded(chat, ToolReturned)) == rounds
            (failed, _) = await recorded(chat, TurnFailed)
            assert failed.reason == "rounds"
            assert (await chat.send("stop")).text == "Fine."

    run(scenario())


def test_texts_of_all_rounds_are_the_reply_and_usage_adds_up() -> None:
    """What was said before a tool is part of what the user was told."""

    async def scenario() -> Reply:
        script: list[Answer] = [["First. ", Call("work", {})], [Call("work", {})], " \nLast. "]
        async with assistant(script, tools=[work]) as door:
            return await door.conversation("c").send("go")

    reply = run(scenario())
    assert reply.text == "First.\n\nLast."
    assert reply.usage.requests == 3
    assert reply.usage.input_tokens > 0


def test_a_message_that_cannot_fit_is_refused_before_the_model_is_asked() -> None:
    """With the sizes of what does not give way; a shorter one is answered."""

    async def scenario() -> None:
        model = ScriptedModel(["Short."])
        async with assistant(model, budget=Budget(target=120), instructions="Be kind. " * 20) as door:
            chat = door.conversation("c")
            with pytest.raises(ContextTooLarge) as raised:
                await chat.send(["word " * 2_000, BinaryContent(PNG, media_type="image/png")], key="k")
            assert model.requests == []
            assert raised.value.target == 120
            assert raised.value.sizes["newest exchange"] > 120
            assert 0 < raised.value.sizes["instructions and tools"] < 120
            (failed,) = await recorded(chat, TurnFailed)
            assert (failed.reason, failed.retry) == ("context", False)
            assert (await chat.send("hello")).text == "Short."

    run(scenario())


def test_an_overflow_is_planned_again_below_it_and_remembered() -> None:
    """The user notices nothing; later turns stay below what was learned."""

    async def scenario() -> None:
        window = 3_000

        def answer(asked: Asked) -> Answer:
            return TOO_LONG if sum(map(len, asked.said)) > window else "word " * 20

        model = ScriptedModel(answer, report=False)
        async with assistant(model, budget=Budget(target=50_000)) as door:
            chat = door.conversation("c")
            replies = [await chat.send("word " * 80) for _ in range(20)]
            refused = sum(sum(map(len, asked.said)) > window for asked in model.requests)
            assert 1 <= refused <= 4
            events = await recorded(chat, ModelResponded)
            assert sum(bool(event.request.retried) for event in events) == refused
            assert replies[-1].context.target < 1_000
            assert all(reply.context.target <= replies[0].context.target for reply in replies)
            later = door.conversation("another")
            assert (await later.send("hello")).context.target == replies[-1].context.target

    run(scenario())


def test_a_window_far_below_the_target_is_found() -> None:
    """However wrong the budget is, a conversation does not fail in every turn."""

    async def scenario() -> int:
        model = ScriptedModel(
            lambda asked: TOO_LONG if sum(map(len, asked.said)) > 2_000 else "Yes.", report=False
        )
        failed = 0
        async with assistant(model, budget=Budget(target=100_000)) as door:
            chat = door.conversation("c")
            for _ in range(30):
                try:
                    await chat.send("word " * 60)
                except ModelFailed:
                    failed += 1
        return failed

    assert run(scenario()) <= 3


@pytest.mark.parametrize("streaming", [False, True])
def test_append_is_refused_for_length_with_a_typed_error(streaming: bool) -> None:
    """It never cuts; the provider's words are in the error."""

    async def scenario(base_url: str) -> ModelFailed:
        async with assistant(over_http(base_url), strategy="append", budget=Budget(target=1_000)) as door:
            chat = door.conversation("c")

            async def talk() -> None:
                for _ in range(20):
                    await (sentences(chat.stream("word " * 100)) if streaming else chat.send("word " * 100))

            with pytest.raises(ModelFailed) as raised:
                await talk()
            return raised.value

    with AnthropicServer(window=1_500) as server:
        error = run(scenario(server.base_url))
    assert "prompt is too long" in error.reason
    assert not error.retry


def test_what_was_cut_is_told_once_in_the_reply_and_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """The line of a cut stands in the reply of its turn and in the log of the process."""

    async def scenario() -> list[Reply]:
        async with assistant(always("word " * 40), budget=Budget(target=700)) as door:
            chat = door.conversation("c")
            return [await chat.send("word " * 40) for _ in range(12)]

    with caplog.at_level(logging.INFO, logger="turnstate.context"):
        replies = run(scenario())
    managed = [line for reply in replies for line in reply.context.managed]
    assert 1 <= len(managed) < len(replies)
    assert [record.getMessage() for record in caplog.records if record.levelno == logging.INFO] == managed
    assert all(line.startswith("[context] ") for line in managed)


# Whatever goes wrong inside ------------------------------------------------------------------------------------------


def broken_strategy(room: Room) -> Choice:
    """A strategy of an application, with a bug."""
    raise ZeroDivisionError(f"no room for sk-ant-abcdef123456 in {room.target}")


def test_an_internal_error_is_a_broken_turn_that_may_be_sent_again() -> None:
    """Typed, recorded, without secrets; the conversation goes on."""

    async def scenario() -> None:
        model = ScriptedModel(lambda asked: "Fine.")
        async with assistant(model, strategy=broken_strategy, budget=Budget(target=300)) as door:
            chat = door.conversation("c")
            for _ in range(3):
                await chat.send("word " * 60)
            with pytest.raises(TurnBroken) as raised:
                await chat.send("word " * 120)
            assert raised.value.retry
            assert isinstance(raised.value.__cause__, ZeroDivisionError)
            (failed,) = await recorded(chat, TurnFailed)
            assert failed.reason == "internal"
            assert "ZeroDivisionError" in failed.message
            assert "sk-ant" not in failed.message + str(raised.value)

    run(scenario())
