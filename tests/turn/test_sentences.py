"""Sentences: cut as soon as they are complete, never changing a character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.turn.sentences import Sentences, split

WRITTEN = st.text(st.sampled_from("ab .!?…\n\"'”)。！？」3$Mr-") | st.characters(), max_size=60)


def fed(pieces: list[str]) -> list[str]:
    """The sentences of a text that comes in `pieces`."""
    sentences = Sentences()
    done = [sentence for piece in pieces for sentence in sentences.feed(piece)]
    return [*done, *sentences.rest()]


@given(st.lists(WRITTEN))
def test_joined_they_are_the_text_whatever_the_pieces(pieces: list[str]) -> None:
    """Nothing is lost, added or moved, and no sentence is empty."""
    found = fed(pieces)
    assert "".join(found) == "".join(pieces)
    assert all(found)


@given(WRITTEN, st.integers(1, 7))
def test_what_was_released_does_not_depend_on_what_comes(text: str, size: int) -> None:
    """A sentence that was given out is never taken back: the beginnings agree, however the text was cut."""
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    sentences = Sentences()
    released = ""
    for end, piece in enumerate(pieces, start=1):
        released += "".join(sentences.feed(piece))
        assert "".join(pieces[:end]).startswith(released)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello. How are you? Fine!", ["Hello. ", "How are you? ", "Fine!"]),
        ("It costs $3.50. Thanks.", ["It costs $3.50. ", "Thanks."]),
        ("Dear Mr. Smith, hello. Bye.", ["Dear Mr. Smith, hello. ", "Bye."]),
        ("Wait... what?", ["Wait... ", "what?"]),
        ('He said "no." Then he left.', ['He said "no." ', "Then he left."]),
        ("One\nTwo\n", ["One\n", "Two\n"]),
        ("你好。再见！", ["你好。", "再见！"]),
        ("1. First item\n2. Second item", ["1. First item\n", "2. Second item"]),
        ("no end", ["no end"]),
        ("", []),
    ],
)
def test_texts_are_cut_where_sentences_end(text: str, expected: list[str]) -> None:
    """Prices, abbreviations, quotes, lines and scripts without spaces."""
    assert split(text) == expected


def test_a_sentence_is_released_as_soon_as_the_next_begins() -> None:
    """The reader does not wait for the end of the reply."""
    sentences = Sentences()
    assert sentences.feed("Hello the") == []
    assert sentences.feed("re. ") == []
    assert sentences.feed("How") == ["Hello there. "]
    assert sentences.feed(" are you?") == []
    assert sentences.rest() == ["How are you?"]
    assert sentences.rest() == []


def test_a_long_text_without_an_end_is_not_scanned_again_for_every_piece() -> None:
    """A hundred thousand characters of one sentence, a few at a time, are no trouble."""
    sentences = Sentences()
    for _ in range(2_000):
        sentences.feed("word " * 10)
    assert "".join(sentences.rest()) == "word " * 20_000
