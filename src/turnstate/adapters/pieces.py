"""A message on its way: the caller's own dict, or a copy that was repaired, and where it came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from turnstate.adapters.formats import Object
from turnstate.core.context.validity import EMPTY

ORPHAN = "A tool result without its call was left out."
MISSING = "A call without a result was answered as interrupted."
BLANK = "A blank text was left out."
JOINED = "Messages of one role that stood in a row were joined."
BEFORE = "What stood before the first user message was left out."
SILENT = "An answer without words or calls was left out."
TWICE = "A call that stood twice in one response was left out."
RENAMED = "A tool call id that was not unique or not sendable was renamed."
MOVED = "A tool result was moved behind its call."
EMPTIED = "A message without any content was replaced by one that says so."
ENDED = "The messages ended with the assistant; an empty user message was added."
ALONE = "A call on the provider's side, or its result, stood alone and was left out."
MISPLACED = "A block that only the other role may send was left out."


@dataclass(frozen=True, slots=True)
class Piece:
    """One message to send.

    Attributes:
        message: the dict; the caller's own where nothing had to be repaired.
        sources: which of the caller's messages it holds.
    """

    message: Object
    sources: tuple[int, ...] = ()


def with_open_end(pieces: Sequence[Piece], notes: list[str]) -> list[Piece]:
    """`pieces`, with an empty message of the user's behind them where they end with an answer."""
    talk = [piece for piece in pieces if piece.message["role"] in ("user", "assistant", "tool")]
    if not talk or talk[-1].message["role"] != "assistant":
        return list(pieces)
    notes.append(ENDED)
    return [*pieces, Piece({"role": "user", "content": EMPTY})]
