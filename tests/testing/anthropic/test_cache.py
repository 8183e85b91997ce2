"""The simulated prompt cache reads what an earlier request marked, and only that."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnstate.testing.anthropic.cache import CacheUse, PromptCache
from turnstate.testing.anthropic.count import Segment

REQUESTS = st.lists(
    st.lists(st.builds(Segment, st.sampled_from("abc"), st.integers(0, 9), st.booleans()), max_size=6),
    max_size=6,
)


def prompt(words: str, *marks: int) -> list[Segment]:
    """Segments of ten tokens, one per letter, with marks behind some."""
    return [Segment(letter, 10, marked=index in marks) for index, letter in enumerate(words)]


def test_a_marked_prefix_is_read_by_the_next_request() -> None:
    """The first request writes it, the second reads it and writes what is new up to its own mark."""
    cache = PromptCache()
    assert cache.use("m", prompt("abc", 1)) == CacheUse(0, 20)
    assert cache.use("m", prompt("abcd", 3)) == CacheUse(20, 20)
    assert cache.use("m", prompt("abcd", 3)) == CacheUse(40, 0)


def test_without_a_mark_nothing_is_read_or_written() -> None:
    """The cache is used on request only."""
    cache = PromptCache()
    assert cache.use("m", prompt("abc")) == CacheUse(0, 0)
    assert cache.use("m", prompt("abc", 2)) == CacheUse(0, 30)
    assert cache.use("m", prompt("abc")) == CacheUse(0, 0)


def test_a_changed_segment_loses_everything_behind_it() -> None:
    """A prefix counts from the start: a change at the head reads nothing, one at the tail keeps the head."""
    cache = PromptCache()
    cache.use("m", prompt("abcd", 1, 3))
    assert cache.use("m", prompt("xbcd", 3)) == CacheUse(0, 40)
    assert cache.use("m", prompt("abxd", 3)) == CacheUse(20, 20)


def test_models_do_not_share_a_cache() -> None:
    """The same prompt to another model is new."""
    cache = PromptCache()
    cache.use("m", prompt("ab", 1))
    assert cache.use("n", prompt("ab", 1)) == CacheUse(0, 20)


@given(REQUESTS)
def test_reading_and_writing_never_exceed_the_marked_prefix(requests: list[list[Segment]]) -> None:
    """What is read and what is added make up the prefix to the last mark; a repeated request adds nothing."""
    cache = PromptCache()
    for segments in requests:
        last = max((index for index, segment in enumerate(segments) if segment.marked), default=-1)
        prefix = sum(segment.tokens for segment in segments[: last + 1])
        used = cache.use("m", segments)
        assert used.read >= 0
        assert used.creation >= 0
        assert used.read + used.creation == prefix
        assert cache.use("m", segments) == CacheUse(prefix, 0)
