"""Messages as the dicts of a provider's API: which format they are, and reading them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from turnstate.core.context.families import Family
from turnstate.errors import SettingError

Object: TypeAlias = dict[str, Any]

SYSTEM = ("system", "developer")
"""Roles of instructions."""

_FIX = "Give OpenAI chat messages or Anthropic messages, each a dict with a role and its content."
_ROLES = ("user", "assistant", "tool", *SYSTEM)
_OPENAI = {"image_url", "input_audio", "file", "refusal"}
_ANTHROPIC = {
    "tool_use",
    "tool_result",
    "thinking",
    "redacted_thinking",
    "image",
    "document",
    "search_result",
    "server_tool_use",
}


def wrong(index: int | None, problem: str, fix: str = _FIX) -> SettingError:
    """The error for message `index`, or for the list."""
    return SettingError("messages" if index is None else f"messages[{index}]", problem, fix)


def family_of(
    messages: Sequence[Object], system: object = None, tools: Sequence[Object] = ()
) -> Family | None:
    """The format of `messages`; None where a plain list may be either.

    Args:
        messages: what is to be planned.
        system: Anthropic's system text, which only stands apart there.
        tools: the tools of the request, which tell the formats apart as well.

    Raises:
        SettingError: a message is none, or the formats are mixed.
    """
    found: Family | None = None
    for index, message in enumerate(messages):
        own = _family(index, message)
        if own is not None and found is not None and own is not found:
            raise wrong(index, f"is of the format {own.value}, those before it are {found.value}")
        found = found or own
    if found is None and (system is not None or any("input_schema" in tool for tool in tools)):
        return Family.ANTHROPIC
    instructed = any(message["role"] in SYSTEM for message in messages)
    if found is None and (instructed or any("function" in tool for tool in tools)):
        return Family.OPENAI_CHAT
    return found


def _family(index: int, message: object) -> Family | None:
    if not isinstance(message, dict):
        raise wrong(index, "is no dict")
    given = cast("Object", message)
    role = given.get("role")
    if role not in _ROLES:
        raise wrong(index, f"has the role {role!r:.60}")
    content = given.get("content")
    if content is not None and not isinstance(content, str | list):
        raise wrong(index, "has content that is neither text nor a list of blocks")
    _check_calls(index, given)
    kinds = {_checked_kind(index, block) for block in blocks(given)}
    if role == "tool" and not _is_name(given.get("tool_call_id")):
        raise wrong(index, "is a tool result without tool_call_id")
    if role in ("tool", "developer") or given.get("tool_calls") or kinds & _OPENAI:
        return Family.OPENAI_CHAT
    native = any(kind.endswith(("_tool_use", "_tool_result")) for kind in kinds)
    return Family.ANTHROPIC if kinds & _ANTHROPIC or native else None


def _checked_kind(index: int, block: object) -> str:
    """The type of a block that can be read."""
    if not isinstance(block, dict):
        raise wrong(index, "has a content block that is no dict")
    given = cast("Object", block)
    kind = given.get("type")
    if not isinstance(kind, str):
        raise wrong(index, "has a content block without a type")
    if kind == "text" and not isinstance(given.get("text"), str):
        raise wrong(index, "has a text block without text")
    if kind.endswith("tool_use") and not (_is_name(given.get("id")) and _is_name(given.get("name"))):
        raise wrong(index, f"has a {kind} block without id or name")
    if kind == "tool_use" and not isinstance(given.get("input") or {}, dict):
        raise wrong(index, "has a tool_use block whose input is no dict")
    if kind.endswith("tool_result") and not _is_name(given.get("tool_use_id")):
        raise wrong(index, f"has a {kind} block without tool_use_id")
    if kind == "tool_result":
        _check_result(index, given.get("content"))
    return kind


def _check_result(index: int, content: object) -> None:
    if content is not None and not isinstance(content, str | list):
        raise wrong(index, "has a tool_result whose content is neither text nor a list of blocks")
    for block in cast("list[object]", content) if isinstance(content, list) else ():
        _checked_kind(index, block)


def _check_calls(index: int, given: Object) -> None:
    if not isinstance(given.get("tool_calls") or [], list):
        raise wrong(index, "has tool_calls that are no list")
    for call in given.get("tool_calls") or ():
        if not isinstance(call, dict) or not _is_name(cast("Object", call).get("id")):
            raise wrong(index, "has a tool call without an id")
        made = cast("Object", call)
        for kind in ("function", "custom"):
            given_function: Any = made.get(kind)
            if given_function is None:
                continue
            function = cast("Object", given_function) if isinstance(given_function, dict) else {}
            if not _is_name(function.get("name")):
                raise wrong(index, f"has a tool call whose {kind} has no name")
            if not isinstance(function.get("arguments"), str | dict | None):
                raise wrong(index, "has a tool call whose arguments are neither text nor a dict")


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def blocks(message: Object) -> list[Object]:
    """The content of a message as blocks."""
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return cast("list[Object]", content or [])


def text_of(message: Object) -> str:
    """The words of a message."""
    return "\n".join(block["text"] for block in blocks(message) if block.get("type") == "text")


def results_of(message: Object) -> list[Object]:
    """The tool_result blocks of an Anthropic message."""
    return [block for block in blocks(message) if block.get("type") == "tool_result"]


def call_ids(message: Object) -> list[str]:
    """The ids of the calls in an assistant message of either format, each once."""
    if message.get("role") != "assistant":
        return []
    made = [block["id"] for block in blocks(message) if block.get("type") == "tool_use"]
    made += [call["id"] for call in message.get("tool_calls") or ()]
    return list(dict.fromkeys(made))
