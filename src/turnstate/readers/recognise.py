"""Which format a transcript file has, found by its content, and its transcripts one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from turnstate.errors import TranscriptError
from turnstate.readers.openai_chat import read_chat
from turnstate.readers.records import RawRecord, records
from turnstate.readers.transcript import RecordProblem, Transcript

OnProgress: TypeAlias = Callable[[int, int], None]
"""Called after each record with the bytes read and the bytes there are (0 where nobody can say)."""

PROBED = 20
"""How many records a file may begin with that do not read, before it counts as another format."""


def read_transcripts(
    path: str | Path, on_progress: OnProgress | None = None
) -> Iterator[Transcript | TranscriptError]:
    """The transcripts of a file, in its order; a record that does not read comes as the error that says why.

    One record is in memory at a time, so the file may be larger than memory.

    Args:
        path: a file of OpenAI chat records: one JSON object (or list of messages) on each line, or one JSON document.
        on_progress: told how far it is.

    Raises:
        TranscriptError: at once: the file is missing, a directory, empty, or of another format. While iterating: it
            cannot be read on.
    """
    path = Path(path)
    size = _probe(path)
    return _transcripts(path, size, on_progress or (lambda _done, _total: None))


def _probe(path: Path) -> int:
    """The size of a file that begins as a transcript does."""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            return 0  # a pipe can be read once only
        first: TranscriptError | None = None
        for raw in islice(records(path), PROBED):
            read = _read(path, raw)
            if isinstance(read, Transcript):
                return path.stat().st_size
            first = first or read
    except ValueError as error:
        raise TranscriptError(ascii(str(path)), None, f"cannot be opened ({error})") from None
    if first is None:
        raise TranscriptError(str(path), None, "is empty")
    raise TranscriptError(str(path), None, f"holds no chat record (record {first.record} {first.reason})")


def _transcripts(path: Path, size: int, on_progress: OnProgress) -> Iterator[Transcript | TranscriptError]:
    for raw in records(path):
        yield _read(path, raw)
        on_progress(raw.end, size)


def _read(path: Path, raw: RawRecord) -> Transcript | TranscriptError:
    if raw.problem:
        return TranscriptError(str(path), raw.number, raw.problem)
    try:
        return read_chat(raw.data, raw.number, f"{path.stem}:{raw.number}")
    except RecordProblem as problem:
        return TranscriptError(str(path), raw.number, str(problem))
