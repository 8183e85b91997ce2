"""The shape of both APIs' requests as data: the fields and parts that the official SDK defines.

Source: the request types of the `openai` package, 3.57. What runs on the provider's side is not simulated, and refused.
"""

from __future__ import annotations

from typing import Any, cast

from turnstate.testing.anthropic.shape import (
    Check,
    Problems,
    anything,
    array,
    boolean,
    fraction,
    integer,
    mapping,
    nullable,
    one_of,
    record,
    string,
    tagged,
    text_or,
)

NAME_PATTERN = "^[a-zA-Z0-9_-]{1,64}$"
"""What a function's name looks like."""

_TEXT = string()
_FILLED = string(empty=False)
_NAME = string(pattern=NAME_PATTERN)


def _filled_array(item: Check) -> Check:
    """A list with at least one element."""

    def check(path: str, value: Any) -> Problems:
        if value == []:
            yield f"Invalid '{path}': empty array. Expected an array with minimum length 1, but got an empty array instead."
        yield from array(item)(path, value)

    return check


# Chat completions ----------------------------------------------------------------------------------------------------

_CHAT_PARTS = tagged(
    {
        "text": record({"text": _TEXT}),
        "image_url": record(
            {"image_url": record({"url": _FILLED}, {"detail": one_of("auto", "low", "high")})}
        ),
        "input_audio": record({"input_audio": record({"data": _FILLED, "format": one_of("wav", "mp3")})}),
        "file": record({"file": record({}, {"file_data": _FILLED, "file_id": _FILLED, "filename": _FILLED})}),
    }
)
_CHAT_TEXTS = text_or(_filled_array(tagged({"text": record({"text": _TEXT})})))
_CHAT_CALL = record(
    {"id": _FILLED, "type": one_of("function"), "function": record({"name": _NAME, "arguments": _TEXT})}
)
_CHAT_ROLES: dict[str, Check] = {
    "system": record({"content": _CHAT_TEXTS}, {"name": _TEXT}),
    "developer": record({"content": _CHAT_TEXTS}, {"name": _TEXT}),
    "user": record({"content": text_or(_filled_array(_CHAT_PARTS))}, {"name": _TEXT}),
    "assistant": record(
        {},
        {
            "content": nullable(_CHAT_TEXTS),
            "name": _TEXT,
            "refusal": nullable(_TEXT),
            "tool_calls": _filled_array(_CHAT_CALL),
        },
    ),
    "tool": record({"content": _CHAT_TEXTS, "tool_call_id": _FILLED}),
}


def _by_role(roles: dict[str, Check]) -> Check:
    def check(path: str, value: Any) -> Problems:
        if not isinstance(value, dict):
            yield from mapping(path, value)
            return
        message = cast("dict[str, Any]", value)
        role = message.get("role")
        if role not in roles:
            yield f"Invalid value: {role!r}. Supported values are: {', '.join(map(repr, roles))}. ({path}.role)"
            return
        yield from roles[role](path, {key: entry for key, entry in message.items() if key != "role"})

    return check


_SHARED: dict[str, Check] = {
    "metadata": mapping,
    "parallel_tool_calls": boolean,
    "prompt_cache_key": _TEXT,
    "prompt_cache_retention": _TEXT,
    "safety_identifier": _TEXT,
    "service_tier": _TEXT,
    "store": boolean,
    "stream": boolean,
    "stream_options": mapping,
    "temperature": anything,
    "tool_choice": anything,
    "top_p": fraction,
    "user": _TEXT,
}
_FUNCTION = {"name": _NAME}
_DESCRIBED: dict[str, Check] = {
    "description": nullable(_TEXT),
    "parameters": nullable(mapping),
    "strict": nullable(boolean),
}

CHAT = record(
    {"model": _FILLED, "messages": _filled_array(_by_role(_CHAT_ROLES))},
    _SHARED
    | {
        "frequency_penalty": anything,
        "logit_bias": mapping,
        "logprobs": boolean,
        "max_completion_tokens": integer(1),
        "max_tokens": integer(1),
        "n": integer(1),
        "presence_penalty": anything,
        "reasoning_effort": _TEXT,
        "response_format": mapping,
        "seed": anything,
        "stop": anything,
        "tools": array(record({"type": one_of("function"), "function": record(_FUNCTION, _DESCRIBED)})),
        "verbosity": _TEXT,
    },
)
"""A request to chat completions."""


# Responses -----------------------------------------------------------------------------------------------------------

_INPUT_PARTS = tagged(
    {
        "input_text": record({"text": _TEXT}),
        "input_image": record({}, {"image_url": _FILLED, "file_id": _FILLED, "detail": _TEXT}),
        "input_file": record(
            {}, {"file_data": _FILLED, "file_id": _FILLED, "file_url": _FILLED, "filename": _FILLED}
        ),
    }
)
_SAID = text_or(_filled_array(_INPUT_PARTS))
_OUTPUT_PARTS = array(
    tagged(
        {
            "output_text": record({"text": _TEXT, "annotations": array(anything)}),
            "refusal": record({"refusal": _TEXT}),
        }
    )
)
_STATUS = one_of("in_progress", "completed", "incomplete")
_ITEMS: dict[str, Check] = {
    "function_call": record(
        {"call_id": _FILLED, "name": _NAME, "arguments": _TEXT}, {"id": _FILLED, "status": _STATUS}
    ),
    "function_call_output": record({"call_id": _FILLED, "output": _SAID}, {"id": _FILLED, "status": _STATUS}),
    "reasoning": record(
        {"id": _FILLED, "summary": array(tagged({"summary_text": record({"text": _TEXT})}))},
        {"encrypted_content": nullable(_FILLED), "content": array(anything), "status": nullable(_STATUS)},
    ),
}
_OUTPUT = record(
    {"id": _FILLED, "role": one_of("assistant"), "content": _OUTPUT_PARTS, "status": _STATUS},
    {"phase": _TEXT},
)
_EASY = _by_role(
    {
        "assistant": record({"content": text_or(_OUTPUT_PARTS)}, {"phase": _TEXT}),
        "developer": record({"content": _SAID}),
        "system": record({"content": _SAID}),
        "user": record({"content": _SAID}),
    }
)


def _item(path: str, value: Any) -> Problems:
    if not isinstance(value, dict):
        yield from mapping(path, value)
        return
    item = cast("dict[str, Any]", value)
    rest = {key: entry for key, entry in item.items() if key != "type"}
    match item.get("type", "message"):
        case "message" if "id" in item:
            yield from _OUTPUT(path, rest)
        case "message":
            yield from _EASY(path, rest)
        case str() as kind if kind in _ITEMS:
            yield from _ITEMS[kind](path, rest)
        case kind:
            yield f"Invalid value: {kind!r}. ({path}.type)"


RESPONSES = record(
    {"model": _FILLED, "input": text_or(_filled_array(_item))},
    _SHARED
    | {
        "background": boolean,
        "include": array(_TEXT),
        "instructions": nullable(_TEXT),
        "max_output_tokens": integer(16),
        "max_tool_calls": integer(1),
        "reasoning": mapping,
        "text": mapping,
        "tools": array(tagged({"function": record(_FUNCTION, _DESCRIBED)})),
        "top_logprobs": integer(0),
        "truncation": one_of("auto", "disabled"),
    },
)
"""A request to responses; conversations that the provider keeps are not simulated."""
