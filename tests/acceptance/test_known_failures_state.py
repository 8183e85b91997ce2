"""Failures that other systems have shipped with state, parallel writers, questions, phases and handoffs, end to end.

Tested elsewhere: S14 and S60 with every way to write a foreign state, S17 with crashes between stages, in test_teams.py; S5
and S9 without a team in test_concurrency.py; what is asked again (S32, S33, S35, S39, S42) in tests/core/questions; how a
fact is admitted and superseded (S35, S41, S42, S44) in tests/core/test_facts.py and test_rules.py; grounding (S56 to S59)
in test_knowledge_gate.py; summaries (S62, S63) in tests/core/fidelity.

Not of our kind: S36 (an option of a form that is never consumed) and the limits of S33 need forms, and there are none: a
question is asked by an agent, and what has been answered is known from the log. S20 to S29 are about locks that stores
hold while a turn runs; ours hold none, and a late writer is refused because its turn is closed (test_crash.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from pydantic import ValidationError
from pydantic_ai.exceptions import ModelHTTPError

from acceptance.doors import recorded, run
from turnstate import Assistant, Brief, InTurn, Item, OneOf, State, Team, UserMessage, Verbatim, speaker
from turnstate.core.events import AgentActed, Event, Recorded, Said, StateChanged
from turnstate.core.events import Asked as Questions
from turnstate.core.history import Snapshot
from turnstate.core.phases import Path as Phases
from turnstate.core.questions import Asks
from turnstate.errors import ModelFailed, StateDeclarationError
from turnstate.stores import MemoryLog
from turnstate.testing.scripted import Answer, Call, ScriptedModel
from turnstate.turn.agents import AgentReply


class Pain(Item):
    """What hurts."""

    text: str = ""
    quote: Verbatim = ""
    turn: InTurn = 0


class Memory(State):
    """What is known."""

    timeline: str = ""
    budget: str = ""
    industry: str = ""
    pains: tuple[Pain, ...] = ()


class Count(State):
    """One more in each turn."""

    turns: int = 0


class Other(State):
    """A second one."""

    turns: int = 0


class Heard(State, scope="turn"):
    """What the newest message says."""

    timeline: str = ""


class Routing(State, scope="turn"):
    """Who is next."""

    next_agent: str = ""


def count(value: Count) -> Count:
    """One more."""
    return Count(turns=value.turns + 1)


def other(value: Other) -> Other:
    """One more."""
    return Other(turns=value.turns + 1)


TALK = speaker("talk", reads=[Memory], owns=[Memory], role="Talk.")


def note(*changes: tuple[str, str, object], state: str = "Memory") -> Call:
    """A `record` call: field, operation and value of each change."""
    listed = [{"state": state, "field": field, "op": op, "value": value} for field, op, value in changes]
    return Call("record", {"changes": listed})


def told(prompt: str) -> str:
    """The brief of a request."""
    return prompt.split("<brief ")[1].split(">\n", 1)[1].split("</brief>", maxsplit=1)[0]


def test_s2_what_is_given_back_unchanged_is_no_write() -> None:
    """Side by side, each agent gives back all that it owns; only what changed is written."""

    def echo(value: Count) -> Count:
        return value

    async def scenario() -> None:
        async with Assistant(ScriptedModel(["Fine."]), team=Team(echo, other, TALK), store="memory:") as shop:
            chat = shop.conversation("c")
            await chat.send("Hello")
            assert [change.state for change in await recorded(chat, StateChanged)] == ["Other"]

    run(scenario())


def test_s3_two_record_calls_of_one_response_are_one_patch() -> None:
    """Our own call has no key that two of them could fight over."""
    both = ["Fine.", note(("timeline", "set", "May")), note(("budget", "set", "$5"))]

    async def scenario() -> None:
        async with Assistant(ScriptedModel([both]), team=Team(TALK), store="memory:") as shop:
            chat = shop.conversation("c")
            assert (await chat.send("Hello")).text == "Fine."
            assert await chat.state(Memory) == Memory(timeline="May", budget="$5")

    run(scenario())


def test_s5_messages_sent_at_once_lose_no_write(store: str) -> None:
    """Each turn begins from what the one before it wrote."""

    async def scenario() -> None:
        model = ScriptedModel(lambda asked: "Fine.")
        async with Assistant(model, team=Team(count, TALK), store=store) as shop:
            chat = shop.conversation("c")
            await asyncio.gather(*(chat.send(f"Message {n}") for n in range(5)))
            assert await chat.state(Count) == Count(turns=5)

    run(scenario())


def test_s6_what_agents_write_side_by_side_is_all_kept() -> None:
    """Two states, one stage, one transaction."""

    async def scenario() -> None:
        async with Assistant(
            ScriptedModel(["Fine."]), team=Team(count, other, TALK), store="memory:"
        ) as shop:
            chat = shop.conversation("c")
            await chat.send("Hello")
            assert (await chat.state(Count), await chat.state(Other)) == (Count(turns=1), Other(turns=1))

    run(scenario())


def test_s8_an_item_is_appended_once(store: str) -> None:
    """However often the message is sent and the log is read; it has an id, and never two."""
    pain = note(("pains", "append", {"text": "slow", "quote": "slow exports"}))

    async def scenario() -> None:
        for _ in range(2 if store.startswith("sqlite") else 1):
            model = ScriptedModel([["Fine.", pain], "Fine.", "Fine."])
            async with Assistant(model, team=Team(TALK), store=store) as shop:
                chat = shop.conversation("c")
                for key in ("a", "a", "b"):
                    await chat.send("We have slow exports", key=key)
                (item,) = (await chat.state(Memory)).pains
                assert item == Pain(id="1.1", text="slow", quote="slow exports", turn=1)

    run(scenario())


def test_s9_conversations_of_one_team_share_nothing() -> None:
    """One assistant, one team, many conversations at once: each has states of its own."""

    def keep(message: UserMessage) -> Memory:
        return Memory(timeline=message.text)

    async def scenario() -> None:
        team = Team(keep, speaker("talk", reads=[Memory], role="Talk."))
        async with Assistant(ScriptedModel(lambda asked: "Fine."), team=team, store="memory:") as shop:
            chats = [shop.conversation(f"c{n}") for n in range(8)]
            await asyncio.gather(*(chat.send(f"Week {n}") for n, chat in enumerate(chats)))
            assert [(await chat.state(Memory)).timeline for chat in chats] == [f"Week {n}" for n in range(8)]

    run(scenario())


def test_s11_what_was_written_is_read_at_defined_points() -> None:
    """At the close, what the turn wrote; in the next turn, what was in force when it opened."""
    seen: list[tuple[str, str]] = []

    def before(memory: Memory) -> None:
        seen.append(("before", memory.timeline))

    def after(memory: Memory, reply: AgentReply, value: Count) -> Count:
        seen.append(("after", memory.timeline))
        return value

    async def scenario() -> None:
        script: list[Answer] = [["Fine.", note(("timeline", "set", n))] for n in ("May", "June")]
        async with Assistant(
            ScriptedModel(script), team=Team(before, TALK, at_close=[after]), store="memory:"
        ) as shop:
            for text in ("one", "two"):
                await shop.conversation("c").send(text)
        assert seen == [("before", ""), ("after", "May"), ("before", "May"), ("after", "June")]

    run(scenario())


class Watching(MemoryLog):
    """A log that remembers what was written in one transaction."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[list[str]] = []

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
        """Write, and remember."""
        self.written.append([type(event).__name__ for event in events])
        return await super().append(conversation, turn, events, at, snapshot=snapshot, token=token)


