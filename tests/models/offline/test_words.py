"""Words as the rules compare them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.models.offline.families import FAMILIES, NO_SLIP, OFTEN_MISTYPED
from turnstate.models.offline.words import corrected, families, stem, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where's my STUFF?!", "where is my stuff"),
        ("I didn’t get it, y'all", "i did not get it you"),
        ("i dont, cant, wont", "i do not can not will not"),
        ("plsss check ur e-mail", "please check your email"),
        ("id like my id", "i would like my id"),
        ("the cat's order", "the cat order"),
    ],
)
def test_short_forms_are_written_out(text: str, expected: str) -> None:
    """Contractions with and without apostrophe, chat forms, stretched letters."""
    assert " ".join(words(text)) == expected


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("refnud", "refund"),
        ("adress", "address"),
        ("packge", "package"),
        ("trakcing", "tracking"),
        ("delivry", "delivery"),
        ("cancle", "cancel"),
    ],
)
def test_a_slip_in_a_common_word_is_put_right(typed: str, meant: str) -> None:
    """One letter added, left out, changed or swapped."""
    assert words(typed) == (meant,)


@pytest.mark.parametrize(
    "word", sorted(NO_SLIP | {"lamp", "lamps", "cup", "throw", "light", "money", "store"})
)
def test_a_right_word_is_left_as_it_is(word: str) -> None:
    """What is one letter from a common word may be a word of its own."""
    assert corrected(word) == word


def test_every_word_that_is_put_right_means_something() -> None:
    """A correction to a word of no family would do nothing."""
    assert (
        sorted(
            word
            for word in OFTEN_MISTYPED
            if not families(word) and word not in {"actually", "something", "information", "ordered"}
        )
        == []
    )


def test_families_are_in_lower_case() -> None:
    """The rules compare lower case."""
    assert all(word == word.casefold() for members in FAMILIES.values() for word in members)


@pytest.mark.parametrize(
    "forms",
    [
        ("ship", "ships", "shipped", "shipping"),
        ("lamp", "lamps"),
        ("country", "countries"),
        ("return", "returned"),
    ],
)
def test_forms_of_a_word_share_a_stem(forms: tuple[str, ...]) -> None:
    """Singular and plural, present and past."""
    assert len({stem(form) for form in forms}) == 1


@given(st.text(max_size=100))
def test_words_of_any_text_are_plain(text: str) -> None:
    """No word is empty or has space or signs in it."""
    assert all(word and not set(word) & set(" \n\t,.;") for word in words(text))
