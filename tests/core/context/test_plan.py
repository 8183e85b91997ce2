"""The planner: within the target or one clear error, complete about what left, stable until it must cut."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.faults import faults
from generators.histories import (
    POISONED,
    append,
    approval,
    called,
    conversations,
    exchange,
    long_chat,
    opened,
    record,
    returned,
)
from generators.plans import Spoken, Telling, drive, inputs, planned, spoken_turns, summarised, tell
from generators.wire import ANTHROPIC, body
from turnstate.core.context.budget import Budget
from turnstate.core.context.counting import Calibration, size_head, size_messages, size_text
from turnstate.core.context.plan import EXCHANGES, SOURCE, excerpts, plan
from turnstate.core.context.strategies import STRATEGIES
from turnstate.core.context.types import Choice, NeedSummaries, Plan
from turnstate.core.events import Cut, Recorded, Span, SummaryWritten
from turnstate.core.history import fold
from turnstate.core.messages import user_text
from turnstate.errors import ContextTooLarge

names = st.sampled_from(sorted(STRATEGIES))


def numbers(spans: tuple[Span, ...]) -> list[int]:
    """The turns in spans."""
    return [number for span in spans for number in range(span.first, span.last + 1)]


def outcome(planning: Any) -> tuple[Plan | None, ContextTooLarge | None]:
    """The plan, or why there is none."""
    try:
        return drive(planning).plan, None
    except ContextTooLarge as error:
        return None, error


def text_of(plan: Plan) -> str:
    """All that a request says."""
    return str(plan.messages)


def blocks(plan: Plan) -> list[tuple[str, str]]:
    """The request as its provider reads it: each block's role and bytes, in order."""
    found: list[tuple[str, str]] = []
    for message in body(ANTHROPIC, plan.messages)["messages"]:
        content: Any = message["content"]
        found.extend(
            (message["role"], str(block)) for block in ([content] if isinstance(content, str) else content)
        )
    return found


@settings(max_examples=60)
@given(conversations(POISONED), st.integers(60, 1_200), names)
def test_every_plan_is_valid_and_within_its_target(events: list[Recorded], target: int, name: str) -> None:
    """Any strategy, any history: valid for every provider, and over the target only by an error with the sizes."""
    history = fold(events)
    try:
        found = planned(history, target, name).plan
    except ContextTooLarge:
        return
    assert faults(found.messages) == []
    if name != "append":
        assert found.count.best <= target
    sent = size_head("Be brief.", "") + size_messages(found.messages)
    assert found.count.raw == sent.estimate
    assert found.count.bound >= sent.bound
    assert found.count.bound >= found.count.estimate


@settings(max_examples=60)
@given(conversations(POISONED), st.integers(60, 900), names)
def test_everything_is_kept_summarised_or_dropped(events: list[Recorded], target: int, name: str) -> None:
    """Coverage: each earlier turn is verbatim, in one summary, or named as dropped, and summaries saw whole turns."""
    history = fold(events)
    try:
        driven = planned(history, target, name)
    except ContextTooLarge:
        return
    newest = history.turns[-1].number
    kept = list(range(driven.plan.cut.first, newest))
    left = [*kept, *numbers(driven.plan.summarised), *numbers(driven.plan.dropped)]
    assert sorted(left) == list(range(1, newest))
    read = [turn.number for excerpt in driven.excerpts for turn in excerpt.turns]
    assert set(numbers(driven.plan.summarised)) <= set(read)
    assert len(read) == len(set(read))
    assert all(turn in history.turns for excerpt in driven.excerpts for turn in excerpt.turns)


@settings(max_examples=40)
@given(conversations(POISONED))
def test_under_the_target_nothing_is_touched(events: list[Recorded]) -> None:
    """No summary, no cut, no line (known failures B13, B58)."""
    driven = planned(fold(events), 10_000_000)
    assert driven.excerpts == ()
    assert driven.plan.managed == ""
    assert (driven.plan.cut.first, driven.plan.dropped, driven.plan.summarised) == (1, (), ())


# A conversation told with its plans ----------------------------------------------------------------------------------


