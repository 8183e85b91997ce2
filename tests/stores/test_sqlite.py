"""The log in a SQLite file: it keeps the contract, shares its file, survives its process, and stays small and quick."""

from __future__ import annotations

import asyncio
import logging
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from turnstate.core.events import Cut, Event, TurnOpened
from turnstate.core.history import fold
from turnstate.core.messages import BinaryContent, user_message
from turnstate.errors import EventDecodeError
from turnstate.ports import Claim, Log, Opened, Opening
from turnstate.stores.rules import LONGEST_LEASE
from turnstate.stores.sqlite.database import MIGRATIONS, QUERIES, connect
from turnstate.stores.sqlite.log import SqliteLog
from turnstate.stores.sqlite.reads import load
from turnstate.stores.sqlite.session import Session
from turnstate.stores.sqlite.writes import addition, append, entry, open_turn
from turnstate.testing.log_contract import LogContract, OpenLog, closing
from turnstate.testing.log_contract.story import (
    AT,
    closed,
    fact,
    learned,
    opening,
    responded,
    say,
)


class TestSqliteLog(LogContract):
    """Every promise."""

    path: Path

    @pytest.fixture(autouse=True)
    def fresh(self, tmp_path: Path) -> None:
        """A new file for every test."""
        self.path = tmp_path / "chat.db"

    def open_log(self, tenant: str = "default") -> OpenLog:
        """The test's file."""
        return closing(SqliteLog(self.path, tenant))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that a test makes."""
    return tmp_path / "chat.db"


def changed(path: Path, statement: str, *values: object) -> None:
    """Change the file behind the log's back."""
    connection = sqlite3.connect(path)
    connection.execute(statement, values)
    connection.commit()
    connection.close()


# The SQL ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", QUERIES)
def test_every_statement_is_given_the_tenant(name: str) -> None:
    """As a condition on each table that it reads, and as a value of each row that it writes.

    The index has no tenant: its rows belong to a conversation, which is looked up by its tenant in the same statement.
    """
    query = QUERIES[name]
    tables = len(re.findall(r"\b(?:FROM|JOIN|UPDATE) (?!json_each|search\b)\w+", query))
    conditions = len(re.findall(r"WHERE tenant = :tenant\b", query))
    if query.startswith("INSERT") and not query.startswith("INSERT INTO search"):
        assert re.match(r"INSERT INTO \w+ \(tenant, ", query)
        assert "VALUES (:tenant, " in query
    else:
        assert tables == conditions > 0


def test_the_tenant_leads_every_key() -> None:
    """Of every index, and of every primary key that means something."""
    schema = "\n".join(statement for step in MIGRATIONS for statement in step.statements)
    keys = re.findall(r"(?:PRIMARY KEY|INDEX \w+ ON \w+) \((\w+)", schema)
    assert keys == ["tenant"] * len(keys)
    assert len(keys) == 14
    rowids = re.findall(r"(\w+) INTEGER PRIMARY KEY", schema)
    assert sorted(rowids) == ["number", "number", "place", "place", "place"]


def test_every_query_is_used_and_every_used_query_is_there() -> None:
    """In the code beside the file."""
    code = "".join(
        file.read_text(encoding="utf-8")
        for file in files("turnstate.stores.sqlite").iterdir()
        if file.name.endswith(".py")
    )
    used = set(re.findall(r'\.(?:run|rows|row|only)\(\s*"(\w+)"', code))
    assert used == set(QUERIES)


@pytest.mark.parametrize("name", QUERIES)
def test_no_query_reads_more_than_it_needs(path: Path, name: str) -> None:
    """All go by an index, and only a user's facts and a snapshot's few events are sorted."""
    connection = connect(path, "sqlite:///x", 1)
    names = dict.fromkeys(re.findall(r":(\w+)", QUERIES[name]), 1)
    plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {QUERIES[name]}", names)]
    connection.close()
    scans = [step for step in plan if step.startswith("SCAN") and "VIRTUAL TABLE" not in step]
    assert scans == []
    assert name in {"list_facts", "load_events"} or not [step for step in plan if "TEMP B-TREE" in step]


# Work and size ----------------------------------------------------------------------------------


