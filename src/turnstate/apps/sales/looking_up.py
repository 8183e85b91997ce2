"""What the knowledge base holds on a message, as a state."""

from __future__ import annotations

import re
import tempfile
import weakref
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Final

from turnstate.apps.sales.policy import Policy
from turnstate.apps.sales.states import Heard, Research, Source
from turnstate.core.evidence import Evidence, Level
from turnstate.knowledge.ingest import read_file
from turnstate.knowledge.research import Research as Found
from turnstate.knowledge.research import research
from turnstate.knowledge.store import SqliteKnowledge, open_knowledge
from turnstate.ports import Knowledge

PASSAGES = 3
"""Passages that an agent is given."""

LONGEST = 600
"""Characters of one of them."""


SHARES = frozenset(("references", "meeting"))
"""Topics that ask for an asset, which is shared, and not looked up."""


_BARE_PRICE: Final = re.compile(
    r"\W*(?:(?:and|so|ok|okay|well|but|just|roughly|about)\W+)*"
    r"(?:how much (?:is|does|would|will|for)|what(?:'s| is| does| would| will)?)"
    r"(?: (?:the|your|it|this|that|a|cost|costs|price|prices|pricing|be|per|each|month|year|us|all|in all|for us))+\W*",
    re.IGNORECASE,
)
"""A question for the price that names nothing."""


_IT: Final = re.compile(r"\b(?:it|this)\b", re.IGNORECASE)
_NAME: Final = re.compile(r"(?<=[a-z,] )[A-Z][A-Za-z]+")
"""A name within a sentence: it has to stand in the evidence as well, so that "it" may be filled in beside it."""


async def look_up(knowledge: Knowledge, message: str, heard: Heard, policy: Policy) -> Research:
    """What may be said about a message. A search that fails finds nothing, and then nothing is claimed.

    Args:
        knowledge: where to look.
        message: what the buyer said.
        heard: what it says and does.
        policy: what objections are answered with.
    """
    topics = {mention.said for mention in heard.mentions if mention.kind == "topic"}
    if heard.asks and not topics & SHARES:
        return _as_state(await research(knowledge, _spelled_out(message, topics, policy)))
    objections = (mention.said for mention in heard.mentions if mention.kind == "objection")
    question = next((asked for said in objections if (asked := policy.question_for(said))), "")
    if not question:
        return Research()
    # Nobody asked, so nothing is missing: the business says itself where its answer to the objection stands.
    found = await research(knowledge, question)
    return Research(evidence=_sources(found.found[:1]))


def _spelled_out(message: str, topics: set[str], policy: Policy) -> str:
    """The message with the product's name where it only says "it": where nothing else could be meant."""
    if "pricing" in topics and _BARE_PRICE.fullmatch(message):
        return f"What does {policy.product} cost?"
    return _IT.sub(policy.product, message) if _NAME.search(message) else message


def _as_state(found: Found) -> Research:
    grounding = found.grounding
    if not grounding.asked:
        return Research()
    level = grounding.level
    evidence = _sources(found.evidence[:PASSAGES])
    return Research(
        level="MISSING" if level is Level.MISSING else "PARTIAL" if level is Level.PARTIAL else "ACCURATE",
        evidence=() if level is Level.MISSING else evidence,
        gap=grounding.gap,
    )


def _sources(found: Sequence[Evidence]) -> tuple[Source, ...]:
    return tuple(
        Source(source=f"{Path(each.source).name}, {each.title}", text=each.text[:LONGEST]) for each in found
    )


def sample() -> SqliteKnowledge:
    """The sample knowledge in the package, in a file that goes with the process."""
    folder = tempfile.TemporaryDirectory(prefix="turnstate-sales-")
    knowledge = open_knowledge(Path(folder.name) / "knowledge.db", create=True)
    with resources.as_file(resources.files("turnstate.apps.sales").joinpath("knowledge")) as files:
        for path in sorted(files.glob("*.md")):
            knowledge.add(path.name, read_file(path))
    weakref.finalize(knowledge, folder.cleanup)
    return knowledge
