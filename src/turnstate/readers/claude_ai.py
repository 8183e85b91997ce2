"""Claude.ai exports: messages of a `human` and an `assistant`, calls and results inside those of the assistant."""

from __future__ import annotations

from collections.abc import Iterator

from turnstate.readers.fields import Object, as_list, as_object, first, inner, is_list, items, text, time_of
from turnstate.readers.scribe import KEPT_AS_TYPE, Entry, Origin, joined, tool_call, transcribe
from turnstate.readers.transcript import RecordProblem, Transcript

_SILENT = {"thinking", "redacted_thinking", "token_budget", "flag"}


def fits_claude_ai(data: object) -> bool:
    """Whether a record is of this format."""
    return "chat_messages" in inner(data)


def read_claude_ai(data: object, origin: Origin) -> Transcript:
    """One conversation as a transcript; where its messages name their parents, the branch up to the newest one.

    Raises:
        RecordProblem: it is none; the reason names the message by its number from 1.
    """
    around = as_object(data, "is")
    messages = as_list(around.get("chat_messages"), "has 'chat_messages' that are")
    return transcribe(_entries(_branch(around, messages)), origin, around.get("uuid"))


def _branch(around: Object, messages: list[object]) -> list[object]:
    by_id = {text(inner(message).get("uuid")): message for message in messages}
    current = text(around.get("current_leaf_message_uuid")) or (
        text(inner(messages[-1]).get("uuid")) if messages else ""
    )
    if current not in by_id or not any(inner(m).get("parent_message_uuid") for m in messages):
        return messages
    found: list[object] = []
    while current in by_id:
        message = by_id.pop(current)
        found.append(message)
        current = text(inner(message).get("parent_message_uuid"))
    return found[::-1]


def _entries(messages: list[object]) -> Iterator[Entry]:
    for number, data in enumerate(messages, start=1):
        try:
            yield from _message(as_object(data, "is"))
        except RecordProblem as problem:
            raise RecordProblem(f"message {number} {problem}") from None


def _message(message: Object) -> Iterator[Entry]:
    at = time_of(message)
    blocks = items(message.get("content")) or [{"type": "text", "text": text(message.get("text"))}]
    match message.get("sender"):
        case "human":
            said = tuple(text(first(inner(block), "text")) for block in blocks)
            files = [inner(file) for file in items(message.get("attachments"))]
            read = tuple(body for file in files if (body := text(file.get("extracted_content"))))
            yield Entry("user", (*(part for part in said if part), *read) or ("",), at=at)
        case "assistant":
            yield from _spoken(blocks, at)
        case sender:
            raise RecordProblem(
                "has no sender" if sender is None else f"has the unknown sender {sender!r:.60}"
            )


def _spoken(blocks: list[object], at: int | None) -> Iterator[Entry]:
    """Text and calls up to a result are one response; what follows the results is the next one."""
    said: tuple[str, ...] = ()
    calls: tuple[Object, ...] = ()
    results: list[Entry] = []
    note = ""
    for data in [*blocks, None]:
        block = inner(data)
        kind = text(block.get("type"))
        if results and kind != "tool_result":
            yield from results
            results = []
        if data is None or (kind == "tool_result" and (said or calls)):
            if said or calls:
                yield _response(said, calls, at, note)
            said, calls, note = (), (), ""
        if kind == "tool_result":
            results.append(_result(block, at))
        elif kind == "tool_use":
            calls = (*calls, block)
        elif kind == "text":
            said = (*said, text(block.get("text")))
        elif kind and kind not in _SILENT:
            said, note = (*said, f"({kind})"), KEPT_AS_TYPE


def _response(said: tuple[str, ...], calls: tuple[Object, ...], at: int | None, note: str) -> Entry:
    made = tuple(tool_call(text(call.get("name")), call.get("input"), text(call.get("id"))) for call in calls)
    return Entry("assistant", said, made, at=at, note=note)


def _result(block: Object, at: int | None) -> Entry:
    content = block.get("content")
    if is_list(content):
        content = joined(tuple(text(inner(part).get("text")) for part in items(content)))
    return Entry(
        "tool",
        result="" if content is None else content,
        call_id=text(block.get("tool_use_id")),
        tool=text(block.get("name")),
        at=at,
    )
