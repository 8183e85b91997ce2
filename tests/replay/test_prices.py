"""Prices are those of the installed price list, and what is not on it is said."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from genai_prices import Usage, calc_price
from hypothesis import given
from hypothesis import strategies as st

from turnstate.errors import ModelNameError
from turnstate.replay.prices import Rate, prices

DAY = datetime(2026, 1, 1, tzinfo=UTC)
TOKENS = st.integers(0, 400_000)
MODELS = ["anthropic:claude-sonnet-5-5", "openai:gpt-4o", "openai-chat:gpt-5", "google-gla:gemini-2.5-pro"]


@given(model=st.sampled_from(MODELS), plain=TOKENS, read=TOKENS, written=TOKENS, output=st.integers(0, 9_000))
def test_a_cost_is_that_of_the_price_list(
    model: str, plain: int, read: int, written: int, output: int
) -> None:
    """For any mixture of tokens, on both sides of the steps for long requests."""
    provider, _, name = model.partition(":")
    usage = Usage(
        input_tokens=plain + read + written,
        cache_read_tokens=read,
        cache_write_tokens=written,
        output_tokens=output,
    )
    expected = calc_price(usage, name, provider_id=provider, genai_request_timestamp=DAY).total_price
    assert prices(model, DAY).cost(plain, output, read=read, written=written) == expected


def test_a_name_without_its_provider_is_looked_up() -> None:
    """As the price list does."""
    assert prices("claude-sonnet-5-5", DAY).plain == prices("anthropic:claude-sonnet-5-5", DAY).plain


def test_a_model_without_cache_prices_says_so() -> None:
    """What has no price of its own costs what plain input costs."""
    groq = prices("groq:llama-3.3-70b-versatile", DAY)
    assert groq.read == groq.write == groq.plain
    assert len(groq.notes) == 2
    assert all("groq:llama-3.3-70b-versatile has no price" in note for note in groq.notes)
    assert [("writing" in note) for note in prices("openai:gpt-4o", DAY).notes] == [True]
    assert prices("anthropic:claude-sonnet-5-5", DAY).notes == ()


def test_offline_costs_nothing() -> None:
    """No model is called."""
    assert prices("offline").cost(10**6, 10**6, read=10**6) == 0


@pytest.mark.parametrize("model", ["anthropic:nonsense", "ollama:llama3.2", "nonsense", "", ":", "a:b:c"])
def test_a_model_without_prices_is_refused(model: str) -> None:
    """Before anything is replayed, naming it."""
    with pytest.raises(ModelNameError, match="has no published prices") as caught:
        prices(model)
    assert caught.value.model == model


def test_a_tier_holds_for_the_whole_request() -> None:
    """From the first token above its start."""
    rate = Rate(Decimal(1), ((100, Decimal(2)), (200, Decimal(3))))
    assert [rate.at(tokens) for tokens in (0, 100, 101, 200, 201)] == [1, 1, 2, 2, 3]


@given(model=st.sampled_from(MODELS), plain=TOKENS, read=TOKENS, written=TOKENS)
def test_equivalent_tokens_cost_the_same_at_the_plain_price(
    model: str, plain: int, read: int, written: int
) -> None:
    """So that bills can be compared without dollars."""
    priced = prices(model, DAY)
    tokens = priced.equivalent(plain, read=read, written=written)
    at_plain = tokens * priced.plain.at(plain + read + written) / 1_000_000
    assert abs(at_plain - priced.cost(plain, 0, read=read, written=written)) < Decimal("1e-12")
    assert priced.equivalent(plain) == plain


def test_without_prices_a_token_is_a_token() -> None:
    """Offline everything is free; what is sent is still counted."""
    assert prices("offline").equivalent(1, read=2, written=3) == 6
