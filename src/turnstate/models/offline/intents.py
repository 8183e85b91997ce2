"""What a message asks for: the intent of each of its clauses, settled for the message as a whole."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from turnstate.models.offline.clauses import Clause, split
from turnstate.models.offline.rules import changes, courtesies, orders, policies, recollection, refunds
from turnstate.models.offline.values import Found, Kind, find_values, shortened


class Intent(StrEnum):
    """What somebody wants from a support desk."""

    STATUS = "status"
    ADDRESS = "address"
    REFUND = "refund"
    CANCEL = "cancel"
    RECALL = "recall"
    POLICY = "policy"
    HUMAN = "human"
    ABILITY = "ability"
    COMPLAINT = "complaint"
    GREETING = "greeting"
    THANKS = "thanks"
    GOODBYE = "goodbye"
    YES = "yes"
    NO = "no"
    INFORM = "inform"
    UNKNOWN = "unknown"


REQUESTS: Final = frozenset(
    {
        Intent.STATUS,
        Intent.ADDRESS,
        Intent.REFUND,
        Intent.CANCEL,
        Intent.RECALL,
        Intent.POLICY,
        Intent.HUMAN,
        Intent.ABILITY,
    }
)
"""Intents that ask for something; the others give way to them in the same message."""

_PASTED: Final = re.compile(r"[\"“„«][^\"“”„«»]{60,4000}[\"”“»]|^>.*$", re.MULTILINE)
_LONG: Final = 40
"""Words from which on a message tells a story, in which only what is asked for counts."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing that a message asks for.

    Attributes:
        intent: what.
        aspect: which side of it: for a status "eta", for a recollection "order", for a policy its topic; "" for all.
        said: the clause, as written.
        values: the values in the clause.
    """

    intent: Intent
    aspect: str
    said: str
    values: tuple[Found, ...] = ()

    def stated(self, kind: Kind) -> tuple[str, ...]:
        """The values of a kind in the clause, in order, each once."""
        return _stated(self.values, kind)


@dataclass(frozen=True, slots=True)
class Reading:
    """A message, read.

    Attributes:
        text: as written.
        values: the values in it, in order.
        clauses: its thoughts, in order.
        asks: what it asks for, in order, each intent and aspect once; never empty.
    """

    text: str
    values: tuple[Found, ...]
    clauses: tuple[Clause, ...]
    asks: tuple[Ask, ...]

    def intends(self, *intents: Intent) -> bool:
        """Whether it asks for one of these."""
        return any(ask.intent in intents for ask in self.asks)

    @property
    def requests(self) -> tuple[Ask, ...]:
        """What it asks to be done or answered."""
        return tuple(ask for ask in self.asks if ask.intent in REQUESTS)

    def stated(self, kind: Kind) -> tuple[str, ...]:
        """The values of a kind that the writer stands by, in order, each once."""
        return _stated(self.values, kind)


def _stated(values: tuple[Found, ...], kind: Kind) -> tuple[str, ...]:
    return tuple(dict.fromkeys(v.text for v in values if v.kind == kind and not v.refused))


class _Rule(NamedTuple):
    intent: Intent
    aspect: Callable[[Clause], str | None]


# The first that takes a clause wins: a recollection of an address is no change of address, a refund in question is no
# request for one.
_RULES: Final = (
    _Rule(Intent.NO, courtesies.only_declines),
    _Rule(Intent.RECALL, recollection.recall),
    _Rule(Intent.HUMAN, courtesies.human),
    _Rule(Intent.CANCEL, changes.cancel),
    _Rule(Intent.POLICY, policies.warranty),
    _Rule(Intent.ADDRESS, changes.address),
    _Rule(Intent.STATUS, refunds.refund_news),
    _Rule(Intent.POLICY, refunds.return_rules),
    _Rule(Intent.REFUND, refunds.refund),
    _Rule(Intent.POLICY, policies.shipping_rules),
    _Rule(Intent.POLICY, policies.policy),
    _Rule(Intent.STATUS, orders.status),
    _Rule(Intent.ABILITY, courtesies.ability),
    _Rule(Intent.STATUS, orders.order_in_question),
    _Rule(Intent.GOODBYE, courtesies.goodbye),
    _Rule(Intent.THANKS, courtesies.thanks),
    _Rule(Intent.COMPLAINT, courtesies.complaint),
    _Rule(Intent.NO, courtesies.declines),
    _Rule(Intent.YES, courtesies.agrees),
    _Rule(Intent.INFORM, courtesies.informs),
    _Rule(Intent.RECALL, recollection.own),
    _Rule(Intent.GREETING, courtesies.greeting),
    _Rule(Intent.UNKNOWN, courtesies.unknown),
)


def read(text: str) -> Reading:
    """Read a message; of a very long one its beginning and end."""
    return _read(shortened(text))


@lru_cache(maxsize=2048)
def _read(text: str) -> Reading:
    values = find_values(text)
    clauses = split(_own_words(text), values)
    asks = [_classified(clause) for clause in clauses]
    return Reading(text, values, clauses, _settled(clauses, asks) or (Ask(Intent.UNKNOWN, "", text, values),))


def _own_words(text: str) -> str:
    """`text` with what is pasted from somebody else blanked, at the same length."""
    return _PASTED.sub(lambda match: " " * len(match[0]), text)


def _classified(clause: Clause) -> Ask:
    for rule in _RULES:
        if (aspect := rule.aspect(clause)) is not None:
            return Ask(rule.intent, aspect, clause.said, clause.values)
    return Ask(Intent.UNKNOWN, "", clause.said, clause.values)


def _settled(clauses: tuple[Clause, ...], asks: list[Ask]) -> tuple[Ask, ...]:
    """What a message asks for as a whole: a story gives way to its requests, and each is asked for once."""
    if sum(clause.length for clause in clauses) > _LONG:
        asking = {clause.said for clause in clauses if clause.asking}
        if any(ask.intent in REQUESTS and ask.said in asking for ask in asks):
            asks = [ask for ask in asks if ask.intent not in REQUESTS or ask.said in asking]
    merged: dict[tuple[Intent, str], Ask] = {}
    last: tuple[Intent, str] | None = None
    for ask in asks:
        key = (ask.intent, ask.aspect)
        # "Do you ship to Norway? And what does it cost?" is one question in two clauses.
        if ask.intent is Intent.UNKNOWN and last is not None and last[0] is Intent.POLICY:
            key = last
        last = key
        old = merged.get(key)
        merged[key] = ask if old is None else Ask(*key, f"{old.said}\n{ask.said}", (*old.values, *ask.values))
    for key in _outdone(clauses, merged):
        merged.pop(key, None)
    return tuple(merged.values())


def _outdone(
    clauses: tuple[Clause, ...], merged: dict[tuple[Intent, str], Ask]
) -> tuple[tuple[Intent, str], ...]:
    """Readings that the rest of the message makes void."""
    outdone: list[tuple[Intent, str]] = []
    requested = {intent for intent, _ in merged if intent in REQUESTS}
    aspects = {aspect for intent, aspect in merged if intent is Intent.STATUS}
    # "And 1002? Has that shipped?": the number alone asks for nothing more.
    if len(requested) > 1 or aspects - {"number"}:
        outdone.append((Intent.STATUS, "number"))
    # "Can you help me? Where is it?" asks for the parcel.
    if len(requested) > 1:
        outdone.append((Intent.ABILITY, ""))
    # "Any news? Where is it?" is one question.
    if aspects - {"number", ""}:
        outdone.append((Intent.STATUS, ""))
    # "A cup broke. Does the warranty cover that?" asks for the rule, and a refund that was made for none.
    refunds_asked = any(clause.asking and refunds.refund(clause) is not None for clause in clauses)
    ruled = any((Intent.POLICY, topic) in merged for topic in ("warranty", "returns", "refunds"))
    if (ruled and not refunds_asked) or any(clause.says(refunds.HAD_REFUND) for clause in clauses):
        outdone.append((Intent.REFUND, ""))
    return tuple(outdone)
