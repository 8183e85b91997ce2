"""The only file of core that knows pydantic-ai's message types: making, reading and encoding them.

Times and ids are always passed in: the message classes default to the clock and to random ids.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, TypeAlias, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    RetryPromptPart,  # pyright: ignore[reportDeprecated]  # histories recorded elsewhere still hold it
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.usage import RequestUsage

__all__ = [
    "BinaryContent",
    "ModelMessage",
    "ModelRequest",
    "ModelRequestPart",
    "ModelResponse",
    "ModelResponsePart",
    "Outcome",
    "RequestUsage",
    "RetryPromptPart",
    "SystemPromptPart",
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


def args_text(call: ToolCallPart) -> str:
    """The arguments of a call as JSON text, as the model wrote them where it wrote text."""
    if isinstance(call.args, str):
        return call.args
    return json.dumps(call.args or {}, ensure_ascii=False, separators=(",", ":"), default=str)


def result_text(part: ToolReturnPart) -> str:
    """A tool result as the text that the model sees, without files."""
    return part.content if isinstance(part.content, str) else part.model_response_str()


def wire_safe(message: ModelMessage) -> ModelMessage:
    """`message` without what no provider's JSON can carry (lone surrogates, NUL), each as U+FFFD.

    The log keeps the original; only what goes to the wire is changed. Unaffected messages come back as they are.
    """
    parts: Sequence[Any] = message.parts
    cleaned: list[Any] = [_clean(part) for part in parts]
    if all(new is old for new, old in zip(cleaned, parts, strict=True)):
        return message
    return replace(message, parts=cleaned)


def _clean(value: Any) -> Any:
    match value:
        case str():
            return value.translate(_UNSENDABLE) if "\0" in value or not _encodable(value) else value
        case dict():
            items = {_clean(k): _clean(v) for k, v in cast("dict[Any, Any]", value).items()}
            return cast("Any", value if items == value else items)
        case list() | tuple():
            old = cast("Sequence[Any]", value)
            new = [_clean(item) for item in old]
            return old if all(a is b for a, b in zip(new, old, strict=True)) else new
        case UserPromptPart() | TextPart() | ToolReturnPart() | SystemPromptPart() | ThinkingPart():
            return _with_clean(cast("Any", value), "content")
        case ToolCallPart():
            return _with_clean(cast("Any", value), "args")
        case _:
            return value


def _with_clean(part: Any, field: str) -> Any:
    old = getattr(part, field)
    new = _clean(old)
    return part if new is old else replace(part, **{field: new})


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
