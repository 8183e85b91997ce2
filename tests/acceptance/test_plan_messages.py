"""The planner alone, on OpenAI and Anthropic dicts: the caller's own wherever nothing was changed."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acceptance.doors import assistant, run
from turnstate import Budget, Reply
from turnstate.adapters.planned import PlannedMessages, plan_messages
from turnstate.errors import ContextTooLarge, SettingError

Dicts = list[dict[str, Any]]
LONG = "the parcel is somewhere between the warehouse and the door and nobody knows where " * 3


def openai(turns: int, *, tools: bool = True) -> Dicts:
    """A conversation in OpenAI's dicts, with parallel calls on every third turn."""
    found: Dicts = [{"role": "system", "content": "Be brief."}]
    for n in range(1, turns + 1):
        found.append({"role": "user", "content": f"Order A-{n:04d}? {LONG}", "name": "ann"})
        if tools and n % 3 == 0:
            calls = [
                {
                    "id": f"c{n}_{k}",
                    "type": "function",
                    "function": {"name": "look", "arguments": f'{{"n":{n}}}'},
                }
                for k in (1, 2)
            ]
            found.append({"role": "assistant", "content": None, "tool_calls": calls})
            found.extend({"role": "tool", "tool_call_id": call["id"], "content": "shipped"} for call in calls)
        if n < turns:
            found.append({"role": "assistant", "content": f"It is late, {n}.", "refusal": None})
    return found


def anthropic(turns: int) -> Dicts:
    """The same in Anthropic's."""
    found: Dicts = []
    for n in range(1, turns + 1):
        found.append({"role": "user", "content": [{"type": "text", "text": f"Order A-{n:04d}? {LONG}"}]})
        if n % 3 == 0:
            uses = [
                {"type": "tool_use", "id": f"c{n}_{k}", "name": "look", "input": {"n": n}} for k in (1, 2)
            ]
            found.append(
                {
                    "role": "assistant",
                    "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, *uses],
                }
            )
            found.append(
                {
                    "role": "user",
                    "content": [
                        {"type": "tool_result", "tool_use_id": use["id"], "content": "shipped"}
                        for use in uses
                    ],
                }
            )
        if n < turns:
            found.append({"role": "assistant", "content": [{"type": "text", "text": f"It is late, {n}."}]})
    return found


def openai_faults(messages: Sequence[dict[str, Any]]) -> list[str]:
    """What OpenAI would refuse."""
    faults: list[str] = []
    waiting: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                faults.append("a result without its call")
            else:
                waiting.remove(message["tool_call_id"])
        elif waiting:
            faults.append("a call without its result")
            waiting = []
        made: list[Any] = message.get("tool_calls") or []
        waiting.extend(str(call["id"]) for call in made)
        if "_ours" in message:
            faults.append("a mark of ours")
    if waiting or not messages or messages[-1]["role"] == "assistant":
        faults.append("a bad end")
    return faults


def anthropic_faults(messages: Sequence[dict[str, Any]]) -> list[str]:
    """What Anthropic would refuse."""
    faults: list[str] = []
    asked: list[str] = []
    for place, message in enumerate(messages):
        if message["role"] != ("user", "assistant")[place % 2]:
            faults.append("two of one role in a row")
        content: Any = message["content"]
        blocks = cast("list[Any]", content) if isinstance(content, list) else []
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        if sorted(results) != sorted(asked):
            faults.append("calls and results do not match")
        asked = [block["id"] for block in blocks if block["type"] == "tool_use"]
        if any(block["type"] == "text" and not block["text"].strip() for block in blocks) or message[
            "content"
        ] in ("", []):
            faults.append("a blank text")
    if asked or messages[-1]["role"] != "user":
        faults.append("a bad end")
    return faults


def own(planned: PlannedMessages, messages: Dicts) -> int:
    """How many of the planned messages are the caller's own objects."""
    return sum(any(message is given for given in messages) for message in planned.messages)


@pytest.mark.parametrize("make", [openai, anthropic])
def test_under_the_budget_nothing_is_touched(make: Any) -> None:
    """The very dicts come back."""
    messages = make(7)
    before = copy.deepcopy(messages)
    planned = plan_messages(messages, Budget(target=100_000))
    assert len(planned.messages) == len(messages)
    assert own(planned, messages) == len(messages)
    assert messages == before
    assert (planned.managed, planned.dropped, planned.summarised) == ("", (), ())


