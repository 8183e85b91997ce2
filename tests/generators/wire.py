"""Requests as the official clients would send them, and what each family of providers refuses about them.

The bodies come from the model classes and clients that the product uses, stopped at the socket; the rules are written
here and in `turnstate.testing.anthropic`, without the code under test.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import httpx2
from anthropic import AsyncAnthropic
from openai import AsyncOpenAI
from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import InstructionPart
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.tools import ToolDefinition

from turnstate.core.messages import ModelMessage
from turnstate.testing.anthropic import validate

_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")

_sent: list[dict[str, Any]] = []


def _refuse(asked: httpx2.Request) -> httpx2.Response:
    _sent.append(json.loads(asked.content))
    return httpx2.Response(418, json={"error": {"message": "only looking", "type": "test"}})


def _models() -> tuple[Model, Model, Model]:
    client = httpx2.AsyncClient(transport=httpx2.MockTransport(_refuse))
    anthropic = AsyncAnthropic(api_key="none", http_client=client, max_retries=0)
    openai = AsyncOpenAI(api_key="none", http_client=client, max_retries=0)
    return (
        AnthropicModel("claude-haiku-4-5", provider=AnthropicProvider(anthropic_client=anthropic)),
        OpenAIChatModel("gpt-4o", provider=OpenAIProvider(openai_client=openai)),
        OpenAIResponsesModel("gpt-5", provider=OpenAIProvider(openai_client=openai)),
    )


ANTHROPIC, CHAT, RESPONSES = _models()


def body(model: Model, messages: Sequence[ModelMessage], instructions: str = "Be brief.") -> dict[str, Any]:
    """The JSON that `model` sends for `messages`."""
    parameters = ModelRequestParameters(
        function_tools=[ToolDefinition(name="get_order"), ToolDefinition(name="look")],
        instruction_parts=[InstructionPart(instructions)],
    )
    _sent.clear()
    try:
        asyncio.run(model_request(model, list(messages), model_request_parameters=parameters))
    except ModelHTTPError:
        return _sent[-1]
    raise AssertionError("the transport always refuses")


def refusals(messages: Sequence[ModelMessage]) -> list[str]:
    """What any provider would refuse about `messages`, in a few words each."""
    found: list[str] = []
    if problem := validate(body(ANTHROPIC, messages)):
        found.append(f"anthropic: {problem}")
    found.extend(f"chat: {problem}" for problem in _chat_problems(body(CHAT, messages)["messages"]))
    found.extend(
        f"responses: {problem}" for problem in _responses_problems(body(RESPONSES, messages)["input"])
    )
    return found


def _chat_problems(messages: list[dict[str, Any]]) -> Iterator[str]:
    """The rules of chat completions for messages: results directly behind their calls, ids and names well formed."""
    waiting: list[str] = []
    seen: set[str] = set()
    for place, message in enumerate(messages):
        role = message["role"]
        if role in {"system", "developer"} and place:
            yield f"{place}: a system message that is not the first"
        if role == "tool":
            if message["tool_call_id"] not in waiting:
                yield f"{place}: a tool message that answers no call before it"
            else:
                waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            yield f"{place}: calls without a tool message: {waiting}"
            waiting = []
        for call in message.get("tool_calls", ()):
            yield from (
                f"{place}: {problem}" for problem in _call_problems(call["id"], call["function"], seen)
            )
            waiting.append(call["id"])
        if not message.get("content") and not message.get("tool_calls"):
            yield f"{place}: neither content nor calls"
    if waiting:
        yield f"calls without a tool message at the end: {waiting}"
    if messages[-1]["role"] not in {"user", "tool"}:
        yield "ends with the assistant"
    if not any(message["role"] == "user" for message in messages):
        yield "no user message"


def _call_problems(call_id: str, function: dict[str, Any], seen: set[str]) -> Iterator[str]:
    if not _ID.fullmatch(call_id):
        yield f"a call id that is refused: {call_id!r}"
    if call_id in seen:
        yield f"a call id used twice: {call_id!r}"
    seen.add(call_id)
    if not _NAME.fullmatch(function["name"]):
        yield f"a tool name that is refused: {function['name']!r}"
    if not isinstance(json.loads(function["arguments"]), dict):
        yield "arguments that are no object"


def _responses_problems(items: list[dict[str, Any]]) -> Iterator[str]:
    """The rules of the responses API for its input: each call has one output, and each output a call before it."""
    called: list[str] = []
    answered: list[str] = []
    for item in items:
        match item.get("type"):
            case "function_call":
                yield from _call_problems(item["call_id"], item, set(called))
                called.append(item["call_id"])
            case "function_call_output":
                if item["call_id"] not in called or item["call_id"] in answered:
                    yield f"an output without its call: {item['call_id']!r}"
                answered.append(item["call_id"])
            case _:
                pass
    if unanswered := set(called) - set(answered):
        yield f"calls without output: {sorted(unanswered)}"
