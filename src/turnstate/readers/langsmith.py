"""LangSmith runs: those of models, grouped by the thread of their metadata, else by their trace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from turnstate.readers.fields import Object, as_object, first, inner, items, moment_of, record_id, text
from turnstate.readers.scribe import Origin
from turnstate.readers.threads import Piece, checked, read_thread, run_of
from turnstate.readers.transcript import Transcript

_THREADS = ("thread_id", "session_id", "conversation_id")
_MODELS = {"llm", "chat_model"}


def fits_langsmith(data: object) -> bool:
    """Whether a record is a run."""
    return "run_type" in inner(data)


def langsmith_pieces(data: object) -> list[Piece]:
    """What a run and the runs inside it say of conversations; runs that no model made and a model's stand inside are silent.

    Raises:
        RecordProblem: it is no run.
    """
    return list(_pieces(as_object(data, "is"), ""))


def join_langsmith(session: str, pieces: Sequence[Any], origin: Origin) -> Transcript:
    """The conversation that the pieces make.

    Raises:
        RecordProblem: a message does not read, or the user said nothing.
    """
    return read_thread(checked(pieces), origin, session)


def _pieces(run: Object, outer: str) -> Iterator[Piece]:
    about = inner(inner(run.get("extra")).get("metadata"))
    session = record_id(first(about, *_THREADS)) or outer or record_id(first(run, "trace_id", "id"))
    within = [inner(child) for child in items(run.get("child_runs"))]
    if text(run.get("run_type")) in _MODELS:
        at = moment_of(run.get("start_time"))
        model = text(first(about, "ls_model_name")) or text(
            inner(inner(run.get("extra")).get("invocation_params")).get("model")
        )
        ended = moment_of(run.get("end_time"))
        yield Piece(session, at or 0, run_of(run.get("inputs"), run.get("outputs"), model, ended or at))
    for child in within:
        yield from _pieces(child, session)
