"""What a search and a page of a long conversation come to."""

from __future__ import annotations

import asyncio

import pytest

from turnstate.stores.postgres.log import PostgresLog
from turnstate.testing.log_contract import closing
from turnstate.testing.log_contract.story import opening, say

pytestmark = pytest.mark.xdist_group("postgres")  # one server, in one worker


def test_numbers_beyond_those_of_a_column_find_nothing(server: str, schema: str) -> None:
    """Instead of an error of the driver."""

    async def tell() -> None:
        async with closing(PostgresLog(server, schema=schema)) as log:
            await say(log)
            for number in (10**30, -(10**30)):
                assert await log.read("c1", turn=number, after=number) in {(), (await log.read("c1", turn=0))}
                assert await log.read_turns("c1", [number]) == ()
            assert len(await log.conversations(limit=10**30)) == 1
            assert (await log.open(opening())).turn == 2

    asyncio.run(tell())
