"""The front door as type checkers see it."""

from __future__ import annotations

from typing import assert_type

from turnstate import (
    Assistant,
    Budget,
    Choice,
    Conversation,
    Fact,
    Facts,
    Many,
    Reply,
    Room,
    Single,
    Stream,
    blocking,
    key,
    tool,
)


class Customer(Facts):
    """A customer."""

    order_id: Single[str]
    visits: Single[int] = key("how often")
    allergies: Many[str]


@tool(effect="read")
def get_order(order_id: str) -> dict[str, str]:
    """Look up an order."""
    return {"order_id": order_id}


def newest(room: Room) -> Choice:
    """A strategy."""
    return Choice(keep=min(2, len(room.exchanges)))


async def asynchronous() -> None:
    """What each call gives."""
    async with Assistant(
        "offline",
        tools=[get_order],
        facts=Customer,
        budget=Budget(target=4_000),
        strategy=newest,
        store="memory:",
    ) as shop:
        assert_type(shop, Assistant)
        chat = shop.conversation("c", user="u")
        assert_type(chat, Conversation)
        assert_type(await chat.send("hello", key="k"), Reply)
        assert_type(chat.stream("hello"), Stream)
        async for sentence in chat.stream("hello"):
            assert_type(sentence, str)
        assert_type(await chat.facts(), tuple[Fact, ...])
        assert_type(await chat.cancel(), bool)


def synchronous() -> None:
    """The same without await."""
    with blocking.Assistant("offline", store="memory:") as shop:
        chat = shop.conversation("c")
        assert_type(chat.send("hello"), Reply)
        for sentence in chat.stream("hello"):
            assert_type(sentence, str)