@pytest.mark.parametrize("strategy", ["truncate", "summarize", "hybrid"])
@pytest.mark.parametrize("turns", [20, 31, 60])
@pytest.mark.parametrize("target", [700, 1_500])
def test_over_the_budget_it_is_valid_and_fits(strategy: str, turns: int, target: int) -> None:
    """In both formats; what stays is the caller's own."""
    messages = openai(turns)
    planned = plan_messages(messages, Budget(target=target), strategy=strategy)
    assert openai_faults(planned.messages) == []
    assert planned.tokens <= target
    assert planned.messages[0] is messages[0]
    assert planned.messages[-1] is messages[-1]
    assert own(planned, messages) >= 2
    others = anthropic(turns)
    planned = plan_messages(others, Budget(target=target), strategy=strategy, system="Be brief.")
    assert anthropic_faults(planned.messages) == []
    assert planned.tokens <= target
    assert planned.system == "Be brief."
    assert planned.messages[-1]["content"][-1] is others[-1]["content"][-1]


def test_what_left_is_summarised_with_its_values() -> None:
    """Each order number is still there."""
    messages = openai(30, tools=False)
    planned = plan_messages(messages, Budget(target=2_000))
    text = str(planned.messages)
    assert planned.summarised
    assert all(f"A-{n:04d}" in text for n in range(1, 31))


def test_with_its_state_the_beginning_stays_until_the_next_cut() -> None:
    """Call after call, as a live conversation would."""
    state: dict[str, Any] = {}
    before: Dicts = []
    kept = cuts = 0
    for turns in range(2, 40):
        planned = plan_messages(openai(turns, tools=False), Budget(target=1_500, recall=0), state=state)
        assert openai_faults(planned.messages) == []
        if planned.managed:
            cuts += 1
        elif before:
            kept += 1
            assert planned.messages[: len(before) - 1] == before[:-1]
        state, before = planned.state, planned.messages
    assert cuts >= 2
    assert kept > 3 * cuts


def test_without_a_state_there_are_as_many_cuts_as_in_a_live_conversation() -> None:
    """The same words, once through an assistant and once as lists that are planned anew for each request."""
    said = [f"Order A-{n:04d}? {LONG}" for n in range(1, 41)]
    budget = Budget(target=1_500, recall=0)

    async def scenario() -> list[Reply]:
        async with assistant(lambda _: f"It is late. {LONG}", budget=budget) as door:
            chat = door.conversation("c")
            return [await chat.send(message) for message in said]

    live = [reply.turn for reply in run(scenario()) if reply.context.managed]
    alone: list[int] = []
    messages: Dicts = []
    before: PlannedMessages | None = None
    for turn, message in enumerate(said, start=1):
        messages.append({"role": "user", "content": message})
        planned = plan_messages(messages, budget, system="Be brief.")
        if before is None or planned.state["cut"] == before.state["cut"]:
            assert before is None or planned.messages[: len(before.messages) - 1] == before.messages[:-1]
        else:
            alone.append(turn)
        before = planned
        messages.append({"role": "assistant", "content": f"It is late. {LONG}"})
    assert len(live) >= 3
    assert abs(len(alone) - len(live)) <= len(live) // 4


def test_it_is_the_same_every_time() -> None:
    """No clock, no chance."""
    once, again = (plan_messages(openai(30), Budget(target=900)) for _ in range(2))
    assert once == again


# Poisoned histories ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param(
            [{"role": "tool", "tool_call_id": "x", "content": "r"}, {"role": "user", "content": "hi"}],
            id="B01",
        ),
        pytest.param(
            [
                {"role": "user", "content": "a"},
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [{"id": "A", "function": {"name": "f", "arguments": "{}"}}],
                },
                {"role": "tool", "tool_call_id": "A", "content": "r"},
                {"role": "tool", "tool_call_id": "ORPHAN", "content": "r"},
                {"role": "user", "content": "b"},
            ],
            id="B02",
        ),
        pytest.param(
            [
                {"role": "user", "content": "a"},
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"id": "A", "function": {"name": "f", "arguments": "{}"}}],
                },
                {"role": "user", "content": "b"},
            ],
            id="B10",
        ),
    ],
)
def test_a_poisoned_history_is_healed(messages: Dicts) -> None:
    """And says so, where a result or a call was at fault."""
    planned = plan_messages(messages, Budget(target=10_000))
    assert openai_faults(planned.messages) == []


