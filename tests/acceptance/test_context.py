"""What the model sees, end to end: pins, huge texts, what is recalled, models that take over, summaries ahead of need."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from pydantic_ai.exceptions import ModelHTTPError

from acceptance.doors import assistant, recorded, run, sentences
from turnstate import Assistant, Budget, tool
from turnstate.core.context.extractive import extract_summary
from turnstate.core.context.types import Excerpt, SummaryDraft
from turnstate.core.events import ModelResponded, SummaryWritten, ToolReturned, TurnPinned
from turnstate.errors import ModelFailed, SettingError, TurnUnknown
from turnstate.testing.scripted import Asked, Call, ScriptedModel

LONG = "the parcel is somewhere between the warehouse and the door and nobody knows where " * 3


def talk(first: int, last: int) -> list[str]:
    """Messages about nothing that matters."""
    return [f"message {n}: {LONG}" for n in range(first, last + 1)]


# Pins (known failure B59) ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", ["truncate", "summarize", "hybrid"])
def test_a_pinned_turn_is_in_every_request(strategy: str, store: str) -> None:
    """Whatever the strategy cuts, after a restart too, until it is let go."""
    model = ScriptedModel(lambda _: "Noted.")
    budget = Budget(target=900, recall=0)

    async def scenario() -> None:
        async with assistant(model, store=store, budget=budget, strategy=strategy) as door:
            chat = door.conversation("c")
            await chat.send("Hello there.")
            pinned = await chat.send("My gate code is 4711-B, never ring the bell.")
            await chat.pin(pinned.turn)
            for message in talk(3, 20):
                await chat.send(message)
                assert "4711-B, never ring the bell" in "\n".join(model.requests[-1].said)
            assert '<pinned turn="2">' in model.requests[-1].said[0]
            await chat.unpin(pinned.turn)
            await chat.send(talk(21, 21)[0])
            assert "<pinned" not in "\n".join(model.requests[-1].said)
            assert [bool(event.text) for event in await recorded(chat, TurnPinned)] == [True, False]

    run(scenario())


def test_a_turn_that_left_long_ago_can_be_pinned() -> None:
    """The pin brings its words back, and the snapshot keeps them."""
    model = ScriptedModel(lambda _: "Noted.")

    async def scenario() -> None:
        async with assistant(model, budget=Budget(target=900, recall=0), strategy="truncate") as door:
            chat = door.conversation("c")
            await chat.send("Hello there.")
            await chat.send("My gate code is 4711-B.")
            for message in talk(3, 24):
                await chat.send(message)
            assert "4711-B" not in "\n".join(model.requests[-1].said)
            await chat.pin(2)
            for message in talk(25, 40):
                await chat.send(message)
                assert "4711-B" in "\n".join(model.requests[-1].said)

    run(scenario())


def test_only_a_turn_that_has_closed_can_be_pinned() -> None:
    """Anything else is one clear error, and nothing is recorded."""

    async def scenario() -> None:
        async with assistant([ModelHTTPError(400, "m"), "ok"]) as door:
            chat = door.conversation("c")
            with pytest.raises(ModelFailed):
                await chat.send("one")
            for turn, state in (
                (1, "failed"),
                (2, "absent"),
                (0, "absent"),
                (-1, "absent"),
                (10**20, "absent"),
            ):
                with pytest.raises(TurnUnknown) as caught:
                    await chat.pin(turn)
                assert caught.value.state == state
            assert not await recorded(chat, TurnPinned)

    run(scenario())


# Huge texts (known failure B68) ----------------------------------------------------------------------------------------


def test_a_huge_result_is_kept_whole_shown_shortened_and_read_on(store: str) -> None:
    """The model sees both ends and a handle; with the handle it reads the rest, passage by passage, to the last word."""
    lines = [f"line {n}: value {n * 7919}" for n in range(60_000)]
    whole = "\n".join(lines)
    read: list[str] = []

    @tool(effect="read")
    def dump() -> str:
        """Dump the table."""
        return whole

    def answer(asked: Asked) -> object:
        results = list(asked.results.values())
        if not results:
            return Call("dump", {}) if "table" in asked.prompt else "Noted."
        if "not shown here" in results[0]:
            assert 'recall(handle="1.1", start=' in results[0]
            return Call("recall", {"handle": "1.1", "start": len(whole) - 900})
        read.append(results[0])
        return "Read."

    async def scenario() -> None:
        model = ScriptedModel(answer)  # type: ignore[arg-type]  # the answers are narrower
        async with assistant(model, store=store, tools=[dump], budget=Budget(target=3_000)) as door:
            chat = door.conversation("c")
            reply = await chat.send("What is in the table?")
            assert reply.text == "Read."
            assert reply.context.tokens <= 3_000
            assert lines[-1] in read[0]
            assert (await recorded(chat, ToolReturned))[0].result.content == whole
            for message in talk(2, 6):
                assert (await chat.send(message)).context.tokens <= 3_000

    run(scenario())


def test_a_huge_message_is_answered() -> None:
    """A pasted file does not end the conversation, and what follows is not lost."""
    model = ScriptedModel(lambda _: "Noted.")

    async def scenario() -> None:
        async with assistant(model, budget=Budget(target=2_000)) as door:
            chat = door.conversation("c")
            reply = await chat.send(
                "Look at this log: " + "error at line 17 in the parser; " * 50_000 + "THE END"
            )
            assert reply.context.tokens <= 2_000
            assert "characters are not shown here" in model.requests[-1].prompt
            assert model.requests[-1].prompt.endswith("THE END")
            assert (await chat.send("And now?")).text == "Noted."
            assert "THE END" in "\n".join(model.requests[-1].said)

    run(scenario())


def test_many_large_results_in_one_turn_fit() -> None:
    """The rounds of one exchange share the room there is; none of them ends the turn."""

    @tool(effect="read")
    def page(number: int) -> str:
        """Read a page."""
        return f"page {number} begins " + "with many words and more " * 400 + f"and page {number} ends"

    def answer(asked: Asked) -> object:
        done = sum(text.startswith("page ") for text in asked.said)
        return Call("page", {"number": done + 1}) if done < 8 else "All read."

    async def scenario() -> None:
        model = ScriptedModel(answer)  # type: ignore[arg-type]  # the answers are narrower
        async with assistant(model, tools=[page], budget=Budget(target=3_000)) as door:
            chat = door.conversation("c")
            reply = await chat.send("Read eight pages.")
            assert reply.text == "All read."
            assert reply.context.tokens <= 3_000
            last = "\n".join(model.requests[-1].said)
            assert all(f"page {n} begins" in last and f"page {n} ends" in last for n in range(1, 9))

    run(scenario())


# Recalled --------------------------------------------------------------------------------------------------------------


def test_what_left_the_view_comes_back_when_it_is_asked_for(store: str) -> None:
    """Quoted with its turn and speaker, for the message that needs it and no other."""
    model = ScriptedModel(lambda _: "Noted.")

    async def scenario() -> None:
        async with assistant(model, store=store, budget=Budget(target=1_200), strategy="truncate") as door:
            chat = door.conversation("c")
            await chat.send("Hello there.")
            await chat.send("The violin teacher of my daughter is called Tamsin Okonkwo.")
            for message in talk(3, 32):
                await chat.send(message)
            assert "Okonkwo" not in "\n".join(model.requests[-1].said)
            reply = await chat.send("What was the name of the violin teacher?")
            assert '<recalled note="' in model.requests[-1].prompt
            assert "Tamsin Okonkwo" in model.requests[-1].prompt
            assert 2 in (await recorded(chat, ModelResponded))[-1].request.recalled
            assert reply.context.tokens <= 1_200
            await chat.send("Thanks!")
            assert "<recalled" not in "\n".join(model.requests[-1].said)

    run(scenario())


def test_the_recall_tool_looks_up_the_log() -> None:
    """An agent may look for itself; it is told where and when it was said."""
    found: list[str] = []

    @tool(effect="read")
    def nothing() -> str:
        """Do nothing."""
        return ""

    def answer(asked: Asked) -> object:
        if asked.results:
            found.extend(asked.results.values())
            return "Found."
        return Call("recall", {"about": "violin teacher"}) if "look it up" in asked.prompt else "Noted."

    async def scenario() -> None:
        model = ScriptedModel(answer)  # type: ignore[arg-type]  # the answers are narrower
        async with assistant(model, tools=[nothing], budget=Budget(target=1_500)) as door:
            chat = door.conversation("c")
            await chat.send("The violin teacher of my daughter is called Tamsin Okonkwo.")
            for message in talk(2, 34):
                await chat.send(message)
            await chat.send("Please look it up.")
            assert "Tamsin Okonkwo" in found[0]
            assert "turn 1" in found[0]

    run(scenario())


def test_without_recall_nothing_is_looked_up() -> None:
    """A share of zero turns it off, the tool with it."""
    model = ScriptedModel(lambda _: "Noted.")

    @tool(effect="read")
    def nothing() -> str:
        """Do nothing."""
        return ""

    async def scenario() -> None:
        budget = Budget(target=1_000, recall=0)
        async with assistant(model, budget=budget, tools=[nothing], strategy="truncate") as door:
            chat = door.conversation("c")
            await chat.send("The violin teacher of my daughter is called Tamsin Okonkwo.")
            for message in talk(2, 34):
                await chat.send(message)
            await chat.send("What was the name of the violin teacher?")
            assert "Okonkwo" not in "\n".join(model.requests[-1].said)
            assert [definition.name for definition in model.requests[-1].tools] == ["nothing"]

    run(scenario())


# Models that take over -------------------------------------------------------------------------------------------------


def failing(status: int) -> ScriptedModel:
    """A model that always fails."""
    return ScriptedModel(lambda _: ModelHTTPError(status, "m"), name="first")


@pytest.mark.parametrize("status", [401, 404, 429, 500, 529])
def test_the_next_model_takes_over(status: int, store: str) -> None:
    """The reply comes from it, the log says which model said what and why, and the first one is tried again later."""
    first, second = failing(status), ScriptedModel(lambda _: "From the second.", name="second")

    async def scenario() -> None:
        async with Assistant([first, second], store=store) as door:
            chat = door.conversation("c")
            reply = await chat.send("hi")
            assert reply.text == "From the second."
            assert "first failed" in reply.context.notes[0]
            assert await sentences(chat.stream("again")) == ["From the second."]
            assert len(first.requests) == len(second.requests) == 2
            assert {event.model for event in await recorded(chat, ModelResponded)} == {second.model_id}

    run(scenario())


def test_nothing_released_is_said_again_by_another_model() -> None:
    """Where a model fails in the middle of a sentence stream, the turn fails: the user has read its words."""
    first = ScriptedModel(
        [["The order is on its way. It will come ", ModelHTTPError(500, "m")]], name="first"
    )
    second = ScriptedModel(lambda _: "Hello.", name="second")

    async def scenario() -> None:
        async with Assistant([first, second], store="memory:") as door:
            stream = door.conversation("c").stream("hi")
            assert await anext(stream) == "The order is on its way."
            with pytest.raises(ModelFailed):
                await stream.reply()
            assert not second.requests

    run(scenario())


def test_where_all_fail_the_last_error_is_the_turns() -> None:
    """The user's message stays, and may be sent again."""

    async def scenario() -> None:
        async with Assistant([failing(500), failing(503)], store="memory:") as door:
            with pytest.raises(ModelFailed) as caught:
                await door.conversation("c").send("hi", key="k")
            assert caught.value.retry

    run(scenario())