def test_s12_and_s30_what_the_user_saw_is_written_with_what_state_says() -> None:
    """A reply that no model wrote, its states, its questions and the end of the turn: one transaction, or none."""

    def gate(memory: Memory) -> str | None:
        return None if memory.timeline else "When do you want to start?"

    def keep(message: UserMessage) -> Memory:
        return Memory(timeline=message.text)

    async def scenario() -> None:
        log = Watching()
        talk = speaker("talk", reads=[Memory], owns=[Memory], role="Talk.", gate=gate, rules=keep)
        team = Team(talk, asks={"Memory.timeline": Asks("start", ("start",))})
        model = ScriptedModel(["Noted. What else?"])
        async with Assistant(model, team=team, store=log) as shop:
            chat = shop.conversation("c")
            assert (await chat.send("Hello")).text == "When do you want to start?"
            assert log.written[-1] == ["Said", "AgentActed", "StateChanged", "Asked", "TurnClosed"]
            await chat.send("In May")
            assert log.written[-1][0] == "ModelResponded"
            assert log.written[-1][-1] == "TurnClosed"
            assert "StateChanged" in log.written[-1]
            assert "Memory.timeline" in repr(await recorded(chat, Questions))
            assert "turn 1: When do you want to start?" in told(model.requests[0].prompt)

    run(scenario())


