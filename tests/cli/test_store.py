"""Which store a command reads: as given, from the environment, the demo's, the library's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import Run
from turnstate.cli.store import chosen, file_of, url_of


@pytest.mark.parametrize(
    ("store", "url"),
    [
        ("chats.db", "sqlite:///chats.db"),
        ("/data/chats.db", "sqlite:////data/chats.db"),
        ("sqlite:///chats.db", "sqlite:///chats.db"),
        ("memory:", "memory:"),
        ("postgresql://u@host/db", "postgresql://u@host/db"),
    ],
)
def test_a_store_is_a_path_or_a_url(store: str, url: str) -> None:
    """Both are understood."""
    assert url_of(store) == url


def test_a_home_folder_is_a_path_too() -> None:
    """A tilde that no shell has read."""
    assert url_of("~/chats.db") == f"sqlite:///{Path.home()}/chats.db"


def test_what_is_chosen_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The option, the environment, the demo's store if it is there, the library's own."""
    monkeypatch.chdir(tmp_path)
    assert chosen(None, {}) == "sqlite:///turnstate.db"
    Path(".turnstate").mkdir()
    Path(".turnstate/demo.db").touch()
    assert chosen(None, {}) == "sqlite:///.turnstate/demo.db"
    assert chosen(None, {"TURNSTATE_STORE": "env.db"}) == "sqlite:///env.db"
    assert chosen("own.db", {"TURNSTATE_STORE": "env.db"}) == "sqlite:///own.db"


def test_only_a_sqlite_store_is_a_file() -> None:
    """Others have none."""
    assert file_of("sqlite:////a/b.db") == Path("/a/b.db")
    assert file_of("memory:") is None


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
def test_a_command_takes_either(run: Run, store: str, form: str) -> None:
    """A path and a URL read the same."""
    assert "visit-1" in run("show", "--store", form.format(store)).out


def test_a_command_reads_the_environment(run: Run, store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """TURNSTATE_STORE names the store."""
    monkeypatch.setenv("TURNSTATE_STORE", store)
    assert "visit-1" in run("show").out


@pytest.mark.parametrize(
    ("store", "problem"),
    [
        ("memory:", "ends with its process"),
        ("nowhere://x", "names no store"),
        ("missing/deeper/x.db", "There is no database"),
        ("a\0b", "There is no database"),
        (".", "is a folder"),
        ("empty.db", "is empty"),
        ("text.db", "file is not a database"),
    ],
)
def test_what_cannot_be_read(run: Run, tmp_path: Path, store: str, problem: str) -> None:
    """A clear error, and nothing is made or changed."""
    (tmp_path / "empty.db").touch()
    (tmp_path / "text.db").write_text("this is not a database, it is only a text that is long enough" * 9)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    ran = run("show", "--store", store)
    assert (ran.code, ran.out) == (1, "")
    assert problem in ran.err
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
