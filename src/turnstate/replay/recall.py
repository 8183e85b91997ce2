"""What a replayed conversation can find again: an index of all that was said in it, in memory."""

from __future__ import annotations

from turnstate.core.context.counting import estimate_text
from turnstate.core.context.extractive import spoken
from turnstate.core.context.types import NeedRecall, Plan, Quote
from turnstate.core.history import Turn
from turnstate.core.search import Index, Said
from turnstate.replay.words import words


class Recollection:
    """The turns of one conversation so far, as a store would search them."""

    def __init__(self) -> None:
        self._index = Index()
        self._asked: tuple[NeedRecall, tuple[Quote, ...]] | None = None

    def add(self, turn: Turn) -> None:
        """A turn is over."""
        self._asked = None
        for speaker, text in spoken(turn):
            self._index.add(Said(turn.number, turn.at, speaker, text))

    def quotes(self, need: NeedRecall) -> tuple[Quote, ...]:
        """What was said that `need` asks for, best first; nothing where its message needs nothing."""
        if self._asked is None or self._asked[0] != need:  # later rounds of a turn ask the same
            hits = self._index.find(need.query, before=need.before, tokens=need.tokens, measure=estimate_text)
            found = tuple(Quote(hit.turn, hit.at, hit.speaker, hit.text, hit.score) for hit in hits)
            self._asked = (need, found)
        return self._asked[1]


def recalled_tokens(plan: Plan) -> int:
    """The estimated size of what a request brings back."""
    if not plan.recalled:
        return 0
    texts = (words(part) for message in plan.messages for part in message.parts)
    return sum(estimate_text(text) for text in texts if text.startswith("<recalled "))
