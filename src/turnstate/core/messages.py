"""The only file of core that knows pydantic-ai's message types: making, reading and encoding them.

Times and ids are always passed in: the message classes default to the clock and to random ids.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeAlias, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_ai.messages import (
    BaseToolCallPart,
    BaseToolReturnPart,
    BinaryContent,
    CachePoint,
    FilePart,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    NativeToolCallPart,
    NativeToolReturnPart,
    RetryPromptPart,  # pyright: ignore[reportDeprecated]  # histories recorded elsewhere still hold it
    SystemPromptPart,
    TextContent,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.usage import RequestUsage

__all__ = [
    "BaseToolCallPart",
    "BaseToolReturnPart",
    "BinaryContent",
    "CachePoint",
    "FilePart",
    "ModelMessage",
    "ModelRequest",
    "ModelRequestPart",
    "ModelResponse",
    "ModelResponsePart",
    "NativeToolCallPart",
    "NativeToolReturnPart",
    "Outcome",
    "RequestUsage",
    "RetryPromptPart",
    "SystemPromptPart",
    "TextContent",
    "TextPart",
    "ThinkingPart",
    "ToolCallPart",
    "ToolReturnPart",
    "UserContent",
    "UserPromptPart",
    "args_text",
    "calls",
    "dump",
    "load",
    "moment",
    "request",
    "response_text",
    "result_text",
    "text_response",
    "tool_return",
    "user_message",
    "user_text",
    "wire_safe",
]

Outcome: TypeAlias = Literal["success", "failed", "denied", "interrupted", "retried"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ADAPTER: TypeAdapter[ModelMessage] = TypeAdapter(ModelMessage)
_UNSENDABLE = {0: "�"} | dict.fromkeys(range(0xD800, 0xE000), "�")
_RETURNS = ("tool-return", "builtin-tool-return")
_SUSPECT = re.compile(r"NaN|Infinity|\\u0000|\\u[dD][89a-fA-F]")


def moment(at: int) -> datetime:
    """The UTC time of `at` microseconds since the epoch."""
    return _EPOCH + timedelta(microseconds=at)


def user_message(content: str | Sequence[UserContent], at: int) -> ModelRequest:
    """What a user said, at `at` microseconds since the epoch."""
    return ModelRequest(parts=[UserPromptPart(content, timestamp=moment(at))])


def text_response(text: str, at: int) -> ModelResponse:
    """A model response of one text, at `at` microseconds since the epoch."""
    return ModelResponse(parts=[TextPart(text)], timestamp=moment(at))


def tool_return(
    name: str, content: object, tool_call_id: str, at: int, outcome: Outcome = "success"
) -> ToolReturnPart:
    """The result of one tool call."""
    return ToolReturnPart(
        tool_name=name,
        content=cast("Any", content),
        tool_call_id=tool_call_id,
        timestamp=moment(at),
        outcome=outcome,
    )


def request(parts: Sequence[ModelRequestPart]) -> ModelRequest:
    """A request of these parts."""
    return ModelRequest(parts=list(parts))


def user_text(message: ModelMessage) -> str:
    """The user's own words in a request, parts joined by newlines; "" for anything else."""
    if not isinstance(message, ModelRequest):
        return ""
    return "\n".join(
        text for part in message.parts if isinstance(part, UserPromptPart) for text in _texts(part.content)
    )


def _texts(content: str | Sequence[UserContent]) -> Iterator[str]:
    if isinstance(content, str):
        yield content
        return
    for item in content:
        if isinstance(item, str):
            yield item
        elif (text := getattr(item, "content", None)) and isinstance(text, str):
            yield text


def response_text(response: ModelResponse) -> str:
    """The visible text of a response."""
    return "".join(part.content for part in response.parts if isinstance(part, TextPart))


def calls(response: ModelResponse) -> tuple[ToolCallPart, ...]:
    """The tool calls of a response that we have to answer, in order."""
    return tuple(part for part in response.parts if isinstance(part, ToolCallPart))


def args_text(call: BaseToolCallPart[Any]) -> str:
    """The arguments of a call as JSON text, as the model wrote them where it wrote text."""
    if isinstance(call.args, str):
        return call.args
    return json.dumps(call.args or {}, ensure_ascii=False, separators=(",", ":"), default=str)


def result_text(part: BaseToolReturnPart[Any]) -> str:
    """A tool result as the text that the model sees, without files."""
    return part.content if isinstance(part.content, str) else part.model_response_str()


def wire_safe(message: ModelMessage) -> ModelMessage:
    """`message` without what no provider's JSON can carry: lone surrogates and NUL as U+FFFD, NaN and infinity as null.

    The log keeps the original; only what goes to the wire is changed. Unaffected messages come back as they are.
    """
    parts: Sequence[Any] = message.parts
    cleaned: list[Any] = [_clean(part) for part in parts]
    if all(new is old for new, old in zip(cleaned, parts, strict=True)):
        return message
    return replace(message, parts=cleaned)


def _clean(value: Any) -> Any:  # noqa: PLR0911 - one return for each kind of value
    match value:
        case str():
            return value.translate(_UNSENDABLE) if "\0" in value or not _encodable(value) else value
        case float():
            return value if math.isfinite(value) else None
        case dict():
            items = {_clean(k): _clean(v) for k, v in cast("dict[Any, Any]", value).items()}
            return cast("Any", value if items == value else items)
        case list() | tuple():
            old = cast("Sequence[Any]", value)
            new = [_clean(item) for item in old]
            return old if all(a is b for a, b in zip(new, old, strict=True)) else new
        case UserPromptPart() | TextContent() | SystemPromptPart() | TextPart() | ThinkingPart():
            return _with_clean(cast("Any", value), "content", _clean)
        case BaseToolReturnPart() | RetryPromptPart():  # pyright: ignore[reportDeprecated]  # as at its import
            return _with_clean(_with_clean(cast("Any", value), "content", _clean), "tool_name", _clean)
        case BaseToolCallPart():
            return _with_clean(_with_clean(cast("Any", value), "args", _clean_args), "tool_name", _clean)
        case _:
            return value


def _with_clean(part: Any, field: str, clean: Callable[[Any], Any]) -> Any:
    old = getattr(part, field)
    new = clean(old)
    return part if new is old else replace(part, **{field: new})


def _clean_args(args: Any) -> Any:
    """Arguments that are JSON text carry what is unsendable as JSON's own escapes and names."""
    text = _clean(args)
    if not isinstance(text, str) or not _SUSPECT.search(text):
        return text
    try:
        read: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    cleaned = _clean(read) if isinstance(read, dict) else read
    return text if cleaned is read else cleaned


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def dump(message: ModelMessage) -> dict[str, Any]:
    """`message` as plain data that `load` reads back, without empty fields."""
    data: dict[str, Any] = _ADAPTER.dump_python(message, mode="json", exclude_none=True)
    # Zeros are most of a stored usage; every count defaults to zero when read back.
    if usage := data.get("usage"):
        data["usage"] = {name: count for name, count in usage.items() if count}
    # The result of a tool that returned nothing is no empty field: without it the message cannot be read back.
    for part in data["parts"]:
        if part["part_kind"] in _RETURNS:
            part.setdefault("content", None)
    return data


def load(data: object) -> ModelMessage:
    """The message that `dump` wrote.

    Raises:
        ValueError: the data is not a message.
    """
    try:
        return _ADAPTER.validate_python(data)
    except ValidationError as error:
        raise ValueError(str(error)) from error
