"""A turn of a team: stages, what each agent is given, and the events that say what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from acceptance.doors import run
from turnstate import AgentReply, Brief, OneOf, State, Team, UserMessage, speaker, thinker
from turnstate.core.events import (
    AgentActed,
    Asked,
    Count,
    Cut,
    Event,
    Question,
    RequestTrace,
    Said,
    StateChanged,
)
from turnstate.core.history import History, Put, StateHeld, Step, Turn
from turnstate.core.messages import ModelResponse, TextPart, ToolCallPart, user_message
from turnstate.core.questions import Asks
from turnstate.errors import AgentFailed
from turnstate.testing.scripted import Answer, Call, ScriptedModel
from turnstate.turn.agents import Agent
from turnstate.turn.scene import Scene, record_tool
from turnstate.turn.speak import Speaker


class Memory(State):
    """What is known."""

    timeline: str = ""


class Routing(State, scope="turn"):
    """Who speaks."""

    next_agent: str = ""


class Verdict(State):
    """What is thought of it."""

    text: str = ""


def route(message: UserMessage) -> Routing:
    """Chooses by the message."""
    return Routing(next_agent=message.text)


def keep(message: UserMessage) -> Memory:
    """Remembers the message."""
    return Memory(timeline=message.text)


def fail(memory: Memory) -> None:
    """Fails."""
    raise LookupError("no such thing")


def _seller(name: str = "talk", **more: Any) -> Agent:
    return speaker(name, reads=[Memory], owns=[Memory], role=f"Be {name}.", **more)


def scene(team: Team, *answers: Answer) -> Scene:
    """A scene over a scripted model."""
    return Scene(team, lambda agent: Speaker(ScriptedModel(list(answers)), "scripted", ""))


def turn(text: str = "Hello", *parts: TextPart | ToolCallPart) -> Turn:
    """The first turn, with a response of these parts."""
    step = Step(ModelResponse(parts=list(parts)), (), RequestTrace(1, Count(1, 1), 100, Cut()), "scripted")
    return Turn(1, 1, 1, user_message(text, 1), steps=(step,) if parts else ())


def _acts(events: Sequence[Event]) -> list[AgentActed]:
    return [event for event in events if isinstance(event, AgentActed)]


def test_a_stage_is_done_when_each_of_its_seats_has_acted() -> None:
    """What is on record is not done again."""
    found = scene(Team(route, OneOf(_seller("one"), _seller("two"), chosen_by=Routing)))
    now = turn("two")
    stage = found.stage(now)
    assert stage is not None
    acted = _acts(run(found.think(stage, History(), now)))
    assert [(act.agent, act.part, act.stage, act.by, act.wrote) for act in acted] == [
        ("route", "thinker", 0, "code", ("Routing",))
    ]
    done = Turn(1, 1, 1, now.user, acted=tuple(acted))
    assert found.stage(done) is None


def test_what_code_raises_names_its_agent() -> None:
    """Without secrets, and with what was raised behind it."""
    found = scene(Team(fail, keep, speaker("talk", reads=[Memory], role="Talk.")))
    stage = found.stage(turn())
    assert stage is not None
    with pytest.raises(AgentFailed) as failed:
        run(found.think(stage, History(), turn()))
    assert (failed.value.agent, failed.value.reason) == ("fail", "LookupError: no such thing")
    assert isinstance(failed.value.__cause__, LookupError)


@pytest.mark.parametrize(
    ("answer", "by", "timeline"),
    [
        (Call("record", {"Memory": {"timeline": "May"}}), "scripted", "May"),
        (
            '{"changes": [{"state": "Memory", "field": "timeline", "op": "set", "value": "May"}]}',
            "scripted",
            "May",
        ),
        ("I have nothing to record.", "rules", "Hello"),
        (Call("record", {"Other": {"timeline": "May"}}), "rules", "Hello"),
        (RuntimeError("down"), "rules", "Hello"),
    ],
    ids=["a call", "JSON as text", "nothing", "a foreign state", "a failure"],
)
def test_a_thinking_model_records_or_the_rules_take_over(answer: Answer, by: str, timeline: str) -> None:
    """What was refused and what failed is reported; it never fails the turn."""
    look = thinker("look", owns=[Memory], role="Look.", rules=keep)
    found = scene(Team(look, speaker("talk", reads=[Memory], role="Talk.")), answer)
    stage = found.stage(turn())
    assert stage is not None
    acted, changed = run(found.think(stage, History(), turn()))
    assert isinstance(acted, AgentActed)
    assert isinstance(changed, StateChanged)
    assert (acted.by, changed.value) == (by, {"timeline": timeline})


def test_a_gate_speaks_without_the_model() -> None:
    """Where it says nothing, the model is to speak."""

    def gate(message: UserMessage) -> str | None:
        return "No." if message.text == "Hello" else None

    found = scene(Team(_seller(gate=gate)))
    assert run(found.own_words(History(), turn())) == (Said("talk", "No."),)
    assert run(found.own_words(History(), turn("Hi"))) == ()


@pytest.mark.parametrize("said", ["", "  "])
def test_code_that_speaks_has_to_say_something(said: str) -> None:
    """An empty reply is a failure of its agent."""

    def talk(message: UserMessage) -> str:
        return said

    with pytest.raises(AgentFailed, match="it said nothing"):
        run(scene(Team(talk)).own_words(History(), turn()))


@pytest.mark.parametrize(("said", "who"), [("two", "two"), ("one", "one"), ("nobody", "one")])
def test_the_choice_is_who_speaks_and_the_first_where_it_names_nobody(said: str, who: str) -> None:
    """The brief is that agent's."""
    found = scene(Team(route, OneOf(_seller("one"), _seller("two"), chosen_by=Routing)))
    now = turn(said)
    stage = found.stage(now)
    assert stage is not None
    events = run(found.think(stage, History(), now))
    changed = next(event for event in events if isinstance(event, StateChanged))
    from_log = History("c", states=())
    after = Turn(1, 1, 1, now.user, acted=tuple(_acts(events)), changed=(_held(changed),))
    assert found.speaker(from_log, after).name == who
    assert found.brief(from_log, after).startswith(f"Be {who}.")


