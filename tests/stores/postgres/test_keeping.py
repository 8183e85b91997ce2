"""A conversation that goes from store to store stays the same, and goes on there."""

from __future__ import annotations

import asyncio

import pytest

from turnstate.core.history import Snapshot
from turnstate.core.messages import BinaryContent, ModelRequest, UserPromptPart, moment
from turnstate.errors import ConversationErased, ConversationExists
from turnstate.ports import Log, Opening
from turnstate.stores.memory import MemoryLog
from turnstate.stores.postgres.log import PostgresLog
from turnstate.testing.log_contract import closing
from turnstate.testing.log_contract.story import AT, closed, fact, learned, opening, responded, say

pytestmark = pytest.mark.xdist_group("postgres")  # one server, in one worker


async def _filled(log: Log) -> None:
    image = BinaryContent(b"\x89PNG" + bytes(5_000), media_type="image/png")
    message = ModelRequest([UserPromptPart(["Look, a zebra", image], timestamp=moment(AT))])
    await log.open(Opening("c1", "ann", "k1", "digest", message, AT))
    told = [responded("Nice"), learned(fact("city", "Oslo")), closed()]
    await log.append("c1", 1, told, AT, snapshot=Snapshot(2, (1,)))
    await say(log, "More", user="ann")
    await log.open(opening(text="Open", user="ann", key="k3"))
    await say(log, "Elsewhere", conversation="c2", user="ann")


def test_what_was_put_is_what_was_kept(server: str, schema: str) -> None:
    """From memory to the tables, from the tables to others, and on from there."""

    async def tell() -> None:
        memory = MemoryLog()
        await _filled(memory)
        async with (
            closing(PostgresLog(server, schema=schema)) as log,
            closing(PostgresLog(server, "other", schema=schema)) as other,
        ):
            first = [one for name in ("c1", "c2") if (one := await memory.kept(name))]
            await log.keep(*first)
            second = [one for name in ("c1", "c2") if (one := await log.kept(name))]
            assert second == first
            await other.keep(*second)
            for one in (log, other):
                assert await one.read("c1") == await memory.read("c1")
                assert await one.load("c1") == await memory.load("c1")
                assert await one.search("c1", ["zebra"], before=9) == {"zebra": (1,)}
                assert await one.facts(user="ann", conversation="") == await memory.facts(
                    user="ann", conversation=""
                )
                opened = await one.open(opening(text="Open", user="ann", key="k3"))
                assert (opened.turn, opened.state) == (3, "open")
                await one.append("c1", 3, [closed("Hi")], AT)
            assert await log.kept("nothing") is None

    asyncio.run(tell())


def test_what_is_there_or_was_erased_is_not_put(server: str, schema: str) -> None:
    """Nor is anything that comes with it."""

    async def tell() -> None:
        memory = MemoryLog()
        await _filled(memory)
        kept = [one for name in ("c2", "c1") if (one := await memory.kept(name))]
        async with closing(PostgresLog(server, schema=schema)) as log:
            await say(log)
            with pytest.raises(ConversationExists):
                await log.keep(*kept)
            await log.erase(conversation="c1", at=AT)
            with pytest.raises(ConversationErased):
                await log.keep(*kept)
            assert await log.read("c2") == ()

    asyncio.run(tell())
