"""A turn is opened in one statement where nothing is in the way, and behind others where something is."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

import psycopg
import pytest
from psycopg_pool import AsyncConnectionPool

from turnstate.errors import ConversationBusy
from turnstate.ports import Claim, Opening
from turnstate.stores.postgres.log import PostgresLog
from turnstate.testing.log_contract import closing
from turnstate.testing.log_contract.story import AT, closed, opening, responded

pytestmark = pytest.mark.xdist_group("postgres")  # one server, in one worker

CLAIM = Claim("ann", 60_000_000)


class Counting(psycopg.AsyncCursor[Any]):
    """A cursor that notes what is sent."""

    sent: ClassVar[list[str]] = []

    async def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        """Note it, send it."""
        self.sent.append(query.decode() if isinstance(query, bytes) else str(query))
        return await super().execute(query, params, **options)


def _message(text: str = "Hello", *, alone: bool = False) -> Opening:
    told = opening(text=text)
    return Opening("c1", None, None, told.digest, told.message, AT, CLAIM, alone)


def test_a_plain_turn_is_two_statements(server: str, schema: str) -> None:
    """Its lease comes with the opening, and goes with the close."""

    async def tell() -> None:
        settings = {"cursor_factory": Counting, "autocommit": True}
        async with AsyncConnectionPool[Any](server, kwargs=settings, open=False) as pool:
            log = PostgresLog(pool, schema=schema)
            for turn in (1, 2, 3):
                Counting.sent.clear()
                opened = await log.open(_message())
                assert (opened.turn, opened.token) == (turn, 1)
                recorded = await log.append("c1", turn, [responded(), closed()], AT, token=1)
                assert [event.seq for event in recorded] == [opened.head + 1, opened.head + 2]
            assert len(Counting.sent) == 2
            assert await log.renew("c1", CLAIM) == ()

    asyncio.run(tell())


def test_a_message_that_is_to_be_alone_is_refused_behind_another(server: str, schema: str) -> None:
    """Nothing of it is recorded, and once the other has ended it is taken."""

    async def tell() -> None:
        async with closing(PostgresLog(server, schema=schema)) as log:
            await log.open(_message(alone=True))
            with pytest.raises(ConversationBusy) as caught:
                await log.open(_message("Again", alone=True))
            assert caught.value.turn == 1
            assert len(await log.read("c1")) == 2
            await log.append("c1", 1, [closed("Hi")], AT, token=1)
            assert (await log.open(_message("Again", alone=True))).turn == 2

    asyncio.run(tell())
