"""All rules together: the candidates of a message that would be admitted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from turnstate.core.facts import Candidate, Fact, Key, Refusal, admit, admit_all, affirms, sentences
from turnstate.core.rules.answers import answered
from turnstate.core.rules.asked import asked_by
from turnstate.core.rules.corrections import corrections
from turnstate.core.rules.speaker import own_words
from turnstate.core.rules.statements import statements
from turnstate.core.rules.text import text_of

_LONGEST: Final = 20_000


def _confirmed(
    question: str, answer: str, keys: Mapping[str, Key], alone: frozenset[str]
) -> Iterator[Candidate]:
    """What the question holds, where the answer is a yes."""
    for span in sentences(question):
        sentence = question[slice(*span)]
        text = text_of(own_words(sentence), alone, yours=True)
        for key in keys.values():
            for found in statements(key, text):
                yield Candidate(key.name, found.value, answer.strip(), sentence)


def extract(message: str, keys: Mapping[str, Key], *, question: str = "") -> tuple[Candidate, ...]:
    """The candidates that rules find in a message, in its order; each quotes it, and would be admitted.

    Args:
        message: the user's own words; past 20,000 characters nothing is read.
        keys: the declaration.
        question: what the assistant said before; its last question is what a bare answer answers.
    """
    shapes = [key.shape for key in keys.values()]
    alone = frozenset(name for name, key in keys.items() if shapes.count(key.shape) == 1)
    message, question = message[:_LONGEST], question[-_LONGEST:]
    text = text_of(own_words(message), alone, yours=False)
    asked = asked_by(question, keys)
    stated = {name: statements(key, text) for name, key in keys.items()}
    candidates: list[Candidate] = []
    for name, key in keys.items():
        found, was_asked = stated[name], name in asked.sentences
        corrected = list(corrections(key, text)) if found or was_asked or name in alone else []
        if corrected and not key.many:
            found = corrected[-1:]
        elif was_asked and not found:
            found = answered(key, asked, stated, keys, text)
        sentence = asked.sentences.get(name, "")
        candidates += [Candidate(name, one.value, message[slice(*one.quote)], sentence) for one in found]
    if affirms(message):
        candidates += _confirmed(question, message, keys, alone)
    return _admissible(candidates, keys, message, question)


def _admissible(
    candidates: Iterable[Candidate], keys: Mapping[str, Key], message: str, question: str
) -> tuple[Candidate, ...]:
    """The candidates that would be admitted."""
    unique = tuple(dict.fromkeys(candidates))
    said = {"message": message, "question": question, "conversation": ""}
    outcomes = admit_all(unique, keys=keys, turn=0, at=0, **said)
    refused = {outcome.candidate for outcome in outcomes if isinstance(outcome, Refusal)}
    redacted = {candidate.key for candidate in refused if candidate not in unique}
    return tuple(
        candidate
        for candidate in unique
        if candidate not in refused
        and (
            candidate.key not in redacted
            or isinstance(admit(candidate, keys=keys, turn=0, at=0, **said), Fact)
        )
    )
