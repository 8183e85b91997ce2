"""Repairs of OpenAI's chat messages: each call with its results, and no content that is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, cast

from turnstate.adapters.formats import SYSTEM, Object, call_ids
from turnstate.adapters.pieces import (
    EMPTIED,
    MISSING,
    MOVED,
    ORPHAN,
    RENAMED,
    SILENT,
    TWICE,
    Piece,
)
from turnstate.core.context.validity import (
    EMPTY,
    INTERRUPTED,
    LONGEST_ID,
    LONGEST_NAME,
    NO_RESULT,
    free_id,
    sendable_name,
)

_NAME = re.compile(rf"[a-zA-Z0-9_-]{{1,{LONGEST_NAME}}}")


def paired_openai(messages: Sequence[Object], notes: list[str]) -> list[Piece]:
    """`messages` in which each call is answered once, directly behind it, and nothing else is.

    What is right stays the same dict.
    """
    answers = _answers(messages, notes)
    found: list[Piece] = []
    for index, message in enumerate(messages):
        if message["role"] == "tool":
            continue
        fixed = _fixed(message, notes)
        if fixed is None:
            continue
        names = _renamed(call_ids(fixed))
        if any(new != old for old, new in names.items()):
            notes.append(RENAMED)
            fixed = {**fixed, "tool_calls": [{**c, "id": names[c["id"]]} for c in fixed["tool_calls"]]}
        found.append(Piece(fixed, (index,)))
        own = answers.get(index, {})
        # The results keep the order that they came in.
        ordered = sorted(own.items(), key=lambda item: item[1])
        if ordered and ordered[-1][1] > index + len(ordered):
            notes.append(MOVED)
        found += [Piece(_result(messages[at], names[call], notes), (at,)) for call, at in ordered]
        missing = [new for call, new in names.items() if call not in own]
        notes += [MISSING] if missing else []
        found += [Piece({"role": "tool", "tool_call_id": new, "content": INTERRUPTED}) for new in missing]
    return found


def _answers(messages: Sequence[Object], notes: list[str]) -> dict[int, dict[str, int]]:
    """Where the result of each call stands, by the message and the id of the call."""
    answers: dict[int, dict[str, int]] = {}
    waiting: dict[str, int] = {}
    for index, message in enumerate(messages):
        # An id that is used again waits for the newer call's result.
        waiting |= dict.fromkeys(call_ids(message), index)
        if message["role"] == "tool":
            asked = waiting.pop(message["tool_call_id"], None)
            if asked is None:
                notes.append(ORPHAN)
            else:
                answers.setdefault(asked, {})[message["tool_call_id"]] = index
    return answers


def _renamed(ids: Sequence[str]) -> dict[str, str]:
    """The ids that are sent, by those given: one that is too long is shortened."""
    taken = {call_id for call_id in ids if len(call_id) <= LONGEST_ID}
    names: dict[str, str] = {}
    for call_id in ids:
        names[call_id] = call_id if len(call_id) <= LONGEST_ID else free_id(call_id, taken)
        taken.add(names[call_id])
    return names


def _result(message: Object, call_id: str, notes: list[str]) -> Object:
    content = message.get("content")
    if content is None or content == []:
        notes.append(EMPTIED)
        message = {**message, "content": NO_RESULT}
    return message if message["tool_call_id"] == call_id else {**message, "tool_call_id": call_id}


def _fixed(message: Object, notes: list[str]) -> Object | None:
    """A message whose content is accepted; None for one that says nothing."""
    empty = message.get("content") is None or message.get("content") == []
    if message["role"] == "assistant":
        return _answer(message, notes, empty=empty)
    if not empty:
        return message
    notes.append(EMPTIED)
    return None if message["role"] in SYSTEM else {**message, "content": EMPTY}


def _answer(message: Object, notes: list[str], *, empty: bool) -> Object | None:
    given = cast("list[Object]", message.get("tool_calls") or [])
    first: dict[str, Object] = {}
    for call in given:
        first.setdefault(call["id"], call)
    made = list(first.values())
    if len(made) < len(given):
        notes.append(TWICE)
    made = [_call(call, notes) for call in made]
    if "tool_calls" in message and not given:
        message = {key: value for key, value in message.items() if key != "tool_calls"}
    elif len(made) < len(given) or any(new is not old for new, old in zip(made, given, strict=True)):
        message = {**message, "tool_calls": made}
    if made:
        return {**message, "content": None} if message.get("content") == [] else message
    if empty and not message.get("refusal"):
        notes.append(SILENT)
        return None
    return {**message, "content": message["refusal"]} if empty else message


def _call(call: Object, notes: list[str]) -> Object:
    function: Any = call.get("function")
    if function is None:
        return call
    fixed = cast("Object", function)
    if not isinstance(fixed.get("arguments"), str):
        # Clients hand the arguments on as they parsed them.
        arguments = json.dumps(fixed.get("arguments") or {}, ensure_ascii=False, default=str)
        fixed = {**fixed, "arguments": arguments}
    if not _NAME.fullmatch(fixed["name"]):
        notes.append("The name of a called tool that is not sendable was changed.")
        fixed = {**fixed, "name": sendable_name(fixed["name"])}
    return call if fixed is function else {**call, "function": fixed}
