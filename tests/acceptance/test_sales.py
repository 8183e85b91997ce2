"""The sales team over a whole conversation, offline: what it ends with, read from the log alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import pytest

from acceptance.buyers import BUYERS, Buyer
from acceptance.doors import run
from turnstate.apps.sales.agents import sales
from turnstate.apps.sales.script import BUYER
from turnstate.apps.sales.states import DIMENSIONS, Memory, Offered, Progress, Qualification, Scores
from turnstate.core.events import AgentActed, Asked, ModelResponded, Recorded, Said, StateChanged
from turnstate.core.questions import similarity
from turnstate.core.state import State
from turnstate.testing.scripted import Call, ScriptedModel

S = TypeVar("S", bound=State)

SAME = {"6": "six", "wks": "weeks"}


async def played(lines: Sequence[str]) -> tuple[Recorded, ...]:
    """The log of a conversation."""
    async with sales(store="memory:") as shop:
        chat = shop.conversation("buyer", user="dana")
        for place, line in enumerate(lines):
            await chat.send(line, key=str(place))
        return await chat.events()


def ended(events: Sequence[Recorded], state: type[S]) -> S:
    """A state's last value in the log."""
    values = [
        each.event.value
        for each in events
        if isinstance(each.event, StateChanged) and each.event.state == state.__name__
    ]
    return state.model_validate(values[-1]) if values else state()


def said_alike(text: str) -> str:
    """A span of time in one spelling."""
    return " ".join(SAME.get(word, word) for word in text.lower().split())


@pytest.fixture(scope="module")
def demo() -> tuple[Recorded, ...]:
    """The demo's log."""
    return run(played(BUYER))


def test_the_demo_ends_qualified(demo: tuple[Recorded, ...]) -> None:
    """Five right scores, each with the buyer's words and turn; the timeline and the corrected budget right to the word."""
    scores = ended(demo, Scores)
    assert all(getattr(scores, name).value >= 50 for name in DIMENSIONS)
    assert {name: getattr(scores, name).turn for name in DIMENSIONS} == {
        "budget": 10,
        "authority": 8,
        "need": 2,
        "timeline": 3,
        "fit": 4,
    }
    assert (scores.timeline.said, scores.budget.said) == ("six weeks", "$55,000")
    for name in DIMENSIONS:
        score = getattr(scores, name)
        assert score.quote in BUYER[score.turn - 1]
    assert ended(demo, Qualification).is_qualified == "QUALIFIED"
    assert ended(demo, Memory).industry == "logistics"
    assert [each.name for each in ended(demo, Offered).shared] == ["send_case_study", "book_meeting"]
    progress = ended(demo, Progress)
    assert (progress.phase, progress.previous_phase) == ("close", "asset sharing")


def test_no_question_is_repeated(demo: tuple[Recorded, ...]) -> None:
    """Neither for the same thing, nor in the same words; nothing that was volunteered is asked for."""
    asked = [
        (each.turn, question)
        for each in demo
        if isinstance(each.event, Asked)
        for question in each.event.questions
    ]
    keys = [key for _, key in dict.fromkeys((turn, question.key) for turn, question in asked) if key]
    assert len(keys) == len(set(keys)) >= 4
    for place, (turn, one) in enumerate(asked):
        earlier = [other for before, other in asked[:place] if before < turn]
        assert all(similarity(one.text, other.text) < 0.8 for other in earlier)
    assert "Scores.need" not in keys


def test_what_is_not_on_record_is_refused_without_a_call(demo: tuple[Recorded, ...]) -> None:
    """By the designed answer, in the turn that asks it and in no other."""
    turn = 1 + next(place for place, line in enumerate(BUYER) if "COBOL" in line)
    refused = {each.turn for each in demo if isinstance(each.event, Said)}
    called = {each.turn for each in demo if isinstance(each.event, ModelResponded)}
    assert refused == {turn}
    assert called == set(range(1, 16)) - {turn}


def test_researcher_and_orchestrator_are_side_by_side(demo: tuple[Recorded, ...]) -> None:
    """In every turn; and the orchestrator never writes the memory."""
    for turn in range(1, 16):
        acted = {
            each.event.agent: each.event
            for each in demo
            if isinstance(each.event, AgentActed) and each.turn == turn
        }
        assert acted["researcher"].stage == acted["orchestrator"].stage
        assert set(acted["orchestrator"].wrote) <= {"Routing"}
    owners = {each.event.state: each.event.owner for each in demo if isinstance(each.event, StateChanged)}
    assert owners["Qualification"] == "qualify"
    assert not any(each.event.refused for each in demo if isinstance(each.event, AgentActed))


