"""The turns that dicts make: what is planned with, while the dicts are what is sent."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

from pydantic_ai.messages import ImageUrl

from turnstate.adapters.formats import SYSTEM, Object, blocks, call_ids, results_of, text_of, wrong
from turnstate.adapters.pieces import Piece
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

SECOND = 1_000_000
"""Turns stand a second apart, from a second after the epoch: dicts carry no times."""

_FILES = ("image", "image_url", "document", "file", "input_audio")


@dataclass(slots=True)
class Group:
    """The messages of one turn, in order.

    Attributes:
        pieces: user, assistant and tool messages, and instructions that stand between them.
        lead: how many instructions stand before the user's first.
    """

    pieces: list[Piece] = field(default_factory=list[Piece])
    lead: int = 0

    def instructions(self) -> Iterator[tuple[int, str]]:
        """The instructions in it, each with the number of responses before it."""
        steps = 0
        for piece in self.pieces:
            steps += piece.message["role"] == "assistant"
            if piece.message["role"] in SYSTEM:
                yield steps, text_of(piece.message)


def grouped(pieces: Sequence[Piece]) -> list[Group]:
    """The messages of each turn; a turn begins where the user says something behind a response.

    What an assistant said before the user is a turn of its own.

    Raises:
        SettingError: the user says nothing.
    """
    groups: list[Group] = []
    waiting: list[Piece] = []
    answered = True
    for piece in pieces:
        role = piece.message["role"]
        if role in SYSTEM:
            waiting.append(piece)
            continue
        asks = role == "user" and not results_of(piece.message)
        if not groups or (asks and answered):
            groups.append(Group([*waiting, piece], len(waiting)))
            answered = False
        else:
            groups[-1].pieces += [*waiting, piece]
        waiting = []
        answered = answered or role == "assistant"
    if not any(piece.message["role"] == "user" for group in groups for piece in group.pieces):
        raise wrong(None, "have no user message", "Give at least the newest message of the user.")
    groups[-1].pieces += waiting
    return groups


def turn_of(number: int, group: Group) -> Turn:
    """A group as a turn of core: what is planned with; the dicts are what is sent."""
    at = number * SECOND
    said: list[UserPromptPart] = []
    steps: list[Step] = []
    for message in (piece.message for piece in group.pieces[group.lead :]):
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
        user=request(said or [UserPromptPart("", timestamp=moment(at + 1))]),
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
