"""Whatever is asked of it, and in whatever order, the log in PostgreSQL answers like the log in memory."""

from __future__ import annotations

import asyncio
import itertools

import pytest
from hypothesis import settings
from hypothesis.stateful import initialize, rule, run_state_machine_as_test

from stores.sqlite.test_log import SameAnswers
from turnstate.stores.memory import MemoryLog
from turnstate.stores.postgres.log import PostgresLog
from turnstate.testing.log_contract import closing
from turnstate.testing.log_contract.story import AT, fact, learned, say

pytestmark = pytest.mark.xdist_group("postgres")  # one server, in one worker


def test_any_order_of_questions_has_the_answers_of_the_log_in_memory(server: str, schema: str) -> None:
    """Each example is a tenant of its own."""
    tenants = itertools.count()

    class Machine(SameAnswers):
        @initialize()
        def begin(self) -> None:
            """Both are empty."""
            self.runner = asyncio.Runner()
            self.memory = MemoryLog()
            self.tenant = f"tenant {next(tenants)}"
            self.file = self.opened()

        def opened(self) -> PostgresLog:
            return PostgresLog(server, self.tenant, schema=schema)

        def teardown(self) -> None:
            """Nothing is left open."""
            self.runner.run(self.file.close())
            self.runner.close()

        @rule()
        def restart(self) -> None:
            """The log is closed and opened again."""
            self.runner.run(self.file.close())
            self.file = self.opened()

    run_state_machine_as_test(Machine, settings=settings(max_examples=10, stateful_step_count=25))


def test_two_conversations_settle_a_users_facts_one_after_the_other(server: str, schema: str) -> None:
    """However many teach the same key at once, one value is in force, and all are on record."""

    async def tell() -> None:
        async with closing(PostgresLog(server, schema=schema)) as log:
            names = [f"c{number}" for number in range(12)]
            for name in names:
                await say(log, conversation=name, user="ann")
            await asyncio.gather(
                *(
                    log.append(name, 1, [learned(fact("city", f"city {name}", at=AT + number))], AT)
                    for number, name in enumerate(names)
                )
            )
            (city,) = await log.facts(user="ann", conversation="c1")
            assert city.value == "city c11"
            assert len(await log.facts(user="ann", conversation="c1", superseded=True)) == 12

    asyncio.run(tell())
