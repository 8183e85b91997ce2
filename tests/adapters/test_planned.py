"""Planning lists of messages in both formats, with the formats' rules written out here."""

from __future__ import annotations

import copy
import itertools
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnstate.adapters.planned import plan_messages
from turnstate.core.context.budget import Budget
from turnstate.errors import ContextTooLarge, SettingError

FORMATS = ("openai", "anthropic")


def _turn(fmt: str, number: int, calls: int, words: int, results: int | None = None) -> list[dict[str, Any]]:
    """An exchange of a user's question, calls, their results and a reply."""
    ids = [f"c{number}_{index}" for index in range(calls)]
    answered = ids if results is None else ids[:results]
    asked: list[dict[str, Any]] = [{"role": "user", "content": f"Question {number} " + "word " * words}]
    if fmt == "openai" and ids:
        made = [{"id": i, "type": "function", "function": {"name": "look", "arguments": "{}"}} for i in ids]
        asked.append({"role": "assistant", "content": None, "tool_calls": made})
        asked += [{"role": "tool", "tool_call_id": i, "content": "found " * words} for i in answered]
    elif ids:
        used: list[dict[str, Any]] = [{"type": "tool_use", "id": i, "name": "look", "input": {}} for i in ids]
        asked.append({"role": "assistant", "content": used})
        found = [{"type": "tool_result", "tool_use_id": i, "content": "found " * words} for i in answered]
        asked += [{"role": "user", "content": found}] if found else []
    return [*asked, {"role": "assistant", "content": f"Answer {number}."}]


def _blocks(message: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    content = message["content"]
    return [b for b in content if b["type"] == kind] if isinstance(content, list) else []  # pyright: ignore[reportUnknownVariableType]  # JSON


def _valid(fmt: str, messages: list[dict[str, Any]]) -> None:
    """Assert what the provider asserts."""
    roles = [message["role"] for message in messages]
    if fmt == "openai":
        talk = [role for role in roles if role != "system"]
        assert talk[0] == "user"
        assert roles == ["system"] * roles.count("system") + talk
        waiting: set[str] = set()
        for message in messages:
            if message["role"] == "tool":
                assert message["tool_call_id"] in waiting
                waiting.remove(message["tool_call_id"])
                continue
            assert not waiting
            waiting = {call["id"] for call in message.get("tool_calls") or ()}
        assert not waiting
        return
    assert roles[0] == "user"
    assert all(a != b for a, b in itertools.pairwise(roles))
    asked: list[str] = []
    for message in messages:
        assert sorted(b["tool_use_id"] for b in _blocks(message, "tool_result")) == sorted(asked)
        assert all(b["text"].strip() for b in _blocks(message, "text"))
        asked = [b["id"] for b in _blocks(message, "tool_use")]
    assert not asked


def _with_block(message: dict[str, Any], block: dict[str, Any]) -> dict[str, Any]:
    return {**message, "content": [*message["content"], block]}


def _long(fmt: str, turns: int, calls: int = 2) -> list[dict[str, Any]]:
    talk = [message for number in range(turns) for message in _turn(fmt, number, calls, 40)]
    return [*talk, {"role": "user", "content": "And now?"}]


@pytest.mark.parametrize("fmt", FORMATS)
def test_a_cut_never_starts_at_a_result(fmt: str) -> None:
    """B01, B04, B14, B19, B25, B26: what is left is whole exchanges, each message once, summaries as user data."""
    given_messages = _long(fmt, 30)
    made = plan_messages(given_messages, Budget(target=1_500, keep_recent=0))
    _valid(fmt, made.messages)
    assert made.managed
    assert made.tokens <= 1_500
    assert len({id(message) for message in made.messages}) == len(made.messages)
    assert "And now?" in json.dumps(made.messages[-1])


@pytest.mark.parametrize("fmt", FORMATS)
def test_orphans_and_interrupted_calls_are_healed(fmt: str) -> None:
    """B02, B10: a result without its call goes, a call without its result is answered as interrupted."""
    talk = [*_turn(fmt, 0, 2, 3, results=1), {"role": "user", "content": "Go on"}]
    if fmt == "openai":
        talk.insert(3, {"role": "tool", "tool_call_id": "orphan", "content": "x"})
    else:
        talk[2] = _with_block(talk[2], {"type": "tool_result", "tool_use_id": "orphan", "content": "x"})
    made = plan_messages(talk, Budget(target=4_000))
    _valid(fmt, made.messages)
    assert "interrupted" in json.dumps(made.messages)
    assert "orphan" not in json.dumps(made.messages)
    assert len(made.notes) == 2


@pytest.mark.parametrize("fmt", FORMATS)
def test_the_unanswered_user_stays(fmt: str) -> None:
    """B05: a large result never drives out the question that it answers."""
    talk = [*_long(fmt, 3)[:-1], *_turn(fmt, 9, 1, 4_000)[:-1]]
    made = plan_messages(talk, Budget(target=6_000))
    _valid(fmt, made.messages)
    assert "Question 9" in json.dumps(made.messages)
    assert made.tokens <= 6_000


def test_a_response_of_calls_alone_gains_no_text() -> None:
    """B22: what was stored comes back as it is."""
    talk = _long("anthropic", 2)
    made = plan_messages(talk, Budget(target=9_000))
    assert all(a is b for a, b in zip(made.messages, talk, strict=True))


def test_a_later_system_message_comes_first_when_its_turn_leaves() -> None:
    """B23: instructions are never lost, and stand before the conversation."""
    talk = _long("openai", 30)
    talk[0:0] = [{"role": "system", "content": "Be kind."}]
    talk.insert(9, {"role": "system", "content": "Be short."})
    made = plan_messages(talk, Budget(target=1_500))
    _valid("openai", made.messages)
    assert [m["content"] for m in made.messages[:2]] == ["Be kind.", "Be short."]


@pytest.mark.parametrize("bad", [[{"role": "cat"}], [{"role": "assistant", "content": "a"}], ["x"]])
def test_a_bad_message_is_named(bad: list[Any]) -> None:
    """The error says which message and what to do."""
    with pytest.raises(SettingError, match="messages"):
        plan_messages(bad, Budget(target=100))


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(FORMATS),
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 60)), max_size=14),
    st.integers(150, 3_000),
)
def test_any_history(fmt: str, shapes: list[tuple[int, int]], target: int) -> None:
    """Valid, within the target, deterministic, the caller's dicts kept and never changed; the state keeps the prefix."""
    talk = [m for n, (calls, words) in enumerate(shapes) for m in _turn(fmt, n, calls, words)]
    talk.append({"role": "user", "content": "And now?"})
    before = copy.deepcopy(talk)
    try:
        made = plan_messages(talk, Budget(target=target))
        again = plan_messages(talk, Budget(target=target))
    except ContextTooLarge:
        return
    _valid(fmt, made.messages)
    assert talk == before
    assert made == again
    assert made.tokens <= target
    if not made.managed:
        assert all(a is b for a, b in zip(made.messages, talk, strict=True))
    state = json.loads(json.dumps(made.state))
    longer = [*talk, {"role": "assistant", "content": "So."}, {"role": "user", "content": "Yes"}]
    try:
        following = plan_messages(longer, Budget(target=target), state=state)
    except ContextTooLarge:
        return
    _valid(fmt, following.messages)
    if not following.managed and not made.recalled and not following.recalled:
        assert following.messages[: len(made.messages)] == made.messages
