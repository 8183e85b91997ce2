"""Texts that are too long: their beginning and end, the same bytes every time, and a way to read the rest."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.histories import called, exchange, opened, record, returned, said
from turnstate.core.context.counting import estimate_text, size_messages
from turnstate.core.context.shorten import LEAST, Shortening, passage
from turnstate.core.history import Turn, fold
from turnstate.core.messages import (
    ModelMessage,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    calls,
    result_text,
    user_text,
)

texts = st.text(max_size=4_000) | st.text("ab c\n", min_size=200, max_size=4_000).map(lambda text: text * 5)


def turn_of(*events: Any) -> Turn:
    """One turn of these events."""
    return fold(record([list(events)])).turns[0]


def results(messages: tuple[ModelMessage, ...]) -> list[str]:
    """The tool results of messages, as text."""
    return [result_text(part) for m in messages for part in m.parts if part.part_kind == "tool-return"]


@given(texts, st.integers(LEAST, 2_000), st.sampled_from([0.5, 1.0, 2.0]))
def test_a_text_is_whole_or_its_two_ends(text: str, cap: int, ratio: float) -> None:
    """Nothing is in what is shown but the text's own beginning and end, within the cap as the provider counts."""
    shown = Shortening(cap, ratio).text(text, "1.0")
    if shown == text:
        return
    first, _, rest = shown.partition("\n[… ")
    last = rest.rpartition(" …]\n")[2]
    assert text.startswith(first)
    assert text.endswith(last)
    assert len(first) + len(last) < len(text)
    assert f"{len(text) - len(first) - len(last):,} of {len(text):,} characters" in shown
    assert estimate_text(shown) <= max(LEAST, round(cap / ratio)) * 1.35 + 8
    assert Shortening(cap, ratio).text(text, "1.0") == shown


@given(texts, st.integers(1, 400))
def test_every_passage_can_be_read_one_after_the_other(text: str, tokens: int) -> None:
    """Reading on from where the last passage ended gives the whole text again."""
    turn = turn_of(opened("x"), called("a"), returned("a", text or "."))
    read, start = "", 0
    while start < len(text):
        found = passage(turn, "1.1", start, tokens)
        assert found is not None
        assert (found.start, found.whole) == (start, len(text))
        assert found.text
        read, start = read + found.text, start + len(found.text)
    assert read == text


def test_each_text_has_a_handle_of_its_own() -> None:
    """The user's words, then the results in the order in which they stand."""
    turn = turn_of(
        opened("u " * 900),
        called("a", "b"),
        returned("a", "a " * 900),
        returned("b", "b " * 900),
        called("c"),
        returned("c", "c " * 900),
    )
    shown = Shortening(100).messages(turn)
    assert 'handle="1.0"' in user_text(shown[0])
    assert [f'handle="1.{n}"' in text for n, text in enumerate(results(shown), start=1)] == [True] * 3
    for handle, word in (("1.0", "u"), ("1.1", "a"), ("1.2", "b"), ("1.3", "c")):
        found = passage(turn, handle, 0, 10)
        assert found is not None
        assert set(found.text.split()) == {word}


@pytest.mark.parametrize("handle", ["1.4", "2.0", "", "x", "1", "1.0 "])
def test_there_is_nothing_behind_a_handle_that_was_never_given(handle: str) -> None:
    """Models make handles up."""
    assert passage(turn_of(opened("u"), called("a"), returned("a", "r")), handle, 0, 10) is None


@pytest.mark.parametrize("start", [-1, 1, 10**9])
def test_there_is_nothing_beyond_the_ends_of_a_text(start: int) -> None:
    """A place outside is no passage."""
    assert passage(turn_of(opened("u")), "1.0", start, 10) is None


def test_what_is_short_enough_comes_back_as_the_same_objects() -> None:
    """No copy, no byte changed."""
    turn = turn_of(opened("hello"), called("a"), returned("a", "fine"), said("good"))
    whole, shown = turn.messages(), Shortening(100).messages(turn)
    assert all(a is b for a, b in zip(shown[:2], whole[:2], strict=True))
    assert shown == whole


def test_long_arguments_stay_arguments() -> None:
    """Their long texts are shortened where they stand, so that the rest of the call reads as it was made."""
    call = ToolCallPart(
        "save", {"id": "A-1", "body": {"text": "word " * 4_000, "n": [1, 2]}}, tool_call_id="c"
    )
    exchanged = turn_of(opened("x"), said("y"))
    step = exchanged.steps[0]
    turn = Turn(1, 1, 0, exchanged.user, steps=(type(step)(ModelResponse(parts=[call]), (), step.trace),))
    response = Shortening(200).messages(turn)[1]
    assert isinstance(response, ModelResponse)
    (shown,) = calls(response)
    args = shown.args
    assert isinstance(args, dict)
    assert args["id"] == "A-1"
    assert args["body"]["n"] == [1, 2]
    assert len(json.dumps(args)) < 1_000


def test_what_was_thought_about_goes_back_unchanged() -> None:
    """The thinking is signed together with what it stands before."""
    response = ModelResponse(parts=[ThinkingPart("hm", signature="s"), TextPart("long " * 5_000)])
    turn = turn_of(opened("x"), said("y"))
    step = turn.steps[0]
    turn = Turn(1, 1, 0, turn.user, steps=(type(step)(response, (), step.trace),))
    assert Shortening(100).messages(turn)[1] is response


def test_without_the_tool_no_handle_is_offered() -> None:
    """A model that cannot read on is only told that something is missing."""
    turn = turn_of(*exchange("word " * 2_000, "ok"))
    shown = user_text(Shortening(100, reader=False).messages(turn)[0])
    assert "characters are not shown here …]" in shown
    assert "recall" not in shown


def test_a_text_of_megabytes_costs_no_more_than_its_ends() -> None:
    """What is shown of it is the same whatever stands in the middle."""
    start, end = "beginning " * 1_000, " the end" * 1_000
    small = Shortening(200).text(start + "x" * 10_000 + end, "1.0")
    large = Shortening(200).text(start + "\0" * 6_000_000 + end, "1.0")
    assert small.split("[…")[0].split() == large.split("[…")[0].split()
    assert len(large) < 3_000
    assert size_messages(Shortening(200).messages(turn_of(opened(start * 100)))).estimate < 600
