"""Failures of other systems in pairing, summaries, counting and caching, each against the real assistant.

By name here: B04, B05, B07, B08, B10, B16, B22, B23, B25, B26, B28, B31, B32, B34, B35, B38, B41, B44, B46, B49, B50, B52,
B53, B55, B56, B61, B62, B64, B65, B67, B110. What the other rows ask of any request (B01, B02, B11, B13, B14, B19, B20) stands
in tests/core/context/validity, of plans (B17, B43) in tests/core/context/test_plan.py and test_planning.py, of pins and huge
texts (B59, B68) in test_context.py, and of bad summarizers (B29, B37, B40, B47, B58) and B100 in test_known_failures.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import pytest

from acceptance.doors import assistant, recorded, run, sentences
from turnstate import Budget, Facts, Single, tool
from turnstate.core.context.counting import estimate_text
from turnstate.core.context.extractive import extract_summary, source_text
from turnstate.core.context.types import Excerpt, SummaryDraft
from turnstate.core.context.validity import heal
from turnstate.core.events import ApprovalAsked, Kept, ModelResponded, SummaryWritten, TurnClosed, TurnPaused
from turnstate.core.messages import BinaryContent, ModelRequest, SystemPromptPart
from turnstate.errors import ContextTooLarge, ModelFailed
from turnstate.testing.scripted import Answer, Asked, Call, ScriptedModel

LONG = "the parcel is somewhere between the warehouse and the door and nobody knows where " * 3
GOAL = "I need six chairs for the meeting room by May 4, order 99817."
STANDING = "Always answer in one sentence and never give a discount."


class Customer(Facts):
    """A customer."""

    order_id: Single[str]


class Listening:
    """A summarizer that remembers what it was given and writes what it is told to, or an extract."""

    name = "listening"

    def __init__(self, write: str | None = None) -> None:
        self.write = write
        self.excerpts: list[Excerpt] = []

    async def summarize(self, excerpt: Excerpt, faults: Sequence[str] = ()) -> SummaryDraft:
        """Remember and answer."""
        if not faults:
            self.excerpts.append(excerpt)
        text = extract_summary(excerpt).text if self.write is None else self.write
        return SummaryDraft(text, self.name)

    @property
    def inputs(self) -> list[str]:
        """What it was given, as text."""
        return [source_text(excerpt) for excerpt in self.excerpts]


def talk(first: int, last: int, *, text: str = LONG) -> list[str]:
    """Messages of which each names an order of its own."""
    return [f"message {n} about order 70{n:03d}: {text}" for n in range(first, last + 1)]


# Pairing ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", ["truncate", "summarize", "hybrid"])
def test_every_request_of_a_long_conversation_with_tools_is_whole(strategy: str) -> None:
    """Each message once, the newest words always, calls with results (B04, B05, B22, B23, B25, B26, B28)."""

    @tool(effect="read")
    def look(order: str) -> str:
        """Look up."""
        return f"{order} is {LONG}"

    def answer(asked: Asked) -> Sequence[Call] | str:
        if asked.results:
            return f"Looked at {len(asked.results)}."
        return [Call("look", {"order": "70001"}), Call("look", {"order": "70002"})]

    model = ScriptedModel(answer)

    async def scenario() -> None:
        async with assistant(
            model,
            tools=[look],
            instructions=STANDING,
            strategy=strategy,
            budget=Budget(target=1_500, recall=0),
        ) as door:
            chat = door.conversation("c")
            for message in talk(1, 14):
                await chat.send(message)

    run(scenario())
    assert len(model.requests) == 28
    for number, asked in enumerate(model.requests):
        healed = heal(asked.messages)
        assert (healed.messages, healed.notes) == (asked.messages, ())
        assert isinstance(asked.messages[0], ModelRequest)
        assert isinstance(asked.messages[-1], ModelRequest)
        assert asked.instructions == model.requests[0].instructions
        assert not any(isinstance(p, SystemPromptPart) for m in asked.messages for p in m.parts)
        newest = f"message {number // 2 + 1} about"
        assert sum(newest in said for said in asked.said) == 1
        assert all(said.strip() for said in asked.said)


def test_a_call_without_a_result_does_not_end_a_conversation(store: str) -> None:
    """The model fails between the result and its answer: the next turn is answered (B07, B10, B28)."""

    @tool(effect="read")
    def look() -> str:
        """Look up."""
        return "found"

    answers = [[Call("look", {})], RuntimeError("down"), "Here I am."]
    model = ScriptedModel(answers)

    async def scenario() -> None:
        async with assistant(model, tools=[look], store=store) as door:
            chat = door.conversation("c")
            with pytest.raises(ModelFailed):
                await chat.send("Look.")
            assert (await chat.send("Are you there?")).text == "Here I am."

    run(scenario())
    healed = heal(model.requests[-1].messages)
    assert healed.messages == model.requests[-1].messages


def test_a_call_is_durable_before_its_approval_is_asked_for_and_stays_in_view_until_it_is_answered(
    store: str,
) -> None:
    """The output of no call is stored whose call is not (B08); chatting on summarises no open question away (B16)."""
    paid: list[str] = []

    @tool(effect="once", approval=True)
    def pay() -> str:
        """Pay."""
        paid.append("paid")
        return "paid"

    def answers(asked: Asked) -> Answer:
        if asked.results:
            return f"It is {list(asked.results.values())[-1]}."
        return Call("pay", {}) if asked.prompt == "Pay." else "Ok."

    async def scenario() -> None:
        model = ScriptedModel(answers)
        async with assistant(model, tools=[pay], store=store, budget=Budget(target=1_200)) as door:
            chat = door.conversation("c")
            for number in range(20):
                await chat.send(f"And {number}? {'More words are said here. ' * 8}")
            (approval,) = (await chat.send("Pay.")).approvals
            events = [type(found.event) for found in await chat.events()]
            assert events[-3:] == [ModelResponded, ApprovalAsked, TurnPaused]
            for number in range(6):
                await chat.send(f"And then {number}? {'More words are said here. ' * 2}")
            assert any(reply.request.managed for reply in await recorded(chat, ModelResponded))
            assert any("waits for a person" in said for said in model.requests[-1].said)
            assert heal(model.requests[-1].messages).messages == model.requests[-1].messages
            assert (await chat.approve(approval.call_id)).text == "It is paid."
            assert paid == ["paid"]
            await chat.send("Thanks.")
            assert heal(model.requests[-1].messages).messages == model.requests[-1].messages

    run(scenario())


# Summaries -------------------------------------------------------------------------------------------------------------


def test_every_turn_that_left_was_read_whole_by_a_summarizer_and_no_input_is_large() -> None:
    """Of two hundred turns not one is dropped unread (B31), and no summarizer has to read them all at once (B32)."""
    summarizer = Listening()

    async def scenario() -> tuple[int, list[SummaryWritten]]:
        async with assistant(
            lambda _: "Noted.", summarizer=summarizer, budget=Budget(target=2_000, recall=0)
        ) as door:
            chat = door.conversation("c")
            for message in talk(1, 200):
                await chat.send(message)
            cuts = [event.request.cut.first for event in await recorded(chat, ModelResponded)]
            return cuts[-1], await recorded(chat, SummaryWritten)

    first, written = run(scenario())
    assert first > 150
    read = "\n".join(summarizer.inputs)
    for message in talk(1, first - 1):
        assert message in read
    covered = {turn for event in written for turn in range(event.covers.first, event.covers.last + 1)}
    assert covered >= set(range(1, first))
    for excerpt, given in zip(summarizer.excerpts, summarizer.inputs, strict=True):
        assert excerpt.covers.last - excerpt.covers.first < 10
        assert estimate_text(given) <= 6_000


def test_one_huge_turn_does_not_make_a_huge_input() -> None:
    """Both ends of what is too long are read, and the input stays bounded (B32)."""
    summarizer = Listening()
    huge = "START " + "line of a log; " * 200_000 + " END"

    async def scenario() -> None:
        async with assistant(
            lambda _: "Noted.", summarizer=summarizer, budget=Budget(target=1_500, recall=0)
        ) as door:
            chat = door.conversation("c")
            for message in ("Hello.", huge, *talk(3, 14)):
                await chat.send(message)

    run(scenario())
    (given,) = [text for text in summarizer.inputs if "START" in text]
    assert "END" in given
    assert estimate_text(given) < 12_000


def test_standing_instructions_are_not_history(store: str) -> None:
    """They are in every request, word for word, and in no summarizer's input (B34)."""
    model, summarizer = ScriptedModel(lambda _: "Noted."), Listening()

    async def scenario() -> None:
        async with assistant(
            model,
            store=store,
            summarizer=summarizer,
            instructions=STANDING,
            budget=Budget(target=1_200, recall=0),
        ) as door:
            chat = door.conversation("c")
            for message in talk(1, 20):
                await chat.send(message)

    run(scenario())
    assert summarizer.inputs
    assert all(STANDING in asked.instructions for asked in model.requests)
    assert not any(STANDING in said for asked in model.requests for said in asked.said)
    assert not any(STANDING in given for given in summarizer.inputs)


