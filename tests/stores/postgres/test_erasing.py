"""What was erased is in no table, late writes do not bring it back, and the receipts are those of the log in memory."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import psycopg
import pytest

from turnstate.core.history import Snapshot
from turnstate.errors import ConversationErased, TurnNotOpen
from turnstate.ports import Claim, Log, Receipt
from turnstate.stores.memory import MemoryLog
from turnstate.stores.postgres.erasing import UNREACHABLE
from turnstate.stores.postgres.log import PostgresLog
from turnstate.testing.log_contract import closing
from turnstate.testing.log_contract.story import AT, closed, fact, learned, opening, responded, say, summary

pytestmark = pytest.mark.xdist_group("postgres")  # one server, in one worker


def _dump(server: str, schema: str) -> str:
    """All that is in the tables, as text."""
    with psycopg.connect(server, autocommit=True) as connection:
        names = connection.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = %s", (schema,)
        ).fetchall()
        return "\n".join(
            str(row)
            for (name,) in names
            for row in connection.execute(f"SELECT * FROM {schema}.{name}".encode()).fetchall()
        )


async def _filled(log: Log) -> None:
    for turn in (1, 2, 3):
        await log.open(opening("secret-1", f"zebra {turn}", user="priya", key=f"key-{turn}"))
        told = [responded("quagga"), learned(fact("city", f"Oslo {turn}", at=AT + turn)), closed()]
        await log.append("secret-1", turn, told, AT, snapshot=Snapshot(2, (1,)))
    await log.append("secret-1", 0, [summary(1, 2)], AT)
    await say(log, "other", conversation="c2", user="priya")
    await log.append("c2", 1, [learned(fact("city", "Rome", conversation="c2", at=AT))], AT)
    await say(log, "zebra", conversation="c3", user="tom")


def _counted(receipt: Receipt) -> Receipt:
    return replace(receipt, id="", unreachable=())


def test_an_erased_conversation_is_in_no_table_and_stays_away(server: str, schema: str) -> None:
    """Its words, its user, its id; whoever writes to it late is told; the others are as they were."""

    async def tell() -> None:
        memory = MemoryLog()
        async with closing(PostgresLog(server, schema=schema)) as log:
            for one in (memory, log):
                await _filled(one)
            running = await log.open(opening("secret-1", "late", user="priya"))
            await memory.open(opening("secret-1", "late", user="priya"))
            receipt = await log.erase(conversation="secret-1", at=AT)
            assert _counted(receipt) == _counted(await memory.erase(conversation="secret-1", at=AT))
            assert UNREACHABLE in receipt.unreachable
            dump = _dump(server, schema)
            assert not any(word in dump for word in ("secret-1", "quagga", "Oslo", "late"))
            claim = Claim("ann", 60_000_000)
            for write in (
                lambda: log.append("secret-1", running.turn, [closed("Hi")], AT),
                lambda: log.append("secret-1", running.turn, [learned(fact("city", "Bern"))], AT),
                lambda: log.open(opening("secret-1", "again", user="priya")),
                lambda: log.start("secret-1", "priya", AT),
                lambda: log.claim("secret-1", running.turn, claim),
            ):
                with pytest.raises(ConversationErased):
                    await write()
            assert await log.renew("secret-1", claim) == ()
            await log.release("secret-1", running.turn, claim)
            assert await log.load("secret-1") == await log.read("secret-1") == ()
            assert await log.read("secret-1", turn=0) == await log.read_turns("secret-1", [0, 1]) == ()
            assert await log.search("secret-1", ["zebra"], before=9) == {"zebra": ()}
            assert await log.kept("secret-1") is None
            assert [info.conversation for info in await log.conversations()] == ["c3", "c2"]
            assert [one.value for one in await log.facts(user="priya", conversation="c2")] == ["Rome"]
            assert _counted(await log.erase(conversation="secret-1", at=AT)).conversations == 0

    asyncio.run(tell())


def test_an_erased_user_is_in_no_table(server: str, schema: str) -> None:
    """All conversations, and whatever was learned in them."""

    async def tell() -> None:
        memory = MemoryLog()
        async with closing(PostgresLog(server, schema=schema)) as log:
            for one in (memory, log):
                await _filled(one)
            receipt = await log.erase(user="priya", at=AT)
            assert _counted(receipt) == _counted(await memory.erase(user="priya", at=AT))
            dump = _dump(server, schema)
            assert not any(word in dump for word in ("priya", "quagga", "Oslo", "Rome", "'c2'"))
            assert await log.conversations() == await memory.conversations()
            assert await log.facts(user="priya", conversation="c2", superseded=True) == ()

    asyncio.run(tell())


def test_old_turns_go_whole_and_the_rest_goes_on(server: str, schema: str) -> None:
    """With their words, facts and summaries; a turn that has not ended is not old."""

    async def tell() -> None:
        memory = MemoryLog()
        async with closing(PostgresLog(server, schema=schema)) as log:
            for one in (memory, log):
                await _filled(one)
                await one.open(opening("secret-1", "open", user="priya"))
                with pytest.raises(TurnNotOpen):
                    await one.erase_turns("secret-1", 9, AT)
            receipt = await log.erase_turns("secret-1", 2, AT)
            assert _counted(receipt) == _counted(await memory.erase_turns("secret-1", 2, AT))
            assert [(e.seq, e.turn) for e in await log.read("secret-1")] == [
                (e.seq, e.turn) for e in await memory.read("secret-1")
            ]
            assert await log.search("secret-1", ["zebra"], before=9) == {"zebra": (3,)}
            facts = [one.value for one in await log.facts(user="priya", conversation="c2", superseded=True)]
            assert facts == [
                one.value for one in await memory.facts(user="priya", conversation="c2", superseded=True)
            ]
            assert (await log.open(opening("secret-1", "zebra 1", user="priya", key="key-1"))).turn == 5

    asyncio.run(tell())
