"""The planner: within the target or one clear error, complete about what left, stable until it must cut."""

from __future__ import annotations

from typing import Any

import pytest
from generators.histories import POISONED, conversations, record
from hypothesis import assume, given
from hypothesis import strategies as st

from core.context.test_validity import faults
from turnstate.core.context.budget import Budget
from turnstate.core.context.counting import Calibration
from turnstate.core.context.extractive import extract_summary
from turnstate.core.context.plan import EXCHANGES, Planning, plan
from turnstate.core.context.strategies import STRATEGIES
from turnstate.core.context.types import Excerpt, Inputs, NeedCount, NeedSummaries, Plan, Strategy
from turnstate.core.events import ModelResponded, Recorded, Span, SummaryWritten, Trace, TurnClosed, TurnOpened
from turnstate.core.history import History, fold
from turnstate.core.messages import text_response, user_message
from turnstate.errors import ContextTooLarge


def inputs(history: History, *, target: int, strategy: Strategy | str = "hybrid", **changes: Any) -> Inputs:
    """The inputs for the conversation's last turn."""
    given_: dict[str, Any] = {
        "history": history,
        "turn": history.turns[-1],
        "instructions": "Be brief.",
        "tools": "",
        "facts": "order_id: 12345",
        "update": "",
        "budget": Budget(target=target),
        "strategy": STRATEGIES[strategy] if isinstance(strategy, str) else strategy,
        "calibration": Calibration(),
    }
    return Inputs(**(given_ | changes))


def drive(planning: Planning, provider: int | None = None) -> tuple[Plan, list[Excerpt], int]:
    """Run a planning to its end with extractive summaries; returns the plan, the excerpts and the counts asked for."""
    excerpts: list[Excerpt] = []
    counts = 0
    try:
        need = next(planning)
        while True:
            if isinstance(need, NeedCount):
                counts += 1
                need = planning.send(provider)
            else:
                excerpts.extend(need.excerpts)
                need = planning.send(written(need))
    except StopIteration as end:
        return end.value, excerpts, counts


def written(need: NeedSummaries) -> tuple[SummaryWritten, ...]:
    """Extractive summaries of what the planner asked for."""
    return tuple(SummaryWritten(e.covers, extract_summary(e).text, "extractive", 1) for e in need.excerpts)


def long_chat(turns: int, words: int = 40) -> list[Recorded]:
    """A conversation of plain turns, the last one in flight."""
    events: list[list[Any]] = []
    for number in range(1, turns + 1):
        asked = TurnOpened(None, str(number), user_message(f"Question {number}: order {number}00{number}? " + "word " * words, 0))
        answered = ModelResponded("m", text_response(f"Answer {number}. " + "word " * words, 0), _trace())
        events.append([asked] if number == turns else [asked, answered, TurnClosed(None, Trace(1))])
    return record(events)


def _trace() -> Any:
    from generators.histories import trace  # noqa: PLC0415 - the one place that needs it

    return trace(1)


@given(conversations(POISONED), st.integers(60, 1_200), st.sampled_from(sorted(STRATEGIES)))
def test_every_plan_is_valid_and_within_its_target(events: list[Recorded], target: int, name: str) -> None:
    """Any strategy, any history: valid for every provider, and over the target only by an error with the sizes."""
    history = fold(events)
    try:
        planned, _, _ = drive(plan(inputs(history, target=target, strategy=name)))
    except ContextTooLarge as error:
        assert sum(error.sizes.values()) > 0
        assert name != "append"
        return
    assert faults(planned.messages) == []
    if name != "append":
        assert planned.count.best <= target
    assert planned.count.bound >= planned.count.estimate


@given(conversations(POISONED), st.integers(60, 900), st.sampled_from(sorted(STRATEGIES)))
def test_everything_is_kept_summarised_or_dropped(events: list[Recorded], target: int, name: str) -> None:
    """Coverage: each earlier turn is verbatim, in one summary, or named as dropped, and summaries saw whole turns."""
    history = fold(events)
    try:
        planned, excerpts, _ = drive(plan(inputs(history, target=target, strategy=name)))
    except ContextTooLarge:
        return
    newest = history.turns[-1].number
    kept = set(range(planned.cut.first, newest))
    summarised = {n for span in planned.summarised for n in range(span.first, span.last + 1)}
    dropped = {n for span in planned.dropped for n in range(span.first, span.last + 1)}
    assert kept | summarised | dropped == set(range(1, newest))
    assert not kept & summarised
    assert not kept & dropped
    assert not summarised & dropped
    read = [turn.number for excerpt in excerpts for turn in excerpt.turns]
    assert summarised <= set(read)
    assert len(read) == len(set(read))
    assert all(turn in history.turns for excerpt in excerpts for turn in excerpt.turns)


