"""An image costs what its provider says for its pixels, and never nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.context.families import Family, Wire
from turnstate.core.context.images import (
    MOST_IMAGE,
    image_tokens,
    most_image_tokens,
    page_tokens,
    unknown_image_tokens,
)


def at(family: Family, model: str = "") -> Wire:
    """A wire to a model of a family."""
    return Wire(family, "somewhere", model)


CLAUDE = at(Family.ANTHROPIC, "claude-sonnet-4-5")
FINE = at(Family.ANTHROPIC, "claude-opus-4-7")
GPT = at(Family.OPENAI_CHAT, "gpt-4o")
MODELS = [
    "",
    "claude-3-5-sonnet-latest",
    "claude-opus-4-8",
    "anthropic.claude-sonnet-4-5-20250929-v1:0",
    "openai/gpt-4o-mini",
    "ft:gpt-4o:me",
    "gpt-5-nano",
    "gpt-5.4",
    "o1",
    "gemini-2.5-pro",
    "gemini-3-pro",
]


@pytest.mark.parametrize(
    ("width", "height", "wire", "detail", "tokens"),
    [
        pytest.param(200, 200, CLAUDE, "auto", 64, id="Anthropic: patches of 28 pixels"),
        pytest.param(1_000, 1_000, CLAUDE, "auto", 1_296, id="Anthropic: a million pixels"),
        pytest.param(1_092, 1_092, CLAUDE, "auto", 1_521, id="Anthropic: the largest square"),
        pytest.param(6_272, 160, CLAUDE, "auto", 112, id="Anthropic: scaled down by its long edge"),
        pytest.param(2_000, 1_500, at(Family.ANTHROPIC), "auto", 1_530, id="Anthropic: scaled down"),
        pytest.param(2_000, 1_500, FINE, "auto", 3_888, id="Anthropic: kept by newer models"),
        pytest.param(1_024, 1_024, GPT, "high", 765, id="OpenAI: four tiles"),
        pytest.param(2_048, 4_096, GPT, "high", 1_105, id="OpenAI: six tiles after scaling"),
        pytest.param(4_096, 8_192, GPT, "low", 85, id="OpenAI: low detail"),
        pytest.param(1_024, 1_024, at(Family.OPENAI_CHAT, "gpt-5"), "auto", 630, id="OpenAI: cheaper tiles"),
        pytest.param(
            1_024,
            1_024,
            at(Family.OPENAI_RESPONSES, "gpt-4.1-mini"),
            "auto",
            1_659,
            id="patches of 32 pixels",
        ),
        pytest.param(
            1_800, 2_400, at(Family.OPENAI_CHAT, "o4-mini"), "auto", 2_498, id="1,452 patches when scaled"
        ),
        pytest.param(4_000, 1_474, at(Family.OPENAI_CHAT, "gpt-4.1-mini"), "auto", 2_489, id="1,536 patches"),
        pytest.param(1_600, 1_600, at(Family.OPENAI_CHAT, "gpt-5.4"), "auto", 3_000, id="2,500 patches"),
        pytest.param(3_200, 3_200, at(Family.OPENAI_CHAT, "gpt-5.4"), "original", 12_000, id="as it is"),
        pytest.param(300, 200, at(Family.GEMINI, "gemini-2.5-pro"), "auto", 258, id="Gemini: a small one"),
        pytest.param(960, 540, at(Family.GEMINI, "gemini-2.5-pro"), "auto", 1_548, id="Gemini: six tiles"),
        pytest.param(960, 540, at(Family.GEMINI, "gemini-3-pro"), "auto", 1_120, id="Gemini 3: as any"),
        pytest.param(2_000, 1_500, Wire(), "auto", 1_530, id="anywhere: the most of the families"),
        pytest.param(2_000, 100, Wire(), "auto", 1_120, id="anywhere: another family's"),
    ],
)
def test_an_image_is_counted_as_published(
    width: int, height: int, wire: Wire, detail: str, tokens: int
) -> None:
    """By the rules and the examples of the providers' own pages (known failures B61, B62)."""
    assert image_tokens(width, height, wire, detail) == tokens


@given(
    st.integers(0, 10_000),
    st.integers(0, 10_000),
    st.sampled_from(Family),
    st.sampled_from(MODELS),
    st.sampled_from(["auto", "low", "high", "original"]),
)
def test_an_image_has_something_and_never_more_than_the_most(
    width: int, height: int, family: Family, model: str, detail: str
) -> None:
    """Whatever its header says: of a model that is known, of a family alone, of nowhere."""
    for wire in (at(family, model), Wire()):
        tokens = image_tokens(width, height, wire, detail)
        assert 1 <= tokens <= most_image_tokens(wire, width, height)
        assert unknown_image_tokens(wire) <= most_image_tokens(wire)


@pytest.mark.parametrize(
    ("wire", "most"),
    [
        pytest.param(Wire(), MOST_IMAGE, id="anywhere"),
        pytest.param(at(Family.ANTHROPIC), MOST_IMAGE, id="a family alone is not a model"),
        pytest.param(CLAUDE, 1_668, id="Claude"),
        pytest.param(at(Family.ANTHROPIC, "claude-3-haiku-20240307"), 1_668, id="an older Claude"),
        pytest.param(at(Family.ANTHROPIC, "eu.anthropic.claude-sonnet-4-20250514-v1:0"), 1_668, id="hosted"),
        pytest.param(FINE, 4_884, id="a newer Claude"),
        pytest.param(at(Family.ANTHROPIC, "claude-latest"), 4_884, id="a Claude of any version"),
        pytest.param(at(Family.ANTHROPIC, "glm-5"), MOST_IMAGE, id="another's model on the same wire"),
        pytest.param(GPT, 1_545, id="GPT-4o"),
        pytest.param(at(Family.OPENAI_CHAT, "openai/gpt-4o-mini"), MOST_IMAGE + 100, id="the dearest"),
        pytest.param(at(Family.OPENAI_CHAT, "qwen-vl"), MOST_IMAGE, id="a model that is not known"),
    ],
)
def test_the_most_is_that_of_the_model_where_it_is_known(wire: Wire, most: int) -> None:
    """A bound of 48,169 for each image would drive out what has room."""
    assert most_image_tokens(wire) == most


@pytest.mark.parametrize(
    ("wire", "tokens"),
    [
        (Wire(), 2_000),
        (CLAUDE, 2_000),
        (at(Family.GEMINI, "gemini-2.5-flash"), 258),
        (at(Family.GEMINI, "gemini-3-flash"), 560),
    ],
)
def test_a_page_of_a_document_has_what_its_provider_makes_of_it(wire: Wire, tokens: int) -> None:
    """Text and image, or an image alone (known failure B61)."""
    assert page_tokens(wire) == tokens
