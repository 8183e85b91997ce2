"""What a doctor makes of one conversation, whatever the store."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.events import Erased, FactsLearned, Resumed, StateChanged, TurnOpened
from turnstate.core.messages import user_message
from turnstate.stores.codec import encode, encode_fact
from turnstate.stores.doctor import Chart, EventRow, Examination, FactRow, TurnRow
from turnstate.stores.rules import LONGEST_LEASE
from turnstate.testing.log_contract.story import AT, closed, fact, responded


def event(seq: int, turn: int, what: object) -> EventRow:
    """An event as it is kept."""
    encoded = encode(what)  # pyright: ignore[reportArgumentType]  # any event
    return EventRow(seq, turn, encoded.tag, encoded.version, encoded.body)


BODY = encode_fact(fact("city", "Oslo"))

HEALTHY = Chart(
    "t",
    "c",
    3,
    1,
    [
        event(1, 1, TurnOpened(None, "d", user_message("Hello", AT))),
        event(2, 1, responded()),
        event(3, 1, closed()),
    ],
    [TurnRow(1, 1, "closed")],
    [],
    1,
    [],
    lambda _: None,
    lambda turn, seq, words: False,
)


def found(chart: Chart, known: dict[str, int] | None = None) -> list[str]:
    """The kinds of what is found, in order."""
    examination = Examination(known)
    examination.look(chart)
    return [finding.kind for finding in examination.report("x", 1, 1).findings]


def test_nothing_is_wrong_with_a_healthy_conversation() -> None:
    """Of one closed turn."""
    assert found(HEALTHY) == []


@given(st.sets(st.integers(1, 30), max_size=12), st.integers(0, 30))
def test_every_missing_event_is_within_a_gap(seqs: set[int], head: int) -> None:
    """A gap is told wherever a number up to the head is missing, or one stands above it."""
    events = [event(seq, 0, Resumed("ann")) for seq in sorted(seqs)]
    chart = replace(HEALTHY, head=head, events=events, turns=[])
    assert ("gap" in found(chart)) == (seqs != set(range(1, head + 1)))


def test_what_was_erased_is_not_missing() -> None:
    """What stands before the tombstone may be gone, with the turns' messages; what stands behind it may not."""
    erased = event(9, 0, Erased("conversation", None, "r1"))
    turns = [TurnRow(1, 1, "closed"), TurnRow(2, 10, "closed")]
    assert found(replace(HEALTHY, head=9, events=[erased], turns=turns[:1])) == []
    assert found(replace(HEALTHY, head=9, events=[replace(erased, seq=0)], turns=[])) == []
    assert found(replace(HEALTHY, head=11, events=[erased], turns=turns)) == [
        "gap",
        "turn-without-message",
        "turn-without-end",
    ]


@given(st.sampled_from(["open", "paused", "failed", "closed"]), st.none() | st.just("w"), st.integers())
def test_a_lease_is_alive_or_it_is_told(status: str, holder: str | None, left: int) -> None:
    """An open turn has a live worker, and nobody's lease has lapsed; one from the future is none."""
    tags = {
        "turn-without-message",
        "turn-without-end",
        "turn-missing",
    }
    kinds = set(found(replace(HEALTHY, turns=[TurnRow(1, 1, status, holder, left)]))) - tags
    alive = holder is not None and 0 < left <= LONGEST_LEASE
    if holder is not None:
        assert kinds == (set() if alive else {"lapsed-lease"})
    else:
        assert kinds == ({"nobody-works"} if status == "open" else set())


def test_a_fact_needs_the_event_that_taught_it() -> None:
    """An event of another kind is none, and one that does not decode has been told already."""
    nothing = event(4, 1, FactsLearned("none", "rules", 1))
    chart = replace(HEALTHY, head=4, events=[*HEALTHY.events, nothing])
    assert found(replace(chart, facts=[FactRow(2, BODY)])) == ["fact-without-source"]
    assert found(replace(chart, facts=[FactRow(4, BODY)])) == ["fact-without-source"]
    broken = replace(nothing, body="{")
    assert found(replace(chart, events=[*HEALTHY.events, broken], facts=[FactRow(4, BODY)])) == [
        "undecodable"
    ]
    taught = event(4, 1, FactsLearned("learned", "rules", 1, (fact("city", "Oslo"),)))
    chart = replace(chart, events=[*HEALTHY.events, taught])
    assert found(replace(chart, facts=[FactRow(4, BODY)])) == []
    assert found(replace(chart, facts=[FactRow(4, "{")])) == ["undecodable"]


def test_the_newest_value_of_a_state_counts() -> None:
    """What an older value's version was does not matter any more."""
    older = event(4, 1, StateChanged("S", 2, "a", {}, {}))
    newer = event(5, 1, StateChanged("S", 1, "a", {}, {}))
    chart = replace(HEALTHY, head=5, events=[*HEALTHY.events, older, newer])
    assert found(chart, {"S": 1}) == []
    assert found(replace(chart, head=4, events=chart.events[:4]), {"S": 1}) == ["newer-state"]


def _lacking(_turn: int, _seq: int, _words: frozenset[str]) -> bool:
    return True


def test_words_that_the_index_lacks_are_told_once() -> None:
    """For each of the newest events that say something."""
    assert found(replace(HEALTHY, lacks=_lacking)) == ["search-index", "search-index"]
