"""Extractive summaries: the speakers' own words, within the cap, never empty, nothing invented, no value broken."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.histories import (
    POISONED,
    append,
    called,
    conversations,
    exchange,
    opened,
    record,
    returned,
    said,
)
from turnstate.core.context.counting import estimate_text
from turnstate.core.context.extractive import READ, extract_summary, source_text, spoken
from turnstate.core.context.types import Excerpt
from turnstate.core.events import Recorded, Span
from turnstate.core.history import fold
from turnstate.core.values import find, invented

VALUES = (
    "order 12345",
    "$40.50",
    "order no. 12345",
    "Jan. 5, 2026",
    "March 11th",
    "55 Elm St. Springfield",
    "priya@example.com",
    "+1 415 555 0100",
    "A-7781",
    "3.5 kg",
    "https://x.example/a/b?c=1",
)
sentences = st.builds(
    "{} {}{}".format,
    st.sampled_from(
        ["Please look at", "I will not pay", 'They said "no,', 'No. "', "请查一下", "Why '", "{'x': 1,"]
    ),
    st.sampled_from(VALUES),
    st.sampled_from([". ", "! ", "? ", "。", ".\n", " and then ", ", "]),
)
texts = st.lists(sentences, min_size=1, max_size=6).map("".join)


def excerpt(events: Sequence[Recorded], cap: int) -> Excerpt:
    """All turns of a log, to be summarised."""
    turns = fold(events).turns
    return Excerpt(Span(1, turns[-1].number), turns, cap)


def summary(*pairs: tuple[str, str], cap: int = 100) -> str:
    """The summary of exchanges."""
    return extract_summary(excerpt(record([exchange(*pair) for pair in pairs]), cap)).text


@settings(max_examples=60)
@given(conversations(POISONED, most=5), st.integers(1, 200))
def test_a_summary_is_small_and_says_something(events: list[Recorded], cap: int) -> None:
    """Within its cap, smaller than its source, the same each time, and never empty where something was said."""
    made = excerpt(events, cap)
    text = extract_summary(made).text
    source = source_text(made)
    assert estimate_text(text) <= cap
    assert not text or estimate_text(text) < estimate_text(source)
    assert bool(text) == any(said.strip() for turn in made.turns for _, said in spoken(turn))
    assert extract_summary(made).text == text


@settings(max_examples=60)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4), st.integers(8, 120))
def test_a_summary_invents_no_value(pairs: list[tuple[str, str]], cap: int) -> None:
    """Nothing that reads as a value in the summary was not said, whatever is left out between."""
    made = excerpt(record([exchange(*pair) for pair in pairs]), cap)
    assert invented(extract_summary(made).text, source_text(made)) == ()


@settings(max_examples=60)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=3), st.integers(8, 120))
def test_a_summary_breaks_no_value(pairs: list[tuple[str, str]], cap: int) -> None:
    """Each value is there whole or not at all, at the ends of sentences and of shortened ones."""
    said_values = {value.text for pair in pairs for text in pair for value in find(text)}
    for line in summary(*pairs, cap=cap).splitlines():
        told = line.partition(": ")[2] or line
        assert {value.text for value in find(told)} <= said_values


@settings(max_examples=40)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4), st.integers(8, 120))
def test_every_word_was_said_in_this_order_by_this_speaker(pairs: list[tuple[str, str]], cap: int) -> None:
    """A line is a speaker's own text with parts left out, so the language is the conversation's own."""
    for line in summary(*pairs, cap=cap).splitlines():
        label, _, told = line.partition(": ")
        _, turn, speaker = label.split(" ")
        whole = iter(" ".join(pairs[int(turn) - 1][speaker == "assistant"].split()))
        assert all(sign in whole for sign in told.replace(" …", "").replace(" ", ""))


@pytest.mark.parametrize("value", ["order no. 12345", "Jan. 5, 2026", '"Well. Not me."'])
def test_a_stop_inside_a_value_ends_no_sentence(value: str) -> None:
    """The words before and after it belong together."""
    text = summary(
        (f"I say {value} is what it is about, and that is that.", "Well, well, well, well."), cap=24
    )
    assert f"I say {value} is what" in text


def test_what_carries_most_is_kept() -> None:
    """Values, what the user asked for, promises; not the small talk around them."""
    text = summary(
        ("Hello there, how are you today?", "Fine, thank you, and you?"),
        ("My order is 12345 and it never came.", "I have refunded $40.50 to your card."),
        ("Nice weather, is it not, at this time of the year?", "It is, I suppose, where you are."),
        cap=40,
    )
    assert "12345" in text
    assert "$40.50" in text
    assert "weather" not in text


def test_tools_are_named_with_what_they_were_asked_and_gave() -> None:
    """A summary carries the tools' names (known failure B52)."""
    events = record(
        [[opened("Where is it?"), called("a"), returned("a", "shipped on March 11th"), said("Soon.")]]
    )
    text = extract_summary(excerpt(events, 100)).text
    assert 'turn 1 tool: get_order({"order_id":"12345"})' in text
    assert "get_order -> shipped on March 11th" in text


