"""The fold: pairing by turn, forgetting what left the view, and the snapshot that gives the same history again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from generators.histories import CONVERSATION, POISONED, conversations, record, trace
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.events import (
    ApprovalAnswered,
    ApprovalAsked,
    Cut,
    Erased,
    FactsLearned,
    HandedOff,
    ModelResponded,
    Recorded,
    Resumed,
    Span,
    StateChanged,
    SummaryWritten,
    ToolCalled,
    ToolReturned,
    Trace,
    TurnClosed,
    TurnFailed,
    TurnOpened,
)
from turnstate.core.history import History, fold
from turnstate.core.messages import ModelResponse, ToolCallPart, moment, text_response, tool_return, user_message


def opened(text: str, key: str | None = None) -> TurnOpened:
    """A turn's opening."""
    return TurnOpened(key, f"digest of {text}", user_message(text, 0))


def said(text: str, cut: Cut | None = None) -> ModelResponded:
    """A response of one text."""
    return ModelResponded("m", text_response(text, 0), trace(1, cut))


def plain(count: int) -> list[list[Any]]:
    """Turns of a question and an answer."""
    return [[opened(f"q{n}"), said(f"a{n}"), TurnClosed(None, Trace(1))] for n in range(1, count + 1)]


@given(conversations(POISONED), st.integers(0, 60))
def test_folding_in_two_parts_is_folding_at_once(events: list[Recorded], at: int) -> None:
    """The history so far and the rest of the events give what all events give."""
    assert fold(events[at:], fold(events[:at])) == fold(events)


@given(conversations(POISONED))
def test_folding_events_again_changes_nothing(events: list[Recorded]) -> None:
    """An event that was folded is skipped."""
    assert fold(events, fold(events)) == fold(events)


@given(conversations(), st.integers(1, 9), st.data())
def test_a_snapshot_gives_the_same_history(events: list[Recorded], first: int, data: st.DataObject) -> None:
    """Whatever was cut, the events that a snapshot names fold to the same history."""
    turns = fold(events).turns
    first = min(first, turns[-1].number)
    since = data.draw(st.integers(1, first))
    seq = len(events)
    extra = [SummaryWritten(Span(n, n), f"summary of {n}", "extractive", 4) for n in range(1, first)]
    extra.append(StateChanged("Memory", 1, "agent", {"set": 1}, {"a": 1}))
    extra.append(ModelResponded("m", text_response("x", 0), trace(9, Cut(first, since, facts="f"))))
    events = [*events, *(Recorded(CONVERSATION, seq + 1 + i, turns[-1].number, 0, e) for i, e in enumerate(extra))]
    history = fold(events)
    snapshot = history.snapshot()
    kept = [event for event in events if event.seq >= snapshot.first or event.seq in snapshot.keep]
    assert fold(kept) == history
    assert fold(kept).snapshot() == snapshot


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


def test_a_cut_only_moves_forward() -> None:
    """A late worker's older view changes nothing."""
    events = record([*plain(4), [opened("q5"), said("a5", Cut(4, 4)), said("late", Cut(2, 1))]])
    assert fold(events).cut == Cut(4, 4)


def test_calls_follow_their_results_and_approvals() -> None:
    """A call is pending until its result, and waits while a person has not answered."""
    call = ModelResponse(parts=[ToolCallPart("pay", {}, tool_call_id="p1")], timestamp=moment(0))
    events = record([[opened("q"), ModelResponded("m", call, trace(1)), ToolCalled("ours", "p1", "pay", "once")]])

    def then(event: Any) -> History:
        events.append(Recorded(CONVERSATION, len(events) + 1, 1, 0, event))
        return fold(events)

    assert fold(events).turns[0].steps[0].pending[0].effect == "once"
    assert then(ApprovalAsked("ours", "p1", "pay")).turns[0].steps[0].calls[0].awaits
    assert not then(ApprovalAnswered("ours", approved=True)).turns[0].steps[0].calls[0].awaits
    history = then(ToolReturned("ours", tool_return("pay", "paid", "p1", 0)))
    assert history.turns[0].steps[0].pending == ()
    assert [type(message).__name__ for message in history.turns[0].messages()] == [
        "ModelRequest",
        "ModelResponse",
        "ModelRequest",
    ]


def test_a_failed_turn_keeps_its_message_and_can_be_reopened() -> None:
    """A retry goes on in the same turn."""
    events = record([[opened("q", "k"), TurnFailed("model", "no answer", retry=True)]])
    assert fold(events).turns[0].status == "failed"
    events.append(Recorded(CONVERSATION, 4, 1, 9, opened("q", "k")))
    turn = fold(events).turns[0]
    assert (turn.status, turn.failure, turn.seq) == ("open", None, 2)


def test_people_facts_and_tombstones() -> None:
    """Hand-over, a model's reading and an erasure are seen."""
    events = record(plain(1))
    history = fold(events)
    seq = history.head
    assert fold([Recorded(CONVERSATION, seq + 1, 0, 0, HandedOff("upset"))], history).handed_off == seq + 1
    back = fold([Recorded(CONVERSATION, seq + 1, 0, 0, HandedOff("upset")), Recorded(CONVERSATION, seq + 2, 0, 0, Resumed())])
    assert back.handed_off == 0
    read = fold([Recorded(CONVERSATION, seq + 1, 1, 0, FactsLearned("none", "model", 1))], history)
    assert read.turns[0].read
    assert fold([Recorded(CONVERSATION, seq + 1, 0, 0, Erased("conversation", None, "r"))], history).erased
    assert replace(history, head=history.head + 1) != history
