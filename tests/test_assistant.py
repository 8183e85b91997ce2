"""The front door: wiring, ids, messages, and the reply as a whole or sentence by sentence."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_ai.messages import BinaryContent, UserContent

from acceptance.doors import assert_gapless, assistant, over_http, recorded, run, sentences
from turnstate import Assistant, Budget, Conversation, Facts, Reply, Single
from turnstate.core.events import ModelResponded, TurnClosed, TurnFailed, TurnOpened
from turnstate.core.messages import response_text, user_text
from turnstate.errors import (
    BudgetError,
    IdError,
    MessageError,
    ModelFailed,
    ModelNameError,
    StoreUrlError,
    StrategyError,
    WiringError,
)
from turnstate.testing.anthropic import AnthropicServer
from turnstate.testing.scripted import Answer, Asked, Call, ScriptedModel

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360"
    "6060f80f0000040100 5f 0d 0a 2d b4 00000000 49454e44ae426082".replace(" ", "")
)


class Customer(Facts):
    """What the shop remembers."""

    email: Single[str]


# Wiring --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("budget", [8_000, "8000", None, 0.75, {"target": 8_000}])
def test_a_budget_that_is_not_a_budget_is_refused(budget: Any) -> None:
    """Nobody remembers what a bare number meant; the error shows what to write."""
    with pytest.raises(BudgetError, match=r"Budget\(target=8_000\)"):
        assistant([], budget=budget)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"strategy": "shrink"}, StrategyError),
        ({"extract": "nope:x", "facts": Customer}, ModelNameError),
        ({"summarizer": "nope:x"}, ModelNameError),
        ({"max_rounds": 0}, WiringError),
        ({"max_rounds": -1}, WiringError),
        ({"max_rounds": True}, WiringError),
        ({"max_rounds": 2.5}, WiringError),
    ],
)
def test_what_does_not_fit_together_is_said_while_building(
    options: dict[str, Any], error: type[WiringError]
) -> None:
    """Before any token is spent."""
    with pytest.raises(error):
        assistant([], **options)


@pytest.mark.parametrize("model", ["", "nope", "nope:x", None, 5])
def test_a_model_that_is_none_is_refused(model: Any) -> None:
    """With an example of an id."""
    with pytest.raises(ModelNameError, match="provider:name"):
        Assistant(model, store="memory:")


@pytest.mark.parametrize("url", ["", "nope://x", "chat.db"])
def test_a_store_that_is_none_is_refused(url: str) -> None:
    """On entering, at the latest."""

    async def scenario() -> None:
        async with assistant([], store=url):
            pass

    with pytest.raises(StoreUrlError):
        run(scenario())


def test_the_offline_model_needs_no_key() -> None:
    """The quickest start answers, and says what it is."""

    async def scenario() -> Reply:
        async with Assistant("offline", store="memory:") as door:
            return await door.conversation("c").send("hello")

    assert run(scenario()).text


def test_an_assistant_may_be_used_in_one_event_loop_after_another() -> None:
    """Over HTTP: connections are closed with the loop that they belong to, and opened again."""

    async def scenario(model: Any) -> str:
        async with assistant(model) as door:
            return (await door.conversation("c").send("hello")).text

    with AnthropicServer() as server:
        model = over_http(server.base_url)
        assert [run(scenario(model)) for _ in range(3)] == ["hello"] * 3


def test_one_assistant_may_be_entered_again() -> None:
    """A memory store starts empty each time."""
    door = assistant(lambda asked: "Hi.")

    async def scenario() -> int:
        async with door:
            return (await door.conversation("c").send("hello")).turn

    assert [run(scenario()), run(scenario())] == [1, 1]


def test_what_was_learned_of_the_window_is_shared_by_no_other_assistant() -> None:
    """Two assistants are independent."""

    async def scenario(budget: Budget) -> int:
        async with assistant(["Hi."], budget=budget) as door:
            return (await door.conversation("c").send("hello")).context.target

    assert [run(scenario(Budget(target=n))) for n in (900, 800)] == [900, 800]


# Ids -----------------------------------------------------------------------------------------------------------------

STRANGE = [
    "../../etc/passwd",
    "a\0b",
    "\ud800",
    "\udfff\ud800",
    "'; DROP TABLE events; --",
    "🙂" * 128,
    "e\u0301",
    "\xe9",
    " ",
    "\n",
    "x" * 512,
    "\\0000",
    "c:other",
    "%s{}{0}$x",
    "٣",
]


def test_any_string_is_an_id_end_to_end(store: str) -> None:
    """Conversation, user and key; each is one of its own, and found again."""

    async def scenario() -> None:
        async with assistant(lambda asked: f"{len(asked.said)}", facts=Customer, store=store) as door:
            for strange in STRANGE:
                chat = door.conversation(strange, user=strange)
                reply = await chat.send("hello", key=strange)
                assert (reply.text, reply.turn) == ("1", 1)
                await chat.remember(email=f"a{STRANGE.index(strange)}@example.com")
            for index, strange in enumerate(STRANGE):
                chat = door.conversation(strange, user=strange)
                assert (await chat.send("hello", key=strange)).replayed
                assert [fact.value for fact in await door.facts(strange)] == [f"a{index}@example.com"]
                events = await chat.events()
                assert {found.conversation for found in events} == {strange}
                assert_gapless(events)
            listed = await door.log.conversations(limit=1_000)
            assert {info.conversation for info in listed} == set(STRANGE)

    run(scenario())


@settings(max_examples=30)
@given(st.lists(st.text(st.characters(codec=None), min_size=1, max_size=20), unique=True, max_size=4))
def test_different_ids_never_meet(ids: list[str]) -> None:
    """Whatever the strings are, each conversation has its own log."""

    async def scenario() -> None:
        async with assistant(lambda asked: "Hi.") as door:
            for number, name in enumerate(ids):
                await door.conversation(name).send(f"message {number}", key="k")
            for number, name in enumerate(ids):
                (opened,) = await recorded(door.conversation(name), TurnOpened)
                assert user_text(opened.message) == f"message {number}"

    run(scenario())


@pytest.mark.parametrize("bad", ["", "x" * 513, None, 5, b"x"], ids=lambda bad: str(bad)[:9])
def test_what_is_no_id_is_refused(bad: Any) -> None:
    """Conversation, user and key alike, with the role in the error, and nothing is recorded."""

    async def scenario() -> None:
        async with assistant(["Hi."]) as door:
            with pytest.raises(IdError, match="conversation"):
                door.conversation(bad)
            with pytest.raises(IdError, match="user"):
                await door.facts(bad)
            if bad is not None:
                with pytest.raises(IdError, match="user"):
                    door.conversation("c", user=bad)
                with pytest.raises(IdError, match="key"):
                    await door.conversation("c").send("hello", key=bad)
            assert await door.conversation("c").events() == ()

    run(scenario())


# Messages ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", ["", " \n", b"x", {"a": 1}, None, [], [5]])
def test_what_is_no_message_is_refused_and_not_recorded(bad: Any) -> None:
    """By send and by stream, before anything is durable; the next message is answered."""

    async def scenario() -> None:
        async with assistant(["Hi."]) as door:
            chat = door.conversation("c")
            with pytest.raises(MessageError):
                await chat.send(bad, key="k")
            with pytest.raises(MessageError):
                await sentences(chat.stream(bad, key="k"))
            assert await chat.events() == ()
            assert (await chat.send("hello", key="k")).text == "Hi."

    run(scenario())


@pytest.mark.parametrize("text", ["nul \0 here", "lone \ud800 surrogate", "\udc00\ud800", "\x1b[31mred\x07"])
def test_odd_characters_are_kept_in_the_log_and_made_safe_on_the_wire(store: str, text: str) -> None:
    """What came in comes back from the log; the provider gets what JSON can carry."""

    async def scenario(base_url: str) -> None:
        async with assistant(over_http(base_url), store=store) as door:
            chat = door.conversation("c")
            assert await sentences(chat.stream(text, key="k"))
            assert (await chat.send(text, key="k")).replayed
            (opened,) = await recorded(chat, TurnOpened)
            assert user_text(opened.message) == text
            await chat.send("go on")

    with AnthropicServer() as server:
        run(scenario(server.base_url))
        assert server.refusals == []
        for request in server.requests:
            sent = str(request.body)
            assert "\0" not in sent
            assert sent.encode()


def test_odd_characters_of_a_model_come_back_too(store: str) -> None:
    """A reply with a lone surrogate is a reply, is replayed, and does not stop the conversation."""

    async def scenario() -> None:
        async with assistant(["half \ud83d and \0.", "Fine."], store=store) as door:
            chat = door.conversation("c")
            first = await chat.send("hello", key="k")
            assert (await chat.send("hello", key="k")).text == first.text == "half \ud83d and \0."
            assert (await chat.send("go on")).text == "Fine."
            (responded, _) = await recorded(chat, ModelResponded)
            assert response_text(responded.response) == first.text

    run(scenario())


@pytest.mark.parametrize(
    "message",
    [
        [BinaryContent(PNG, media_type="image/png")],
        ["What is this?", BinaryContent(PNG, media_type="image/png")],
        ["  ", BinaryContent(PNG, media_type="image/png"), ""],
        ["one", "two"],
    ],
    ids=["image", "text and image", "blanks and image", "two texts"],
)
def test_images_and_several_texts_reach_a_strict_provider(store: str, message: list[UserContent]) -> None:
    """Also as part of the history of a later turn, after they were read from the log."""

    async def scenario(base_url: str) -> None:
        async with assistant(over_http(base_url), store=store) as door:
            chat = door.conversation("c")
            await chat.send(message, key="k")
            assert (await chat.send(message, key="k")).replayed
            await chat.send("and now?")

    with AnthropicServer() as server:
        run(scenario(server.base_url))
        assert server.refusals == []
        images = [str(request.body).count("'type': 'image'") for request in server.requests]
    expected = sum(isinstance(part, BinaryContent) for part in message)
    assert images == [expected, expected]


def test_a_very_long_conversation_of_short_messages_keeps_every_message_in_the_log() -> None:
    """What leaves the context stays on record."""

    async def scenario() -> None:
        async with assistant(
            lambda asked: "Yes, of course. " * 5, budget=Budget(target=600), strategy="truncate"
        ) as door:
            chat = door.conversation("c")
            for number in range(60):
                await chat.send(f"message {number}")
            opened = await recorded(chat, TurnOpened)
            assert [user_text(event.message) for event in opened] == [f"message {n}" for n in range(60)]
            assert len(await recorded(chat, TurnClosed)) == 60
            assert_gapless(await chat.events())
            tail = await chat.events(after=100)
            assert [found.seq for found in tail][:1] == [101]

    run(scenario())


# Streaming -----------------------------------------------------------------------------------------------------------

TEXTS = st.text(st.sampled_from("ab 12.!?…\n\"')。！ü🙂") | st.characters(codec="utf-8"), min_size=1).filter(
    str.strip
)


@settings(max_examples=60)
@given(TEXTS, st.integers(1, 9))
def test_joined_sentences_are_the_reply_whatever_the_text(text: str, size: int) -> None:
    """However the provider cuts it; and what is sent without a stream is the same."""

    def pieces(whole: str) -> list[str]:
        return [whole[at : at + size] for at in range(0, len(whole), size)]

    async def scenario() -> None:
        async with assistant(ScriptedModel(lambda asked: text, pieces=pieces)) as door:
            stream = door.conversation("a").stream("hello")
            seen = await sentences(stream)
            reply = await stream.reply()
            assert "".join(seen).strip() == reply.text == text.strip()
            assert all(seen)
            sent = await door.conversation("b").send("hello")
            assert (sent.text, sent.turn) == (reply.text, reply.turn)

    run(scenario())


@settings(max_examples=40)
@given(st.lists(TEXTS, min_size=2, max_size=4))
def test_joined_sentences_are_the_reply_also_across_tool_calls(texts: list[str]) -> None:
    """Each round's text is a paragraph of its own, in the stream as in the reply."""
    from_call: list[Answer] = [[text, Call("noop", {})] for text in texts[:-1]]

    async def scenario() -> None:
        script: list[Answer] = [*from_call, texts[-1], *from_call, texts[-1]]
        async with assistant(script, tools=[noop]) as door:
            stream = door.conversation("a").stream("hello", key="k")
            seen = "".join(await sentences(stream))
            reply = await stream.reply()
            assert seen.strip() == reply.text == "\n\n".join(text.strip() for text in texts)
            assert (await door.conversation("b").send("hello")).text == reply.text
            again = "".join(await sentences(door.conversation("a").stream("hello", key="k")))
            assert again.strip() == reply.text

    run(scenario())


