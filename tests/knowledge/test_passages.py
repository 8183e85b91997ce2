"""Blocks cut into passages: of one section each, small enough to quote, no word left out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnstate.knowledge.documents import Block
from turnstate.knowledge.passages import LONGEST, passages, pieces


def test_small_blocks_of_a_section_are_one_passage() -> None:
    """Another section begins another passage, and a record is one by itself."""
    blocks = [Block(("A",), "one"), Block(("A",), "two"), Block(("B",), "three"), Block((), "r1", alone=True)]
    found = [
        (passage.title, passage.text) for passage in passages([*blocks, Block((), "r2", alone=True)], "Doc")
    ]
    assert found == [("Doc › A", "one\n\ntwo"), ("Doc › B", "three"), ("Doc", "r1"), ("Doc", "r2")]


def test_a_long_text_is_cut_at_the_end_of_a_sentence() -> None:
    """Not in the middle of a word, as long as there is any better place."""
    text = "This is a sentence of some words. " * 100
    assert all(piece.endswith("words.") for piece in pieces(text, LONGEST))


@given(texts=st.lists(st.text(max_size=4_000), max_size=4))
def test_no_sign_is_lost_and_no_passage_is_too_long(texts: list[str]) -> None:
    """Together the passages have everything but blanks, in order."""
    found = list(passages([Block((), text) for text in texts], "Doc"))
    assert all(len(passage.text) <= LONGEST for passage in found)
    assert "".join("".join(passage.text for passage in found).split()) == "".join("".join(texts).split())
