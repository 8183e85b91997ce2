"""A turn with tools that a process may die in: what the process runs, and what it leaves behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeAlias

from turnstate import Assistant, Conversation, Reply, tool
from turnstate.ports import Log
from turnstate.stores import open_log
from turnstate.stores.postgres.log import PostgresLog
from turnstate.testing.faults import FaultLog, FaultPoints
from turnstate.testing.scripted import Answer, Asked, Call, ScriptedModel

Place: TypeAlias = tuple[str, str, Path]
"""A store, its schema or "", and the file of marks."""

LEASE = 0.3
SAYS = "It is refunded."


def store_log(url: str, schema: str) -> Log:
    """The store, opened for one process."""
    if schema:
        return PostgresLog(url, "default", schema=schema)
    return open_log(url)


@asynccontextmanager
async def door(place: Place, points: FaultPoints, *, approval: bool = False) -> AsyncGenerator[Conversation]:
    """The assistant of one process: its model calls and tool runs leave marks that outlive it."""
    url, schema, marks = place

    def mark(name: str) -> None:
        with marks.open("a") as file:
            file.write(f"{name}\n")

    def run_tool(name: str, result: str) -> str:
        mark(name)
        points.reach(f"inside {name}")
        return result

    @tool(effect="read")
    def look() -> str:
        """Look up the order."""
        return run_tool("look", "shipped")

    @tool(effect="idempotent")
    def put() -> str:
        """Put the address."""
        return run_tool("put", "put")

    @tool(effect="once", approval=approval)
    def refund() -> str:
        """Refund the order."""
        return run_tool("refund", "refunded")

    def answer(asked: Asked) -> Answer:
        mark(f"model {len(asked.messages)}")
        return (
            SAYS if asked.results else ["One moment.", Call("look", {}), Call("put", {}), Call("refund", {})]
        )

    log = store_log(url, schema)
    try:
        async with Assistant(
            ScriptedModel(answer), tools=[look, put, refund], store=FaultLog(log, points), lease=LEASE
        ) as assistant:
            yield assistant.conversation("c", user="u")
    finally:
        await log.close()


async def turn(place: Place, points: FaultPoints, *, approval: bool) -> Reply:
    """One message with one key, approved where that is asked for."""
    async with door(place, points, approval=approval) as chat:
        reply = await chat.send("refund it", key="k")
        for waiting in reply.approvals:
            reply = await chat.approve(waiting.call_id)
        return reply


def die(place: Place, at: int, approval: bool) -> None:
    """The process that is killed."""
    asyncio.run(turn(place, FaultPoints(at), approval=approval))
