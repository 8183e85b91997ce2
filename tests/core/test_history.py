"""The fold: pairing by turn, forgetting what left the view, and the snapshot that gives the same history again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.histories import (
    CONVERSATION,
    POISONED,
    append,
    approval,
    called,
    conversations,
    exchange,
    opened,
    record,
    returned,
    said,
)
from generators.plans import Spoken, Telling, spoken_turns, tell
from turnstate.core.events import (
    Asked,
    ConversationOpened,
    Cut,
    Erased,
    Event,
    FactsLearned,
    GuardActed,
    HandedOff,
    Question,
    Recorded,
    Resumed,
    Said,
    Span,
    StateChanged,
    SummaryWritten,
    ToolCalled,
    Trace,
    TurnClosed,
    TurnFailed,
    TurnPinned,
)
from turnstate.core.history import WAITING, Call, History, Snapshot, fold
from turnstate.core.messages import ModelRequest, response_text, result_text


def plain(count: int) -> list[list[Event]]:
    """Turns of a question and an answer."""
    return [exchange(f"q{n}", f"a{n}") for n in range(1, count + 1)]


def summary(first: int, last: int) -> SummaryWritten:
    """A summary of some turns."""
    return SummaryWritten(Span(first, last), f"summary of {first}-{last}", "extractive", 4)


def reload(events: list[Recorded], snapshot: Snapshot) -> History:
    """The history from the events that a snapshot names."""
    return fold([event for event in events if event.seq >= snapshot.first or event.seq in snapshot.keep])


@given(conversations(POISONED), st.integers(0, 60))
def test_folding_in_two_parts_is_folding_at_once(events: list[Recorded], at: int) -> None:
    """The history so far and the rest of the events give what all events give."""
    assert fold(events[at:], fold(events[:at])) == fold(events)


@given(conversations(POISONED))
def test_folding_events_again_changes_nothing(events: list[Recorded]) -> None:
    """An event that was folded is skipped."""
    assert fold(events, fold(events)) == fold(events)


# Snapshots -----------------------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(spoken_turns(), st.integers(160, 500), st.sampled_from(["hybrid", "summarize", "truncate"]), st.data())
def test_a_snapshot_gives_the_same_history_then_and_later(
    turns: list[Spoken], target: int, name: str, data: st.DataObject
) -> None:
    """Whatever was cut: the events that it names, and all that came since, fold to the history of the whole log."""
    telling = tell(turns, Telling(target, name))
    events = telling.events
    for late in data.draw(st.lists(st.integers(1, len(turns)), max_size=2)):
        append(events, len(turns), summary(late, late), StateChanged("Memory", 1, "agent", late, late))
    append(events, len(turns) + 1, opened("next"))
    taken = data.draw(st.integers(1, len(events)))
    read = data.draw(st.integers(taken, len(events)))
    snapshot = fold(events[:taken]).snapshot()
    history = fold(events[:read])
    assert reload(events[:read], snapshot) == history
    assert reload(events[:read], history.snapshot()) == history
    assert reload(events[:read], history.snapshot()).snapshot() == history.snapshot()


def test_a_snapshot_is_bounded() -> None:
    """It names what is in view and little else, after any number of turns."""
    telling = tell([Spoken("Please ship it to 55 Elm St. " * 6)] * 40, Telling(600))
    snapshot = telling.history.snapshot()
    assert len(snapshot.keep) < 8
    assert snapshot.first > len(telling.events) - 50


def test_a_snapshot_keeps_what_still_counts() -> None:
    """Who the user is, what was first asked, the newest states, a person's presence and the summaries in view."""
    events = record([*plain(3), [opened("q4"), StateChanged("Memory", 1, "a", 1, 1)]], user="priya")
    append(
        events,
        4,
        StateChanged("Memory", 1, "a", 2, 2),
        HandedOff("upset"),
        summary(1, 3),
        said("a4", Cut(4, 1)),
        Asked((Question("budget", "What is your budget?"),)),
        TurnClosed(None, Trace(1)),
    )
    append(events, 5, opened("q5"), StateChanged("Memory", 1, "a", 3, 3), said("a5", Cut(5, 1)))
    history = fold(events)
    again = reload(events, history.snapshot())
    assert again == history
    states = [(held.name, held.value) for held in again.states]
    assert (again.user, states, bool(again.handed_off), len(again.summaries)) == (
        "priya",
        [("Memory", 2)],
        True,
        1,
    )
    assert [put.question.key for put in again.asked] == ["budget"]
    assert again.opening is not None
    assert again.opening.number == 1


