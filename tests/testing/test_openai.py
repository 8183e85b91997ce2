"""The official SDK and pydantic-ai's models talk to the local server: answers, streams, tools, thoughts, refusals, faults."""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast
from urllib.parse import urlsplit

import openai
import pytest
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.exceptions import ModelAPIError, ModelHTTPError
from pydantic_ai.messages import (
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
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.tools import ToolDefinition

from turnstate.testing.openai import Call, Fault, OpenAIRequest, OpenAIServer, Replier, Reply, Think, in_order

APIS = ("chat", "responses")
SCHEMA = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
TOOLS = ModelRequestParameters(
    function_tools=[ToolDefinition(name="get_order", parameters_json_schema=SCHEMA)]
)


@asynccontextmanager
async def model_of(server: OpenAIServer, api: str, name: str = "gpt-5") -> AsyncGenerator[Model[Any]]:
    """The model, pointed to the server and without retries; its HTTP client is closed at the end."""
    provider = OpenAIProvider(base_url=server.base_url, api_key="test")
    provider.client.max_retries = 0
    kind = OpenAIChatModel if api == "chat" else OpenAIResponsesModel
    model = cast("Model[Any]", kind(name, provider=provider))
    async with model:
        yield model


async def ask(model: Model[Any], history: list[ModelMessage], *, stream: bool) -> ModelResponse:
    """One request, streamed or not."""
    if not stream:
        return await model_request(model, history, model_request_parameters=TOOLS)
    async with model_request_stream(model, history, model_request_parameters=TOOLS) as streamed:
        _ = [event async for event in streamed]
        return streamed.get()


def user(text: str, *before: SystemPromptPart | ToolReturnPart) -> ModelRequest:
    """What the user says, after other parts."""
    return ModelRequest(parts=[*before, UserPromptPart(text)])


def looks_up(request: OpenAIRequest) -> Reply:
    """Think and call, then answer from the result."""
    if request.results:
        return Reply.of(Think("So."), f"It is {' and '.join(request.results.values())}.")
    return Reply.of(
        Think("I must look."), "Let me look.", Call("get_order", {"id": "1"}), Call("get_order", {"id": "2"})
    )


@pytest.mark.anyio
@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("stream", [False, True])
async def test_tools_make_a_round_trip(api: str, stream: bool) -> None:
    """Calls and results come back as the API wants them; only responses show a thought, and want it back."""
    with OpenAIServer(looks_up) as server:
        async with model_of(server, api) as model:
            history: list[ModelMessage] = [user("Where are orders 1 and 2?", SystemPromptPart("Be kind."))]
            first = await ask(model, history, stream=stream)
            asked = [part for part in first.parts if isinstance(part, ToolCallPart)]
            thoughts = [part.content for part in first.parts if isinstance(part, ThinkingPart)]
            results = [ToolReturnPart("get_order", "shipped", part.tool_call_id) for part in asked]
            history += [first, ModelRequest(parts=results)]
            second = await ask(model, history, stream=stream)
    assert server.refusals == []
    assert [part.args_as_dict() for part in asked] == [{"id": "1"}, {"id": "2"}]
    assert thoughts == ([] if api == "chat" else ["I must look."])
    assert second.text == "It is shipped and shipped."
    before, after = server.requests
    assert (before.system, before.prompt, before.tools, before.stream) == (
        "Be kind.",
        "Where are orders 1 and 2?",
        ("get_order",),
        stream,
    )
    assert first.usage.input_tokens == before.tokens < after.tokens == second.usage.input_tokens
    assert first.usage.output_tokens > first.usage.details["reasoning_tokens"] > 0
    assert after.model == "gpt-5"


@pytest.mark.anyio
@pytest.mark.parametrize("api", APIS)
async def test_what_is_streamed_is_what_is_answered(api: str) -> None:
    """The pieces add up, and there are several."""
    said = "A sentence that is longer than one piece. 日本語 🎉"
    with OpenAIServer() as server:
        async with model_of(server, api) as model:
            whole = await ask(model, [user(said)], stream=False)
            async with model_request_stream(model, [user(said)], model_request_parameters=TOOLS) as streamed:
                events = [event async for event in streamed]
                pieces = streamed.get()
    assert whole.text == pieces.text == said
    assert whole.usage == pieces.usage
    assert len(events) > 4


@pytest.mark.anyio
@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    ("history", "reason"),
    [
        (
            [user("Hi"), ModelResponse(parts=[ToolCallPart("get_order", {"id": "1"}, "a")]), user("And?")],
            "did not have response messages: a|No tool output found for function call a",
        ),
        (
            [user("Hi", ToolReturnPart("get_order", "shipped", "a"))],
            "must be a response to a preceding message|No tool call found for function call output with call_id a",
        ),
        (
            [
                user("Hi"),
                ModelResponse(parts=[ToolCallPart("get_order", {"id": "1"}, "a" * 65)]),
                ModelRequest(parts=[ToolReturnPart("get_order", "shipped", "a" * 65)]),
            ],
            "string too long. Expected a string with maximum length (40|64)",
        ),
        (
            [
                user("Hi"),
                ModelResponse(parts=[ToolCallPart("get order", {"id": "1"}, "a")]),
                ModelRequest(parts=[ToolReturnPart("get order", "shipped", "a")]),
            ],
            "String should match pattern",
        ),
    ],
)
async def test_an_invalid_history_is_refused(api: str, history: list[ModelMessage], reason: str) -> None:
    """What pydantic-ai passes on unchecked does not get past the server."""
    with OpenAIServer() as server:
        async with model_of(server, api) as model:
            with pytest.raises(ModelHTTPError, match=reason):
                await ask(model, history, stream=False)
    assert server.requests == []
    assert server.refusals[0].status == 400


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        ("reasoning", "was provided without its required 'reasoning' item"),
        ("item", "was provided without its required following item"),
        ("twice", "Duplicate item found with id"),
        ("model", "could not be verified"),
        ("foreign", "not found"),
    ],
)
async def test_items_of_responses_are_kept_track_of(spoil: str, reason: str) -> None:
    """Reasoning goes back with its item, once, to the model and the server that made it."""
    with OpenAIServer(in_order(Reply.of(Think("Hm."), "Yes."), Reply.of("Again."))) as server:
        async with model_of(server, "responses") as model:
            first = await ask(model, [user("Hi")], stream=False)
        thought, said = first.parts
        assert isinstance(thought, ThinkingPart)
        assert isinstance(said, TextPart)
        history: list[ModelMessage] = [user("Hi"), first, user("And?")]
        match spoil:
            case "reasoning":
                first.parts = [said]
            case "item":
                first.parts = [thought]
            case "twice":
                history += [first, user("And?")]
            case "foreign":
                said.id = "msg_of_another_server"
            case _:
                pass
        async with model_of(server, "responses", "gpt-5-mini" if spoil == "model" else "gpt-5") as other:
            with pytest.raises(ModelHTTPError, match=reason):
                await ask(other, history, stream=False)


