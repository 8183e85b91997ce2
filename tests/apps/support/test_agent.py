"""The support agent as a whole: a long visit, and the next one."""

from __future__ import annotations

import asyncio

from turnstate.apps.support.agent import instructions, support
from turnstate.apps.support.script import FIRST_VISIT, NEXT_VISIT
from turnstate.apps.support.shop import Shop
from turnstate.core.context.budget import Budget


async def _visits(shop: Shop, budget: Budget) -> tuple[list[str], list[str]]:
    async with support(store="memory:", shop=shop, budget=budget) as desk:
        first = desk.conversation("monday", user="priya")
        said = [(await first.send(message)).text for message in FIRST_VISIT]
        later = desk.conversation("next-monday", user="priya")
        return said, [(await later.send(message)).text for message in NEXT_VISIT]


def test_a_returning_customer_repeats_nothing() -> None:
    """Whatever had to leave the context of the first visit, the next one knows order, address, name and e-mail."""
    shop = Shop()
    first, later = asyncio.run(_visits(shop, Budget(target=3_000)))
    assert not [reply for reply in (*first, *later) if "What is the order number" in reply]
    assert "Priya" in later[0]
    assert "12345" in later[1]
    assert "57 Elm St, York" in later[2]
    assert "priya.raman@mail.example" in later[3]
    assert shop.get_order("12288")["refund"]["amount"] == "64.50 EUR"


def test_the_instructions_hold_the_policy_and_no_clock() -> None:
    """They stand at the head of every request, so nothing in them changes."""
    text = instructions()
    assert {"# Shipping", "# Returns and refunds", "# Payment", "# Warranty", "# Contact and hours"} <= set(
        text.splitlines()
    )
    assert text == instructions()
    assert 350 <= len(text.split()) <= 420