@settings(max_examples=40)
@given(
    spoken_turns(), st.integers(160, 700), names, st.sampled_from([0.0, 0.8, 1.5]), st.sampled_from([0, 1, 3])
)
def test_a_conversation_stays_within_its_target_and_forgets_nothing_unsaid(
    turns: list[Spoken], target: int, name: str, reported: float, keep_recent: int
) -> None:
    """Request after request: what is verbatim is there, what left is told once, nothing comes back, cuts go forward."""
    telling = Telling(target, name, reported, keep_recent)
    try:
        tell(turns, telling)
    except ContextTooLarge:
        return
    gone: set[int] = set()
    last = Cut()
    for history, sent in telling.sent:
        newest = history.last_turn
        assert sent.cut.first >= last.first
        assert sent.cut.since >= last.since
        assert name == "append" or sent.count.best <= target
        for number in range(1, newest + 1):
            shown = text_of(sent).count(f"U{number}. ")
            in_view = number >= sent.cut.first or (number == 1 and sent.cut.opening)
            assert shown >= 1 if in_view else shown <= 1
        covered = numbers(tuple(summary.written.covers for summary in history.summaries))
        assert not set(covered) & gone
        gone |= set(numbers(sent.dropped))
        assert gone == set(range(1, sent.cut.since)) | {n for n in gone if n < sent.cut.first}
        last = sent.cut


@settings(max_examples=25)
@given(spoken_turns(), st.integers(300, 900), st.sampled_from(["hybrid", "summarize", "truncate", "append"]))
def test_requests_share_their_beginning_until_a_cut(turns: list[Spoken], target: int, name: str) -> None:
    """Byte for byte, as the provider reads it, everything of a request is the beginning of the next one."""
    telling = Telling(target, name)
    try:
        tell(turns, telling)
    except ContextTooLarge:
        return
    for (_, before), (_, after) in itertools.pairwise(telling.sent):
        if before.cut == after.cut:
            assert blocks(after)[: len(blocks(before))] == blocks(before)


def test_what_changes_is_said_with_the_newest_message_only() -> None:
    """The update of one turn is not in the next, and nothing before it moved."""
    telling = Telling(4_000)
    telling.turn("U1. hello", facts="name: Priya")
    telling.turn("U2. and now", ("found",), update="order_id: 777")
    telling.turn("U3. and then", update="order_id: 888")
    first, second, third, fourth = (plan for _, plan in telling.sent)
    assert "order_id: 777" in text_of(second)
    assert blocks(third)[: len(blocks(second))] == blocks(second)
    assert "order_id: 777" not in text_of(fourth)
    assert blocks(fourth)[: len(blocks(first))] == blocks(first)
    assert "order_id: 888" in blocks(fourth)[-2][1]


@settings(max_examples=20)
@given(conversations(most=5), st.integers(200, 900), st.integers(1, 10**15))
def test_no_request_says_what_time_it_is(events: list[Recorded], target: int, later: int) -> None:
    """The same conversation at another time is the same request (known failure B110)."""
    moved = [Recorded(e.conversation, e.seq, e.turn, e.at + later, e.event) for e in events]
    try:
        assert blocks(planned(fold(events), target).plan) == blocks(planned(fold(moved), target).plan)
    except ContextTooLarge:
        return


def test_a_queued_message_is_not_seen_by_the_turn_before_it() -> None:
    """Messages that came later wait their turn, whatever the strategy does."""
    events = long_chat(12)
    append(events, 13, opened("QUEUED"))
    append(events, 14, opened("QUEUED too"))
    history = fold(events)
    for name in STRATEGIES:
        driven = planned(history, 600, name, turn=history.turn(12))
        assert "QUEUED" not in text_of(driven.plan) + str(driven.excerpts)
        assert "Question 12" in text_of(driven.plan)


# What a cut does -----------------------------------------------------------------------------------------------------


def test_the_line_says_what_was_done() -> None:
    """One line, in messages and tokens."""
    found = planned(fold(long_chat(24)), 2_000).plan
    assert found.managed.startswith("[context] ")
    assert "middle messages -> " in found.managed
    assert found.managed.endswith("verbatim")
    assert "dropped 34 oldest messages" in planned(fold(long_chat(24)), 1_000, "truncate").plan.managed


def test_the_line_counts_the_summaries_of_this_cut() -> None:
    """Not those of the cuts before it, which are in view as well."""
    telling = tell([Spoken("Please ship it to 55 Elm St. " * 6)] * 40, Telling(800))
    lines = [(sent, history) for history, sent in telling.sent if sent.managed]
    assert len(lines) > 2
    for sent, history in lines:
        new = [
            event.event.text
            for event in telling.events
            if isinstance(event.event, SummaryWritten) and event.turn == history.last_turn
        ]
        tokens = sum(size_text(text).estimate for text in new)
        assert f"-> {tokens} tokens;" in sent.managed


