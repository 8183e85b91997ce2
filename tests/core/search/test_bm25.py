"""BM25: rare words weigh more, more of them score more, long messages less."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.search.bm25 import Statistics, score

counts = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 9), max_size=6)


@given(st.integers(1, 1_000), st.integers(0, 1_000), st.integers(0, 1_000))
def test_the_rarer_word_tells_more(messages: int, one: int, other: int) -> None:
    """And none tells less than nothing."""
    statistics = Statistics(messages, 10.0, {"one": one, "other": other})
    assert statistics.weight("one") > 0
    if min(one, messages) < min(other, messages):
        assert statistics.weight("one") > statistics.weight("other")


@given(counts, st.integers(0, 200), st.integers(0, 200))
def test_a_longer_message_scores_less(found: dict[str, int], length: int, more: int) -> None:
    """With the same words in it."""
    statistics = Statistics(100, 20.0, dict.fromkeys("abcdef", 3))
    assert score(found.items(), length + more, statistics) <= score(found.items(), length, statistics)


def test_nothing_found_scores_nothing() -> None:
    """And a conversation without messages divides by nothing."""
    assert score([], 10, Statistics(0, 0.0, {})) == 0
    assert score([("a", 1)], 1, Statistics(0, 0.0, {})) > 0
