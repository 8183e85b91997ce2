"""Knowledge: documents read into passages, kept in a file of their own, searched, and judged by whether they answer."""

from turnstate.knowledge.research import Research, research
from turnstate.knowledge.store import SqliteKnowledge, open_knowledge

__all__ = ["Research", "SqliteKnowledge", "open_knowledge", "research"]