def test_the_line_counts_summaries_that_were_on_record() -> None:
    """A turn that goes on with the summaries of the attempt before says so, and not that it dropped them."""
    events = long_chat(24)
    first = planned(fold(events), 2_000)
    append(events, 24, *first.written)
    assert planned(fold(events), 2_000).plan.managed == first.plan.managed


def test_a_cut_is_deep() -> None:
    """After a cut a quarter of the target is free, so that the next turns need none."""
    assert planned(fold(long_chat(40)), 3_000).plan.count.best <= 3_000 * 0.78


def test_hybrid_keeps_three_exchanges_and_the_opening() -> None:
    """However large they are, as long as they fit."""
    history = fold(long_chat(12, words=150))
    found = planned(history, 2_000).plan
    assert history.turns[-1].number - found.cut.first >= 3
    assert "Question 1:" in str(found.messages[0])


def test_excerpts_are_bounded_and_whole() -> None:
    """At most ten exchanges and some thousand tokens for one summarizer; a larger exchange alone (B31, B32)."""
    assert max(len(e.turns) for e in planned(fold(long_chat(60)), 2_000).excerpts) == EXCHANGES
    turns = fold(
        record([exchange("short", "short"), exchange("x " * SOURCE * 3, "huge"), exchange("a", "b")])
    ).turns
    assert [e.covers for e in excerpts(turns, 2_000)] == [Span(1, 1), Span(2, 2), Span(3, 3)]
    long = fold(long_chat(60, words=1_000)).turns
    sizes = [
        size_messages(m for turn in e.turns for m in turn.messages()).estimate for e in excerpts(long, 2_000)
    ]
    assert max(sizes) <= SOURCE


def test_summaries_that_are_on_record_are_not_asked_for_again() -> None:
    """A turn that was cut off after its summaries goes on with them."""
    events = long_chat(24)
    first = planned(fold(events), 2_000)
    append(events, 24, *first.written)
    again = planned(fold(events), 2_000)
    assert again.excerpts == ()
    assert again.plan.messages == first.plan.messages


def test_the_oldest_summaries_leave_first() -> None:
    """Summaries have their share of the target and no more (known failures B35, B38)."""
    found = planned(fold(long_chat(200)), 2_000).plan
    assert "<summary turns=" in str(found.messages[0])
    assert found.dropped == (Span(1, found.cut.since - 1),)


def test_the_newest_summary_is_shown_where_the_target_is_small() -> None:
    """What was asked for is not thrown away for its share alone, as long as it fits."""
    driven = planned(fold(long_chat(12, words=5)), 250)
    assert driven.written
    assert driven.written[-1].text in user_text(driven.plan.messages[0])


@pytest.mark.parametrize("answered", [0, 1, 5])
def test_a_summarizer_may_answer_less_or_more_than_it_was_asked(answered: int) -> None:
    """What no summary covers is named as dropped; what was not asked for is not shown."""

    def answer(need: NeedSummaries) -> tuple[SummaryWritten, ...]:
        foreign = tuple(SummaryWritten(Span(20 + n, 40 + n), "FOREIGN", "m", 1) for n in range(5))
        return (*summarised(need), *foreign)[:answered]

    history = fold(long_chat(24, words=20))
    driven = drive(plan(inputs(history, target=700)), answer=answer)
    found = driven.plan
    left = sorted([*range(found.cut.first, 24), *numbers(found.summarised), *numbers(found.dropped)])
    assert left == list(range(1, 24))
    assert "FOREIGN" not in text_of(found)
    assert bool(found.summarised) == bool(answered)


def test_a_blank_summary_stands_for_nothing() -> None:
    """A skeleton in the place of turns hides that they are gone (S62)."""

    def blank(need: NeedSummaries) -> tuple[SummaryWritten, ...]:
        return tuple(SummaryWritten(e.covers, " \n", "m", 1) for e in need.excerpts)

    found = drive(plan(inputs(fold(long_chat(24)), target=1_000)), answer=blank).plan
    assert "<summary" not in text_of(found)
    assert (found.summarised, found.dropped) == ((), (Span(1, found.cut.first - 1),))
    assert "oldest messages" in found.managed


