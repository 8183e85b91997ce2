"""One request to the model: every failure becomes one typed error that says whether to try again."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelHTTPError,
    UnexpectedModelBehavior,
    UserError,
)
from pydantic_ai.messages import ModelResponse, TextPart, ThinkingPart
from pydantic_ai.models import StreamedResponse
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.usage import RequestUsage

from acceptance.doors import assistant, over_http, recorded, run, sentences
from turnstate import Budget, Reply, Stream
from turnstate.core.events import ModelResponded, TurnFailed
from turnstate.errors import ModelFailed
from turnstate.testing.anthropic import AnthropicServer, Fault, MessagesRequest, Say, in_order
from turnstate.testing.anthropic import Reply as Answered
from turnstate.testing.scripted import Answer, Asked, Call, ScriptedModel
from turnstate.turn.speak import redacted

SECRET = "sk-ant-api03-abcdefghijklmnop"


def failure(model: Any, *, streaming: bool = False) -> tuple[ModelFailed, TurnFailed, Reply]:
    """How the first turn fails, what is recorded of it, and the reply of the next turn."""

    async def scenario() -> tuple[ModelFailed, TurnFailed, Reply]:
        async with assistant(model) as door:
            chat = door.conversation("c")
            with pytest.raises(ModelFailed) as raised:
                await (sentences(chat.stream("hello")) if streaming else chat.send("hello"))
            (failed,) = await recorded(chat, TurnFailed)
            return raised.value, failed, await chat.send("again")

    return run(scenario())


async def read(stream: Stream, seen: list[str]) -> None:
    """Read into `seen`, so that what came before an error stays."""
    async for sentence in stream:
        seen.append(sentence)  # noqa: PERF401 - as said


# Over HTTP -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(
    ("status", "kind", "retry"),
    [
        (429, "rate_limit_error", True),
        (500, "api_error", True),
        (529, "overloaded_error", True),
        (401, "authentication_error", False),
        (403, "permission_error", False),
        (404, "not_found_error", False),
        (400, "invalid_request_error", False),
    ],
)
def test_a_providers_error_says_whether_to_try_again(
    status: int, kind: str, retry: bool, streaming: bool
) -> None:
    """The error and the log agree, no key is in either, and the next message is answered."""
    fault = Fault(status, kind, f"no good, {SECRET} is not accepted")
    with AnthropicServer(in_order(fault, Answered.of("Fine."))) as server:
        error, failed, reply = failure(over_http(server.base_url), streaming=streaming)
    assert (error.retry, failed.retry, failed.reason) == (retry, retry, "model")
    assert reply.text == "Fine."
    for words in (str(error), error.reason, failed.message):
        assert "no good" in words
        assert SECRET not in words
    assert "The user's message is in the log" in str(error)


@pytest.mark.parametrize("status", [429, 529, 500])
def test_an_error_in_the_middle_of_a_stream_is_typed_and_what_was_seen_is_recorded(status: int) -> None:
    """The reader keeps what was released, and the log says what that was."""
    broken = Answered((Say("One. Two. Thr"),), broken_by=Fault(status, "overloaded_error", "too much"))

    async def scenario(base_url: str) -> None:
        async with assistant(over_http(base_url)) as door:
            chat = door.conversation("c")
            seen: list[str] = []
            with pytest.raises(ModelFailed) as raised:
                await read(chat.stream("count", key="k"), seen)
            (failed,) = await recorded(chat, TurnFailed)
            assert "".join(seen).strip() == failed.released.strip() == "One. Two."
            assert raised.value.retry
            assert raised.value.released.strip() == failed.released.strip()
            assert (await chat.send("count", key="k")).text == "One. Two. Three."

    with AnthropicServer(in_order(broken, Answered.of("One. Two. Three."))) as server:
        run(scenario(server.base_url))


def test_a_server_that_is_gone_is_worth_another_try() -> None:
    """Nobody listens: the error says so, and to send it again."""
    with AnthropicServer() as server:
        base_url = server.base_url

    async def scenario() -> ModelFailed:
        async with assistant(over_http(base_url)) as door:
            with pytest.raises(ModelFailed) as raised:
                await door.conversation("c").send("hello")
            return raised.value

    assert run(scenario()).retry


def test_prompt_caching_is_on_unless_the_settings_say_otherwise() -> None:
    """The cache point stands in the newest message; `cache=False` leaves none."""

    async def scenario(base_url: str, settings: Any) -> None:
        async with assistant(over_http(base_url), instructions="Be kind.", settings=settings) as door:
            await door.conversation("c").send("hello")

    def marked(request: MessagesRequest) -> bool:
        return "cache_control" in str(request.body)

    with AnthropicServer() as server:
        run(scenario(server.base_url, None))
        run(scenario(server.base_url, {"cache": False, "max_tokens": 77}))
        first, second = server.requests
    assert (marked(first), marked(second)) == (True, False)
    assert second.body["max_tokens"] == 77


# Whatever a model raises ---------------------------------------------------------------------------------------------


class OddModel(ScriptedModel):
    """A model whose stream cannot even be opened."""

    @asynccontextmanager
    async def request_stream(self, *args: Any, **kwargs: Any) -> AsyncGenerator[StreamedResponse]:
        """Fail."""
        if not self.requests:
            await self.request(*args, **kwargs)
        async with super().request_stream(*args, **kwargs) as stream:
            yield stream


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(
    ("raised", "retry"),
    [
        (ModelHTTPError(503, "m", SECRET), True),
        (ModelHTTPError(408, "m"), True),
        (ModelHTTPError(418, "m"), False),
        (ModelAPIError("m", f"connection lost {SECRET}"), True),
        (UnexpectedModelBehavior("odd"), True),
        (UserError("not set up"), False),
        (ConnectionResetError("reset"), True),
        (TimeoutError(), True),
        (ValueError("bad json"), True),
        (RuntimeError(f"odd {SECRET}"), True),
        (KeyError("choices"), True),
        (AttributeError("x"), True),
        (ExceptionGroup("all", [ModelHTTPError(429, "m", SECRET)]), True),
    ],
)
def test_whatever_a_model_raises_is_a_failed_request(raised: Exception, retry: bool, streaming: bool) -> None:
    """Adapters raise many things; the turn fails with one, without the key, and the conversation goes on."""
    error, failed, reply = failure(OddModel([raised, "Fine."]), streaming=streaming)
    assert (error.retry, failed.retry) == (retry, retry)
    assert SECRET not in str(error) + failed.message
    assert reply.text == "Fine."
    assert error.model.endswith("scripted")


def test_a_fallback_whose_models_all_fail_is_a_failed_request() -> None:
    """The group that pydantic-ai raises is told by what is in it."""
    answers: list[Answer] = [ModelHTTPError(529, "one"), "Fine."]
    model = FallbackModel(ScriptedModel(answers), ScriptedModel([ModelHTTPError(503, "two")]))
    error, _, reply = failure(model)
    assert error.retry
    assert "503" in error.reason or "529" in error.reason
    assert reply.text == "Fine."


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(
    "answer",
    [
        ModelResponse(parts=[]),
        ModelResponse(parts=[TextPart(" \n")]),
        ModelResponse(parts=[ThinkingPart("hm")]),
        " ",
    ],
)
def test_an_empty_response_is_no_reply(answer: Answer, streaming: bool) -> None:
    """Neither text nor a call: nothing of it is recorded, and the same message may be sent again."""

    async def scenario() -> None:
        model = ScriptedModel([answer, "Now."])
        async with assistant(model) as door:
            chat = door.conversation("c")
            with pytest.raises(ModelFailed, match="neither text nor a tool call") as raised:
                await (sentences(chat.stream("hello", key="k")) if streaming else chat.send("hello", key="k"))
            assert raised.value.retry
            assert await recorded(chat, ModelResponded) == []
            assert (await chat.send("hello", key="k")).text == "Now."

    run(scenario())


# Streaming -----------------------------------------------------------------------------------------------------------


def test_thinking_and_arguments_are_not_released() -> None:
    """Only what the model says to the user is streamed."""
    thought = [ThinkingPart("I think. Therefore."), "Let me look. ", Call("look", {"x": "Say. This."})]

    def look(x: str) -> str:
        """Look."""
        return "Seen. It."

    async def scenario() -> list[str]:
        async with assistant([thought, [ThinkingPart("Aha. So."), "It is there."]], tools=[look]) as door:
            return await sentences(door.conversation("c").stream("where?"))

    assert "".join(run(scenario())) == "Let me look.\n\nIt is there."


@pytest.mark.parametrize("report", [False, True])
def test_a_stream_without_usage_does_not_stop_the_counting(report: bool) -> None:
    """A provider that reports nothing is counted by our own estimate: the context is cut all the same."""

    async def scenario() -> list[Reply]:
        model = ScriptedModel(lambda asked: "word " * 60, report=report)
        async with assistant(model, budget=Budget(target=1_200), instructions="Short.") as door:
            chat = door.conversation("c")
            replies: list[Reply] = []
            for number in range(30):
                stream = chat.stream(f"message {number} " + "word " * 40)
                await sentences(stream)
                replies.append(await stream.reply())
            return replies

    replies = run(scenario())
    assert all(0 < reply.context.tokens <= 1_200 for reply in replies)
    assert sum(bool(reply.context.managed) for reply in replies) >= 3
    assert (replies[-1].usage.input_tokens > 0) is report


def test_a_counter_that_fails_or_counts_nothing_is_passed_over() -> None:
    """The provider's counter is asked only near the target, and never believed when it says zero."""

    class Counting(ScriptedModel):
        answer: Any = RuntimeError("no counter")

        async def count_tokens(self, *args: Any, **kwargs: Any) -> RequestUsage:
            """Count."""
            if isinstance(self.answer, Exception):
                raise self.answer
            return RequestUsage(input_tokens=self.answer)

    async def scenario(answer: Any) -> list[Reply]:
        model = Counting(lambda asked: "word " * 60, report=False)
        model.answer = answer
        async with assistant(model, budget=Budget(target=900)) as door:
            chat = door.conversation("c")
            return [await chat.send("word " * 40) for _ in range(20)]

    for answer in (RuntimeError("no counter"), 0, TimeoutError()):
        replies = run(scenario(answer))
        assert all(0 < reply.context.tokens <= 900 for reply in replies)