def test_what_is_injected_is_never_summarised() -> None:
    """Facts, summaries, values and quotes are tagged, and are in no summarizer's input (B38, B56)."""
    model, summarizer = ScriptedModel(lambda _: "Noted."), Listening()

    async def scenario() -> None:
        async with assistant(
            model, summarizer=summarizer, facts=Customer, budget=Budget(target=1_500)
        ) as door:
            chat = door.conversation("c", user="u")
            await chat.remember(order_id="55555")
            for number, message in enumerate(talk(1, 40)):
                await chat.send(message if number % 4 else f"{message} And what was order 70001?")

    run(scenario())
    shown = "\n".join(said for asked in model.requests for said in asked.said)
    assert "<summary" in shown
    assert "<facts" in shown
    assert len(summarizer.inputs) > 3
    for given in summarizer.inputs:
        assert not re.search(r"<(?:summary|facts|values|recalled|update|brief|opening|pinned)\b", given)
        assert "55555" not in given


def test_summaries_do_not_grow_past_the_target_however_long_it_goes_on() -> None:
    """A summarizer that always writes as much as it may: the head stays within the target (B35, B37)."""
    model, summarizer = ScriptedModel(lambda _: "Noted."), Listening("They spoke of it at length. " * 60)

    async def scenario() -> list[int]:
        async with assistant(model, summarizer=summarizer, budget=Budget(target=1_500, recall=0)) as door:
            chat = door.conversation("c")
            return [(await chat.send(message)).context.tokens for message in talk(1, 80)]

    assert max(run(scenario())) <= 1_500


