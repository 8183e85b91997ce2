"""What is wrong with a summary: nothing, if it may stand for its source."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from turnstate.core.blocks import BLOCKS
from turnstate.core.context.counting import estimate_text
from turnstate.core.context.extractive import source_text
from turnstate.core.context.types import Excerpt
from turnstate.core.fidelity.order import inverted
from turnstate.core.fidelity.promises import hardened
from turnstate.core.fidelity.sentences import sentences
from turnstate.core.values import invented

_TAG: Final = re.compile(rf"</?(?:{'|'.join(BLOCKS)})\b", re.IGNORECASE)
_NAMED: Final = 5

SAME: Final = 3
"""So many times the same sentence is a loop; a weak model falls into them."""


def verify(summary: str, excerpt: Excerpt) -> tuple[str, ...]:
    """What is wrong with `summary`, one sentence each; nothing if it may be used.

    It must not be empty, larger than its source, over its cap, a loop, or show blocks of ours; it must invent no value,
    harden no promise and turn no order round. What it lost is no fault of it: that stands beside it.
    """
    if not summary.strip():
        return ("The summary is empty.",)
    problems: list[str] = []
    tokens = estimate_text(summary)
    source = source_text(excerpt)
    if tokens >= estimate_text(source):
        problems.append("The summary is not smaller than what it summarises.")
    if tokens > excerpt.cap:
        problems.append(f"The summary has {tokens} tokens, its cap is {excerpt.cap}.")
    if loops(summary) and not loops(source):
        problems.append("The summary says the same again and again.")
    if _TAG.search(summary) and not _TAG.search(source):
        problems.append("The summary has tags that stand around what is quoted.")
    if strange := invented(summary, source):
        told = ", ".join(value.text for value in strange[:_NAMED])
        problems.append(f"The summary has values that were never said: {told}")
    if firm := hardened(summary, excerpt):
        told = " ".join(f"“{found.text}”" for found in firm[:_NAMED])
        problems.append(f"The summary is firmer than what was said: {told}")
    if turned := inverted(summary, source):
        problems.append(f"The summary turns an order round: {'; '.join(turned[:_NAMED])}")
    return tuple(problems)


def loops(text: str) -> bool:
    """Whether a text says the same over and over."""
    said = Counter(" ".join(sentence.casefold().split()) for sentence in sentences(text))
    if said and max(said.values()) >= SAME:
        return True
    words = text.casefold().split()
    runs = [tuple(words[at : at + 4]) for at in range(len(words) - 3)]
    return len(runs) > 40 and len(set(runs)) * 2 < len(runs)
