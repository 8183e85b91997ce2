"""A replayed conversation is planned, folded and counted as a live one would be."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from turnstate.core.context.budget import Budget
from turnstate.core.context.extractive import extract_summary
from turnstate.core.context.strategies import STRATEGIES
from turnstate.core.context.types import Excerpt, SummaryDraft
from turnstate.readers.openai_chat import read_chat
from turnstate.readers.transcript import Transcript
from turnstate.replay.prices import prices
from turnstate.replay.report import Replayed
from turnstate.replay.scene import GREETING, Scene, Setting
from turnstate.replay.simulate import simulate

PRICES = prices("anthropic:claude-sonnet-5-5")
WORDS = "the parcel left the warehouse on Monday and has not been seen since then "


def _chat(turns: int, *, words: int = 2) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    for number in range(turns):
        messages.append({"role": "user", "content": f"Question {number}: {WORDS * words}"})
        if number % 3 == 0:
            call = {"id": "call", "function": {"name": "track", "arguments": f'{{"n": {number}}}'}}
            messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
            messages.append({"role": "tool", "tool_call_id": "call", "content": WORDS})
        messages.append({"role": "assistant", "content": f"Answer {number}: {WORDS * words}"})
    return messages


async def _extract(excerpt: Excerpt) -> SummaryDraft:
    return extract_summary(excerpt)


def _play(messages: object, name: str = "hybrid", target: int = 1_000, **setting: Any) -> Replayed:
    transcript = messages if isinstance(messages, Transcript) else read_chat(messages, 1, "c")
    made = Setting(Budget(target=target), PRICES, setting.pop("summarize", _extract), **setting)
    return asyncio.run(simulate(Scene.of(transcript, name, STRATEGIES[name], made)))


def test_append_climbs_and_never_cuts() -> None:
    """Every request holds the one before it, over the target too."""
    played = _play(_chat(40), "append")
    assert list(played.tokens) == sorted(played.tokens)
    assert played.tally.cuts == 0
    assert played.tally.over_target == sum(tokens > 1_000 for tokens in played.tokens) > 0
    assert played.tally.largest_request == played.tokens[-1]


def test_hybrid_rises_to_its_target_and_drops_deep() -> None:
    """A saw-tooth: few cuts, each one deep, and never over the target."""
    played = _play(_chat(80), "hybrid", 3_000)
    drops = [(a, b) for a, b in pairwise(played.tokens) if b < a]
    assert len(drops) == played.tally.cuts >= 2
    assert all(before > 0.8 * 3_000 and after < before - 300 for before, after in drops)
    assert max(played.tokens) <= 3_000
    assert played.tally.over_target == 0


def test_strategies_agree_until_the_first_cut() -> None:
    """Before it nothing is touched."""
    played = {name: _play(_chat(30), name, 1_500).tokens for name in STRATEGIES}
    under = next(i for i, tokens in enumerate(played["append"]) if tokens > 1_500)
    assert len({tokens[:under] for tokens in played.values()}) == 1
    assert under > 5


def test_a_request_is_made_for_every_response() -> None:
    """Those that call tools included, and none for a message that nobody answered."""
    messages = [*_chat(9), {"role": "user", "content": "Hello?"}]
    played = _play(messages)
    assert played.tally.requests == len(played.tokens) == 9 + 3
    assert played.tally.input_tokens == sum(played.tokens)
    assert played.tally.invalid_requests == 0


def test_a_greeting_stands_in_the_instructions() -> None:
    """So that the model sees it, and the request still starts with the user."""
    plain = _play(_chat(2))
    greeted = _play([{"role": "assistant", "content": "Welcome to the shop!"}, *_chat(2)])
    both = _play([{"role": "system", "content": GREETING + "Welcome to the shop!"}, *_chat(2)])
    assert greeted.tokens == both.tokens > plain.tokens
    assert greeted.tally.invalid_requests == 0


def test_given_instructions_replace_the_recorded_ones() -> None:
    """And the empty text leaves them out."""
    recorded = [{"role": "system", "content": WORDS * 5}, *_chat(2)]
    assert _play(recorded, instructions="").tokens == _play(_chat(2)).tokens
    assert _play(_chat(2), instructions=WORDS * 5).tokens == _play(recorded).tokens


def test_tools_are_part_of_every_request() -> None:
    """As they were offered."""
    offered = read_chat({"messages": _chat(2), "tools": [{"type": "function"}]}, 1, "c")
    assert _play(offered).tokens[0] > _play(_chat(2)).tokens[0] + 300


def test_what_can_not_be_planned_is_refused_and_the_conversation_goes_on() -> None:
    """Counted with the size of what does not give way; the next turn is planned again."""
    messages = _chat(8)
    calls = [
        {"id": f"c{number}", "function": {"name": "track", "arguments": f'{{"n": {number}}}'}}
        for number in range(40)
    ]
    results = [{"role": "tool", "tool_call_id": call["id"], "content": WORDS * 12} for call in calls]
    looked = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": None, "tool_calls": calls},
        *results,
        {"role": "assistant", "content": "I see."},
    ]
    messages[8:8] = looked
    played = _play(messages)
    (refusal,) = played.refusals
    assert (refusal.place.turn, refusal.place.round, refusal.target) == (4, 2, 1_000)
    size = sum(refusal.sizes.values())
    assert size > 1_000
    assert size in played.tokens
    assert (played.tally.over_target, played.tally.refused) == (1, 1)
    assert played.tally.requests == 8 + 3 + 2
    assert played.tokens[-1] <= 1_000
    assert played.tally.invalid_requests == 0
    assert _play(messages, "append").refusals == ()


def test_the_cache_makes_append_cheap_and_never_dearer_than_writing_everything() -> None:
    """Reading costs a tenth of the plain price, writing a quarter more."""
    tally = _play(_chat(40), "append").tally
    assert tally.cost_usd_cached < tally.cost_usd / 2
    assert tally.cost_usd == PRICES.cost(tally.input_tokens, tally.output_tokens)


def test_append_has_every_value_in_view() -> None:
    """What was said before the newest message, counted once for each request."""
    messages = [
        {"role": "user", "content": "My order is 12345 and I paid $20.00."},
        {"role": "assistant", "content": "Order 12345 left on 2026-03-01."},
        {"role": "user", "content": "And order 67890?"},
        {"role": "assistant", "content": "That one left too."},
    ]
    tally = _play(messages, "append").tally
    # Nothing before the first message; two orders' worth of one id, an amount and a date before the second.
    assert (tally.values_seen, tally.values_in_view) == (3, 3)


def test_what_was_cut_away_is_seen_and_not_in_view() -> None:
    """Truncating loses the values of the turns that it drops."""
    tally = _play([{"role": "user", "content": "Order 98765."}, *_chat(40)[1:]], "truncate").tally
    assert tally.values_in_view < tally.values_seen


def test_requests_between_cuts_repeat_the_one_before() -> None:
    """Byte for byte, for every strategy; only a cut changes the beginning."""
    for name in STRATEGIES:
        tally = _play(_chat(40), name).tally
        assert tally.repeating == tally.following > 10
        assert tally.requests - tally.following <= tally.cuts + 1


def test_billed_tokens_are_the_bill_at_the_plain_price() -> None:
    """A token that is read counts a tenth, one that is written five quarters."""
    tally = _play(_chat(40), "append").tally
    plain = PRICES.plain.base * tally.billed_input_tokens / 1_000_000
    assert tally.cost_usd_cached == plain + PRICES.cost(0, tally.output_tokens)


def test_a_summarizer_is_counted_and_paid() -> None:
    """One call for each excerpt that spent tokens, at the prices of the model, whatever it wrote."""
    seen: list[Excerpt] = []

    async def summarize(excerpt: Excerpt) -> SummaryDraft:
        seen.append(excerpt)
        return SummaryDraft("They asked after a parcel.", by="model", usage=(900, 100))

    played, free = _play(_chat(40), summarize=summarize), _play(_chat(40))
    assert played.tally.summarizer_calls == len(seen) > 0
    assert played.tally.summarizer_tokens == 1_000 * len(seen)
    spent = PRICES.cost(900, 100) * len(seen)
    tally = played.tally
    assert tally.cost_usd == PRICES.cost(tally.input_tokens, tally.output_tokens) + spent
    assert (free.tally.summarizer_calls, free.tally.summarizer_tokens) == (0, 0)


def test_a_summarizer_that_fell_back_is_still_paid() -> None:
    """Its refused attempts cost tokens; the extractive one alone costs nothing."""

    async def summarize(excerpt: Excerpt) -> SummaryDraft:
        return SummaryDraft("x", by="extractive", notes=("too long",), usage=(10, 0))

    assert _play(_chat(40), summarize=summarize).tally.summarizer_calls > 0


def test_summaries_are_written_from_turns_and_each_turn_once() -> None:
    """No turn is read twice, and what a summarizer reads are the original turns."""
    seen: list[int] = []

    async def summarize(excerpt: Excerpt) -> SummaryDraft:
        seen.extend(turn.number for turn in excerpt.turns)
        return SummaryDraft("A summary.", by="model")

    _play(_chat(60), summarize=summarize)
    assert seen == list(range(1, len(seen) + 1))
    assert len(seen) > 20


_WORDS = st.sampled_from(["", " ", "yes", "order 12345", WORDS, WORDS * 4, "\0\ud800", "你好"])
_ID = st.sampled_from(["1", "2", "é"])
_MESSAGES: st.SearchStrategy[Any] = st.lists(
    st.fixed_dictionaries({"role": st.just("user"), "content": _WORDS})
    | st.fixed_dictionaries({"role": st.just("assistant"), "content": _WORDS})
    | st.fixed_dictionaries(
        {
            "role": st.just("assistant"),
            "content": st.none() | _WORDS,
            "tool_calls": st.lists(
                st.fixed_dictionaries(
                    {"id": _ID, "function": st.just({"name": "get", "arguments": '{"q": 1}'})}
                ),
                max_size=2,
            ),
        }
    )
    | st.fixed_dictionaries({"role": st.just("tool"), "tool_call_id": _ID, "content": _WORDS}),
    max_size=40,
)


@settings(max_examples=60)
@given(messages=_MESSAGES, name=st.sampled_from(sorted(STRATEGIES)), target=st.integers(40, 600))
def test_any_conversation_is_replayed_within_its_target(
    messages: list[dict[str, Any]], name: str, target: int
) -> None:
    """However broken it is: every request valid, and over its target only where it is refused."""
    transcript = read_chat([{"role": "user", "content": "hi"}, *messages], 1, "c")
    played = _play(transcript, name, target)
    assert played.tally.requests == len(played.tokens) == transcript.responses
    assert played.invalid == ()
    over = sum(tokens > target for tokens in played.tokens)
    assert played.tally.over_target >= over
    if name != "append":
        assert played.tally.over_target == played.tally.refused == len(played.refusals) >= over
