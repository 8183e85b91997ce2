"""Messages as the dicts of a provider's API: which format they are, and the turns that they make."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from pydantic_ai.messages import ImageUrl

from turnstate.core.context.families import Family
from turnstate.core.events import Count, Cut, RequestTrace
from turnstate.core.history import Call, Step, Turn
from turnstate.core.messages import (
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
    moment,
    request,
    response_text,
    tool_return,
)
from turnstate.errors import SettingError

Object: TypeAlias = dict[str, Any]

SYSTEM = ("system", "developer")
"""Roles of instructions in OpenAI's format."""

SECOND = 1_000_000
"""Turns stand a second apart, from a second after the epoch: dicts carry no times."""

_FIX = "Give OpenAI chat messages or Anthropic messages, each a dict with a role and its content."
_FILES = ("image", "image_url", "document", "file", "input_audio")


@dataclass(slots=True)
class Group:
    """The dicts of one turn, in order.

    Attributes:
        dicts: user, assistant and tool messages, and instructions that stand between them.
        lead: how many of them stand before the user's first.
    """

    dicts: list[Object] = field(default_factory=list[Object])
    lead: int = 0


def wrong(index: int | None, problem: str, fix: str = _FIX) -> SettingError:
    """The error for message `index`, or for the list."""
    return SettingError("messages" if index is None else f"messages[{index}]", problem, fix)


def family_of(messages: Sequence[Object]) -> Family | None:
    """The format of `messages`; None where a plain list may be either.

    Raises:
        SettingError: a message is none, or the formats are mixed.
    """
    found: Family | None = None
    for index, message in enumerate(messages):
        own = _family(index, message)
        if own is not None and found is not None and own is not found:
            raise wrong(index, f"is of the format {own.value}, those before it are {found.value}")
        found = found or own
    return found


def _family(index: int, message: object) -> Family | None:
    if not isinstance(message, dict):
        raise wrong(index, "is no dict")
    given = cast("Object", message)
    role = given.get("role")
    if role not in ("user", "assistant", "tool", *SYSTEM):
        raise wrong(index, f"has the role {role!r:.60}")
    content = given.get("content")
    if content is not None and not isinstance(content, str | list):
        raise wrong(index, "has content that is neither text nor a list of blocks")
    kinds: set[Any] = set()
    for block in blocks(given):
        if not isinstance(cast("object", block), dict):
            raise wrong(index, "has a content block that is no dict")
        kinds.add(block.get("type"))
        if block.get("type") == "text" and not isinstance(block.get("text"), str):
            raise wrong(index, "has a text block without text")
        if block.get("type") == "tool_use" and not (block.get("id") and block.get("name")):
            raise wrong(index, "has a tool_use block without id or name")
    _check_calls(index, given)
    if role == "tool" and not given.get("tool_call_id"):
        raise wrong(index, "is a tool result without tool_call_id")
    if role in ("tool", *SYSTEM) or given.get("tool_calls") or kinds & {"image_url", "input_audio"}:
        return Family.OPENAI_CHAT
    anthropic = {"tool_use", "tool_result", "thinking", "redacted_thinking", "image", "document"}
    return Family.ANTHROPIC if kinds & anthropic else None


def _check_calls(index: int, given: Object) -> None:
    if not isinstance(given.get("tool_calls") or [], list):
        raise wrong(index, "has tool_calls that are no list")
    for call in given.get("tool_calls") or ():
        if not isinstance(call, dict) or not cast("Object", call).get("id"):
            raise wrong(index, "has a tool call without an id")
        function: Any = cast("Object", call).get("function")
        if function is not None and not (isinstance(function, dict) and cast("Object", function).get("name")):
            raise wrong(index, "has a tool call whose function has no name")


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


def grouped(messages: Sequence[Object]) -> list[Group]:
    """The dicts of each turn; a turn begins where the user says something behind a response.

    Raises:
        SettingError: the user says nothing.
    """
    groups: list[Group] = []
    before: list[Object] = []
    answered = False
    for message in messages:
        if message["role"] == "user" and not results_of(message):
            if not groups:
                groups.append(Group([*before], len(before)))
            elif answered:
                groups.append(Group())
            answered = False
        answered = answered or message["role"] == "assistant"
        (groups[-1].dicts if groups else before).append(message)
    if not groups:
        raise wrong(None, "have no user message", "Give at least the newest message of the user.")
    return groups


