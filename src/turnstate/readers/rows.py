"""CSV transcripts: one message on each row, its columns found by their names."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from turnstate.errors import TranscriptError
from turnstate.readers.fields import inner, moment_of, text
from turnstate.readers.records import LINE, RawRecord
from turnstate.readers.roles import roles_of
from turnstate.readers.scribe import Entry, Origin, transcribe
from turnstate.readers.threads import Piece
from turnstate.readers.transcript import RecordProblem, Transcript

_NAMES: Mapping[str, Sequence[str]] = {
    "session": [
        "conversationid",
        "conversation",
        "sessionid",
        "session",
        "threadid",
        "thread",
        "chatid",
        "chat",
        "dialogueid",
        "dialogid",
        "dialogue",
        "ticketid",
        "ticket",
        "callid",
    ],
    "who": [
        "role",
        "speaker",
        "sender",
        "author",
        "from",
        "participant",
        "who",
        "authortype",
        "sendertype",
        "speakerrole",
    ],
    "said": ["text", "message", "content", "utterance", "body", "value", "msg", "messagetext", "transcript"],
    "at": ["timestamp", "createdat", "time", "date", "at", "sentat", "datetime", "created"],
    "turn": ["turn", "turnid", "seq", "order", "index", "messageindex", "turnnumber", "position"],
}
_DELIMITERS = ",;\t|"


class Columns(NamedTuple):
    """Where a table has what a transcript needs.

    Attributes:
        delimiter: what stands between two cells.
        places: the column of each kind, from 0; `who` and `said` are always there.
    """

    delimiter: str
    places: Mapping[str, int]


def columns_of(path: Path) -> Columns | None:
    """The columns of a table of messages; None where the file is none."""
    with path.open("rb") as file:
        header = file.readline(LINE).decode("utf-8-sig", "replace")
    for delimiter in _DELIMITERS:
        try:
            cells = [cell for row in csv.reader([header], delimiter=delimiter) for cell in row]
        except csv.Error:
            continue
        names = [re.sub(r"[\W_]+", "", cell.lower()) for cell in cells]
        found = {
            kind: names.index(name)
            for kind, known in _NAMES.items()
            if (name := next((name for name in known if name in names), None)) is not None
        }
        if "who" in found and "said" in found:
            return Columns(delimiter, found)
    return None


def row_records(path: Path, columns: Columns) -> Iterator[RawRecord]:
    """The rows of a table behind its header, as objects with the kinds of columns that it has.

    Raises:
        TranscriptError: while iterating: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            lines = _Lines(file)
            rows = csv.reader(lines, delimiter=columns.delimiter)
            number = 0
            while True:
                try:
                    row = next(rows, None)
                    problem = ""
                except csv.Error as error:
                    row, problem = [], f"is no row of a table ({error})"
                if row is None:
                    return
                if lines.first or not (row or problem):
                    lines.first = False
                    continue
                number += 1
                data = {kind: row[place] for kind, place in columns.places.items() if place < len(row)}
                if not problem and any("\udc80" <= letter <= "\udcff" for letter in "".join(data.values())):
                    problem = "is not UTF-8"
                yield RawRecord(number, data, problem, lines.end)
    except OSError as error:
        raise TranscriptError(str(path), None, f"cannot be read ({error.strerror})") from error


class _Lines:
    """The lines of a file as text, counting their bytes."""

    def __init__(self, file: BinaryIO) -> None:
        self.end = 0
        self.first = True
        self._file = file

    def __iter__(self) -> Iterator[str]:
        while line := self._file.readline(LINE):
            encoding = "utf-8" if self.end else "utf-8-sig"
            self.end += len(line)
            yield line.decode(encoding, "surrogateescape")


def row_pieces(data: object) -> list[Piece]:
    """What a row says of its conversation.

    Raises:
        RecordProblem: it has no speaker.
    """
    row = inner(data)
    if "said" not in row or not text(row.get("who")).strip():
        raise RecordProblem("has no speaker and text")
    try:
        order = float(text(row.get("turn")) or 0)
    except ValueError:
        order = 0.0
    at = moment_of(text(row.get("at")))
    if not row.get("turn"):
        order = float(at or 0)
    kept: dict[str, Any] = {"who": row["who"].strip().lower(), "said": row["said"], "at": at}
    return [Piece(text(row.get("session")).strip(), order if math.isfinite(order) else 0.0, kept)]


def join_rows(session: str, pieces: Sequence[Any], origin: Origin) -> Transcript:
    """The conversation that the rows make.

    Raises:
        RecordProblem: the user said nothing.
    """
    rows = [inner(piece) for piece in pieces]
    roles = roles_of(list(dict.fromkeys(row["who"] for row in rows)))
    entries = (
        Entry("tool", result=row["said"], at=row["at"])
        if roles[row["who"]] == "tool"
        else Entry(roles[row["who"]], (row["said"],), at=row["at"])
        for row in rows
    )
    return transcribe(entries, origin, session)
