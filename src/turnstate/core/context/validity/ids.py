"""Ids of calls and names of tools: unique, and of signs that are accepted where they go."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from turnstate.core.context.families import ANYWHERE, Family, Wire
from turnstate.core.context.validity.parts import is_native, is_result, with_parts
from turnstate.core.messages import ModelMessage, ModelResponse, calls

LONGEST_ID = 40
"""Characters of a tool call id; OpenAI refuses longer ones, which other providers give out."""

LONGEST_NAME = 64
"""Characters of a tool's name; models make names up, and a made-up name stays in the history."""

MISTRAL_ID = 9
"""Characters of a tool call id at Mistral, letters and digits alone."""

_SIGN = re.compile(r"[^a-zA-Z0-9_-]")
_SHORT = re.compile(rf"[a-zA-Z0-9]{{{MISTRAL_ID}}}")
_SIGNS = "abcdefghijklmnopqrstuvwxyz0123456789"

_Spelling: TypeAlias = Callable[[str, int], str]
"""The id for a call's own one, and for the second, third... call that would get the same."""


def with_sendable_ids(messages: Sequence[ModelMessage], wire: Wire, notes: list[str]) -> list[ModelMessage]:
    """Ids and names that are accepted, each id used once: small local models count from 1 in each response.

    The same history gets the same ids each time, and a longer one begins with them.
    """
    spelling: _Spelling = _short if wire.provider == "mistral" else _plain
    taken: set[str] = set()
    renamed: dict[str, str] = {}
    found: list[ModelMessage] = []
    for message in messages:
        if isinstance(message, ModelResponse):
            renamed = {}
            parts: Sequence[Any] = message.parts
            taken.update(part.tool_call_id for part in parts if is_native(part))
            for call in calls(message):
                renamed[call.tool_call_id] = new = _free(call.tool_call_id, taken, spelling)
                taken.add(new)
                if new != call.tool_call_id:
                    notes.append("A tool call id that was not unique or not sendable was renamed.")
                if sendable_name(call.tool_name, wire) != call.tool_name:
                    notes.append("The name of a called tool that is not sendable was changed.")
        found.append(with_parts(message, [_with_id(part, renamed, wire) for part in message.parts]))
    return found


def free_id(call_id: str, taken: set[str]) -> str:
    """An id that every provider but Mistral accepts, as near to `call_id` as may be and none of `taken`."""
    return _free(call_id, taken, _plain)


def _free(call_id: str, taken: set[str], spelling: _Spelling) -> str:
    number = 1
    while (new := spelling(call_id, number)) in taken:
        number += 1
    return new


def _plain(call_id: str, number: int) -> str:
    # Older histories of the responses API hold the call's id and its item's in one: "call_1|fc_1".
    base = _SIGN.sub("_", call_id.partition("|")[0])[:LONGEST_ID] or "call"
    return base if number == 1 else f"{base[: LONGEST_ID - len(str(number)) - 1]}_{number}"


def _short(call_id: str, number: int) -> str:
    if number == 1 and _SHORT.fullmatch(call_id):
        return call_id
    digest = hashlib.sha256(f"{number} {call_id}".encode(errors="replace")).digest()
    return "".join(_SIGNS[byte % len(_SIGNS)] for byte in digest[:MISTRAL_ID])


def sendable_name(name: str, wire: Wire = ANYWHERE) -> str:
    """The name of a tool, of signs and of a length that are accepted."""
    sendable = _SIGN.sub("_", name) or "unnamed"
    # Gemini's names open with a letter or an underscore.
    if (wire == ANYWHERE or wire.family is Family.GEMINI) and not (
        sendable[0].isalpha() or sendable[0] == "_"
    ):
        sendable = f"_{sendable}"
    return sendable[:LONGEST_NAME]


def _with_id(part: Any, renamed: dict[str, str], wire: Wire) -> Any:
    if part.part_kind != "tool-call" and not is_result(part):
        return part
    call_id = renamed.get(part.tool_call_id, part.tool_call_id)
    name = sendable_name(part.tool_name, wire)
    if (call_id, name) == (part.tool_call_id, part.tool_name):
        return part
    return replace(part, tool_call_id=call_id, tool_name=name)
