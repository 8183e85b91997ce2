"""A store URL names a store, or says why not without showing a password."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from turnstate.errors import StoreUrlError
from turnstate.stores import MemoryLog, SqliteLog, open_log
from turnstate.stores.urls import Target, parse, without_password


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("memory:", Target("memory")),
        ("memory://", Target("memory")),
        ("sqlite:///chat.db", Target("sqlite", Path("chat.db"))),
        ("sqlite:///data/chat.db", Target("sqlite", Path("data/chat.db"))),
        ("sqlite:////var/lib/chat.db", Target("sqlite", Path("/var/lib/chat.db"))),
        ("sqlite:///C:/chat.db", Target("sqlite", Path("C:/chat.db"))),
        ("sqlite:///mein chat é.db", Target("sqlite", Path("mein chat é.db"))),
    ],
)
def test_a_url_names_a_store(url: str, target: Target) -> None:
    """Three slashes and a relative path, four and an absolute one."""
    assert parse(url) == target


@pytest.mark.parametrize(
    "url",
    [
        "",
        "chat.db",
        "sqlite:",
        "sqlite://",
        "sqlite:///",
        "sqlite://chat.db",
        "sqlite:///folder/",
        "sqlite:///:memory:",
        "sqlite:///chat.db?mode=ro",
        "sqlite:///a\0b",
        "mysql://localhost/chat",
        "memory:chat",
    ],
)
def test_a_url_that_names_none_is_refused(url: str) -> None:
    """With the URL and what to write instead."""
    with pytest.raises(StoreUrlError) as caught:
        open_log(url)
    assert caught.value.url == url
    assert "sqlite:///chat.db" in str(caught.value)


def test_a_password_is_not_shown() -> None:
    """Also one with an @ in it, and of a store that we do not know."""
    url = "mysql://ann:s3cr@t@db.example.com/chat"
    assert without_password(url) == "mysql://***@db.example.com/chat"
    assert without_password("sqlite:///a@b.db") == "sqlite://***@b.db"
    with pytest.raises(StoreUrlError) as caught:
        open_log(url)
    assert "s3cr" not in str(caught.value) + caught.value.url


def test_a_store_is_opened_for_a_tenant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In memory, or in a file whose folder is made."""
    monkeypatch.chdir(tmp_path)
    memory, file = open_log("memory:", "acme"), open_log("sqlite:///new/folder/chat.db", "acme")
    assert isinstance(memory, MemoryLog)
    assert isinstance(file, SqliteLog)
    assert memory.tenant == file.tenant == "acme"
    assert file.url == "sqlite:///new/folder/chat.db"
    assert (tmp_path / "new" / "folder" / "chat.db").is_file()
    asyncio.run(file.close())
