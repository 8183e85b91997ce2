"""Bad days of a SQLite file: a typed error that says what is durable, and recovery without a restart."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from turnstate.assistant import Assistant
from turnstate.core.events import TurnClosed, TurnOpened
from turnstate.core.facts import Facts, Single
from turnstate.errors import StoreBusy, StoreError, StoreUnavailable
from turnstate.ports import Claim
from turnstate.stores.sqlite.database import connect
from turnstate.stores.sqlite.doctor import examine
from turnstate.stores.sqlite.log import SqliteLog
from turnstate.testing.log_contract import closing
from turnstate.testing.log_contract.story import AT, SECOND, opening, say
from turnstate.testing.scripted import Asked, ScriptedModel

LONG = "a long message, word by word " * 400


def echo(asked: Asked) -> str:
    """A model that says something."""
    return f"You said {len(asked.prompt)} characters."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the file is."""
    return tmp_path / "chat.db"


@contextmanager
def mounted(folder: Path, options: str) -> Generator[None]:
    """A file system of its own in `folder`; skips where this user may not mount one."""
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if os.geteuid() != 0 or shutil.which("mount") is None or subprocess.run(command, check=False).returncode:
        pytest.skip("this user may not mount a file system")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=False)


def told(log: SqliteLog, statement: str) -> None:
    """Run a statement on the connection that writes, in its own thread, outside any transaction."""
    lane, session = (getattr(log, name) for name in ("_writer", "_writes"))
    done: Future[Any] = lane.submit(lambda: session._connection.execute(statement).fetchall(), alone=True)
    done.result()


async def harmed(
    path: Path, harm: Callable[[SqliteLog], object], mend: Callable[[SqliteLog], object]
) -> None:
    """Talk; let something happen and send until it shows; mend it; the same key then gives its one reply."""
    log = SqliteLog(path, timeout=0.1)
    async with closing(log), Assistant(ScriptedModel(echo), store=log) as assistant:
        chat = assistant.conversation("c1", user="ann")
        before = await chat.send("Hello", key="k0")
        harm(log)
        failed, number = None, 0
        for number in range(1, 200):
            try:
                await chat.send(LONG, key=f"k{number}")
            except StoreError as error:
                failed = error
                break
        assert isinstance(failed, StoreBusy) or "send again with the same key" in str(failed)
        mend(log)
        assert (await chat.send("Hello", key="k0")).text == before.text
        again = await chat.send(LONG, key=f"k{number}")
        assert again.text
        assert (await chat.send("And now?", key="last")).turn == again.turn + 1
        events = [recorded.event for recorded in await log.read("c1")]
        keys = dict.fromkeys(event.key for event in events if isinstance(event, TurnOpened))
        assert list(keys) == [*(f"k{n}" for n in range(number + 1)), "last"]
        assert sum(isinstance(event, TurnClosed) for event in events) == number + 2
    findings = examine(path, "x").findings
    assert findings == ()


def test_a_file_that_may_not_grow(path: Path) -> None:
    """SQLite's word for a full disk, wherever the suite runs."""

    def limit(log: SqliteLog) -> None:
        told(log, "PRAGMA max_page_count = 40")

    asyncio.run(harmed(path, limit, lambda log: told(log, "PRAGMA max_page_count = 1073741823")))


def test_a_full_disk(tmp_path: Path) -> None:
    """A real one, of two megabytes."""
    filler = tmp_path / "disk" / "filler"

    def fill(_: SqliteLog) -> None:
        with filler.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 4_096)
            except OSError:
                return

    with mounted(tmp_path / "disk", "size=2m"):
        asyncio.run(harmed(tmp_path / "disk" / "chat.db", fill, lambda _: filler.unlink()))


def test_a_file_that_became_read_only(path: Path) -> None:
    """For the connection that writes."""

    def forbid(log: SqliteLog) -> None:
        told(log, "PRAGMA query_only = ON")

    asyncio.run(harmed(path, forbid, lambda log: told(log, "PRAGMA query_only = OFF")))


def test_a_disk_that_is_read_only(tmp_path: Path) -> None:
    """The file is not opened, and is as soon as it may be written again."""
    folder = tmp_path / "disk"
    path = folder / "chat.db"
    with mounted(folder, "size=2m"):
        asyncio.run(_one_turn(path))
        assert subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=False).returncode == 0
        with pytest.raises(StoreUnavailable, match=r"(?i)read-?only|unable to open"):
            SqliteLog(path, timeout=0.1)
        assert examine(path, "x").findings == ()  # whoever only looks may still look
        assert subprocess.run(["mount", "-o", "remount,rw", str(folder)], check=False).returncode == 0
        asyncio.run(_one_turn(path))


async def _one_turn(path: Path) -> None:
    async with closing(SqliteLog(path)) as log:
        await say(log)