def noop() -> str:
    """Do nothing."""
    return "done"


def test_nothing_is_sent_before_the_first_sentence_is_asked_for() -> None:
    """A stream that nobody reads is no turn."""

    async def scenario() -> None:
        model = ScriptedModel(["Hi."])
        async with assistant(model) as door:
            chat = door.conversation("c")
            chat.stream("hello")
            await asyncio.sleep(0)
            assert await chat.events() == ()
        assert model.requests == []

    run(scenario())


def test_a_reader_that_stops_early_does_not_stop_the_turn(store: str) -> None:
    """The reply is recorded, and is there for whoever asks."""

    async def scenario() -> None:
        gate = asyncio.Event()
        async with assistant([["One. ", "Two. ", gate, "Three."]], store=store) as door:
            chat = door.conversation("c")
            stream = chat.stream("count", key="k")
            async for sentence in stream:
                assert sentence.strip() == "One."
                break
            gate.set()
            assert (await chat.send("count", key="k")).text == "One. Two. Three."
            assert (await stream.reply()).text == "One. Two. Three."

    run(scenario())


def test_a_reader_may_time_out_between_sentences_and_go_on() -> None:
    """A heartbeat while the model thinks loses nothing."""

    async def scenario() -> str:
        gate = asyncio.Event()
        model = ScriptedModel([["One. ", "Two. ", gate, "Three."]])
        async with assistant(model) as door:
            stream = door.conversation("c").stream("count")
            seen = [await anext(stream)]
            for _ in range(3):
                waiting = asyncio.ensure_future(anext(stream))
                await asyncio.sleep(0)
                waiting.cancel()
                await asyncio.gather(waiting, return_exceptions=True)
            gate.set()
            seen += await sentences(stream)
            assert "".join(seen) == (await stream.reply()).text
            return "".join(seen)

    assert run(scenario()) == "One. Two. Three."


