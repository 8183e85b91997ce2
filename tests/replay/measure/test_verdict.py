"""From which turn on state wins: always what the sums after each turn say."""

from __future__ import annotations

from decimal import Decimal
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.replay.measure.play import Spent
from turnstate.replay.measure.verdict import PAIRS, Verdict, amount, judge, verdicts
from turnstate.replay.measure.ways import WAYS, Way


def _sums(*costs: int) -> list[Decimal]:
    return [Decimal(cost) for cost in accumulate(costs)]


@pytest.mark.parametrize(
    ("rederive", "state", "expected"),
    [
        (_sums(1, 2, 3, 4), _sums(2, 2, 2, 2), (4, 1, 1)),
        (_sums(1, 2, 3), _sums(2, 2, 2), (None, 1, 1)),
        (_sums(3, 3), _sums(2, 2), (1, 0, 0)),
        (_sums(1, 1), _sums(1, 1), (None, 0, 0)),
        (_sums(1, 1, 9), _sums(2, 3, 1), (3, 3, 2)),
        (_sums(5, 1, 9), _sums(1, 9, 1), (3, 4, 2)),
    ],
)
def test_judging(
    rederive: list[Decimal], state: list[Decimal], expected: tuple[int | None, int, int]
) -> None:
    """Less for good counts, not less for once; a draw is no win."""
    assert judge(rederive, state) == expected


_COSTS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=30)


@given(_COSTS)
def test_the_verdict_is_what_the_sums_say(costs: list[tuple[int, int]]) -> None:
    """From its turn on state is less, after the turn before it is not, and nothing was more than the most."""
    rederive, state = _sums(*(left for left, _ in costs)), _sums(*(right for _, right in costs))
    start, ahead, at = judge(rederive, state)
    more = [ours - theirs for theirs, ours in zip(rederive, state, strict=True)]
    before = more if start is None else more[: start - 1]
    if start is None:
        assert more[-1] >= 0
    else:
        assert all(each < 0 for each in more[start - 1 :])
        assert start == 1 or more[start - 2] >= 0
    assert ahead == max((*before, Decimal(0)))
    assert (before[at - 1] == ahead) if at else ahead == 0


@given(_COSTS)
def test_every_pair_is_judged_by_every_measure(costs: list[tuple[int, int]]) -> None:
    """The outcome agrees with the totals; sums never fall."""
    theirs = Way(tuple(Spent(1, left, 1, Decimal(left), Decimal(1)) for left, _ in costs), 0, 0)
    ours = Way(tuple(Spent(1, right, 1, Decimal(right), Decimal(1)) for _, right in costs), 0, 0)
    found = verdicts({name: ours if name.startswith("state") else theirs for name in WAYS})
    assert len(found) == 3 * len(PAIRS)
    for verdict in found:
        left, right = amount(theirs.total, verdict.measure), amount(ours.total, verdict.measure)
        assert (verdict.left, verdict.right, verdict.turns) == (left, right, len(costs))
        assert verdict.outcome == ("wins" if right < left else "loses" if right > left else "draws")
    for way in (theirs, ours):
        sums = [spent.tokens for spent in way.cumulative()]
        assert sums == sorted(sums)
        assert way.cumulative()[-1] == way.total


def test_as_data() -> None:
    """Whole numbers as such; a share of nothing is none."""
    free = Verdict("append", "state", "cost_usd", None, Decimal(0), 0, Decimal(0), Decimal(0), 2)
    assert (free.outcome, free.share, free.as_dict()["share"]) == ("draws", None, None)
    data = Verdict("append", "state", "tokens", 3, Decimal(7), 2, Decimal(90), Decimal(30), 4).as_dict()
    assert (data["outcome"], data["most_more_before"], data["share"]) == ("wins", 7, 0.3333)
