"""Histories that a provider would refuse are healed; sound ones are not touched."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from pydantic_ai.messages import CachePoint, NativeToolCallPart, NativeToolReturnPart, TextContent

from generators.faults import faults
from generators.histories import PNG, POISONED, SOUND, conversations, messages_of
from generators.wire import refusals
from turnstate.core.context.validity import EMPTY, INTERRUPTED, LONGEST_ID, NO_RESULT, heal
from turnstate.core.events import Recorded
from turnstate.core.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    RetryPromptPart,  # pyright: ignore[reportDeprecated]  # histories recorded elsewhere still hold it
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
    moment,
    request,
    result_text,
    text_response,
    tool_return,
    user_message,
)

T = moment(0)


def ask(*ids: str, name: str = "look", args: Any = None) -> ModelResponse:
    """A response that calls a tool once for each id."""
    return respond(*(ToolCallPart(name, args or {}, tool_call_id=i) for i in ids))


def respond(*parts: Any) -> ModelResponse:
    """A response of these parts."""
    return ModelResponse(parts=list(parts), timestamp=T)


def give(*ids: str, name: str = "look", content: Any = "found") -> ModelRequest:
    """A request with one result for each id."""
    return request([tool_return(name, content, i, 0) for i in ids])


def said(message: ModelMessage) -> list[Any]:
    """What the user says in a message."""
    return [part.content for part in message.parts if isinstance(part, UserPromptPart)]


@given(conversations(POISONED))
def test_any_poisoned_history_becomes_valid(events: list[Recorded]) -> None:
    """Orphans, lost results, blanks, odd names and repeated ids: no provider would refuse what comes out."""
    assert faults(heal(messages_of(events)).messages) == []


@settings(max_examples=30)
@given(conversations(POISONED, most=5))
def test_no_provider_refuses_a_healed_history(events: list[Recorded]) -> None:
    """The bodies that the official clients send keep the rules of each family of providers."""
    assert refusals(heal(messages_of(events)).messages) == []


@given(conversations(POISONED))
def test_healing_twice_changes_nothing(events: list[Recorded]) -> None:
    """What was healed once is sound: the same objects come back, without a note."""
    once = heal(messages_of(events))
    twice = heal(once.messages)
    assert twice.notes == ()
    assert all(new is old for new, old in zip(twice.messages, once.messages, strict=True))


@given(conversations(POISONED, most=5))
def test_what_comes_later_does_not_change_how_the_beginning_is_healed(events: list[Recorded]) -> None:
    """The healed beginning is the beginning of the healed whole, so that a prompt cache goes on hitting."""
    messages = [*messages_of(events), user_message("Well?", 0)]
    before = heal(messages).messages
    after = heal([*messages, text_response("Yes.", 0), user_message("And then?", 0)]).messages
    assert after[: len(before)] == before


@given(conversations(SOUND))
def test_a_sound_history_comes_back_as_the_same_objects(events: list[Recorded]) -> None:
    """A no-op changes no byte (known failure B13)."""
    messages = messages_of(events)
    if faults(messages):
        return
    healed = heal(messages)
    assert healed.notes == ()
    assert all(new is old for new, old in zip(healed.messages, messages, strict=True))


@pytest.mark.parametrize(
    ("history", "gone"),
    [
        pytest.param(
            [user_message("hi", 0), give("c1"), text_response("a", 0), user_message("q", 0)], "c1", id="B01"
        ),
        pytest.param(
            [
                user_message("hi", 0),
                ask("A"),
                give("A", "ORPHAN"),
                text_response("a", 0),
                user_message("q", 0),
            ],
            "ORPHAN",
            id="B02",
        ),
        pytest.param([give("c1"), user_message("q", 0)], "c1", id="B19: starts with a bare result"),
        pytest.param(
            [user_message("hi", 0), ask("A"), user_message("q", 0), give("A", content="LATE")],
            "LATE",
            id="a result behind the next message",
        ),
        pytest.param([ask("A"), give("A"), user_message("q", 0)], "A", id="starts with a call"),
    ],
)
def test_results_without_their_call_are_left_out(history: list[ModelMessage], gone: str) -> None:
    """One matching id does not let an orphan beside it survive (known failures B01, B02, B14, B19)."""
    healed = heal(history)
    assert faults(healed.messages) == []
    assert gone not in str(healed.messages).replace("'A'", "")
    assert healed.notes


def test_the_same_result_twice_is_sent_once() -> None:
    """Each message exactly once (known failure B04)."""
    healed = heal([user_message("hi", 0), ask("a", "b"), give("a", "b", "a")])
    assert [p.tool_call_id for p in healed.messages[-1].parts if isinstance(p, ToolReturnPart)] == ["a", "b"]


def test_the_same_call_twice_is_sent_once() -> None:
    """Two calls of one id in one response cannot be told apart."""
    healed = heal([user_message("hi", 0), ask("a", "a"), give("a", "a")])
    assert faults(healed.messages) == []
    assert len(healed.messages[1].parts) == 1


def test_results_stand_in_the_order_of_their_calls() -> None:
    """Tools that ran side by side came back in any order; the request does not depend on it."""
    mixed = [
        user_message("hi", 0),
        ask("a", "b"),
        request([*give("b", "a").parts, *user_message("q", 0).parts]),
    ]
    parts: list[Any] = list(heal(mixed).messages[-1].parts)
    assert [part.tool_call_id for part in parts[:2]] == ["a", "b"]
    assert isinstance(parts[2], UserPromptPart)


@pytest.mark.parametrize(
    "then",
    [
        pytest.param([user_message("still there?", 0)], id="the next message came (B10)"),
        pytest.param([], id="at the end (B11)"),
        pytest.param([text_response("well", 0), user_message("q", 0)], id="the assistant spoke on"),
    ],
)
def test_an_interrupted_call_gets_a_result_that_says_so(then: list[ModelMessage]) -> None:
    """The next message works after a call that never came back (known failures B10, B11, B28)."""
    healed = heal([user_message("hi", 0), ask("a"), *then])
    result = healed.messages[2].parts[0]
    assert isinstance(result, ToolReturnPart)
    assert result_text(result) == INTERRUPTED
    assert result.outcome == "interrupted"
    assert faults(healed.messages) == []
    assert any("interrupted" in note for note in healed.notes)


def test_a_tool_only_response_gets_no_invented_text() -> None:
    """A blank text beside a call is left out, nothing is put in its place (known failure B22)."""
    healed = heal([user_message("hi", 0), respond(TextPart(""), *ask("a").parts), give("a")])
    assert [type(part) for part in healed.messages[1].parts] == [ToolCallPart]


def test_a_system_text_in_the_middle_is_left_out() -> None:
    """There is one system text, and it stands apart (known failures B23, B25, B34)."""
    note = ModelRequest(parts=[SystemPromptPart("be brief", timestamp=T)])
    healed = heal([user_message("hi", 0), text_response("hello", 0), note, user_message("q", 0)])
    assert "be brief" not in str(healed.messages)
    assert faults(healed.messages) == []


def test_an_unanswered_message_joins_the_next() -> None:
    """Two user messages in a row lose nothing."""
    healed = heal([user_message("first", 0), user_message("second", 0)])
    assert [said(message) for message in healed.messages] == [["first", "second"]]


TEXT_CONTENT = TextContent(" ")
IMAGE = BinaryContent(PNG, media_type="image/png")


@pytest.mark.parametrize(
    ("content", "left"),
    [
        ("  ", EMPTY),
        ([], EMPTY),
        (["", " \n"], EMPTY),
        ([TEXT_CONTENT], EMPTY),
        ([CachePoint()], EMPTY),
        ([CachePoint(), "hi"], ["hi"]),
        ([" ", IMAGE], [IMAGE]),
        (["hi", CachePoint()], ["hi", CachePoint()]),
    ],
)
def test_what_a_user_did_not_say_is_not_sent(content: Any, left: Any) -> None:
    """No provider accepts a blank text; a turn cannot be left out, so an empty one says that it is empty."""
    healed = heal([user_message(content, 0)])
    assert [said(message) for message in healed.messages] == [[left]]
    assert refusals(healed.messages) == []


@pytest.mark.parametrize("content", ["", " \n", [""], [" ", IMAGE], [TEXT_CONTENT]])
def test_a_result_without_text_says_that_it_is_empty(content: Any) -> None:
    """A blank text inside a result is refused as well."""
    healed = heal([user_message("hi", 0), ask("a"), give("a", content=content)])
    assert NO_RESULT in str(healed.messages[-1])
    assert refusals(healed.messages) == []


@pytest.mark.parametrize("content", [None, {}, [], 0, False, {"eta": None}, IMAGE, float("inf")])
def test_a_result_that_is_no_text_can_be_sent(content: Any) -> None:
    """A tool may return anything, nothing included."""
    healed = heal([user_message("hi", 0), ask("a"), give("a", content=content)])
    assert refusals(healed.messages) == []


def test_a_history_that_ends_with_the_assistant_gets_a_user_message() -> None:
    """No prefill loop (known failure B28)."""
    assert faults(heal([user_message("hi", 0), text_response("hello", 0)]).messages) == []


@pytest.mark.parametrize(
    "history",
    [
        pytest.param([], id="nothing"),
        pytest.param([text_response("hello", 0)], id="the assistant alone"),
        pytest.param([ask("a"), give("a")], id="a call and its result"),
        pytest.param([give("a")], id="a result alone"),
        pytest.param([request([SystemPromptPart("be brief", timestamp=T)])], id="a system text alone (B26)"),
    ],
)
def test_a_history_without_the_user_gets_an_empty_message_first(history: list[ModelMessage]) -> None:
    """A request has at least one user message (known failure B26)."""
    healed = heal(history)
    assert faults(healed.messages) == []
    assert refusals(healed.messages) == []
    assert healed.notes


def test_ids_that_a_provider_refuses_are_renamed_with_their_results() -> None:
    """Small models use the same id in every response, and signs that no schema allows."""
    history = [user_message("a", 0), ask("call:1"), give("call:1"), ask("call:1"), give("call:1")]
    healed = heal(history)
    assert faults(healed.messages) == []
    ids = [p.tool_call_id for m in healed.messages for p in m.parts if isinstance(p, ToolCallPart)]
    assert ids == ["call_1", "call_1_2"]


def test_long_ids_are_shortened_and_stay_different() -> None:
    """OpenAI takes 40 characters; other providers give out more, and a number behind them counts too."""
    ids = ["x" * 60, "x" * 61, "x" * 39, "x" * 38 + "_2"]
    healed = heal([user_message("a", 0), ask(*ids), give(*reversed(ids))])
    assert faults(healed.messages) == []
    renamed = [p.tool_call_id for p in healed.messages[1].parts if isinstance(p, ToolCallPart)]
    assert len(set(renamed)) == len(ids)
    assert max(map(len, renamed)) <= LONGEST_ID


@pytest.mark.parametrize("name", ["browser.open", "", "größe", "n" * 100, "a b", "half \ud83d"])
def test_the_name_of_a_tool_that_was_made_up_does_not_poison_the_conversation(name: str) -> None:
    """A model calls what was never offered; the call stays in the history and has to be sendable."""
    healed = heal([user_message("a", 0), ask("a", name=name), give("a", name=name)])
    assert faults(healed.messages) == []
    assert refusals(healed.messages) == []
    assert any("name" in note for note in healed.notes)


@pytest.mark.parametrize(
    "args", ['{"n": NaN}', {"n": float("nan")}, "[1, 2]", '{"a":', "null", '{"a": "\\ud83d"}']
)
def test_arguments_that_are_no_json_can_be_sent(args: Any) -> None:
    """What a model wrote stays in the history, however broken."""
    healed = heal([user_message("a", 0), ask("a", args=args), give("a")])
    assert refusals(healed.messages) == []


@pytest.mark.filterwarnings("ignore:.*RetryPromptPart")
def test_a_retry_counts_as_the_result_of_its_call() -> None:
    """Histories of other frameworks hold what to do again instead of a result."""
    again = RetryPromptPart("no such order", tool_name="look", tool_call_id="a", timestamp=T)  # pyright: ignore[reportDeprecated]  # see its import
    history = [user_message("a", 0), ask("a"), request([again])]
    healed = heal(history)
    assert (healed.messages, healed.notes) == (tuple(history), ())
    assert refusals(healed.messages) == []


@pytest.mark.parametrize("kept", [0, 1])
def test_a_call_on_the_providers_side_stands_with_its_result_or_not_at_all(kept: int) -> None:
    """A search that was cut off is left out, in every tool family (known failure B20)."""
    parts = (
        NativeToolCallPart("web_search", {"query": "x"}, tool_call_id="s1", provider_name="anthropic"),
        NativeToolReturnPart("web_search", [], tool_call_id="s1", provider_name="anthropic", timestamp=T),
    )
    whole = [user_message("a", 0), respond(*parts, TextPart("Found.")), user_message("b", 0)]
    assert heal(whole) == (tuple(whole), ())
    broken = [user_message("a", 0), respond(parts[kept], TextPart("Found.")), user_message("b", 0)]
    healed = heal(broken)
    assert [type(part) for part in healed.messages[1].parts] == [TextPart]
    alone = heal([user_message("a", 0), respond(parts[kept]), user_message("b", 0)])
    assert [said(message) for message in alone.messages] == [["a", "b"]]
