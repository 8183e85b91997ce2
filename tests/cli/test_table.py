"""Tables fit the screen: numbers and ids are never cut, lines are cut, texts folded, spare columns left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from turnstate.cli.render import Screen
from turnstate.cli.table import Column, Rows

COLUMNS = (
    Column("id"),
    Column("text", "text"),
    Column("line", "line", 2),
    Column("count", "number", spare=True),
)

cells = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=40)


def shown(width: int, *rows: tuple[str, ...], note: str = "") -> list[str]:
    """The lines of a table on a screen of some width."""
    screen = Screen()
    screen.width = width
    table = Rows(*COLUMNS)
    for row in rows:
        table.add(*row)
    if note:
        table.note(note)
    with screen.capture() as capture:
        table.show(screen)
    return capture.get().splitlines()


def test_where_there_is_room_nothing_is_cut() -> None:
    """And nothing is wider than it needs to be."""
    assert shown(80, ("a", "some text", "a line", "7"), note="and more") == [
        "id  text       line    count",
        "────────────────────────────",
        "a   some text  a line      7",
        "    and more",
    ]


def test_where_there_is_none_lines_are_cut_and_texts_folded() -> None:
    """The spare column goes first."""
    row = ("a-long-id", "some text that is folded", "a line that is cut at the end of it", "7")
    assert shown(50, row) == [
        "id         text          line",
        "─────────────────────────────────────────────────",
        "a-long-id  some text     a line that is cut at t…",
        "           that is",
        "           folded",
    ]


def test_a_screen_that_is_too_narrow_gets_the_least() -> None:
    """Rather than columns of nothing."""
    lines = shown(5, ("an-id", "some text that is folded", "a line that is cut", "7"))
    assert lines[2] == "an-id  some text     a line that…"


@given(
    st.integers(40, 120),
    st.lists(st.tuples(st.sampled_from(["a", "b2", "c33"]), cells, cells, cells.map(lambda text: text[:6]))),
)
def test_no_line_is_wider_than_the_screen(width: int, rows: list[tuple[str, str, str, str]]) -> None:
    """Whatever stands in the cells."""
    lines = shown(width, *rows)
    assert max(map(cell_len, lines)) <= width
    assert len(lines) >= 2 + len(rows)


@pytest.mark.parametrize("text", ["[bold]x[/bold]", ":smile:", "\x1b[31mred"])
def test_cells_are_never_markup(text: str) -> None:
    """They are shown as they are, controls written out."""
    assert text.replace("\x1b", "\\x1b") in shown(80, ("a", text, "", ""))[2]
