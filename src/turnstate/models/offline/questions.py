"""The questions that these rules ask, and how they know one of their own again in the previous reply.

The model keeps no state: what it waits for is what its last reply asks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from turnstate.models.offline.intents import Intent

Wanted: TypeAlias = Literal[
    "order", "address", "order and address", "reason", "email", "name", "phone", "consent"
]
"""What a question waits for."""


@dataclass(frozen=True, slots=True)
class Task:
    """Something to be done with an order, as far as it is known.

    Attributes:
        intent: what: STATUS, ADDRESS, REFUND or CANCEL.
        order: the order number, or "".
        address: the new address, or "".
        reason: the customer's reason, or "".
    """

    intent: Intent
    order: str = ""
    address: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Pending:
    """A question that is open.

    Attributes:
        wants: what it waits for.
        task: what is to be done with the answer.
    """

    wants: Wanted
    task: Task


_WORDS: Final[dict[Wanted, str]] = {
    "order": "the order number",
    "address": "the new delivery address",
    "order and address": "the order number and the new delivery address",
    "reason": "the reason for the refund",
    "email": "the e-mail address of the order",
    "name": "the name on the order",
    "phone": "the phone number of the order",
}
_WANTED: Final[dict[str, Wanted]] = {words: wants for wants, words in _WORDS.items()}
_PURPOSES: Final = {
    Intent.STATUS: "look up",
    Intent.ADDRESS: "change the delivery address of",
    Intent.REFUND: "request the refund of",
    Intent.CANCEL: "cancel",
}
_ASKED: Final = re.compile(
    rf"What (?:is|are) (?P<wants>{'|'.join(sorted(_WORDS.values(), key=len, reverse=True))})\? I need (?:it|them) to "
    rf"(?P<purpose>{'|'.join(_PURPOSES.values())}) (?:order (?P<order>\S+?)|the order)(?: to (?P<address>[^?\n]+?))?"
    r'(?: \(reason: "(?P<reason>[^"\n]*)"\))?\.(?:\s|$)'
)
_PROPOSED: Final = re.compile(
    rf"Shall I (?P<purpose>{'|'.join(_PURPOSES.values())}) order (?P<order>\S+?)(?: to (?P<address>[^?\n]+?))?"
    r'(?: \(reason: "(?P<reason>[^"\n]*)"\))?\?'
)


def ask(wants: Wanted, task: Task) -> str:
    """The question for something that is missing."""
    several = wants == "order and address"
    return f"What {'are' if several else 'is'} {_WORDS[wants]}? I need {'them' if several else 'it'} to {_purpose(task)}."


def propose(task: Task) -> str:
    """The question whether to do it."""
    return f"Shall I {_purpose(task)}?"


def _purpose(task: Task) -> str:
    order = f"order {task.order}" if task.order else "the order"
    address = f" to {_plain(task.address)}" if task.address else ""
    reason = f' (reason: "{_plain(task.reason)}")' if task.reason else ""
    return f"{_PURPOSES[task.intent]} {order}{address}{reason}"


def _plain(text: str) -> str:
    return " ".join(text.replace('"', "'").replace("?", "").split()).rstrip(" .")


def pending(reply: str) -> Pending | None:
    """The question that a reply of these rules left open; None if it asked nothing, or is not theirs."""
    found = [(match.start(), match, "asked") for match in _ASKED.finditer(reply)]
    found += [(match.start(), match, "proposed") for match in _PROPOSED.finditer(reply)]
    if not found:
        return None
    _, match, form = max(found, key=lambda entry: entry[0])
    intent = next(intent for intent, words in _PURPOSES.items() if words == match["purpose"])
    task = Task(intent, match["order"] or "", match["address"] or "", match["reason"] or "")
    if form == "proposed":
        return Pending("consent", task)
    return Pending(_WANTED[match["wants"]], task)
