"""What every knowledge promises, as tests that a subclass runs against its own.

```python
class TestMyKnowledge(KnowledgeContract):
    def knowing(self, passages: Sequence[Evidence]) -> Knowledge:
        return MyKnowledge(passages)
```
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

from turnstate.core.evidence import Evidence
from turnstate.ports import Knowledge

PASSAGES: Final = (
    Evidence("plans.md", "Plans › Starter", "Starter costs $39 a month for three people.", 0.0, "plans.md#1"),
    Evidence(
        "plans.md", "Plans › Team", "Team costs $99 a month and adds single sign-on.", 0.0, "plans.md#2"
    ),
    Evidence("faq.md", "Questions", "Invoices are sent on the first of the month.", 0.0, "faq.md#1"),
)
"""What the tests look for."""

STRANGE: Final = (
    "",
    " ",
    '"',
    "AND OR NOT",
    "starter* NEAR(team)",
    "title:starter",
    "'; DROP TABLE passages; --",
    "\0",
    "\ud800",
    "(((",
    "🦄",
    "word " * 5_000,
)
"""Queries that would be something else in a search language."""


class KnowledgeContract(ABC):
    """The contract of `Knowledge`: subclass it in a test module, and say how one that has given passages is made."""

    @abstractmethod
    def knowing(self, passages: Sequence[Evidence]) -> Knowledge:
        """A knowledge that has these passages and no others."""

    def search(self, query: str, k: int = 5) -> Sequence[Evidence]:
        """One search in a knowledge of `PASSAGES`."""
        return asyncio.run(self._search(query, k))

    async def _search(self, query: str, k: int) -> Sequence[Evidence]:
        return await self.knowing(PASSAGES).search(query, k)

    def test_what_fits_comes_first(self) -> None:
        """A question finds the passage that has its words, with its source, title, text and id."""
        (best, *_) = self.search("What does Team cost?")
        assert "Team costs $99" in best.text
        assert best.source
        assert "Team" in best.title
        assert best.id

    def test_at_most_k_are_given_each_once(self) -> None:
        """`k` is the most; scores fall, and no passage comes twice."""
        found = self.search("month Starter Team invoices", 2)
        assert 0 < len(found) <= 2
        assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
        assert len({one.id for one in found}) == len(found)
        assert self.search("month", 0) == () or list(self.search("month", 0)) == []

    def test_what_is_not_there_is_not_found(self) -> None:
        """Words that no passage has find nothing."""
        assert list(self.search("zeppelin xylophone")) == []

    def test_any_text_is_a_question(self) -> None:
        """A query is never a search language: no text raises."""
        for query in STRANGE:
            assert len(self.search(query, 3)) <= 3

    def test_searches_run_side_by_side(self) -> None:
        """Several tasks may ask at once, and each gets its own answer."""

        async def ask() -> list[Sequence[Evidence]]:
            knowledge = self.knowing(PASSAGES)
            return list(
                await asyncio.gather(
                    *(knowledge.search(word, 1) for word in ["Starter", "Team", "invoices"] * 8)
                )
            )

        texts = [found[0].text.split()[0] for found in asyncio.run(ask())]
        assert texts == ["Starter", "Team", "Invoices"] * 8
