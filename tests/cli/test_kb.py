"""`turnstate kb`: documents in, answers out, errors in one line."""

from __future__ import annotations

from pathlib import Path

from cli.conftest import HOSTILE, Run

PRICES = "# Prices\n\n## Starter\n\nStarter costs $39 a month.\n"


def test_files_are_added_listed_and_removed(run: Run, tmp_path: Path) -> None:
    """By their path from the folder of the knowledge base, whatever way they were named."""
    (tmp_path / "prices.md").write_text(PRICES)
    (tmp_path / "old.txt").write_bytes("Größe".encode("cp1252"))
    added = run("kb", "add", "prices.md", "./old.txt")
    assert added.code == 0
    assert "added prices.md: 1 passage" in added.out
    assert "Windows-1252" in added.out
    assert "unchanged prices.md" in run("kb", "add", str(tmp_path / "prices.md")).out
    listed = run("kb", "list", "--json").json
    assert [(one["source"], one["title"], one["passages"]) for one in listed["documents"]] == [
        ("old.txt", "old", 1),
        ("prices.md", "Prices", 1),
    ]
    assert "2 documents" in run("kb", "list").out
    assert run("kb", "remove", "./prices.md").out == "removed prices.md\n"
    again = run("kb", "remove", "prices.md")
    assert again.code == 1
    assert "has no 'prices.md'" in again.err


def test_a_question_is_searched_and_judged(run: Run, tmp_path: Path) -> None:
    """What answers it, what is not answered, and what was found besides."""
    (tmp_path / "prices.md").write_text(PRICES)
    run("kb", "add", "prices.md", "--kb", "k.db")
    shown = run("kb", "search", "How much is Starter, and is there a fax?", "--kb", "k.db")
    assert shown.out.startswith("PARTIAL\nnot answered: is there a fax?\n")
    assert "answers Prices › Starter prices.md#1" in shown.out
    found = run("kb", "search", "How much is Starter?", "--kb", "k.db", "--json").json
    assert (found["level"], found["gap"], found["passages"][0]["answers"]) == ("ACCURATE", "", True)
    assert run("kb", "search", "Thanks!", "--kb", "k.db", "--json").json["level"] is None
    assert run("kb", "search", "Starter", "--kb", "k.db").out.startswith("nothing is asked")


def test_a_file_that_cannot_be_read_does_not_stop_the_others(run: Run, tmp_path: Path) -> None:
    """Each is reported, and the exit code says that something failed."""
    (tmp_path / "a.md").write_text("words")
    (tmp_path / "b.pdf").write_bytes(b"%PDF")
    ran = run("kb", "add", "b.pdf", "absent.md", "a.md")
    assert ran.code == 1
    assert "added a.md" in ran.out
    assert "b.pdf" in ran.err
    assert "absent.md" in ran.err


def test_without_a_knowledge_base_it_says_what_to_do(run: Run, tmp_path: Path) -> None:
    """Reading never makes one."""
    for command in (("search", "What?"), ("list",), ("remove", "a.md")):
        ran = run("kb", *command)
        assert ran.code == 1
        assert "turnstate kb add" in ran.err
    assert not (tmp_path / "knowledge.db").exists()


def test_what_a_document_says_cannot_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    """Titles and texts are shown, not obeyed."""
    (tmp_path / "a.md").write_text(f"# {HOSTILE}\n\nfind {HOSTILE} me".replace("\x07", ""), encoding="utf-8")
    run("kb", "add", "a.md")
    for ran in (run("kb", "search", "find me?"), run("kb", "list")):
        assert ran.code == 0
        assert "\x1b" not in ran.out
        assert "\u202e" not in ran.out
