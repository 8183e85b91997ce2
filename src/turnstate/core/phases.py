"""Phases of a conversation: one step forward in a turn, back only for a reason, and never round and round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

HOPS: Final = 12
"""Changes of phase that a conversation may have, unless it says otherwise."""


@dataclass(frozen=True, slots=True)
class Move:
    """Where a conversation stands after a proposal.

    Attributes:
        phase: now; unknown phases count as the first one.
        moved: whether it is another one than before.
        reason: why it moved, or why it did not although another phase was proposed; "" where none was.
    """

    phase: str
    moved: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Path:
    """The phases of a conversation, in order.

    Attributes:
        phases: their names, at least one, each once.
        hops: changes of phase that a conversation may have; past them it stays where it is.

    Raises:
        ValueError: there are no phases, or two of one name.
    """

    phases: tuple[str, ...]
    hops: int = HOPS

    def __post_init__(self) -> None:
        if not self.phases or len(set(self.phases)) < len(self.phases):
            raise ValueError("a path needs phases, each with a name of its own")

    def stage(self, phase: str) -> str:
        """Where `phase` stands: "stage 2 of 4: qualification"."""
        at = self._place(phase)
        return f"stage {at + 1} of {len(self.phases)}: {self.phases[at]}"

    def after(self, phase: str) -> str:
        """The phase that follows; the last one follows itself."""
        return self.phases[min(self._place(phase) + 1, len(self.phases) - 1)]

    def move(
        self, phase: str, proposed: str, *, closed: Callable[[str], str], back: str = "", hops: int = 0
    ) -> Move:
        """Where the conversation stands when `proposed` has been looked at.

        Args:
            phase: where it stands.
            proposed: where somebody would have it; an unknown phase proposes nothing.
            closed: what keeps a phase from being entered, or "" where nothing does.
            back: the event that leads back, in words; "" where there was none.
            hops: changes of phase so far.

        Returns:
            At most one step forward; any number back, with the reason.
        """
        now = self._place(phase)
        here = self.phases[now]
        if proposed not in self.phases or proposed == here:
            return Move(here)
        if hops >= self.hops:
            return Move(here, reason=f"{hops} changes of phase are enough")
        if self.phases.index(proposed) < now:
            if not back:
                return Move(here, reason=f"nothing happened that leads back to {proposed}")
            return Move(proposed, moved=True, reason=back)
        following = self.phases[now + 1]
        if why := closed(following):
            return Move(here, reason=why)
        return Move(following, moved=True, reason=f"{here} is done")

    def _place(self, phase: str) -> int:
        return self.phases.index(phase) if phase in self.phases else 0
