"""What an audit finds: what went wrong, in which turn, and the two places in the transcript that show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from turnstate.readers.transcript import Transcript

Speaker: TypeAlias = Literal["user", "assistant", "call", "tool"]
"""Who says what is quoted: the user, the assistant, the assistant in the arguments of a tool call, or a tool."""

FindingKind: TypeAlias = Literal[
    "value_changed", "value_left_out", "asked_again", "goal_left", "phase_regressed", "promise_open"
]
"""What went wrong: a value of the user's contradicted, or missing in a call; an answered question asked again; the agent
off the goal, or back in an earlier phase; something promised that never came."""


@dataclass(frozen=True, slots=True)
class Place:
    """A quote in a transcript.

    Attributes:
        turn: the turn's number, from 1; 0 for the greeting.
        speaker: whose words they are.
        quote: word for word as in the transcript; of a tool call, its name and arguments as JSON text.
        step: which response of the turn, from 1; 0 for the user's message and the greeting.
    """

    turn: int
    speaker: Speaker
    quote: str
    step: int = 0


@dataclass(frozen=True, slots=True)
class Finding:
    """One failure, with both places that show it.

    Attributes:
        kind: what went wrong.
        first: the earlier place: where the value was given, the question answered, the goal stated, the promise made.
        then: the later place: where the agent fails it.
        why: one sentence for a reader.
        sure: how sure the check is, from 0 to 1; comparable within a kind only.
        about: what it is about, as "date", "number of passengers" or a slot's name; "" where nobody can say.
    """

    kind: FindingKind
    first: Place
    then: Place
    why: str
    sure: float
    about: str = ""

    @property
    def turn(self) -> int:
        """The turn that fails."""
        return self.then.turn


Check: TypeAlias = Callable[[Transcript], Sequence[Finding]]
"""Looks at one transcript; pure, and calls nobody."""