def test_a_state_takes_effect_when_its_turn_closes() -> None:
    """Until then it belongs to the turn; a turn that fails keeps it for its retry."""
    events = record([*plain(1), [opened("q2"), StateChanged("Memory", 1, "a", 1, 1)]])
    history = fold(events)
    assert (history.states, [held.value for held in history.turns[-1].changed]) == ((), [1])
    append(events, 2, TurnFailed("model", "no answer", retry=True), opened("q2"), said("a2"))
    assert fold(events).states == ()
    append(events, 2, TurnClosed(None, Trace(1)))
    assert [(held.name, held.value, held.turn) for held in fold(events).states] == [("Memory", 1, 2)]


def test_what_a_guard_stopped_is_no_part_of_the_conversation() -> None:
    """Later requests show what the user saw."""
    turn = [opened("q"), said("Hello. What is your budget? Bye.")]
    act = GuardActed("asked", "regenerate", "rewritten", "What is your budget?", "Noted.", "asked in turn 1")
    gone = GuardActed("values", "block", "blocked", "Bye.", "", "not on record")
    flag = GuardActed("values", "observe", "flagged", "Hello.", "Hello.", "not on record")
    events = record([[*turn, act, gone, flag, TurnClosed("Hello. Noted.", Trace(1))]])
    (seen,) = fold(events).turns
    assert response_text(seen.steps[0].response).strip() == "Hello. Noted."
    assert [guard.action for guard in seen.guards] == ["rewritten", "blocked", "flagged"]


def test_words_without_a_model_are_a_response_without_a_request() -> None:
    """An agent's own reply, or a person's."""
    (turn,) = fold(
        record([[opened("q"), Said("person:anna", "I am here."), TurnClosed(None, Trace())]])
    ).turns
    assert (turn.reply, turn.steps[0].model, turn.steps[0].trace.round) == ("I am here.", "", 0)


# Turns ---------------------------------------------------------------------------------------------------------------


def test_turns_are_paired_by_number_not_by_position() -> None:
    """Messages that queue while a turn runs do not mix with it."""
    events = record([[opened("one")]])
    late: list[tuple[int, Any]] = [
        (2, opened("two")),
        (3, opened("three")),
        (1, said("1")),
        (1, TurnClosed(None, Trace(1))),
        (2, said("2")),
        (2, TurnClosed(None, Trace(1))),
    ]
    events += [Recorded(CONVERSATION, 3 + i, turn, 0, event) for i, (turn, event) in enumerate(late)]
    history = fold(events)
    assert [(turn.number, turn.status, turn.reply) for turn in history.turns] == [
        (1, "closed", "1"),
        (2, "closed", "2"),
        (3, "open", ""),
    ]
    assert [turn.number for turn in history.before(3)] == [1, 2]


def test_what_left_the_view_is_forgotten_and_the_opening_stays() -> None:
    """A cut bounds the history, whatever the length of the conversation."""
    events = record([*plain(9), [opened("q10"), said("a10", Cut(8, 4)), TurnClosed(None, Trace(1))]])
    history = fold(events)
    assert [turn.number for turn in history.turns] == [8, 9, 10]
    assert history.opening is not None
    assert history.opening.number == 1
    assert history.last_turn == 10


@pytest.mark.parametrize("late", [Cut(2, 1), Cut(3, 3), Cut(4, 2)])
def test_a_cut_only_moves_forward(late: Cut) -> None:
    """A late worker's older view changes nothing."""
    assert fold(record([*plain(4), [opened("q5"), said("a5", Cut(4, 3)), said("late", late)]])).cut == Cut(
        4, 3
    )


def test_summaries_are_in_view_in_order_and_leave_with_their_turns() -> None:
    """One that comes too late is not taken in."""
    events = record([*plain(6), [opened("q7")]])
    append(events, 7, summary(4, 5), summary(1, 3), summary(1, 3))
    assert [each.written.covers.first for each in fold(events).summaries] == [1, 1, 4]
    append(events, 7, said("a7", Cut(6, 4)), summary(1, 3))
    assert [each.written.covers for each in fold(events).summaries] == [Span(4, 5)]


# Calls ---------------------------------------------------------------------------------------------------------------


def test_a_turn_is_pinned_until_it_is_let_go() -> None:
    """The pin outlives the turn's place in view, and the snapshot keeps it."""
    events = record(plain(4))
    append(events, 2, TurnPinned("user: q2"))
    append(events, 4, said("more", Cut(4, 4)))
    history = fold(events)
    assert [(pin.turn, pin.text) for pin in history.pins] == [(2, "user: q2")]
    assert reload(events, history.snapshot()) == history
    append(events, 2, TurnPinned(""))
    assert fold(events).pins == ()


