"""The small checks of which the request's shape is made."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.testing.anthropic import Rules, validate
from turnstate.testing.anthropic.schema import request_shape
from turnstate.testing.anthropic.shape import array, integer, nullable, one_of, record, string, tagged

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KEYS = [
    "model",
    "max_tokens",
    "messages",
    "system",
    "tools",
    "tool_choice",
    "thinking",
    "stream",
    "metadata",
    "role",
    "content",
    "type",
    "text",
    "id",
    "input",
    "name",
    "tool_use_id",
    "cache_control",
    "source",
]
WORDS = [
    "user",
    "assistant",
    "text",
    "tool_use",
    "tool_result",
    "image",
    "document",
    "thinking",
    "auto",
    "base64",
]
NEAR = st.recursive(
    JSON | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=20,
)


@given(JSON | NEAR)
def test_any_json_gets_an_answer(body: Any) -> None:
    """Whatever JSON comes, the rules end in a reason or in none, and never in an error of their own."""
    for rules in (Rules(), Rules(betas=True), Rules("2023-06-01"), Rules(counting=True)):
        assert validate(body, rules) != ""


@given(JSON | NEAR)
def test_a_check_can_be_read_to_its_end(body: Any) -> None:
    """Every problem is listed, also behind the first one."""
    problems = list(request_shape(counting=False, betas=False, sampling=False)("", body))
    assert all(problems)


def test_a_record_names_what_is_missing_wrong_and_too_much() -> None:
    """All three, in this order, with their paths."""
    check = record({"a": integer(1), "b": string()}, {"c": nullable(one_of("x", "y", "z"))})
    assert list(check("at", {"b": "", "c": None})) == ["at.a: Field required"]
    assert list(check("at", {"a": 0, "b": 1, "c": "w", "d": 1})) == [
        "at.a: Input should be greater than or equal to 1",
        "at.b: Input should be a valid string",
        "at.c: Input should be 'x', 'y' or 'z'",
        "at.d: Extra inputs are not permitted",
    ]


def test_a_union_is_told_apart_by_its_type() -> None:
    """The type decides, and a known type of elsewhere has its own words."""
    check = array(tagged({"a": record({"n": integer(0)})}, elsewhere={"b": "not here"}))
    assert list(check("", [{"type": "a", "n": 1}])) == []
    assert list(check("x", [{"type": "b"}, {"type": None}, {}])) == [
        "x.0: not here",
        "x.1: Input tag None found using 'type' does not match any of the expected tags: 'a'",
        "x.2.type: Field required",
    ]


@pytest.mark.parametrize(
    ("value", "fits"), [("a-1", True), ("", False), ("a b", False), ("a\n", False), (1, False)]
)
def test_a_pattern_holds_for_the_whole_string(value: object, fits: bool) -> None:
    """A line break at the end is part of the string."""
    assert (not list(string(pattern="^[a-z0-9-]+$")("id", value))) is fits