def test_a_target_below_the_fixed_parts_is_one_error_and_no_loop() -> None:
    """The sizes are named, nothing is summarised, and the conversation goes on with room (B41, B46)."""
    model, summarizer = ScriptedModel(lambda _: "Noted."), Listening()
    instructions = STANDING + " Be patient." * 400

    async def scenario() -> None:
        async with assistant(
            model, summarizer=summarizer, instructions=instructions, budget=Budget(target=500)
        ) as door:
            chat = door.conversation("c")
            for _ in range(3):
                with pytest.raises(ContextTooLarge, match="500"):
                    await chat.send("Hello?")

    run(scenario())
    assert model.requests == []
    assert summarizer.excerpts == []


def test_a_summary_and_what_it_stands_for_leave_together(store: str) -> None:
    """Read from the store by another process, nothing is neither in view nor summarised (B49)."""

    async def spoken(first: int, last: int) -> ScriptedModel:
        model = ScriptedModel(lambda _: "Noted.")
        async with assistant(model, store=store, budget=Budget(target=1_200, recall=0)) as door:
            chat = door.conversation("c")
            for message in talk(first, last):
                await chat.send(message)
            covered = {
                turn
                for event in await recorded(chat, SummaryWritten)
                for turn in range(event.covers.first, event.covers.last + 1)
            }
            cut = (await recorded(chat, ModelResponded))[-1].request.cut
            assert covered >= set(range(cut.since, cut.first))
        return model

    if store == "memory:":
        run(spoken(1, 24))
        return
    for first in (1, 13, 25):
        model = run(spoken(first, first + 11))
    newest = "\n".join(model.requests[-1].said)
    assert "<summary" in newest
    assert "70001" in newest


def test_a_request_after_a_cut_is_smaller_than_the_one_before() -> None:
    """Nothing that a cut writes is larger than what it took out, large results above all (B44, B50)."""

    @tool(effect="read")
    def dump(order: str) -> str:
        """Dump a record."""
        return "\n".join(f"{order} row {n}: value {n * 7_919}" for n in range(120))

    def answer(asked: Asked) -> Call | str:
        return "Here it is." if asked.results else Call("dump", {"order": "70001"})

    model = ScriptedModel(answer)

    async def scenario() -> list[bool]:
        async with assistant(model, tools=[dump], budget=Budget(target=6_000, recall=0)) as door:
            chat = door.conversation("c")
            for message in talk(1, 20, text="show me"):
                assert (await chat.send(message)).context.tokens <= 6_000
            return [bool(event.request.managed) for event in await recorded(chat, ModelResponded)]

    managed = run(scenario())
    assert any(managed)
    sizes = [sum(estimate_text(said) for said in asked.said) for asked in model.requests]
    for number, asked in enumerate(model.requests):
        if managed[number]:
            assert sizes[number] < sizes[number - 1] + estimate_text(asked.said[-1])


