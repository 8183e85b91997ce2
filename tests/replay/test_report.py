"""A report adds up, and becomes JSON data of a shape that does not change."""

from __future__ import annotations

import json
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from turnstate.replay.prices import prices
from turnstate.replay.probes import Probe, Unread
from turnstate.replay.report import (
    Invalid,
    Longest,
    Missed,
    Place,
    Refusal,
    Report,
    Row,
    Skipped,
    Tally,
    share,
)

COUNTS = st.integers(0, 10**6)
TALLIES = st.builds(
    Tally,
    requests=COUNTS,
    input_tokens=COUNTS,
    largest_request=COUNTS,
    over_target=COUNTS,
    invalid_requests=COUNTS,
    refused=COUNTS,
    cuts=COUNTS,
    summarizer_calls=COUNTS,
    summarizer_tokens=COUNTS,
    count_calls=COUNTS,
    output_tokens=COUNTS,
    cost_usd=st.decimals(0, 100, places=6),
    cost_usd_cached=st.decimals(0, 100, places=6),
    billed_input_tokens=st.decimals(0, 100, places=6),
    values_seen=COUNTS,
    values_in_view=COUNTS,
    recalls=COUNTS,
    probes=COUNTS,
    answers_in_view=COUNTS,
)


@given(a=TALLIES, b=TALLIES, c=TALLIES)
def test_tallies_add_in_any_order(a: Tally, b: Tally, c: Tally) -> None:
    """Nothing added changes nothing; the largest request is the largest of all."""
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert a + Tally() == a
    assert (a + b).largest_request == max(a.largest_request, b.largest_request)
    assert (a + b).requests == a.requests + b.requests


def test_the_json_shape_is_fixed() -> None:
    """What reads a report finds these keys, at this depth."""
    tally = Tally(
        requests=1,
        cost_usd=Decimal("0.1234567"),
        billed_input_tokens=Decimal("2.6"),
        following=3,
        repeating=2,
    )
    place = Place("c", 1, "hybrid", 2, 3)
    report = Report(
        prices=prices("offline"),
        target=6_000,
        strategies={"hybrid": tally},
        rows=(Row("c", 1, 4, {"hybrid": tally}, ("a note",)),),
        skipped=(Skipped(2, "is not JSON"),),
        refusals=(Refusal(place, 6_000, {"newest exchange": 7_000}),),
        invalid=(Invalid(place, ("A text is blank.",)),),
        longest=Longest(),
        missed=(Missed(Probe("c", "Where?", ("Rome", "Roma"), 7), "hybrid"),),
        unasked=(Unread(9, "is not JSON"),),
    )
    data = json.loads(json.dumps(report.as_dict()))
    where = {"conversation": "c", "record": 1, "strategy": "hybrid", "turn": 2, "round": 3}
    assert data["conversations"] == 1
    assert set(data["strategies"]["hybrid"]) >= {
        "requests",
        "input_tokens",
        "largest_request",
        "over_target",
        "invalid_requests",
        "summarizer_calls",
        "summarizer_tokens",
        "count_calls",
        "cost_usd",
        "cost_usd_cached",
        "values_seen",
        "values_in_view",
        "recalls",
        "recalled_tokens",
        "probes",
        "answers_in_view",
        "probe_input_tokens",
        "probes_with_recall",
    }
    assert data["strategies"]["hybrid"]["billed_input_tokens"] == 3
    assert data["strategies"]["hybrid"]["prefix_stable"] == 0.6667
    assert data["strategies"]["hybrid"]["cost_usd"] == 0.123457
    assert data["skipped"] == [{"record": 2, "reason": "is not JSON"}]
    assert data["refusals"] == [{**where, "target": 6_000, "sizes": {"newest exchange": 7_000}}]
    assert data["invalid"] == [{**where, "faults": ["A text is blank."]}]
    (missed,) = data["answers_missing"]
    assert missed == {
        "conversation": "c",
        "strategy": "hybrid",
        "line": 7,
        "question": "Where?",
        "answer": ["Rome", "Roma"],
    }
    assert data["probes_skipped"] == [{"line": 9, "reason": "is not JSON"}]
    (row,) = data["per_conversation"]
    assert (row["conversation"], row["record"], row["turns"], row["notes"]) == ("c", 1, 4, ["a note"])
    assert row["strategies"] == data["strategies"]


def test_a_share_of_nothing_is_unknown() -> None:
    """Never zero, and never all."""
    assert (share(0, 0), share(1, 3), share(3, 3)) == (None, 0.3333, 1.0)
