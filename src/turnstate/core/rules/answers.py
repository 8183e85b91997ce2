"""What a message answers to a question, without naming the key."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from turnstate.core.facts import Folded, Key, Shape, Span, affirms, sentences
from turnstate.core.facts.text import word_set
from turnstate.core.rules.asked import Asked
from turnstate.core.rules.labels import label_of
from turnstate.core.rules.recognisers.names import name_tokens
from turnstate.core.rules.recognisers.phrases import CODE, split_items, trimmed
from turnstate.core.rules.speaker import NEGATED, SOMEONE
from turnstate.core.rules.text import MOST, Find, Text, compiled
from turnstate.core.values import ValueKind

_DODGES: Final = re.compile(
    r"\?|\b(?:i|i['’]\w+|we|we['’]\w+|let|let['’]s|that|there|this|please|you|your|my|rather|prefer|proceed|sounds|works|not|no|nope|none|"
    r"don['’]?t|do|why|nothing|never|later|skip|will|would|hoping|knowing|looking|look|can['’]?t|cannot|forgot|remember|find|already|agent|human|actually)\b",
    re.IGNORECASE,
)
_LEAD_IN: Final = re.compile(
    r"(?:(?:yes|yeah|yep|sure|ok|okay|certainly|of course|no problem|hi|hello|hey|thanks|um+|uh|well|so|oh|right|absolutely)\b[\s,.!:]*)*"
    r"(?:(?:it['’]?s|it is|that['’]?s|that would be|that is|this is|here(?: it is| you go)?|the (?:\w+ )?(?:number|id|name|code|address|one) is|"
    r"(?:my|the) (?:\w+ ){1,3}(?:is|are)|should be|i think(?: it['’]?s)?|i['’]?m|i am|i have|just|only)\b[\s,:]*)?"
    r"(?:(?:(?:going|headed|heading|travell?ing|depart) (?:to|from)|interested in|in|to|for|from|at|near|try|check)\b\s*)?",
    re.IGNORECASE,
)
_LEAD_OUT: Final = re.compile(
    r"[\s,.!]*(?:\b(?:please|thanks|thank you|i think|i believe)\b)?[\s.!]*$", re.IGNORECASE
)
_MOST_WORDS: Final = {Shape.NAME: 4, Shape.ADDRESS: 14}
_UNKNOWN: Final = re.compile(
    r"\b(?:don['’]?t|do not|not sure|unsure|forgot|can['’]?t|cannot|without|no idea)\b", re.IGNORECASE
)
_ME: Final = re.compile(r"\b(?:i['’]m|i am|this is)\s+$", re.IGNORECASE)
_PERSONAL: Final = word_set("user customer account member client profile login")


def answered(
    key: Key, asked: Asked, stated: Mapping[str, list[Find]], keys: Mapping[str, Key], text: Text
) -> list[Find]:
    """What the message answers for a key that was asked for, and does not state for another."""
    taken = [found.span for finds in stated.values() for found in finds]
    answers = [
        found
        for found in _answers(text, key, only=asked.only == key.name)
        if not any(map(found.span.meets, taken))
    ]
    if key.many or key.shape in {Shape.CHOICE, Shape.YES_NO}:
        return answers
    rivals = [keys[name] for name in asked.sentences if keys[name].shape is key.shape and not stated[name]]
    if len(rivals) > 1:
        mine = [found for found in answers if _rival(found, rivals, text) is key]
        if not mine and len(answers) == len(rivals):
            sentence = asked.sentences[key.name]
            mine = [answers[sorted(rivals, key=lambda rival: _mentioned(rival, sentence)).index(key)]]
        answers = mine
    return answers[-1:] if len(answers) < 3 else []


def _mentioned(key: Key, sentence: str) -> int:
    """Where a key is first spoken of, or the end of the sentence."""
    label = compiled(rf"\b(?:{label_of(key.words)})\b").search(sentence)
    return label.start() if label else len(sentence)


def _rival(found: Find, rivals: Sequence[Key], text: Text) -> Key | None:
    """Which of several keys an unnamed answer is for: the one spoken of last before it, or the speaker's own after "I'm"."""
    lead = text.words[text.sentence_at(found.span.start).start : found.span.start]
    if _ME.search(lead):
        personal = [rival for rival in rivals if _PERSONAL & set(rival.words)]
        return personal[0] if len(personal) == 1 else None
    for clause in reversed(re.split(r"[,;]|\bbut\b", lead)):
        named = [rival for rival in rivals if _mentioned(rival, clause) < len(clause)]
        if named and not _UNKNOWN.search(clause):
            return named[0] if len(named) == 1 else None
    return None


