"""The brief of a sales turn: rebuilt from state each time, so that nothing has to be worked out from the transcript."""

from __future__ import annotations

from turnstate.apps.sales.picture import Picture
from turnstate.apps.sales.states import DIMENSIONS, Specialist
from turnstate.core.brief import Brief

ASK = "ask for this one thing: "
"""How the brief names the question that comes next."""

SHARE = "share now, by calling: "
"""How the brief names the function that shares an asset."""

OBJECTION = "objection to handle first: "
"""How the brief names what speaks against buying."""

RETURN = "The last turns brought nothing new: answer in a sentence, and return to the goal."
"""What the brief says when a conversation has lost its goal."""


def brief(who: Specialist, picture: Picture) -> Brief:
    """What the seated specialist is told."""
    policy, research = picture.policy, picture.research
    left = () if picture.qualified else picture.missing
    return Brief(
        goal=policy.goal,
        stage=policy.way.stage(picture.progress.phase),
        missing=tuple(policy.meanings[name] for name in left),
        known=_known(picture),
        evidence=tuple(f"{source.source}: {source.text}" for source in research.evidence),
        gap=research.gap if research.level in ("PARTIAL", "MISSING") else "",
        commitments=tuple(f"{made.by}: {made.text}" for made in picture.memory.commitments if not made.kept),
        notes=_notes(who, picture),
        trace=(f"{picture.progress.idle} turns brought nothing new: the brief returned to the goal.",)
        if picture.lost
        else (),
    )


def _known(picture: Picture) -> tuple[tuple[str, str], ...]:
    known = [("industry", picture.memory.industry)] if picture.memory.industry else []
    for name in DIMENSIONS:
        score, new = getattr(picture.scores, name), picture.mentioned(name)
        if new:
            known.append((picture.policy.meanings[name], f"{new[-1]} (said just now)"))
        elif score.turn:
            known.append((picture.policy.meanings[name], f"{score.said} (turn {score.turn})"))
    known.extend(("a pain", point.text) for point in picture.memory.pain_points[-3:])
    return tuple(known)


def _notes(who: Specialist, picture: Picture) -> tuple[str, ...]:
    notes = [RETURN] if picture.lost else []
    notes += [f"{OBJECTION}{said}" for said in picture.mentioned("objection")]
    if who == "farewell":
        notes.append("Say goodbye politely, ask nothing, and say that they can come back at any time.")
    elif picture.qualified:
        notes += _sharing(who, picture)
    elif picture.question:
        notes.append(f"{ASK}{picture.question}")
    else:
        notes.append("Ask nothing in this turn.")
    if picture.memory.next_step:
        notes.append(f"agreed next step: {picture.memory.next_step}")
    return tuple(notes)


def _sharing(who: Specialist, picture: Picture) -> list[str]:
    notes = ["The buyer is qualified: ask no more discovery questions."]
    shared = {each.name for each in picture.offered.shared}
    left = [name for name in picture.policy.assets if name not in shared]
    if who == "presenter" and left:
        notes.append(f"{SHARE}{left[0]}")
    elif who == "closer" and "book_meeting" in left:
        notes.append(f"{SHARE}book_meeting")
    elif left:
        notes.append(f"offer: {picture.policy.assets[left[0]]}")
    return notes
