"""The scripted model: what it answers, streams, raises, waits for and remembers."""

from __future__ import annotations

import asyncio
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.usage import RequestUsage

from turnstate.testing.scripted import Answer, Asked, Call, ScriptedModel, in_words

HELLO: list[ModelMessage] = [ModelRequest(parts=[UserPromptPart("hello")])]


def ask(
    model: ScriptedModel, messages: list[ModelMessage] = HELLO, *, streaming: bool = False
) -> ModelResponse:
    """One request, without a stream or with one that is read to its end."""

    async def read() -> ModelResponse:
        if not streaming:
            return await model_request(model, messages)
        async with model_request_stream(model, messages) as events:
            async for _ in events:
                pass
            return events.get()

    return asyncio.run(read())


@pytest.mark.parametrize("streaming", [False, True])
def test_answers_come_in_order(streaming: bool) -> None:
    """Texts, calls and several items in one answer, the same with a stream and without."""
    model = ScriptedModel(["Hi.", ["Let me ", "look.", Call("find", {"x": 1})], Call("find", {}, "mine")])
    answers = [ask(model, streaming=streaming) for _ in range(3)]
    assert [part for answer in answers for part in answer.parts] == [
        TextPart("Hi."),
        TextPart("Let me look."),
        ToolCallPart("find", {"x": 1}, tool_call_id="call_2_2"),
        ToolCallPart("find", {}, tool_call_id="mine"),
    ]


@given(st.lists(st.text(min_size=1), min_size=1, max_size=5))
def test_a_stream_and_a_request_say_the_same(texts: list[str]) -> None:
    """Pieces join to the text, whatever it is."""
    script: list[Answer] = [texts, texts]
    model = ScriptedModel(script)
    assert ask(model).parts == ask(model, streaming=True).parts == [TextPart("".join(texts))]


@given(st.text())
def test_pieces_join_to_their_text(text: str) -> None:
    """Nothing is lost between words."""
    assert "".join(in_words(text)) == text


def test_a_function_sees_the_request() -> None:
    """What the user said, what the tools returned, what was said before, and what is on offer."""
    seen: list[Asked] = []

    def answer(asked: Asked) -> str:
        seen.append(asked)
        return f"You said {asked.prompt}."

    model = ScriptedModel(answer)
    assert ask(model).parts == [TextPart("You said hello.")]
    history: list[ModelMessage] = [
        *HELLO,
        ModelResponse(parts=[TextPart("Wait."), ToolCallPart("find", {"x": 1}, tool_call_id="c1")]),
        ModelRequest(parts=[ToolReturnPart("find", {"y": 2}, tool_call_id="c1")]),
    ]
    ask(model, history)
    assert seen == model.requests
    assert seen[1].results == {"c1": '{"y":2}'}
    assert seen[1].said == ("hello", "Wait.", 'find({"x":1})', '{"y":2}')
    assert (seen[1].instructions, seen[1].tools, seen[1].stream) == ("", (), False)


def test_a_coroutine_function_is_awaited() -> None:
    """A script may wait for something of its own."""

    async def answer(asked: Asked) -> str:
        await asyncio.sleep(0)
        return asked.prompt

    assert ask(ScriptedModel(answer)).parts == [TextPart("hello")]


@pytest.mark.parametrize("streaming", [False, True])
def test_an_exception_is_raised(streaming: bool) -> None:
    """The model fails as scripted, and the next request gets the next answer."""
    model = ScriptedModel([OSError("gone"), "Back."])
    with pytest.raises(OSError, match="gone"):
        ask(model, streaming=streaming)
    assert ask(model).parts == [TextPart("Back.")]


def test_a_stream_may_break_in_the_middle() -> None:
    """What stands before the exception has been streamed by then."""
    model = ScriptedModel([["One two. ", OSError("gone")]])

    pieces: list[object] = []

    async def read() -> None:
        async with model_request_stream(model, HELLO) as events:
            async for event in events:
                pieces.append(event)  # noqa: PERF401 - what came before the exception must stay

    with pytest.raises(OSError, match="gone"):
        asyncio.run(read())
    assert len(pieces) >= 2


@pytest.mark.parametrize("event", [asyncio.Event, threading.Event])
def test_it_waits_for_an_event(event: type[asyncio.Event | threading.Event]) -> None:
    """A request that hangs is let go by the test; `asked` says when it has come."""

    async def scenario() -> ModelResponse:
        gate = event()
        model = ScriptedModel([[gate, "Done."]])
        answer = asyncio.create_task(model_request(model, HELLO))
        await model.asked(1)
        assert not answer.done()
        gate.set()
        return await answer

    assert asyncio.run(scenario()).parts == [TextPart("Done.")]


def test_asked_returns_at_once_when_the_requests_have_come() -> None:
    """It counts all requests, also those of other event loops."""
    model = ScriptedModel(["One.", "Two."])
    ask(model)
    ask(model)
    asyncio.run(model.asked(2))


def test_a_script_that_is_spent_is_an_error() -> None:
    """A test that asks more often than it meant to is told so."""
    model = ScriptedModel(["Only."])
    ask(model)
    with pytest.raises(UserError, match="has 1 answers"):
        ask(model)


def test_a_whole_response_comes_as_it_is() -> None:
    """Thinking and usage survive, with a stream too."""
    given = ModelResponse(
        parts=[ThinkingPart("hm", signature="s"), TextPart("Yes.")], usage=RequestUsage(input_tokens=7)
    )
    model = ScriptedModel([given, given])
    for response in (ask(model), ask(model, streaming=True)):
        assert response.parts == given.parts
        assert response.usage.input_tokens == 7
        assert response.model_name == "scripted"


def test_usage_is_our_own_estimate_unless_it_is_kept_quiet() -> None:
    """A provider that reports nothing is scripted with `report=False`."""
    assert ask(ScriptedModel(["Hello there."])).usage.input_tokens > 0
    assert not ask(ScriptedModel(["Hello there."], report=False)).usage.has_values()


def test_it_counts_only_when_told_to() -> None:
    """Most providers have no counter."""
    parameters = ModelRequestParameters()
    model = ScriptedModel([], counts=True)
    assert asyncio.run(model.count_tokens(HELLO, None, parameters)).input_tokens > 0
    with pytest.raises(NotImplementedError):
        asyncio.run(ScriptedModel([]).count_tokens(HELLO, None, parameters))
