"""Comma-separated values as records, each with its columns' names."""

from __future__ import annotations

import csv
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.knowledge.table import csv_blocks


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_a_row_is_a_passage_with_its_columns(sign: str) -> None:
    """Whatever sign divides the columns; blank rows and empty cells are left out."""
    text = f'Plan{sign}Price\n\nStarter{sign}"$39{sign} a month"\nTeam{sign}\n'
    assert [(block.text, block.alone) for block in csv_blocks(text)] == [
        (f"Plan: Starter\nPrice: $39{sign} a month", True),
        ("Plan: Team", True),
    ]


def test_a_single_row_is_what_it_says() -> None:
    """Without records there are no columns to name."""
    assert [block.text for block in csv_blocks("a,b\n")] == ["a\nb"]
    assert list(csv_blocks("\n\n")) == []


def test_a_cell_may_be_very_large() -> None:
    """The reader's own limit is 128 KB."""
    (block,) = csv_blocks("a\n" + "x" * 200_000)
    assert len(block.text) == 200_003


@given(text=st.text())
def test_any_text_is_a_table_or_none(text: str) -> None:
    """Nothing raises but csv's own error, and no letter is lost."""
    try:
        said = "".join(block.text for block in csv_blocks(text))
    except csv.Error:
        return
    rows = [line for line in text.splitlines() if line.strip()]
    if len(rows) > 1:
        assert (
            set(re.findall(r"[^\W_]", "".join(rows[1:]))) <= set(re.findall(r"[^\W_]", said + rows[0]))
            or '"' in text
        )
