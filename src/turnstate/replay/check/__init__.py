"""What a provider would refuse in a request, found by rules of its own: the planner's healing is not asked."""

from __future__ import annotations

from turnstate.replay.check.checker import Checker, faults

__all__ = ["Checker", "faults"]
