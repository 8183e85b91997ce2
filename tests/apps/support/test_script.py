"""The demo session: what it promises, and that other words do as well."""

from __future__ import annotations

import re

from apps.support.paraphrases import RETURN, VISIT, Said
from models.offline.chat import Chat, facts
from turnstate.apps.support.agent import instructions
from turnstate.apps.support.script import FIRST_VISIT, NEXT_VISIT
from turnstate.apps.support.shop import Shop


def _chat(shop: Shop, *head: str) -> Chat:
    """The offline model at the desk of a shop."""

    def get_order(order_id: str) -> object:
        """Look up an order: status, items, total, delivery address, and when it comes or came."""
        return shop.get_order(order_id)

    def change_address(order_id: str, address: str) -> object:
        """Change the delivery address of an order that has not shipped yet."""
        return shop.change_address(order_id, address)

    def refund(order_id: str, reason: str) -> object:
        """Request the refund of a delivered order."""
        return shop.refund(order_id, reason, f"{order_id} {reason}")

    return Chat([get_order, change_address, refund], instructions=instructions(), head=head)


def _play(chat: Chat, visit: tuple[Said, ...]) -> list[str]:
    wrong: list[str] = []
    for said in visit:
        reply = chat.send(said.text)
        called = tuple(dict.fromkeys(name for name, _ in chat.called()))
        if called != said.calls or said.reply not in reply:
            wrong.append(f"{said.text!r} called {called}, and got: {reply}")
    return wrong


def test_the_first_visit_is_long_and_has_pasted_paragraphs() -> None:
    """Long enough that the context of the demo is cut."""
    lengths = sorted(len(message.split()) for message in FIRST_VISIT)
    assert len(FIRST_VISIT) == 36
    assert all(60 <= length <= 120 for length in lengths[-2:])


def test_the_next_visit_repeats_neither_order_nor_address() -> None:
    """What is needed is remembered, or it is lost."""
    assert len(NEXT_VISIT) == 6
    assert not re.search(r"\d|\bst\b|street", " ".join(NEXT_VISIT), re.IGNORECASE)


def test_the_demo_goes_through_offline() -> None:
    """Orders are looked up, one address is changed twice, one refund is paid, and no number is asked for."""
    shop = Shop()
    chat = _chat(shop)
    calls: list[str] = []
    for message in FIRST_VISIT:
        reply = chat.send(message)
        assert "What is the order number" not in reply
        calls.extend(name for name, _ in chat.called())
    assert calls.count("refund") == 1
    assert calls.count("change_address") == 2
    assert shop.get_order("12345")["address"] == "57 Elm St, York"
    assert shop.get_order("12288")["refund"]["amount"] == "64.50 EUR"
    known = facts(order_id="12345", address="57 Elm St, York", name="Priya", email="priya.raman@mail.example")
    later = _chat(shop, known)
    replies = [later.send(message) for message in NEXT_VISIT]
    assert "Priya" in replies[0]
    assert "12345" in replies[1]
    assert "57 Elm St, York" in replies[2]
    assert "priya.raman@mail.example" in replies[3]


def test_another_customer_in_other_words_is_served_as_well() -> None:
    """The rules know requests, not sentences."""
    shop = Shop()
    assert _play(_chat(shop), VISIT) == []
    known = facts(
        order_id="20533", address="44 Rose Lane, Porto", name="Ana Lopes", email="ana@lopes.example"
    )
    assert _play(_chat(shop, known), RETURN) == []