def test_s14_a_state_cannot_be_assigned_to() -> None:
    """Nor can a record within it."""
    memory = Memory(pains=(Pain(text="slow"),))
    for value, name in ((memory, "timeline"), (memory.pains[0], "text")):
        with pytest.raises(ValidationError, match="frozen"):
            setattr(value, name, "x")


def test_s15_a_value_that_would_not_read_back_is_not_written(tmp_path: Path) -> None:
    """None among texts is refused at the writer, and the conversation is readable for ever."""
    database = f"sqlite:///{tmp_path / 'chat.db'}"

    def broken(value: Memory) -> Memory:
        return value.model_copy(update={"pains": (None,)})

    async def scenario() -> None:
        for _ in range(2):
            team = Team(broken, speaker("talk", reads=[Memory], role="Talk."))
            async with Assistant(ScriptedModel(["Fine."]), team=team, store=database) as shop:
                chat = shop.conversation("c")
                assert (await chat.send("Hello")).text == "Fine."
                assert await chat.state(Memory) == Memory()
                acted = await recorded(chat, AgentActed)
                assert [(each.state, each.owner) for each in acted[0].refused] == [("Memory", "broken")]

    run(scenario())


def test_s18_what_cannot_be_written_is_refused_when_its_class_is_made() -> None:
    """Not when the first value of it is to be saved."""
    with pytest.raises(StateDeclarationError):
        type("Broken", (State,), {"__annotations__": {"lock": object}, "lock": None, "__module__": __name__})
    with pytest.raises(StateDeclarationError):
        type("Open", (State,), {"__annotations__": {"found": list[str]}, "found": [], "__module__": __name__})


def test_s32_what_the_message_volunteers_is_known_before_a_question_is_planned() -> None:
    """What is heard in a turn stands in the brief of the same turn."""

    def hear(message: UserMessage) -> Heard:
        return Heard(timeline="May" if "May" in message.text else "")

    def brief(heard: Heard, memory: Memory) -> Brief:
        known = heard.timeline or memory.timeline
        return Brief(missing=() if known else ("timeline",), known=(("timeline", known),))

    async def scenario() -> None:
        talk = speaker("talk", reads=[Memory, Heard], owns=[Memory], role="Talk.", brief=brief)
        model = ScriptedModel(["Fine."])
        async with Assistant(model, team=Team(talk, hear), store="memory:") as shop:
            await shop.conversation("c").send("We start in May")
        assert "missing" not in told(model.requests[0].prompt)
        assert "timeline: May" in told(model.requests[0].prompt)

    run(scenario())


def test_s35_what_the_agent_said_itself_fills_nothing() -> None:
    """A quote has to stand in the user's message; the agent's own words are none of it."""
    own = note(("pains", "append", {"text": "slow", "quote": "Are exports slow?"}))

    async def scenario() -> None:
        script: list[Answer] = ["Are exports slow?", ["Noted.", own]]
        async with Assistant(ScriptedModel(script), team=Team(TALK), store="memory:") as shop:
            chat = shop.conversation("c")
            for text in ("Hello", "Hm"):
                await chat.send(text)
            assert (await chat.state(Memory)).pains == ()
            assert [each.field for act in await recorded(chat, AgentActed) for each in act.refused] == [
                "pains"
            ]

    run(scenario())


