"""A count of tokens of its own: pieces of at most four letters, signs one by one, and a frame for each message."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    TextContent,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters

from turnstate.models.offline.view import read_instructions

_PIECE: Final = re.compile(r"[A-Za-z]{1,4}|\d{1,3}|[^\sA-Za-z\d]")
_FRAME: Final = 3
_FILE: Final = 800


@lru_cache(maxsize=1024)
def count_text(text: str) -> int:
    """The tokens of a text."""
    return len(_PIECE.findall(text))


def count_request(messages: Sequence[ModelMessage], parameters: ModelRequestParameters) -> int:
    """The tokens of a request: instructions, tools and messages; at least 1."""
    told = [
        (tool.name, tool.description or "", json.dumps(tool.parameters_json_schema, sort_keys=True))
        for tool in parameters.function_tools
    ]
    head = count_text(read_instructions(messages, parameters)) + sum(
        _FRAME + count_text(" ".join(tool)) for tool in told
    )
    return max(
        1,
        head
        + sum(
            _FRAME + sum(count_text(text) for text in _texts(message)) + _FILE * _files(message)
            for message in messages
        ),
    )


def count_response(response: ModelResponse) -> int:
    """The tokens of a response; at least 1."""
    return max(1, sum(count_text(text) for text in _texts(response)))


def _texts(message: ModelMessage) -> Iterable[str]:
    for part in message.parts:
        match part:
            case TextPart() | ThinkingPart():
                yield part.content
            case ToolCallPart():
                yield f"{part.tool_name} {part.args_as_json_str()}"
            case ToolReturnPart():
                yield f"{part.tool_name} {part.model_response_str()}"
            case UserPromptPart(content=str(content)):
                yield content
            case UserPromptPart():
                yield from (
                    item.content if isinstance(item, TextContent) else item
                    for item in part.content
                    if isinstance(item, str | TextContent)
                )
            case _:
                pass


def _files(message: ModelMessage) -> int:
    contents = [
        part.content
        for part in message.parts
        if isinstance(part, UserPromptPart) and not isinstance(part.content, str)
    ]
    return sum(
        not isinstance(item, str | TextContent) and getattr(item, "kind", "") != "cache-point"
        for content in contents
        for item in content
    )
