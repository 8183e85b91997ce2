"""The doctor of a file: it names what is wrong, says nothing of what is right, and leaves every byte as it was."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from turnstate.core.events import HandedOff, StateChanged
from turnstate.core.history import Snapshot
from turnstate.errors import StoreUnavailable
from turnstate.ports import Claim
from turnstate.stores.doctor import Report
from turnstate.stores.sqlite.database import SCHEMA
from turnstate.stores.sqlite.doctor import examine
from turnstate.stores.sqlite.log import SqliteLog
from turnstate.testing.log_contract import closing
from turnstate.testing.log_contract.story import AT, closed, fact, failed, learned, opening, responded, say

OLDER = Path(__file__).with_name("schema_1.sql")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A healthy file: two conversations, three turns, a fact, a state, a snapshot, a handoff."""
    path = tmp_path / "it's 100% ours?.db"

    async def tell() -> None:
        async with closing(SqliteLog(path)) as log:
            await say(log, "Where is my red bicycle?", user="ann")
            await log.append("c1", 1, [learned(fact("city", "Oslo"))], AT)
            await log.open(opening(text="And my scooter?", user="ann", key="k2"))
            changed = StateChanged("Basket", 3, "seller", {}, {"items": 1})
            await log.append("c1", 2, [responded(), changed, closed()], AT, snapshot=Snapshot(5, (1, 2)))
            await log.append("c1", 0, [HandedOff("tired", "")], AT)
            await log.open(opening("c2"))
            await log.append("c2", 1, [failed()], AT)
        async with closing(SqliteLog(path, "other")) as log:
            await say(log)

    asyncio.run(tell())
    return path


def told(path: Path, *statements: str) -> None:
    """Change the file behind the log's back."""
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def looked(path: Path, **known: int) -> Report:
    """What the doctor says, of the states of an application where there are any."""
    return examine(path, f"sqlite:///{path}", known or None)


def kinds(report: Report) -> list[str]:
    """What was found, by kind."""
    return sorted({finding.kind for finding in report.findings})


def test_a_healthy_file_has_nothing(path: Path) -> None:
    """Of any tenant; what there is, is counted."""
    report = looked(path)
    assert report.findings == ()
    assert (report.found, report.expected, report.conversations, report.events) == (SCHEMA, SCHEMA, 3, 17)
    assert report.states == {("Basket", 3): 1}


def test_looking_changes_nothing(path: Path) -> None:
    """Not a byte, and no file appears beside it, also while another process has it open."""
    before = path.read_bytes()
    looked(path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]

    async def tell() -> None:
        async with closing(SqliteLog(path)) as log:
            await say(log, conversation="c9")
            files = {
                file.name: file.read_bytes() for file in path.parent.iterdir() if "-shm" not in file.name
            }
            assert looked(path).conversations == 4
            assert files == {
                file.name: file.read_bytes() for file in path.parent.iterdir() if "-shm" not in file.name
            }

    asyncio.run(tell())


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("UPDATE events SET body = '{' WHERE seq = 3", "undecodable"),
        ("UPDATE events SET tag = 'novelty' WHERE seq = 3", "undecodable"),
        ("UPDATE events SET version = 9 WHERE seq = 3", "undecodable"),
        ("UPDATE events SET body = CAST(x'ff' AS TEXT) WHERE seq = 3", "undecodable"),
        ("DELETE FROM events WHERE conversation = 1 AND seq = 3", "gap"),
        ("UPDATE conversations SET head = head - 1 WHERE number = 1", "gap"),
        ("DELETE FROM events WHERE conversation = 1 AND tag = 'handed-off'", "gap"),
        ("DELETE FROM events WHERE conversation = 1 AND seq = 2", "turn-without-message"),
        ("DELETE FROM events WHERE conversation = 2 AND tag = 'turn-failed'", "turn-without-end"),
        ("DELETE FROM turns WHERE conversation = 1 AND turn = 2", "turn-missing"),
        ("UPDATE snapshots SET keep = '[1,99]'", "snapshot"),
        ("UPDATE snapshots SET first = 99", "snapshot"),
        ("UPDATE facts SET seq = 2", "fact-without-source"),
        ("UPDATE facts SET idx = 1", "fact-without-source"),
        ("INSERT INTO search (search) VALUES ('delete-all')", "search-index"),
        ("UPDATE turns SET status = 'open' WHERE conversation = 2", "nobody-works"),
        ("UPDATE turns SET status = 'open', holder = 'w', until = 5 WHERE conversation = 2", "lapsed-lease"),
        ("DELETE FROM conversations WHERE number = 2", "orphans"),
        ("DROP INDEX events_turn", ""),
    ],
)
def test_each_thing_that_is_wrong_is_named(path: Path, statement: str, kind: str) -> None:
    """By a stable kind; the doctor reads to the end."""
    told(path, statement)
    assert kind in kinds(looked(path)) or not kind


