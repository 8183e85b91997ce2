"""How many tokens a text has: about so many by its script, and never more than its bytes."""

from __future__ import annotations

import base64
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.context.letters import bound_arguments, bound_text, estimate_text


@given(st.text(st.characters(), max_size=80))
def test_a_text_has_at_most_as_many_tokens_as_bytes(text: str) -> None:
    """The bound is the bytes, as they are or normalised, and one; the estimate is not above, and never zero."""
    forms = (text, unicodedata.normalize("NFKC", text))
    most = max(len(form.encode("utf-8", "surrogatepass")) for form in forms)
    assert bound_text(text) == (most + 1 if text else 0)
    assert estimate_text(text) <= bound_text(text)
    assert (estimate_text(text) > 0) == bool(text)


@given(st.text(max_size=60), st.text(max_size=60))
def test_more_text_is_never_fewer_tokens(one: str, other: str) -> None:
    """A part does not outweigh the whole by more than rounding, nor the whole its parts."""
    whole, parts = estimate_text(one + other), estimate_text(one) + estimate_text(other)
    assert whole >= max(estimate_text(one), estimate_text(other)) - 1
    assert bound_text(one + other) <= bound_text(one) + bound_text(other)
    assert abs(whole - parts) <= 3 + 0.5 * len(one + other)


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        pytest.param(
            "The customer would like to change the delivery address of this order. " * 20,
            250,
            340,
            id="English",
        ),
        pytest.param(
            "请帮我查一下我的订单什么时候能够送到谢谢" * 20, 380, 420, id="Chinese: a token a sign (B67)"
        ),
        pytest.param("أين طلبي من فضلك ومتى يصل إلى المنزل " * 20, 300, 700, id="Arabic"),
        pytest.param("🚚📦" * 100, 200, 800, id="emoji"),
        pytest.param("4929 1023 8841 0027 " * 20, 140, 260, id="digits"),
        pytest.param(
            base64.b64encode(bytes(range(256)) * 12).decode(), 2_000, 4_096, id="base64: few signs a token"
        ),
        pytest.param(
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 " * 10, 300, 600, id="hashes"
        ),
    ],
)
def test_the_estimate_knows_scripts_and_codes(text: str, least: int, most: int) -> None:
    """About what tokenizers give for such text."""
    assert least <= estimate_text(text) <= most


def test_a_long_text_is_measured_in_one_pass() -> None:
    """Ten million signs of any kind are no reason to wait."""
    for text in ("word " * 2_000_000, "x" * 10_000_000, "字" * 3_000_000):
        assert estimate_text(text) > 1_000_000


def test_arguments_may_be_written_anew_with_escapes() -> None:
    """A provider's template may write every sign beyond ASCII as six."""
    assert bound_arguments('{"a":"b"}') == bound_text('{"a":"b"}')
    assert bound_arguments("é" * 10) > 60
