"""Finding the commitments of a text: one for each sentence or clause that promises, refuses, hedges or reports a deed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from turnstate.core.commitments import patterns
from turnstate.core.commitments.types import Commitment, Firmness
from turnstate.core.search.words import STOP, stem

LONGEST: Final = 600
"""Characters of a sentence that are looked at: what is longer is no sentence, and its beginning says enough."""

_SHORT: Final = 2_000
"""Characters of a text whose commitments are remembered."""

_END: Final = re.compile(
    r"(?P<stop>(?<![.!?…。！？])[.!?…。！？]++(?=[\s\"')\]”’]|$)|\n+)|;\s|,\s+(?=(?:and|but|so)\s)|\s(?=but\s)",
    re.IGNORECASE,
)
"""Each run of stops is tried once, from its beginning: thousands of them in a row cost no more than they are long."""

_CONTRAST: Final = re.compile(r"but\b", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_MAYBE: Final = re.compile(
    r"\b(?:i|we|i'll|we'll|you'll|will|won't|shall|has|have|had|was|were|is|are|can|can't|cannot|could|might|may|should|would|promis\w*|"
    r"guarante\w*|refus\w*|declin\w*|denied|agree\w*|no|not|team|agent|assistant|store|company|airline|shop|let me|all set|offer\w*|plans?|intends?|wants?|never|none|unable|(?:it|that|everything)['’]s)\b|n['’]t\b",
    re.IGNORECASE,
)
_FORMS: Final = {
    "cancellat": "cancel", "cancellation": "cancel", "cancell": "cancel", "replacement": "replac", "delivery": "deliver",
    "deliveri": "deliver", "shipment": "ship", "shipp": "ship", "confirmation": "confirm", "payment": "pay", "paid": "pay",
    "reimbursement": "reimburs", "compensation": "compensat", "sent": "send", "bought": "buy", "booking": "book",
    "reservation": "reserv", "notification": "notify", "escalation": "escalat", "made": "make", "gave": "giv", "given": "giv",
}  # fmt: skip
_DEEDS: Final = {
    "cancel": "cancel", "refund": "refund", "reimburs": "refund", "chang": "change", "updat": "change", "modify": "change",
    "modif": "change", "mov": "change", "adjust": "change", "switch": "change", "reschedul": "change", "upgrad": "change",
    "downgrad": "change", "replac": "replace", "exchang": "replace", "waiv": "waive", "transfer": "transfer",
    "escalat": "transfer", "forward": "transfer", "compensat": "compensate", "deliver": "deliver", "ship": "deliver",
    "dispatch": "deliver", "arriv": "deliver", "approv": "approve", "remov": "remove", "delet": "remove", "extend": "extend",
    "unlock": "unlock", "reset": "reset",
}  # fmt: skip
_WEAKER: Final = {
    "book": "book",
    "rebook": "book",
    "reserv": "book",
    "pay": "pay",
    "charg": "pay",
    "send": "send",
}
"""Deeds by their words, those of one kind under one name; and words that are a deed only where there is no other."""

_NO_ACTION: Final = STOP | frozenset(
    [
        "might",
        "maybe",
        "perhaps",
        "possibly",
        "probably",
        "likely",
        "hopefully",
        "try",
        "trying",
        "see",
        "think",
        "believe",
        "hope",
        "sure",
        "able",
        "unable",
        "promise",
        "promised",
        "promises",
        "guarantee",
        "guaranteed",
        "assure",
        "plan",
        "plans",
        "intend",
        "intends",
        "offer",
        "offered",
        "agree",
        "agreed",
        "said",
        "say",
        "told",
        "agent",
        "assistant",
        "team",
        "customer",
        "user",
        "happy",
        "glad",
        "going",
        "like",
        "love",
        "gladly",
        "certainly",
        "definitely",
        "already",
        "now",
        "soon",
        "successfully",
        "fully",
        "possible",
        "expect",
        "expected",
        "please",
        "sorry",
        "afraid",
        "unfortunately",
        "however",
        "therefore",
        "also",
        "today",
        "tomorrow",
        "was",
        "were",
        "is",
        "are",
        "been",
        "have",
        "has",
        "had",
        "not",
        "refuse",
        "refused",
        "decline",
        "declined",
        "denied",
        "never",
        "allowed",
        "eligible",
        "once",
        "if",
        "unless",
        "until",
        "when",
        "provided",
    ]
)


def deeds_of(action: frozenset[str]) -> frozenset[str]:
    """The deeds among the words of an action: "cancelled the reservation" is of cancelling, not of reserving."""
    deeds = frozenset(_DEEDS[word] for word in action if word in _DEEDS)
    return deeds or frozenset(_WEAKER[word] for word in action if word in _WEAKER)


def asserted(text: str) -> frozenset[str]:
    """What a text is about where it states something, as `action_of`: neither asks nor only looks something up."""
    said = (sentence.text for sentence in _sentences(text) if not sentence.question)
    return frozenset(
        word for words in said if not patterns.CHECKING.search(words) for word in action_of(words)
    )


class _Sentence(NamedTuple):
    text: str
    start: int
    question: bool
    conditional: bool


def find_commitments(text: str, speaker: str) -> tuple[Commitment, ...]:
    """The commitments in what `speaker` said, in order; a question, a look-up and another's words are none.

    Also reads of a commitment in the third person ("The agent promised a refund"), as summaries have them. English; of
    another language it finds nothing.
    """
    return _again(text, speaker) if len(text) <= _SHORT else _find(text, speaker)


def _find(text: str, speaker: str) -> tuple[Commitment, ...]:
    found: list[Commitment] = []
    for sentence in _sentences(text):
        if sentence.question or not _MAYBE.search(sentence.text):
            continue
        firmness = firmness_of(sentence.text)
        if firmness is None:
            continue
        if sentence.conditional and firmness in {Firmness.PROMISED, Firmness.INTENDED}:
            firmness = Firmness.CONDITIONAL
        action = action_of(sentence.text)
        if action:
            end = sentence.start + len(sentence.text)
            found.append(Commitment(speaker, firmness, sentence.text, sentence.start, end, action))
    return tuple(found)


_again = lru_cache(maxsize=4_096)(_find)
"""The texts of a conversation are looked through again and again: short ones are remembered."""


def firmness_of(sentence: str) -> Firmness | None:  # noqa: PLR0911 - one return for each degree
    """How firmly a sentence commits whoever it speaks of; None where it commits nobody."""
    plain = patterns.ASIDE.sub(" ", sentence.replace("’", "'"))
    if patterns.REPORTED.search(plain):
        return None
    if patterns.UNSURE_PROMISE.search(plain):
        return Firmness.HEDGED
    if patterns.NOT_ABLE.search(plain):
        return Firmness.REFUSED
    if not patterns.DONE.search(plain):
        # What else is said beside a look-up stands for itself.
        plain = patterns.CHECKING.sub(" ", plain)
    committed = any(pattern.search(plain) for pattern in (patterns.PROMISE, patterns.INTENT, patterns.DONE))
    if not committed and not patterns.HEDGE.search(plain):
        return None
    if patterns.CONDITION.search(plain) and committed:
        return Firmness.CONDITIONAL
    if patterns.HEDGE.search(plain):
        return Firmness.HEDGED if committed or patterns.UNDERTAKING.search(plain) else None
    if patterns.DONE.search(plain):
        return Firmness.DONE
    return Firmness.PROMISED if patterns.PROMISE.search(plain) else Firmness.INTENDED


def action_of(sentence: str) -> frozenset[str]:
    """What a sentence is about: its telling words, so that "refund", "refunded" and "a refund" are one."""
    words = (word.casefold() for word in _WORD.findall(sentence.replace("’", "'")))
    stems = (stem(word) for word in words if word not in _NO_ACTION)
    return frozenset(_FORMS.get(word, word) for word in stems)


def _sentences(text: str) -> Iterator[_Sentence]:
    start = 0
    conditional = False
    for end in [*_END.finditer(text), None]:
        stop = len(text) if end is None else end.end()
        raw = text[start : min(stop, start + LONGEST)]
        words = raw.strip()
        if words:
            at = start + raw.index(words[0])
            asks = (
                words.rstrip("\"')]”’ ").endswith(("?", "？", "؟"))
                or patterns.QUESTION.match(words) is not None
            )
            yield _Sentence(words, at, asks, conditional and not _CONTRAST.match(words))
        if end is None or end["stop"]:
            conditional = False
        elif not conditional:
            conditional = patterns.OPENS.search(words) is not None
        start = stop
