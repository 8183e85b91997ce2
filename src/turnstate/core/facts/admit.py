"""Admitting candidates: the user's own words must say what becomes a fact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from turnstate.core.facts.coerce import coerce
from turnstate.core.facts.confirm import confirmed
from turnstate.core.facts.fact import Candidate, Fact, Refusal, Source, meaning
from turnstate.core.facts.heard import Admitted, Heard, Place
from turnstate.core.facts.keys import Key, Scalar
from turnstate.core.facts.locate import locate, spelled
from turnstate.core.facts.sensitive import secrets
from turnstate.core.facts.text import EDGES, Folded, Span


def admit(
    candidate: Candidate,
    *,
    keys: Mapping[str, Key],
    message: str,
    question: str = "",
    conversation: str,
    turn: int,
    at: int,
) -> Fact | Refusal:
    """Make a fact of a candidate with one value, if the user's own words say it.

    The quote must stand in the message (compared by `Folded`), and the value in the quote. Otherwise the message must
    say yes to a question that holds the value.

    Args:
        candidate: what an extractor proposes.
        keys: the declaration.
        message: the user's own words and nothing else: no injected text, no tool output.
        question: what the assistant said before.
        conversation: where it was said.
        turn: in which turn.
        at: when, in microseconds since the epoch.
    """
    heard = Heard(keys, message, question, conversation, turn, at, Folded(message), secrets(message))
    outcome = _consider(candidate, heard, ())
    return outcome.fact if isinstance(outcome, Admitted) else outcome


def admit_all(
    candidates: Iterable[Candidate],
    *,
    keys: Mapping[str, Key],
    message: str,
    question: str = "",
    conversation: str,
    turn: int,
    at: int,
) -> tuple[Fact | Refusal, ...]:
    """As `admit`, for all candidates from one message, in order: a list is one candidate per item, words feed one key.

    A candidate that repeats one before it is left out.
    """
    heard = Heard(keys, message, question, conversation, turn, at, Folded(message), secrets(message))
    outcomes: list[Fact | Refusal] = []
    places: list[Place] = []
    for candidate in candidates:
        for single in _one_by_one(candidate, keys):
            outcome = _consider(single, heard, places)
            if isinstance(outcome, Refusal):
                outcomes.append(outcome)
            elif not any(outcome.place[:2] == place[:2] for place in places):
                outcomes.append(outcome.fact)
                places.append(outcome.place)
    return tuple(outcomes)


def _one_by_one(candidate: Candidate, keys: Mapping[str, Key]) -> Iterator[Candidate]:
    items = candidate.value
    if (
        isinstance(items, list | tuple | set | frozenset)
        and candidate.key in keys
        and keys[candidate.key].many
    ):
        yield from (replace(candidate, value=item) for item in cast("Iterable[object]", items))
    else:
        yield candidate


def _refusal(candidate: Candidate, reason: str, heard: Heard) -> Refusal:
    """The refusal, with no secret in it."""
    if not (
        heard.exposes(spelled(candidate.value))
        or heard.exposes(candidate.quote)
        or secrets(candidate.question)
    ):
        return Refusal(candidate, reason)
    return Refusal(Candidate(candidate.key, "[redacted]", "[redacted]"), reason)


def _consider(candidate: Candidate, heard: Heard, places: Sequence[Place]) -> Admitted | Refusal:
    """A candidate with one value, after those whose words are in `places`."""
    key = heard.keys.get(candidate.key)
    if key is None:
        return _refusal(candidate, f"There is no such key; the keys are {', '.join(heard.keys)}.", heard)
    coerced = coerce(key, candidate.value)
    values = list(coerced.values)
    if not key.sensitive and heard.exposes(spelled(candidate.value)):
        outcome: Admitted | str = "It looks like a payment card or a secret, which is not remembered."
    elif coerced.problem or not values:
        outcome = f"{coerced.problem or 'No value was given'}."
    elif len(values) > 1:
        outcome = f"{len(values)} values were given at once."
    else:
        outcome = _stated(key, values[0], candidate, heard, places) or confirmed(
            key, values[0], candidate, heard
        )
    if isinstance(outcome, Admitted):
        return outcome
    return _refusal(candidate, outcome or _why_not(candidate, heard), heard)


def _quotes(key: Key, value: Scalar, candidate: Candidate, heard: Heard) -> Iterator[Span]:
    """Where the message has the candidate's quote; without a quote, where it says the value."""
    if candidate.quote:
        for words in dict.fromkeys((candidate.quote, candidate.quote.strip(EDGES))):
            yield from heard.folded.occurrences(words)
    elif key.base is not bool:
        yield from heard.folded.occurrences(spelled(candidate.value))
        found = locate(key, value, candidate.value, heard.message)
        if found:
            yield found


def _stated(
    key: Key, value: Scalar, candidate: Candidate, heard: Heard, places: Sequence[Place]
) -> Admitted | str:
    """The fact that the message states, or why it cannot be one; "" where the message does not state it."""
    problem = ""
    for quoted in _quotes(key, value, candidate, heard):
        found = locate(key, value, candidate.value, heard.message[slice(*quoted)])
        if found is None:
            continue
        words = Span(quoted.start + found.start, quoted.start + found.end)
        place = Place(key.name, meaning(value), words, exact=key.base is not bool)
        holds_secret = not key.sensitive and any(quoted.meets(secret) for secret in heard.secrets)
        if holds_secret and not place.exact:
            problem = "Its quote holds a payment card or a secret."
        elif any(place.excludes(other) and place[:2] != other[:2] for other in places):
            problem = "The same words already stand for another value."
        else:
            question = _verbatim(candidate.question, heard.question)
            span = words if holds_secret else quoted
            return Admitted(heard.fact(key, value, Source.USER_QUOTE, span, question), place)
    return problem


def _why_not(candidate: Candidate, heard: Heard) -> str:
    if any(heard.folded.occurrences(candidate.quote.strip(EDGES))):
        return "The quote does not say the value."
    return (
        "The quote does not stand in the user's message."
        if candidate.quote
        else "The user did not say the value."
    )


def _verbatim(words: str, text: str) -> str:
    """`words` as they stand in `text`, or ""."""
    span = next(Folded(text).occurrences(words), None) if words else None
    return text[slice(*span)] if span else ""