def test_the_language_and_the_tools_outlive_a_cut() -> None:
    """What stands for the turns that left is in their language and names no tool that there is not (B52)."""

    @tool(effect="read")
    def bestellung_ansehen(nummer: str) -> str:
        """Sieh nach."""
        return f"Bestellung {nummer} ist unterwegs und sollte morgen ankommen, sagt das Lager."

    def answer(asked: Asked) -> Call | str:
        return "Sie ist unterwegs." if asked.results else Call("bestellung_ansehen", {"nummer": "70001"})

    model = ScriptedModel(answer)
    german = "Ich warte immer noch auf die Lieferung und niemand konnte mir bisher sagen, wo sie ist. " * 3

    async def scenario() -> list[SummaryWritten]:
        async with assistant(
            model, tools=[bestellung_ansehen], budget=Budget(target=1_800, recall=0)
        ) as door:
            chat = door.conversation("c")
            for number in range(16):
                await chat.send(f"Nachricht {number}: {german}")
            return await recorded(chat, SummaryWritten)

    written = run(scenario())
    assert written
    english = re.compile(r"\b(?:the|customer|asked|was|and)\b")
    assert not any(english.search(event.text) for event in written)
    called = {name for event in written for name in re.findall(r"\b(\w+)\(\{", event.text)}
    assert called <= {"bestellung_ansehen"}


VALUES = {
    "a path": "/srv/app/config/settings.prod.yaml",
    "a version": "v2.14.3",
    "a UUID": "5f0c8a52-3f7e-4f0e-9a6e-2f1f7d6a9b10",
    "a SHA": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    "money": "$1,284.50",
    "a percentage": "37.5%",
    "a URL": "https://status.example.com/incidents/8841",
    "an e-mail": "ops@example.com",
    "a duration": "45 minutes",
    "a date": "March 11, 2026",
}


@pytest.mark.parametrize("speaker", ["user", "assistant", "tool"])
@pytest.mark.parametrize("summary", [None, "They spoke about the server and settled what to do next."])
def test_exact_values_outlive_every_cut_word_for_word(speaker: str, summary: str | None) -> None:
    """Whoever said them, and whatever the summary says: all are in view after many cuts (B53, B55)."""
    told = "; ".join(f"{name} {value}" for name, value in VALUES.items())

    @tool(effect="read")
    def look() -> str:
        """Look up."""
        return told

    def answer(asked: Asked) -> Call | str:
        if "remember" not in asked.prompt:
            return "Noted."
        if speaker == "tool" and not asked.results:
            return Call("look", {})
        return told if speaker == "assistant" else "Noted."

    model = ScriptedModel(answer)

    async def scenario() -> None:
        async with assistant(
            model, tools=[look], summarizer=Listening(summary), budget=Budget(target=3_000, recall=0)
        ) as door:
            chat = door.conversation("c")
            await chat.send("Hello there.")
            await chat.send(f"Please remember this. {told if speaker == 'user' else ''}")
            for message in talk(3, 30, text=LONG.replace("the", "a") * 2):
                await chat.send(message)

    run(scenario())
    newest = "\n".join(model.requests[-1].said)
    assert "Please remember this." not in model.requests[-1].said[-1]
    assert [name for name, value in VALUES.items() if value not in newest] == []


def test_what_both_sides_promised_outlives_every_cut() -> None:
    """Who undertook what, word for word, beside a summary that says nothing of it (B53)."""
    promises = {
        "user": "I'll send the signed contract by Friday.",
        "assistant": "I might waive the fee if the contract is here in time.",
    }
    model = ScriptedModel(lambda asked: promises["assistant"] if "signed" in asked.prompt else "Noted.")

    async def scenario() -> list[Kept]:
        async with assistant(
            model, summarizer=Listening("They spoke about a contract."), budget=Budget(target=1_000, recall=0)
        ) as door:
            chat = door.conversation("c")
            await chat.send("Hello there.")
            await chat.send(promises["user"])
            for message in talk(3, 24):
                await chat.send(message)
            return [kept for event in await recorded(chat, SummaryWritten) for kept in event.kept]

    kept = run(scenario())
    assert {entry.speaker for entry in kept if entry.text in promises.values()} == set(promises)
    newest = "\n".join(model.requests[-1].said)
    assert all(promise in newest for promise in promises.values())


