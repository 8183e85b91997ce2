"""From which turn on one way costs less than another for good, and what it costs until then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, Literal, TypeAlias

from turnstate.replay.measure.play import Spent
from turnstate.replay.measure.ways import APPEND, APPEND_EXTRACT, STATE, STATE_EXTRACT, Way

Measure: TypeAlias = Literal["tokens", "cost_usd", "cost_usd_cached"]
MEASURES: Final[tuple[Measure, ...]] = ("tokens", "cost_usd", "cost_usd_cached")

PAIRS: Final = (
    (APPEND, STATE),
    (APPEND_EXTRACT, STATE),
    (APPEND, STATE_EXTRACT),
    (APPEND_EXTRACT, STATE_EXTRACT),
)
"""What is held against what: re-deriving, and keeping state."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One way held against another, by what they have cost after each turn.

    Attributes:
        rederive: the way that re-derives.
        state: the way that keeps state.
        measure: what is compared.
        from_turn: the first turn after which state has cost less, and has after every later one; None if there is none.
        ahead: the most that state had cost more before that (before the end, where it does not win); 0 for never.
        ahead_at: after which turn that was; 0 for never.
        left: what re-deriving has cost in the end.
        right: what state has cost in the end.
        turns: how many turns there are.
    """

    rederive: str
    state: str
    measure: Measure
    from_turn: int | None
    ahead: Decimal
    ahead_at: int
    left: Decimal
    right: Decimal
    turns: int

    @property
    def outcome(self) -> Literal["wins", "loses", "draws"]:
        """What becomes of state in the end."""
        if self.from_turn is not None:
            return "wins"
        return "draws" if self.left == self.right else "loses"

    @property
    def share(self) -> float | None:
        """What state costs of what re-deriving does, in the end; None where that is nothing."""
        return float(self.right / self.left) if self.left else None

    def as_dict(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            "rederive": self.rederive,
            "state": self.state,
            "measure": self.measure,
            "outcome": self.outcome,
            "from_turn": self.from_turn,
            "most_more_before": _number(self.ahead),
            "most_more_after_turn": self.ahead_at,
            "rederive_total": _number(self.left),
            "state_total": _number(self.right),
            "share": None if self.share is None else round(self.share, 4),
        }


def amount(spent: Spent, measure: Measure) -> Decimal:
    """What was spent, by a measure."""
    match measure:
        case "tokens":
            return Decimal(spent.tokens)
        case "cost_usd":
            return spent.usd
        case "cost_usd_cached":
            return spent.usd_cached


def judge(rederive: Sequence[Decimal], state: Sequence[Decimal]) -> tuple[int | None, Decimal, int]:
    """From which turn on `state` is less for good, by how much it was more at most before, and after which turn.

    Args:
        rederive: what one way has cost after each turn.
        state: the same of the other.
    """
    more = [ours - theirs for theirs, ours in zip(rederive, state, strict=True)]
    start = len(more)
    while start and more[start - 1] < 0:
        start -= 1
    before = more[:start]
    ahead = max((*before, Decimal(0)))
    return (start + 1 if start < len(more) else None), ahead, (before.index(ahead) + 1 if ahead > 0 else 0)


def verdicts(played: dict[str, Way]) -> tuple[Verdict, ...]:
    """Every pair by every measure."""
    so_far = {name: way.cumulative() for name, way in played.items()}
    found: list[Verdict] = []
    for theirs, ours in PAIRS:
        for measure in MEASURES:
            left = [amount(spent, measure) for spent in so_far[theirs]]
            right = [amount(spent, measure) for spent in so_far[ours]]
            judged = judge(left, right)
            found.append(Verdict(theirs, ours, measure, *judged, left[-1], right[-1], len(left)))
    return tuple(found)


def _number(value: Decimal) -> float | int:
    return int(value) if value == value.to_integral_value() else round(float(value), 8)