def test_a_finding_says_where_it_is(path: Path) -> None:
    """Tenant, conversation, turn and event, and what to do."""
    told(path, "UPDATE events SET body = 'secret words' WHERE conversation = 3 AND seq = 3")
    (finding,) = looked(path).findings
    assert (finding.tenant, finding.conversation, finding.turn, finding.seq) == ("other", "c1", 1, 3)
    assert finding.step
    assert "secret" not in finding.problem


def test_a_worker_that_is_alive_is_healthy(path: Path) -> None:
    """And so is who waits behind it."""

    async def tell() -> None:
        async with closing(SqliteLog(path)) as log:
            for _ in range(2):
                opened = await log.open(opening("c3"))
                await log.claim("c3", opened.turn, Claim("worker", 60_000_000))
            assert kinds(looked(path)) == ["nobody-works"]  # the second was refused its lease
            await log.release("c3", 1, Claim("worker", 1))
            assert len(looked(path).findings) == 2

    asyncio.run(tell())


def test_what_was_erased_is_not_missing(path: Path) -> None:
    """Turns, a conversation, a user: the tombstones account for them."""

    async def tell() -> None:
        async with closing(SqliteLog(path)) as log:
            await log.erase_turns("c1", 1, AT)
            assert looked(path).findings == ()
            await say(log, user="ann")
            assert looked(path).findings == ()
            await log.erase(conversation="c2", at=AT)
            await log.erase(user="ann", at=AT)

    asyncio.run(tell())
    assert looked(path).findings == ()


def test_states_are_compared_with_the_applications(path: Path) -> None:
    """Unknown ones and newer ones are findings; without an application nobody can say."""
    assert kinds(looked(path, Other=1)) == ["unknown-state"]
    assert kinds(looked(path, Basket=2)) == ["newer-state"]
    assert kinds(looked(path, Basket=3)) == kinds(looked(path, Basket=4)) == []


def test_an_older_schema_is_left_as_it_is(tmp_path: Path) -> None:
    """It is named, and not migrated."""
    path = tmp_path / "old.db"
    connection = sqlite3.connect(path)
    connection.executescript(OLDER.read_text(encoding="utf-8"))
    connection.close()
    before = path.read_bytes()
    report = looked(path)
    assert (report.found, kinds(report)) == (1, ["schema"])
    assert "migrate" in report.findings[0].step
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("PRAGMA user_version = 99", "schema"),
        ("PRAGMA application_id = 7", "schema"),
        ("UPDATE migrations SET checksum = 'x' WHERE number = 2", "checksum"),
    ],
)
def test_another_schema_is_named(path: Path, statement: str, kind: str) -> None:
    """Newer, another application's, or changed by somebody."""
    told(path, statement)
    assert kinds(looked(path)) == [kind]


def test_an_empty_file_has_no_tables(tmp_path: Path) -> None:
    """That is said, and no more."""
    path = tmp_path / "empty.db"
    path.touch()
    assert kinds(looked(path)) == ["schema"]


def _letter(path: Path) -> None:
    path.write_text("Dear bank, this is a letter. " * 500)


def _torn(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[8_192 * 3 : 8_192 * 6] = b"\xa5" * 8_192 * 3
    path.write_bytes(data)


def _short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: 8_192 * 5])


@pytest.mark.parametrize("harm", [_letter, _torn, _short])
def test_a_damaged_file_is_told_and_not_raised(path: Path, harm: Callable[[Path], None]) -> None:
    """Whatever SQLite makes of it."""
    harm(path)
    assert {"damaged", "unreadable"} & set(kinds(looked(path)))


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """None is made."""
    with pytest.raises(StoreUnavailable, match="no such file"):
        looked(tmp_path / "none.db")
    assert list(tmp_path.iterdir()) == []