def test_the_goal_stays_word_for_word_and_summaries_are_of_originals() -> None:
    """After many cuts the first request stands, and no summary was made of a summary (B56)."""
    model, summarizer = ScriptedModel(lambda _: "Noted."), Listening("GIST: they spoke.")

    async def scenario() -> None:
        async with assistant(model, summarizer=summarizer, budget=Budget(target=1_200, recall=0)) as door:
            chat = door.conversation("c")
            for message in (GOAL, *talk(2, 60)):
                await chat.send(message)

    run(scenario())
    assert len(summarizer.excerpts) > 5
    assert not any("GIST" in given for given in summarizer.inputs)
    for before, after in pairwise(summarizer.excerpts):
        assert after.covers.first > before.covers.last
    assert all(GOAL in "\n".join(asked.said) for asked in model.requests)


# Counting --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stream", [False, True])
def test_a_provider_that_reports_nothing_does_not_switch_the_budget_off(stream: bool) -> None:
    """No usage, streamed or not, is unknown and never zero: the target holds (B64, B65)."""
    model = ScriptedModel(lambda _: "Noted.", report=False)

    async def scenario() -> None:
        async with assistant(model, budget=Budget(target=1_200)) as door:
            chat = door.conversation("c")
            cuts = 0
            for message in talk(1, 20):
                if stream:
                    said = chat.stream(message)
                    await sentences(said)
                    reply = await said.reply()
                else:
                    reply = await chat.send(message)
                assert 0 < reply.context.tokens <= 1_200
                cuts += bool(reply.context.managed)
            assert cuts
            assert len(await recorded(chat, TurnClosed)) == 20

    run(scenario())


def png(width: int, height: int) -> BinaryContent:
    """A PNG of this size, and of 400 kB."""
    head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big")
    return BinaryContent(head + b"\0" * 400_000, media_type="image/png")


PDF = BinaryContent(
    b"%PDF-1.4 << /Type /Pages /Count 2 >>" + b" << /Type /Page >>" * 2 + b"\0" * 400_000,
    media_type="application/pdf",
)


@pytest.mark.parametrize(
    ("said", "least", "most"),
    [
        pytest.param(["What is this?", png(4_000, 3_000)], 1_400, 1_700, id="B61, B62: a large image"),
        pytest.param(["What is this?", png(100, 100)], 64, 1_200, id="B62: a small image"),
        pytest.param(["What is this?", PDF], 3_000, 6_500, id="B61: a document of two pages"),
        pytest.param(
            "请帮我查一下我的订单什么时候能够送到谢谢" * 200, 2_400, 4_400, id="B67: 4,000 signs of Chinese"
        ),
        pytest.param("أين طلبي من فضلك ومتى يصل إلى المنزل " * 100, 1_200, 3_000, id="B67: Arabic"),
    ],
)
def test_a_turn_is_counted_by_what_is_in_it(said: object, least: int, most: int) -> None:
    """Never 100,000 tokens for an image in base64, never a quarter of a token for a sign."""

    async def scenario() -> int:
        async with assistant(lambda _: "Noted.", budget=Budget(target=400_000)) as door:
            chat = door.conversation("c")
            empty = (await door.conversation("d").send("?")).context.tokens
            return (await chat.send(said)).context.tokens - empty  # type: ignore[arg-type]  # of several kinds

    assert least <= run(scenario()) <= most


# Caching ---------------------------------------------------------------------------------------------------------------


def test_new_facts_and_later_turns_move_no_byte_of_the_head() -> None:
    """Until a cut, a request begins with the one before it: nothing that changes stands at the head (B110)."""
    model = ScriptedModel(lambda _: "Noted.")

    async def scenario() -> None:
        async with assistant(
            model, facts=Customer, instructions=STANDING, budget=Budget(target=40_000)
        ) as door:
            chat = door.conversation("c", user="u")
            for number, message in enumerate(talk(1, 12)):
                await chat.remember(order_id=f"9{number:04d}")
                await chat.send(message)

    run(scenario())
    for before, after in pairwise(model.requests):
        assert (before.instructions, before.tools) == (after.instructions, after.tools)
        assert after.messages[: len(before.messages) - 1] == before.messages[:-1]
