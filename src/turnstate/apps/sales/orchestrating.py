"""The orchestrator's rules: from state and the newest message to who speaks and which phase is proposed. No calls."""

from __future__ import annotations

from turnstate.apps.sales.picture import Picture
from turnstate.apps.sales.states import Phase, Routing, Specialist


def propose(picture: Picture) -> Routing:
    """Who speaks, and the phase that comes next.

    Whether the buyer is qualified is looked at first, in every turn: a conversation that is taken up again goes on
    where it stopped.
    """
    progress, heard = picture.progress, picture.heard
    again = heard.asks or bool(heard.mentions)
    if heard.declines or (picture.found.is_qualified == "UNQUALIFIED" and not again):
        return Routing(next_agent="farewell", phase=progress.phase, reason="not a buyer for us, for now")
    if picture.qualified:
        return _sharing(picture)
    phase: Phase = progress.phase
    if progress.phase == "discovery" and (picture.memory.pain_points or picture.memory.industry):
        phase = "qualification"
    elif not picture.missing:
        phase = "asset sharing"
    who: Specialist = "consultant" if heard.asks or picture.mentioned("objection") else "discovery"
    return Routing(
        next_agent=who, phase=phase, reason="not qualified yet: answer, then ask for what is missing"
    )


def _sharing(picture: Picture) -> Routing:
    topics, shared = picture.mentioned("topic"), {each.name for each in picture.offered.shared}
    if picture.progress.phase == "close" or "meeting" in topics:
        return Routing(next_agent="closer", phase="close", reason="qualified: agree on the next step")
    if picture.heard.asks and "references" not in topics:
        return Routing(
            next_agent="consultant", phase="asset sharing", reason="qualified, and something is asked"
        )
    phase: Phase = "close" if shared.intersection(picture.policy.assets) else "asset sharing"
    return Routing(next_agent="presenter", phase=phase, reason="qualified: share what helps to decide")
