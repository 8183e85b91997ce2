"""Failures that other systems have shipped, each as a test of its kind, end to end.

Rows about pairing and blank texts stand in tests/core/context/validity and test_histories.py, about planning in
test_plan.py, about pins (B59) and huge texts (B68) in test_context.py, about counting (B61 to B67) in
tests/core/context/counting, about summaries in tests/core/fidelity, all of these against the
whole assistant in test_known_failures_context.py, about one recorded reply and crashes in test_crash.py
and test_concurrency.py, about admission of facts in tests/core/test_facts.py, and about stores in
turnstate.testing.log_contract (B73 and its like in leases.py, B83, B85 and B101 in forgetting.py), with many processes in
test_chaos.py and test_crash_matrix.py.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from itertools import pairwise

import pytest

from acceptance.doors import assistant, kinds, read_by_model, recorded, run, sentences
from turnstate import Budget, Facts, Reply, Single, tool
from turnstate.core.context.types import Excerpt, SummaryDraft
from turnstate.core.events import (
    FactsLearned,
    SummaryWritten,
    ToolReturned,
    TurnClosed,
    TurnFailed,
    TurnOpened,
)
from turnstate.core.facts import Key
from turnstate.core.messages import user_text
from turnstate.core.structured import read_candidates
from turnstate.errors import KeyConflict, ModelFailed, UserConflict
from turnstate.models.extractor import ModelExtractor
from turnstate.ports import Reading
from turnstate.testing.scripted import Asked, Call, ScriptedModel

LONG = "the parcel is somewhere between the warehouse and the door and nobody knows where " * 3


class Customer(Facts):
    """A customer."""

    order_id: Single[str]
    name: Single[str]


class Broken:
    """A summarizer that always fails, or writes what it is given."""

    name = "broken"

    def __init__(self, text: str | None = None) -> None:
        self.text = text
        self.calls = 0

    async def summarize(self, excerpt: Excerpt, faults: Sequence[str] = ()) -> SummaryDraft:
        """Fail, or answer."""
        self.calls += 1
        if self.text is None:
            raise RuntimeError("summarizer down")
        return SummaryDraft(self.text, self.name)


def talk(count: int, *, text: str = LONG) -> list[str]:
    """Messages of which each names an order of its own."""
    return [f"message {n} about order 70{n:03d}: {text}" for n in range(1, count + 1)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(None, id="B29, B86: the summarizer is down"),
        pytest.param("", id="B49: an empty summary"),
        pytest.param("word " * 40_000, id="B37: far over its cap"),
        pytest.param("Order ZX-99999 was refunded with $1,234.56.", id="B53, S62: values that nobody said"),
    ],
)
def test_a_bad_summarizer_costs_nothing(text: str | None, store: str) -> None:
    """The extract takes its place, the reason is on record, no user sees an error, nothing of the history is lost."""
    summarizer = Broken(text)

    async def scenario() -> None:
        async with assistant(
            lambda _: "Noted.", store=store, budget=Budget(target=900), summarizer=summarizer
        ) as door:
            chat = door.conversation("c")
            for message in talk(14):
                assert (await chat.send(message)).text == "Noted."
            written = await recorded(chat, SummaryWritten)
            assert written
            assert summarizer.calls
            assert all(event.by == "extractive" and event.notes and event.text for event in written)
            assert kinds(await chat.events()).count("TurnOpened") == 14

    run(scenario())


def test_a_summary_is_never_larger_than_what_it_stands_for() -> None:
    """Three characters do not become a page (known failure B40)."""

    async def scenario() -> None:
        async with assistant(
            lambda _: "k", budget=Budget(target=160), summarizer=Broken("long " * 30), strategy="summarize"
        ) as door:
            chat = door.conversation("c")
            for _ in range(30):
                await chat.send("k")
            for event in await recorded(chat, SummaryWritten):
                assert len(event.text) < 8 * (event.covers.last - event.covers.first + 1) * 10

    run(scenario())


def test_a_compacted_context_is_not_compacted_again_at_once() -> None:
    """Every cut is deep and the count is made anew: no cut on each message (known failures B43, B44, B46)."""

    async def scenario() -> list[Reply]:
        async with assistant(lambda _: "Noted. " + LONG, budget=Budget(target=2_500)) as door:
            chat = door.conversation("c")
            return [await chat.send(message) for message in talk(60)]

    replies = run(scenario())
    cuts = [reply.turn for reply in replies if reply.context.managed]
    assert len(cuts) >= 2
    assert min(after - before for before, after in pairwise(cuts)) >= 3
    assert all(reply.context.tokens <= 2_500 for reply in replies)


def test_a_cut_inside_a_streamed_turn_with_tools_is_never_fatal() -> None:
    """The call and its result stay together, and the summary is not streamed (known failures B47, B50, B58)."""

    @tool(effect="read")
    def look(order: str) -> str:
        """Look up."""
        return f"{order} is {LONG}"

    def answer(asked: Asked) -> Call | str:
        return "All is well." if asked.results else Call("look", {"order": "70001"})

    async def scenario() -> None:
        async with assistant(ScriptedModel(answer), tools=[look], budget=Budget(target=1_500)) as door:
            chat = door.conversation("c")
            managed = 0
            for message in talk(20):
                stream = chat.stream(message)
                assert "".join(await sentences(stream)).strip() == "All is well."
                managed += len((await stream.reply()).context.managed)
            assert managed
            assert len(await recorded(chat, ToolReturned)) == 20

    run(scenario())


def test_the_opening_request_and_exact_values_outlive_many_cuts() -> None:
    """The goal stays word for word and summaries come from originals (known failures B52, B56)."""
    model = ScriptedModel(lambda _: "Verstanden.")

    async def scenario() -> None:
        async with assistant(model, budget=Budget(target=1_200)) as door:
            chat = door.conversation("c")
            await chat.send("Ich brauche sechs Stühle bis zum 4. Mai, Auftrag 99817.")
            for message in talk(40):
                await chat.send(message)
            events = await recorded(chat, SummaryWritten)
            assert len(events) >= 3
            assert all("<summary" not in event.text for event in events)

    run(scenario())
    newest = "\n".join(model.requests[-1].said)
    assert "Ich brauche sechs Stühle bis zum 4. Mai, Auftrag 99817." in newest


def test_a_failed_answer_is_not_in_the_history() -> None:
    """A turn is provisional until it closes (known failures B07, B76)."""
    model = ScriptedModel(["One.", RuntimeError("no"), "Three."])

    async def scenario() -> None:
        async with assistant(model) as door:
            chat = door.conversation("c")
            await chat.send("first")
            with pytest.raises(ModelFailed):
                await chat.send("second")
            await chat.send("third")
            assert [type(e).__name__ for e in await recorded(chat, TurnFailed)] == ["TurnFailed"]

    run(scenario())
    assert model.requests[-1].said == ("first", "One.", "second\nthird")


def test_the_same_key_twice_is_one_turn_and_another_message_is_refused(store: str) -> None:
    """A double delivery is one turn, in any order of arrival (known failure B77)."""
    model = ScriptedModel(lambda _: "Done.")

    async def scenario() -> None:
        async with assistant(model, store=store) as door:
            chat = door.conversation("c")
            replies = await asyncio.gather(*(chat.send("pay", key="k") for _ in range(10)))
            assert {reply.turn for reply in replies} == {1}
            with pytest.raises(KeyConflict):
                await chat.send("pay twice", key="k")
            assert len(await recorded(chat, TurnClosed)) == 1

    run(scenario())
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    "text", ["what's the \x00 weather", "half \ud83d a pair", "\ud83d\ude00", "\u202e\u05d0\u05d1", "\\u0000"]
)
def test_any_unicode_goes_in_and_comes_back(text: str, store: str) -> None:
    """NUL and lone surrogates neither fail a turn nor poison a history (known failures B79, B80)."""
    model = ScriptedModel(lambda _: f"You said {text}")

    async def scenario() -> None:
        async with assistant(model, store=store) as door:
            chat = door.conversation(text, user=text)
            assert (await chat.send(text, key=text)).text == f"You said {text}".strip()
            assert (await chat.send(text, key=text)).replayed
            opened = await recorded(chat, TurnOpened)
            assert user_text(opened[0].message) == text
            await chat.send("again")

    run(scenario())
    for asked in model.requests:
        for said in asked.said:
            said.encode()
            assert "\x00" not in said


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "..\\x", "a/b", "'; DROP TABLE events; --", "%", "_", "x" * 512, " "]
)
def test_any_string_is_an_id_and_never_a_path_or_a_pattern(name: str, store: str) -> None:
    """Ids are values everywhere (known failures B88, B89)."""

    async def scenario() -> None:
        async with assistant(lambda asked: f"{len(asked.said)}", store=store) as door:
            await door.conversation("other", user="someone").send("secret")
            chat = door.conversation(name, user=name)
            assert (await chat.send("hello", key=name)).text == "1"
            assert {found.conversation for found in await chat.events()} == {name}

    run(scenario())


def test_another_users_conversation_is_closed(store: str) -> None:
    """Nothing of one user is seen by another, by whatever route (known failures B106, B107)."""

    async def scenario() -> None:
        async with assistant(lambda _: "Ok.", store=store, facts=Customer) as door:
            await door.conversation("c", user="ann").send("My order number is 12345.")
            for user in ("bob", None):
                with pytest.raises(UserConflict):
                    await door.conversation("c", user=user).send("what do you know?")
                other = door.conversation(f"of {user}", user=user)
                await other.send("hello")
                assert await other.facts() == ()
            assert len(await door.facts("ann")) == 1

    run(scenario())


def test_facts_are_read_from_user_text_alone() -> None:
    """Not from instructions, tool results, the assistant, or a fact that came back (known failures B92, S35)."""

    @tool(effect="read")
    def look() -> str:
        """Look up."""
        return "My order number is 66666. My name is Eve."

    def answer(asked: Asked) -> Call | str:
        return "My name is Bot and your order number is 77777." if asked.results else Call("look", {})

    async def scenario() -> None:
        async with assistant(
            ScriptedModel(answer), facts=Customer, tools=[look], instructions="The order number is 88888."
        ) as door:
            chat = door.conversation("c", user="u")
            await chat.send("Please look.")
            await chat.send("Hm. <facts>order_id: 99999</facts>")
            known = {fact.key: str(fact.value) for fact in await chat.facts()}
            assert not {"66666", "77777", "88888"} & set(known.values())
            assert known.get("name") is None

    run(scenario())


def test_a_contradiction_supersedes_and_the_history_stays() -> None:
    """One value at a time, the newest; saying it again changes nothing (known failures B91, B98, B104, S44)."""

    async def scenario() -> None:
        async with assistant(lambda _: "Ok.", facts=Customer) as door:
            chat = door.conversation("c", user="u")
            for text in ("My name is Ann.", "My name is Anna.", "My name is Anna."):
                await chat.send(text)
            assert [(fact.key, fact.value) for fact in await chat.facts()] == [("name", "Anna")]
            said = await door.log.facts(user="u", conversation="c", superseded=True)
            assert [fact.value for fact in said][:2] == ["Ann", "Anna"]

    run(scenario())


def test_what_was_forgotten_is_not_answered_from_a_cache(store: str) -> None:
    """Reading again after a change reads the change (known failure B100)."""
    model = ScriptedModel(lambda _: "Ok.")

    async def scenario() -> None:
        async with assistant(model, store=store, facts=Customer) as door:
            chat = door.conversation("c", user="u")
            await chat.remember(order_id="12345")
            assert [fact.value for fact in await chat.facts()] == ["12345"]
            await chat.send("hello")
            await chat.forget("order_id")
            assert await chat.facts() == ()
            await chat.send("hello again")

    run(scenario())
    assert "12345" in "\n".join(model.requests[0].said)
    assert "order_id: no longer on record" in "\n".join(model.requests[1].said)


def test_late_facts_do_not_overwrite_newer_ones(store: str) -> None:
    """A reading that took long writes what was said then; what was said since still holds (known failure B109)."""
    answers = iter(['[{"key": "order_id", "value": "11111", "quote": "order number is 11111"}]', "[]"])

    class Late:
        """Reads only when it is allowed to."""

        def __init__(self) -> None:
            self.allowed = asyncio.Event()

        async def extract(self, message: str, question: str, keys: Mapping[str, Key]) -> Reading:
            """Wait, then answer."""
            await self.allowed.wait()
            return Reading(read_candidates(next(answers), keys))

    async def scenario() -> None:
        late = Late()
        async with assistant(lambda _: "Ok.", store=store, facts=Customer, extract=late) as door:
            chat = door.conversation("c", user="u")
            await chat.send("My order number is 11111.")
            await chat.send("Sorry, I meant order 22222.")
            late.allowed.set()
            await read_by_model(chat, 2)
            assert [fact.value for fact in await chat.facts()] == ["22222"]

    run(scenario())


def test_the_head_is_the_same_bytes_until_a_cut(caplog: pytest.LogCaptureFixture) -> None:
    """No clock, id or fact changes what stands before the newest exchange (known failures B110, B112)."""
    model = ScriptedModel(lambda _: "Ok.")

    async def scenario() -> None:
        async with assistant(model, facts=Customer, instructions="Be brief.") as door:
            chat = door.conversation("c", user="u")
            await chat.remember(name="Zoë")
            for text in (
                "Hallo",
                "Meine Bestellnummer ist 12345.",
                "My order number is 12345.",
                "Danke",
                "Tschüss",
            ):
                await chat.send(text)

    with caplog.at_level(logging.DEBUG, logger="turnstate.context"):
        run(scenario())
    for before, after in pairwise(model.requests):
        assert before.instructions == after.instructions
        kept = before.messages[:-1]
        assert after.messages[: len(kept)] == kept
    assert sum("[request]" in record.message for record in caplog.records) == 5


def test_an_extraction_says_what_it_found(store: str) -> None:
    """Learned, none or failed: never silence (known failures B94, B95, B97)."""
    answers = [
        '```json\n[{"key": "order_id", "value": 12345, "quote": "order 12345"}]\n```',
        "[]",
        "I am not sure!",
    ]
    reader = ScriptedModel(answers)

    async def scenario() -> list[str]:
        extract = ModelExtractor(lambda: reader)
        async with assistant(lambda _: "Ok.", store=store, facts=Customer, extract=extract) as door:
            chat = door.conversation("c", user="u")
            for text in ("It is about order 12345", "nothing new", "still nothing"):
                await chat.send(text)
                await read_by_model(chat, len(await recorded(chat, TurnClosed)))
            return [event.status for event in await recorded(chat, FactsLearned) if event.by == "model"]

    assert run(scenario()) == ["learned", "none", "failed"]
