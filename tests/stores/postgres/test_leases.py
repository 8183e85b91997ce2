"""Who may work on which turn: by the database's clock, and as the rules of all stores decide."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable
from typing import Any, Protocol

import psycopg
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from turnstate.core.events import Event, TurnPaused
from turnstate.errors import LeaseLost, TurnstateError
from turnstate.ports import Claim, Log, Opening
from turnstate.stores.memory import MemoryLog
from turnstate.stores.postgres.log import PostgresLog
from turnstate.testing.log_contract import closing
from turnstate.testing.log_contract.story import AT, closed, failed, learned, opening, reopened, responded

pytestmark = pytest.mark.xdist_group("postgres")  # one server, in one worker

LASTS = 100_000_000
"""Microseconds for which a worker's word is good here: no test takes as long."""

STEP = 61_800_000
"""How far a clock goes: few steps of it never come near to a number of words' lengths."""

BACK = -4 * LASTS
"""How far a clock jumps back: farther than the longest lease."""


class _Asked(Protocol):
    """A question for a log."""

    def __call__(self, log: Log, /) -> Awaitable[Any]: ...


holders = st.sampled_from(["ann", "bob", "c\0\\"])
turns = st.integers(0, 4)
events: st.SearchStrategy[Event] = st.sampled_from(
    [responded(), closed(), failed(), reopened(), TurnPaused("Wait."), learned()]
)


class SameLeases(RuleBasedStateMachine):
    """A database and a memory that are asked the same, by workers whose clock is shifted."""

    server: str
    schema: str
    tenant: str

    @initialize()
    def begin(self) -> None:
        """Both are empty."""
        self.now, self.passed = 1_000 * LASTS, 0
        self.runner = asyncio.Runner()
        self.memory = MemoryLog(clock=lambda: self.now)
        self.stored = PostgresLog(self.server, self.tenant, schema=self.schema)

    def teardown(self) -> None:
        """Nothing is left open."""
        self.runner.run(self.stored.close())
        self.runner.close()

    def both(self, ask: _Asked) -> Any:
        """The answer of both, or how both refused."""

        async def answer(log: Log) -> Any:
            try:
                return await ask(log)
            except (TurnstateError, ValueError) as error:
                return type(error), str(error)

        expected, found = self.runner.run(answer(self.memory)), self.runner.run(answer(self.stored))
        assert found == expected
        return found

    @rule(holder=st.none() | holders, key=st.sampled_from([None, None, "k1"]), alone=st.booleans())
    def open_turn(self, holder: str | None, key: str | None, alone: bool) -> None:  # drawn
        """A message arrives, with a worker or without."""
        claim = None if holder is None else Claim(holder, LASTS)
        told = opening(key=key)
        asked = Opening("c1", None, key, told.digest, told.message, AT, claim, alone)
        self.both(lambda log: log.open(asked))

    @rule(turn=turns, holder=holders)
    def claim(self, turn: int, holder: str) -> None:
        """Somebody wants a turn."""
        self.both(lambda log: log.claim("c1", turn, Claim(holder, LASTS)))

    @rule(holder=holders)
    def renew(self, holder: str) -> None:
        """Somebody is alive."""
        self.both(lambda log: log.renew("c1", Claim(holder, LASTS)))

    @rule(turn=turns, holder=holders)
    def release(self, turn: int, holder: str) -> None:
        """Somebody gives a turn up."""
        self.both(lambda log: log.release("c1", turn, Claim(holder, LASTS)))

    @rule(turn=turns, some=st.lists(events, min_size=1, max_size=3), token=st.integers(0, 3))
    def append(self, turn: int, some: list[Event], token: int) -> None:
        """Somebody writes, with the newest token, an older one or none."""
        self.both(lambda log: log.append("c1", turn, some, AT, token=token))

    @precondition(lambda self: self.passed < 7)
    @rule(by=st.sampled_from([STEP, STEP, BACK]))
    def pass_time(self, by: int) -> None:
        """Time passes, or the clock jumps back: what was written before is as much older or newer."""
        self.now, self.passed = self.now + by, self.passed + 1
        with psycopg.connect(self.server, autocommit=True) as connection:
            connection.execute(
                f"UPDATE {self.schema}.turns SET until = until - %s WHERE tenant = %s".encode(),
                (by, self.tenant),
            )

    @invariant()
    def the_shortcuts_are_true(self) -> None:
        """What a conversation's row says of its turns is what the turns say."""
        with psycopg.connect(self.server, autocommit=True) as connection:
            counted = connection.execute(
                f"SELECT held, (SELECT count(*) FROM {self.schema}.turns AS t WHERE t.tenant = c.tenant"
                " AND t.conversation = c.conversation AND turn > 0 AND (status = 'open' OR holder IS NOT NULL)),"
                f" running, token, (SELECT (status, token)::text FROM {self.schema}.turns AS t"
                " WHERE t.tenant = c.tenant AND t.conversation = c.conversation AND turn = running AND running > 0)"
                f" FROM {self.schema}.conversations AS c WHERE tenant = %s".encode(),
                (self.tenant,),
            ).fetchall()
        for held, really, running, token, turn in counted:
            assert held == really
            assert turn == (f"(open,{token})" if running else None)


