"""Files as documents: their kind, their title, and a typed error for what cannot be read."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.errors import KnowledgeError
from turnstate.knowledge.ingest import LARGEST, read_bytes, read_file
from turnstate.knowledge.passages import LONGEST


@pytest.mark.parametrize(
    ("name", "text", "kind", "title", "passage"),
    [
        ("price-list.md", "# Prices\n\nAll in euros.", "markdown", "Prices", "All in euros."),
        ("price-list.txt", "# Prices", "text", "price list", "# Prices"),
        ("a.HTML", "<title>Prices</title><p>All in euros.", "html", "Prices", "All in euros."),
        ("price_list.csv", "a,b\n1,2", "csv", "price list", "a: 1\nb: 2"),
        ("README", "All in euros.", "text", "README", "All in euros."),
    ],
)
def test_a_file_is_read_by_its_kind(
    tmp_path: Path, name: str, text: str, kind: str, title: str, passage: str
) -> None:
    """The end of its name says what it is; a document names itself, or is named after its file."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    document = read_file(tmp_path / name)
    assert (document.kind, document.title, document.passages[0].text) == (kind, title, passage)


def test_a_guessed_encoding_is_told(tmp_path: Path) -> None:
    """The note goes with the document."""
    (tmp_path / "a.txt").write_bytes("Größe".encode("cp1252"))
    assert read_file(tmp_path / "a.txt").notes == ("Not UTF-8: read as Windows-1252.",)


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("a.md", b"", "has no text in it"),
        ("a.md", b"\xef\xbb\xbf \n", "has no text in it"),
        ("a.html", b"<script>x()</script>", "has no text in it"),
        ("a.csv", b",,\n,,", "has no text in it"),
        ("a.txt", b"\x00\x01\x02", "is not text"),
        ("a.pdf", b"%PDF", "is of a kind that is not read (.pdf)"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path: Path, name: str, data: bytes, problem: str) -> None:
    """A typed error with the path and the next step."""
    (tmp_path / name).write_bytes(data)
    with pytest.raises(KnowledgeError) as caught:
        read_file(tmp_path / name)
    assert (caught.value.path, caught.value.problem) == (str(tmp_path / name), problem)


def test_a_path_is_only_a_path(tmp_path: Path) -> None:
    """Folders, missing files, names with nulls and files that are too large are refused, never tried otherwise."""
    (tmp_path / "large.txt").write_bytes(b"")
    os.truncate(tmp_path / "large.txt", LARGEST + 1)
    for path in (tmp_path, tmp_path / "absent.md", tmp_path / "a\0b.md", tmp_path / "large.txt"):
        with pytest.raises(KnowledgeError):
            read_file(path)
    (tmp_path / "$(touch x); --help.md").write_text("words")
    assert read_file(tmp_path / "$(touch x); --help.md").passages[0].text == "words"


@given(
    data=st.binary() | st.text().map(str.encode), kind=st.sampled_from(["markdown", "text", "html", "csv"])
)
def test_any_bytes_are_a_document_or_a_typed_error(data: bytes, kind: str) -> None:
    """Nothing else is raised; passages have words and are short enough to quote."""
    try:
        document = read_bytes(data, "a.md", kind)
    except KnowledgeError:
        return
    assert document.passages
    assert all(
        re.search(r"\w", passage.text) and len(passage.text) <= LONGEST for passage in document.passages
    )


@given(text=st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1))
def test_every_word_of_a_text_is_in_a_passage(text: str) -> None:
    """A text file loses no letter."""
    try:
        document = read_bytes(text.encode(), "a.txt", "text")
    except KnowledgeError:
        assert not re.search(r"[^\W\ufeff]", text)
        return
    said = "".join(passage.text for passage in document.passages)
    assert set(re.findall(r"\w", text)) <= set(said)
