"""Whose words they are, and whether they state anything."""

from __future__ import annotations

import re
from typing import Final

from turnstate.core.facts import Shape
from turnstate.core.rules.text import Find, Text

_QUOTED_LINE: Final = re.compile(r"^[^\S\n]*>.*$", re.MULTILINE)
_SPEECH: Final = re.compile(
    r"\b(?:he|she|they|someone|agent|colleague|friend|e-?mail|message|bot|it|who)\s+(?:just\s+)?"
    r"(?:said|says|told me|wrote|replied|asked)[\s,:]{0,4}[\"“][^\"”\n]{0,400}[\"”]",
    re.IGNORECASE,
)
NEGATED: Final = re.compile(
    r"(?:\b(?:not|never|no longer|instead of|rather than|nor|neither|wrong|old|previous|former|used to)|n['’]t)\s+"
    r"(?:(?:my|the|our|for|to|about|from|an?|at|in|on|have|want|mean|need|use|is|was|be|live)\s+){0,3}[#\"'“]?$",
    re.IGNORECASE,
)
_DISOWNED: Final = re.compile(
    r",?\s+(?:is|was|are)(?:\s+not|n['’]t)\s+(?:mine|my|the (?:right|correct|one)|correct|right|me|ours|it)\b",
    re.IGNORECASE,
)
_SOMEONES: Final = (
    r"(?:\b(?i:his|her|their|its|another|some(?:one|body)(?: else)?['’]s)"
    r"|\b(?i:my|our|a|the)\s+(?:\w+\s+)?\w+['’]s?"
    r"|\b(?!(?i:what|where|here|it|that|there|who|how|when|let|today|this)['’])[A-Z]\w+['’]s)"
)
SOMEONE: Final = re.compile(_SOMEONES)
_OTHERS: Final = re.compile(rf"{_SOMEONES}\s+(?:(?:new|old|own|e-?mail|phone|last|first)\s+){{0,2}}$")
_IF: Final = re.compile(
    r"\b(?:if|suppose|supposing|imagine|unless|in case|were to|would have|wenn|falls)\b", re.IGNORECASE
)
_ASKS: Final = re.compile(
    r"(?:(?:and|but|so|ok|okay|hi|hello|hey|also|well|please|then)\b[\s,!.]*)*"
    r"(?:is|are|was|were|do|does|did|can|could|would|will|should|shall|may|might|what|where|when|which|who|why|how|have|has|am|you|u)\b",
    re.IGNORECASE,
)
_REQUESTS: Final = re.compile(
    r"\b(?:can|could|would|will|may|might|please)\b[^?]{0,60}\b(?:ship|send|deliver|mail|forward|post|change|update|set|use|switch|"
    r"correct|reach|call|text|contact|e-?mail|put|make|move|note)\b",
    re.IGNORECASE,
)
_LONG_BLANK: Final = re.compile(r"(?<=\s{8})\s+")


def own_words(message: str) -> str:
    """The message with quoted lines and other people's speech blanked out, of the same length.

    Blanks beyond eight in a row are filled, so that every pattern stays linear in the text.
    """
    words = _SPEECH.sub(_blank, _QUOTED_LINE.sub(_blank, message))
    return _LONG_BLANK.sub(lambda match: "\ufffc" * len(match[0]), words)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def states(found: Find, text: Text, shape: Shape) -> bool:
    """Whether the speaker says this of themselves: it is not negated, another's, supposed, or only asked.

    An id that is asked about is still the one that the talk is about.
    """
    words = text.words
    sentence = text.sentence_at(found.span.start)
    before_quote = words[max(sentence.start, found.quote.start - 60) : found.quote.start]
    before_value = words[max(sentence.start, found.span.start - 60) : found.span.start]
    if (
        NEGATED.search(before_quote)
        or NEGATED.search(before_value)
        or _DISOWNED.match(words, found.quote.end)
    ):
        return False
    if _OTHERS.search(before_quote):
        return False
    if shape is Shape.ID or text.yours:
        return True
    lead = words[sentence.start : found.span.start]
    asks = words[sentence.end - 1] == "?" and _ASKS.match(words, sentence.start)
    return not _IF.search(lead) and (not asks or _REQUESTS.search(lead) is not None)
