"""The shape of a Messages request as data: every field and block that the provider's own SDK defines.

Source: the request types of the `anthropic` package, 2.14. What runs on the provider's side (server tools, MCP servers,
containers) is named and refused: a local server that accepted it would not do what the real one does.
"""

from __future__ import annotations

from typing import cast

from turnstate.testing.anthropic.shape import (
    Check,
    Problems,
    anything,
    array,
    base64_data,
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

ID_PATTERN = "^[a-zA-Z0-9_-]+$"
"""What a tool call's id looks like."""

NAME_PATTERN = "^[a-zA-Z0-9_-]{1,128}$"
"""What a tool's name looks like."""

_NOT_SIMULATED = "runs on the provider's side and is not simulated by this local server"
_SERVER_BLOCKS = [
    "advisor_tool_result",
    "bash_code_execution_tool_result",
    "browser_state",
    "code_execution_tool_result",
    "compaction",
    "container_upload",
    "fallback",
    "mcp_tool_listing",
    "mcp_tool_result",
    "mcp_tool_use",
    "server_tool_use",
    "text_editor_code_execution_tool_result",
    "tool_addition",
    "tool_removal",
    "tool_search_tool_result",
    "web_fetch_tool_result",
    "web_search_tool_result",
]
_SERVER_TOOLS = [
    "advisor_",
    "bash_",
    "browser_toolset_",
    "code_execution_",
    "computer_",
    "mcp_toolset",
    "memory_",
    "text_editor_",
    "tool_search_tool_",
    "web_fetch_",
    "web_search_",
]

_CACHE_CONTROL = nullable(record({"type": one_of("ephemeral")}, {"ttl": one_of("5m", "1h")}))
_CITATIONS = nullable(record({}, {"enabled": boolean}))
_IMAGE_TYPE = one_of("image/jpeg", "image/png", "image/gif", "image/webp")
_URL = record({"url": string(empty=False)})
_FILE = record({"file_id": string(empty=False)})

_TEXT = record({"text": string()}, {"cache_control": _CACHE_CONTROL, "citations": nullable(array(mapping))})
_IMAGE = record(
    {
        "source": tagged(
            {"base64": record({"data": base64_data, "media_type": _IMAGE_TYPE}), "url": _URL, "file": _FILE}
        )
    },
    {"cache_control": _CACHE_CONTROL, "transformations": nullable(mapping)},
)
_DOCUMENT_SOURCE = tagged(
    {
        "base64": record({"data": base64_data, "media_type": one_of("application/pdf")}),
        "text": record({"data": string(empty=False), "media_type": one_of("text/plain")}),
        "content": record({"content": text_or(array(tagged({"text": _TEXT, "image": _IMAGE})))}),
        "url": _URL,
        "file": _FILE,
    }
)
_DOCUMENT = record(
    {"source": _DOCUMENT_SOURCE},
    {
        "cache_control": _CACHE_CONTROL,
        "citations": _CITATIONS,
        "context": nullable(string()),
        "title": nullable(string()),
    },
)
_SEARCH_RESULT = record(
    {"content": array(tagged({"text": _TEXT})), "source": string(), "title": string()},
    {"cache_control": _CACHE_CONTROL, "citations": _CITATIONS},
)
_TOOL_USE = record(
    {"id": string(pattern=ID_PATTERN), "input": mapping, "name": string(pattern=NAME_PATTERN)},
    {"cache_control": _CACHE_CONTROL, "caller": nullable(mapping), "toolset_name": nullable(string())},
)
_RESULT_BLOCKS = tagged(
    {
        "text": _TEXT,
        "image": _IMAGE,
        "search_result": _SEARCH_RESULT,
        "document": _DOCUMENT,
        "tool_reference": record(
            {"tool_name": string(pattern=NAME_PATTERN)}, {"cache_control": _CACHE_CONTROL}
        ),
    },
    elsewhere=dict.fromkeys(_SERVER_BLOCKS, f"this block {_NOT_SIMULATED}"),
)
_TOOL_RESULT = record(
    {"tool_use_id": string(pattern=ID_PATTERN)},
    {
        "cache_control": _CACHE_CONTROL,
        "content": text_or(array(_RESULT_BLOCKS)),
        "is_error": boolean,
        "toolset_name": nullable(string()),
    },
)
_BLOCK = tagged(
    {
        "text": _TEXT,
        "image": _IMAGE,
        "document": _DOCUMENT,
        "search_result": _SEARCH_RESULT,
        "thinking": record({"signature": string(empty=False), "thinking": string()}),
        "redacted_thinking": record({"data": string(empty=False)}),
        "tool_use": _TOOL_USE,
        "tool_result": _TOOL_RESULT,
    },
    elsewhere=dict.fromkeys(_SERVER_BLOCKS, f"this block {_NOT_SIMULATED}"),
)


def _role(path: str, value: object) -> Problems:
    if value == "system":
        yield (
            'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, '
            'not "system" as an input message role.'
        )
    yield from one_of("user", "assistant")(path, value)


def _input_schema(path: str, value: object) -> Problems:
    if not isinstance(value, dict):
        yield from mapping(path, value)
        return
    schema = cast("dict[str, object]", value)
    if schema.keys() & {"oneOf", "allOf", "anyOf"}:
        yield f"{path}: input_schema does not support oneOf, allOf, or anyOf at the top level"
    if "type" not in schema:
        yield f"{path}.type: Field required"
    yield from one_of("object")(f"{path}.type", schema.get("type"))


_CUSTOM_TOOL = record(
    {"input_schema": _input_schema, "name": string(pattern=NAME_PATTERN)},
    {
        "allowed_callers": array(string()),
        "cache_control": _CACHE_CONTROL,
        "defer_loading": boolean,
        "description": string(),
        "eager_input_streaming": nullable(boolean),
        "input_examples": array(mapping),
        "strict": boolean,
        "type": nullable(one_of("custom")),
    },
)


def _tool(path: str, value: object) -> Problems:
    kind = cast("dict[str, object]", value).get("type") if isinstance(value, dict) else None
    if isinstance(kind, str) and kind.startswith(tuple(_SERVER_TOOLS)):
        yield f"{path}: this tool {_NOT_SIMULATED}; define it as a custom tool with an input_schema"
    if kind not in {None, "custom"}:
        yield f"{path}: Input tag {kind!r} found using 'type' does not match any of the expected tags: 'custom'"
    yield from _CUSTOM_TOOL(f"{path}.custom", value)


_PARALLEL: dict[str, Check] = {"disable_parallel_tool_use": boolean}
_DISPLAY: dict[str, Check] = {
    "display": nullable(one_of("summarized", "omitted", "updates")),
    "block_binding": nullable(mapping),
}
_PROMPT: dict[str, Check] = {
    "cache_control": _CACHE_CONTROL,
    "output_config": record(
        {},
        {
            "effort": nullable(one_of("low", "medium", "high", "xhigh", "max")),
            "format": nullable(tagged({"json_schema": record({"schema": mapping})})),
            "task_budget": nullable(mapping),
        },
    ),
    "speed": nullable(one_of("standard", "fast")),
    "system": text_or(array(tagged({"text": _TEXT}))),
    "thinking": tagged(
        {
            "enabled": record({"budget_tokens": integer(1_024)}, _DISPLAY),
            "adaptive": record({}, _DISPLAY),
            "between_tools": record({}, _DISPLAY),
            "disabled": record({}),
        }
    ),
    "tool_choice": tagged(
        {
            "auto": record({}, _PARALLEL),
            "any": record({}, _PARALLEL),
            "tool": record({"name": string(pattern=NAME_PATTERN)}, _PARALLEL),
            "none": record({}),
        }
    ),
    "tools": array(_tool),
}
_CREATE: dict[str, Check] = {
    "container": anything,
    "diagnostics": nullable(record({}, {"previous_message_id": nullable(string())})),
    "inference_geo": nullable(string()),
    "metadata": record({}, {"user_id": nullable(string())}),
    "service_tier": one_of("auto", "standard_only"),
    "stop_sequences": array(string(empty=False)),
    "stream": boolean,
}
_SAMPLING: dict[str, Check] = {"temperature": fraction, "top_k": integer(0), "top_p": fraction}
"""What API version 2026-10-21 took away, for every model and every value."""

_BETA: dict[str, Check] = dict.fromkeys(
    ("billing_policy", "compaction", "context_management", "fallback_credit_token", "fallbacks", "thread"),
    anything,
)
_MESSAGES: dict[str, Check] = {
    "model": string(empty=False),
    "messages": array(record({"role": _role, "content": text_or(array(_BLOCK))})),
}


def _mcp_servers(path: str, _value: object) -> Problems:
    yield f"{path}: an MCP server {_NOT_SIMULATED}"


def request_shape(*, counting: bool, betas: bool, sampling: bool) -> Check:
    """The shape of a request's body.

    Args:
        counting: a request of the counting endpoint, which has no parameters of the answer.
        betas: whether the request names a beta, which admits the parameters that only betas have.
        sampling: whether the version has sampling parameters.
    """
    optional = {**_PROMPT, "mcp_servers": _mcp_servers, **(_BETA if betas else {})}
    if counting:
        return record(_MESSAGES, optional)
    return record(
        {"max_tokens": integer(1), **_MESSAGES}, {**optional, **_CREATE, **(_SAMPLING if sampling else {})}
    )
