"""What is decided when the reply is written: by plain rules over the scores, whatever anybody proposed."""

from __future__ import annotations

from collections.abc import Mapping

from turnstate.apps.sales.picture import Picture
from turnstate.apps.sales.policy import Policy
from turnstate.apps.sales.states import (
    DIMENSIONS,
    PHASES,
    Answer,
    Answers,
    Asking,
    Offered,
    Progress,
    Qualification,
    Questions,
    Shared,
    Verdict,
)
from turnstate.core.questions import Asks
from turnstate.turn.agents import AgentReply
from turnstate.turn.asking import questions_in

ANSWERS = 8
"""Replies that are remembered: the newest."""

DECLINED = "the buyer declined"
"""Why a buyer is none, who said so."""

BRINGS = frozenset((*DIMENSIONS, "industry", "pain"))
"""What of a message brings the conversation on."""


def answers(reply: AgentReply, before: Answers) -> Answers:
    """The last replies, by agent."""
    new = Answer(id=str(reply.turn), agent=reply.agent, turn=reply.turn, text=reply.text[:400])
    return Answers(last=(*before.last, new)[-ANSWERS:])


def offered(reply: AgentReply, before: Offered, policy: Policy) -> Offered:
    """What the buyer has been shown: by the calls that gave a result, not by what a text says."""
    known = {each.name for each in before.shared}
    new = dict.fromkeys(name for name in reply.tools if name in policy.assets and name not in known)
    return Offered(shared=(*before.shared, *(Shared(id=name, name=name, turn=reply.turn) for name in new)))


def asked(reply: AgentReply, before: Questions, asks: Mapping[str, Asks]) -> Questions:
    """What the buyer was asked for, this reply included.

    Args:
        reply: the reply.
        before: what they were asked for before it.
        asks: what a question for each dimension is made of.
    """
    named = (question.key.removeprefix("Scores.") for question in questions_in(reply.text, asks))
    new = [name for name in dict.fromkeys(named) if name in DIMENSIONS]
    old = {each.id: each for each in before.asked}
    for name in new:
        times = old[name].times if name in old else 0
        old[name] = Asking(id=name, turn=reply.turn, times=times + 1)
    return Questions(asked=tuple(old.values()))


def qualification(picture: Picture, turn: int) -> Qualification:
    """Whether the buyer is one for us; decided anew from the scores each time, so that it can always turn."""
    policy, before = picture.policy, picture.found
    known = {name: score for name in DIMENSIONS if (score := getattr(picture.scores, name)).turn}
    out = [name for name, score in known.items() if score.value <= policy.ruled_out]
    low = [name for name, score in known.items() if score.value < policy.at_least]
    again = picture.heard.asks or any(mention.kind in BRINGS for mention in picture.heard.mentions)
    verdict: Verdict = "IN_PROGRESS"
    if picture.heard.declines or (before.reason == DECLINED and not again):
        verdict, reason = "UNQUALIFIED", DECLINED
    elif out:
        verdict, reason = "UNQUALIFIED", f"{', '.join(out)} rules it out"
    elif len(known) == len(DIMENSIONS) and not low:
        verdict, reason = "QUALIFIED", f"all five scores reach {policy.at_least}"
    else:
        left = [name for name in DIMENSIONS if name not in known] + low
        reason = f"open: {', '.join(left)}"
    if (verdict, reason) == (before.is_qualified, before.reason):
        return before
    return Qualification(is_qualified=verdict, reason=reason, turn=turn)


def progress(picture: Picture, turn: int) -> Progress:
    """The phase after the turn: one step forward, where the scores let it; back only by an event."""
    before = picture.progress
    move = picture.policy.way.move(
        before.phase,
        picture.routing.phase,
        closed=lambda phase: _closed(phase, picture),
        back=_back(picture),
        hops=before.hops,
    )
    brought = any(mention.kind in BRINGS for mention in picture.heard.mentions) or any(
        each.turn == turn for each in picture.offered.shared
    )
    idle = 0 if brought or move.moved else before.idle + 1
    if not move.moved:
        return before.model_copy(update={"idle": idle, "reason": move.reason or before.reason})
    return Progress(
        phase=next(each for each in PHASES if each == move.phase),
        previous_phase=before.phase,
        since=turn,
        reason=move.reason,
        idle=idle,
        hops=before.hops + 1,
    )


def _closed(phase: str, picture: Picture) -> str:
    """What keeps a phase from being entered."""
    if phase == "qualification":
        known = picture.memory.pain_points or picture.memory.industry
        return "" if known else "nothing is known about the buyer yet"
    if phase == "asset sharing":
        return "" if picture.qualified else f"not qualified: {picture.found.reason}"
    return "" if picture.offered.shared else "nothing has been shared yet"


def _back(picture: Picture) -> str:
    if asked := picture.mentioned("back"):
        return f"the buyer went back: {asked[0]}"
    late = picture.progress.phase in ("asset sharing", "close")
    return f"no longer qualified: {picture.found.reason}" if late and not picture.qualified else ""
