"""How every command shows things: the screen, tables, times, and JSON.

Nothing that a user, a tool or a model wrote is ever read as markup or sent raw to the terminal.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Literal, TypeAlias, cast

from rich.console import Console
from rich.text import Text

from turnstate.cli.text import masked, printable
from turnstate.core.messages import moment

Style: TypeAlias = Literal[
    "", "bold", "dim", "cyan", "green", "yellow", "red", "magenta", "bold cyan", "bold green"
]

WIDTH = 100
"""Columns of output that goes to no terminal, unless COLUMNS says otherwise."""

LABEL = 10
"""Columns that a label takes."""


class Screen(Console):
    """A console that takes all text as it is, and stops when its reader has gone."""

    def __init__(self, *, stderr: bool = False) -> None:
        stream = sys.stderr if stderr else sys.stdout
        wide = None if stream.isatty() or "COLUMNS" in os.environ else WIDTH
        super().__init__(file=stream, width=wide, markup=False, highlight=False, emoji=False)

    def on_broken_pipe(self) -> None:
        """Leave it to the program, which ends quietly."""
        raise BrokenPipeError

    def say(self, *parts: str | Text, end: str = "\n") -> None:
        """Print parts of one line or paragraph; a `str` is shown as it is, controls written out."""
        self.print(joined(*parts), end=end, soft_wrap=not self.is_terminal or not end)

    def put(self, *parts: Text) -> None:
        """Print one line, however wide."""
        self.print(Text.assemble(*parts), no_wrap=True, overflow="ignore", crop=False)

    def entry(self, label: str, text: str, style: Style = "") -> None:
        """Print a label and a text beside it, its further lines below its first."""
        body = words(text)
        lines = (
            body.wrap(self, max(20, self.width - LABEL)) if self.is_terminal else body.split(allow_blank=True)
        )
        for place, line in enumerate(lines or [Text()]):
            line.rstrip()
            self.put(words(f"{label if place == 0 else '':<{LABEL}}", style or "dim"), line)


def words(text: str, style: Style = "") -> Text:
    """A text as it is, in a style; controls written out."""
    return Text(printable(text), style=style, overflow="fold")


def joined(*parts: str | Text) -> Text:
    """Parts as one text."""
    return Text.assemble(*(part if isinstance(part, Text) else words(part) for part in parts))


def print_json(data: Any) -> None:
    """Print `data` as JSON: ASCII, so that every stream takes it and nothing in it steers a terminal."""
    sys.stdout.write(json.dumps(_masked(data), indent=2, default=str) + "\n")
    sys.stdout.flush()


def _masked(data: Any) -> Any:
    """`data` with what the command masks taken out of its texts, the keys included."""
    if isinstance(data, str):
        return masked(data)
    if isinstance(data, dict):
        return {_masked(key): _masked(item) for key, item in cast("dict[Any, Any]", data).items()}
    if isinstance(data, list | tuple):
        return [_masked(item) for item in cast("list[Any]", data)]
    return data


def time_text(at: int) -> str:
    """A time in microseconds since the epoch, to the second, in UTC."""
    try:
        return moment(at).strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, ValueError):
        return str(at)


def many(count: int, what: str) -> str:
    """A count with its noun: "1 turn", "2 turns"."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
