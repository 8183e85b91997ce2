"""What the program's streams take: any terminal's encoding, a reader that leaves early, errors, the log of requests."""

from __future__ import annotations

import codecs
import io
import logging
import os
import sys
import traceback
from collections.abc import Callable
from typing import TextIO

import typer

from turnstate.cli.text import printable

CONTEXT_LOG = "turnstate.context"
"""The logger of the library: what was done to a context (info), and the size of every request (debug)."""

_PLAIN = {
    "–": "-",
    "—": "-",
    "…": "...",
    "·": "|",
    "›": ">",
    "→": "->",
    "’": "'",
    "“": '"',
    "”": '"',
    "≤": "<=",
}
_HANDLER = "turnstate-plain"


def prepare() -> None:
    """Let the standard streams write what their encoding has not, as the nearest plain characters, and read anything."""
    codecs.register_error(_HANDLER, _plain)
    for stream in (sys.stdout, sys.stderr):
        _reconfigure(stream, _HANDLER)
    _reconfigure(sys.stdin, "replace")


def _reconfigure(stream: TextIO, errors: str) -> None:
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors=errors)


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(char, "?") for char in error.object[error.start : error.end]), error.end


def complain(error: Exception, *, traced: bool) -> None:
    """Say on stderr what went wrong, in red where there is colour; with the traceback if asked for."""
    if traced:
        traceback.print_exception(error)
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not sys.stderr.isatty()
    line = printable(str(error))
    typer.echo(line if plain else typer.style(line, fg=typer.colors.RED), err=True)


def abandon() -> None:
    """Stop writing: the reader has gone. What is still buffered goes nowhere, without an error at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


class Lines(logging.Handler):
    """Gives each record of one level to a function, as the line it is.

    Args:
        level: the only level that is taken.
        show: what is done with a line.
    """

    def __init__(self, level: int, show: Callable[[str], None]) -> None:
        super().__init__(level)
        self._show = show
        self.addFilter(lambda record: record.levelno == level)

    def emit(self, record: logging.LogRecord) -> None:
        """Show the record's line."""
        self._show(record.getMessage())


def listen(level: int, show: Callable[[str], None]) -> Callable[[], None]:
    """Show the lines that the library logs about contexts at `level`; what is returned ends it."""
    logger = logging.getLogger(CONTEXT_LOG)
    handler, before = Lines(level, show), logger.level
    logger.addHandler(handler)
    logger.setLevel(min(level, before or level))

    def stop() -> None:
        logger.removeHandler(handler)
        logger.setLevel(before)

    return stop


def log_requests() -> Callable[[], None]:
    """Log the size of every request to stderr; what is returned ends it."""
    return listen(logging.DEBUG, lambda line: typer.echo(printable(line), err=True))