@pytest.mark.anyio
@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("stream", [False, True])
async def test_too_long_a_request_is_refused_with_both_numbers(api: str, stream: bool) -> None:
    """The context window's own error."""
    with OpenAIServer(window=50) as server:
        async with model_of(server, api) as model:
            with pytest.raises(ModelHTTPError, match=r"maximum context length is 50 tokens.*\d+ tokens"):
                await ask(model, [user("word " * 100)], stream=stream)


@pytest.mark.anyio
@pytest.mark.parametrize("api", APIS)
async def test_a_fault_is_a_typed_error(api: str) -> None:
    """An outage surfaces with its status, also when it ends a stream that has begun."""
    outage = Fault(503, "server_error", "Overloaded.", retry_after=0)
    with OpenAIServer(
        in_order(outage, Reply.of("Half", "way"), Reply(broken_by=outage), Reply(broken_by=outage))
    ) as server:
        async with model_of(server, api) as model:
            with pytest.raises(ModelHTTPError) as caught:
                await ask(model, [user("Hi")], stream=False)
            assert caught.value.status_code == 503
            assert (await ask(model, [user("Hi")], stream=False)).text
            with pytest.raises(ModelAPIError):
                await ask(model, [user("Hi")], stream=False)
            with pytest.raises(ModelAPIError):
                await ask(model, [user("Hi")], stream=True)
    assert server.refusals == []


