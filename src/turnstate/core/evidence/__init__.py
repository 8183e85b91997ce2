"""Evidence: what was found for a question, what a message asks, and whether what was found answers it."""

from turnstate.core.evidence.asking import AskedPart, asked_parts
from turnstate.core.evidence.ground import Covers, ground, unjudged
from turnstate.core.evidence.terms import search_words
from turnstate.core.evidence.types import Evidence, Grounding, Level, Part

__all__ = [
    "AskedPart",
    "Covers",
    "Evidence",
    "Grounding",
    "Level",
    "Part",
    "asked_parts",
    "ground",
    "search_words",
    "unjudged",
]
