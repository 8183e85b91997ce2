"""What the request already says about the customer and their orders, and which mention counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from turnstate.models.offline.families import COMMON, vocabulary
from turnstate.models.offline.fields import field, item_names, name_parts, not_found, table
from turnstate.models.offline.intents import Reading, read
from turnstate.models.offline.rules.refunds import problem
from turnstate.models.offline.values import Kind, find_values
from turnstate.models.offline.view import Fact, Result, View
from turnstate.models.offline.words import families, stem, words

_KEYS: Final[dict[Kind, frozenset[str]]] = {
    "order": frozenset({"order", "purchase"}),
    "address": frozenset({"address", "destination"}),
    "email": frozenset({"email", "mail"}),
    "phone": frozenset({"phone", "telephone", "mobile"}),
}
_OWN_NAME: Final = vocabulary("name customer user full first last given")
_SPOKEN_OF: Final = re.compile(
    r"\border(?:[_ ](?:id|number|no))?[\s\":#=]{1,5}([\w-]{0,12}\d[\w-]{0,24})", re.IGNORECASE
)
_USER_LINE: Final = re.compile(r"(?:turn \d+ )?(?:user|customer)\b", re.IGNORECASE)
_IN_FOCUS: Final = 3
"""Exchanges within which "it" still points back at an order."""
_SPEAKER_LINE: Final = re.compile(
    r"(?:turn \d+ )?(?:user|customer|assistant|agent|tool)\b[^:\n]{0,40}:", re.IGNORECASE
)
_RECENT: Final = 6
"""Earlier messages in which a reason for a refund still counts."""


@lru_cache(maxsize=1024)
def kind_of_key(key: str) -> Kind | None:
    """What a fact's key holds: `delivery_address` an address."""
    parts = set(name_parts(key))
    # "e_mail_address" is no address.
    if parts & _KEYS["email"]:
        return "email"
    if "name" in parts and parts <= _OWN_NAME:
        return "name"
    return next((kind for kind, names in _KEYS.items() if parts & names), None)


