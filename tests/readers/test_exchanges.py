"""Messages become turns that say who answered what."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.history import Turn
from turnstate.core.messages import ModelRequest, TextPart, ToolCallPart, ToolReturnPart, user_text
from turnstate.readers.exchanges import SECOND, Exchanges


def _call(call_id: str, name: str = "get") -> ToolCallPart:
    return ToolCallPart(name, {}, call_id)


def _results(turn: Turn) -> list[tuple[str, object]]:
    return [
        (call.tool_call_id, None if call.result is None else call.result.content)
        for step in turn.steps
        for call in step.calls
    ]


def test_user_messages_in_a_row_are_one_turn() -> None:
    """What the user said before the assistant answered was answered together."""
    exchanges = Exchanges()
    exchanges.user("one")
    exchanges.user("two")
    exchanges.response([TextPart("both")])
    exchanges.user("three")
    first, second = exchanges.turns()
    assert user_text(first.user) == "one\ntwo"
    assert (first.reply, first.status) == ("both", "closed")
    assert (second.number, second.status, second.reply) == (2, "open", "")


def test_responses_in_a_row_are_steps_of_one_turn() -> None:
    """The reply is the text of the last one."""
    exchanges = Exchanges()
    exchanges.user("hi")
    exchanges.response([TextPart("a moment")])
    exchanges.response([TextPart("done")], model="m")
    (turn,) = exchanges.turns()
    assert [step.trace.round for step in turn.steps] == [1, 2]
    assert (turn.reply, turn.steps[1].model) == ("done", "m")


def test_parallel_results_find_their_calls_in_any_order() -> None:
    """By id, and named after the tool that was called."""
    exchanges = Exchanges()
    exchanges.user("hi")
    exchanges.response([_call("a", "left"), _call("b", "right")])
    exchanges.result("b", "2")
    exchanges.result("a", "1")
    (turn,) = exchanges.turns()
    assert _results(turn) == [("a", "1"), ("b", "2")]
    assert [c.result.tool_name for s in turn.steps for c in s.calls if c.result] == ["left", "right"]
    assert exchanges.notes == []


def test_an_id_that_is_used_again_belongs_to_the_newest_call() -> None:
    """Small local models count from 1 in every response."""
    exchanges = Exchanges()
    exchanges.user("hi")
    for number in (1, 2):
        exchanges.response([_call("1")])
        exchanges.result("1", number)
    assert _results(exchanges.turns()[0]) == [("1", 1), ("1", 2)]


def test_a_call_without_a_result_stays_open() -> None:
    """It is healed on the way to a provider; here it stays what it is."""
    exchanges = Exchanges()
    exchanges.user("hi")
    exchanges.response([_call("a")])
    assert exchanges.unanswered() == exchanges.unanswered("get") == "a"
    assert exchanges.unanswered("other") is None
    assert len(exchanges.turns()[0].steps[0].pending) == 1


def test_a_result_without_its_call_is_left_out_with_a_note() -> None:
    """A turn has no place for it."""
    exchanges = Exchanges()
    exchanges.user("hi")
    exchanges.response([_call("a")])
    exchanges.result("a", "1")
    exchanges.result("a", "again")
    exchanges.result("z", "lost")
    assert _results(exchanges.turns()[0]) == [("a", "1")]
    assert exchanges.notes == ["A tool result without its call was left out."] * 2


def test_a_late_result_stands_behind_its_call_with_a_note() -> None:
    """Also from a later turn."""
    exchanges = Exchanges()
    exchanges.user("hi")
    exchanges.response([_call("a")])
    exchanges.user("still there?")
    exchanges.response([TextPart("yes")])
    exchanges.result("a", "1")
    first, second = exchanges.turns()
    assert (_results(first), _results(second)) == ([("a", "1")], [])
    assert exchanges.notes == ["A tool result that came late stands behind its call."]


def test_times_go_up_and_are_made_up_where_there_are_none() -> None:
    """A second apart, from a second after the epoch, and never backwards."""
    exchanges = Exchanges()
    exchanges.user("one")
    exchanges.response([TextPart("two")])
    exchanges.user("three", at=100 * SECOND)
    exchanges.response([TextPart("four")], at=50 * SECOND)
    exchanges.user("five")
    assert [turn.at for turn in exchanges.turns()] == [SECOND, 100 * SECOND, 101 * SECOND]


_ACTIONS = st.lists(
    st.tuples(st.sampled_from(["user", "text", "call", "result"]), st.sampled_from(["1", "2", "3"])),
    max_size=30,
)


@given(actions=_ACTIONS)
def test_nothing_is_lost_but_results_without_a_call(actions: list[tuple[str, str]]) -> None:
    """Every user message and response is in a turn, every result in a call or a note, and seqs leave no gap."""
    exchanges = Exchanges()
    exchanges.user("first")
    for kind, name in actions:
        match kind:
            case "user":
                exchanges.user(name)
            case "text":
                exchanges.response([TextPart(name)])
            case "call":
                exchanges.response([_call(name)])
            case _:
                exchanges.result(name, name)
    turns = exchanges.turns()
    kinds = [kind for kind, _ in actions]
    assert sum(len(turn.user.parts) for turn in turns) == kinds.count("user") + 1
    assert sum(len(turn.steps) for turn in turns) == kinds.count("text") + kinds.count("call")
    sent = [message for turn in turns for message in turn.messages()]
    kept = sum(
        isinstance(part, ToolReturnPart) for m in sent if isinstance(m, ModelRequest) for part in m.parts
    )
    lost = sum("left out" in note for note in exchanges.notes)
    assert kept + lost == kinds.count("result")
    assert [turn.number for turn in turns] == list(range(1, len(turns) + 1))
    assert all(turn.steps for turn in turns[:-1])
    for before, after in pairwise(turns):
        calls = [call for step in before.steps for call in step.calls]
        answered = sum(call.result is not None for call in calls)
        assert after.seq == before.seq + 2 + len(before.steps) + len(calls) + answered
