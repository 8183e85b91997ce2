"""What a provider would refuse in a request, found by rules of its own: the planner's healing is not asked.

The rules are those that the Anthropic and OpenAI references state for messages with tool use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from turnstate.core.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponsePart,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from turnstate.replay.memo import Memo

Part: TypeAlias = ModelRequestPart | ModelResponsePart

_ID = re.compile(r"[a-zA-Z0-9_-]+")
_UNSENDABLE = re.compile("[\0\ud800-\udfff]")


class _Look(NamedTuple):
    """What the rules need to know of one part.

    Attributes:
        kind: "user", "call", "result" or "other".
        call_id: of a call or result.
        faults: what is wrong with it wherever it stands.
    """

    kind: Literal["user", "call", "result", "other"]
    call_id: str
    faults: tuple[str, ...]


class _Seen(NamedTuple):
    request: bool
    parts: list[_Look]


class Checker:
    """The rules, for the requests of one conversation in order."""

    def __init__(self) -> None:
        self._looks = Memo(_look)

    def faults(self, messages: Sequence[ModelMessage]) -> tuple[str, ...]:
        """What is wrong with the messages of a request, one sentence each; nothing where a provider takes it.

        It starts with the user and ends with the user or a tool result, roles alternate, each call is answered once
        and directly behind its response, results first; ids are unique and sendable, no text is blank, no system text
        stands inside, and nothing is in it that JSON cannot carry.
        """
        self._looks.turn_over()
        seen = [
            _Seen(isinstance(message, ModelRequest), [self._looks.of(part) for part in message.parts])
            for message in messages
        ]
        local = (fault for message in seen for part in message.parts for fault in part.faults)
        return tuple(dict.fromkeys((*_order(seen), *_pairs(seen), *_ids(seen), *local)))


def faults(messages: Sequence[ModelMessage]) -> tuple[str, ...]:
    """`Checker.faults` for a single request."""
    return Checker().faults(messages)


def _order(messages: Sequence[_Seen]) -> Iterator[str]:
    if not messages:
        yield "The request has no messages."
        return
    if not messages[0].request or all(part.kind != "user" for part in messages[0].parts):
        yield "The request does not start with the user."
    if not messages[-1].request:
        yield "The request ends with the assistant."
    if any(message.request == following.request for message, following in pairwise(messages)):
        yield "Two messages of one role stand in a row."
    if not all(message.parts for message in messages):
        yield "A message is empty."


def _pairs(messages: Sequence[_Seen]) -> Iterator[str]:
    asked: list[str] = []
    for message in messages:
        if not message.request:
            if asked:
                yield "A call has no result."
            asked = [part.call_id for part in message.parts if part.kind == "call"]
            continue
        given = [part.call_id for part in message.parts if part.kind == "result"]
        if asked or given:
            yield from _answers(asked, given)
        if given and any(part.kind != "result" for part in message.parts[: len(given)]):
            yield "A result stands behind other content of its message."
        asked = []
    if asked:
        yield "A call has no result."


def _answers(asked: Iterable[str], given: Sequence[str]) -> Iterator[str]:
    wanted, got = set(asked), set(given)
    if wanted - got:
        yield "A call has no result."
    if got - wanted:
        yield "A result has no call directly before it."
    if len(given) != len(got):
        yield "A call has two results."


def _ids(messages: Sequence[_Seen]) -> Iterator[str]:
    made = [part.call_id for message in messages for part in message.parts if part.kind == "call"]
    if len(made) != len(set(made)):
        yield "Two calls have one id."


def _look(part: Part) -> _Look:
    found: list[str] = []
    match part:
        case UserPromptPart():
            found.extend(_blank(part.content))
        case TextPart():
            found.extend(_blank(part.content))
        case ToolReturnPart() if isinstance(part.content, str):
            found.extend(_blank(part.content))
        case SystemPromptPart():
            found.append("A system text stands inside the messages.")
        case ToolCallPart() if not _ID.fullmatch(part.tool_call_id):
            found.append("A call's id is empty or has characters that providers refuse.")
        case _:
            pass
    if any(_UNSENDABLE.search(text) for text in _strings(_sent(part))):
        found.append("A text holds what JSON cannot carry.")
    return _Look(_kind(part), getattr(part, "tool_call_id", ""), tuple(found))


def _kind(part: Part) -> Literal["user", "call", "result", "other"]:
    match part:
        case UserPromptPart():
            return "user"
        case ToolCallPart():
            return "call"
        case ToolReturnPart():
            return "result"
        case _:
            return "other"


def _blank(content: Any) -> Iterator[str]:
    items = [content] if isinstance(content, str) else list(content)
    if not items or any(isinstance(item, str) and not item.strip() for item in items):
        yield "A text is blank."


def _sent(part: Part) -> Any:
    """What of a part goes to the provider."""
    match part:
        case ToolCallPart():
            return [part.tool_name, part.args, part.tool_call_id]
        case ToolReturnPart():
            return [part.tool_name, part.content, part.tool_call_id]
        case _:
            return getattr(part, "content", None)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in cast("dict[Any, Any]", value).items():
            yield from _strings(key)
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in cast("Sequence[Any]", value):
            yield from _strings(item)