def test_a_file_that_was_taken_away(path: Path) -> None:
    """Nothing is written to what nobody would find again; it goes on when the file is back."""
    away = path.with_name("away.db")

    def move(_: SqliteLog) -> None:
        path.rename(away)

    asyncio.run(harmed(path, move, lambda _: away.rename(path)))


def test_another_file_in_its_place(path: Path) -> None:
    """What is open is not that file: it says so until the right one is back, or the store is opened again."""
    away = path.with_name("away.db")

    def replace(_: SqliteLog) -> None:
        path.rename(away)
        connect(path.with_name("new.db"), "x", 1).close()
        path.with_name("new.db").rename(path)

    asyncio.run(harmed(path, replace, lambda _: away.replace(path)))


def test_a_file_that_another_process_holds_for_long(path: Path) -> None:
    """The wait ends with the word for it, and the next send works when it has let go."""
    others: list[sqlite3.Connection] = []

    def hold(_: SqliteLog) -> None:
        others.append(sqlite3.connect(path, isolation_level=None))
        others[0].execute("BEGIN IMMEDIATE")

    asyncio.run(harmed(path, hold, lambda _: others[0].close()))


def test_a_file_that_is_no_database_any_more(path: Path) -> None:
    """It is refused with a way out, and a backup that is put in its place works in the same process."""
    asyncio.run(_one_turn(path))
    good = path.read_bytes()
    for bad in (b"Dear bank, " * 900, good[:4_000], good[:100] + b"\xa5" * 8_092 + good[8_192:]):
        path.write_bytes(bad)
        with pytest.raises(StoreUnavailable, match="doctor"):
            asyncio.run(_one_turn(path))
    path.write_bytes(good)
    asyncio.run(_one_turn(path))
    assert examine(path, "x").findings == ()


class Home(Facts):
    """What is known of a user."""

    city: Single[str]


def test_a_clock_that_jumps_back(path: Path) -> None:
    """Turns keep their order and times, a listing its newest, a correction its force, and nobody is locked out."""
    now = [AT + 3_600 * SECOND]

    async def tell() -> None:
        async with (
            closing(SqliteLog(path, clock=lambda: now[0])) as log,
            Assistant(ScriptedModel(echo), store=log, facts=Home, clock=lambda: now[0]) as assistant,
        ):
            chat = assistant.conversation("c1", user="ann")
            await chat.send("One", key="k1")
            await chat.remember(city="Oslo")
            await log.open(opening("c2"))
            assert (await log.claim("c2", 1, Claim("dead", 60 * SECOND))).token == 1
            listed = (await log.conversations(user="ann"))[0].updated
            now[0] -= 86_400 * SECOND
            assert (await chat.send("Two", key="k2")).turn == 2
            await chat.remember(city="Rome")
            assert [known.value for known in await chat.facts()] == ["Rome"]
            assert (await log.conversations(user="ann"))[0].updated == listed
            times = [recorded.at for recorded in await log.read("c1")]
            assert times == sorted(times)
            assert (await log.claim("c2", 1, Claim("alive", 60 * SECOND))).token == 2

    asyncio.run(tell())


def test_no_more_threads(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening says so and leaves nothing open; with room again it opens."""
    start, left = threading.Thread.start, [1]

    def refuse(thread: threading.Thread) -> None:
        if not left[0]:
            raise RuntimeError("can't start new thread")
        left[0] -= 1
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refuse)
    for started in (0, 1):
        left[0] = started
        with pytest.raises(StoreUnavailable, match="threads"):
            SqliteLog(path)
    monkeypatch.undo()
    asyncio.run(_one_turn(path))


EXHAUSTED = """
import asyncio, os, resource, sys
from pathlib import Path
from turnstate.errors import StoreUnavailable
from turnstate.stores.sqlite.log import SqliteLog
from turnstate.testing.log_contract.story import opening, say

running = SqliteLog(Path(sys.argv[1]) / "running.db")
asyncio.run(say(running))
resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
loop = asyncio.new_event_loop()
files = []
try:
    while True:
        files.append(open(os.devnull))
except OSError:
    pass
try:
    SqliteLog(Path(sys.argv[1]) / "new.db", timeout=0.1)
except StoreUnavailable as error:
    print("refused:", error)
try:
    loop.run_until_complete(say(running))
except StoreUnavailable:
    pass  # SQLite may need a file of its own for a while
for file in files:
    file.close()
print("turn", loop.run_until_complete(running.open(opening())).turn > 1)
print("opened", asyncio.run(say(SqliteLog(Path(sys.argv[1]) / "new.db"))))
os._exit(0)
"""


def test_no_more_files(tmp_path: Path) -> None:
    """A store that is open goes on when there is room again, and another that was refused opens."""
    command = [sys.executable, "-c", EXHAUSTED, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    refused, turn, opened = done.stdout.splitlines()
    assert refused.startswith("refused: Store 'sqlite:///")
    assert (turn, opened) == ("turn True", "opened 1")
