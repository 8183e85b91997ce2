"""Statements go together where they can, alone where they must, and also through a pooler that keeps no session."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, ClassVar

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import AsyncConnectionPool

from turnstate.errors import KeyConflict, TurnNotOpen
from turnstate.stores.postgres.log import PostgresLog
from turnstate.testing.log_contract import LogContract, OpenLog, closing
from turnstate.testing.log_contract.story import AT, closed, opening, responded, say

pytestmark = pytest.mark.xdist_group("postgres")  # one server, in one worker


class Counting(psycopg.AsyncConnection[Any]):
    """A connection that counts what it is taken for."""

    taken: ClassVar[list[int]] = []

    def pipeline(self) -> Any:
        """Note it."""
        self.taken.append(self.info.backend_pid)
        return super().pipeline()


def test_many_conversations_share_a_commit(server: str, schema: str) -> None:
    """Fifty turns are opened and closed in a few transactions, each in its own conversation."""

    async def tell() -> None:
        async with AsyncConnectionPool[Any](
            server, connection_class=Counting, kwargs={"autocommit": True}, min_size=1, open=False
        ) as pool:
            log = PostgresLog(pool, schema=schema)
            names = [f"c{number}" for number in range(50)]
            await asyncio.gather(*(say(log, conversation=name) for name in names))
            Counting.taken.clear()
            opened = await asyncio.gather(*(log.open(opening(name)) for name in names))
            assert [one.turn for one in opened] == [2] * 50
            await asyncio.gather(*(log.append(name, 2, [responded(), closed()], AT) for name in names))
            assert len(Counting.taken) <= 4
            for name in names:
                assert len(await log.read(name, turn=2)) == 3

    asyncio.run(tell())


def test_one_that_is_refused_takes_no_other_with_it(server: str, schema: str) -> None:
    """A key with another message, a turn that has closed, a conversation twice."""

    async def tell() -> None:
        async with closing(PostgresLog(server, schema=schema)) as log:
            names = [f"c{number}" for number in range(10)]
            await asyncio.gather(*(log.open(opening(name, key="k1")) for name in names))
            await log.append("c0", 1, [closed("Hi")], AT)
            told = await asyncio.gather(
                log.open(opening("c9", "Other", key="k1")),
                *(log.append(name, 1, [responded()], AT) for name in names),
                *(log.append(name, 1, [responded()], AT) for name in names[1:]),
                return_exceptions=True,
            )
            assert [type(one) for one in told] == [KeyConflict, TurnNotOpen, *[tuple] * 18]
            for name in names[1:]:
                assert [event.seq for event in await log.read(name)] == [1, 2, 3, 4]

    asyncio.run(tell())


class Pooler:
    """A pool that gives each transaction another session, as a transaction pooler does.

    What a session would remember, it forgets in between: settings, prepared statements, temporary tables, locks.
    """

    def __init__(self, server: str) -> None:
        self.conninfo = server
        self._sessions: list[psycopg.AsyncConnection[Any]] = []

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[psycopg.AsyncConnection[Any]]:
        """The next session, as if nobody had used it before."""
        while len(self._sessions) < 3:
            self._sessions.append(await psycopg.AsyncConnection.connect(self.conninfo, autocommit=True))
        session = self._sessions.pop(0)
        if session.closed:
            session = await psycopg.AsyncConnection.connect(self.conninfo, autocommit=True)
        try:
            yield session
        finally:
            if not session.closed:
                async with session.cursor() as cursor:
                    await cursor.execute(
                        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
                    )
                    assert await cursor.fetchone() == (0,)
                    await cursor.execute("DISCARD ALL")
            self._sessions.append(session)

    async def check(self) -> None:
        """Nothing is lost here."""

    async def close(self) -> None:
        """Close the sessions."""
        for session in self._sessions:
            await session.close()


def test_nothing_is_kept_in_a_session(server: str, schema: str) -> None:
    """Each transaction has another one, and what was prepared is gone: the log finds out, and goes on without."""

    async def tell() -> None:
        pool = Pooler(server)
        try:
            async with closing(PostgresLog(pool, schema=schema)) as log:
                for turn in range(1, 12):
                    assert await say(log, f"message {turn}") == turn
                    await asyncio.gather(*(say(log, conversation=f"c{number}") for number in range(2, 6)))
                assert len(await log.read("c1")) == 1 + 3 * 11
        finally:
            await pool.close()

    asyncio.run(tell())


@contextmanager
def pgbouncer(server: str) -> Generator[str]:
    """The URL of a PgBouncer in front of the server, which gives each transaction another connection."""
    there = str(conninfo_to_dict(server)["host"])
    with tempfile.TemporaryDirectory(prefix="ts-bouncer-") as folder:
        Path(folder).chmod(0o777)
        settings = Path(folder) / "pgbouncer.ini"
        settings.write_text(
            f"[databases]\npostgres = host={there} user=postgres\n[pgbouncer]\npool_mode = transaction\n"
            f"auth_type = any\nlisten_addr =\nunix_socket_dir = {folder}\nlisten_port = 6432\n"
            "default_pool_size = 3\nmax_client_conn = 500\n"
        )
        program = [shutil.which("pgbouncer") or "", str(settings), "-q"]
        if os.geteuid() == 0:
            program += ["-u", Path(there).owner()]
        running = subprocess.Popen(program)
        try:
            url = f"postgresql://postgres@/postgres?host={folder}&port=6432"
            for _ in range(20):
                try:
                    psycopg.connect(url, connect_timeout=2).close()
                    break
                except psycopg.OperationalError:
                    assert running.poll() is None
                    asyncio.run(asyncio.sleep(0.1))
            yield url
        finally:
            running.terminate()
            running.wait()


@pytest.fixture(scope="module")
def bouncer(server: str) -> Generator[str]:
    """One PgBouncer for all tests."""
    with pgbouncer(server) as url:
        yield url


@pytest.mark.skipif(shutil.which("pgbouncer") is None, reason="there is no pgbouncer here")
class TestThroughPgBouncer(LogContract):
    """Every promise, with a transaction pooler in between."""

    url: str
    name: str

    @pytest.fixture(autouse=True)
    def fresh(self, bouncer: str, schema: str) -> None:
        """Empty tables for every test."""
        self.url, self.name = bouncer, schema

    def open_log(self, tenant: str = "default") -> OpenLog:
        """The test's tables, by way of the pooler."""
        return closing(PostgresLog(self.url, tenant, schema=self.name))
