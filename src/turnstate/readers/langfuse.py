"""Langfuse traces (v3) and observations (v2): generations, grouped by their session, else by their trace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from turnstate.readers.fields import Object, as_object, first, inner, items, moment_of, record_id, text
from turnstate.readers.scribe import Origin
from turnstate.readers.threads import Piece, checked, read_thread, run_of
from turnstate.readers.transcript import Transcript


def fits_langfuse(data: object) -> bool:
    """Whether a record is a trace or an observation."""
    around = inner(data)
    if "observations" in around:
        return True
    return ("traceId" in around and "type" in around) or ("htmlPath" in around and "input" in around)


def langfuse_pieces(data: object) -> list[Piece]:
    """What a trace or an observation says of conversations; a trace without generations says its own input and output.

    Raises:
        RecordProblem: it is neither.
    """
    around = as_object(data, "is")
    if "observations" not in around and "traceId" in around:
        return list(_observation(around, _session(around)))
    session = _session(around)
    inside = [inner(found) for found in items(around.get("observations"))]
    return [piece for found in inside for piece in _observation(found, session)] or [_spoken(around, session)]


def join_langfuse(session: str, pieces: Sequence[Any], origin: Origin) -> Transcript:
    """The conversation that the pieces make.

    Raises:
        RecordProblem: a message does not read, or the user said nothing.
    """
    return read_thread(checked(pieces), origin, session)


def _session(around: Object) -> str:
    return record_id(first(around, "sessionId", "session_id", "traceId", "id"))


def _observation(found: Object, session: str) -> Iterator[Piece]:
    if found.get("type") == "GENERATION":
        yield _spoken(found, session)


def _spoken(found: Object, session: str) -> Piece:
    at = moment_of(first(found, "startTime", "timestamp", "start_time"))
    ended = moment_of(first(found, "endTime", "end_time")) or at
    model = text(first(found, "model", "providedModelName"))
    return Piece(session, at or 0, run_of(found.get("input"), found.get("output"), model, ended))