def test_a_turn_costs_the_same_in_a_long_conversation(path: Path) -> None:
    """Opening, appending and loading, in tens of steps of SQLite's machine; with the snapshots that a turn leaves."""
    connection = connect(path, "sqlite:///x", 1)
    session = Session(connection, "default")
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    def turn(number: int) -> int:
        """One whole turn; what it cost."""
        nonlocal steps
        asked = opening(text=f"message {number}", key=f"key {number}")
        steps = 0
        opened = open_turn(session, asked, entry(TurnOpened(asked.key, asked.digest, asked.message)), 1)
        history = fold(load(session, "c1"))
        view = Cut(first=max(1, number - 10))
        added = addition("c1", opened.turn, [responded(cut=view), closed()], AT)
        append(session, added, history.snapshot())
        return steps

    connection.execute("PRAGMA synchronous = OFF")
    connection.set_progress_handler(step, 10)
    costs = [turn(number) for number in range(1, 301)]
    connection.close()
    early, late = sum(costs[50:100]), sum(costs[-50:])
    assert late < 1.2 * early


def test_a_log_is_at_most_three_times_its_words(path: Path) -> None:
    """Of turns of 400 bytes each way, with keys, indexes and snapshots."""
    turns = 1_000

    async def converse() -> None:
        log = SqliteLog(path)
        conversation, start = "5f0c6b1e-6a0c-4a2f-9d53-0f2a7f6b9c11", 1_767_225_600_123_456
        for number in range(1, turns + 1):
            said, replied = f"{number} ".ljust(400, "a"), f"{number} ".ljust(400, "b")
            at = start + number * 30_000_000
            message = user_message(said, at)
            key = f"5f0c6b1e-6a0c-4a2f-9d53-{number:012}"
            opened = await log.open(Opening(conversation, "ann", key, "d" * 64, message, at))
            history = fold(await log.load(conversation))
            view = Cut(max(1, number - 10), max(1, number - 100))
            events: list[Event] = [responded(replied, view, at + 1), closed()]
            await log.append(conversation, opened.turn, events, at + 2, snapshot=history.snapshot())
            await log.append(conversation, opened.turn, [learned(source=opened.turn)], at + 3)
        await log.close()

    asyncio.run(converse())
    assert path.stat().st_size < 3 * turns * 800


def test_facts_are_projected_once(path: Path) -> None:
    """Projecting an event again changes nothing."""
    connection = connect(path, "sqlite:///x", 1)
    session = Session(connection, "default")
    row = {"owner": "u:ann", "key": "city", "conversation": 1, "seq": 3, "idx": 0}
    for body in ("first", "second"):
        session.run("add_fact", **row, body=body)
    found = session.rows("list_facts", owner="u:ann", superseded=1)
    connection.close()
    assert [body for _, body in found] == ["first"]


# Damage -----------------------------------------------------------------------------------------

