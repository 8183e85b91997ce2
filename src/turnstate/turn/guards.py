"""Guards: what looks at a sentence of a reply before it is released."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, TypeVar

from turnstate.core.history import History, Turn
from turnstate.core.state import State

Mode: TypeAlias = Literal["off", "observe", "regenerate", "block"]
"""What an objection does: nothing; is recorded; has the sentence written once more; or keeps it from being sent."""

S = TypeVar("S", bound=State)


@dataclass(frozen=True, slots=True)
class View:
    """What a guard may look at.

    Attributes:
        history: the conversation.
        turn: the turn in flight.
        message: the user's newest message.
        state: gives the value of a state as the speaker read it.
        said: what of the reply has been let through before this sentence.
    """

    history: History
    turn: Turn
    message: str
    state: Callable[[type[State]], State]
    said: str = ""


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a sentence should not be sent as it is.

    Attributes:
        mode: what is to be done about it.
        reason: what is wrong, with what it was compared with; the model is told this when it writes again.
        instead: what is sent where the sentence is blocked; "" for nothing.
    """

    mode: Mode
    reason: str
    instead: str = ""


class Guard(Protocol):
    """Looks at one sentence at a time. Plain code: it runs while the reply is streamed."""

    @property
    def name(self) -> str:
        """Stands in the log."""
        ...

    def check(self, sentence: str, view: View) -> Objection | None:
        """What is to be said against a sentence, or None."""
        ...
