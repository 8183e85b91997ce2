"""The fields of a tool's result, under whatever names they come."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, cast

_NAME_PARTS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")

_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "order": ("order_id", "order_number", "order_no", "order", "number", "reference", "id"),
    "status": ("status", "state", "order_status", "stage"),
    "eta": (
        "eta",
        "estimated_delivery",
        "estimated_delivery_date",
        "expected_delivery",
        "expected",
        "expected_on",
        "delivery_date",
        "arrival",
        "arrives",
        "estimated_arrival",
    ),
    "delivered": ("delivered_on", "delivered_at", "delivered"),
    "ordered": ("ordered_on", "ordered_at", "order_date", "created_at", "created", "placed_on", "date"),
    "shipped": ("shipped_on", "shipped_at", "dispatched_on"),
    "carrier": ("carrier", "courier", "shipped_with", "shipping_company"),
    "tracking": (
        "tracking_number",
        "tracking",
        "tracking_id",
        "tracking_code",
        "tracking_url",
        "tracking_link",
    ),
    "items": ("items", "products", "lines", "line_items", "contents", "articles", "item", "product"),
    "address": (
        "address",
        "shipping_address",
        "delivery_address",
        "new_address",
        "destination",
        "ship_to",
        "deliver_to",
    ),
    "total": ("total", "total_price", "total_amount", "order_total", "amount", "price", "sum"),
    "amount": ("amount", "refund_amount", "refunded_amount", "refunded", "total"),
    "currency": ("currency",),
    "refund": ("refund", "refund_status", "refund_state", "refunds"),
    "refund_id": ("refund_id", "refund_reference", "refund_number", "reference", "confirmation"),
    "message": ("message", "error", "problem", "detail", "details", "reason", "why", "note", "description"),
}
_FAILED_FLAGS: Final = (
    "ok",
    "success",
    "found",
    "changed",
    "allowed",
    "refunded",
    "updated",
    "accepted",
    "eligible",
    "cancelled",
    "canceled",
)
_FAILED_STATES: Final = re.compile(
    r"(?:^|\b)(?:not[ _]found|unknown(?: order)?|no such|does not exist|invalid|refused|rejected|denied|failed|failure|error|not[ _](?:allowed|possible|eligible|changed|refunded))\b",
    re.IGNORECASE,
)
_NOT_FOUND: Final = re.compile(
    r"\bnot[ _]found\b|\bno (?:such )?order\b|\bunknown order\b|\bdoes not exist\b", re.IGNORECASE
)
_UNKNOWN_OUTCOME: Final = re.compile(
    r"\boutcome\b.{0,200}\bunknown\b|\btook effect is unknown\b|\binterrupted\b.{0,200}\bunknown\b",
    re.IGNORECASE | re.DOTALL,
)


@lru_cache(maxsize=1024)
def name_parts(name: str) -> tuple[str, ...]:
    """The words of a name in any style, in lower case: `orderId` and `order_id` are both order, id."""
    return tuple(part.lower() for part in _NAME_PARTS.findall(name))


def table(content: Any) -> dict[str, Any]:
    """A result as one table: keys in snake case, the fields of a nested record after its own."""
    if isinstance(content, Mapping):
        found: dict[str, Any] = {}
        record = cast("Mapping[Any, Any]", content)
        for key, value in record.items():
            found["_".join(name_parts(str(key))) or str(key)] = value
        for value in record.values():
            if isinstance(value, Mapping):
                for key, inner in table(cast("Any", value)).items():
                    found.setdefault(key, inner)
        return found
    if isinstance(content, list) and len(cast("list[Any]", content)) == 1:
        return table(cast("list[Any]", content)[0])
    return {}


def field(fields: Mapping[str, Any], what: str) -> str:
    """The value of a field as text; "" if the result does not have it."""
    for name in _NAMES[what]:
        if name in fields and (text := shown(fields[name])):
            return text
    return ""


def shown(value: Any) -> str:
    """A value as a customer reads it: text as it is, lists joined, items with their number."""
    match value:
        case None | bool():
            return ""
        case str():
            return " ".join(value.split())
        case int() | float():
            return str(value)
        case Mapping():
            return _item(cast("Mapping[str, Any]", value))
        case Sequence():
            return ", ".join(text for item in cast("Sequence[Any]", value) if (text := shown(item)))
        case _:
            return str(value)


def _item(item: Mapping[str, Any]) -> str:
    name = next(
        (shown(item[key]) for key in ("name", "title", "item", "product", "description") if item.get(key)), ""
    )
    count = next((item[key] for key in ("quantity", "qty", "count") if item.get(key)), 1)
    if name:
        return f"{count} × {name}" if count != 1 else name
    plain = [f"{key.replace('_', ' ')} {shown(value)}" for key, value in item.items() if shown(value)]
    return ", ".join(plain)


def item_names(fields: Mapping[str, Any]) -> Iterator[str]:
    """The names of the goods in a result."""
    for name in _NAMES["items"]:
        items = fields.get(name)
        if isinstance(items, str):
            yield items
        elif isinstance(items, Sequence):
            yield from (shown(item) for item in cast("Sequence[Any]", items))


def not_found(content: Any) -> bool:
    """Whether the result says that there is no such order."""
    if isinstance(content, str):
        return _NOT_FOUND.search(content) is not None
    fields = table(content)
    return (
        fields.get("found") is False
        or _NOT_FOUND.search(field(fields, "status") + " " + shown(fields.get("error"))) is not None
    )


def outcome_unknown(content: Any) -> bool:
    """Whether the result says that nobody knows what the call did."""
    return isinstance(content, str) and _UNKNOWN_OUTCOME.search(content) is not None


def failure(content: Any) -> str | None:
    """Why the result is a failure, in its own words; "" if it does not say; None if it is none."""
    if isinstance(content, str):
        return content if _FAILED_STATES.search(content) else None
    if content is None or content in ([], {}):
        return ""
    fields = table(content)
    flagged = any(fields.get(flag) is False for flag in _FAILED_FLAGS)
    state = field(fields, "status")
    if flagged or fields.get("error") or (state and _FAILED_STATES.search(state)):
        return field(fields, "message")
    return None
