"""What a memo keeps, and for how long."""

from __future__ import annotations

from turnstate.replay.memo import Memo


def test_a_value_is_made_once_while_requests_hold_the_object() -> None:
    """By identity: an equal object is another one."""
    made: list[list[int]] = []

    def make(item: list[int]) -> int:
        made.append(item)
        return len(made)

    memo = Memo(make)
    item, equal = [1], [1]
    for _ in range(3):
        memo.turn_over()
        assert memo.of(item) == memo.of(item) == 1
    assert memo.of(equal) == 2


def test_what_the_last_request_did_not_hold_is_forgotten() -> None:
    """So that a long replay does not keep what it cut."""
    made: list[object] = []
    memo: Memo[object, int] = Memo(lambda item: made.append(item) or len(made))
    item = object()
    memo.of(item)
    memo.turn_over()
    memo.turn_over()
    assert memo.of(item) == 2