def test_s38_a_turn_that_goes_on_says_and_asks_nothing_twice(store: str) -> None:
    """The model failed once; the agents before it do not act again, and the question is on record once."""

    async def scenario() -> None:
        model = ScriptedModel([ModelHTTPError(500, "m", "down"), "Fine. When do you start?"])
        async with Assistant(
            model, team=Team(count, TALK, asks={"t": Asks("start", ("start",))}), store=store
        ) as shop:
            chat = shop.conversation("c")
            with pytest.raises(ModelFailed):
                await chat.send("Hello", key="k")
            await chat.send("Hello", key="k")
            await chat.send("Hello", key="k")
            assert len(await recorded(chat, Questions)) == 1
            assert [act.agent for act in await recorded(chat, AgentActed)] == ["count", "talk"]
            assert await chat.state(Count) == Count(turns=1)

    run(scenario())


def test_s39_another_conversation_of_the_same_user_begins_anew(store: str) -> None:
    """States belong to a conversation; what is the user's own are facts."""

    async def scenario() -> None:
        model = ScriptedModel([["Fine.", note(("timeline", "set", "May"))], "Fine."])
        async with Assistant(model, team=Team(TALK), store=store) as shop:
            await shop.conversation("one", user="u").send("In May")
            await shop.conversation("two", user="u").send("Hello")
            assert (await shop.conversation("one", user="u").state(Memory)).timeline == "May"
            assert await shop.conversation("two", user="u").state(Memory) == Memory()
            assert "May" not in told(model.requests[1].prompt)

    run(scenario())


def test_s41_a_value_that_does_not_fit_leaves_the_old_one() -> None:
    """It is refused, and the log says so."""
    script: list[Answer] = [
        ["Fine.", note(("timeline", "set", "May"))],
        ["Fine.", note(("timeline", "set", ["a"]))],
    ]

    async def scenario() -> None:
        async with Assistant(ScriptedModel(script), team=Team(TALK), store="memory:") as shop:
            chat = shop.conversation("c")
            for text in ("one", "two"):
                await chat.send(text)
            assert (await chat.state(Memory)).timeline == "May"
            assert (await recorded(chat, AgentActed))[-1].refused[0].field == "timeline"

    run(scenario())


def test_s44_a_new_value_takes_the_old_ones_place_and_both_are_on_record() -> None:
    """The next brief shows the new one alone; the log has both, each with its turn."""
    script: list[Answer] = [
        *(["Fine.", note(("budget", "set", each))] for each in ("$40,000", "$60,000")),
        "Fine.",
    ]

    async def scenario() -> None:
        model = ScriptedModel(script)
        async with Assistant(model, team=Team(TALK), store="memory:") as shop:
            chat = shop.conversation("c")
            for text in ("one", "two", "three"):
                await chat.send(text)
            brief = told(model.requests[-1].prompt)
            assert "$60,000" in brief
            assert "$40,000" not in brief
            events = await chat.events()
            changed = [(e.turn, e.event.value["budget"]) for e in events if isinstance(e.event, StateChanged)]
            assert changed == [(1, "$40,000"), (2, "$60,000")]

    run(scenario())


class NewMemory(State, name="Memory"):
    """As a later release declares it, without saying how old values read."""

    timeline: str = ""


def test_s45_a_field_or_a_state_that_is_gone_stops_nothing(tmp_path: Path) -> None:
    """A value that no longer reads is reported and its defaults are used; a state that nobody has is left alone."""
    database = f"sqlite:///{tmp_path / 'chat.db'}"

    async def scenario() -> None:
        script: list[Answer] = [["Fine.", note(("budget", "set", "$5"))]]
        async with Assistant(ScriptedModel(script), team=Team(count, TALK), store=database) as shop:
            await shop.conversation("c").send("one")
        talk = speaker("talk", reads=[NewMemory], owns=[NewMemory], role="Talk.")
        async with Assistant(ScriptedModel(["Fine.", "Fine."]), team=Team(talk), store=database) as shop:
            chat = shop.conversation("c")
            assert (await chat.send("two")).text == "Fine."
            assert await chat.state(NewMemory) == NewMemory()
            notes = (await recorded(chat, AgentActed))[-1].notes
            assert sum("does not read" in each for each in notes) == 1
        async with Assistant(ScriptedModel(["Fine."]), team=Team(count, TALK), store=database) as shop:
            chat = shop.conversation("c")
            await chat.send("three")
            assert (await chat.state(Memory)).budget == "$5", "it was never lost"
            assert await chat.state(Count) == Count(turns=2)

    run(scenario())