@given(conversations(POISONED))
def test_under_the_target_nothing_is_touched(events: list[Recorded]) -> None:
    """No summary, no cut, no line (known failures B13, B58)."""
    history = fold(events)
    assume(not history.cut.facts)
    planned, excerpts, _ = drive(plan(inputs(history, target=1_000_000)))
    assert excerpts == []
    assert planned.managed == ""
    assert planned.cut.first == 1


def test_the_line_says_what_was_done() -> None:
    """One line, in messages and tokens."""
    planned, _, _ = drive(plan(inputs(fold(long_chat(24)), target=2_000)))
    assert planned.managed.startswith("[context] ")
    assert "middle messages -> " in planned.managed
    assert planned.managed.endswith("verbatim")


def test_a_cut_is_deep() -> None:
    """After a cut a quarter of the target is free, so that the next turns need none."""
    planned, _, _ = drive(plan(inputs(fold(long_chat(40)), target=3_000)))
    assert planned.count.best <= 3_000 * 0.78


def test_hybrid_keeps_three_exchanges_and_the_opening() -> None:
    """However large they are, as long as they fit."""
    history = fold(long_chat(12, words=150))
    planned, _, _ = drive(plan(inputs(history, target=2_000)))
    assert history.turns[-1].number - planned.cut.first >= 3
    assert "Question 1:" in str(planned.messages[0])


def test_excerpts_have_at_most_ten_exchanges() -> None:
    """Every summarizer's input is bounded (known failures B31, B32)."""
    _, excerpts, _ = drive(plan(inputs(fold(long_chat(60)), target=2_000)))
    assert len(excerpts) > 1
    assert max(len(excerpt.turns) for excerpt in excerpts) == EXCHANGES


def test_summaries_that_are_on_record_are_not_asked_for_again() -> None:
    """A turn that was cut off after its summaries goes on with them."""
    events = long_chat(24)
    _, first, _ = drive(plan(inputs(fold(events), target=2_000)))
    done = [SummaryWritten(e.covers, extract_summary(e).text, "extractive", 1) for e in first]
    events += [Recorded("c", len(events) + 1 + i, 24, 0, event) for i, event in enumerate(done)]
    _, again, _ = drive(plan(inputs(fold(events), target=2_000)))
    assert again == []


def test_a_target_below_the_fixed_parts_is_one_clear_error() -> None:
    """No summarizer is called for what cannot fit (known failures B41, B46)."""
    with pytest.raises(ContextTooLarge) as caught:
        drive(plan(inputs(fold(long_chat(8)), target=30)))
    assert set(caught.value.sizes) == {"instructions and tools", "facts", "newest exchange"}


def test_append_goes_over_and_asks_for_nothing() -> None:
    """The baseline never cuts."""
    planned, excerpts, _ = drive(plan(inputs(fold(long_chat(24)), target=500, strategy="append")))
    assert planned.count.best > 500
    assert (excerpts, planned.cut.first) == ([], 1)


def test_the_provider_is_asked_only_when_estimate_and_bound_disagree() -> None:
    """Far below the target nobody counts."""
    history = fold(long_chat(4))
    assert drive(plan(inputs(history, target=100_000)))[2] == 0
    estimate = drive(plan(inputs(history, target=100_000)))[0].count.estimate
    planned, _, counts = drive(plan(inputs(history, target=estimate + 5)), provider=estimate + 1)
    assert (counts, planned.count.provider) == (1, estimate + 1)


def test_the_oldest_summaries_leave_first() -> None:
    """Summaries have their share of the target and no more (known failures B35, B38)."""
    history = fold(long_chat(200))
    planned, _, _ = drive(plan(inputs(history, target=2_000)))
    shown = [part for part in str(planned.messages[0]).split("<summary turns=")[1:]]
    assert shown
    assert planned.dropped == (Span(1, planned.cut.since - 1),)
