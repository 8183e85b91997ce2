"""pydantic-ai's Anthropic model, on top of the official SDK, talks to the local server."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.exceptions import ModelContextWindowExceededError, ModelHTTPError
from pydantic_ai.messages import (
    CachePoint,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from turnstate.testing.anthropic import AnthropicServer, Call, Fault, MessagesRequest, Reply, Think, in_order

pytestmark = pytest.mark.anyio

SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
TOOLS = ModelRequestParameters(
    function_tools=[ToolDefinition(name="get_order", parameters_json_schema=SCHEMA)]
)


@asynccontextmanager
async def model_of(server: AnthropicServer) -> AsyncGenerator[AnthropicModel, None]:
    """The model, pointed to the server; its HTTP client is closed at the end."""
    model = AnthropicModel(
        "claude-haiku-4-5", provider=AnthropicProvider(base_url=server.base_url, api_key="test")
    )
    async with model:
        yield model


def user(text: str, *before: SystemPromptPart | ToolReturnPart) -> ModelRequest:
    """What the user says, after other parts."""
    return ModelRequest(parts=[*before, UserPromptPart(text)])


async def test_a_request_and_its_answer() -> None:
    """Text, system prompt and usage go both ways; without max_tokens the SDK streams behind the scenes."""
    with AnthropicServer() as server:
        async with model_of(server) as model:
            answer = await model_request(model, [user("Hello.", SystemPromptPart("Be kind."))])
            short = await model_request(model, [user("Hello.")], model_settings=ModelSettings(max_tokens=64))
    assert [part.content for part in answer.parts if isinstance(part, TextPart)] == ["Hello."]
    first, second = server.requests
    assert (first.system, first.stream, second.stream) == ("Be kind.", True, False)
    assert answer.usage.input_tokens == first.tokens
    assert answer.finish_reason == short.finish_reason == "stop"


async def test_text_is_streamed() -> None:
    """More than one delta, and the collected response is the whole."""
    with AnthropicServer() as server:
        async with (
            model_of(server) as model,
            model_request_stream(model, [user("A sentence that is longer than one piece.")]) as stream,
        ):
            events = [event async for event in stream]
            response = stream.get()
    assert len(events) > 3
    assert response.text == "A sentence that is longer than one piece."
    assert response.usage.output_tokens > 0


async def test_tools_make_a_round_trip_with_thoughts() -> None:
    """The signature, the call and its result come back to the server as the API wants them."""

    def script(request: MessagesRequest) -> Reply:
        if request.results:
            return Reply.of("It has shipped.")
        return Reply.of(Think("I must look."), "Let me look.", Call("get_order", {"id": "1"}))

    with AnthropicServer(script) as server:
        async with model_of(server) as model:
            history: list[ModelMessage] = [user("Where is order 1?", SystemPromptPart("Be kind."))]
            first = await model_request(model, history, model_request_parameters=TOOLS)
            (call,) = [part for part in first.parts if isinstance(part, ToolCallPart)]
            assert call.args_as_dict() == {"id": "1"}
            assert [part.content for part in first.parts if isinstance(part, ThinkingPart)] == [
                "I must look."
            ]
            history += [first, user("Please.", ToolReturnPart("get_order", "shipped", call.tool_call_id))]
            second = await model_request(model, history, model_request_parameters=TOOLS)
    assert second.text == "It has shipped."
    assert server.requests[1].results == {call.tool_call_id: "shipped"}
    assert server.refusals == []


async def test_tokens_are_counted_as_they_are_charged() -> None:
    """`count_tokens` gives the input tokens of the same request."""
    with AnthropicServer() as server:
        async with model_of(server) as model:
            history: list[ModelMessage] = [user("Where is order 1?", SystemPromptPart("Be kind."))]
            counted = await model.count_tokens(history, None, TOOLS)
            answer = await model_request(model, history, model_request_parameters=TOOLS)
    assert counted.input_tokens == answer.usage.input_tokens == server.counts[0].tokens


async def test_a_cache_point_is_read_by_the_next_request() -> None:
    """What stands before the point is written once and read from then on."""
    opening = ModelRequest(parts=[UserPromptPart(["A long document.", CachePoint(), "Summarise it."])])
    with AnthropicServer() as server:
        async with model_of(server) as model:
            first = await model_request(model, [opening])
            second = await model_request(model, [opening, first, user("Shorter.")])
    assert first.usage.cache_write_tokens == second.usage.cache_read_tokens > 0
    assert second.usage.input_tokens == server.requests[1].tokens


async def test_an_overflow_is_a_typed_error() -> None:
    """Too long a prompt surfaces as the context window's own error, whose body holds both numbers."""
    with AnthropicServer(window=100) as server:
        async with model_of(server) as model:
            with pytest.raises(ModelContextWindowExceededError, match=r"\d+ tokens > 100 maximum") as caught:
                await model_request(model, [user("word " * 200)])
            with pytest.raises(ModelContextWindowExceededError):
                async with model_request_stream(model, [user("word " * 200)]):
                    pass
    assert isinstance(caught.value, ModelHTTPError)
    assert caught.value.status_code == 400
    assert len(server.refusals) == 2


async def test_a_fault_is_a_typed_error() -> None:
    """An outage surfaces with its status, after the client's own retries."""
    faults = [Fault(500, "api_error", "Gone.", retry_after=0)] * 3
    with AnthropicServer(in_order(*faults)) as server:
        async with model_of(server) as model:
            with pytest.raises(ModelHTTPError) as caught:
                await model_request(model, [user("Hello.")])
    assert caught.value.status_code == 500
    assert len(server.requests) == len(faults)


async def test_sampling_settings_do_not_reach_the_current_version() -> None:
    """A temperature is refused by the API version that the SDK names, for every model."""
    with AnthropicServer() as server:
        async with model_of(server) as model:
            with pytest.raises(ModelHTTPError, match="temperature: Extra inputs are not permitted"):
                await model_request(model, [user("Hello.")], model_settings=ModelSettings(temperature=0.0))
    assert server.requests == []


@pytest.mark.parametrize(
    ("history", "reason"),
    [
        (
            [user("Hi"), ModelResponse(parts=[TextPart("Hello.")])],
            "does not support assistant message prefill",
        ),
        ([ModelResponse(parts=[TextPart("Hello.")]), user("Hi")], 'first message must use the "user" role'),
        (
            [user("Hi"), ModelResponse(parts=[ToolCallPart("get_order", {"id": "1"}, "a")]), user("And?")],
            "`tool_use` ids were found without `tool_result` blocks immediately after: a",
        ),
        (
            [user("Hi", ToolReturnPart("get_order", "shipped", "a"))],
            "unexpected `tool_use_id` found in `tool_result` blocks: a",
        ),
        (
            [
                user("Hi"),
                ModelResponse(parts=[ToolCallPart("get_order", {"id": "1"}, "a")]),
                ModelRequest(parts=[ToolReturnPart("get_order", "", "a")]),
            ],
            "text content blocks must be non-empty",
        ),
    ],
)
async def test_an_invalid_history_is_refused(history: list[ModelMessage], reason: str) -> None:
    """What pydantic-ai passes on unchecked does not get past the server."""
    with AnthropicServer() as server:
        async with model_of(server) as model:
            with pytest.raises(ModelHTTPError, match=reason):
                await model_request(model, history, model_request_parameters=TOOLS)
    assert reason in server.refusals[0].message
