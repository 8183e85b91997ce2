"""What a terminal is shown of other people's text."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from turnstate.cli.text import clipped, one_line, printable, turns_text

texts = st.text(st.characters(codec=None), max_size=60)


@given(texts)
def test_nothing_steers_the_terminal(text: str) -> None:
    """No control is left but line breaks and tabs, no mark that turns the line around, no half of a character."""
    shown = printable(text)
    assert not [char for char in shown if unicodedata.category(char) in {"Cc", "Cs"} and char not in "\n\t"]
    assert not set(shown) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069")


@given(st.text("abc é漢字🙂.,", max_size=60))
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    """Letters of any script."""
    assert printable(text) == text


@given(texts, st.integers(1, 40))
def test_what_is_clipped_is_one_short_line(text: str, width: int) -> None:
    """And ends with an ellipsis where something was left out."""
    shown = clipped(text, width)
    assert "\n" not in shown
    assert len(shown) <= width
    assert shown == one_line(text) or shown.endswith("…")


def test_controls_are_written_out() -> None:
    """So that a reader sees that they were there."""
    assert printable("a\x1b[31mb\r\nc\rd\u202e") == "a\\x1b[31mb\nc\\x0dd\\u202e"


def test_a_span_in_words() -> None:
    """One turn is not a span."""
    assert (turns_text(3, 3), turns_text(3, 9)) == ("turn 3", "turns 3–9")
