"""Headings above a place, and the title that is made of them."""

from __future__ import annotations

from turnstate.knowledge.documents import Block, Headings, title_of


def test_a_block_stands_below_its_headings() -> None:
    """A heading ends the ones of its level and below."""
    headings = Headings()
    assert list(headings.open(1, "A")) == []
    assert list(headings.open(2, "B")) == []
    assert headings.under("text") == Block(("A", "B"), "text")
    assert list(headings.open(2, "C")) == []
    assert headings.path == ("A", "C")


def test_a_heading_without_text_is_not_lost() -> None:
    """What no section below says is a block itself."""
    headings = Headings()
    list(headings.open(1, "A"))
    list(headings.open(2, "Empty"))
    assert list(headings.open(2, "Last")) == [Block(("A", "Empty"), "Empty")]
    assert list(headings.close()) == [Block(("A", "Last"), "Last")]
    assert list(headings.close()) == []


def test_a_title_says_nothing_twice_in_a_row() -> None:
    """A document is often named like its first heading."""
    assert title_of(("Guide", "  Two\nlines ", ""), "Guide") == "Guide › Two lines"
