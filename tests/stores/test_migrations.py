"""SQL in files: queries by name, migrations by number, with a checksum that line ends do not change."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnstate.stores.migrations import read_migrations, read_queries, split

FIRST = "-- first of all\nCREATE TABLE a (b TEXT); -- a table\n\nCREATE INDEX c\n    ON a (b);\n"


def test_migrations_are_read_in_order(tmp_path: Path) -> None:
    """By number, with their statements; other files are not migrations."""
    (tmp_path / "0002_more.sql").write_text("DROP TABLE a;")
    (tmp_path / "0001_initial.sql").write_text(FIRST)
    (tmp_path / "queries.sql").write_text("SELECT 1;")
    first, second = read_migrations(tmp_path)
    assert (first.number, first.name) == (1, "initial")
    assert first.statements == ("CREATE TABLE a (b TEXT)", "CREATE INDEX c\n    ON a (b)")
    assert (second.number, second.name, second.statements) == (2, "more", ("DROP TABLE a",))


def test_a_checksum_knows_the_text_and_not_the_line_ends(tmp_path: Path) -> None:
    """A checkout on another system has the same migrations; an edited one does not."""
    sums: list[str] = []
    for number, text in enumerate([FIRST, FIRST.replace("\n", "\r\n"), FIRST.replace("TEXT", "BLOB")]):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "0001_initial.sql").write_bytes(text.encode())
        sums += [step.checksum for step in read_migrations(folder)]
    assert sums[0] == sums[1] != sums[2]
    assert all(len(checksum) == 64 for checksum in sums)


@pytest.mark.parametrize(
    "names", [["0002_b.sql"], ["0001_a.sql", "0003_c.sql"], ["0001_a.sql", "0001_b.sql"]]
)
def test_a_number_that_is_missing_or_taken_is_refused(tmp_path: Path, names: list[str]) -> None:
    """The schema's version is the highest number."""
    for name in names:
        (tmp_path / name).write_text("SELECT 1;")
    with pytest.raises(ValueError, match="numbered"):
        read_migrations(tmp_path)


def test_queries_are_read_by_name() -> None:
    """The comment above each names it and says what it is for."""
    queries = read_queries(
        "-- about the file\n\n-- one: the first\nSELECT 1;\n\n-- two: both\nSELECT\n    2;\n"
    )
    assert dict(queries) == {"one": "SELECT 1", "two": "SELECT\n    2"}


@pytest.mark.parametrize(
    "sql", ["-- a: x\nSELECT 1;\n-- a: y\nSELECT 2;\n", "-- a: x\n\n-- b: y\nSELECT 1;\n"]
)
def test_a_query_twice_or_without_text_is_refused(sql: str) -> None:
    """Neither can be meant."""
    with pytest.raises(ValueError, match="'a'"):
        read_queries(sql)


def test_a_script_is_split_where_a_line_ends_a_statement() -> None:
    """Comments and empty lines are no statements."""
    assert split("") == split("-- nothing\n\n") == ()
    assert split("A;\nB\n  C; -- d\n-- e\nF") == ("A", "B\n  C", "F")
