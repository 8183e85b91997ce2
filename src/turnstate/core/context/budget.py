"""How many tokens a request may have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from turnstate.errors import BudgetError

RECALL = 0.25
"""How much of the target is for what is recalled: BM25 finds 87 % of what is asked for within 1,000 tokens and 91 % within
2,000, on ten very long conversations (measured on LoCoMo, Maharana et al. 2024)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The most tokens that a request should have, as a target or as a share of the model's window.

    `Budget(target=8_000)` trims for cost; `Budget(window=200_000, share=0.75)` for the wall. Bare numbers are refused:
    nobody remembers what they meant.

    Attributes:
        target: tokens of a whole request: instructions, tools and messages.
        window: the model's context window, in tokens; the target is `share` of it unless it is given too.
        share: how much of the window a request may fill, above 0 and at most 1.
        keep_recent: exchanges before the newest that stay verbatim wherever they fit.
        recall: how much of the target earlier exchanges may have that the newest message needs and that are no longer
            in view, from 0 (none) to 1.

    Raises:
        BudgetError: the numbers cannot work.
    """

    target: int = 0
    window: int | None = None
    share: float = 0.75
    keep_recent: int = 3
    recall: float = RECALL

    @property
    def recalled(self) -> int:
        """The most tokens of earlier exchanges that are brought back for one message."""
        return int(self.target * self.recall)

    def __post_init__(self) -> None:
        for name in ("target", "keep_recent"):
            _whole(name, getattr(self, name), 0)
        if self.window is not None:
            _whole("window", self.window, 1)
        if not _share(self.share) or self.share == 0:
            raise BudgetError(f"share={self.share!r} is not above 0 and at most 1")
        if not _share(self.recall):
            raise BudgetError(f"recall={self.recall!r} is not a share of the target, from 0 to 1")
        if self.window is None and self.target < 1:
            raise BudgetError("a budget needs a target, or a window and a share of it")
        if self.window is not None and self.target > self.window:
            raise BudgetError(f"target={self.target:,} is more than window={self.window:,}")
        if self.target == 0 and self.window is not None:
            object.__setattr__(self, "target", max(1, int(self.window * self.share)))


def _share(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, int | float) and 0 <= value <= 1


def _whole(name: str, value: Any, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise BudgetError(f"{name}={value!r} is not a whole number of at least {least}")