@dataclass(frozen=True)
class Known:
    """What is in view, looked up in order of trust.

    The newest message first, then what is on record, the customer's earlier messages from the newest on, what was
    recalled, tool results, summaries, and the opening message.

    Attributes:
        view: the request.
        reading: its newest message, read.
    """

    view: View
    reading: Reading

    def values(self, kind: Kind) -> tuple[str, ...]:
        """All values of a kind in view, the one that counts first, each once."""
        found = tuple(dict.fromkeys(self._mentions(kind)))
        # "R-1001" beside "1001" is a reference of the shop's, not another order.
        return (
            tuple(v for v in found if not any(v != w and v.endswith(w) for w in found))
            if kind == "order"
            else found
        )

    def value(self, kind: Kind) -> str:
        """The value of a kind that counts, or ""."""
        return next(self._mentions(kind), "")

    def on_record(self, kind: Kind) -> str:
        """The value of a kind, the newest message left out; "" if there is none."""
        return next(self._earlier_mentions(kind), "")

    def earliest(self, kind: Kind) -> str:
        """The value of a kind that the customer gave first, as far as their messages are in view, or ""."""
        texts = (self.view.opening, *(() if self.view.summaries else self.view.said))
        return next((value for text in texts for value in _stated(text, kind)), "")

    def fact(self, key: str) -> str:
        """The value on record under exactly this key, or ""."""
        return next((fact.value for fact in self._facts() if fact.key == key), "")

    @cached_property
    def focus(self) -> str:
        """The order that one of the last exchanges was about, the newest first, or ""."""
        for back in range(1, min(_IN_FOCUS, len(self.view.said)) + 1):
            if stated := read(self.view.said[-back]).stated("order"):
                return stated[-1]
            reply = self.view.replies[-back] if back <= len(self.view.replies) else ""
            if spoken := _SPOKEN_OF.findall(reply):
                return spoken[0]
        return ""

    @cached_property
    def unknown(self) -> frozenset[str]:
        """Order numbers for which a tool found nothing."""
        return frozenset(order_of(result) for result in self.view.earlier if not_found(result.content))

    def current_order(self) -> str:
        """The order that "it" is, or "": stated now, changed on record, just spoken of, or known."""
        if stated := self.reading.stated("order"):
            return stated[-1]
        changed = [
            fact.value for fact in self.view.updates if kind_of_key(fact.key) == "order" and fact.value
        ]
        found = [order for order in (*changed, self.focus, *self.values("order")) if order]
        return next((order for order in found if order not in self.unknown), next(iter(found), ""))

    def other_order(self, order: str) -> str:
        """The order spoken of last that is not `order`, or ""."""
        others = [other for other in self.values("order") if other != order and other not in self.unknown]
        return others[0] if others else ""

    def order_of_item(self, text: str) -> str:
        """The order that contains what `text` names; "" if that is not clear.

        Tool results say what is in an order; where they have left the view, so does a message that names goods and one
        order number.
        """
        named = content(text)
        scores: dict[str, int] = {}
        # What this message's own calls return must not change what it is about.
        for result in self.view.earlier:
            goods = {stem(word) for item in item_names(table(result.content)) for word in words(item)}
            if (order := order_of(result)) and (hits := len(named & goods)):
                scores[order] = max(scores.get(order, 0), 2 * hits)
        for told in self._told():
            orders = _stated(told, "order")
            if len(orders) == 1 and (hits := len(named & content(told))):
                scores[orders[0]] = max(scores.get(orders[0], 0), hits)
        best = [order for order, score in scores.items() if score == max(scores.values())]
        return best[0] if len(best) == 1 else ""

    def _told(self) -> Iterator[str]:
        """What was said before, in stretches with one speaker."""
        yield self.view.opening
        yield from self.view.said
        for text in (*self.view.recalled, *self.view.summaries):
            yield from text.splitlines()

    def reason(self) -> str:
        """What the customer said is wrong with the goods, newest first, or ""."""
        if now := problem_in(self.reading):
            return now
        for text in reversed(self.view.said[-_RECENT:]):
            if said := problem_in(read(text)):
                return said
        return ""

    def reason_is_new(self) -> bool:
        """Whether the newest message is what tells what is wrong."""
        return bool(problem_in(self.reading))

    def _mentions(self, kind: Kind) -> Iterator[str]:
        yield from reversed(self.reading.stated(kind))
        yield from self._earlier_mentions(kind)

    def _earlier_mentions(self, kind: Kind) -> Iterator[str]:
        for fact in self._facts():
            if kind_of_key(fact.key) == kind and fact.value:
                yield fact.value
        for text in reversed(self.view.said):
            yield from reversed(_stated(text, kind))
        for text in reversed(self.view.recalled):
            yield from reversed(_stated(text, kind))
        for result in (*reversed(self.view.results), *reversed(self.view.earlier)):
            if value := order_of(result) if kind == "order" else field_of(result, kind):
                yield value
        for text in reversed(self.view.summaries):
            lines = text.splitlines()
            yield from _stated_in_lines([line for line in lines if _USER_LINE.match(line)], kind)
            yield from _stated_in_lines([line for line in lines if not _SPEAKER_LINE.match(line)], kind)
            if kind == "order":
                # What others than the customer wrote holds many numbers: only one that is called an order counts.
                yield from (order for line in reversed(lines) for order in _SPOKEN_OF.findall(line))
        yield from reversed(_stated(self.view.opening, kind))

    def _facts(self) -> Iterator[Fact]:
        changed = {fact.key for fact in self.view.updates}
        yield from self.view.updates
        yield from (fact for fact in self.view.facts if fact.key not in changed)


def _stated(text: str, kind: Kind) -> tuple[str, ...]:
    return tuple(dict.fromkeys(v.text for v in find_values(text) if v.kind == kind and not v.refused))


def _stated_in_lines(lines: list[str], kind: Kind) -> Iterator[str]:
    for line in reversed(lines):
        yield from reversed(_stated(line, kind))


def order_of(result: Result) -> str:
    """The order number that a call was about."""
    for key, value in result.args.items():
        if kind_of_key(key) == "order" and isinstance(value, str | int) and str(value).strip():
            return str(value).strip()
    return field(table(result.content), "order")


def field_of(result: Result, kind: Kind) -> str:
    """A customer's value in a result."""
    fields = table(result.content)
    if kind == "address":
        return field(fields, "address")
    return next((str(v) for k, v in fields.items() if kind_of_key(k) == kind and isinstance(v, str)), "")


@lru_cache(maxsize=4096)
def content(text: str) -> frozenset[str]:
    """The stems of the words in `text` that name things: neither common words nor those of the trade."""
    return frozenset(
        stem(word) for word in words(text) if len(word) > 2 and word not in COMMON and not families(word)
    )


def problem_in(reading: Reading) -> str:
    """The words that tell what is wrong with the goods, or ""."""
    told = [clause.said for clause in reading.clauses if problem(clause)]
    return " ".join(" ".join(told).split())[:160].strip(" .!?,")
