"""Comma-separated values as records: one passage a row, "column: value" on each line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from turnstate.knowledge.documents import Block
from turnstate.knowledge.markdown import record_text

_DELIMITERS = ",;\t|"


def csv_blocks(text: str) -> Iterator[Block]:
    """The rows of a table whose first row names its columns.

    Raises:
        csv.Error: the text is no table.
    """
    limit = csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    try:
        rows = [
            row
            for row in csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
            if any(map(str.strip, row))
        ]
    finally:
        csv.field_size_limit(limit)
    if not rows:
        return
    names, *records = rows
    for row in records or [names]:
        yield Block((), record_text(names if records else (), row), alone=True)


def _delimiter(text: str) -> str:
    """The sign that divides the first line into most columns."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(_DELIMITERS, key=lambda sign: (first.count(sign), -_DELIMITERS.index(sign)))
