"""What `turnstate export` writes: a header and one recorded event on each line; and a history as a transcript."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from turnstate.core.history import History
from turnstate.core.messages import ToolCallPart
from turnstate.readers.fields import Object, as_object, inner, is_list, items, moment_of, record_id, text
from turnstate.readers.scribe import Entry, Origin, tool_call, transcribe
from turnstate.readers.threads import Piece
from turnstate.readers.transcript import RecordProblem, Transcript

_MOST = 2**53
_SPOKEN = {"turn-opened", "model-responded", "tool-returned", "turn-closed"}


def transcript_of(history: History, record: int = 1) -> Transcript:
    """A history as a transcript, for conversations that are read from a store.

    Args:
        history: the fold of a conversation's events.
        record: its number among those that are read, from 1.
    """
    turns = tuple(turn for turn in history.turns if turn.steps or turn is history.turns[-1])
    return Transcript(history.conversation, record, "", "", (), turns)


def fits_own_log(data: object) -> bool:
    """Whether a record is the header of an export, or an event of one."""
    around = inner(data)
    return "turnstate" in around or ("tag" in around and "seq" in around and "conversation" in around)


def own_log_pieces(data: object) -> list[Piece]:
    """What an event says of its conversation; events that nobody said are silent.

    Raises:
        RecordProblem: its body is no JSON object.
    """
    event = as_object(data, "is")
    if text(event.get("tag")) not in _SPOKEN:
        return []
    seq, turn = event.get("seq"), event.get("turn")
    if not (isinstance(seq, int) and isinstance(turn, int) and 0 <= seq < _MOST and 0 <= turn < _MOST):
        raise RecordProblem("has a 'seq' or 'turn' that is no number of an event")
    body = _body(event.get("body"))
    at = event.get("at")
    kept = {"tag": event["tag"], "turn": turn, "at": at if isinstance(at, int) and moment_of(at) else None}
    return [Piece(record_id(event.get("conversation")), seq, kept | {"body": body})]


def join_own_log(session: str, pieces: Sequence[Any], origin: Origin) -> Transcript:
    """The conversation that the events make: what was asked, called, returned and, in the end, replied.

    Raises:
        RecordProblem: a call has no name, or the user said nothing.
    """
    turns: dict[int, list[Object]] = {}
    for piece in pieces:
        event = inner(piece)
        turns.setdefault(event["turn"], []).append(event)
    return transcribe((entry for turn in sorted(turns) for entry in _turn(turns[turn])), origin, session)


def _body(body: object) -> Object:
    if isinstance(body, str):
        try:
            body = json.loads(body, strict=False)
            if "escaped" in inner(body):
                body = json.loads(_unescaped(text(inner(body)["escaped"])), strict=False)
        except (ValueError, RecursionError) as error:
            raise RecordProblem(f"has a body that is not JSON ({error})") from None
    return as_object(body, "has a body that is")


def _unescaped(body: str) -> str:
    """Text in which each backslash, NUL and lone surrogate stands as a backslash and four digits, as it was."""
    head, *rest = body.split("\\")
    return head + "".join(chr(int(part[:4], 16)) + part[4:] for part in rest)


def _turn(events: Sequence[Object]) -> Iterator[Entry]:
    """A turn as the user saw it: of the responses, those that call tools, and the one that is the reply."""
    replies = [text(event["body"].get("reply")) for event in events if event["tag"] == "turn-closed"]
    reply = replies[-1] if replies else None
    shown = False
    for event in events:
        body, at = inner(event["body"]), event["at"]
        match event["tag"]:
            case "turn-opened":
                yield Entry("user", tuple(_said(inner(body.get("message")))) or ("",), at=at)
            case "model-responded":
                response = inner(body.get("response"))
                said = "".join(_texts(response))
                calls = tuple(_calls(response))
                shown = shown or said == reply
                if calls or reply is None or said == reply:
                    yield Entry("assistant", (said,), calls, at=at, model=text(body.get("model")))
            case "tool-returned":
                result = inner(body.get("result"))
                yield Entry(
                    "tool",
                    result=result.get("content"),
                    call_id=text(result.get("tool_call_id")),
                    tool=text(result.get("tool_name")),
                    at=at,
                )
            case _:
                if reply and not shown:
                    yield Entry("assistant", (reply,), at=at)


def _said(message: Object) -> Iterator[str]:
    for part in items(message.get("parts")):
        content = inner(part).get("content")
        for piece in content if is_list(content) else [content]:
            if isinstance(piece, str):
                yield piece
            elif kind := text(inner(piece).get("kind")):
                yield f"({kind})"


def _texts(response: Object) -> Iterator[str]:
    for part in items(response.get("parts")):
        if inner(part).get("part_kind") == "text":
            yield text(inner(part).get("content"))


def _calls(response: Object) -> Iterator[ToolCallPart]:
    for part in map(inner, items(response.get("parts"))):
        if part.get("part_kind") == "tool-call":
            yield tool_call(text(part.get("tool_name")), part.get("args"), text(part.get("tool_call_id")))
