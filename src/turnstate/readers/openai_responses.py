"""OpenAI Responses items: messages, function calls and their outputs, side by side in one list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from turnstate.readers.fields import Object, as_object, inner, is_list, text, time_of
from turnstate.readers.openai_chat import chat_entries, content_of
from turnstate.readers.scribe import Entry, joined, tool_call
from turnstate.readers.transcript import RecordProblem

_CALLS = {"function_call", "custom_tool_call", "mcp_call"}
_OUTPUTS = {
    "function_call_output",
    "custom_tool_call_output",
    "local_shell_call_output",
    "computer_call_output",
}
_SILENT = {"reasoning", "mcp_list_tools", "item_reference", "compaction"}
ITEMS = frozenset({"message", *_CALLS, *_OUTPUTS, *_SILENT})
"""The types of items by which this format is known."""


def speaks_responses(items: Iterable[object]) -> bool:
    """Whether a list is one of Responses items: at least one of them has a type of theirs."""
    return any(text(inner(item).get("type")) in ITEMS for item in items)


def responses_entries(items: Iterable[object], model: str = "") -> Iterator[Entry]:
    """What the items say; calls that stand together, and behind the text that announces them, are one response.

    Raises:
        RecordProblem: while iterating: an item does not read; the reason names it by its number from 1.
    """
    held: Entry | None = None
    for number, data in enumerate(items, start=1):
        try:
            found = list(_item(as_object(data, "is"), model))
        except RecordProblem as problem:
            raise RecordProblem(f"item {number} {problem}") from None
        for entry in found:
            if held is not None and entry.role == "assistant" and not any(entry.content):
                held = replace(held, calls=(*held.calls, *entry.calls))
                continue
            if held is not None:
                yield held
            held = entry if entry.role == "assistant" else None
            if held is None:
                yield entry
    if held is not None:
        yield held


def _item(item: Object, model: str) -> Iterator[Entry]:
    kind = text(item.get("type"))
    if not kind or kind == "message":
        try:
            yield from chat_entries([item], model)
        except RecordProblem as problem:
            raise RecordProblem(str(problem).removeprefix("message 1 ")) from None
    elif kind in _CALLS:
        args: Any = item.get("arguments", item.get("input"))
        call = tool_call(text(item.get("name")), args, text(item.get("call_id")) or text(item.get("id")))
        yield Entry("assistant", calls=(call,), at=time_of(item), model=model)
        if kind == "mcp_call" and item.get("output") is not None:
            yield Entry("tool", result=item["output"], call_id=call.tool_call_id)
    elif kind in _OUTPUTS:
        output: Any = item.get("output")
        if is_list(output):
            output = joined(content_of(item, "output"))
        yield Entry(
            "tool",
            result="" if output is None else output,
            call_id=text(item.get("call_id")),
            at=time_of(item),
        )
    elif kind not in _SILENT:
        yield Entry("assistant", (f"({kind})",), note=f"An item of type {kind[:60]} is kept as its type.")
