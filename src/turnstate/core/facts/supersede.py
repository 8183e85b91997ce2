"""Superseding by time: what stands of everything that was said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from turnstate.core.facts.fact import Fact, Source, meaning
from turnstate.core.facts.keys import Key


@dataclass(frozen=True, slots=True)
class Projection:
    """Facts folded by key; every fact in it is one of those that were folded.

    Attributes:
        standing: those not superseded or taken back, by key. What a user says of a key that the application has
            verified stands behind the application's fact.
        said: all of them, each once, in order of time.
        single: the keys with one value at a time.
    """

    standing: tuple[Fact, ...]
    said: tuple[Fact, ...]
    single: frozenset[str]

    def active(self, now: int) -> tuple[Fact, ...]:
        """The facts in force at `now` (microseconds since the epoch): none expired, one for each single key."""
        good = [fact for fact in self.standing if not _ended(fact, now)]
        by_app = {fact.key for fact in good if fact.source is Source.APP} & self.single
        return tuple(fact for fact in good if fact.source is Source.APP or fact.key not in by_app)

    def history(self, key: str) -> tuple[Fact, ...]:
        """Everything that was said about a key, retractions included, in order of time."""
        return tuple(fact for fact in self.said if fact.key == key)


def supersede(history: Iterable[Fact], keys: Mapping[str, Key] | None = None) -> Projection:
    """Fold facts into what stands. Of facts said at the same time, the later in `history` is the newer.

    It makes no difference how often a fact is repeated in `history` after its first mention.

    Args:
        history: the facts of one owner.
        keys: the declaration of today: its order, and which keys collect. Facts of other keys do not stand. Without
            it, each fact says itself whether its key collects.
    """
    said = sorted(dict.fromkeys(history), key=lambda fact: fact.at)
    standing: dict[str, _Held] = {name: {} for name in keys or ()}
    single: set[str] = set()
    for fact in said:
        if keys is None or fact.key in keys:
            many = fact.many if keys is None else keys[fact.key].many
            if not many:
                single.add(fact.key)
            _apply(standing.setdefault(fact.key, {}), fact, many=many)
    in_order = tuple(fact for held in standing.values() for fact in held.values())
    return Projection(in_order, tuple(said), frozenset(single))


_Held: TypeAlias = dict[tuple[bool, str], Fact]
"""The facts of one key by whether they are the application's, and by what they mean."""


def _apply(held: _Held, fact: Fact, *, many: bool) -> None:
    """Apply one fact to those of its key: the application's word goes over the user's, never the other way round."""
    by_app, what = fact.source is Source.APP, meaning(fact.value)
    replaced = [
        (app, other)
        for app, other in held
        if (by_app or not app)
        and (not many or other == what)
        and (fact.retracted or (app, other) != (by_app, what))
    ]
    for place in replaced:
        del held[place]
    verified = held.get((True, what))
    if fact.retracted or (many and not by_app and verified and not _ended(verified, fact.at)):
        return
    before = held.get((by_app, what))
    if before is None or _ended(before, fact.at) or _rank(fact) > _rank(before) or _outlives(fact, before):
        held[by_app, what] = fact


def _outlives(fact: Fact, before: Fact) -> bool:
    return before.expires_at is not None and (fact.expires_at is None or fact.expires_at > before.expires_at)


def _ended(fact: Fact, now: int) -> bool:
    return fact.expires_at is not None and fact.expires_at <= now


def _rank(fact: Fact) -> int:
    return list(Source).index(fact.source)
