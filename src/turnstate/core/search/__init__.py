"""Search in a conversation's own messages: words, BM25 with the neighbours' words, and when there is a need for it."""

from turnstate.core.search.bm25 import Statistics
from turnstate.core.search.index import Hit, Index, Said
from turnstate.core.search.words import asked_words, words

__all__ = ["Hit", "Index", "Said", "Statistics", "asked_words", "words"]
