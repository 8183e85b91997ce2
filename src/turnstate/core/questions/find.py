"""The questions in what an assistant says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from turnstate.core.questions import patterns
from turnstate.core.questions.types import Question, QuestionKind

LONGEST: Final = 600
"""Characters of a sentence that are looked at: its last ones, where its question is."""

_EDGES: Final = " \t\r\n\"'“”‘’«»*_-–—•·>#()[]"
_WORD: Final = re.compile(r"\w")
_PARTS: Final = 6


class _Sentence(NamedTuple):
    text: str
    start: int
    quoted: bool


def find_questions(text: str) -> tuple[Question, ...]:
    """The questions in an assistant's text, in order, none overlapping another.

    English is read whole: direct, indirect ("I'd need to know…"), elliptic ("And the timeline?") and imperative ("please give
    me your order number") questions. Other languages are read by their question signs and by the commonest ways to ask.
    A sentence that asks two things ("What's your budget, and when do you start?") is two questions. What stands in code
    fences or behind ">" is someone else's.

    Args:
        text: any text.
    """
    return tuple(question for sentence in _sentences(text) for question in _questions(sentence))


def _sentences(text: str) -> Iterator[_Sentence]:
    start, fenced = 0, False
    for end in [*patterns.END.finditer(text), None]:
        stop = len(text) if end is None else end.end()
        if (
            end is not None
            and end[0].startswith(".")
            and patterns.ABBREVIATED.search(text[max(0, stop - 8) : stop])
        ):
            continue
        raw = text[start:stop]
        if "```" in raw:
            fenced ^= raw.count("```") % 2 == 1
        elif not fenced and _WORD.search(raw):
            quoted = raw.lstrip().startswith(">")
            at = start + len(raw) - len(raw.lstrip(_EDGES))
            yield _Sentence(text[at:stop].rstrip().rstrip("*_"), at, quoted)
        start = stop


def _questions(sentence: _Sentence) -> Iterator[Question]:
    if sentence.quoted:
        return
    cut = max(0, len(sentence.text) - LONGEST)
    text, start = sentence.text[cut:], sentence.start + cut
    kind = _kind(text)
    if kind is None:
        return
    if kind is not QuestionKind.ASK:
        yield Question(text, start, start + len(text), kind)
        return
    begin = 0
    for split in [*_splits(text), None]:
        stop = len(text) if split is None else split.start()
        yield Question(text[begin:stop], start + begin, start + stop, kind)
        begin = stop if split is None else split.end()


def _splits(text: str) -> Iterator[re.Match[str]]:
    """The places where a second question begins; what stands before it has to ask as well."""
    begin = 0
    lead = patterns.LEAD.match(text)
    for count, split in enumerate(patterns.SPLIT.finditer(text)):
        part = text[begin : split.start()]
        opened = part[lead.end() :] if lead and not begin else part
        if count >= _PARTS or patterns.SUBORDINATE.match(opened) or len(opened.split()) < 2:
            continue
        if _asks(part) or patterns.SIGN.search(part):
            yield split
            begin = split.end()


def _kind(text: str) -> QuestionKind | None:
    """What a sentence is for, if it is a question."""
    signed = patterns.SIGN.search(text[-6:]) is not None
    if not signed and not _asks(text):
        return None
    if not signed and patterns.LET_KNOW.search(text):
        asks = re.search(r"\b(?:your|what|which|when|where|who)\b", text, re.IGNORECASE)
        return None if not asks or patterns.COURTESY.search(text) else _purpose(text, signed=signed)
    return _purpose(text, signed=signed)


def _purpose(text: str, *, signed: bool) -> QuestionKind:
    opened = _opened(text)
    if patterns.OTHER_CONFIRM.search(text) or patterns.CHECK.search(text):
        return QuestionKind.CONFIRM
    if patterns.COURTESY.search(text) or patterns.OTHER_COURTESY.search(text):
        return QuestionKind.COURTESY
    if (
        signed
        and (patterns.TAG.search(text) or patterns.STATED.match(opened))
        and not _WH.search(text)
        and not _SPLICED.search(opened)
    ):
        return QuestionKind.CONFIRM
    if patterns.OFFER.search(text) and not (patterns.INDIRECT.search(opened) or _WH.match(opened)):
        return QuestionKind.OFFER
    return QuestionKind.ASK


_WH: Final = re.compile(
    r"(?:(?:at|for|on|in|to|from|with|by) )?(?:what|which|when|where|who|whom|whose|how (?:many|much|long|soon|often|big|large))\b",
    re.IGNORECASE,
)


_SPLICED: Final = re.compile(
    r"[,;:–—-]\s*(?:so |and |but )?(?:do|does|are|is|would|will|can|could|did|have|has|shall|should|may|any)\b(?! (?:it|that|this) (?:right|correct))",
    re.IGNORECASE,
)
"""A question after a statement, in one sentence."""


def _opened(text: str) -> str:
    """A sentence from where it begins to ask."""
    lead = patterns.LEAD.match(text)
    return text[lead.end() :] if lead else text


def _asks_indirectly(opened: str) -> bool:
    """Whether a sentence asks by a wish; a look at its words spares most sentences the search."""
    small = opened.casefold()
    if not patterns.INDIRECT_SPEAKS.search(small) or not any(
        hint in small for hint in patterns.INDIRECT_HINTS
    ):
        return False
    return patterns.INDIRECT.search(opened) is not None


def _asks_otherwise(text: str) -> bool:
    """Whether a sentence asks in another language; ASCII needs one of few words to."""
    small = text.casefold()
    if small.isascii() and not any(hint in small for hint in patterns.OTHER_HINTS):
        return False
    return patterns.OTHER_ASK.search(text) is not None


def _asks(text: str) -> bool:
    """Whether a sentence asks by its words, sign or no sign."""
    opened = _opened(text)
    if patterns.NOT_INVERTED.match(opened):
        return False
    if patterns.INVERTED.match(opened) or _asks_indirectly(opened) or _asks_otherwise(text):
        return True
    if request := patterns.IMPERATIVE.match(opened):
        return patterns.IMPERATIVE_ASKS.search(opened, request.end()) is not None
    return patterns.BARE.match(opened) is not None
