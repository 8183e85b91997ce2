"""A small shop: its orders, what may be done with them, and the tools that do it."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from importlib import resources
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeAlias

from pydantic import TypeAdapter, ValidationError
from pydantic_ai import Tool

from turnstate.errors import StoreUnavailable
from turnstate.turn.tools import tool

Answer: TypeAlias = dict[str, Any]
"""What a tool tells the model: a few plain fields; a refusal is an answer too, with a `message` that says why."""

CURRENCY: Final = "EUR"
RETURN_DAYS: Final = 30
"""Days after delivery in which goods may be returned for any reason."""

_OPEN: Final = frozenset({"processing", "packed"})
_DAMAGED: Final = re.compile(
    r"\b(?:damaged?|broken?|crack\w*|smash\w*|shatter\w*|defect\w*|fault\w*|scratch\w*|torn|leak\w*|chip\w*|dent\w*|bent|not work\w*|"
    r"doesn.?t work|stopped working|wrong|missing|incomplete)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Refund:
    """Money on its way back.

    Attributes:
        refund_id: its reference.
        amount: in `CURRENCY`.
        reason: in the customer's words.
        call_id: the call that asked for it; the same call never pays twice.
    """

    refund_id: str
    amount: Decimal
    reason: str
    call_id: str


@dataclass(frozen=True, slots=True)
class Order:
    """One order.

    Attributes:
        order_id: its number, as the customer knows it.
        customer: whose it is.
        status: "processing", "packed", "shipped", "delayed", "delivered" or "cancelled".
        ordered_on: the day it was placed.
        items: what is in it.
        total: what was paid, in `CURRENCY`.
        address: where it goes.
        carrier: who brings it, or "".
        tracking: the carrier's number, or "".
        eta: the expected day of delivery, or None.
        delivered_on: the day it was delivered, or None.
        refund: the refund, or None.
    """

    order_id: str
    customer: str
    status: str
    ordered_on: date
    items: tuple[str, ...]
    total: Decimal
    address: str
    carrier: str = ""
    tracking: str = ""
    eta: date | None = None
    delivered_on: date | None = None
    refund: Refund | None = None

    def shown(self) -> Answer:
        """The order as a tool tells it: no empty fields, no bookkeeping."""
        answer: Answer = {
            "found": True,
            "order_id": self.order_id,
            "status": self.status,
            "items": list(self.items),
            "total": _money(self.total),
            "address": self.address,
            "ordered_on": self.ordered_on.isoformat(),
            "carrier": self.carrier,
            "tracking": self.tracking,
            "eta": self.eta.isoformat() if self.eta else "",
            "delivered_on": self.delivered_on.isoformat() if self.delivered_on else "",
        }
        if self.refund is not None:
            answer["refund"] = {
                "refund_id": self.refund.refund_id,
                "amount": _money(self.refund.amount),
                "status": "pending",
            }
        return {name: value for name, value in answer.items() if value != ""}


@dataclass(frozen=True, slots=True)
class _Book:
    today: date
    orders: tuple[Order, ...] = field(default_factory=tuple)


_BOOK: Final = TypeAdapter(_Book)


class Shop:
    """The orders of a small shop, kept in memory, or in a JSON file that one process writes.

    Args:
        path: where the orders are kept between runs; they start from the seed if nothing is there. None keeps them in
            memory.
        today: the shop's date, for its return window; the seed's date if None.

    Raises:
        StoreUnavailable: the file cannot be read, or is not a shop's.
    """

    def __init__(self, path: str | Path | None = None, *, today: date | None = None) -> None:
        self._path = Path(path) if path is not None else None
        book = self._read()
        self._orders = {order.order_id: order for order in book.orders}
        self._today = today or book.today
        # Tools run in worker threads: one change at a time, in memory and in the file.
        self._lock = Lock()

    @property
    def today(self) -> date:
        """The shop's date."""
        return self._today

    def get_order(self, order_id: str) -> Answer:
        """The order with this number: status, items, total, address, and when it comes or came."""
        with self._lock:
            order = self._find(order_id)
        return order.shown() if order is not None else {"found": False, **_no_order(order_id)}

    def change_address(self, order_id: str, address: str) -> Answer:
        """Send an order that has not left yet to another address. Doing it twice is the same as doing it once."""
        address = " ".join(address.split())
        with self._lock:
            order = self._find(order_id)
            if order is None:
                return {"changed": False, **_no_order(order_id)}
            if not address:
                return _refusal("changed", order, "The new address is empty.")
            if order.status not in _OPEN:
                return _refusal(
                    "changed",
                    order,
                    f"Order {order.order_id} is {order.status}: its address can no longer be changed.",
                )
            self._put(replace(order, address=address))
        return {"changed": True, "order_id": order.order_id, "address": address}

    def refund(self, order_id: str, reason: str, call_id: str) -> Answer:
        """Request the refund of a delivered order, once.

        Args:
            order_id: the order's number.
            reason: what is wrong, in the customer's words.
            call_id: the id of the call: asked again with the same id, the answer is the same and nothing is paid twice.
        """
        with self._lock:
            order = self._find(order_id)
            if order is None:
                return {"refunded": False, **_no_order(order_id)}
            if order.refund is not None and order.refund.call_id != call_id:
                known = f"Order {order.order_id} already has refund {order.refund.refund_id} over {_money(order.refund.amount)}."
                return _refusal("refunded", order, known)
            if order.refund is None:
                if why := self._no_refund(order, reason):
                    return _refusal("refunded", order, why)
                order = replace(order, refund=Refund(f"R-{order.order_id}", order.total, reason, call_id))
                self._put(order)
        assert order.refund is not None
        return {
            "refunded": True,
            "order_id": order.order_id,
            "refund_id": order.refund.refund_id,
            "amount": _money(order.refund.amount),
            "status": "pending",
        }

    def _no_refund(self, order: Order, reason: str) -> str:
        """Why an order is not refunded, or ""."""
        if order.delivered_on is None:
            return f"Order {order.order_id} is {order.status}: only delivered orders are refunded."
        days = (self._today - order.delivered_on).days
        if days > RETURN_DAYS and not _DAMAGED.search(reason):
            return f"Order {order.order_id} was delivered {days} days ago; returns are accepted within {RETURN_DAYS} days."
        return ""

    def _find(self, order_id: str) -> Order | None:
        return self._orders.get(order_id.strip().lstrip("#"))

    def _put(self, order: Order) -> None:
        """Keep a changed order: in the file first, so that memory never knows more than it."""
        changed = self._orders | {order.order_id: order}
        if self._path is not None:
            self._write(self._path, _Book(self._today, tuple(changed.values())))
        self._orders = changed

    def _read(self) -> _Book:
        kept = self._path is not None and self._path.exists()
        source = (
            self._path
            if kept and self._path is not None
            else resources.files(__package__ or "") / "orders.json"
        )
        try:
            return _BOOK.validate_json(source.read_bytes())
        except (OSError, ValidationError) as error:
            raise StoreUnavailable(
                str(self._path), f"the orders cannot be read ({type(error).__name__})"
            ) from error

    @staticmethod
    def _write(path: Path, book: _Book) -> None:
        """Replace the file as a whole: a reader sees the orders before or after, never between."""
        data = json.dumps(_BOOK.dump_python(book, mode="json"), ensure_ascii=False, indent=2)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".new")
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                Path(name).replace(path)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise StoreUnavailable(str(path), f"the orders cannot be written ({error.strerror})") from error


