"""Looking up what a message asks: each part is searched for, and what was found is judged; whatever fails is missing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

from turnstate.core.evidence import AskedPart, Evidence, Grounding, asked_parts, ground, unjudged
from turnstate.core.search import Statistics
from turnstate.ports import Knowledge

_LOG = logging.getLogger("turnstate.knowledge")

Judge: TypeAlias = Callable[[str, Sequence[Evidence]], Awaitable[Grounding]]
"""An evaluator of one's own: given the message and the evidence, how much of it is answered."""

PARTS = 6
"""Parts of a message that are searched for; the others may be answered by what is found for these, or not at all."""


@runtime_checkable
class Counted(Protocol):
    """A knowledge that knows how common words are in it."""

    async def statistics(self, texts: Sequence[str]) -> Statistics:
        """How many passages there are, and how many have each word of these texts."""
        ...


@dataclass(frozen=True, slots=True)
class Research:
    """What was found for a message.

    Attributes:
        evidence: the passages that answer a part, the best first.
        grounding: how much of the message they answer.
        found: everything that was found, whether it answers or not.
    """

    evidence: tuple[Evidence, ...]
    grounding: Grounding
    found: tuple[Evidence, ...] = ()


async def research(knowledge: Knowledge, message: str, *, k: int = 6, judge: Judge | None = None) -> Research:
    """Look up what `message` asks.

    A message that asks nothing is not looked up. A search or a judge that fails, whatever it raises, is an answer that is
    missing; the turn goes on.

    Args:
        knowledge: where to look.
        message: in the user's words.
        k: passages that are looked at for each part.
        judge: decides instead of the rules.
    """
    parts = asked_parts(message)
    if not parts:
        return Research((), ground(message, ()))
    try:
        searches = await asyncio.gather(*(knowledge.search(part.query, k) for part in parts[:PARTS]))
        found = _merged(searches)
        if judge is not None:
            grounding = await judge(message, found)
        else:
            counted = await _counted(knowledge, parts)
            grounding = ground(message, found, statistics=counted)
    except Exception as error:  # noqa: BLE001  # whatever a search service raises, its answer is missing
        _LOG.warning("The knowledge could not be asked: %s: %s", type(error).__name__, error)
        return Research((), unjudged(message, f"{type(error).__name__}: {error}"))
    by_id = {evidence.id: evidence for evidence in found}
    return Research(tuple(by_id[name] for name in grounding.evidence if name in by_id), grounding, found)


async def _counted(knowledge: Knowledge, parts: Sequence[AskedPart]) -> Statistics | None:
    return (
        await knowledge.statistics([part.query for part in parts]) if isinstance(knowledge, Counted) else None
    )


def _merged(searches: Sequence[Sequence[Evidence]]) -> tuple[Evidence, ...]:
    """What several searches found, each passage once, the best of each first."""
    merged: Mapping[str, Evidence] = {
        evidence.id: evidence
        for place in range(max(map(len, searches), default=0))
        for search in searches
        for evidence in search[place : place + 1]
    }
    return tuple(merged.values())