def test_the_model_is_asked_with_instructions_tools_and_settings() -> None:
    """What the assistant was built with reaches the model in every request."""

    def look(x: str) -> str:
        """Look."""
        return "seen"

    async def scenario() -> list[Asked]:
        model = ScriptedModel([Call("look", {"x": "1"}), "Seen."])
        async with assistant(
            model, tools=[look], instructions="Be kind.", settings={"temperature": 0.5}
        ) as door:
            await sentences(door.conversation("c").stream("look"))
        return model.requests

    for asked in run(scenario()):
        assert asked.instructions == "Be kind."
        assert [offered.name for offered in asked.tools] == ["look", "recall"]
        assert dict(asked.settings or {})["temperature"] == 0.5
        assert asked.stream


# Redaction -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "secret",
    [
        "sk-ant-api03-abcDEF123456",
        "sk-proj-abcdef123456",
        "AIzaSyA1234567890abcdef",
        "gsk_abcdef1234567890",
        "xai-abcdef1234567890",
        "Bearer abcdef1234567890",
    ],
)
def test_what_looks_like_a_key_is_redacted(secret: str) -> None:
    """Wherever it stands in the text, also abbreviated with stars."""
    for text in (f"Incorrect key: {secret}.", f'{{"key":"{secret}"}}', secret):
        assert secret not in redacted(text)
        assert "[redacted]" in redacted(text)


@pytest.mark.parametrize(
    "text",
    [
        "prompt is too long: 210000 tokens > 200000 maximum",
        "duplicate key violates unique constraint",
        "The key should be a string",
        "x-api-key header is required",
        "ask-and-answer is not supported",
    ],
)
def test_other_words_stay(text: str) -> None:
    """An error that says nothing any more helps nobody."""
    assert redacted(text) == text
