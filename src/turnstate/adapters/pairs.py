"""Repairs of dicts: each call with its results, and for Anthropic roles in turn; what is right stays the same dict."""

from __future__ import annotations

from collections.abc import Sequence

from turnstate.adapters.formats import Object, blocks, call_ids
from turnstate.core.context.validity import INTERRUPTED

ORPHAN = "A tool result without its call was left out."
MISSING = "A call without a result was answered as interrupted."


def paired_openai(messages: Sequence[Object], notes: list[str]) -> list[Object]:
    """`messages` in which each call is answered once, directly behind it, and nothing else is."""
    found: list[Object] = []
    used: set[int] = set()
    for index, message in enumerate(messages):
        if message["role"] == "tool":
            continue
        found.append(message)
        ids = call_ids(message)
        for call_id in ids:
            later = _result(messages, index, call_id)
            if later is None:
                notes.append(MISSING)
                found.append({"role": "tool", "tool_call_id": call_id, "content": INTERRUPTED})
            else:
                used.add(later)
        # The results keep the order that they came in.
        place = len(found)
        own = sorted(later for call_id in ids if (later := _result(messages, index, call_id)) is not None)
        found[place:place] = [messages[later] for later in own]
    if any(m["role"] == "tool" and i not in used for i, m in enumerate(messages)):
        notes.append(ORPHAN)
    return found


def _result(messages: Sequence[Object], index: int, call_id: str) -> int | None:
    """Where the result of a call stands, before the id is used again."""
    for later in range(index + 1, len(messages)):
        if messages[later]["role"] == "tool" and messages[later]["tool_call_id"] == call_id:
            return later
        if call_id in call_ids(messages[later]):
            return None
    return None


def paired_anthropic(messages: Sequence[Object], notes: list[str]) -> list[Object]:
    """`messages` that begin with the user, in which roles take turns and each call is answered behind it."""
    found: list[Object] = []
    for message in _in_turn(messages, notes):
        asked = call_ids(found[-1]) if found else []
        if message["role"] == "assistant":
            found.append(_without_blanks(message, notes))
            continue
        fixed = _answering(message, asked, notes)
        if fixed is not None:
            found.append(fixed)
    if found and (asked := call_ids(found[-1])):
        notes.append(MISSING)
        found.append({"role": "user", "content": [_interrupted(call_id) for call_id in asked]})
    return _in_turn(found, notes)


def _without_blanks(message: Object, notes: list[str]) -> Object:
    """A response without the blank texts that stand among its other blocks."""
    given = blocks(message)
    kept = [block for block in given if block.get("type") != "text" or str(block.get("text", "")).strip()]
    if len(kept) == len(given) or not kept:
        return message
    notes.append("A blank text was left out.")
    return {**message, "content": kept}


def _in_turn(messages: Sequence[Object], notes: list[str]) -> list[Object]:
    found: list[Object] = []
    for message in messages:
        if not found and message["role"] != "user":
            notes.append("What stood before the first user message was left out.")
        elif found and found[-1]["role"] == message["role"]:
            asked = call_ids(found[-1])
            if asked and message["role"] == "assistant":
                notes.append(MISSING)
                found += [{"role": "user", "content": [_interrupted(call_id) for call_id in asked]}, message]
                continue
            notes.append("Messages of one role that stood in a row were joined.")
            found[-1] = {**found[-1], **message, "content": [*blocks(found[-1]), *blocks(message)]}
        else:
            found.append(message)
    return found


def _answering(message: Object, asked: Sequence[str], notes: list[str]) -> Object | None:
    given = blocks(message)
    answered: set[str] = set()
    kept: list[Object] = []
    for block in given:
        if block.get("type") == "tool_result":
            call_id = str(block.get("tool_use_id"))
            if call_id not in asked or call_id in answered:
                notes.append(ORPHAN)
                continue
            answered.add(call_id)
        elif block.get("type") == "text" and not block["text"].strip() and len(given) > 1:
            notes.append("A blank text was left out.")
            continue
        kept.append(block)
    missing = [_interrupted(call_id) for call_id in asked if call_id not in answered]
    if missing:
        notes.append(MISSING)
    if not missing and len(kept) == len(given):
        return message
    return {**message, "content": [*missing, *kept]} if missing or kept else None


def _interrupted(call_id: str) -> Object:
    return {"type": "tool_result", "tool_use_id": call_id, "content": INTERRUPTED}