DAMAGES = {
    "not JSON": "UPDATE events SET body = '{\"trace\":' WHERE seq = 6",
    "not UTF-8": "UPDATE events SET body = CAST(x'7b22ff227d' AS TEXT) WHERE seq = 6",
    "not of this event": "UPDATE events SET body = '[]' WHERE seq = 6",
    "from the future": "UPDATE events SET version = 99 WHERE seq = 6",
    "unheard of": "UPDATE events SET tag = 'turn-exploded' WHERE seq = 6",
    "broken tag": "UPDATE events SET tag = CAST(x'ff00ff' AS TEXT) WHERE seq = 6",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_an_event_that_does_not_decode_is_left_out_and_reported_once(
    path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The rest of the conversation can be read, and goes on."""

    async def converse() -> None:
        log = SqliteLog(path)
        for number in range(3):
            await say(log, f"message {number}")
        changed(path, DAMAGES[damage])
        with caplog.at_level(logging.WARNING, "turnstate.stores"):
            for _ in range(2):
                events = await log.read("c1")
                assert [event.seq for event in events] == [1, 2, 3, 4, 5, 7, 8, 9, 10]
                assert await log.load("c1") == events
        assert await say(log, "One more") == 4
        assert len(await log.read("c1", after=10)) == 3
        await log.close()

    asyncio.run(converse())
    (record,) = caplog.records
    assert record.name == "turnstate.stores"
    assert "event 6 of conversation 'c1'" in record.getMessage()
    assert "message 1" not in record.getMessage()


def test_a_file_that_is_gone_takes_only_its_event(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A message without its picture is not shown as if it had none."""

    async def converse() -> None:
        log = SqliteLog(path)
        await say(log)
        picture = BinaryContent(5_000 * b"x", media_type="application/pdf")
        await log.open(Opening("c1", None, None, "d", user_message(["Look", picture], AT), AT))
        changed(path, "DELETE FROM blobs")
        assert [event.seq for event in await log.read("c1")] == [1, 2, 3, 4]
        await log.close()

    asyncio.run(converse())
    assert "is not in the store" in caplog.text


def test_a_key_whose_message_does_not_decode_is_an_error(path: Path) -> None:
    """Whether it was the same message cannot be told."""

    async def converse() -> None:
        log = SqliteLog(path)
        await log.open(opening(key="k1"))
        changed(path, "UPDATE events SET body = 'x' WHERE seq = 2")
        with pytest.raises(EventDecodeError):
            await log.open(opening(key="k1"))
        assert (await log.open(opening(key="k2"))).turn == 2
        await log.close()

    asyncio.run(converse())


def test_a_fact_that_does_not_decode_is_left_out_and_reported_once(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The others can be read, and new ones learned."""

    async def converse() -> None:
        log = SqliteLog(path)
        await say(log, user="ann")
        nuts, milk = (fact("allergies", value, many=True) for value in ("nuts", "milk"))
        await log.append("c1", 1, [learned(nuts, fact("allergies", "eggs", many=True))], AT)
        changed(path, "UPDATE facts SET body = 'x' WHERE idx = 1")
        for _ in range(2):
            assert await log.facts(user="ann", conversation="c1") == (nuts,)
        await log.append("c1", 1, [learned(milk)], AT)
        assert await log.facts(user="ann", conversation="c1") == (nuts, milk)
        await log.close()

    asyncio.run(converse())
    assert len([record for record in caplog.records if "fact in row 2" in record.getMessage()]) == 2


# Processes --------------------------------------------------------------------------------------

_PROGRAM = """
import asyncio, sys
from pathlib import Path
from turnstate.stores.sqlite.log import SqliteLog
from turnstate.testing.log_contract.story import AT, closed, opening, responded, say

async def main():
    log = SqliteLog(Path(sys.argv[1]))
    print("ready", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def another(path: Path) -> Callable[[str], subprocess.Popen[str]]:
    """Another process with the same file, which waits for a line before it goes on."""

    def begin(program: str) -> subprocess.Popen[str]:
        text = f"{_PROGRAM}{program}\nasyncio.run(main())\n"
        process = subprocess.Popen(
            [sys.executable, "-c", text, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        return process

    return begin


def test_processes_share_a_conversation_without_loss(
    path: Path, another: Callable[[str], subprocess.Popen[str]]
) -> None:
    """Turns interleave, places have no gaps, every word is there."""
    program = """
    for number in range(20):
        await say(log, f"message {number} of {sys.argv[1]}")
    await log.close()
"""
    processes = [another(program) for _ in range(2)]
    for process in processes:
        process.communicate("go\n")
    assert [process.returncode for process in processes] == [0, 0]

    async def read() -> None:
        async with closing(SqliteLog(path)) as log:
            events = await log.read("c1")
            assert [event.seq for event in events] == list(range(1, 122))
            assert [turn.status for turn in fold(events).turns] == ["closed"] * 40

    asyncio.run(read())


def test_a_turn_outlives_the_process_that_opened_it(
    path: Path, another: Callable[[str], subprocess.Popen[str]]
) -> None:
    """Killed between open and close, it leaves the user's message and the response it had, and can go on."""
    process = another("""
    await log.open(opening(key="k1"))
    await log.append("c1", 1, [responded("Hi")], AT)
    print("written", flush=True)
    sys.stdin.readline()
""")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("go\n")
    process.stdin.flush()
    assert process.stdout.readline() == "written\n"
    process.kill()
    process.communicate()

    async def go_on() -> None:
        async with closing(SqliteLog(path)) as log:
            assert await log.open(opening(key="k1")) == Opened(1, "open", 3)
            (turn,) = fold(await log.load("c1")).turns
            assert (turn.status, len(turn.steps)) == ("open", 1)
            await log.append("c1", 1, [closed()], AT)
            assert fold(await log.load("c1")).turns[0].reply == "Hi"

    asyncio.run(go_on())


def test_a_full_disk_is_an_error_and_not_the_end(
    path: Path, another: Callable[[str], subprocess.Popen[str]]
) -> None:
    """What was committed is safe, nothing is half written, and the log goes on when there is room again."""
    pytest.importorskip("resource", reason="this system has no limits on the size of files")
    process = another("""
    import resource
    from turnstate.errors import StoreUnavailable
    await say(log)
    await log.open(opening())
    free = resource.getrlimit(resource.RLIMIT_FSIZE)
    full = Path(sys.argv[1] + "-wal").stat().st_size + 200_000
    resource.setrlimit(resource.RLIMIT_FSIZE, (full, free[1]))
    try:
        await log.append("c1", 2, [responded("x" * 500_000), closed()], AT)
    except StoreUnavailable as error:
        print(error.reason, flush=True)
    print(len(await log.read("c1")), (await log.open(opening(key="k"))).turn, flush=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, free)
    print(len(await log.append("c1", 2, [responded("x" * 500_000), closed()], AT)), flush=True)
    await log.close()
""")
    told, _ = process.communicate("go\n")
    reason, before, after = told.splitlines()
    assert "SQLITE_FULL" in reason or "SQLITE_IOERR" in reason
    assert (before, after) == ("5 3", "2")
    assert process.returncode == 0


# The end ----------------------------------------------------------------------------------------


def test_closing_leaves_one_file(path: Path) -> None:
    """With everything in it; the write-ahead log and its index are gone."""
    log = SqliteLog(path)
    asyncio.run(say(log))
    assert (path.parent / "chat.db-wal").stat().st_size > 0
    asyncio.run(log.close())
    assert [file.name for file in path.parent.iterdir()] == ["chat.db"]


def test_closing_empties_the_write_ahead_log_that_others_still_use(path: Path) -> None:
    """Nothing of what was said stays behind in it."""
    log, other = SqliteLog(path), SqliteLog(path, "other")
    asyncio.run(say(log))
    asyncio.run(log.close())
    assert (path.parent / "chat.db-wal").stat().st_size == 0
    asyncio.run(say(other))
    asyncio.run(other.close())


def test_closing_finishes_what_was_asked(path: Path) -> None:
    """Writes that are still on their way are committed first."""

    async def converse() -> list[Opened]:
        log = SqliteLog(path)
        asked = [asyncio.ensure_future(log.open(opening(text=f"message {number}"))) for number in range(50)]
        await asyncio.sleep(0)
        await log.close()
        return await asyncio.gather(*asked)

    assert [opened.turn for opened in asyncio.run(converse())] == list(range(1, 51))


def test_giving_up_on_closing_does_not_stop_it(path: Path) -> None:
    """The next one to close waits for the same end."""

    async def converse() -> None:
        log: Log = SqliteLog(path)
        await say(log)
        ending = asyncio.ensure_future(log.close())
        await asyncio.sleep(0)
        ending.cancel()
        await asyncio.gather(ending, return_exceptions=True)
        await log.close()

    asyncio.run(converse())
    assert [file.name for file in path.parent.iterdir()] == ["chat.db"]


def test_a_lease_ends_by_the_store_s_clock(path: Path) -> None:
    """Not before, and not a moment later."""
    now = AT

    async def converse() -> None:
        nonlocal now
        log = SqliteLog(path, clock=lambda: now)
        await log.open(replace(opening(), claim=Claim("ann", 1_000)))
        now = AT + 999
        assert (await log.claim("c1", 1, Claim("bob", 1_000))).behind == (1,)
        now = AT + 1_000
        assert (await log.claim("c1", 1, Claim("bob", 1_000))).token == 2
        await log.close()

    asyncio.run(converse())


def test_a_clock_that_jumps_back_locks_nobody_out(path: Path) -> None:
    """A lease from the future, beyond the longest, is nobody's; a small step back keeps it."""
    now = AT

    async def converse() -> None:
        nonlocal now
        log = SqliteLog(path, clock=lambda: now)
        await log.open(replace(opening(), claim=Claim("ann", LONGEST_LEASE)))
        now = AT - 1
        assert (await log.claim("c1", 1, Claim("bob", 1_000))).token == 2
        now = AT - 500
        assert (await log.claim("c1", 1, Claim("ann", 1_000))).behind == (1,)
        now = AT - 1 - LONGEST_LEASE
        assert (await log.claim("c1", 1, Claim("ann", 1_000))).token == 3
        await log.close()

    asyncio.run(converse())
