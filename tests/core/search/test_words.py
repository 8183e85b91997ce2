"""The words that a text is found by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.search.words import LONGEST, STOP, asked_words, stem, words

ALIKE = [
    ("painting", "painted", "paints", "paint"),
    ("agencies", "agency"),
    ("running", "run", "runs"),
    ("baking", "bake", "bakes", "baked"),
    ("CAFÉ", "café", "cafe\u0301"),
    ("Straße", "STRASSE"),
    ("ｆｕｌｌ", "full"),
    ("Maria's", "maria"),
    ("don't", "don’t"),
]


@pytest.mark.parametrize("forms", ALIKE, ids=lambda forms: forms[0])
def test_forms_of_a_word_are_one(forms: tuple[str, ...]) -> None:
    """Endings, case, composition and width make no difference."""
    assert len({words(form) for form in forms}) == 1


def test_different_words_stay_different() -> None:
    """A short word, a number or a foreign one has no ending to lose."""
    texts = ("bus", "bu", "1999", "199", "gas", "ga", "Straßen", "Straße", "order", "border")
    assert len({words(text) for text in texts}) == len(texts)


@pytest.mark.parametrize(
    ("text", "whole", "parts"),
    [
        ("Order ORD-4711-B!", "ord-4711-b", ("ord", "4711", "b")),
        ("mail ann.lee@example.com now", "ann.lee@example.com", ("ann", "lee", "com")),
        ("version 2.5.1", "2.5.1", ("2", "5", "1")),
        ("see /srv/data/file.txt", "srv/data/file.txt", ("srv", "data", "txt")),
        ("#12345", "12345", ()),
    ],
)
def test_an_id_is_found_whole_and_in_parts(text: str, whole: str, parts: tuple[str, ...]) -> None:
    """Somebody may remember only a part of it."""
    found = words(text)
    assert whole in found
    assert set(parts) <= set(found)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("我的订单号是四十二", "订单号"),
        ("ฉันต้องการคืนเงิน", "คืนเงิน"),
        ("航班在三月五日起飞", "三月五日"),
        ("予約番号", "番号"),
    ],
)
def test_an_unspaced_text_is_found_by_what_stands_in_it(text: str, asked: str) -> None:
    """In pairs of signs: no spaces say where its words end."""
    assert set(words(asked)) <= set(words(text))


def test_what_says_nothing_is_left_out_of_questions_only() -> None:
    """A text keeps all its words, so that its length is its length."""
    assert asked_words("What was the departure date of the bus?") == (
        *words("departure"),
        *words("date"),
        *words("bus"),
    )
    assert len(words("what was the date of the bus")) == 7
    assert asked_words("What is it, and why?") == ()
    assert asked_words("bus bus BUS") == ("bus",)


@given(st.text(max_size=200))
def test_any_text_has_words(text: str) -> None:
    """Short ones, the same each time; a question's are among the text's."""
    found = words(text)
    assert found == words(text)
    assert all(0 < len(word) <= LONGEST for word in found)
    assert set(asked_words(text)) <= set(found)


@given(st.text(max_size=60), st.text(max_size=60))
def test_texts_on_two_lines_have_the_words_of_both(one: str, other: str) -> None:
    """A line's end ends a word."""
    assert words(f"{one}\n{other}") == words(one) + words(other)


@given(st.text(alphabet="aegiklnoprstyz", max_size=12))
def test_a_stem_is_no_longer_than_its_word(word: str) -> None:
    """And is never empty."""
    assert len(stem(word)) <= len(word)
    assert bool(stem(word)) == bool(word)


def test_no_stop_word_is_an_id() -> None:
    """They are plain words in lower case."""
    assert all(word.isalpha() and word == word.casefold() for word in STOP)
