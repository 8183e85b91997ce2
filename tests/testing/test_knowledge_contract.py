"""The contract of knowledge: a fake and the SQLite knowledge pass it, and what breaks a promise is caught."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from turnstate.core.evidence import Evidence
from turnstate.core.search import words
from turnstate.knowledge import open_knowledge
from turnstate.knowledge.documents import Document, Passage
from turnstate.ports import Knowledge
from turnstate.testing.knowledge_contract import KnowledgeContract


class Shelf:
    """A knowledge in a list, by the number of words that a passage has of a query."""

    def __init__(self, passages: Sequence[Evidence]) -> None:
        self.passages = passages

    async def search(self, query: str, k: int) -> Sequence[Evidence]:
        """Those with most of the words."""
        sought = set(words(query))
        scored = [
            replace(one, score=float(len(sought.intersection(words(f"{one.title} {one.text}")))))
            for one in self.passages
        ]
        return sorted((one for one in scored if one.score), key=lambda one: -one.score)[:k]


class Careless(Shelf):
    """Gives everything, whatever was asked."""

    async def search(self, query: str, k: int) -> Sequence[Evidence]:
        """All of it."""
        return self.passages


class TestShelf(KnowledgeContract):
    """The fake keeps the contract."""

    def knowing(self, passages: Sequence[Evidence]) -> Knowledge:
        """In a list."""
        return Shelf(passages)


class TestSqlite(KnowledgeContract):
    """The SQLite knowledge keeps the contract."""

    @pytest.fixture(autouse=True)
    def fresh(self, tmp_path: Path) -> None:
        """A folder of one's own."""
        self.folder = tmp_path

    def knowing(self, passages: Sequence[Evidence]) -> Knowledge:
        """In a file."""
        knowledge = open_knowledge(self.folder / "knowledge.db", create=True)
        for source in {one.source for one in passages}:
            kept = tuple(Passage(one.title, one.text) for one in passages if one.source == source)
            knowledge.add(source, Document(source, "text", source, kept))
        return knowledge


def test_a_knowledge_that_gives_what_was_not_asked_is_caught() -> None:
    """More than `k`, and what has none of the words."""

    class Broken(KnowledgeContract):
        def knowing(self, passages: Sequence[Evidence]) -> Knowledge:
            return Careless(passages)

    with pytest.raises(AssertionError):
        Broken().test_at_most_k_are_given_each_once()
    with pytest.raises(AssertionError):
        Broken().test_what_is_not_there_is_not_found()
