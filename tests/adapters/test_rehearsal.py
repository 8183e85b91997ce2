"""A growing list: what was planned for a shorter one is the beginning of what is planned for a longer one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnstate.adapters.planned import PlannedMessages, plan_messages
from turnstate.core.context.budget import Budget
from turnstate.errors import ContextTooLarge

Dicts = list[dict[str, Any]]
FORMATS = ("openai", "anthropic")


def exchange(fmt: str, number: int, calls: int, words: int) -> Dicts:
    """A user's question, calls with their results, and a reply."""
    ids = [f"c{number}_{index}" for index in range(calls)]
    found: Dicts = [{"role": "user", "content": f"Question {number} " + "word " * words}]
    if fmt == "openai" and ids:
        made = [{"id": i, "type": "function", "function": {"name": "look", "arguments": "{}"}} for i in ids]
        found.append({"role": "assistant", "content": None, "tool_calls": made})
        found += [{"role": "tool", "tool_call_id": i, "content": f"found {i} " * words} for i in ids]
    elif ids:
        found.append(
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": i, "name": "look", "input": {}} for i in ids],
            }
        )
        results = [{"type": "tool_result", "tool_use_id": i, "content": f"found {i} " * words} for i in ids]
        found.append({"role": "user", "content": results})
    return [*found, {"role": "assistant", "content": f"Answer {number}."}]


def requests(talk: Dicts) -> list[Dicts]:
    """The lists that a live conversation would have planned: one before each answer."""
    return [talk[:index] for index, message in enumerate(talk) if message["role"] == "assistant"]


def cut_of(planned: PlannedMessages) -> dict[str, Any]:
    """Where the view stands."""
    return planned.state["cut"]


def shared(before: PlannedMessages, after: PlannedMessages) -> bool:
    """Whether all but the newest exchange of one request begins the next one, to the byte."""
    newest = max(i for i, m in enumerate(before.messages) if m["role"] == "user" and not _answers(m))
    return json.dumps(after.messages[:newest]) == json.dumps(before.messages[:newest])


def _answers(message: dict[str, Any]) -> bool:
    return message["role"] == "tool" or "tool_result" in json.dumps(message["content"])


@settings(max_examples=10, deadline=None)
@given(
    st.sampled_from(FORMATS),
    st.lists(st.tuples(st.integers(0, 2), st.integers(1, 60)), min_size=4, max_size=14),
    st.integers(250, 900),
    st.sampled_from(["hybrid", "summarize", "truncate"]),
)
def test_between_cuts_the_beginning_stays(
    fmt: str, shapes: list[tuple[int, int]], target: int, strategy: str
) -> None:
    """Without a state, call after call; and a state gives the same plans for less work."""
    talk = [m for n, (calls, words) in enumerate(shapes) for m in exchange(fmt, n, calls, words)]
    before: PlannedMessages | None = None
    state: dict[str, Any] = {}
    for messages in requests(talk):
        try:
            planned = plan_messages(messages, Budget(target=target), strategy=strategy)
            with_state = plan_messages(messages, Budget(target=target), strategy=strategy, state=state)
        except ContextTooLarge:
            before = None
            continue
        state = json.loads(json.dumps(with_state.state))
        assert with_state.messages == planned.messages
        assert with_state.state == planned.state
        assert planned.tokens <= target
        if before is not None and cut_of(before) == cut_of(planned):
            assert shared(before, planned)
        before = planned


@pytest.mark.parametrize("fmt", FORMATS)
def test_cuts_are_as_rare_as_in_a_live_conversation(fmt: str) -> None:
    """Each list planned anew, against each planned from the state of the one before."""
    talk = [m for n in range(24) for m in exchange(fmt, n, n % 3, 20)]
    cuts = {"alone": 0, "state": 0}
    plans: dict[str, PlannedMessages | None] = {"alone": None, "state": None}
    for messages in requests(talk):
        for how in cuts:
            last = plans[how]
            state = last.state if last is not None and how == "state" else None
            planned = plan_messages(messages, Budget(target=1_500, recall=0), state=state)
            cuts[how] += last is not None and cut_of(last) != cut_of(planned)
            plans[how] = planned
    assert cuts["alone"] == cuts["state"]
    assert 2 <= cuts["alone"] <= len(requests(talk)) // 5