def turn_of(number: int, group: Group) -> Turn:
    """A group as a turn of core: what is planned with; the dicts are what is sent."""
    at = number * SECOND
    said: list[UserPromptPart] = []
    steps: list[Step] = []
    for message in group.dicts[group.lead :]:
        match message["role"]:
            case "user" if not steps:
                said.append(UserPromptPart(_user_content(message), timestamp=moment(at + 1)))
            case "assistant":
                steps.append(_step(number, len(steps) + 1, message))
            case "tool":
                _answer(steps, message["tool_call_id"], _said(message))
            case "user":
                for block in results_of(message):
                    extra = text_of(message) if block is results_of(message)[-1] else ""
                    content = _said(block)
                    _answer(steps, block.get("tool_use_id", ""), f"{content}\n{extra}" if extra else content)
            case _:
                pass
    return Turn(
        number=number,
        seq=number,
        at=at,
        user=request(said),
        steps=tuple(steps),
        status="closed" if steps else "open",
        reply=response_text(steps[-1].response) if steps else "",
    )


def _answer(steps: list[Step], call_id: str, content: object) -> None:
    for place in reversed(range(len(steps))):
        calls = list(steps[place].calls)
        for index, call in enumerate(calls):
            if call.tool_call_id == call_id and call.result is None:
                names = {
                    p.tool_call_id: p.tool_name
                    for p in steps[place].response.parts
                    if isinstance(p, ToolCallPart)
                }
                result: ToolReturnPart = tool_return(names[call_id], content, call_id, 1)
                calls[index] = Call(call_id, call.call_id, result=result)
                old = steps[place]
                steps[place] = Step(old.response, tuple(calls), old.trace)
                return


def _step(turn: int, place: int, message: Object) -> Step:
    parts = list(_response_parts(message))
    ids = call_ids(message)
    made = tuple(Call(call_id, f"{turn}.{place}.{index}") for index, call_id in enumerate(ids, start=1))
    response = ModelResponse(parts=parts, timestamp=moment(turn * SECOND + 1))
    return Step(response, made, RequestTrace(place, Count(0, 0), 0, Cut()))


def _response_parts(message: Object) -> Iterator[ModelResponsePart]:
    for block in blocks(message):
        match block.get("type"):
            case "text":
                yield TextPart(block["text"])
            case "tool_use":
                yield ToolCallPart(str(block["name"]), block.get("input") or {}, block["id"])
            case "thinking":
                yield ThinkingPart(str(block.get("thinking", "")), signature=block.get("signature"))
            case _:
                yield TextPart(json.dumps(block, ensure_ascii=False, default=str))
    for call in cast("list[Object]", message.get("tool_calls") or []):
        made = cast("Object", call.get("function") or call.get("custom") or {})
        args = made.get("arguments", made.get("input"))
        yield ToolCallPart(str(made.get("name") or "tool"), args, call["id"])


def _user_content(message: Object) -> str | list[UserContent]:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return [item for block in blocks(message) if (item := _item(block)) is not None]


def _item(block: Object) -> UserContent | None:
    if block.get("type") == "text":
        return block["text"]
    if block.get("type") in _FILES:
        source = cast("Object", block["source"]) if isinstance(block.get("source"), dict) else {}
        if isinstance(text := source.get("data"), str) and source.get("type") == "text":
            return text
        return ImageUrl("https://files.invalid/file")
    return json.dumps(block, ensure_ascii=False, default=str)


def _said(message: Object) -> object:
    """What a tool returned, for planning: its words, with its files behind them."""
    items = [item for block in blocks(message) if (item := _item(block)) is not None]
    words = "\n".join(item for item in items if isinstance(item, str))
    files = [item for item in items if not isinstance(item, str)]
    return [words, *files] if files else words
