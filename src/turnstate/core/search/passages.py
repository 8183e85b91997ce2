"""The passage of a long text that has what is looked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from turnstate.core.search.words import words

READ = 60_000
"""Characters of one text that are looked through, at its beginning."""

_BREAK = re.compile(r"(?<=[.!?。！？])\s+|\n+|(?<=[,;}\]])\s?")


def passage_of(text: str, asked: Sequence[str], most: int) -> str:
    """About `most` characters of `text` around the place that has most of the words; its beginning where none has any."""
    wanted = set(asked)
    pieces = list(_pieces(text[:READ], max(40, most // 4)))
    own = [len(wanted.intersection(words(piece))) for piece in pieces]
    best = max(range(len(pieces)), key=lambda place: (own[place], -place), default=0)
    first = last = best
    size = len(pieces[best]) if pieces else 0
    while True:
        options = [place for place in (last + 1, first - 1) if 0 <= place < len(pieces)]
        options = [place for place in options if size + len(pieces[place]) <= most]
        if not options:
            break
        # What has more of the words comes first; else what follows, for answers stand behind questions.
        chosen = max(options, key=lambda place: own[place])
        first, last, size = min(first, chosen), max(last, chosen), size + len(pieces[chosen])
    shown = "".join(pieces[first : last + 1]).strip()
    return f"{'… ' if first else ''}{shown}{' …' if last + 1 < len(pieces) or len(text) > READ else ''}"


def _pieces(text: str, longest: int) -> Iterator[str]:
    """`text` in pieces that join to it: sentences, lines and clauses, none much longer than `longest`."""
    start = 0
    for found in _BREAK.finditer(text):
        if found.end() - start >= longest // 4:
            yield from _words_of(text[start : found.end()], longest)
            start = found.end()
    if start < len(text):
        yield from _words_of(text[start:], longest)


def _words_of(piece: str, longest: int) -> Iterator[str]:
    while len(piece) > 2 * longest:
        cut = piece.rfind(" ", longest // 2, longest) + 1 or longest
        yield piece[:cut]
        piece = piece[cut:]
    yield piece