def _money(amount: Decimal) -> str:
    return f"{amount:.2f} {CURRENCY}"


def _no_order(order_id: str) -> Answer:
    return {"order_id": order_id, "message": f"There is no order {order_id}."}


def _refusal(what: str, order: Order, why: str) -> Answer:
    return {what: False, "order_id": order.order_id, "message": why}


def tools(shop: Shop) -> Sequence[Tool[Any]]:
    """The tools of a shop: `get_order`, `change_address` and `refund`, each with what running it twice does."""

    @tool(effect="read")
    def get_order(order_id: str) -> Answer:
        """Look up an order: status, items, total, delivery address, and when it comes or came.

        Args:
            order_id: the order number.
        """
        return shop.get_order(order_id)

    @tool(effect="idempotent")
    def change_address(order_id: str, address: str) -> Answer:
        """Change the delivery address of an order that has not shipped yet.

        Args:
            order_id: the order number.
            address: the complete new postal address.
        """
        return shop.change_address(order_id, address)

    @tool(effect="once")
    def refund(order_id: str, reason: str, call_id: str) -> Answer:
        """Request the refund of a delivered order.

        Args:
            order_id: the order number.
            reason: what is wrong, in the customer's words.
            call_id: the stable id of the call.
        """
        return shop.refund(order_id, reason, call_id)

    return (get_order, change_address, refund)
