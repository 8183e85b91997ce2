"""The database goes and comes back under a log: what is asked waits or is told, and nothing is lost or done twice."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from stores.postgres.wire import wired
from turnstate.core.messages import user_message
from turnstate.errors import StoreUnavailable
from turnstate.ports import Opening
from turnstate.stores.postgres.connections import Connecting, Connections
from turnstate.stores.postgres.log import PostgresLog
from turnstate.testing.log_contract import closing
from turnstate.testing.log_contract.story import AT, closed, fact, learned, opening, responded

pytestmark = pytest.mark.xdist_group("postgres")  # one server, in one worker


def test_a_database_that_comes_back_in_time_is_waited_for(server: str, schema: str) -> None:
    """Reading, opening with a key, and recording go on without an error."""

    async def tell() -> None:
        async with wired(server) as wire, closing(PostgresLog(wire.url, schema=schema)) as log:
            await log.open(opening(key="k1"))
            await wire.down()
            reading = asyncio.ensure_future(log.read("c1"))
            telling = asyncio.ensure_future(log.open(opening("c2", key="k1")))
            ending = asyncio.ensure_future(log.append("c1", 1, [responded(), closed()], AT))
            await asyncio.sleep(0.1)
            await wire.up()
            await asyncio.gather(reading, telling, ending)
            assert len(await log.read("c1")) == 4
            assert len(await log.read("c2")) == 2

    asyncio.run(tell())


def test_a_database_that_stays_away_is_told_and_the_same_log_goes_on_later(server: str, schema: str) -> None:
    """The error says that nothing was written, and what to do."""

    async def tell() -> None:
        connecting = Connecting(timeout=0.2)
        async with (
            wired(server) as wire,
            closing(PostgresLog(wire.url, schema=schema, connecting=connecting)) as log,
        ):
            await log.open(opening(key="k1"))
            await wire.down()
            for _ in range(2):
                with pytest.raises(StoreUnavailable, match=r"nothing of this was written; check.* same key"):
                    await log.append("c1", 1, [closed("Hi")], AT)
            with pytest.raises(StoreUnavailable):
                await log.read("c1")
            await wire.up()
            assert len(await log.append("c1", 1, [closed("Hi")], AT)) == 1

    asyncio.run(tell())


def test_what_was_committed_when_the_line_broke_is_recorded_once(server: str, schema: str) -> None:
    """In a plain turn, with facts and a snapshot, and in the middle of a turn."""

    async def tell() -> None:
        async with wired(server) as wire, closing(PostgresLog(wire.url, schema=schema)) as log:
            await log.open(opening(key="k1"))
            for some in (
                [responded("one")],
                [responded("two"), learned(fact("city", "Oslo"))],
                [responded("two"), closed()],
            ):
                before = await log.read("c1")
                wire.deaf = 1
                recorded = await log.append("c1", 1, some, AT)
                assert wire.deaf == 0
                assert await log.read("c1") == (*before, *recorded)
            assert [one.value for one in await log.facts(user=None, conversation="c1")] == ["Oslo"]
            wire.deaf = 1
            assert (await log.open(opening(text="More", key="k2"))).turn == 2
            assert len(await log.read("c1", turn=2)) == 1

    asyncio.run(tell())


def test_what_may_be_durable_and_cannot_be_looked_for_is_told(server: str, schema: str) -> None:
    """A message without a key."""

    async def tell() -> None:
        async with wired(server) as wire, closing(PostgresLog(wire.url, schema=schema)) as log:
            await log.start("c1", None, AT)
            wire.deaf = 1
            with pytest.raises(StoreUnavailable, match="whether this was is not known"):
                await log.open(opening())
            assert len(await log.read("c1")) == 2

    asyncio.run(tell())


def test_many_who_lose_the_same_line_each_go_on(server: str, schema: str) -> None:
    """A group that was committed when its line broke is recorded once; one without a key is told."""

    async def tell() -> None:
        async with (
            wired(server) as wire,
            closing(PostgresLog(wire.url, schema=schema, connecting=Connecting(size=1))) as log,
        ):
            names = [f"c{number}" for number in range(20)]
            await asyncio.gather(*(log.open(opening(name, key="k1")) for name in names))
            wire.deaf = 1
            await asyncio.gather(*(log.append(name, 1, [responded(), closed()], AT) for name in names))
            wire.deaf = 1
            opened = await asyncio.gather(
                *(log.open(opening(name, key=f"k2 {name}")) for name in names),
                log.open(Opening("c21", None, None, "", user_message("Hi", AT), AT)),
                return_exceptions=True,
            )
            assert [type(one) for one in opened].count(StoreUnavailable) <= 1
            for name in names:
                assert [event.seq for event in await log.read(name)] == [1, 2, 3, 4, 5]

    asyncio.run(tell())


def test_a_slow_statement_is_cancelled_and_told_and_others_are_not_kept(server: str, schema: str) -> None:
    """Somebody holds a lock on one conversation."""

    async def tell() -> None:
        connecting = Connecting(size=2, timeout=1.5)
        async with closing(PostgresLog(server, schema=schema, connecting=connecting)) as log:
            names = [f"c{number}" for number in range(10)]
            await asyncio.gather(*(log.open(opening(name)) for name in names))
            with psycopg.connect(server) as holding:
                holding.execute(f"SELECT id FROM {schema}.conversations WHERE id = 'c0' FOR UPDATE".encode())
                told = await asyncio.gather(
                    *(log.append(name, 1, [closed("Hi")], AT) for name in names), return_exceptions=True
                )
                assert [type(one) for one in told] == [StoreUnavailable, *[tuple] * 9]
                assert "57014" in str(told[0])
                assert "long transaction" in str(told[0])
                holding.rollback()
            assert len(await log.append("c0", 1, [closed("Hi")], AT)) == 1

    asyncio.run(tell())


def test_all_connections_in_use_is_told(server: str) -> None:
    """With what to do; one that comes back is used again."""

    async def tell() -> None:
        connections = Connections(server, Connecting(size=1, timeout=0.05), "postgresql://")
        async with connections.connection() as first:
            with pytest.raises(StoreUnavailable, match=r"no connection became free.*Connecting"):
                async with connections.connection():
                    pass
        async with connections.connection() as second:
            assert second is first
        await connections.close()

    asyncio.run(tell())