def _answers(text: Text, key: Key, *, only: bool) -> Iterator[Find]:
    """What in a message can be the answer to a question for this key; free words only where nothing else was asked."""
    message = text.words
    if key.shape in {Shape.CHOICE, Shape.YES_NO}:
        yield from _chosen(message, key)
        return
    if kinds := TELLING_KINDS.get(key.shape):
        spans = [Span(value.start, value.end) for value in text.values if value.kind in kinds]
    elif key.shape is Shape.ID:
        spans = list(codes(text))
    else:
        spans = list(_free_words(message, key)) if only or key.shape is Shape.NUMBER else []
    yield from (Find(message[slice(*span)], span, span) for span in spans[:MOST] if _is_own(span, text))


TELLING_KINDS: Final[Mapping[Shape, set[ValueKind]]] = {
    Shape.EMAIL: {ValueKind.EMAIL},
    Shape.PHONE: {ValueKind.PHONE, ValueKind.ID},
    Shape.DATE: {ValueKind.DATE},
}


def _is_own(span: Span, text: Text) -> bool:
    """Whether an answer is neither negated nor about someone else."""
    sentence = text.sentence_at(span.start)
    lead = text.words[max(sentence.start, span.start - 60) : span.start]
    return not (NEGATED.search(lead) or SOMEONE.search(lead))


def codes(text: Text) -> Iterator[Span]:
    """The codes of a message that are no date, amount or the like; a short number only where it is all there is."""
    body = _body(text.words)
    taken = {
        place
        for value in text.values
        if value.kind not in {ValueKind.ID, ValueKind.PHONE}
        for place in range(value.start, value.end)
    }
    for match in compiled(rf"(?<![\w@.,/-])(?:{CODE})").finditer(text.words):
        span = Span(*match.span())
        if span.start not in taken and (span == body or re.search(r"[^\W\d_]|\d{4}", match[0])):
            yield span


def _chosen(message: str, key: Key) -> Iterator[Find]:
    whole = trimmed(message, Span(0, len(message)))
    if key.shape is Shape.YES_NO:
        no = re.match(
            r"(?:no|nope|nah|not really|nein|non|i['’]m not|i don['’]?t|不)\b", message.strip(), re.IGNORECASE
        )
        if affirms(message) or (no and len(message.split()) <= 8):
            yield Find(no is None, whole, whole)
        return
    said = {
        value: span
        for option, value in key.options.items()
        for span in Folded(re.sub("[_-]", " ", message)).occurrences(option)
    }
    if len(said) == 1 or key.many:
        yield from (Find(value, span, span) for value, span in said.items())


def _body(message: str) -> Span:
    """The first sentence without its polite frame: "12345" of "Sure, it's 12345, thanks"."""
    first = next(sentences(message), Span(0, 0))
    start = _LEAD_IN.match(message, *first)
    body = trimmed(message, Span(start.end() if start else first.start, first.end))
    frame = _LEAD_OUT.search(message[slice(*body)])
    return trimmed(message, Span(body.start, body.start + frame.start())) if frame else body


def _free_words(message: str, key: Key) -> Iterator[Span]:
    """The one sentence of a message, if it is short and no way of not answering."""
    body = _body(message)
    words = message[slice(*body)].split()
    more = message[body.end :].strip(" .!,").casefold()
    if (
        not words
        or len(words) > _MOST_WORDS.get(key.shape, 5)
        or more not in {"", "please", "thanks", "thank you"}
    ):
        return
    if _DODGES.search(message[slice(*body)]) or "?" in message or affirms(message):
        return
    if key.shape is Shape.NAME and name_tokens(words) != words:
        return
    if key.shape is Shape.ADDRESS and not re.search(r"\d|,", message[slice(*body)]):
        return
    yield from split_items(message, body) if key.many else (body,)
