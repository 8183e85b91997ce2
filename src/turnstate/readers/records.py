"""A file of JSON records, read one at a time: lines of JSON of any number, or one JSON document, or one JSON list."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from turnstate.errors import TranscriptError
from turnstate.readers.fields import is_list, is_object
from turnstate.readers.shapes import is_message
from turnstate.readers.splitting import Splitter

LONGEST = 256 * 1024 * 1024
"""The most bytes of one record, and of a file that is one JSON object: what is held in memory at a time."""

LINE = 1024 * 1024
"""Bytes of the first line up to which it is tried as a record of its own, before the file counts as one list."""

_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_PAGES = ("data", "runs", "traces", "conversations", "tickets")
_ONE_RECORD = {
    "id",
    "messages",
    "mapping",
    "chat_messages",
    "comments",
    "events",
    "observations",
    "run_type",
    "type",
} - {"type"}


class RawRecord(NamedTuple):
    """A record as it stands in a file: decoded JSON, or the reason why it does not decode.

    Attributes:
        number: from 1, blank lines not counted.
        data: the JSON data; None where it does not decode.
        problem: what is wrong, or "".
        end: bytes of the file up to the end of this record.
    """

    number: int
    data: Any
    problem: str
    end: int


class _Decoded(NamedTuple):
    data: Any
    problem: str


def records(path: Path) -> Iterator[RawRecord]:
    """The records of a file, without holding more than one of them.

    A file whose first line is JSON, or that cannot be read twice (a pipe), is read line by line; a line that is a list
    of records counts as all of them. A file that is one list of records may be larger than memory: they are read one at
    a time. Any other file is tried as one JSON document. UTF-8, with or without a byte order mark.

    Raises:
        TranscriptError: while iterating: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            whole = (_list(file) or _document(file)) if path.is_file() else None
            yield from _lines(file) if whole is None else whole
    except OSError as error:
        raise TranscriptError(str(path), None, f"cannot be read ({error.strerror})") from error


def _list(file: BinaryIO) -> Iterator[RawRecord] | None:
    """The records of a file that is one list of them; None, and back at the start, if it is not."""
    line = file.readline(LINE).removeprefix(_BOM)
    while line.isspace():
        line = file.readline(LINE)
    file.seek(0)
    whole = line.endswith(b"\n") or len(line) < LINE
    if not line.lstrip().startswith(b"[") or (whole and not _decode(line, first=False).problem):
        return None
    first = next(iter(Splitter(file, LONGEST)), None)
    file.seek(0)
    item = _decode(first.raw, first=False) if first is not None and first.raw is not None else _BLANK
    if not is_object(item.data) or is_message(item.data):
        return None
    return _items(Splitter(file, LONGEST))


def _items(splitter: Splitter) -> Iterator[RawRecord]:
    number = end = 0
    for number, (raw, end) in enumerate(splitter, start=1):
        decoded = _TOO_LONG if raw is None else _decode(raw, first=False)
        yield RawRecord(number, decoded.data, decoded.problem, end)
    if not splitter.finished:
        yield RawRecord(number + 1, None, "is missing: the list does not end", end)


def _document(file: BinaryIO) -> Iterator[RawRecord] | None:
    """The records of a file that is one JSON document over several lines; None, and back at the start, if it is not."""
    first = next(_lines(file), None)
    size = file.seek(0, 2)
    file.seek(0)
    if first is None or not first.problem or size > LONGEST:
        return None
    decoded = _decode(file.read(), first=True)
    file.seek(0)
    return None if decoded.problem else _spread(decoded.data, 1, size)


def _lines(file: BinaryIO) -> Iterator[RawRecord]:
    number, end = 1, 0
    while line := file.readline(LONGEST + 1):
        first, whole = end == 0, len(line) <= LONGEST
        end += len(line)
        while len(line) > LONGEST and not line.endswith(b"\n"):
            line = file.readline(LONGEST + 1)
            end += len(line)
        decoded = _decode(line, first=first) if whole else _TOO_LONG
        if decoded.problem:
            yield RawRecord(number, None, decoded.problem, end)
            number += 1
        elif decoded is not _BLANK:
            for record in _spread(decoded.data, number, end):
                yield record
                number = record.number + 1


def _spread(data: Any, number: int, end: int) -> Iterator[RawRecord]:
    """One record, or each of a list of records; a list of messages is one record."""
    data = _unwrapped(data)
    items = data if is_list(data) else [data]
    if is_list(data) and (not items or any(map(is_message, items))):
        items = [items]
    for offset, item in enumerate(items):
        yield RawRecord(number + offset, item, "", end)


def _unwrapped(data: Any) -> Any:
    """The list inside an object that is only the page of one, as an interface answers."""
    if is_object(data):
        for name in () if _ONE_RECORD & data.keys() else _PAGES:
            found: object = data.get(name)
            if is_list(found) and found and all(is_object(item) for item in found):
                return found if name == "data" or not any(map(is_message, found)) else data
    return data


_BLANK = _Decoded(None, "")
_TOO_LONG = _Decoded(None, f"is longer than {LONGEST:,} bytes")


def _decode(raw: bytes, *, first: bool) -> _Decoded:
    """The JSON data of `raw`, or what is wrong with it; `_BLANK` for white space."""
    if first and raw.startswith(_UTF16):
        return _Decoded(None, "is UTF-16, not UTF-8")
    try:
        text = (raw.removeprefix(_BOM) if first else raw).decode()
        # Control characters inside strings are kept: recorded chats hold raw tabs and NULs.
        return _Decoded(json.loads(text, strict=False), "") if text.strip() else _BLANK
    except UnicodeDecodeError as error:
        problem = f"is not UTF-8 at byte {error.start + 1}"
    except json.JSONDecodeError as error:
        problem = f"is not JSON ({error.msg}, character {error.pos + 1})"
    except RecursionError:
        problem = "is nested too deeply"
    except ValueError as error:  # a number of thousands of digits
        problem = f"holds a value that cannot be read ({error})"
    return _Decoded(None, problem)
