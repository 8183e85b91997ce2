"""What the support agent remembers about a customer."""

from __future__ import annotations

from turnstate.core.facts import Facts, Single, key


class Customer(Facts):
    """A customer of the shop.

    Attributes:
        order_id: the number of the order that is being talked about.
        address: the postal address that the customer wants goods sent to.
        name: the customer's name.
        email: the customer's e-mail address.
        phone: the customer's phone number.
    """

    order_id: Single[str] = key(
        "the number of the order that is being talked about", ask="What is your order number?"
    )
    address: Single[str] = key("the postal address that goods are to be sent to", ask="What is your address?")
    name: Single[str] = key("the customer's name", ask="What is your name?")
    email: Single[str] = key("the customer's e-mail address", ask="What is your e-mail address?")
    phone: Single[str] = key("the customer's phone number", ask="What is your phone number?")
