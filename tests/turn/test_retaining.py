"""Which turns are old."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.history import Snapshot
from turnstate.ports import Kept, KeptEvent, KeptTurn
from turnstate.turn.retaining import old_turns

statuses = st.sampled_from(["closed", "closed", "failed", "open", "paused"])


def conversation(turns: list[tuple[int, str]], updated: int) -> Kept:
    """Turns with the time of their newest event and where they stand."""
    events = tuple(KeptEvent(n, n, at, "said", 1, "{}") for n, (at, _) in enumerate(turns, 1))
    kept = tuple(KeptTurn(n, n, status, None) for n, (_, status) in enumerate(turns, 1))
    return Kept("c", None, 0, updated, len(turns), len(turns), len(turns), events, kept, {}, Snapshot(1))


@given(st.lists(st.tuples(st.integers(0, 20), statuses), max_size=6), st.integers(0, 21))
def test_old_is_what_ended_before_up_to_the_first_that_did_not(
    turns: list[tuple[int, str]], before: int
) -> None:
    """The next one is young, has not ended, or is not there; then the whole conversation is old."""
    kept = conversation(turns, max((at for at, _ in turns), default=0))
    through, whole = old_turns(kept, before)
    assert all(at < before and status in {"closed", "failed"} for at, status in turns[:through])
    if through < len(turns):
        at, status = turns[through]
        assert at >= before or status in {"open", "paused"}
        assert not whole
    else:
        assert whole == (kept.updated < before)
