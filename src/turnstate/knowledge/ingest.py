"""Reading a file into a document: what kind it is, its text, its passages."""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from turnstate.errors import KnowledgeError
from turnstate.knowledge.decode import decode
from turnstate.knowledge.documents import Block, Document, Passage
from turnstate.knowledge.html import read_html
from turnstate.knowledge.markdown import markdown_blocks, plain_blocks
from turnstate.knowledge.passages import passages
from turnstate.knowledge.table import csv_blocks

LARGEST = 50_000_000
"""Bytes of a file."""

KINDS = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".text": "text",
    "": "text",
    ".htm": "html",
    ".html": "html",
    ".xhtml": "html",
    ".csv": "csv",
    ".tsv": "csv",
}
"""What a file is read as, by the end of its name."""

_TAKEN = "Give Markdown, text, HTML or CSV files"


def read_file(path: Path) -> Document:
    """A file as a document.

    Raises:
        KnowledgeError: it is not there, cannot be read, is too large, is no text, is empty, or is of an unknown kind.
    """
    name = str(path)
    kind = KINDS.get(path.suffix.lower())
    try:
        if path.is_dir():
            raise KnowledgeError(name, "is a folder", "Give the files in it, as in docs/*.md.")
        if kind is None:
            raise KnowledgeError(name, f"is of a kind that is not read ({path.suffix})", f"{_TAKEN}.")
        if path.stat().st_size > LARGEST:
            raise KnowledgeError(name, f"has more than {LARGEST // 1_000_000} MB", "Give it in parts.")
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise KnowledgeError(name, "is not there", "Check the path.") from error
    except (OSError, ValueError) as error:
        raise KnowledgeError(name, f"cannot be read ({error})", "Check the path and its rights.") from error
    return read_bytes(data, name, kind)


def read_bytes(data: bytes, name: str, kind: str) -> Document:
    """The bytes of a file as a document.

    Args:
        data: all of it.
        name: what it is called; without its folder and ending it is the title where the document has none.
        kind: "markdown", "text", "html" or "csv".

    Raises:
        KnowledgeError: it is no text, or has none.
    """
    decoded = decode(data)
    if decoded is None:
        raise KnowledgeError(name, "is not text", f"{_TAKEN} in UTF-8.")
    title = _named(name)
    try:
        title, found = _read(decoded.text, kind, title)
    except csv.Error as error:
        raise KnowledgeError(
            name, f"is no table of comma-separated values ({error})", f"{_TAKEN}."
        ) from error
    if not found:
        raise KnowledgeError(name, "has no text in it", "Give a file with text, or remove it.")
    notes = (decoded.note,) if decoded.note else ()
    return Document(title, kind, hashlib.sha256(data).hexdigest(), found, notes)


def _read(text: str, kind: str, name: str) -> tuple[str, tuple[Passage, ...]]:
    """The title and the passages of a text."""
    blocks: Iterable[Block]
    if kind == "html":
        page = read_html(text)
        title, blocks = page.title or name, page.blocks
    elif kind == "csv":
        title, blocks = name, csv_blocks(text)
    elif kind == "markdown":
        blocks = tuple(markdown_blocks(text))
        title = _first_heading(blocks) or name
    else:
        title, blocks = name, plain_blocks(text)
    found = tuple(passage for passage in passages(blocks, title) if re.search(r"\w", passage.text))
    return title, found


def _first_heading(blocks: Iterable[Block]) -> str:
    return next((block.headings[0] for block in blocks if block.headings), "")


def _named(name: str) -> str:
    return " ".join(re.split(r"[-_\s]+", Path(name).stem)).strip() or name
