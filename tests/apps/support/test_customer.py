"""What is remembered about a customer."""

from __future__ import annotations

import pytest

from turnstate.apps.support.customer import Customer
from turnstate.core.rules import extract


def test_each_key_has_one_value_and_is_described() -> None:
    """A customer has one current order, address, name, e-mail and phone."""
    assert list(Customer.keys()) == ["order_id", "address", "name", "email", "phone"]
    assert not any(key.many for key in Customer.keys().values())
    assert all(key.description and key.ask for key in Customer.keys().values())


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Hi, I'm Ines and my order number is 70011.", {"name": "Ines", "order_id": "70011"}),
        ("Please send it to 9 Low Street, Hull.", {"address": "9 Low Street, Hull"}),
        ("Write to ines@mail.example.", {"email": "ines@mail.example"}),
        ("You can call me on +44 7700 900123.", {"phone": "+44 7700 900123"}),
        ("What does shipping cost?", {}),
    ],
)
def test_facts_are_read_from_what_customers_say(message: str, expected: dict[str, str]) -> None:
    """The declaration alone drives the rules."""
    assert {found.key: found.value for found in extract(message, Customer.keys())} == expected