def test_any_order_of_claims_has_the_answers_of_the_log_in_memory(server: str, schema: str) -> None:
    """Each example is a tenant of its own."""
    tenants = itertools.count()

    class Machine(SameLeases):
        @initialize()
        def begin(self) -> None:
            """Both are empty."""
            self.server, self.schema, self.tenant = server, schema, f"tenant {next(tenants)}"
            super().begin()

    run_state_machine_as_test(Machine, settings=settings(max_examples=15, stateful_step_count=30))


def test_of_many_who_open_at_once_one_has_the_lease(server: str, schema: str) -> None:
    """In two processes' logs; the others are told whom they wait for, and get their turns in order."""

    async def tell() -> None:
        async with (
            closing(PostgresLog(server, schema=schema)) as one,
            closing(PostgresLog(server, schema=schema)) as other,
        ):
            logs = [(one, Claim("one", LASTS)), (other, Claim("other", LASTS))]

            async def message(number: int) -> tuple[int, int]:
                log, claim = logs[number % 2]
                told = opening(text=f"message {number}")
                opened = await log.open(
                    Opening("c1", None, f"k{number}", told.digest, told.message, AT, claim)
                )
                return opened.turn, opened.token

            turns = await asyncio.gather(*(message(number) for number in range(20)))
            assert sorted(turns) == [(1, 1), *((turn, 0) for turn in range(2, 21))]
            holders = {turn: logs[number % 2] for number, (turn, _) in enumerate(turns)}
            for turn in range(1, 21):
                log, claim = holders[turn]
                claimed = await log.claim("c1", turn, claim)
                assert (claimed.state, claimed.behind, claimed.left) == ("open", (), ())
                if turn < 20:
                    later, waits = holders[turn + 1]
                    assert (await later.claim("c1", turn + 1, waits)).behind == (turn,)
                await log.append("c1", turn, [responded(), closed()], AT, token=claimed.token)

    asyncio.run(tell())


def test_a_worker_that_was_taken_over_writes_nothing(server: str, schema: str) -> None:
    """Not with the statement of a plain turn, and not with a snapshot."""

    async def tell() -> None:
        async with closing(PostgresLog(server, schema=schema)) as log:
            told = opening()
            opened = await log.open(
                Opening("c1", None, None, told.digest, told.message, AT, Claim("ann", LASTS))
            )
            assert opened.token == 1
            with psycopg.connect(server, autocommit=True) as connection:
                connection.execute(f"UPDATE {schema}.turns SET until = 1".encode())
            assert (await log.claim("c1", 1, Claim("bob", LASTS))).token == 2
            assert await log.renew("c1", Claim("ann", LASTS)) == ()
            for late in ([responded()], [learned(), closed()]):
                with pytest.raises(LeaseLost):
                    await log.append("c1", 1, late, AT, token=1)
            assert len(await log.append("c1", 1, [responded(), closed()], AT, token=2)) == 2

    asyncio.run(tell())
