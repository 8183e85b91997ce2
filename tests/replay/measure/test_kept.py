"""What is taken to be on record: values, promises, named fields and their corrections, turn by turn."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnstate.core.history import Turn
from turnstate.errors import WiringError
from turnstate.readers.openai_chat import read_chat
from turnstate.replay.measure.kept import Moment, call_tokens, kept, record_tool, states_of


def _turns(*said: str) -> tuple[Turn, ...]:
    roles = ("user", "assistant")
    messages = [{"role": roles[place % 2], "content": text} for place, text in enumerate(said)]
    return read_chat({"messages": messages}, 1, "c").turns


def _kept(*said: str, fields: tuple[str, ...] = (), target: int = 8_000) -> tuple[Moment, ...]:
    return kept(_turns(*said), fields, target)


def test_nothing_is_on_record_when_the_first_turn_opens() -> None:
    """Its brief is empty, and what it says is in the next one's."""
    first, second = _kept("Order 48213 is late.", "I will call you.", "Thanks.", "Bye.")
    assert (first.brief, first.brief_tokens, first.entries) == ("", 0, 0)
    assert first.patch_tokens > 0
    assert "v1.1 id: Order 48213" in second.brief
    assert "c1.1 assistant: I will call you." in second.brief
    assert (second.deltas, second.patch_tokens, second.entries) == ((), 0, 2)


def test_what_is_said_again_is_recorded_once() -> None:
    """Whoever says it."""
    moments = _kept("Order 48213.", "Order 48213, I see.", "Yes, order 48213.", "Fine.")
    assert [len(moment.deltas) for moment in moments] == [1, 0]


def test_a_correction_amends_and_keeps_what_was_before() -> None:
    """By id and with the reason; the brief shows both."""
    moments = _kept(
        "Deliver on March 6th.", "Fine.", "Sorry, make it March 8th instead.", "Done.", "Ok.", "Bye."
    )
    (delta,) = moments[1].deltas
    assert (delta["op"], delta["id"], delta["value"]) == ("amend", "v1.1", {"value": "March 8th"})
    assert delta["reason"].startswith("Sorry")
    assert "March 8th (before: March 6th)" in moments[2].brief
    assert moments[2].entries == 1


def test_a_promise_that_is_done_leaves_the_state() -> None:
    """It is retracted."""
    moments = _kept(
        "Hello.", "I will refund the order.", "And?", "I have refunded the order.", "Thanks.", "Bye."
    )
    assert "refund" in moments[1].brief
    assert [delta["op"] for delta in moments[1].deltas] == ["retract"]
    assert moments[2].brief == ""


def test_named_fields_are_filled() -> None:
    """From a sentence that names one, or the answer to a question that does; a second value sets it anew."""
    moments = _kept(
        "Our budget is $5,000.",
        "Noted. What is your timeline?",
        "We have six weeks.",
        "Good.",
        "Actually the budget is $7,000.",
        "Fine.",
        "Thanks.",
        "Bye.",
        fields=("budget", "timeline", "industry"),
    )
    assert "missing: budget, timeline, industry" in moments[0].brief
    assert moments[0].deltas == ({"op": "set", "field": "budget", "value": "$5,000", "state": "Fields"},)
    assert {"op": "set", "field": "timeline", "value": "six weeks", "state": "Fields"} in moments[1].deltas
    assert "missing: industry" in moments[2].brief
    assert "budget: $7,000 (before: $5,000)" in moments[3].brief


@pytest.mark.parametrize("name", ["", "Budget", "a b", "class", "model_x", "copy", "1st"])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    """With what names look like."""
    with pytest.raises(WiringError, match="budget or team_size"):
        states_of((name,))


def test_the_record_tool_names_the_fields() -> None:
    """As a model is told about them."""
    assert "Fields.budget (set" in record_tool(("budget",))["description"]
    assert "Fields" not in record_tool(())["description"]


def test_the_brief_shows_the_newest_where_room_is_short() -> None:
    """And says how much it does not show; what is on record goes on growing."""
    said = [text for number in range(60) for text in (f"Order {48_000 + number}.", "Ok.")]
    last = _kept(*said, target=800)[-1]
    assert last.entries == 59
    assert last.left_out > 0
    assert f"{last.left_out} older entries are on record and not shown" in last.brief
    assert "48058" in last.brief
    assert "48001" not in last.brief
    assert last.brief_tokens < 800 // 2


def test_a_turn_without_a_reply_records_nothing() -> None:
    """There is no response that could."""
    *_, last = _kept("Order 48213.", "Ok.", "And order 48214?")
    assert (last.deltas, last.after) == ((), "")


@given(st.lists(st.text(max_size=60).filter(str.strip), min_size=2, max_size=12), st.integers(1, 4_000))
def test_any_conversation_has_a_state(said: list[str], target: int) -> None:
    """A moment for each turn; entries grow by what was appended and shrink by what was retracted; JSON reads."""
    moments = _kept(*said, target=target)
    assert len(moments) == len(_turns(*said))
    for before, after in pairwise(moments):
        ops = [delta["op"] for delta in before.deltas]
        assert after.entries == before.entries + ops.count("append") - ops.count("retract")
        assert 0 <= after.left_out <= after.entries
    assert all(json.loads(moment.after) is not None for moment in moments if moment.after)
    assert all((moment.patch_tokens > 0) == bool(moment.deltas) for moment in moments)


def test_a_longer_call_has_more_tokens() -> None:
    """And an empty one some."""
    assert 0 < call_tokens("{}") < call_tokens('{"changes":[1]}')