def test_a_list_without_models_is_refused() -> None:
    """Before anything is spent."""
    with pytest.raises(SettingError, match="empty"):
        Assistant([])


def test_each_model_learns_its_own_window() -> None:
    """An overflow of one says nothing about the other."""
    small = ScriptedModel(
        lambda asked: (
            "ok"
            if sum(map(len, asked.said)) < 2_000
            else ModelHTTPError(
                400, "m", {"error": {"message": "prompt is too long: 900 tokens > 500 maximum"}}
            )
        ),
        name="small",
    )
    large = ScriptedModel(lambda _: "From the large one.", name="large")

    async def scenario() -> None:
        async with Assistant(
            [small, large], store="memory:", budget=Budget(target=8_000), strategy="append"
        ) as door:
            chat = door.conversation("c")
            replies = [await chat.send(message) for message in talk(1, 14)]
            assert replies[0].text == "ok"
            assert replies[-1].text == "From the large one."
            assert "message 1:" in "\n".join(large.requests[-1].said)

    run(scenario())


# Ahead of need ---------------------------------------------------------------------------------------------------------


class Slow:
    """A summarizer of an application that says when it was called."""

    name = "slow"

    def __init__(self) -> None:
        self.calls: list[tuple[int, int]] = []

    async def summarize(self, excerpt: Excerpt, faults: Sequence[str] = ()) -> SummaryDraft:
        """The extract, under another name."""
        self.calls.append((excerpt.covers.first, excerpt.covers.last))
        await asyncio.sleep(0)
        return SummaryDraft(extract_summary(excerpt).text, self.name)


def test_summaries_are_on_record_before_the_cut_needs_them() -> None:
    """Past the first mark they are written behind a reply; the cut uses them and asks only for what is missing."""
    summarizer = Slow()
    model = ScriptedModel(lambda _: "Noted, the parcel is late. " * 4)

    async def scenario() -> None:
        async with assistant(model, budget=Budget(target=2_500), summarizer=summarizer) as door:
            chat = door.conversation("c")
            early = 0
            for message in talk(1, 40):
                reply = await chat.send(message)
                await asyncio.sleep(0.01)
                written = await recorded(chat, SummaryWritten)
                if written and not early:
                    assert not reply.context.managed
                    early = reply.turn
            assert early
            covers = [
                (event.covers.first, event.covers.last) for event in await recorded(chat, SummaryWritten)
            ]
            assert len(set(covers)) == len(covers)
            assert all(event.seen for event in await recorded(chat, SummaryWritten))
            cuts = [
                e.request.summarised for e in await recorded(chat, ModelResponded) if e.request.summarised
            ]
            assert cuts
            turns = [n for spans in cuts for span in spans for n in range(span.first, span.last + 1)]
            assert all(any(first <= n <= last for first, last in covers) for n in turns)

    run(scenario())
