"""The calls beside the reply: what they read, and how the cache helps them."""

from __future__ import annotations

import asyncio
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from turnstate.core.context.budget import Budget
from turnstate.readers.openai_chat import read_chat
from turnstate.replay.measure.run import measure
from turnstate.replay.measure.ways import WAYS, Way


def _ways(said: list[str], target: int = 4_000) -> dict[str, Way]:
    roles = ("user", "assistant")
    messages = [{"role": roles[place % 2], "content": text} for place, text in enumerate(said)]
    transcript = read_chat({"messages": messages}, 1, "c")
    return asyncio.run(measure([transcript], Budget(target=target))).conversations[0].ways


def test_the_second_call_grows_with_the_transcript_or_not() -> None:
    """Over the whole transcript it does; over the newest exchange it does not, where nothing new is on record."""
    ways = _ways(["Tell me more about it.", "Of course, gladly."] * 20)
    whole = [
        all_of_it.input_tokens - alone.input_tokens
        for all_of_it, alone in zip(ways["append+extract"].turns, ways["append"].turns, strict=True)
    ]
    newest = [
        with_it.input_tokens - alone.input_tokens
        for with_it, alone in zip(ways["state+extract"].turns, ways["hybrid"].turns, strict=True)
    ]
    assert whole == sorted(set(whole))
    assert len(set(newest)) == 1


def test_a_cache_never_costs_the_second_call_more_than_writing_once() -> None:
    """Over a long transcript, reading it again comes at the cache's price."""
    ways = _ways(["Tell me more about it. " * 20, "Of course, gladly. " * 20] * 20)
    plain = ways["append+extract"].total.usd - ways["append"].total.usd
    cached = ways["append+extract"].total.usd_cached - ways["append"].total.usd_cached
    assert cached < plain / 2


@settings(max_examples=25)
@given(
    st.lists(st.text(max_size=80).filter(str.strip), min_size=4, max_size=16).filter(
        lambda s: len(s) % 2 == 0
    ),
    st.integers(50, 4_000),
)
def test_sums_never_fall(said: list[str], target: int) -> None:
    """Every way, every turn, every measure."""
    ways = _ways(said, target)
    assert list(ways) == list(WAYS)
    for way in ways.values():
        so_far = way.cumulative()
        assert so_far[-1] == way.total
        for before, after in pairwise(so_far):
            assert after.calls > before.calls
            assert after.tokens > before.tokens
            assert after.usd > before.usd
            assert after.usd_cached > before.usd_cached
