"""What the provider refuses: the rules of a Messages request beyond the shape of its fields, as pure code.

The wording follows the messages of the real API, so that code which reads them meets the same words. Consecutive messages
of one role are one turn, as there: tool calls and results are paired by turn.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn, cast

from turnstate.testing.anthropic.pairing import (
    Placed,
    WireTurn,
    misplaced_blocks,
    pairing_problems,
    wire_turns,
    with_nested,
)
from turnstate.testing.anthropic.schema import request_shape
from turnstate.testing.anthropic.script import JsonObject, blocks_of
from turnstate.testing.anthropic.shape import Problems

VERSIONS = ("2023-01-01", "2023-06-01", "2026-10-21")
"""Values of the `anthropic-version` header; the last one has no sampling parameters and stricter content."""

MAX_CACHE_MARKS = 4
"""Cache breakpoints that one request may have."""


def parse(data: bytes) -> object:
    """The JSON in a request's body.

    Raises:
        ValueError: the body is not JSON, or has half of a surrogate pair; the message is the provider's.
    """
    try:
        body: object = json.loads(data.decode(), parse_constant=_no_constant)
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError("The request body is not valid JSON: no low surrogate in string") from error
    except (ValueError, RecursionError) as error:
        raise ValueError(f"The request body is not valid JSON: {error}") from error
    return body


@dataclass(frozen=True, slots=True)
class Rules:
    """What the validity of a body depends on beside the body.

    Attributes:
        version: the `anthropic-version` header.
        betas: whether the request names a beta, which admits the parameters that only betas have.
        counting: whether it went to the counting endpoint, which takes no parameters of the answer.
        allow_prefill: whether the last message may be the assistant's, to be continued.
    """

    version: str = VERSIONS[-1]
    betas: bool = False
    counting: bool = False
    allow_prefill: bool = False

    @property
    def current(self) -> bool:
        """Whether the rules of 2026-10-21 hold."""
        return self.version == VERSIONS[-1]


def validate(body: object, rules: Rules | None = None) -> str | None:
    """The first reason to refuse a request, in the provider's words, or None for a valid one.

    Args:
        body: the JSON body.
        rules: the rules to judge it by; the current version's without betas or prefill by default.
    """
    rules = rules or Rules()
    if not isinstance(body, dict):
        return "Input should be a valid dictionary"
    request = cast("JsonObject", body)
    shape = request_shape(counting=rules.counting, betas=rules.betas, sampling=not rules.current)
    return next(shape("", request), None) or next(_problems(request, rules), None)


def _problems(request: JsonObject, rules: Rules) -> Problems:
    """The rules, in the order in which they are checked; the request has the right shape."""
    messages: list[JsonObject] = request["messages"]
    if not messages:
        yield "messages: at least one message is required"
        return
    if messages[0]["role"] != "user":
        yield 'messages: first message must use the "user" role'
    turns = wire_turns(messages)
    yield from _empty_content(messages)
    yield from _cache_problems(request, turns)
    yield from _blank_texts(request, turns)
    yield from misplaced_blocks(turns)
    if rules.current:
        yield from _outdated_blocks(turns)
    yield from _tool_problems(request, turns)
    yield from pairing_problems(turns)
    yield from _thinking_problems(request)
    yield from _ending_problems(turns[-1], allow_prefill=rules.allow_prefill)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _empty_content(messages: list[JsonObject]) -> Problems:
    for number, message in enumerate(messages):
        is_prefill = number == len(messages) - 1 and message["role"] == "assistant"
        if not message["content"] and not is_prefill:
            yield (
                f"messages.{number}: all messages must have non-empty content "
                "except for the optional final assistant message"
            )


def _everything(request: JsonObject, turns: list[WireTurn]) -> Iterator[Placed]:
    """Every block of a request in the order in which the provider reads them, but for the tools."""
    system: str | list[JsonObject] = request.get("system") or []
    for index, block in enumerate(blocks_of(system)):
        yield Placed(f"system.{index}", block)
    for turn in turns:
        for placed in turn.blocks:
            yield from with_nested(placed)


def _cache_problems(request: JsonObject, turns: list[WireTurn]) -> Problems:
    tools = [Placed(f"tools.{index}", tool) for index, tool in enumerate(request.get("tools", ()))]
    marked = [
        placed for placed in (*tools, *_everything(request, turns)) if placed.block.get("cache_control")
    ]
    for placed in marked:
        if placed.block.get("type") == "text" and not placed.block["text"]:
            yield f"{placed.path}.text: cache_control cannot be set for empty text blocks"
    total = len(marked) + bool(request.get("cache_control"))
    if total > MAX_CACHE_MARKS:
        yield f"A maximum of {MAX_CACHE_MARKS} blocks with cache_control may be provided. Found {total}."
    short_lived = False
    for placed in marked:
        lasts_an_hour = placed.block["cache_control"].get("ttl") == "1h"
        if short_lived and lasts_an_hour:
            yield (
                f"{placed.path}.cache_control.ttl: a ttl='1h' cache_control block must not come after "
                "a ttl='5m' cache_control block. Note that blocks are processed in the following order: "
                "`tools`, `system`, `messages`."
            )
        short_lived = short_lived or not lasts_an_hour


def _blank_texts(request: JsonObject, turns: list[WireTurn]) -> Problems:
    for placed in _everything(request, turns):
        if placed.kind == "text" and not placed.block["text"].strip():
            where = placed.path.partition(".")[0]
            need = "contain non-whitespace text" if placed.block["text"] else "be non-empty"
            yield f"{where}: text content blocks must {need}"


def _outdated_blocks(turns: list[WireTurn]) -> Problems:
    """What version 2026-10-21 no longer takes: documents from the assistant and citations from the user."""
    for turn in turns:
        for placed in turn.blocks:
            if turn.role == "assistant" and placed.kind == "document":
                yield f"{placed.path}: `document` blocks can only be in `user` messages"
            if turn.role == "user":
                for part in with_nested(placed):
                    if part.block.get("type") == "text" and part.block.get("citations"):
                        yield f"{part.path}.text.citations: citations can only be in `assistant` messages"


def _tool_problems(request: JsonObject, turns: list[WireTurn]) -> Problems:
    tools: list[JsonObject] = request.get("tools") or []
    names = [tool["name"] for tool in tools]
    if len(set(names)) < len(names):
        yield "tools: Tool names must be unique."
    if tools and all(tool.get("defer_loading") for tool in tools):
        yield "tools: At least one tool must have defer_loading=false."
    if not tools and any(
        placed.kind in {"tool_use", "tool_result"} for turn in turns for placed in turn.blocks
    ):
        yield "Requests which include `tool_use` or `tool_result` blocks must define tools."
    choice: JsonObject | None = request.get("tool_choice")
    if choice and not tools:
        yield "tool_choice: tool_choice may only be specified while providing tools"
    if choice and choice["type"] == "tool" and choice["name"] not in names:
        yield f"tool_choice.name: Tool '{choice['name']}' not found in provided tools"


def _thinking_problems(request: JsonObject) -> Problems:
    thinking: JsonObject = request.get("thinking") or {"type": "disabled"}
    if thinking["type"] not in {"enabled", "adaptive"}:
        return
    if "max_tokens" in request and thinking.get("budget_tokens", 0) >= request["max_tokens"]:
        yield "`max_tokens` must be greater than `thinking.budget_tokens`"
    if request.get("temperature", 1) != 1:
        yield "`temperature` may only be set to 1 when thinking is enabled"
    if "tool_choice" in request and request["tool_choice"]["type"] in {"any", "tool"}:
        yield "Thinking may not be enabled when tool_choice forces tool use."


def _ending_problems(last: WireTurn, *, allow_prefill: bool) -> Problems:
    if last.role != "assistant":
        return
    text: str = last.blocks[-1].block.get("text", "") if last.blocks else ""
    if text != text.rstrip():
        yield "messages: final assistant content cannot end with trailing whitespace"
    if not allow_prefill:
        yield (
            "This model does not support assistant message prefill. The conversation must end with a user message."
        )