def test_the_phases_go_forward_one_by_one(demo: tuple[Recorded, ...]) -> None:
    """And assets are shared only once the buyer is qualified."""
    values = [
        each.event.value
        for each in demo
        if isinstance(each.event, StateChanged) and each.event.state == "Progress"
    ]
    phases = list(dict.fromkeys([Progress().phase, *(value["phase"] for value in values)]))
    assert phases == ["discovery", "qualification", "asset sharing", "close"]
    qualified = next(
        each.turn
        for each in demo
        if isinstance(each.event, StateChanged)
        and each.event.state == "Qualification"
        and each.event.value["is_qualified"] == "QUALIFIED"
    )
    assert all(each.turn > qualified for each in ended(demo, Offered).shared)


@pytest.mark.parametrize("buyer", BUYERS, ids=lambda buyer: buyer.name)
def test_other_buyers_end_the_same(buyer: Buyer) -> None:
    """The same story in twenty people's own words."""
    events = run(played(buyer.lines))
    scores = ended(events, Scores)
    assert said_alike(scores.timeline.said) == said_alike(buyer.timeline)
    assert scores.budget.said == buyer.budget
    assert all(getattr(scores, name).value >= 50 for name in DIMENSIONS)
    assert ended(events, Qualification).is_qualified == "QUALIFIED"
    turn = 1 + next(place for place, line in enumerate(buyer.lines) if buyer.unanswerable in line)
    assert any(isinstance(each.event, Said) and each.turn == turn for each in events)


def test_qualification_resumes_where_it_stopped(tmp_path: Path) -> None:
    """On a later call, by another process: what is known is not asked again, and what is missing is."""

    async def scenario(store: str) -> tuple[Recorded, ...]:
        async with sales(store=store) as shop:
            chat = shop.conversation("buyer", user="dana")
            for line in BUYER[:5]:
                await chat.send(line)
        async with sales(store=store) as shop:
            chat = shop.conversation("buyer", user="dana")
            for line in (
                "Hi again, where were we?",
                "I sign off on it myself.",
                "The budget is $55,000 now.",
            ):
                await chat.send(line)
            return await chat.events()

    events = run(scenario(f"sqlite:///{tmp_path / 'sales.db'}"))
    assert ended(events, Qualification).is_qualified == "QUALIFIED"
    keys = [q.key for each in events if isinstance(each.event, Asked) for q in each.event.questions if q.key]
    assert "Scores.timeline" not in keys[3:]


def test_a_buyer_who_declines_may_come_back() -> None:
    """UNQUALIFIED ends politely, without a question, and is reversible."""
    events = run(played([*BUYER[:3], "We are not interested after all, please stop.", *BUYER[3:10]]))
    verdicts = [
        each.event.value["is_qualified"]
        for each in events
        if isinstance(each.event, StateChanged) and each.event.state == "Qualification"
    ]
    assert "UNQUALIFIED" in verdicts
    assert verdicts[-1] == "QUALIFIED"
    farewell = next(each.event.text for each in events if isinstance(each.event, Said))
    assert "?" not in farewell


def test_an_orchestrator_with_a_model_proposes_and_the_scores_decide() -> None:
    """Its call is one of its own; a phase that the scores do not allow is not entered; without a record, rules route."""
    route = {"changes": [{"state": "Routing", "field": "next_agent", "op": "set", "value": "closer"},
                         {"state": "Routing", "field": "phase", "op": "set", "value": "close"},
                         {"state": "Memory", "field": "industry", "op": "set", "value": "mining"}]}  # fmt: skip
    model = ScriptedModel(
        [Call("record", route), "Shall we book?", "I would rather not say.", "What brings you here?"]
    )

    async def scenario() -> tuple[Recorded, ...]:
        async with sales(model, store="memory:", orchestrator="model") as shop:
            chat = shop.conversation("buyer")
            await chat.send("Hello there.")
            await chat.send("Well.")
            return await chat.events()

    events = run(scenario())
    acted = [each.event for each in events if isinstance(each.event, AgentActed)]
    spoke = [event.agent for event in acted if event.part == "speaker"]
    assert spoke == ["closer", "discovery"]
    routed = [event for event in acted if event.agent == "orchestrator"]
    assert [event.by for event in routed] == ["scripted:scripted", "rules"]
    assert [(refused.state, refused.owner) for refused in routed[0].refused] == [
        ("Memory", "discovery | consultant | presenter | closer | farewell")
    ]
    assert ended(events, Progress).phase == "discovery"
    assert "nothing is known" in ended(events, Progress).reason
    assert ended(events, Memory).industry == ""
