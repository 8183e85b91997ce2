"""How far a list has been planned: the cut and the summaries so far, and as data for the next call."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple, cast

from turnstate.adapters.formats import Object, wrong
from turnstate.adapters.turns import SECOND
from turnstate.core.context.counting import estimate_text
from turnstate.core.events import Cut, Kept, Span, SummaryWritten
from turnstate.core.history import Summary
from turnstate.errors import SettingError

_VERSION = 2
_REMEMBERED = 4
_FIX = "Give the state of a call before for the same conversation, or None."

OTHER = "The state was of other messages than these and was not used."


class Request(NamedTuple):
    """A request of the conversation: the turn, and how many responses it already had."""

    turn: int
    steps: int


_FIRST = Request(1, 0)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What planning has come to.

    Attributes:
        cut: where the view stands.
        summaries: those that are in view, or whose values are.
        at: the newest request that was looked at.
        cuts: the requests of the last turns that were cut for.
    """

    cut: Cut = field(default_factory=Cut)
    summaries: tuple[Summary, ...] = ()
    at: Request = _FIRST
    cuts: tuple[Request, ...] = ()

    def after(self, cut: Cut, summaries: Sequence[Summary], at: Request) -> Checkpoint:
        """The checkpoint behind a cut."""
        oldest = min(cut.since, cut.values or cut.since)
        held = tuple(
            Summary(SECOND - 1, one.written) for one in summaries if one.written.covers.first >= oldest
        )
        cuts = tuple(request for request in self.cuts if request.turn > at.turn - _REMEMBERED)
        return Checkpoint(cut, held, at, (*cuts, at))


def digests(messages: Sequence[Object], family: str) -> list[str]:
    """What tells these messages from others: for none of them, for the first, for the first two, and so on.

    The marks of a prompt cache, which clients move, do not count.

    Raises:
        SettingError: a message is no JSON.
    """
    running = hashlib.sha256(family.encode())
    found = [running.hexdigest()]
    for index, message in enumerate(messages):
        plain = {**message, "content": _unmarked(message.get("content"))}
        try:
            text = json.dumps(plain, sort_keys=True, default=str, separators=(",", ":"))
        except (TypeError, ValueError, RecursionError) as error:
            raise wrong(index, "cannot be written as JSON") from error
        running.update(text.encode())
        found.append(running.hexdigest())
    return found


def _unmarked(content: object) -> object:
    if not isinstance(content, list):
        return content
    given = cast("list[Object]", content)
    return [{key: block[key] for key in block if key != "cache_control"} for block in given]


def read_state(state: Mapping[str, Any] | None, known: Sequence[str], notes: list[str]) -> Checkpoint | None:
    """The checkpoint of a call before; None where there was none, or for other messages.

    Args:
        state: what the call before gave, or nothing.
        known: the digests of the messages.
        notes: where a state that is not used is noted.

    Raises:
        SettingError: the state cannot be read.
    """
    if not state:
        return None
    try:
        seen = int(state["messages"])
        if state["version"] != _VERSION or not 0 < seen < len(known) or state["digest"] != known[seen]:
            notes.append(OTHER)
            return None
        return Checkpoint(
            _cut(state["cut"]),
            tuple(_decoded(given) for given in state["summaries"]),
            _request(state["at"]),
            tuple(_request(request) for request in state["cuts"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise SettingError("state", "cannot be read", _FIX) from error


def _cut(given: Mapping[str, Any]) -> Cut:
    cut = Cut(**given)
    whole = all(isinstance(given.get(key), int) for key in ("first", "since", "values", "cap"))
    if not whole or not 1 <= cut.since <= cut.first:
        raise ValueError("no cut")
    return cut


def _request(given: Sequence[int]) -> Request:
    turn, steps = map(int, given)
    return Request(turn, steps)


def written_state(reached: Checkpoint, known: Sequence[str]) -> Object:
    """The checkpoint as JSON data, for messages with these digests."""
    return {
        "version": _VERSION,
        "messages": len(known) - 1,
        "digest": known[-1],
        "cut": asdict(reached.cut),
        "at": list(reached.at),
        "cuts": [list(request) for request in reached.cuts],
        "summaries": [
            {
                "covers": [one.written.covers.first, one.written.covers.last],
                "text": one.written.text,
                "kept": [asdict(kept) for kept in one.written.kept],
            }
            for one in reached.summaries
        ],
    }


def _decoded(given: Mapping[str, Any]) -> Summary:
    kept = tuple(Kept(**one) for one in given["kept"])
    text = str(given["text"])
    covers = Span(*given["covers"])
    return Summary(SECOND - 1, SummaryWritten(covers, text, "extractive", estimate_text(text), kept=kept))
