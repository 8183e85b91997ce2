"""`turnstate erase`, `retention`, `export` and `import`, as a person meets them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import Run


def test_an_export_is_imported_and_exported_again(run: Run, store: str, tmp_path: Path) -> None:
    """The same bytes; into another store, with a word of how many."""
    file, other = tmp_path / "all.jsonl", str(tmp_path / "other.db")
    assert run("export", "--store", store, "--out", str(file)).code == 0
    assert "2 conversations imported" in run("import", str(file), "--store", other).out
    assert run("export", "--store", other).out == file.read_text()
    again = run("import", str(file), "--store", other)
    assert (again.code, "already" in again.err) == (1, True)


def test_erasing_asks_first_and_prints_a_receipt(run: Run, store: str) -> None:
    """Without a yes nothing happens; afterwards there is nothing."""
    assert run("erase", "--user", "priya", "--store", store, stdin="n\n").code == 1
    assert "order_id" in run("facts", "priya", "--store", store).out
    out = run("erase", "--user", "priya", "--store", store, "--yes").out
    assert "1 conversations" in out
    assert "backups" in out
    assert run("facts", "priya", "--store", store).code == 1
    (receipt,) = run("erase", "--user", "priya", "--store", store, "--yes", "--json").json
    assert (receipt["conversations"], receipt["scope"]) == (0, "user")


def test_retention_can_be_tried(run: Run, store: str) -> None:
    """A dry run says what it would erase, and changes nothing."""
    out = run("retention", "--older-than", "0h", "--store", store, "--dry-run").out
    assert "Nothing was changed" in out
    assert "1 conversations" in out
    assert "nothing to erase" in run("retention", "--older-than", "999999w", "--store", store).out
    assert "1 conversations" in run("retention", "--older-than", "0h", "--store", store).out
    assert "nothing to erase" in run("retention", "--older-than", "0h", "--store", store).out


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["erase", "--yes"], "exactly one"),
        (["erase", "--yes", "--user", "a", "--conversation", "b"], "exactly one"),
        (["retention", "--older-than", "soon"], "as in 90d"),
        (["export", "--user", "a", "--conversation", "b"], "one of them"),
        (["export", "--out", "/nowhere/at/all.jsonl"], "cannot be written"),
    ],
)
def test_what_does_not_fit_is_told(run: Run, store: str, command: list[str], words: str) -> None:
    """With the next step, and exit code 1."""
    ran = run(*command, "--store", store)
    assert ran.code == 1
    assert words in ran.err


def test_a_file_that_is_no_export_is_refused(run: Run, tmp_path: Path) -> None:
    """With the line, or with the reason why it cannot be read."""
    other = str(tmp_path / "other.db")
    for content, words in [(b'{"a":1}\n', "Line 1"), (b"\xff\xfe", "cannot be read"), (b"", "too early")]:
        file = tmp_path / "file"
        file.write_bytes(content)
        ran = run("import", str(file), "--store", other)
        assert (ran.code, words in ran.err) == (1, True), ran.err
