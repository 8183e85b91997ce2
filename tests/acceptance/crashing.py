"""A process that holds one conversation turn and can be killed in it: `python crashing.py DB URL MARKS KEY MESSAGE`."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

from acceptance.doors import over_http
from turnstate import Assistant, tool


def assistant(database: str, url: str, marks: Path, *, hang: bool) -> Assistant:
    """The assistant that is killed, and the one that goes on."""

    def mark(name: str, call_id: str) -> None:
        with marks.open("a") as file:
            file.write(f"{name} {call_id}\n")
        while hang:
            time.sleep(0.05)

    @tool(effect="once")
    def refund(order_id: str, call_id: str) -> str:
        """Refund an order."""
        mark("refund", call_id)
        return f"refunded {order_id}"

    @tool(effect="read")
    def get_order(order_id: str, call_id: str) -> str:
        """Look up an order."""
        mark("get_order", call_id)
        return f"{order_id} is shipped"

    return Assistant(over_http(url), tools=[refund, get_order], store=f"sqlite:///{database}", lease=0.5)


async def main(database: str, url: str, marks: str, key: str, message: str) -> None:
    """Send one message."""
    async with assistant(database, url, Path(marks), hang=True) as shop:
        await shop.conversation("c", user="u").send(message, key=key)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
