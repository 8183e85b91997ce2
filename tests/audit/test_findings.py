"""A finding stands where the agent fails."""

from __future__ import annotations

from turnstate.audit.findings import Finding, Place


def test_a_finding_belongs_to_the_turn_that_fails() -> None:
    """Not to the one where the value was given."""
    found = Finding(
        "value_changed", Place(1, "user", "the 5th"), Place(3, "assistant", "the 6th", 1), "It changed.", 0.9
    )
    assert found.turn == 3