def test_blank_blocks_and_interrupted_calls_are_healed_for_anthropic() -> None:
    """A blank text beside a call is left out, a call without a result is told what became of it (B10, B22)."""
    messages: Dicts = [
        {"role": "user", "content": "a"},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": ""},
                {"type": "tool_use", "id": "A", "name": "f", "input": {}},
            ],
        },
        {"role": "user", "content": "b"},
    ]
    planned = plan_messages(messages, Budget(target=10_000))
    assert anthropic_faults(planned.messages) == []
    assert "interrupted" in str(planned.messages[-1])
    assert planned.notes


@pytest.mark.parametrize(
    ("messages", "reason"),
    [
        ([], "no user message"),
        (["hello"], r"messages\[0\] is no dict"),
        ([{"role": "robot", "content": "a"}], r"messages\[0\] has the role 'robot'"),
        ([{"role": "user", "content": 5}], r"messages\[0\] has content"),
    ],
)
def test_a_bad_message_is_one_clear_error(messages: Any, reason: str) -> None:
    """That names it."""
    with pytest.raises(SettingError, match=reason):
        plan_messages(messages, Budget(target=1_000))


def test_what_cannot_fit_says_so() -> None:
    """With the sizes."""
    with pytest.raises(ContextTooLarge):
        plan_messages(
            [{"role": "system", "content": LONG * 20}, {"role": "user", "content": "a"}], Budget(target=100)
        )


def test_a_huge_result_is_shown_shortened_in_a_copy() -> None:
    """The caller's own dict is not changed."""
    messages = openai(3)
    messages[-1] = messages[-1] | {"content": "line\n" * 100_000}
    before = copy.deepcopy(messages)
    planned = plan_messages(messages, Budget(target=2_000))
    assert openai_faults(planned.messages) == []
    assert planned.tokens <= 2_000
    assert "characters are not shown here" in planned.messages[-1]["content"]
    assert messages == before


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(["user", "assistant", "calls", "tool", "orphan", "blank"]), min_size=1, max_size=14
    ),
    st.sampled_from([150, 400, 5_000]),
)
def test_any_history_comes_out_valid_or_is_refused(kinds: list[str], target: int) -> None:
    """Whatever order its messages stand in."""
    messages: Dicts = []
    for n, kind in enumerate(kinds):
        match kind:
            case "calls":
                call = {"id": f"c{n}", "type": "function", "function": {"name": "f", "arguments": "{}"}}
                messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
            case "tool":
                messages.append({"role": "tool", "tool_call_id": f"c{n - 1}", "content": "r " * 50})
            case "orphan":
                messages.append({"role": "tool", "tool_call_id": "nobody", "content": "r"})
            case "blank":
                messages.append({"role": "user", "content": " "})
            case _:
                messages.append({"role": kind, "content": f"{kind} {n} " + "word " * 40})
    messages.append({"role": "user", "content": "And now?"})
    try:
        planned = plan_messages(messages, Budget(target=target))
    except ContextTooLarge:
        return
    assert openai_faults(planned.messages) == []
    assert planned.tokens <= target
    assert planned.messages[-1]["content"].endswith("And now?")


@pytest.mark.parametrize("given", ["openai", "anthropic"])
def test_long_arguments_are_sent_as_short_as_they_are_counted(given: str) -> None:
    """What the plan says fits is what is sent."""
    text = "word " * 5_000
    if given == "openai":
        call = {
            "id": "a",
            "type": "function",
            "function": {"name": "f", "arguments": json.dumps({"x": text})},
        }
        messages: Dicts = [
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "a", "content": "r"},
        ]
    else:
        use = {"type": "tool_use", "id": "a", "name": "f", "input": {"x": text}}
        messages = [
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "r"}]},
        ]
    planned = plan_messages(messages, Budget(target=600))
    assert len(json.dumps(planned.messages)) < 3_000
    assert planned.tokens <= 600