def _held(changed: StateChanged) -> StateHeld:
    return StateHeld(changed.state, changed.version, changed.owner, changed.value, 1, 1)


def test_the_close_sees_what_the_speaker_recorded_and_the_reply() -> None:
    """One after the other, and with what the reply asks; a function that fails is reported and costs no turn."""

    def judge(memory: Memory, reply: AgentReply) -> Verdict:
        return Verdict(text=f"{reply.agent} {memory.timeline} {reply.text}")

    team = Team(_seller(), at_close=[fail, judge], asks={"start": Asks("start", ("start",))})
    record = ToolCallPart("record", {"Memory": {"timeline": "May"}, "asked": ["start"]}, tool_call_id="a")
    now = turn("Hello", TextPart("When do you start?"), record)
    events = scene(team).closing(History("c", turns=(now,)), now)
    assert [type(event).__name__ for event in events] == [
        *("AgentActed", "StateChanged", "AgentActed", "AgentActed", "StateChanged", "Asked")
    ]
    talk, failed, judged = _acts(events)
    assert (talk.part, talk.by, failed.part, judged.stage) == ("speaker", "scripted", "closer", 2)
    assert "LookupError" in failed.notes[0]
    verdict = next(e for e in events if isinstance(e, StateChanged) and e.state == "Verdict")
    assert verdict.value == {"text": "talk May When do you start?"}
    asked = events[-1]
    assert isinstance(asked, Asked)
    assert [question.key for question in asked.questions] == ["start"]


def test_a_reply_without_a_record_stands_and_the_rules_take_over() -> None:
    """It is reported, with what the brief says of itself; what the rules fail at is reported too."""

    def brief(memory: Memory) -> Brief:
        return Brief(goal="sell", trace=("nothing new for 3 turns",))

    def broken(memory: Memory) -> Memory:
        raise LookupError("no such thing")

    now = turn("Hello", TextPart("Fine."))
    (acted, changed) = scene(Team(_seller(brief=brief, rules=keep))).closing(History(), now)
    assert isinstance(acted, AgentActed)
    assert (acted.by, acted.notes) == (
        "rules",
        ("nothing new for 3 turns", "talk recorded nothing with its reply."),
    )
    assert isinstance(changed, StateChanged)
    (acted,) = scene(Team(_seller(rules=broken))).closing(History(), now)
    assert isinstance(acted, AgentActed)
    assert "LookupError" in acted.notes[-1]


def test_a_brief_shows_what_is_read_unless_it_is_built() -> None:
    """And which questions were put already."""
    asked = (Put(Question("start", "When do you start?"), 1, 1),)
    history = History("c", states=(StateHeld("Memory", 1, "talk", {"timeline": "May"}, 1, 1),), asked=asked)
    told = scene(Team(_seller())).brief(history, turn())
    assert told.splitlines() == [
        *("Be talk.", "known:", "- Memory: timeline = May", "already asked:", "- turn 1: When do you start?")
    ]


def test_what_cannot_be_read_is_noted_by_those_who_read_it() -> None:
    """Its defaults were used, and the log says so."""
    history = History("c", states=(StateHeld("Memory", 7, "talk", {}, 1, 1),))
    now = turn("Hello", TextPart("Fine."))
    (acted,) = scene(Team(_seller())).closing(history, now)
    assert isinstance(acted, AgentActed)
    assert "Memory of turn 1 does not read" in acted.notes[-1]


def test_the_record_call_offers_what_its_agents_own() -> None:
    """By name, with its fields."""
    tool = record_tool([Memory])
    assert tool.name == "record"
    assert "Memory.timeline" in (tool.description or "")
