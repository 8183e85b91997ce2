"""The passage of a long text that has what is looked for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.search.passages import READ, passage_of
from turnstate.core.search.words import words

FILLER = "The weather was fine and nothing much happened on that day. "


def test_the_place_with_most_of_the_words_is_shown() -> None:
    """With what stands around it, and a sign of what was left out on either side."""
    text = FILLER * 30 + "Your booking reference is QX-99, under Lee. " + FILLER * 30
    shown = passage_of(text, words("booking reference"), 300)
    assert "Your booking reference is QX-99, under Lee." in shown
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert len(shown) <= 310


def test_without_the_words_it_is_the_beginning() -> None:
    """There is nothing better to show."""
    shown = passage_of("First of all. " + FILLER * 30, ("zebra",), 200)
    assert shown.startswith("First of all.")


def test_a_text_that_fits_is_shown_whole() -> None:
    """Without any sign."""
    assert passage_of("One. Two. Three.", ("two",), 200) == "One. Two. Three."
    assert passage_of("", ("two",), 200) == ""


def test_an_endless_text_is_looked_through_only_so_far() -> None:
    """And says that it goes on."""
    shown = passage_of("x " * READ + "zebra", ("zebra",), 200)
    assert "zebra" not in shown
    assert shown.endswith(" …")


@given(st.text(alphabet="ab .!?,\n订", max_size=2_000), st.integers(160, 400))
def test_a_passage_is_a_piece_of_the_text(text: str, most: int) -> None:
    """Word for word, not much longer than was asked, and never nothing of something."""
    shown = passage_of(text, ("a", "b"), most)
    assert shown.removeprefix("… ").removesuffix(" …") in text
    assert len(shown) <= most + 4
    assert bool(shown.strip()) == bool(text.strip())


@given(st.lists(st.text(alphabet="abcde", min_size=1, max_size=9), min_size=100, max_size=300))
def test_no_word_is_broken(said: list[str]) -> None:
    """A number that lost its end is another number."""
    shown = passage_of(" ".join(said), ("abc",), 200)
    assert set(shown.replace("…", " ").split()) <= set(said)
