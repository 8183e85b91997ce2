"""`turnstate show`: the listing, the turns, one turn in full, every event."""

from __future__ import annotations

from cli.conftest import Run


def test_without_a_conversation_those_there_are_are_listed(run: Run, store: str) -> None:
    """Their ids, users, turns and times."""
    ran = run("show", "--store", store)
    assert ran.code == 0
    assert "visit-1" in ran.out
    assert "priya" in ran.out
    assert "empty" in ran.out
