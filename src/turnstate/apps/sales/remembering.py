"""What the rules record of a message, where no model has: the memory and the scores of the seated specialist."""

from __future__ import annotations

from turnstate.apps.sales.states import (
    DIMENSIONS,
    Heard,
    Memory,
    Mention,
    Objection,
    PainPoint,
    Promise,
    Research,
    Score,
    Scores,
)

OUT = 10
"""A score of at most this much says that there is nothing: no need, nobody who decides."""

TOPICS = 20
"""Topics that are remembered: the newest."""

POINTS = 12
"""Pain points, objections and commitments that are remembered, of each: the newest."""


def remember(
    memory: Memory, scores: Scores, heard: Heard, research: Research, turn: int
) -> tuple[Memory, Scores]:
    """The memory and the scores after a message.

    Args:
        memory: as it was.
        scores: as they were.
        heard: what the message says.
        research: what was found for it.
        turn: the number of the turn.
    """
    return _memory(memory, heard, research, turn), _scores(scores, heard, turn)


def _scores(scores: Scores, heard: Heard, turn: int) -> Scores:
    new: dict[str, Score] = {}
    for mention in heard.mentions:
        if mention.kind not in DIMENSIONS:
            continue
        before: Score = new[mention.kind] if mention.kind in new else getattr(scores, mention.kind)
        if _counts(mention, before):
            new[mention.kind] = Score(value=mention.value, said=mention.said, quote=mention.quote, turn=turn)
    return scores.model_copy(update=new) if new else scores


def _counts(mention: Mention, before: Score) -> bool:
    """Whether a mention takes the place of what is on record.

    A budget does: the last word counts. A date stands until it is taken back, for a meeting has a date too. Of need, fit
    and authority the strongest words stand, unless they are taken back or ruled out.
    """
    if not before.turn or mention.corrects or mention.kind == "budget":
        return True
    if mention.kind == "timeline":
        return False
    return mention.value >= before.value or mention.value <= OUT


def _memory(memory: Memory, heard: Heard, research: Research, turn: int) -> Memory:
    changes: dict[str, object] = {}
    by_kind: dict[str, list[Mention]] = {}
    for mention in heard.mentions:
        by_kind.setdefault(mention.kind, []).append(mention)
    if "industry" in by_kind:
        changes["industry"] = by_kind["industry"][-1].said
    if pains := by_kind.get("pain"):
        points = [
            PainPoint(id=f"{turn}.{n}", text=m.said, quote=m.quote, turn=turn) for n, m in enumerate(pains, 1)
        ]
        changes["pain_points"] = (*memory.pain_points, *points)[-POINTS:]
    if objections := by_kind.get("objection"):
        handled = research.evidence[0].source if research.evidence else ""
        raised = [
            Objection(id=f"{turn}.{n}", text=m.said, quote=m.quote, handled=handled, turn=turn)
            for n, m in enumerate(objections, 1)
        ]
        changes["objections"] = (*memory.objections, *raised)[-POINTS:]
    made = [
        Promise(id=f"{turn}.{n}", by="buyer", text=m.said, turn=turn)
        for n, m in enumerate(by_kind.get("promise", ()), 1)
    ]
    if research.level == "MISSING":
        # The designed answer says that somebody will write: that is a promise of ours, and kept as one.
        made.append(Promise(id=f"{turn}.0", by="us", text=f"answer by e-mail: {research.gap}", turn=turn))
    if made:
        changes["commitments"] = (*memory.commitments, *made)[-POINTS:]
    if topics := [m.said for m in by_kind.get("topic", ()) if m.said not in memory.topics]:
        changes["topics"] = (*memory.topics, *dict.fromkeys(topics))[-TOPICS:]
    return memory.model_copy(update=changes) if changes else memory
