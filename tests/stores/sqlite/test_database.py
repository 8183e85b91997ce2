"""Opening a file: it is made for its owner alone, recognised by its schema, and refused in the driver's words."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from turnstate.errors import StoreBusy, StoreSchemaError, StoreUnavailable
from turnstate.stores.sqlite.database import (
    APPLICATION,
    MIGRATIONS,
    SCHEMA,
    connect,
    explain,
    migrate,
    same_file,
)

URL = "sqlite:///chat.db"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a file would be."""
    return tmp_path / "chat.db"


def opened(path: Path, timeout: float = 30.0) -> None:
    """Open the file and close it again."""
    connect(path, URL, timeout).close()


def told(path: Path, *statements: str) -> None:
    """Change the file behind our back."""
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_file_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    """With its folder, and its journals like it, whatever the umask."""
    path = tmp_path / "new" / "folder" / "chat.db"
    mask = os.umask(0)
    try:
        connection = connect(path, URL, 1)
        connection.execute("INSERT INTO migrations VALUES (9, 'x', 'x')")
    finally:
        os.umask(mask)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    connection.close()
    assert modes == {"chat.db": 0o600, "chat.db-wal": 0o600, "chat.db-shm": 0o600}


def test_a_file_keeps_the_mode_that_it_has(path: Path) -> None:
    """Whoever made it readable for a group meant it."""
    path.touch(mode=0o640)
    opened(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_our_schema_and_settings(path: Path) -> None:
    """Made by running the migrations, which are recorded with their checksums."""
    connection = connect(path, URL, 1)
    values = {
        name: connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in (
            "user_version",
            "application_id",
            "journal_mode",
            "synchronous",
            "secure_delete",
            "page_size",
        )
    }
    steps = connection.execute("SELECT number, name, checksum FROM migrations").fetchall()
    connection.close()
    assert values == {
        "user_version": SCHEMA,
        "application_id": APPLICATION,
        "journal_mode": "wal",
        "synchronous": 2,
        "secure_delete": 1,
        "page_size": 8_192,
    }
    assert steps == [(step.number, step.name, step.checksum) for step in MIGRATIONS]


@pytest.mark.parametrize("version", [SCHEMA + 1, 99, -1])
def test_another_schema_is_refused_and_left_alone(path: Path, version: int) -> None:
    """Newer, or anything else; not a byte of the file changes."""
    opened(path)
    told(path, f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    with pytest.raises(StoreSchemaError) as caught:
        opened(path)
    assert (caught.value.found, caught.value.expected) == (version, SCHEMA)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["chat.db"]


def test_a_database_of_somebody_else_is_refused_and_left_alone(path: Path) -> None:
    """Whether it has a version or not; it is not put into write-ahead mode either."""
    told(path, "CREATE TABLE theirs (a)")
    for version, error in [(0, StoreSchemaError), (SCHEMA, StoreUnavailable)]:
        told(path, f"PRAGMA user_version = {version}")
        before = path.read_bytes()
        with pytest.raises(error):
            opened(path)
        assert path.read_bytes() == before


def test_a_schema_made_by_edited_migrations_is_refused(path: Path) -> None:
    """The number is the same, and what it stands for is not."""
    opened(path)
    told(path, "UPDATE migrations SET checksum = 'another'")
    with pytest.raises(StoreUnavailable, match="migrations"):
        opened(path)


def test_an_empty_file_is_a_new_one(path: Path) -> None:
    """Somebody may have made it to set its owner."""
    path.touch()
    opened(path)
    opened(path)
    assert path.stat().st_size > 0


def test_what_is_not_a_database_is_refused(path: Path) -> None:
    """In the driver's words, with its error behind them."""
    path.write_text("This is a letter to my bank, and long enough to have a header. " * 20)
    with pytest.raises(StoreUnavailable, match="file is not a database") as caught:
        opened(path)
    assert isinstance(caught.value.__cause__, sqlite3.DatabaseError)
    assert caught.value.url == URL
    assert path.read_text().startswith("This is a letter")


def test_a_damaged_database_is_refused(path: Path) -> None:
    """Before anything is read from it."""
    opened(path)
    with path.open("r+b") as file:
        file.seek(100)
        file.write(os.urandom(8_000))
    with pytest.raises(StoreUnavailable):
        opened(path)


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    """Nor is a file a folder."""
    with pytest.raises(StoreUnavailable, match="unable to open"):
        opened(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnavailable, match="file"):
        opened(tmp_path / "file" / "chat.db")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_folder_that_is_read_only_is_refused(tmp_path: Path) -> None:
    """With what the system said."""
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    with pytest.raises(StoreUnavailable, match="denied"):
        opened(folder / "chat.db")


def test_a_folder_that_cannot_be_written_is_refused() -> None:
    """Also for root: the kernel's own."""
    if not Path("/proc/self").is_dir():
        pytest.skip("this system has no /proc")
    with pytest.raises(StoreUnavailable):
        opened(Path("/proc/self/chat.db"))


def test_a_file_that_another_holds_is_waited_for_in_vain(path: Path) -> None:
    """Until the time is up."""
    path.touch()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreBusy, match="locked"):
        opened(path, timeout=0.01)
    other.execute("ROLLBACK")
    other.close()
    opened(path)


def test_a_file_may_be_made_by_several_threads_at_once(tmp_path: Path) -> None:
    """All of them open the one that the quickest made."""
    for attempt in range(10):
        path = tmp_path / f"{attempt}.db"
        with ThreadPoolExecutor(6) as threads:
            for done in [threads.submit(opened, path) for _ in range(6)]:
                done.result()


def test_a_file_may_be_made_by_several_processes_at_once(tmp_path: Path) -> None:
    """They wait for a common start, and each opens every file."""
    program = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from turnstate.stores.sqlite.database import connect\n"
        "folder = Path(sys.argv[1])\n"
        "print('ready', flush=True)\n"
        "sys.stdin.readline()\n"
        "for number in range(5):\n"
        "    connect(folder / f'{number}.db', 'sqlite:///x', 30).close()\n"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.communicate("go\n")
    assert [process.returncode for process in processes] == [0, 0]


def test_the_drivers_errors_keep_their_words() -> None:
    """Busy is told from the rest, and the driver's name of the error is given."""
    assert str(explain(URL, sqlite3.OperationalError("out of luck"))).startswith(
        f"Store {URL!r}: out of luck."
    )
    connection = sqlite3.connect(":memory:")
    with pytest.raises(sqlite3.OperationalError) as caught:
        connection.execute("SELECT * FROM absent")
    connection.close()
    reason = explain(URL, caught.value)
    assert isinstance(reason, StoreUnavailable)
    assert reason.reason == "no such table: absent (SQLITE_ERROR)"


def test_a_file_is_the_same_until_it_is_gone_or_another(path: Path) -> None:
    """Moved away, replaced, put back."""
    opened(path)
    check = same_file(path, URL)
    check()
    away = path.rename(path.with_name("away.db"))
    with pytest.raises(StoreUnavailable, match="the file is gone"):
        check()
    path.touch()
    with pytest.raises(StoreUnavailable, match="another file"):
        check()
    away.replace(path)
    check()


def test_migrating_says_from_where_to_where(path: Path) -> None:
    """A file that is not there, one that is up to date, and one that is not ours, which is left alone."""
    assert migrate(path, URL) == (0, SCHEMA)
    assert migrate(path, URL) == (SCHEMA, SCHEMA)
    told(path, f"PRAGMA user_version = {SCHEMA + 1}")
    with pytest.raises(StoreSchemaError):
        migrate(path, URL)


@pytest.mark.parametrize(
    ("code", "word"),
    [
        (sqlite3.SQLITE_FULL, "space"),
        (sqlite3.SQLITE_READONLY, "writable"),
        (sqlite3.SQLITE_CORRUPT, "doctor"),
    ],
)
def test_an_error_says_what_to_do_about_it(code: int, word: str) -> None:
    """By its code; what is damaged is not called safe."""
    error = sqlite3.OperationalError("it failed")
    error.sqlite_errorcode, error.sqlite_errorname = code, "SQLITE_X"
    told = str(explain(URL, error))
    assert word in told
    assert ("is safe" in told) == (word != "doctor")
