"""What tools returned, in sentences: only what a result says, and nothing that it does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from turnstate.models.offline.fields import failure, field, outcome_unknown, shown, table
from turnstate.models.offline.questions import Task
from turnstate.models.offline.toolbox import Role
from turnstate.models.offline.view import Result

_DID: Final = {
    Role.LOOKUP: "look up",
    Role.ADDRESS: "change the delivery address of",
    Role.REFUND: "request the refund of",
    Role.CANCEL: "cancel",
}
_LONGEST: Final = 300


def told(result: Result, role: Role, task: Task, aspect: str) -> str:
    """What to say about a result.

    Args:
        result: what the tool returned.
        role: what the tool is for.
        task: what was to be done.
        aspect: which side of an order was asked about, or "".
    """
    if outcome_unknown(result.content):
        return in_doubt(role, task)
    why = failure(result.content)
    if why is None and result.failed:
        why = shown(result.content)
    if why is not None:
        return _failed(role, task, why)
    fields = table(result.content)
    return _done(fields, role, task, aspect) if fields else _plain(result.content, role, task)


def _done(fields: Mapping[str, Any], role: Role, task: Task, aspect: str) -> str:
    match role:
        case Role.LOOKUP:
            return _looked_up(fields, task, aspect)
        case Role.ADDRESS:
            return _address_changed(fields, task)
        case Role.REFUND:
            return _refunded(fields, task)
        case Role.CANCEL:
            return f"Order {field(fields, 'order') or task.order} is cancelled.{_status(fields)}"


def in_doubt(role: Role, task: Task) -> str:
    """The words for a call of which nobody knows whether it took effect."""
    what = {Role.REFUND: "refund", Role.ADDRESS: "address change", Role.CANCEL: "cancellation"}.get(
        role, "look-up"
    )
    return (
        f"I can't tell whether the {what} for order {task.order} went through: the outcome is unknown. It must be checked, "
        "so I am not repeating it."
    )


def _failed(role: Role, task: Task, why: str) -> str:
    reason = _sentence(why)
    if role is Role.LOOKUP:
        base = f"I could not find order {task.order}." if task.order else "I could not find the order."
        return f"{base}{_unless_same(reason, base)} Please check the number."
    base = f"I could not {_DID[role]} order {task.order}."
    return f"{base}{_unless_same(reason, base)}"


def _unless_same(reason: str, base: str) -> str:
    return f" {reason}" if reason and reason.rstrip(".").casefold() not in base.casefold() else ""


def _sentence(text: str) -> str:
    text = " ".join(text.split())[:_LONGEST].strip()
    if not text:
        return ""
    first = text[0].upper() + text[1:]
    return first if first[-1] in ".!?" else f"{first}."


def _plain(content: Any, role: Role, task: Task) -> str:
    """A result without fields: text, or a bare yes."""
    text = shown(content)
    if role is Role.LOOKUP or text:
        return (
            f"For order {task.order} the system says: {_sentence(text)}"
            if text
            else f"I found no details of order {task.order}."
        )
    return {
        Role.ADDRESS: f"The delivery address of order {task.order} is now {task.address}.",
        Role.REFUND: f"The refund of order {task.order} is requested.",
        Role.CANCEL: f"Order {task.order} is cancelled.",
    }[role]


def _status(fields: Mapping[str, Any]) -> str:
    status = field(fields, "status").replace("_", " ")
    return f" Its status is: {status}." if status else ""


def _money(fields: Mapping[str, Any], what: str) -> str:
    amount, currency = field(fields, what), field(fields, "currency")
    if not amount or not any(char.isdigit() for char in amount):
        return ""
    return f"{amount} {currency}" if currency and currency not in amount else amount


def _looked_up(fields: Mapping[str, Any], task: Task, aspect: str) -> str:
    order = field(fields, "order") or task.order
    answered = _aspect(fields, order, aspect)
    if answered:
        return answered
    missing = f"The record of order {order} does not show that. " if aspect in _ANSWERS else ""
    status = field(fields, "status").replace("_", " ")
    parts = [_standing(fields, order, status)]
    if carrier := field(fields, "carrier"):
        parts.append(
            f"Carrier: {carrier}{f', tracking number {tracking}' if (tracking := field(fields, 'tracking')) else ''}."
        )
    if aspect == "summary":
        parts.extend(
            f"{label}: {text}."
            for label, what in (("Items", "items"), ("Delivery address", "address"))
            if (text := field(fields, what))
        )
    if parts == [f"Here is order {order}."]:
        parts.append(_everything(fields))
    return missing + " ".join(parts)


def _standing(fields: Mapping[str, Any], order: str, status: str) -> str:
    """How an order stands, and when it comes or came."""
    start = f"Order {order} is {status}" if status else f"Here is order {order}"
    if (delivered := field(fields, "delivered")) and delivered != status:
        return f"Order {order} was delivered on {delivered}."
    if eta := field(fields, "eta"):
        return f"{start}; delivery is expected {f'on {eta}' if eta[:1].isdigit() else eta}."
    return f"{start}."


_ANSWERS: Final = {
    "eta": "Order {order} is {status}; delivery is expected on {value}. That is an estimate, not a guarantee.",
    "carrier": "Order {order} travels with {value}.",
    "tracking": "The tracking number of order {order} is {value}.",
    "items": "Order {order} contains: {value}.",
    "total": "The total of order {order} is {value}.",
    "address": "Order {order} goes to {value}.",
    "date": "Order {order} was placed on {value}.",
}


def _aspect(fields: Mapping[str, Any], order: str, aspect: str) -> str:
    """The answer to one question about an order; "" if the result does not have it."""
    if aspect == "refund":
        return _refund_news(fields, order)
    if aspect not in _ANSWERS:
        return ""
    if aspect == "eta" and (delivered := field(fields, "delivered")):
        return f"Order {order} was delivered on {delivered}."
    value = _money(fields, "total") if aspect == "total" else ""
    value = value or field(fields, "ordered" if aspect == "date" else aspect)
    status = field(fields, "status").replace("_", " ") or "open"
    return _ANSWERS[aspect].format(order=order, value=value, status=status) if value else ""


def _refund_news(fields: Mapping[str, Any], order: str) -> str:
    refund = fields.get("refund") or fields.get("refunds")
    if isinstance(refund, list) and refund:
        refund = cast("list[Any]", refund)[-1]
    if isinstance(refund, Mapping) and refund:
        inner = table(cast("Any", refund))
        amount, state = _money(inner, "amount"), field(inner, "status").replace("_", " ")
        number = field(inner, "refund_id") or field(inner, "order")
        details = [f"a refund of {amount}" if amount else "a refund"]
        if state:
            details.append(f"status {state}")
        if number:
            details.append(f"reference {number}")
        return f"On record for order {order}: {', '.join(details)}."
    if text := field(fields, "refund"):
        return f"The refund of order {order}: {text}."
    status = field(fields, "status").replace("_", " ")
    standing = f" The order is {status}." if status else ""
    return f"I see no refund on record for order {order}.{standing}"


def _address_changed(fields: Mapping[str, Any], task: Task) -> str:
    order = field(fields, "order") or task.order
    address = field(fields, "address") or task.address
    return f"Done: the delivery address of order {order} is now {address}."


def _refunded(fields: Mapping[str, Any], task: Task) -> str:
    order = field(fields, "order") or task.order
    amount = _money(fields, "amount")
    number = field(fields, "refund_id")
    status = field(fields, "status").replace("_", " ")
    parts = [f"The refund of order {order} is on record{f': {amount}' if amount else ''}."]
    if number and number != order:
        parts.append(f"Reference: {number}.")
    if status:
        parts.append(f"Status: {status}.")
    if message := field(fields, "message"):
        parts.append(_sentence(message))
    return " ".join(parts)


def _everything(fields: Mapping[str, Any]) -> str:
    said = [
        f"{key.replace('_', ' ')}: {text}"
        for key, value in list(fields.items())[:8]
        if (text := shown(value))
    ]
    return f"{'; '.join(said)}."
