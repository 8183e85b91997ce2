"""The sales team, wired: who reads what, who owns what, in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import resources
from typing import Any, Literal

from pydantic_ai.models import Model

from turnstate.apps.sales import closing
from turnstate.apps.sales.briefing import brief
from turnstate.apps.sales.guarding import asks_of, sales_guards
from turnstate.apps.sales.hearing import Policy as Compared
from turnstate.apps.sales.hearing import hear, language_of
from turnstate.apps.sales.looking_up import look_up, sample
from turnstate.apps.sales.offline import offline_seller
from turnstate.apps.sales.orchestrating import propose
from turnstate.apps.sales.outbox import Outbox, tools
from turnstate.apps.sales.picture import Picture
from turnstate.apps.sales.policy import Policy, read_policy
from turnstate.apps.sales.remembering import remember
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
    Specialist,
)
from turnstate.assistant import Assistant
from turnstate.core.brief import Brief
from turnstate.core.context.budget import Budget
from turnstate.ports import Knowledge, Log
from turnstate.turn.agents import Agent, AgentReply, Given, UserMessage, speaker, thinker
from turnstate.turn.guards import Guard
from turnstate.turn.team import OneOf, Team

BUDGET = Budget(target=4_000)
"""Small on purpose: what the agents need stands in their state."""

ROLES: dict[Specialist, str] = {
    "discovery": "You find out what the buyer needs. Listen first, then ask for the one thing that your brief names.",
    "consultant": "You answer the buyer's questions and objections from the evidence, then lead back to the goal.",
    "presenter": "The buyer is qualified. Share what helps them to decide, with the function that your brief names.",
    "closer": "The buyer is qualified. Agree on the next step, and book it.",
    "farewell": "The buyer is not one for us now. Take leave politely; the door stays open.",
}

ROUTES = (
    "You decide who speaks next to a buyer, from what is on record and the newest message. Look at the qualification first. "
    "Not qualified: discovery asks for what is missing, consultant answers questions and objections. Qualified: presenter "
    "shares what helps to decide, closer agrees on the next step. Not a buyer for us: farewell. Record next_agent, the "
    "phase that should come next, and the reason."
)

READS = (Memory, Scores, Heard, Research, Progress, Qualification, Offered, Language, Questions)


def sales(
    model: str | Model = "offline",
    *,
    store: str | Log = "sqlite:///sales.db",
    knowledge: Knowledge | None = None,
    policy: Policy | None = None,
    outbox: Outbox | None = None,
    orchestrator: Literal["model", "rules"] = "rules",
    budget: Budget = BUDGET,
    **options: Any,
) -> Assistant:
    """The sales assistant.

    Args:
        model: as for `Assistant`; "offline" is this app's own, which writes by rules from the brief alone.
        store: as for `Assistant`.
        knowledge: what may be stated as a fact; the sample in the package if None.
        policy: what the business says; the sample in the package if None.
        orchestrator: who proposes the next agent and phase, as for `sales_team`.
        outbox: where the sample functions of the business put what they send; one in memory if None.
        budget: as for `Assistant`.
        **options: anything else that `Assistant` takes.

    Returns:
        An assistant, to be used in an `async with` block.

    Raises:
        WiringError: as `Assistant`.
    """
    rules, offline = policy or read_policy(), model == "offline"
    team = sales_team(
        knowledge or sample(),
        rules,
        record="rules" if offline else "model",
        orchestrator="rules" if offline else orchestrator,
        guards=sales_guards(rules),
    )
    text = resources.files("turnstate.apps.sales").joinpath("instructions.md").read_text("utf-8").strip()
    return Assistant(
        offline_seller() if offline else model,
        team=team,
        instructions=text,
        tools=tools(outbox or Outbox()),
        budget=budget,
        store=store,
        **options,
    )


def sales_team(
    knowledge: Knowledge,
    policy: Policy | None = None,
    *,
    record: Literal["model", "rules"] = "model",
    orchestrator: Literal["model", "rules"] = "rules",
    guards: Sequence[Guard] = (),
) -> Team:
    """The team.

    Args:
        knowledge: what may be stated as a fact.
        policy: what the business says; the sample in the package if None.
        record: who records what is new: the model that speaks, with the rules for what it leaves out, or the rules.
        orchestrator: who proposes the next agent and phase: a model, in a call of its own, or the rules. Whatever is
            proposed, the phase is decided at the close, over the scores.
        guards: what looks at each sentence of a reply.
    """
    rules = policy or read_policy()
    specialists = [_specialist(name, rules, record) for name in ROLES]
    return Team(
        _listener(rules),
        _researcher(knowledge, rules),
        _orchestrator(rules, orchestrator),
        OneOf(*specialists, chosen_by=Routing),
        at_close=_closers(rules),
        guards=guards,
        asks=asks_of(rules),
    )


def _listener(policy: Policy) -> Callable[..., Any]:
    compared = Compared(
        price=policy.price, industries=policy.industries, smallest=policy.smallest, largest=policy.largest
    )

    def listener(
        message: UserMessage, scores: Scores, memory: Memory, language: Language
    ) -> tuple[Heard, Language]:
        code = language_of(message.text, language.code)
        picture = Picture(policy, memory=memory, scores=scores)
        heard = hear(message.text, expecting=picture.missing, language=code, policy=compared)
        return heard, Language(code=code)

    return listener


def _researcher(knowledge: Knowledge, policy: Policy) -> Callable[..., Any]:
    async def researcher(message: UserMessage, heard: Heard) -> Research:
        return await look_up(knowledge, message.text, heard, policy)

    return researcher


def _orchestrator(policy: Policy, by: Literal["model", "rules"]) -> Given:
    def orchestrator(
        *,
        found: Qualification,
        progress: Progress,
        memory: Memory,
        scores: Scores,
        offered: Offered,
        heard: Heard,
    ) -> Routing:
        return propose(
            Picture(
                policy,
                memory=memory,
                scores=scores,
                heard=heard,
                progress=progress,
                found=found,
                offered=offered,
            )
        )

    if by == "rules":
        return orchestrator
    return thinker(
        "orchestrator",
        reads=(Qualification, Progress, Memory, Scores, Offered, Heard),
        owns=(Routing,),
        role=ROUTES,
        rules=orchestrator,
    )


def _specialist(name: Specialist, policy: Policy, record: Literal["model", "rules"]) -> Agent:
    def told(
        *,
        memory: Memory,
        scores: Scores,
        heard: Heard,
        research: Research,
        progress: Progress,
        found: Qualification,
        offered: Offered,
        questions: Questions,
    ) -> Brief:
        return brief(
            name,
            Picture(
                policy,
                memory=memory,
                scores=scores,
                heard=heard,
                research=research,
                progress=progress,
                found=found,
                offered=offered,
                questions=questions,
            ),
        )

    def by_rules(
        memory: Memory, scores: Scores, heard: Heard, research: Research, message: UserMessage
    ) -> tuple[Memory, Scores]:
        return remember(memory, scores, heard, research, message.turn)

    def gate(
        *,
        research: Research,
        language: Language,
        scores: Scores,
        heard: Heard,
        found: Qualification,
        progress: Progress,
        questions: Questions,
    ) -> str | None:
        if name == "farewell":
            return policy.answer("farewell", language.code)
        if research.level != "MISSING":
            return None
        picture = Picture(
            policy, scores=scores, heard=heard, found=found, progress=progress, questions=questions
        )
        ask = "" if picture.qualified or language.code != "en" else picture.question
        return f"{policy.answer('missing', language.code)} {ask}".strip()

    return speaker(
        name,
        reads=READS,
        owns=(Memory, Scores),
        role=ROLES[name],
        brief=told,
        rules=by_rules,
        gate=gate,
        record=record,
    )


def _closers(policy: Policy) -> list[Callable[..., Any]]:
    asks = asks_of(policy)

    def note_answers(reply: AgentReply, before: Answers) -> Answers:
        return closing.answers(reply, before)

    def note_offered(reply: AgentReply, before: Offered) -> Offered:
        return closing.offered(reply, before, policy)

    def qualify(before: Qualification, scores: Scores, heard: Heard, message: UserMessage) -> Qualification:
        return closing.qualification(Picture(policy, scores=scores, heard=heard, found=before), message.turn)

    def advance(
        *,
        before: Progress,
        routing: Routing,
        memory: Memory,
        found: Qualification,
        offered: Offered,
        heard: Heard,
        message: UserMessage,
    ) -> Progress:
        picture = Picture(
            policy, memory=memory, heard=heard, progress=before, found=found, offered=offered, routing=routing
        )
        return closing.progress(picture, message.turn)

    def note_asked(reply: AgentReply, before: Questions) -> Questions:
        return closing.asked(reply, before, asks)

    return [note_answers, note_offered, note_asked, qualify, advance]
