"""Facts and retractions that an application states about its user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from turnstate.core.facts.coerce import coerce
from turnstate.core.facts.fact import Fact, Source
from turnstate.core.facts.heard import Heard
from turnstate.core.facts.keys import Key
from turnstate.core.facts.sensitive import secrets
from turnstate.core.facts.text import Folded, Span
from turnstate.errors import FactsDeclarationError


def told(
    keys: Mapping[str, Key], values: Mapping[str, object], *, conversation: str, at: int
) -> tuple[Fact, ...]:
    """The facts that an application states about its user; a list holds several values of a `Many` key.

    Raises:
        FactsDeclarationError: no such key, the value does not fit it, or it is a secret.
    """
    facts: list[Fact] = []
    heard = Heard(keys, "", "", conversation, 0, at, Folded(""), ())
    for name, raw in values.items():
        key = _declared_key(keys, name)
        coerced = coerce(key, raw)
        if coerced.problem or not coerced.values:
            fix = "Give a value of its type; forget(...) takes a fact back"
            raise FactsDeclarationError(name, coerced.problem or "no value was given", fix)
        if not key.sensitive and any(secrets(str(value)) for value in coerced.values):
            fix = "Do not remember it, or declare the key with key(..., sensitive=True)"
            raise FactsDeclarationError(name, "the value looks like a payment card or a secret", fix)
        facts += [heard.fact(key, value, Source.APP, Span(0, 0), "") for value in coerced.values]
    return tuple(facts)


def forgotten(
    keys: Mapping[str, Key], names: Iterable[str], standing: Iterable[Fact], *, conversation: str, at: int
) -> tuple[Fact, ...]:
    """The retractions, by the application, of what stands under some keys.

    Raises:
        FactsDeclarationError: no such key, neither declared nor on record.
    """
    held = tuple(fact for fact in standing if not fact.retracted)
    recorded = {fact.key for fact in held}
    for name in dict.fromkeys(names):
        if name not in recorded:
            _declared_key(keys, name)
    return tuple(
        Fact(
            fact.key,
            fact.value,
            Source.APP,
            "",
            0,
            0,
            conversation,
            0,
            at,
            None,
            retracted=True,
            many=fact.many,
        )
        for fact in held
        if fact.key in set(names)
    )


def _declared_key(keys: Mapping[str, Key], name: str) -> Key:
    if name not in keys:
        known = f"Use one of {', '.join(keys)}" if keys else "Declare a Facts class and pass it as facts="
        raise FactsDeclarationError(name, "there is no such key", known)
    return keys[name]