def test_erasing_a_turn_takes_its_pin() -> None:
    """Nothing of it is sent again."""
    events = record(plain(3))
    append(events, 2, TurnPinned("user: q2"))
    append(events, 0, Erased("retention", Span(2, 2), "r"))
    assert fold(events).pins == ()


def test_a_summary_stays_on_record_for_its_values() -> None:
    """Where the cut still shows values of turns whose summary has left."""
    events = record(plain(6))
    append(events, 0, summary(1, 2), summary(3, 4))
    append(events, 6, said("more", Cut(5, 3, values=1)))
    assert [s.written.covers for s in fold(events).summaries] == [Span(1, 2), Span(3, 4)]
    assert reload(events, fold(events).snapshot()) == fold(events)
    append(events, 6, said("more", Cut(6, 3, values=3)))
    assert [s.written.covers for s in fold(events).summaries] == [Span(3, 4)]


def test_a_summary_of_what_changed_since_is_void() -> None:
    """Written ahead of need, it is taken up only if what it covers is as it was read; late or early."""
    events = record([*plain(2), [opened("q3"), TurnFailed("model", "down", retry=True)]])
    head = events[-1].seq
    append(events, 0, replace(summary(1, 2), seen=head), replace(summary(3, 3), seen=head))
    assert len(fold(events).summaries) == 2
    append(events, 3, opened("q3"), said("a3"))
    assert [s.written.covers for s in fold(events).summaries] == [Span(1, 2)]
    append(events, 0, replace(summary(3, 3), seen=head))
    assert [s.written.covers for s in fold(events).summaries] == [Span(1, 2)]
    append(events, 0, replace(summary(3, 3), seen=events[-1].seq))
    assert len(fold(events).summaries) == 2


def test_a_call_that_waits_for_a_person_says_so() -> None:
    """It is neither answered nor interrupted."""
    turn = fold(record([[opened("q"), called("pay"), *approval("pay")]])).turns[0]
    (part,) = turn.messages()[-1].parts
    assert result_text(part) == WAITING  # pyright: ignore[reportArgumentType]  # a result


def calls_of(*events: Event) -> list[tuple[Call, ...]]:
    """The calls of each step of a turn with these events."""
    return [step.calls for step in fold(record([[opened("q"), *events]])).turns[0].steps]


def ours(call_id: str, as_: str = "") -> ToolCalled:
    """A call, recorded."""
    return ToolCalled(as_ or f"ours_{call_id}", call_id, "pay", "once")


def results(step: tuple[Call, ...]) -> list[str | None]:
    """What the calls of a step gave back."""
    return [None if call.result is None else result_text(call.result) for call in step]


def test_calls_follow_their_results_and_approvals() -> None:
    """A call is pending until its result, and waits while a person has not answered."""
    ((call,),) = calls_of(called("p"), ours("p"))
    assert (call.call_id, call.effect, call.result, call.awaits) == ("ours_p", "once", None, False)
    ((call,),) = calls_of(called("p"), ours("p"), *approval("p"))
    assert call.awaits
    ((call,),) = calls_of(called("p"), ours("p"), *approval("p", answered=True))
    assert not call.awaits
    ((call,),) = calls_of(called("p"), ours("p"), *approval("p"), returned("p"))
    assert (call.awaits, results((call,))) == (False, ["shipped"])


def test_results_are_grouped_behind_their_response() -> None:
    """In the order of the calls, whichever came first."""
    events = [
        called("a", "b"),
        ours("a"),
        ours("b"),
        returned("b", "second"),
        returned("a", "first"),
        said("done"),
    ]
    messages = fold(record([[opened("q"), *events]])).turns[0].messages()
    assert [type(message) is ModelRequest for message in messages] == [True, False, True, False]
    assert [getattr(part, "content", None) for part in messages[2].parts] == ["first", "second"]


def test_a_providers_id_may_come_again_in_a_later_response() -> None:
    """Small models count from 1 in every response: each result goes to the call that it is recorded for."""
    first, second = (called("1"), ours("1", "A")), (called("1"), ours("1", "B"))
    steps = calls_of(*first, returned("1", "one", "A"), *second, returned("1", "two", "B"))
    assert [results(step) for step in steps] == [["one"], ["two"]]
    late = calls_of(*first, *second, returned("1", "one", "A"))
    assert [results(step) for step in late] == [["one"], [None]]


def test_a_result_that_stands_is_not_replaced() -> None:
    """The model may have read it: a second worker's result for the same call comes too late (known failure B47)."""
    steps = calls_of(called("1"), ours("1"), returned("1", "first"), returned("1", "second"))
    assert results(steps[0]) == ["first"]
    steps = calls_of(
        called("1"), ours("1", "A"), returned("1", "one", "A"), called("1"), returned("1", "again", "A")
    )
    assert [results(step) for step in steps] == [["one"], [None]]


