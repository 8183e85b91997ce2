"""Which orders a request is about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from turnstate.models.offline.intents import Ask, Intent, Reading, read
from turnstate.models.offline.known import Known, content
from turnstate.models.offline.words import families, words

MOST: Final = 4
"""Orders that are looked at for one request."""

_OTHER: Final = re.compile(r"\b(?:other|another) (?:order|one|parcel|package|purchase)\b", re.IGNORECASE)
_NTH: Final = re.compile(
    r"\b(first|second|third|last|latter|former) (?:one|order|parcel|package)\b", re.IGNORECASE
)
_PLACES: Final = {"first": 0, "former": 0, "second": 1, "third": 2, "last": -1, "latter": -1}
_GOODS: Final = re.compile(
    r"\b(?:the|my|that|this|those|these) ((?:[\w'’-]{2,20} ){0,2}[\w'’-]{2,20})", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Targets:
    """The orders of a request.

    Attributes:
        orders: their numbers; one "" if none is in view.
        goods: stems of the goods that are named, where nothing in view tells which of the orders they are in.
    """

    orders: tuple[str, ...]
    goods: frozenset[str] = frozenset()

    @property
    def sure(self) -> bool:
        """Whether the request leaves no doubt."""
        return not self.goods


def targets(request: Ask, reading: Reading, known: Known) -> Targets:
    """The orders that a request is about: named in it, in its message, by their goods, or just spoken of."""
    if clear := _stated(request, reading) or _pointed_at(request, known):
        return Targets(clear[:MOST])
    current = known.current_order()
    in_view = known.values("order")[:MOST]
    named = frozenset(stem for match in _GOODS.finditer(request.said) for stem in content(match[1]))
    if named and len(in_view) > 1:
        return Targets(in_view if request.intent is Intent.STATUS else (current,), named)
    return Targets((current,))


def _pointed_at(request: Ask, known: Known) -> tuple[str, ...]:
    """The orders that words like "the other one", "the second one", "both" or the goods point at."""
    if _OTHER.search(request.said) and (other := known.other_order(known.current_order())):
        return (other,)
    if (nth := _NTH.search(request.said)) and (listed := _last_listed(known)):
        place = _PLACES[nth[1].lower()]
        return (listed[place] if place < len(listed) else listed[-1],)
    if request.intent is Intent.STATUS and any("both" in families(word) for word in words(request.said)):
        return known.values("order")
    of_goods = known.order_of_item(request.said)
    return (of_goods,) if of_goods else ()


def _last_listed(known: Known) -> tuple[str, ...]:
    """The order numbers of the last message that has several."""
    for text in reversed(known.view.said):
        if len(orders := read(text).stated("order")) > 1:
            return orders
    return ()


def _stated(request: Ask, reading: Reading) -> tuple[str, ...]:
    if own := request.stated("order"):
        return own
    stated = reading.stated("order")
    # A change that shares its message with other requests is about one order, the one named last.
    alone = len(reading.requests) == 1 or sum(ask.intent is request.intent for ask in reading.requests) > 1
    return stated if alone or request.intent is Intent.STATUS else stated[-1:]
