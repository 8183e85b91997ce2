"""Which format a transcript file has, found by its content, and its transcripts one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from turnstate.errors import TranscriptError
from turnstate.readers.chatgpt import fits_chatgpt, read_chatgpt
from turnstate.readers.claude_ai import fits_claude_ai, read_claude_ai
from turnstate.readers.dialects import fits_messages, read_messages
from turnstate.readers.intercom import fits_intercom, read_intercom
from turnstate.readers.langfuse import fits_langfuse, join_langfuse, langfuse_pieces
from turnstate.readers.langsmith import fits_langsmith, join_langsmith, langsmith_pieces
from turnstate.readers.own_log import fits_own_log, join_own_log, own_log_pieces
from turnstate.readers.piles import Pile, Piles
from turnstate.readers.rasa import fits_rasa, read_rasa
from turnstate.readers.records import RawRecord, records
from turnstate.readers.rows import columns_of, join_rows, row_pieces, row_records
from turnstate.readers.scribe import Origin
from turnstate.readers.sharegpt import fits_sharegpt, read_sharegpt
from turnstate.readers.speaker_text import fits_speaker_text, read_speaker_text, speaker_records
from turnstate.readers.threads import Piece
from turnstate.readers.transcript import RecordProblem, Transcript
from turnstate.readers.zendesk import fits_zendesk, read_zendesk

OnProgress: TypeAlias = Callable[[int, int], None]
"""Called after each record with the bytes read and the bytes there are (0 where nobody can say)."""

PROBED = 20
"""How many records a file may begin with that do not read, before it counts as another format."""


class Whole(NamedTuple):
    """A format in which a record is a conversation.

    Attributes:
        name: what people call it.
        fits: whether a decoded record is of it.
        read: a record as a transcript; raises `RecordProblem`.
    """

    name: str
    fits: Callable[[object], bool]
    read: Callable[[Any, Origin], Transcript]


class Spread(NamedTuple):
    """A format in which a conversation is spread over records.

    Attributes:
        name: what people call it.
        fits: whether a decoded record is of it.
        pieces: what a record says of conversations; raises `RecordProblem`.
        join: the pieces of a conversation, in their order, as a transcript; raises `RecordProblem`.
    """

    name: str
    fits: Callable[[object], bool]
    pieces: Callable[[object], list[Piece]]
    join: Callable[[str, Sequence[Any], Origin], Transcript]


SPREAD = (
    Spread("turnstate export", fits_own_log, own_log_pieces, join_own_log),
    Spread("LangSmith runs", fits_langsmith, langsmith_pieces, join_langsmith),
    Spread("Langfuse traces or observations", fits_langfuse, langfuse_pieces, join_langfuse),
)
"""Formats whose conversations are put together from several records."""

WHOLE = (
    Whole("ChatGPT export", fits_chatgpt, read_chatgpt),
    Whole("Claude.ai export", fits_claude_ai, read_claude_ai),
    Whole("Rasa tracker", fits_rasa, read_rasa),
    Whole("Intercom conversation", fits_intercom, read_intercom),
    Whole("Zendesk comments", fits_zendesk, read_zendesk),
    Whole("ShareGPT", fits_sharegpt, read_sharegpt),
    Whole("messages", fits_messages, read_messages),
)
"""Formats whose records are conversations, the most telling first; `messages` are chat, Responses, Anthropic, LangChain."""


def _any(_data: object) -> bool:
    return True


_ROWS = Spread("CSV", _any, row_pieces, join_rows)
_TEXT = Whole("Speaker: text", _any, read_speaker_text)


class _Source(NamedTuple):
    """The records of a file, and how they are read."""

    records: Iterator[RawRecord]
    spread: Spread | None = None
    whole: tuple[Whole, ...] = WHOLE
    size: int = 0


def read_transcripts(
    path: str | Path, on_progress: OnProgress | None = None
) -> Iterator[Transcript | TranscriptError]:
    """The transcripts of a file, in its order; a record that does not read comes as the error that says why.

    The format is recognised by content. One record is in memory at a time, so the file may be larger than memory; the
    parts of conversations that are spread over records wait in a temporary file until the whole has been read.

    Args:
        path: the file; a pipe is read once, as JSON lines.
        on_progress: told how far it is.

    Raises:
        TranscriptError: at once: the file is missing, a directory, empty, or of another format. While iterating: it
            cannot be read on.
    """
    path = Path(path)
    try:
        piped = path.exists() and not (path.is_file() or path.is_dir())
        source = None if piped else _recognised(path)
    except OSError as error:
        raise TranscriptError(str(path), None, f"cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise TranscriptError(ascii(str(path)), None, f"cannot be opened ({error})") from None
    return _transcripts(path, source, on_progress or (lambda _done, _total: None))


def _recognised(path: Path) -> _Source:
    first: tuple[int, str] | None = None
    for raw in islice(records(path), PROBED):
        if not raw.problem and (spread := _spread_of(raw)):
            return _Source(records(path), spread, size=path.stat().st_size)
        read = _read(path, raw, WHOLE)
        if isinstance(read, Transcript):
            return _Source(records(path), size=path.stat().st_size)
        first = first or (raw.number, read.reason)
    if first is None:
        raise TranscriptError(str(path), None, "is empty")
    size = path.stat().st_size
    if "is not JSON" in first[1]:
        if (columns := columns_of(path)) is not None:
            return _Source(row_records(path, columns), _ROWS, size=size)
        if fits_speaker_text(path):
            return _Source(speaker_records(path), None, (_TEXT,), size)
    raise TranscriptError(
        str(path), None, f"holds no transcript of a known format (record {first[0]} {first[1]})"
    )


def _spread_of(raw: RawRecord) -> Spread | None:
    return next((spread for spread in SPREAD if spread.fits(raw.data)), None)


def _transcripts(
    path: Path, source: _Source | None, on_progress: OnProgress
) -> Iterator[Transcript | TranscriptError]:
    source = source or _piped(path)
    if source.spread is not None:
        yield from _joined(path, source, source.spread, on_progress)
        return
    for raw in source.records:
        yield _read(path, raw, source.whole)
        on_progress(raw.end, source.size)


def _piped(path: Path) -> _Source:
    """A pipe, recognised by its first record: it can be read once only."""
    found = records(path)
    first = next(found, None)
    if first is None:
        raise TranscriptError(str(path), None, "is empty")
    return _Source(_chained(first, found), None if first.problem else _spread_of(first))


def _chained(first: RawRecord, others: Iterator[RawRecord]) -> Iterator[RawRecord]:
    yield first
    yield from others


def _joined(
    path: Path, source: _Source, spread: Spread, on_progress: OnProgress
) -> Iterator[Transcript | TranscriptError]:
    silent = True
    with Piles() as piles:
        for raw in source.records:
            if problem := _kept(piles, raw, spread):
                silent = False
                yield TranscriptError(str(path), raw.number, problem)
            on_progress(raw.end, source.size)
        for pile in piles:
            silent = False
            yield _conversation(path, pile, spread)
    if silent:
        yield TranscriptError(str(path), None, f"holds no conversation ({spread.name})")


def _kept(piles: Piles, raw: RawRecord, spread: Spread) -> str:
    """Keep what a record says; what is wrong with it, or ""."""
    if raw.problem:
        return raw.problem
    if not spread.fits(raw.data):
        return f"is not of this file's format ({spread.name})"
    try:
        for piece in spread.pieces(raw.data):
            piles.add(piece, raw.number)
    except RecordProblem as problem:
        return str(problem)
    except RecursionError:
        return "is nested too deeply"
    return ""


def _conversation(path: Path, pile: Pile, spread: Spread) -> Transcript | TranscriptError:
    if pile.problem:
        return TranscriptError(str(path), pile.record, pile.problem)
    try:
        return spread.join(pile.session, pile.pieces, Origin(pile.record, f"{path.stem}:{pile.record}"))
    except RecordProblem as problem:
        return TranscriptError(str(path), pile.record, f"begins a conversation that {problem}")
    except RecursionError:
        return TranscriptError(str(path), pile.record, "begins a conversation that is nested too deeply")


def _read(path: Path, raw: RawRecord, formats: tuple[Whole, ...]) -> Transcript | TranscriptError:
    if raw.problem:
        return TranscriptError(str(path), raw.number, raw.problem)
    try:
        found = next((known for known in formats if known.fits(raw.data)), formats[-1])
        return found.read(raw.data, Origin(raw.number, f"{path.stem}:{raw.number}"))
    except RecordProblem as problem:
        return TranscriptError(str(path), raw.number, str(problem))
    except RecursionError:
        return TranscriptError(str(path), raw.number, "is nested too deeply")
