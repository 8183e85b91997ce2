"""What the knowledge base holds on a message, as a state."""

from __future__ import annotations

import tempfile
import weakref
from importlib import resources
from pathlib import Path

from turnstate.apps.sales.states import Research, Source
from turnstate.core.evidence import Level
from turnstate.knowledge.ingest import read_file
from turnstate.knowledge.research import research
from turnstate.knowledge.store import SqliteKnowledge, open_knowledge
from turnstate.ports import Knowledge

PASSAGES = 3
"""Passages that an agent is given."""

LONGEST = 600
"""Characters of one of them."""


async def look_up(knowledge: Knowledge, message: str) -> Research:
    """What may be said about a message. A search that fails finds nothing, and then nothing is claimed."""
    found = await research(knowledge, message)
    grounding = found.grounding
    if not grounding.asked:
        return Research()
    level = grounding.level
    evidence = tuple(
        Source(source=f"{Path(each.source).name}, {each.title}", text=each.text[:LONGEST])
        for each in found.evidence[:PASSAGES]
    )
    return Research(
        level="MISSING" if level is Level.MISSING else "PARTIAL" if level is Level.PARTIAL else "ACCURATE",
        evidence=() if level is Level.MISSING else evidence,
        gap=grounding.gap,
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
