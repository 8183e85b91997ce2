"""What can be repaired of a summary: the sentences that are at fault leave, the others stay as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from turnstate.core.context.counting import estimate_text
from turnstate.core.context.extractive import source_text
from turnstate.core.context.types import Excerpt
from turnstate.core.fidelity.order import inverted
from turnstate.core.fidelity.promises import hardened
from turnstate.core.fidelity.sentences import sentences
from turnstate.core.values import Dated, find, invented

LEAST: Final = 0.5
"""How much of what it says must stand for a repaired summary to be worth having."""

_OPENING: Final = re.compile(
    r"^[^\w\n]*+(?:(?:sure|certainly|of course|ok(?:ay)?)\W{1,10})?(?:here(?:'s| is| are)|below is|this is|the following is)\b[^.:]{0,80}:\s*"
    r"|^[^\w\n]*+(?:summary|conversation summary)\W{0,10}:\s*|^```\w*|```$",
    re.IGNORECASE | re.MULTILINE,
)
_TAGGED: Final = re.compile(r"</?\w[^>]{0,200}>")


def repair(summary: str, excerpt: Excerpt) -> str:
    """`summary` without what is wrong in it, cut at a sentence to its cap; "" where too little would stand.

    Sentences leave that say the same again, that have a value nobody said, a promise firmer than it was made, or an
    order turned round; so do a model's opening words, fences and tags. Nothing is added and no sentence is changed.
    """
    source = source_text(excerpt)
    plain = _TAGGED.sub(" ", _OPENING.sub("", summary))
    said = list(dict.fromkeys(sentences(plain)))
    kept = list(_within(excerpt, _sound(said, source, excerpt)))
    if sum(map(len, kept)) < LEAST * min(sum(map(len, said)), 3 * excerpt.cap):
        return ""
    text = "\n".join(kept)
    return text if estimate_text(text) < estimate_text(source) else ""


def _sound(said: list[str], source: str, excerpt: Excerpt) -> list[str]:
    """The sentences that are true to their source, which is read once for all of them."""
    text = "\n".join(said)
    strange = {(value.kind, value.norm) for value in invented(map(Dated, said), source)}
    wrong = [*inverted(text, source), *(found.text for found in hardened(text, excerpt))]
    return [
        sentence
        for sentence in said
        if not any(words in sentence for words in wrong)
        and strange.isdisjoint((value.kind, value.norm) for value in find(sentence))
    ]


def _within(excerpt: Excerpt, kept: list[str]) -> Iterator[str]:
    used: list[str] = []
    for sentence in kept:
        used.append(sentence)
        if estimate_text("\n".join(used)) > excerpt.cap:
            return
        yield sentence