def _calls_what_is_not_there(_request: OpenAIRequest) -> Reply:
    return Reply.of(Call("unknown", {}))


def _fails(_request: OpenAIRequest) -> Reply:
    raise ZeroDivisionError


SCRIPTS: list[tuple[Replier, str]] = [
    (in_order(), "0 answers and all of them were given"),
    (_calls_what_is_not_there, "the request offers none"),
    (_fails, "ZeroDivisionError"),
]


@pytest.mark.parametrize(("script", "reason"), SCRIPTS)
def test_a_script_that_cannot_be_played_is_an_error_that_says_so(script: Replier, reason: str) -> None:
    """A mistake in a test does not look like the provider's answer."""
    with (
        OpenAIServer(script) as server,
        openai.OpenAI(base_url=server.base_url, api_key="any", max_retries=0) as client,
        pytest.raises(openai.InternalServerError, match=reason),
    ):
        client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Hi"}])


@pytest.mark.parametrize(
    ("method", "path", "headers", "body", "status"),
    [
        ("GET", "/v1/models", {"authorization": "Bearer x"}, b"", 404),
        ("POST", "/v1/responses", {}, b"{}", 401),
        ("POST", "/v1/responses", {"authorization": "Bearer x"}, b"{", 400),
        ("POST", "/v1/chat/completions", {"authorization": "Bearer x"}, b"[]", 400),
        ("POST", "/v1/chat/completions", {"authorization": "Bearer x"}, b'{"model": "m"}', 400),
    ],
)
def test_what_is_no_request_is_refused(
    method: str, path: str, headers: dict[str, str], body: bytes, status: int
) -> None:
    """In the provider's shape, and recorded."""
    with OpenAIServer() as server:
        connection = http.client.HTTPConnection(urlsplit(server.base_url).netloc)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        said = json.loads(answer.read())
        connection.close()
    assert answer.status == status
    assert set(said["error"]) == {"message", "type", "param", "code"}
    assert [refusal.status for refusal in server.refusals] == [status]


def test_a_request_waits_for_its_delay_and_leaving_gives_it_up() -> None:
    """An event that is never set does not keep the block from being left."""
    never = threading.Event()
    with OpenAIServer(delay=never) as server:
        client = openai.OpenAI(base_url=server.base_url, api_key="any", max_retries=0)

        def ask_in_vain() -> None:
            with contextlib.suppress(openai.APIError):
                client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Hi"}])

        asking = threading.Thread(target=ask_in_vain)
        asking.start()
        while not server.requests:
            asking.join(0.01)
        assert asking.is_alive()
    asking.join()
    client.close()


def test_tokens_are_counted_as_they_are_charged() -> None:
    """The counter of responses gives the input tokens of the same request; chat completions have none."""
    with (
        OpenAIServer(window=5) as server,
        openai.OpenAI(base_url=server.base_url, api_key="any", max_retries=0) as client,
    ):
        counted = client.responses.input_tokens.count(model="m", input="one two three four")
        with pytest.raises(openai.NotFoundError):
            client.post("/chat/completions/input_tokens", body={}, cast_to=object)
        with pytest.raises(openai.BadRequestError, match=f"resulted in {counted.input_tokens} tokens"):
            client.responses.create(model="m", input="one two three four")
    assert [request.tokens for request in server.counts] == [counted.input_tokens]


def test_ids_are_the_same_in_every_run() -> None:
    """A recorded conversation can be compared with another."""
    made: list[str] = []
    for _ in range(2):
        with (
            OpenAIServer() as server,
            openai.OpenAI(base_url=server.base_url, api_key="any", max_retries=0) as client,
        ):
            made.append(client.responses.create(model="m", input="Hi").output[0].id or "")
    assert made[0] == made[1] != ""
