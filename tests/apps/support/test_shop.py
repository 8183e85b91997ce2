"""The shop: its orders, its refusals, and what running a tool twice does."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.models.test import TestModel

from turnstate.apps.support.shop import Shop, tools
from turnstate.core.messages import ToolCallPart
from turnstate.errors import StoreUnavailable
from turnstate.turn.tools import Toolbox

OPEN, SHIPPED, DELIVERED, OLD = "12345", "12410", "12288", "19876"


@pytest.fixture
def shop() -> Shop:
    """A fresh shop in memory."""
    return Shop()


def test_an_order_is_told_with_what_is_known_of_it(shop: Shop) -> None:
    """No field is empty, and amounts have their currency."""
    order = shop.get_order(OPEN)
    assert order["status"] == "processing"
    assert order["total"] == "118.00 EUR"
    assert all(value not in ("", None) for value in order.values())
    assert "customer" not in order


@pytest.mark.parametrize("written", [f" {OPEN} ", f"#{OPEN}"])
def test_a_number_is_found_however_it_is_written(shop: Shop, written: str) -> None:
    """Customers write a number sign or a space."""
    assert shop.get_order(written)["found"] is True


@given(st.text(max_size=30).filter(lambda text: not text.strip().lstrip("#").isdigit()))
def test_an_unknown_order_is_an_answer_in_every_tool(order_id: str) -> None:
    """A wrong number is a result that says so, never an exception."""
    shop = Shop()
    answers = [
        shop.get_order(order_id),
        shop.change_address(order_id, "9 Low Street, Hull"),
        shop.refund(order_id, "broken", "call-1"),
    ]
    for answer, flag in zip(answers, ("found", "changed", "refunded"), strict=True):
        assert answer[flag] is False
        assert "There is no order" in answer["message"]


def test_the_address_of_an_open_order_is_changed(shop: Shop) -> None:
    """The order then goes there; doing it again changes nothing."""
    first = shop.change_address(OPEN, "9 Low Street,\n Hull")
    assert first == shop.change_address(OPEN, "9 Low Street, Hull")
    assert first == {"changed": True, "order_id": OPEN, "address": "9 Low Street, Hull"}
    assert shop.get_order(OPEN)["address"] == "9 Low Street, Hull"


@pytest.mark.parametrize(("order_id", "why"), [(SHIPPED, "shipped"), (DELIVERED, "delivered")])
def test_what_has_left_keeps_its_address(shop: Shop, order_id: str, why: str) -> None:
    """The refusal says why, and nothing is changed."""
    before = shop.get_order(order_id)
    answer = shop.change_address(order_id, "9 Low Street, Hull")
    assert answer["changed"] is False
    assert why in answer["message"]
    assert shop.get_order(order_id) == before


def test_an_empty_address_is_refused(shop: Shop) -> None:
    """An order always goes somewhere."""
    assert shop.change_address(OPEN, "  \n")["changed"] is False


def test_a_delivered_order_is_refunded(shop: Shop) -> None:
    """The answer has the amount and a reference, and the order shows it."""
    answer = shop.refund(DELIVERED, "two cups are cracked", "call-1")
    assert (answer["refunded"], answer["amount"], answer["refund_id"]) == (True, "64.50 EUR", "R-12288")
    assert shop.get_order(DELIVERED)["refund"]["amount"] == "64.50 EUR"


def test_the_same_call_is_not_paid_twice(shop: Shop) -> None:
    """Asked again with its id, a call gets its answer again."""
    assert shop.refund(DELIVERED, "cracked", "call-1") == shop.refund(DELIVERED, "cracked", "call-1")


def test_another_call_for_a_refunded_order_is_refused(shop: Shop) -> None:
    """One order, one refund."""
    shop.refund(DELIVERED, "cracked", "call-1")
    answer = shop.refund(DELIVERED, "cracked", "call-2")
    assert answer["refunded"] is False
    assert "already has refund R-12288" in answer["message"]


@pytest.mark.parametrize(
    ("order_id", "reason", "why"),
    [
        (OPEN, "changed my mind", "only delivered orders"),
        (SHIPPED, "it is broken", "only delivered orders"),
        (OLD, "I like it no more", "within 30 days"),
    ],
)
def test_a_refund_that_is_not_due_is_refused_with_the_reason(
    shop: Shop, order_id: str, reason: str, why: str
) -> None:
    """The customer is told the rule."""
    answer = shop.refund(order_id, reason, "call-1")
    assert answer["refunded"] is False
    assert why in answer["message"]


def test_damaged_goods_are_refunded_after_the_return_window(shop: Shop) -> None:
    """The window is for goods without a fault."""
    assert shop.refund(OLD, "the planter is cracked", "call-1")["refunded"] is True


@pytest.mark.parametrize(("day", "due"), [(12, True), (13, False)])
def test_the_return_window_ends_after_its_last_day(day: int, due: bool) -> None:
    """Thirty days after delivery is in time, thirty-one is not."""
    shop = Shop(today=date(2026, 12, day))
    assert shop.refund(DELIVERED, "not my style", "call-1")["refunded"] is due


def test_orders_are_kept_in_a_file(tmp_path: Path) -> None:
    """The next process finds what this one did."""
    path = tmp_path / "deep" / "orders.json"
    first = Shop(path)
    first.change_address(OPEN, "9 Low Street, Hull")
    paid = first.refund(DELIVERED, "cracked", "call-1")
    second = Shop(path)
    assert second.get_order(OPEN)["address"] == "9 Low Street, Hull"
    assert second.refund(DELIVERED, "cracked", "call-1") == paid
    assert [entry.name for entry in path.parent.iterdir()] == ["orders.json"]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"today": "2026-11-23", "orders": [{"order_id": 1}]}'])
def test_a_file_that_is_not_a_shop_is_refused(tmp_path: Path, content: str) -> None:
    """Nothing is overwritten that cannot be read."""
    path = tmp_path / "orders.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(StoreUnavailable, match="cannot be read"):
        Shop(path)
    assert path.read_text(encoding="utf-8") == content


def test_a_change_that_cannot_be_written_is_not_made(tmp_path: Path) -> None:
    """Memory never knows more than the file."""
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    shop = Shop(blocked / "orders.json")
    with pytest.raises(StoreUnavailable, match="cannot be written"):
        shop.change_address(OPEN, "9 Low Street, Hull")
    assert shop.get_order(OPEN)["address"] != "9 Low Street, Hull"


def test_calls_at_once_pay_once(shop: Shop) -> None:
    """Tools run in threads; of many refunds of one order, one is made."""
    with ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(shop.refund, DELIVERED, "cracked", f"call-{number}") for number in range(40)]
        answers = [call.result() for call in calls]
    assert sum(answer["refunded"] for answer in answers) == 1


def test_the_seed_has_the_orders_of_several_customers() -> None:
    """The dates are fixed, so that the same session always goes the same way."""
    assert Shop().today == date(2026, 11, 23)
    statuses = {
        Shop().get_order(number)["status"]
        for number in ("12345", "12288", "12410", "20417", "21002", "21077")
    }
    assert statuses == {"processing", "delivered", "shipped", "delayed", "cancelled"}


async def _called(shop: Shop, name: str, call_id: str, **arguments: str) -> Any:
    async with Toolbox(tools(shop)) as box:
        offer = await box.offer(None, TestModel(), "conversation")
        part = ToolCallPart(name, json.dumps(arguments), tool_call_id="m1")
        result = await offer.call(part, call_id, lambda: 0)
        assert result is not None
        return result.content


async def _effects(shop: Shop) -> dict[str, str]:
    async with Toolbox(tools(shop)) as box:
        offer = await box.offer(None, TestModel(), "conversation")
        return {definition.name: offer.effect(definition.name) for definition in offer.definitions}


def test_the_tools_say_what_running_them_twice_does(shop: Shop) -> None:
    """A look-up reads, a change may be repeated, a refund may not."""
    assert asyncio.run(_effects(shop)) == {
        "get_order": "read",
        "change_address": "idempotent",
        "refund": "once",
    }


def test_the_id_of_a_call_is_hidden_from_the_model(shop: Shop) -> None:
    """A model can neither see nor set it."""
    (refund,) = [tool for tool in tools(shop) if tool.name == "refund"]
    assert set(refund.tool_def.parameters_json_schema["properties"]) == {"order_id", "reason"}


def test_a_call_reaches_the_shop_with_its_stable_id(shop: Shop) -> None:
    """Made again after a crash, the same call gets the same answer."""
    once = asyncio.run(_called(shop, "refund", "call-7", order_id=DELIVERED, reason="cracked"))
    again = asyncio.run(_called(shop, "refund", "call-7", order_id=DELIVERED, reason="cracked"))
    assert once == again
    assert once["refunded"] is True
    assert asyncio.run(_called(shop, "get_order", "call-8", order_id=OPEN))["found"] is True
    assert (
        asyncio.run(_called(shop, "change_address", "call-9", order_id=OPEN, address="9 Low Street"))[
            "changed"
        ]
        is True
    )