@pytest.mark.parametrize("event", [returned("x"), ours("x"), *approval("x", answered=True)])
def test_what_belongs_to_no_call_changes_nothing(event: Event) -> None:
    """An orphan is in the log and in no turn."""
    assert calls_of(called("a"), event) == calls_of(called("a"))


def test_a_result_without_a_recorded_call_goes_to_the_call_of_its_id() -> None:
    """Imported histories have no ids of ours."""
    assert results(calls_of(called("a", "b"), returned("b", "found"))[0]) == [None, "found"]


# Endings -------------------------------------------------------------------------------------------------------------


def test_the_reply_is_the_last_text_unless_another_is_recorded() -> None:
    """Recorded once, read ever after."""
    (turn,) = fold(record([[opened("q"), said(" a "), TurnClosed(None, Trace(1))]])).turns
    assert (turn.status, turn.reply) == ("closed", "a")
    (turn,) = fold(record([[opened("q"), said("a"), TurnClosed("a, and b", Trace(1))]])).turns
    assert turn.reply == "a, and b"
    (turn,) = fold(record([[opened("q"), TurnClosed(None, Trace(0))]])).turns
    assert turn.reply == ""


def test_a_failed_turn_keeps_its_message_and_can_be_reopened() -> None:
    """A retry goes on in the same turn."""
    events = record([[opened("q", "k"), TurnFailed("model", "no answer", retry=True)]])
    assert fold(events).turns[0].status == "failed"
    append(events, 1, opened("q", "k"))
    turn = fold(events).turns[0]
    assert (turn.status, turn.failure, turn.seq, turn.key) == ("open", None, 2, "k")


def test_a_person_takes_over_and_gives_back() -> None:
    """Where, as a place in the log; 0 after."""
    events = record(plain(1))
    append(events, 1, HandedOff("upset"))
    assert fold(events).handed_off == events[-1].seq
    append(events, 1, Resumed())
    assert fold(events).handed_off == 0


@pytest.mark.parametrize(("by", "read"), [("model", True), ("rules", False), ("app", False)])
def test_a_message_is_read_for_facts_once_a_model_has(by: Any, read: bool) -> None:
    """What the rules found is not the reading that is waited for; the message may be of another turn."""
    events = record(plain(2))
    append(events, 2, FactsLearned("none", by, 1))
    assert [turn.read for turn in fold(events).turns] == [read, False]


# Erased --------------------------------------------------------------------------------------------------------------


def test_nothing_is_left_of_what_was_erased() -> None:
    """A history kept in memory sends nothing that the log no longer holds, and no late write comes back (B83)."""
    events = record([*plain(3), [opened("q4"), StateChanged("Memory", 1, "a", 1, "secret")]], user="priya")
    append(events, 4, summary(1, 2), said("a4"), HandedOff("upset"))
    before = fold(events)
    append(events, 0, Erased("conversation", None, "r"))
    head = events[-1].seq
    append(events, 5, opened("late"), summary(1, 4), StateChanged("Memory", 1, "a", 1, "late"))
    assert fold(events) == History(CONVERSATION, head=head, erased=True)
    assert fold(events[before.head :], before) == fold(events)
    assert reload(events, fold(events).snapshot()) == fold(events)


def test_turns_that_were_erased_leave_the_view_with_their_summaries() -> None:
    """The conversation goes on; the oldest turn that is left is what was first asked."""
    events = record([*plain(4), [opened("q5")]])
    append(events, 5, summary(1, 2), summary(3, 3), said("a5", Cut(3, 1)))
    append(events, 0, Erased("retention", Span(1, 3), "r"))
    history = fold(events)
    assert [turn.number for turn in history.turns] == [4, 5]
    assert (history.summaries, history.erased) == ((), False)
    assert history.opening is not None
    assert history.opening.number == 4
    append(events, 6, opened("q6"))
    assert fold(events).last_turn == 6


def test_erasing_what_is_not_in_view_changes_nothing_in_view() -> None:
    """And a conversation may lose its only turn."""
    events = record([*plain(2)])
    append(events, 0, Erased("user", Span(7, 9), "r"))
    assert fold(events).turns == fold(events[:-1]).turns
    append(events, 0, Erased("user", Span(1, 2), "r"))
    assert (fold(events).turns, fold(events).opening) == ((), None)


def test_an_empty_log_is_an_empty_history() -> None:
    """Nothing was said yet."""
    assert fold([]) == History()
    assert fold([]).snapshot() == Snapshot(1)
    assert fold([Recorded(CONVERSATION, 1, 0, 0, ConversationOpened("priya"))]).user == "priya"
    assert fold([]).turn(1) is None