def test_two_readers_of_one_stream_miss_nothing_between_them() -> None:
    """Whoever asks next gets what comes next; nothing is skipped and nothing breaks."""

    async def scenario() -> None:
        async with assistant(["One. Two. Three. Four. Five."]) as door:
            stream = door.conversation("c").stream("count")
            both = await asyncio.gather(sentences(stream), sentences(stream))
            seen = {sentence.strip() for found in both for sentence in found}
            assert seen == {"One.", "Two.", "Three.", "Four.", "Five."}

    run(scenario())


def test_an_error_in_the_middle_keeps_what_was_released() -> None:
    """The reader gets the sentence, then the error; the log says what the user has seen."""

    async def scenario() -> None:
        async with assistant([["One. ", "Two", ConnectionError("lost")], "One. Two."]) as door:
            chat = door.conversation("c")
            stream = chat.stream("count", key="k")
            assert (await anext(stream)).strip() == "One."
            with pytest.raises(ModelFailed) as raised:
                await anext(stream)
            assert raised.value.retry
            with pytest.raises(ModelFailed):
                await stream.reply()
            (failed,) = await recorded(chat, TurnFailed)
            assert failed.released.strip() == "One."
            assert (await chat.send("count", key="k")).text == "One. Two."

    run(scenario())


def test_a_stream_may_be_read_from_another_event_loop() -> None:
    """The turn runs where it was started; the sentences come anyway."""

    async def scenario() -> None:
        async with assistant(["One. Two."]) as door:
            stream = door.conversation("c").stream("count")
            first = await anext(stream)
            rest = await asyncio.to_thread(run, sentences(stream))
            assert "".join([first, *rest]) == "One. Two."

    run(scenario())


# Dependencies --------------------------------------------------------------------------------------------------------


def test_nothing_of_one_conversation_reaches_another() -> None:
    """Twenty at once: messages, replies, facts and dependencies stay apart."""

    async def scenario() -> None:
        def answer(asked: Asked) -> Answer:
            return f"{len(asked.said)} {asked.said[0]}"

        async with assistant(answer, strategy="append") as door:

            async def talk(name: str) -> None:
                chat = door.conversation(name, user=name, deps=name)
                for number in range(5):
                    reply = await chat.send(f"{name} says {number}")
                    assert reply.text == f"{2 * number + 1} {name} says 0"
                assert chat.deps == name

            await asyncio.gather(*(talk(f"c{n}") for n in range(20)))

    run(scenario())


def test_a_conversation_knows_what_it_was_made_with() -> None:
    """Its id, its user and its dependencies."""
    door = assistant([])
    chat = door.conversation("c", user="u", deps={"x": 1})
    assert isinstance(chat, Conversation)
    assert (chat.id, chat.user, chat.deps) == ("c", "u", {"x": 1})
