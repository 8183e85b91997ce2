"""What a transcript reader gives: a recorded conversation as the turns that a history would hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from turnstate.core.history import Turn


class RecordProblem(ValueError):
    """A record that is no transcript; its message is the reason. `read_transcripts` makes a `TranscriptError` of it."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """One recorded conversation.

    Attributes:
        id: the record's own id, or the file's name and the record's number.
        record: the record's number in its file, from 1, blank lines not counted.
        instructions: the system text that stood before the first user message; "" where there was none.
        greeting: what the assistant said before the user said anything; "" where the user spoke first.
        tools: the tools that were offered, as recorded.
        turns: the exchanges, as `History.turns` would hold them; only the last one may be without a response.
        notes: what could not be kept as it was, one sentence each.
    """

    id: str
    record: int
    instructions: str
    greeting: str
    tools: tuple[dict[str, Any], ...]
    turns: tuple[Turn, ...]
    notes: tuple[str, ...] = ()

    @property
    def responses(self) -> int:
        """How many model responses it has."""
        return sum(len(turn.steps) for turn in self.turns)
