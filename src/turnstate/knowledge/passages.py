"""Cutting a document's blocks into passages: large enough to say something, small enough to be quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from turnstate.knowledge.documents import Block, Passage, title_of

LONGEST = 1_200
"""Characters of a passage."""

FULL = 800
"""Characters at which a passage is full: the next block begins a new one."""

_TITLE = 300
_ENDS = tuple(
    re.compile(pattern)
    for pattern in (r"\n+", r"(?<=[.!?。！？…])\s*(?=\S)", r"(?<=[;,、；，])\s*(?=\S)", r"\s+")
)


def passages(blocks: Iterable[Block], document: str) -> Iterator[Passage]:
    """The passages of a document, in order; none spans two sections, and no word is left out.

    Args:
        blocks: what it says, in order.
        document: its title.
    """
    for headings, group in groupby(blocks, key=lambda block: block.headings):
        title = title_of(headings, document)[:_TITLE]
        for text in _texts(group):
            yield Passage(title, text)


def _texts(blocks: Iterable[Block]) -> Iterator[str]:
    """Texts of one section: its blocks joined until one is full."""
    held: list[str] = []
    size = 0
    for block in blocks:
        for piece in pieces(block.text.strip(), LONGEST):
            if held and (block.alone or size >= FULL or size + len(piece) + 2 > LONGEST):
                yield "\n\n".join(held)
                held, size = [], 0
            held.append(piece)
            size += len(piece) + 2
        if block.alone and held:
            yield "\n\n".join(held)
            held, size = [], 0
    if held:
        yield "\n\n".join(held)


def pieces(text: str, longest: int) -> Iterator[str]:
    """`text` in pieces of at most `longest` characters, cut at the ends of lines, sentences, clauses, words, else anywhere."""
    start = 0
    while len(text) - start > longest:
        end = _end(text, start, longest)
        if piece := text[start:end].strip():
            yield piece
        start = end
    if piece := text[start:].strip():
        yield piece


def _end(text: str, start: int, longest: int) -> int:
    for pattern in _ENDS:
        ends = [
            found.end() for found in pattern.finditer(text, start, start + longest) if found.end() > start
        ]
        late = [end for end in ends if end - start >= longest // 3]
        if late:
            return late[-1]
    return start + longest