def _route(message: UserMessage) -> Routing | None:
    return Routing(next_agent=message.text) if message.text in {"first", "second", "gone"} else None


def _seated() -> Team:
    first = speaker("first", reads=[Memory], owns=[Memory], role="You are the first.")
    second = speaker("second", reads=[Memory], owns=[Memory], role="You are the second.")
    return Team(_route, OneOf(first, second, chosen_by=Routing))


def test_s47_and_s51_who_is_next_is_decided_in_each_turn() -> None:
    """A choice does not outlive its turn, and one that names nobody leaves the first agent seated."""

    async def scenario() -> None:
        model = ScriptedModel(lambda asked: "Fine.")
        async with Assistant(model, team=_seated(), store="memory:") as shop:
            for text in ("second", "Hello", "gone", "second"):
                await shop.conversation("c").send(text)
        roles = [told(asked.prompt).strip().splitlines()[0] for asked in model.requests]
        assert roles == [f"You are the {who}." for who in ("second", "first", "first", "second")]

    run(scenario())


def test_s50_all_that_one_agent_recorded_the_next_one_sees() -> None:
    """N values in, N values visible, with the message that waits."""
    values = {"timeline": "May", "budget": "$5", "industry": "bakeries"}

    async def scenario() -> None:
        model = ScriptedModel([["Fine.", note(*((f, "set", v) for f, v in values.items()))], "Fine."])
        async with Assistant(model, team=_seated(), store="memory:") as shop:
            for text in ("first", "second"):
                await shop.conversation("c").send(text)
        prompt = model.requests[-1].prompt
        assert [value for value in values.values() if value not in told(prompt)] == []
        assert "You are the second." in told(prompt)
        assert prompt.endswith("second")

    run(scenario())


def test_s48_after_a_handoff_the_brief_is_made_from_state() -> None:
    """Not from what a provider remembers: another process goes on with the states and the person's words."""

    async def scenario() -> None:
        log = MemoryLog()
        async with Assistant(
            ScriptedModel([["Fine.", note(("budget", "set", "$5"))]]), team=Team(TALK), store=log
        ) as shop:
            chat = shop.conversation("c")
            await chat.send("It is $5")
            await chat.handoff("asks for a person")
            await chat.send("Are you there?")
            await chat.answer("I am. We ship on Monday.", by="Ada")
            await chat.resume()
        model = ScriptedModel(["Fine."])
        async with Assistant(model, team=Team(TALK), store=log) as shop:
            await shop.conversation("c").send("Good")
            assert [said.text for said in await recorded(shop.conversation("c"), Said)] == [
                "I am. We ship on Monday."
            ]
        assert "budget = $5" in told(model.requests[0].prompt)
        assert any("We ship on Monday." in each for each in model.requests[0].said)

    run(scenario())


class Phase(State):
    """Where it stands."""

    now: str = "discovery"


PHASES = Phases(("discovery", "qualification", "close"))


def test_s53_and_s54_every_turn_says_where_it_stands_and_what_is_missing() -> None:
    """The stage of this turn alone, also when the conversation goes back; what a brief said before is not sent again."""

    def move(phase: Phase, message: UserMessage) -> Phase:
        back = "the user goes back" if message.text == "discovery" else ""
        moved = PHASES.move(phase.now, message.text, closed=lambda _: "", back=back)
        return Phase(now=moved.phase)

    def brief(phase: Phase) -> Brief:
        return Brief(stage=PHASES.stage(phase.now), missing=("budget",))

    async def scenario() -> None:
        talk = speaker("talk", reads=[Phase], role="Talk.", brief=brief)
        model = ScriptedModel(lambda asked: "Fine.")
        async with Assistant(model, team=Team(talk, at_close=[move]), store="memory:") as shop:
            for text in ("close", "close", "discovery", "Hello"):
                await shop.conversation("c").send(text)
        stages = [told(asked.prompt).strip().splitlines()[1] for asked in model.requests]
        assert stages == [
            f"stage {n} of 3: {name}, missing: budget"
            for n, name in ((1, "discovery"), (2, "qualification"), (3, "close"), (1, "discovery"))
        ]
        said = "\n".join(model.requests[-1].said)
        assert said.count("stage ") == 1

    run(scenario())
