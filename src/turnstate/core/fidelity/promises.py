"""Promises that a summary makes firmer than they were made."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from turnstate.core.commitments import Commitment, Firmness, action_of, asserted, deeds_of, find_commitments
from turnstate.core.context.extractive import spoken
from turnstate.core.context.types import Excerpt

_FIRM: Final = {
    Firmness.REFUSED: 0,
    Firmness.CONDITIONAL: 1,
    Firmness.HEDGED: 1,
    Firmness.INTENDED: 2,
    Firmness.PROMISED: 3,
    Firmness.DONE: 4,
}
"""How far each goes. What was done was more than promised; a condition and a doubt are both less than a plan."""

_LABEL: Final = re.compile(r"^(?:turn \d+ )?(?P<speaker>user|assistant|tool): ", re.MULTILINE)
_CUSTOMER: Final = re.compile(r"^\W*(?:the )?(?:user|customer|client|caller|he|she|they)\b", re.IGNORECASE)


def hardened(summary: str, excerpt: Excerpt) -> tuple[Commitment, ...]:
    """The commitments of `summary` that are firmer than anything that was said about the same action.

    What only the user asked for, and nobody undertook or did, is no promise either. What a tool was called for or
    returned counts as done.
    """
    said = tuple(_said(excerpt))
    done = _words(excerpt, "tool", action_of)
    asked = _words(excerpt, "user", action_of) - _words(excerpt, "assistant", asserted) - done
    return tuple(
        found
        for found in _claimed(summary)
        if _FIRM[found.firmness] >= _FIRM[Firmness.PROMISED] and _harder(found, said, asked, done)
    )


def _claimed(summary: str) -> Iterator[Commitment]:
    """What a summary says the assistant's side undertook or did."""
    plain = _LABEL.sub("", summary)
    for found in find_commitments(plain, "assistant"):
        if not _CUSTOMER.match(found.text):
            yield found


def _said(excerpt: Excerpt) -> Iterator[Commitment]:
    for turn in excerpt.turns:
        for speaker, text in spoken(turn):
            if speaker != "tool":
                yield from find_commitments(text, speaker)


def _words(excerpt: Excerpt, speaker: str, read: Callable[[str], frozenset[str]]) -> frozenset[str]:
    texts = (text for turn in excerpt.turns for who, text in spoken(turn) if who == speaker)
    return frozenset(word for text in texts for word in read(text.replace("_", " ")))


def _harder(
    found: Commitment, said: Sequence[Commitment], asked: frozenset[str], done: frozenset[str]
) -> bool:
    same = [other for other in said if _same_action(found, other)]
    if any(_FIRM[other.firmness] >= _FIRM[found.firmness] for other in same):
        return False
    if found.firmness is Firmness.DONE and _done_by(found.action, done):
        return False
    # Nothing firmer was said of it: it was hedged, refused, or only asked for.
    return bool(same) or bool(found.action & asked)


def _same_action(one: Commitment, other: Commitment) -> bool:
    """Whether two commitments are about one thing: the same deed, and one's telling words mostly in the other."""
    deeds, others = deeds_of(one.action), deeds_of(other.action)
    if deeds and others:
        return not deeds.isdisjoint(others)
    shared = len(one.action & other.action)
    return shared > 0 and shared * 2 >= min(len(one.action), len(other.action))


def _done_by(action: frozenset[str], done: frozenset[str]) -> bool:
    """Whether tools were called for it, or returned it: for the same deed, where it names one."""
    deeds = deeds_of(action)
    return not deeds.isdisjoint(deeds_of(done)) if deeds else not action.isdisjoint(done)
