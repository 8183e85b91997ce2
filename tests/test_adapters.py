"""Any list, whole or broken, comes out as the strict servers accept it, or is refused with one clear error."""

from __future__ import annotations

import contextlib
import copy
from typing import Any, TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.strict import is_complete, refusal
from turnstate.adapters.planned import plan_messages
from turnstate.core.context.budget import Budget
from turnstate.errors import ContextTooLarge, SettingError, TurnstateError

Dicts = list[dict[str, Any]]

Some: TypeAlias = st.SearchStrategy[Any]

_TEXTS: Some = st.sampled_from(
    ["", " \n", "Hello", "Order A-1 costs 12 EUR. " * 9, "<summary>", "你好 " * 30]
)
_IDS: Some = st.sampled_from(["a", "b", "c", "A:1|x", "i" * 60])
_TARGETS = st.sampled_from([120, 300, 900, 20_000])


def _dicts(**parts: Any) -> Some:
    """Dicts with these values, of which each is a strategy or stands for itself."""
    found: dict[str, Some] = {
        key: part if isinstance(part, st.SearchStrategy) else st.just(part) for key, part in parts.items()
    }
    return st.fixed_dictionaries(found)


_TEXT = _dicts(type="text", text=_TEXTS)
_RESULT_CONTENT: Some = st.one_of(_TEXTS, st.lists(_TEXT, max_size=2))
_NAMES: Some = st.sampled_from(["look", "look up!"])
_USE = _dicts(type="tool_use", id=_IDS, name=_NAMES, input=st.just({"q": 1}))
_RESULT = st.one_of(
    _dicts(type="tool_result", tool_use_id=_IDS),
    _dicts(type="tool_result", tool_use_id=_IDS, content=_RESULT_CONTENT),
)
_THOUGHT = _dicts(type="thinking", thinking="hm", signature="s")
_BLOCKS: Some = st.lists(st.one_of(_TEXT, _USE, _RESULT, _THOUGHT), max_size=4)
_ANTHROPIC = st.one_of(
    _dicts(role=st.sampled_from(["user", "assistant"]), content=st.one_of(_TEXTS, _BLOCKS)),
    _dicts(role="system", content=_TEXTS),
)

_ARGUMENTS: Some = st.sampled_from(["{}", '{"q": "x"}', "{not json", "", {"q": 1}])
_CALL = _dicts(id=_IDS, type="function", function=_dicts(name=_NAMES, arguments=_ARGUMENTS))
_CONTENT: Some = st.one_of(st.none(), _TEXTS, st.lists(_TEXT, max_size=2))
_OPENAI = st.one_of(
    _dicts(role=st.sampled_from(["user", "user", "assistant", "system", "developer"]), content=_CONTENT),
    _dicts(role="assistant", content=_CONTENT, tool_calls=st.lists(_CALL, max_size=3)),
    _dicts(role="tool", tool_call_id=_IDS, content=_CONTENT),
)


def _talk(messages: Some) -> Some:
    """Lists of messages; most of them begin with the user, and some end so."""
    said = st.lists(_dicts(role="user", content="Where is order A-1? " * 5), max_size=1)
    return st.tuples(said, st.lists(messages, max_size=16), said).map(
        lambda parts: [*parts[0], *parts[1], *parts[2]]
    )


def _holds(fmt: str, messages: Dicts, target: int) -> None:
    before = copy.deepcopy(messages)
    system = "Be kind." if fmt == "anthropic" else None
    try:
        planned = plan_messages(messages, Budget(target=target), system=system)
    except ContextTooLarge:
        return
    except SettingError as error:
        if error.problem != "have no user message":
            raise
        return
    finally:
        assert messages == before
    assert refusal(fmt, planned) is None
    assert is_complete(planned, len(messages))
    assert planned.tokens <= target


@settings(max_examples=150, deadline=None)
@given(_talk(_ANTHROPIC), _TARGETS)
def test_anthropic_accepts_whatever_comes_out(messages: Dicts, target: int) -> None:
    """Orphans, repeated ids, late results, blanks, thinking, instructions in between."""
    _holds("anthropic", messages, target)


@settings(max_examples=150, deadline=None)
@given(_talk(_OPENAI), _TARGETS)
def test_openai_accepts_whatever_comes_out(messages: Dicts, target: int) -> None:
    """The same in its own dicts."""
    messages.append({"role": "developer", "content": "Be kind."})
    _holds("openai", messages, target)


@settings(max_examples=40, deadline=None)
@given(st.one_of(_talk(_ANTHROPIC), _talk(_OPENAI)), st.sampled_from([150, 300]))
def test_a_broken_list_may_grow(messages: Dicts, target: int) -> None:
    """Each list planned from the state of the one before: valid, complete, and within the target."""
    state: dict[str, Any] = {}
    openai = any(message["role"] in ("tool", "developer") or "tool_calls" in message for message in messages)
    for size in range(1, len(messages) + 1):
        # A first message that only one format has keeps the format the same from list to list.
        head: Dicts = [{"role": "developer", "content": "Be kind."}] if openai else []
        given_messages = [*head, *messages[:size]]
        try:
            planned = plan_messages(
                given_messages, Budget(target=target), system=None if openai else "Be kind.", state=state
            )
        except (ContextTooLarge, SettingError):
            continue
        assert refusal("openai" if openai else "anthropic", planned) is None
        assert is_complete(planned, len(given_messages))
        assert planned.tokens <= target
        state = planned.state


_KEYS = (
    *("role", "content", "type", "text", "id", "name", "input", "tool_calls", "function"),
    *("tool_use_id", "tool_call_id", "arguments"),
)
_JSON: Some = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.sampled_from(["user", "text", "tool_use", "x"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(_KEYS), inner, max_size=5)
    ),
    max_leaves=12,
)
_ROLES = st.sampled_from(["user", "assistant", "tool", "system"])
_NEARLY = st.one_of(
    _JSON,
    _dicts(role=_ROLES, content=_JSON),
    _dicts(role=_ROLES, content=st.lists(_JSON, max_size=3), tool_calls=_JSON, tool_call_id=_JSON),
)
_STATES: Some = st.one_of(st.none(), st.dictionaries(st.sampled_from(["version", "cut"]), _JSON, max_size=2))


@settings(max_examples=200, deadline=None)
@given(st.lists(_NEARLY, max_size=4), _STATES)
def test_what_is_no_message_is_one_clear_error(messages: list[Any], state: Any) -> None:
    """Never anything but an error of ours."""
    messages = [*messages, {"role": "user", "content": "Hi"}]
    before = copy.deepcopy(messages)
    with contextlib.suppress(TurnstateError):
        plan_messages(messages, Budget(target=400), state=state)
    assert messages == before
