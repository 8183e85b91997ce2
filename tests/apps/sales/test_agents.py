"""The sales team, wired: one owner for every state, and what it does with a model, without one, and when one fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from acceptance.doors import recorded, run
from apps.sales.pictures import POLICY
from turnstate.apps.sales.agents import BUDGET, ROLES, sales, sales_team
from turnstate.apps.sales.looking_up import sample
from turnstate.apps.sales.states import (
    Answers,
    Heard,
    Language,
    Memory,
    Offered,
    Progress,
    Qualification,
    Questions,
    Research,
    Routing,
    Scores,
)
from turnstate.core.events import AgentActed, ModelResponded, Said
from turnstate.core.evidence import Evidence
from turnstate.core.state import State
from turnstate.testing.scripted import Asked, Call, ScriptedModel

SPECIALISTS = " | ".join(ROLES)
NEEDS = "Our dispatchers lose about ten hours a week re-typing orders."


class Nothing:
    """A knowledge without a single passage."""

    async def search(self, query: str, k: int) -> Sequence[Evidence]:
        """None."""
        return ()


def record(state: str, field: str, value: object) -> Call:
    """A call that records one change."""
    return Call("record", {"changes": [{"state": state, "field": field, "op": "set", "value": value}]})


@pytest.mark.parametrize(
    ("state", "owner"),
    [
        (Heard, "listener"),
        (Language, "listener"),
        (Research, "researcher"),
        (Routing, "orchestrator"),
        (Memory, SPECIALISTS),
        (Scores, SPECIALISTS),
        (Answers, "note_answers"),
        (Offered, "note_offered"),
        (Questions, "note_asked"),
        (Qualification, "qualify"),
        (Progress, "advance"),
    ],
)
def test_every_state_has_its_owner(state: type[State], owner: str) -> None:
    """And there are no others."""
    team = sales_team(Nothing(), POLICY)
    assert team.owner(state) == owner
    assert len(team.states) == 11


def test_researcher_and_orchestrator_are_side_by_side() -> None:
    """Behind the listener, before whoever speaks."""
    team = sales_team(Nothing())
    assert [[seat.name for seat in stage] for stage in team.stages] == [
        ["listener"],
        ["researcher", "orchestrator"],
    ]
    assert {agent.name for agent in team.speaking.agents} == set(ROLES)


def test_what_is_not_on_record_is_not_answered_and_no_model_is_asked() -> None:
    """The designed answer, in the policy's words, and then the question that is due."""
    model = ScriptedModel([])

    async def scenario() -> None:
        async with sales(model, store="memory:", knowledge=Nothing(), policy=POLICY) as shop:
            chat = shop.conversation("c")
            reply = await chat.send("Do you have a COBOL SDK for our mainframe?")
            assert reply.text == f"{POLICY.answer('missing', 'en')} {POLICY.questions['need'][0]}"
            assert (reply.usage.requests, model.requests) == (0, [])
            assert await recorded(chat, ModelResponded) == []
            assert [each.by for each in await recorded(chat, Said)] == ["consultant"]
            assert [each.id for each in (await chat.state(Questions)).asked] == ["need"]

    run(scenario())


def test_a_buyer_who_declines_is_let_go_and_may_come_back() -> None:
    """No model is asked for a goodbye; what was said before is still there."""

    async def scenario() -> None:
        async with sales(store="memory:", policy=POLICY) as shop:
            chat = shop.conversation("c")
            await chat.send(NEEDS)
            reply = await chat.send("No thanks, we are not interested.")
            assert (reply.text, reply.usage.requests) == (POLICY.answer("farewell", "en"), 0)
            assert (await chat.state(Qualification)).is_qualified == "UNQUALIFIED"
            back = await chat.send("We thought about it again: we need it live in six weeks.")
            assert back.usage.requests == 1
            assert (await chat.state(Qualification)).is_qualified == "IN_PROGRESS"
            scores = await chat.state(Scores)
            assert (scores.need.turn, scores.timeline.turn) == (1, 3)

    run(scenario())


def test_a_model_records_and_the_rules_fill_in() -> None:
    """What it records counts; what it leaves out, the rules put down."""

    async def scenario() -> None:
        model = ScriptedModel(
            [
                ["I see. What kind of business are you in?", record("Memory", "next_step", "a call")],
                "Noted.",
            ]
        )
        async with sales(model, store="memory:", knowledge=sample()) as shop:
            chat = shop.conversation("c")
            await chat.send(NEEDS)
            assert (await chat.state(Memory)).next_step == "a call"
            await chat.send("We need this live in six weeks.")
            assert (await chat.state(Scores)).timeline.said == "six weeks"
            assert (await chat.state(Memory)).next_step == "a call"

    run(scenario())


@pytest.mark.parametrize(
    ("state", "field", "value"),
    [("Qualification", "is_qualified", "QUALIFIED"), ("Progress", "phase", "close"), ("Unknown", "x", 1)],
)
def test_a_model_cannot_decide_what_is_not_its_own(state: str, field: str, value: object) -> None:
    """It is refused, on record, and the reply stands."""

    async def scenario() -> None:
        model = ScriptedModel([["I see.", record(state, field, value)]])
        async with sales(model, store="memory:", knowledge=sample()) as shop:
            chat = shop.conversation("c")
            assert (await chat.send(NEEDS)).text == "I see."
            assert (await chat.state(Qualification)).is_qualified == "IN_PROGRESS"
            assert (await chat.state(Progress)).phase == "discovery"
            acted = await recorded(chat, AgentActed)
            assert [refused.state for event in acted for refused in event.refused] == [state]

    run(scenario())


@pytest.mark.parametrize(
    "proposal", [record("Routing", "next_agent", "consultant"), record("Routing", "next_agent", "nobody")]
)
def test_an_orchestrator_may_be_a_model(proposal: Call) -> None:
    """It proposes in a call of its own; a proposal that cannot be used is replaced by the rules'."""

    def answer(asked: Asked) -> Any:
        return [proposal] if "You decide who speaks next" in str(asked.messages) + str(asked) else "I see."

    async def scenario() -> None:
        model = ScriptedModel(answer)
        async with sales(model, store="memory:", knowledge=sample(), orchestrator="model") as shop:
            chat = shop.conversation("c")
            assert (await chat.send(NEEDS)).text == "I see."
            acted = {event.agent: event for event in await recorded(chat, AgentActed)}
            usable = proposal == record("Routing", "next_agent", "consultant")
            assert ("consultant" if usable else "discovery") in acted
            assert len(model.requests) == 2

    run(scenario())


def test_the_policy_decides() -> None:
    """A business with other wordings asks in them."""
    own = replace(POLICY, questions={**POLICY.questions, "fit": ("Whom do you deliver to?",)})

    async def scenario() -> None:
        async with sales(store="memory:", policy=own) as shop:
            reply = await shop.conversation("c").send(NEEDS)
            assert reply.text.endswith("Whom do you deliver to?")
            assert reply.context.target == BUDGET.target

    run(scenario())
