"""The dicts of a plan: the caller's own in view, with the blocks of the head and of the newest message among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from turnstate.adapters.formats import SYSTEM, Object, blocks, text_of
from turnstate.adapters.turns import SECOND, Group
from turnstate.core.context.families import Family
from turnstate.core.context.shorten import Shortening
from turnstate.core.context.types import Plan
from turnstate.core.messages import ModelRequest, ToolCallPart, UserPromptPart, args_text, moment


def rendered(groups: Sequence[Group], made: Plan, family: Family | None) -> list[Object]:
    """The messages in view, with what was put before them and before the newest message.

    Instructions of OpenAI's format stay before the conversation when their turn leaves; Anthropic's stand apart.
    """
    head, once = _blocks(made, len(groups) * SECOND)
    shortening = Shortening(made.cut.cap, 1.0, reader=False)
    apart = family is Family.ANTHROPIC
    first = made.cut.first
    left = (piece.message for group in groups[: first - 1] for piece in group.pieces)
    found: list[Object] = [] if apart else [message for message in left if message["role"] in SYSTEM]
    for number, group in enumerate(groups[first - 1 :], start=first):
        own = [piece.message for piece in group.pieces]
        lead, own = own[: group.lead], own[group.lead :]
        if apart:
            lead, own = [], [message for message in own if message["role"] not in SYSTEM]
        shown = [_shortened(message, shortening) for message in own]
        if number == len(groups) and once:
            shown = _put(once, shown, family)
        if number == first and head:
            shown = _put(head, shown, family)
        found += [*lead, *shown]
    return found


def system_of(system: str | list[Object] | None, groups: Sequence[Group]) -> str | list[Object] | None:
    """Anthropic's system text or blocks, with the instructions that stood among the messages behind it."""
    texts = [
        text
        for group in groups
        for piece in group.pieces
        if piece.message["role"] in SYSTEM and (text := text_of(piece.message)).strip()
    ]
    if not texts:
        return system
    if isinstance(system, list):
        return [*system, *({"type": "text", "text": text} for text in texts)]
    return "\n\n".join([*([system] if system else []), *texts])


def _put(texts: Sequence[str], messages: Sequence[Object], family: Family | None) -> list[Object]:
    """`messages` with data of the user's role before the first of them."""
    if family is Family.OPENAI_CHAT:
        return [{"role": "user", "content": "\n\n".join(texts)}, *messages]
    first, *others = messages
    said = [{"type": "text", "text": text} for text in texts]
    return [{**first, "content": [*said, *blocks(first)]}, *others]


def _blocks(made: Plan, newest: int) -> tuple[list[str], list[str]]:
    """The texts of the head, and those of the newest message only: both are known by their times."""
    head: list[str] = []
    once: list[str] = []
    for message in made.messages:
        for part in message.parts if isinstance(message, ModelRequest) else ():
            if isinstance(part, UserPromptPart) and part.timestamp in (moment(0), moment(newest)):
                items = [part.content] if isinstance(part.content, str) else part.content
                words = [item for item in items if isinstance(item, str) and item.startswith("<")]
                (head if part.timestamp == moment(0) else once).extend(words)
    return head, once


def _shortened(message: Object, shortening: Shortening) -> Object:
    """A message, or a copy of it in which long texts are shortened."""
    thought = any(block.get("type") in ("thinking", "redacted_thinking") for block in blocks(message))
    if not shortening.cap or message["role"] in SYSTEM or thought:
        return message
    cap = shortening.cap * (2 if message["role"] == "user" else 1)
    content = _short(message.get("content"), shortening, cap)
    message = message if content is message.get("content") else {**message, "content": content}
    made = cast("list[Object]", message.get("tool_calls") or [])
    called = [_short_call(call, shortening) for call in made]
    same = all(new is old for new, old in zip(called, made, strict=True))
    return message if same else {**message, "tool_calls": called}


def _short_call(call: Object, shortening: Shortening) -> Object:
    """An OpenAI call whose long arguments are shortened one by one, as the plan counted them."""
    function = cast("Object", call.get("function") or {})
    part = ToolCallPart("call", str(function.get("arguments") or "{}"))
    short = shortening.arguments(part)
    return call if short is part else {**call, "function": {**function, "arguments": args_text(short)}}


def _short(content: Any, shortening: Shortening, cap: int) -> Any:
    if isinstance(content, str):
        return shortening.text(content, "", cap)
    if not isinstance(content, list):
        return content
    items = cast("list[Object]", content)
    new = [_short_block(block, shortening, cap) for block in items]
    return content if all(a is b for a, b in zip(new, items, strict=True)) else new  # pyright: ignore[reportUnknownVariableType]  # as given


def _short_block(block: Object, shortening: Shortening, cap: int) -> Object:
    if block.get("type") == "tool_use":
        part = ToolCallPart("call", cast("Any", block.get("input") or {}))
        short = shortening.arguments(part)
        return block if short is part else {**block, "input": short.args}
    key = {"text": "text", "tool_result": "content"}.get(str(block.get("type")))
    if key is None:
        return block
    text = _short(block.get(key), shortening, shortening.cap if key == "content" else cap)
    return block if text is block.get(key) else {**block, key: text}
