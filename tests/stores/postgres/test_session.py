"""What is sent says whose it is, a damaged row stops no other, and digests keep apart what is apart."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, ClassVar
from uuid import UUID

import psycopg
import pytest
from psycopg_pool import AsyncConnectionPool

from turnstate.errors import KeyConflict, TurnNotOpen
from turnstate.stores.postgres.log import PostgresLog
from turnstate.stores.postgres.rows import number_of
from turnstate.testing.log_contract import closing
from turnstate.testing.log_contract.story import AT, closed, fact, learned, opening, responded, say

pytestmark = pytest.mark.xdist_group("postgres")  # one server, in one worker


class Recording(psycopg.AsyncCursor[Any]):
    """A cursor that notes what is sent."""

    sent: ClassVar[list[tuple[str, Any]]] = []

    async def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        """Note it, send it."""
        self.sent.append((query.decode() if isinstance(query, bytes) else str(query), params))
        return await super().execute(query, params, **options)


def test_every_statement_that_is_sent_says_whose_rows_it_means(server: str, schema: str) -> None:
    """On every path that reads or writes."""

    async def tell() -> None:
        settings = {"cursor_factory": Recording}
        async with AsyncConnectionPool[Any](server, kwargs=settings, open=False) as pool:
            log = PostgresLog(pool, "acme", schema=schema)
            Recording.sent.clear()
            await log.start("c0", None, AT)
            await say(log, user="ann")
            await log.append("c1", 1, [learned(fact("city", "Oslo"))], AT)
            await log.load("c1")
            await log.read("c1")
            await log.read_turns("c1", [1])
            await log.search("c1", ["hello"], before=9)
            await log.facts(user="ann", conversation="c1")
            await log.conversations(user="ann")
            await log.conversations()

    asyncio.run(tell())
    ours = [
        (query, params)
        for query, params in Recording.sent
        if f'"{schema}".' in query and "migrations" not in query
    ]
    assert len(ours) > 15
    for query, params in ours:
        assert params["tenant"] == "acme"
        assert isinstance(params.get("conversation", number_of("c1")), UUID)
        assert params.keys() & {"conversation", "owner"} or "LIMIT" in query


def test_another_tenants_ids_reach_nothing(server: str, schema: str) -> None:
    """On every path that reads or writes, with ids, keys, turns and users that the other has."""

    async def tell() -> None:
        async with (
            closing(PostgresLog(server, "acme", schema=schema)) as acme,
            closing(PostgresLog(server, "other", schema=schema)) as other,
        ):
            await acme.open(opening(user="ann", key="k1"))
            await acme.append("c1", 1, [responded("zebra"), learned(fact("city", "Oslo")), closed()], AT)
            before = await acme.read("c1")
            for turn in (0, 1):
                with pytest.raises(TurnNotOpen):
                    await other.append("c1", turn, [learned(fact("city", "Rome"))], AT)
            assert await other.load("c1") == await other.read("c1") == await other.read("c1", turn=1) == ()
            assert await other.read_turns("c1", [0, 1]) == ()
            assert await other.search("c1", ["zebra"], before=9) == {"zebra": ()}
            assert await other.facts(user="ann", conversation="c1", superseded=True) == ()
            assert await other.conversations() == await other.conversations(user="ann") == ()
            assert await other.start("c1", "bob", AT) == 1
            opened = await other.open(opening(text="Mine", user="bob", key="k1"))
            assert (opened.turn, opened.state) == (1, "new")
            await other.append("c1", 1, [closed("Mine")], AT)
            with pytest.raises(KeyConflict):
                await acme.open(opening(text="Mine", user="ann", key="k1"))
            assert await acme.read("c1") == before
            assert [one.value for one in await acme.facts(user="ann", conversation="c1")] == ["Oslo"]

    asyncio.run(tell())


def test_a_damaged_row_is_left_out_and_said_once(
    server: str, schema: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The rest is read: events and facts."""

    async def tell() -> None:
        async with closing(PostgresLog(server, schema=schema)) as log:
            await say(log)
            await log.append("c1", 1, [learned(fact("city", "Oslo"), fact("name", "Ann"))], AT)
            with psycopg.connect(server, autocommit=True) as connection:
                connection.execute(f"UPDATE {schema}.events SET body = 'x' WHERE seq = 3".encode())
                connection.execute(f"UPDATE {schema}.facts SET body = '[]' WHERE place = 1".encode())
            for _ in range(2):
                assert [event.seq for event in await log.load("c1")] == [1, 2, 4, 5]
                assert [one.value for one in await log.facts(user=None, conversation="c1")] == ["Ann"]

    with caplog.at_level(logging.WARNING, "turnstate.stores"):
        asyncio.run(tell())
    assert [record.getMessage().partition(" is left out")[0] for record in caplog.records] == [
        "event 3 of conversation 'c1'",
        "fact 1",
    ]