# What never leaves ---------------------------------------------------------------------------------------------------


def test_a_target_below_the_fixed_parts_is_one_clear_error() -> None:
    """No summarizer is called for what cannot fit (known failures B41, B46)."""
    history = fold(long_chat(8))
    for target in (1, 30, 63):
        with pytest.raises(ContextTooLarge) as caught:
            next(plan(inputs(history, target=target)))
        assert set(caught.value.sizes) == {"instructions and tools", "newest exchange"}
        assert sum(caught.value.sizes.values()) > target
    assert planned(history, 64).plan.count.best == 64


@settings(max_examples=40)
@given(conversations(POISONED, most=5), st.sampled_from(["hybrid", "summarize", "truncate"]))
def test_the_error_comes_only_where_the_newest_exchange_does_not_fit(
    events: list[Recorded], name: str
) -> None:
    """With room for instructions and the newest exchange there is a plan: all else gives way, facts as well."""
    history = fold(events)
    alone = record([[recorded.event for recorded in events if recorded.turn == history.turns[-1].number]])
    least = planned(fold(alone), 10_000_000, facts="").plan.count.estimate
    assert planned(history, least, name, facts="x" * 50).plan.count.best <= least
    for target in (least - 1, least // 2, least // 4):
        planning = plan(inputs(history, target=max(1, target), strategy=name, facts=""))
        found, error = outcome(planning)
        # There is a plan only where a long text could be shortened.
        assert (found is None) or (found.cut.cap > 0 and found.count.best <= target)
        assert (error is None) or sum(error.sizes.values()) > target


def test_the_turn_in_flight_is_never_split() -> None:
    """All its rounds are there, the results of its tools too, however large (known failures B05, B26)."""
    events = long_chat(10)
    append(
        events, 10, called("a"), returned("a", "first " * 80), called("b", "c"), returned("b"), returned("c")
    )
    found = planned(fold(events), 400, budget=Budget(target=400, keep_recent=0)).plan
    assert [type(message).__name__ for message in found.messages[-4:]] == [
        "ModelResponse",
        "ModelRequest",
        "ModelResponse",
        "ModelRequest",
    ]
    assert "Question 10" in str(found.messages[-5])


@pytest.mark.parametrize("name", ["hybrid", "summarize", "truncate"])
def test_a_call_that_waits_for_a_person_stays_in_view(name: str) -> None:
    """Pending is not resolved: the exchange stays until it is answered (known failures B16, B17)."""
    waiting = [opened("Please refund order 55"), called("pay"), *approval("pay")]
    events = record(
        [exchange("hi " * 30, "hello"), waiting, *[exchange(f"chat {n} " * 20, "ok") for n in range(20)]]
    )
    append(events, 23, opened("And?"))
    found = planned(fold(events), 1_300, name).plan
    assert found.cut.first <= 2
    assert "Please refund order 55" in text_of(found)
    with pytest.raises(ContextTooLarge) as caught:
        planned(fold(events), 300, name)
    assert "exchanges since a call that waits for a person" in caught.value.sizes
    append(events, 2, *approval("pay", answered=True)[1:], returned("pay", ours="ours_pay"))
    assert planned(fold(events), 300, name).plan.cut.first > 2


def test_everything_else_gives_way_before_a_waiting_call_does() -> None:
    """The opening request and the facts leave first."""
    waiting = [opened("Please refund order 55"), called("pay"), *approval("pay")]
    events = record([exchange("OPENING " * 100, "hello"), waiting, [opened("And?")]])
    found = planned(fold(events), 90, facts="note: " + "x " * 30).plan
    assert (found.cut.first, found.cut.opening) == (2, False)
    assert "OPENING" not in text_of(found)


def test_what_gives_way_first_when_room_is_short() -> None:
    """Summaries, then exchanges, then the opening request, then the facts."""
    history = fold(long_chat(30))
    seen: list[tuple[bool, int, bool, bool]] = []
    for target in range(110, 700, 10):
        cut = planned(history, target, "hybrid").plan.cut
        seen.append((cut.since < cut.first, 30 - cut.first, cut.opening, cut.facts != ""))
    assert seen == sorted(seen, key=lambda s: (s[3], s[2], min(s[1], 3), s[0]))
    assert len(set(seen)) > 4


def test_a_huge_message_is_shown_shortened() -> None:
    """A text of megabytes fails no turn, not even its own, and what stands around it stays (known failure B68)."""
    events = record([exchange("hi", "hello"), exchange("look " * 200_000, "done"), [opened("next")]])
    for upto in (2, 3):
        found = planned(fold([event for event in events if event.turn <= upto]), 1_000, reader=True).plan
        assert found.cut.first == 1
        assert 400 < found.count.best <= 1_000
        assert 'of 1,000,000 characters are not shown here; recall(handle="2.0"' in text_of(found)
        assert " tok > 1,000: long texts shortened to 250 tokens; kept last" in found.managed


# Strategies of the user's own ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("keep", [-5, 0, 1, 7, 10**9])
@pytest.mark.parametrize("summarise", [True, False])
def test_a_strategy_that_asks_for_nonsense_gets_what_is_possible(keep: int, summarise: bool) -> None:
    """Fewer than none is none, more than all is all, and the target holds all the same."""
    history = fold(long_chat(12))
    found = planned(history, 500, lambda room: Choice(keep, summarise=summarise, opening=False)).plan
    assert found.count.best <= 500
    assert 12 - found.cut.first == max(0, min(keep, 12 - found.cut.first))
    assert "Question 12:" in text_of(found)


def test_a_strategy_sees_the_room_that_there_is() -> None:
    """Sizes in the provider's tokens, the exchanges oldest first, and how many of them should stay."""
    rooms: list[Any] = []

    def watching(room: Any) -> Choice:
        rooms.append(room)
        return Choice(keep=0)

    budget = Budget(target=500, keep_recent=2)
    planned(fold(long_chat(12)), 500, watching, budget=budget, calibration=Calibration(2.0, known=True))
    room = rooms[0]
    assert rooms == [room, room]
    assert [exchange.turn for exchange in room.exchanges] == list(range(1, 12))
    assert {exchange.messages for exchange in room.exchanges} == {2}
    assert (room.target, room.keep_recent) == (500, 2)
    assert room.total > 500
    plain = planned(fold(long_chat(12)), 10_000).plan.count.raw
    assert abs(room.total - 2 * plain) < 40


def test_append_goes_over_and_asks_for_nothing() -> None:
    """The baseline never cuts."""
    driven = planned(fold(long_chat(24)), 500, "append")
    assert driven.plan.count.best > 500
    assert (driven.excerpts, driven.plan.cut.first) == ((), 1)


# The provider's count ------------------------------------------------------------------------------------------------


def test_the_provider_is_asked_only_when_estimate_and_bound_disagree() -> None:
    """Far below the target nobody counts."""
    history = fold(long_chat(4))
    assert planned(history, 100_000).counted == ()
    estimate = planned(history, 100_000).plan.count.estimate
    driven = drive(plan(inputs(history, target=estimate + 5)), provider=estimate + 1)
    assert (len(driven.counted), driven.plan.count.provider) == (1, estimate + 1)
    assert driven.counted[0] == driven.plan.messages


def test_a_provider_that_counts_more_is_believed_after_the_cut_too() -> None:
    """A plan that fits by our estimate and not by the provider's count does not fit."""
    history = fold(long_chat(12))
    estimate = planned(history, 100_000).plan.count.estimate
    for name in ("hybrid", "truncate", "summarize"):
        driven = drive(plan(inputs(history, target=estimate + 5, strategy=name)), provider=estimate * 2)
        assert driven.plan.count.raw * 2 <= estimate + 6


@pytest.mark.parametrize("answer", [0, -3, None])
def test_a_count_of_nothing_is_no_count(answer: int | None) -> None:
    """A counter that fails or says zero leaves the estimate (known failures B64, B65)."""
    history = fold(long_chat(4))
    estimate = planned(history, 100_000).plan.count.estimate
    found = drive(plan(inputs(history, target=estimate + 5)), provider=answer).plan
    assert (found.count.provider, found.count.best) == (None, estimate)


def test_planning_costs_what_is_in_view() -> None:
    """The turns that left the view are not in the history that is planned, after any number of turns."""
    telling = tell([Spoken("Please ship it to 55 Elm St. " * 6)] * 60, Telling(800))
    assert max(len(history.turns) for history, _ in telling.sent) < 16
    assert max(len(history.summaries) for history, _ in telling.sent) < 4
