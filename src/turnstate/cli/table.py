"""Tables for a terminal of any width: what is short is never cut, lines are cut and texts folded where room is short."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.text import Text

from turnstate.cli.render import Screen, words
from turnstate.cli.text import one_line

GAP = "  "
"""What stands between two columns."""

LEAST = 12
"""Cells that a line or a text gets, however narrow the terminal."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        name: its heading.
        kind: "short" (never cut), "number" (never cut, to the right), "line" (cut where there is no room) or "text"
            (folded where there is no room).
        share: how much of the room it gets, beside the other lines and texts.
        spare: whether it is left out where there is no room for the lines and texts.
    """

    name: str
    kind: Literal["short", "number", "line", "text"] = "short"
    share: int = 1
    spare: bool = False

    @property
    def flexible(self) -> bool:
        """Whether it takes what room there is."""
        return self.kind in {"line", "text"}


@dataclass(frozen=True, slots=True)
class _Row:
    """Cells, or a note across the flexible columns."""

    cells: tuple[Text, ...] = ()
    note: Text | None = None


class Rows:
    """A table while rows are added.

    Args:
        *columns: from left to right; a plain name is a short one.
    """

    def __init__(self, *columns: str | Column) -> None:
        self._columns = [column if isinstance(column, Column) else Column(column) for column in columns]
        self._rows: list[_Row] = []

    def add(self, *cells: str | Text) -> None:
        """Add a row; a `str` is shown as it is, on one line, controls written out."""
        self._rows.append(
            _Row(tuple(cell if isinstance(cell, Text) else Text(one_line(cell)) for cell in cells))
        )

    def note(self, text: str) -> None:
        """Add a line below the last row, from the first flexible column to the end of the line."""
        self._rows.append(_Row(note=words(one_line(text), "yellow")))

    def show(self, screen: Screen) -> None:
        """Print the table."""
        widths = self._fitted(screen.width)
        heading = _Row(tuple(words(column.name, "dim") for column in self._columns))
        if any(column.name for column in self._columns):
            self._show_row(screen, heading, widths)
            screen.put(words("─" * (sum(widths.values()) + len(GAP) * (len(widths) - 1)), "dim"))
        for row in self._rows:
            self._show_row(screen, row, widths)

    def _fitted(self, room: int) -> dict[int, int]:
        """The widths of the columns that are shown, by their place."""
        shown = list(range(len(self._columns)))
        needs = [self._needed(place) for place in shown]
        widths = self._widths(room, shown, needs)
        spare = [place for place in shown if self._columns[place].spare]
        while spare and any(width < min(LEAST, needs[place]) for place, width in widths.items()):
            shown.remove(spare.pop())
            widths = self._widths(room, shown, needs)
        return {place: max(width, min(LEAST, needs[place])) for place, width in widths.items()}

    def _needed(self, place: int) -> int:
        cells = (row.cells[place].cell_len for row in self._rows if row.cells)
        return max((len(self._columns[place].name), *cells))

    def _widths(self, room: int, shown: Sequence[int], needs: Sequence[int]) -> dict[int, int]:
        """What each column gets: the short ones what they need, the others their share of the rest, or what they need."""
        flexible = {place for place in shown if self._columns[place].flexible}
        widths = {place: needs[place] for place in shown}
        rest = (
            room
            - len(GAP) * (len(shown) - 1)
            - sum(widths[place] for place in shown if place not in flexible)
        )
        while flexible:
            shares = sum(self._columns[place].share for place in flexible)
            fair = {place: max(0, rest) * self._columns[place].share // shares for place in flexible}
            content = {place for place in flexible if needs[place] <= fair[place]}
            if not content:
                return widths | fair
            rest -= sum(needs[place] for place in content)
            flexible -= content
        return widths

    def _show_row(self, screen: Screen, row: _Row, widths: Mapping[int, int]) -> None:
        if row.note is not None:
            before = next((place for place in widths if self._columns[place].flexible), 0)
            indent = sum(widths[place] + len(GAP) for place in widths if place < before)
            screen.put(Text(" " * indent), row.note)
            return
        cells = {
            place: self._lines(screen, place, row.cells[place], width) for place, width in widths.items()
        }
        for index in range(max(map(len, cells.values()))):
            line = Text()
            for place, width in widths.items():
                part = cells[place][index] if index < len(cells[place]) else Text()
                blank = " " * (width - part.cell_len)
                right = self._columns[place].kind == "number"
                line.append_text(
                    Text.assemble(blank, part, GAP) if right else Text.assemble(part, blank, GAP)
                )
            line.rstrip()
            screen.put(line)

    def _lines(self, screen: Screen, place: int, cell: Text, width: int) -> Sequence[Text]:
        if cell.cell_len <= width:
            return [cell]
        if self._columns[place].kind == "text":
            return list(cell.wrap(screen, width, overflow="fold"))
        cut = cell.copy()
        cut.truncate(width, overflow="ellipsis")
        return [cut]
