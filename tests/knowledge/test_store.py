"""The SQLite file: adding again, removing, searching from many tasks, and files that are something else."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from turnstate.errors import KnowledgeError
from turnstate.knowledge import SqliteKnowledge, open_knowledge
from turnstate.knowledge.ingest import read_bytes
from turnstate.stores import SqliteLog


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[SqliteKnowledge]:
    """A new knowledge base."""
    made = open_knowledge(tmp_path / "knowledge.db", create=True)
    yield made
    made.close()


def put(knowledge: SqliteKnowledge, source: str, text: str) -> str:
    """Add a Markdown text; what became of it."""
    return knowledge.add(source, read_bytes(text.encode(), source, "markdown")).change


def test_a_file_that_is_added_again_replaces_itself(knowledge: SqliteKnowledge) -> None:
    """By its name; the same bytes change nothing."""
    assert put(knowledge, "a.md", "# A\n\nOld words.") == "added"
    assert put(knowledge, "a.md", "# A\n\nOld words.") == "unchanged"
    assert put(knowledge, "a.md", "# A\n\nNew words.\n\n## B\n\nMore.") == "replaced"
    assert [(one.source, one.passages) for one in knowledge.documents()] == [("a.md", 2)]
    assert knowledge.find("old", 5) == ()
    (found,) = knowledge.find("new", 5)
    assert (found.source, found.title, found.text, found.id) == ("a.md", "A", "New words.", "a.md#1")


def test_a_document_can_be_removed(knowledge: SqliteKnowledge) -> None:
    """With everything that it was found by."""
    put(knowledge, "a.md", "Some words.")
    assert knowledge.remove("a.md")
    assert not knowledge.remove("a.md")
    assert knowledge.documents() == ()
    assert knowledge.find("words", 5) == ()


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("退款须在三十天内申请。", "退款"),
        ("返品は三十日以内です。", "返品"),
        ("คืนสินค้าได้ภายในสามสิบวัน", "คืนสินค้า"),
        ("Die Kündigungsfrist ist kurz.", "kündigen"),
        ("Refunds are paid within a week.", "refund"),
    ],
)
def test_words_are_found_in_any_script(knowledge: SqliteKnowledge, text: str, query: str) -> None:
    """Also where no blank divides them, and in another form."""
    put(knowledge, "a.md", text)
    put(knowledge, "b.md", "Nothing of the kind, 其他内容。")
    assert [one.source for one in knowledge.find(query, 5)] == ["a.md"]


def test_how_common_a_word_is(knowledge: SqliteKnowledge) -> None:
    """Of all passages, titles included."""
    put(knowledge, "a.md", "# Tidewell\n\n## A\n\none\n\n## B\n\ntwo")
    statistics = asyncio.run(knowledge.statistics(["Tidewell two"]))
    assert (statistics.messages, dict(statistics.having)) == (2, {"tidewell": 2, "two": 1})


def test_tasks_search_while_a_file_is_added(knowledge: SqliteKnowledge) -> None:
    """Every search sees a whole document or none."""
    put(knowledge, "a.md", "# A\n\nwords\n\n# B\n\nwords")

    async def ask() -> list[int]:
        add = asyncio.create_task(asyncio.to_thread(put, knowledge, "b.md", "# C\n\nwords\n\n# D\n\nwords"))
        found = await asyncio.gather(*(knowledge.search("words", 9) for _ in range(20)))
        await add
        return [len(one) for one in found]

    assert set(asyncio.run(ask())) <= {2, 4}
    assert len(knowledge.find("words", 9)) == 4


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(), k=st.integers(-2, 10**20))
def test_no_query_raises(knowledge: SqliteKnowledge, query: str, k: int) -> None:
    """Whatever the text and the number are."""
    put(knowledge, "a.md", "Some words to be found.")
    assert len(knowledge.find(query, k)) <= max(0, k)
    knowledge.count([query])


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    """Opening never makes one unless it is told to."""
    for path in (tmp_path / "absent.db", tmp_path, tmp_path / "a\0b"):
        with pytest.raises(KnowledgeError, match="kb add"):
            open_knowledge(path)
    assert list(tmp_path.iterdir()) == []


def test_another_file_is_left_alone(tmp_path: Path) -> None:
    """A text, an empty file, a conversation store, a later schema: a typed error, nothing changed."""
    (tmp_path / "text.db").write_text("not a database at all, but long enough to be one" * 20)
    (tmp_path / "empty.db").write_bytes(b"")
    asyncio.run(SqliteLog(tmp_path / "log.db").close())
    open_knowledge(tmp_path / "later.db", create=True).close()
    with sqlite3.connect(tmp_path / "later.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    for name in ("text.db", "log.db", "later.db"):
        before = (tmp_path / name).read_bytes()
        for create in (False, True):
            with pytest.raises(KnowledgeError):
                open_knowledge(tmp_path / name, create=create)
        assert (tmp_path / name).read_bytes() == before
    with pytest.raises(KnowledgeError):
        open_knowledge(tmp_path / "empty.db")


def test_what_was_closed_says_so(tmp_path: Path) -> None:
    """Closing again does nothing."""
    knowledge = open_knowledge(tmp_path / "a.db", create=True)
    knowledge.close()
    knowledge.close()
    with pytest.raises(KnowledgeError, match="was closed"):
        knowledge.find("words", 1)


def test_an_odd_name_is_kept_as_a_name(knowledge: SqliteKnowledge) -> None:
    """Halves of characters, as file systems allow them, are written out."""
    put(knowledge, "a\udcff'; DROP TABLE documents; --.md", "words")
    (found,) = knowledge.find("words", 1)
    assert found.source == "a\\udcff'; DROP TABLE documents; --.md"
    assert knowledge.remove("a\udcff'; DROP TABLE documents; --.md")
