"""The log in PostgreSQL: it keeps the contract, on its own connections or the caller's, and outlives a lost one."""

from __future__ import annotations

import asyncio
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

from turnstate.errors import StoreClosed, StoreSchemaError, StoreUnavailable, StoreUrlError
from turnstate.stores import open_log
from turnstate.stores.postgres.database import VERSION
from turnstate.stores.postgres.log import Connecting, PostgresLog
from turnstate.testing.log_contract import LogContract, OpenLog, closing
from turnstate.testing.log_contract.story import AT, closed, opening, say

pytestmark = pytest.mark.xdist_group("postgres")  # one server, in one worker


class TestPostgresLog(LogContract):
    """Every promise."""

    url: str
    name: str

    @pytest.fixture(autouse=True)
    def fresh(self, server: str, schema: str) -> None:
        """Empty tables for every test."""
        self.url, self.name = server, schema

    def open_log(self, tenant: str = "default") -> OpenLog:
        """The test's tables."""
        return closing(PostgresLog(self.url, tenant, schema=self.name))


def test_a_log_serves_several_event_loops(server: str, schema: str) -> None:
    """One after the other, here; the contract has them side by side."""
    log = PostgresLog(server, schema=schema, connecting=Connecting(size=2, prepare_threshold=None))
    for turn in (1, 2):
        assert asyncio.run(log.open(opening())).turn == turn
    asyncio.run(log.close())
    asyncio.run(log.close())
    with pytest.raises(StoreClosed):
        asyncio.run(log.read("c1"))


def test_the_callers_pool_is_used_and_left_open(server: str, schema: str) -> None:
    """Whatever rows it makes, in its transactions or without, also from another loop."""

    async def tell() -> None:
        for settings in ({"row_factory": dict_row}, {"autocommit": True, "prepare_threshold": None}):
            async with AsyncConnectionPool[Any](
                server, kwargs=settings, min_size=1, max_size=2, open=False
            ) as pool:
                log = PostgresLog(pool, schema=schema)
                await say(log)
                elsewhere = await asyncio.to_thread(lambda: asyncio.run(log.read("c1")))  # noqa: B023  # at once
                assert elsewhere == await log.read("c1") != ()
                await log.close()
                async with pool.connection() as connection:
                    await connection.execute("SELECT 1")

    asyncio.run(tell())


def test_a_pool_whose_loop_has_ended_is_of_no_use(server: str, schema: str) -> None:
    """It is said, instead of waiting for ever."""

    async def tell() -> PostgresLog:
        async with AsyncConnectionPool[Any](server, min_size=1, max_size=1, open=False) as pool:
            log = PostgresLog(pool, schema=schema)
            await say(log)
            return log

    log = asyncio.run(tell())
    with pytest.raises(StoreUnavailable, match="event loop"):
        asyncio.run(log.read("c1"))
    asyncio.run(log.close())


def test_nothing_is_migrated_at_the_start(server: str) -> None:
    """A database without tables says which command makes them, and stays without."""

    async def tell() -> None:
        for _ in range(2):
            async with closing(PostgresLog(server, schema="nowhere")) as log:
                with pytest.raises(
                    StoreSchemaError, match=r"turnstate migrate URL.*--schema nowhere"
                ) as caught:
                    await say(log)
                assert (caught.value.found, caught.value.expected) == (0, VERSION)

    asyncio.run(tell())


def test_lost_connections_are_replaced(server: str, schema: str) -> None:
    """Reading goes on, and so does a turn: whatever was not committed is sent again."""

    async def tell() -> None:
        name = f"{server}&application_name={schema}"
        async with closing(PostgresLog(name, schema=schema)) as log:
            await log.open(opening(key="k1"))
            _cut(server, schema)
            assert len(await log.read("c1")) == 2
            _cut(server, schema)
            assert len(await log.append("c1", 1, [closed("Hi")], AT)) == 1
            _cut(server, schema)
            assert (await log.open(opening(key="k1"))).state == "closed"
            _cut(server, schema)
            with pytest.raises(StoreUnavailable, match=r"committed before is safe.*same key"):
                await log.open(opening())
            assert len(await log.read("c1")) == 3
            assert (await log.open(opening())).turn == 2

    asyncio.run(tell())


def test_no_free_connection_is_said(server: str, schema: str) -> None:
    """And nothing was written."""

    async def tell() -> None:
        async with AsyncConnectionPool[Any](server, min_size=1, max_size=1, timeout=0.2, open=False) as pool:
            log = PostgresLog(pool, schema=schema)
            await say(log)
            async with pool.connection():
                with pytest.raises(StoreUnavailable, match="no connection became free"):
                    await log.open(opening())
            assert len(await log.read("c1")) == 4

    asyncio.run(tell())


@pytest.mark.parametrize("secret", ["s3cret", "s3c:r%40et"])
def test_a_password_is_in_no_error_and_no_url(server: str, secret: str) -> None:
    """Whether the database is away, the URL wrong, or the password a parameter."""
    urls = [f"postgresql://ann:{secret}@127.0.0.1:1/db", f"postgresql://127.0.0.1:1/db?password={secret}"]
    for url in urls:
        log = open_log(url, "acme")
        assert isinstance(log, PostgresLog)
        assert log.tenant == "acme"
        assert "s3c" not in log.url
        with pytest.raises(StoreUnavailable) as caught:
            asyncio.run(log.read("c1"))
        assert "s3c" not in str(caught.value) + caught.value.url
        assert caught.value.__suppress_context__
        asyncio.run(log.close())
        with pytest.raises(StoreUnavailable) as migrating:
            asyncio.run(PostgresLog.migrate(url))
        assert "s3c" not in str(migrating.value) + migrating.value.url
    with pytest.raises(StoreUrlError) as refused:
        open_log(f"postgresql://ann:{secret}@127.0.0.1:1/db?nonsense=1")
    assert "s3c" not in str(refused.value) + refused.value.url


def test_a_name_that_is_none_is_refused(server: str) -> None:
    """A schema is an identifier, a tenant fits into an index, a URL is PostgreSQL's."""
    for schema in ("", 'a"b', "a.b", "Chat", "x" * 64, "1a"):
        with pytest.raises(StoreUrlError, match="schema"):
            PostgresLog(server, schema=schema)
    with pytest.raises(StoreUrlError, match="512 bytes"):
        PostgresLog(server, "x" * 513)
    with pytest.raises(StoreUrlError):
        PostgresLog("sqlite:///chat.db")


def _cut(server: str, name: str) -> None:
    """End the connections of that name from the other side."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = %s",
            (name,),
        )