def test_what_was_left_out_is_marked() -> None:
    """Two sentences that did not stand side by side are not made to look as if they had."""
    text = summary(
        ("Order 12345 is late. It is a nice day, I suppose, is it not? Order 777888 is late.", "ok"), cap=20
    )
    assert "Order 12345 is late. … Order 777888 is late." in text
    assert "late. Order 777888" in summary(
        ("Order 12345 is late. Order 777888 is late.", "Well, well, well."), cap=24
    )


def test_the_same_sentence_is_told_once() -> None:
    """A customer who says it again is not quoted again."""
    assert summary(*[("Cancel order 12345!", "ok")] * 4).count("Cancel order 12345!") == 1


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("x " * 400, "x", id="one sentence without an end"),
        pytest.param("我的订单还没有到" * 60, "我的订单", id="no spaces at all"),
        pytest.param(
            base64.b64encode(bytes(range(256)) * 8).decode() + " is the key", "", id="one endless word"
        ),
        pytest.param("http://x.example/" + "a" * 500, "", id="a value longer than the cap"),
        pytest.param("hi", "hi", id="hardly anything"),
        pytest.param("?", "", id="a sign"),
    ],
)
@pytest.mark.parametrize("cap", [1, 4, 12, 32])
def test_there_is_always_something_to_say(text: str, kept: str, cap: int) -> None:
    """Where no sentence fits, the beginning of the heaviest one; the turn is never passed over in silence."""
    made = excerpt(record([[opened(text)]]), cap)
    found = extract_summary(made).text
    assert found
    assert estimate_text(found) <= cap
    assert cap < 12 or kept in found


def test_a_turn_without_words_has_no_summary() -> None:
    """Nothing was said, so nothing is told."""
    assert summary(("", ""), (" \n", " ")) == ""


def test_a_result_of_megabytes_is_looked_at_in_part() -> None:
    """Its beginning and its end, between sentences; the work does not grow with it (known failures B32, B68)."""
    log = (
        "ORDER 11122 begins. "
        + "line 12345 of the log. " * 100_000
        + "MIDDLE 55566. "
        + "more of it. " * 100_000
    )
    events = record([[opened("Search."), called("a"), returned("a", log + "REFUND 99887 ends.")]])
    append(events, 1, said("Nothing found."))
    made = excerpt(events, 90)
    source = source_text(made)
    assert len(source) < READ + 500
    assert all(told in source for told in ("ORDER 11122", "REFUND 99887 ends.", "Nothing found."))
    assert "MIDDLE" not in source
    assert set(re.findall(r"\d+", source)) <= {"1", "11122", "12345", "99887"}
    assert "Nothing found." in extract_summary(made).text


@pytest.mark.parametrize("size", [READ - 1, READ, READ + 1, READ * 3])
@pytest.mark.parametrize("unit", ["x", "word ", "12345. ", "字", "\n"])
def test_a_long_text_is_never_longer_for_what_is_left_out(unit: str, size: int) -> None:
    """Any length, any kind: whole up to the limit, and hardly more than it beyond."""
    text = (unit * size)[:size]
    ((_, seen),) = spoken(fold(record([[opened(text)]])).turns[0])
    assert seen == text if size <= READ else READ // 2 < len(seen) <= READ + 1_003
