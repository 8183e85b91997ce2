"""The provider's answers as JSON and as server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from turnstate.testing.anthropic.count import count_text
from turnstate.testing.anthropic.script import (
    Call,
    Fault,
    JsonObject,
    MessagesRequest,
    Part,
    Reply,
    Say,
    Think,
)

CHUNK = 12
"""Characters in a text or JSON delta; short, so that words and values are cut in the middle."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A reply with the ids that it carries on the wire.

    Attributes:
        request: what was asked.
        reply: what is answered.
        message_id: the message's id.
        call_ids: the ids of the parts, by position; only those of calls go on the wire.
    """

    request: MessagesRequest
    reply: Reply
    message_id: str
    call_ids: tuple[str, ...]

    @property
    def blocks(self) -> list[JsonObject]:
        """The content blocks of the message."""
        return [_block(part, call_id) for part, call_id in zip(self.reply.parts, self.call_ids, strict=True)]

    @property
    def output_tokens(self) -> int:
        """What the answer costs; never nothing."""
        return max(1, sum(_output_tokens(part) for part in self.reply.parts))

    def usage(self, output_tokens: int) -> JsonObject:
        """Usage with the input split by the cache, as the provider reports it."""
        request = self.request
        return {
            "input_tokens": request.tokens - request.cache_read - request.cache_creation,
            "cache_creation_input_tokens": request.cache_creation,
            "cache_read_input_tokens": request.cache_read,
            "output_tokens": output_tokens,
            "service_tier": "standard",
        }


def message(answered: Answered) -> JsonObject:
    """The whole message, for a request without streaming."""
    return {
        "id": answered.message_id,
        "type": "message",
        "role": "assistant",
        "model": answered.request.model,
        "content": answered.blocks,
        "stop_reason": answered.reply.stopped_by,
        "stop_sequence": None,
        "usage": answered.usage(answered.output_tokens),
    }


def events(answered: Answered) -> Iterator[bytes]:
    """The message as server-sent events, one at a time, ending with an error event where the reply is broken."""
    opening: JsonObject = {
        **message(answered),
        "content": [],
        "stop_reason": None,
        "usage": answered.usage(1),
    }
    yield _event({"type": "message_start", "message": opening})
    yield _event({"type": "ping"})
    for index, block in enumerate(answered.blocks):
        yield from _block_events(index, block)
    if answered.reply.broken_by:
        yield _event(error(answered.reply.broken_by))
        return
    ending = {"stop_reason": answered.reply.stopped_by, "stop_sequence": None}
    usage = answered.usage(answered.output_tokens)
    yield _event({"type": "message_delta", "delta": ending, "usage": usage})
    yield _event({"type": "message_stop"})


def error(fault: Fault, request_id: str | None = None) -> JsonObject:
    """An error's body."""
    body: JsonObject = {"type": "error", "error": {"type": fault.kind, "message": fault.message}}
    return {**body, "request_id": request_id} if request_id else body


def _block(part: Part, call_id: str) -> JsonObject:
    match part:
        case Say(text):
            return {"type": "text", "text": text}
        case Think(text, signature):
            return {"type": "thinking", "thinking": text, "signature": signature}
        case Call(name, arguments):
            return {"type": "tool_use", "id": call_id, "name": name, "input": dict(arguments)}


def _output_tokens(part: Part) -> int:
    match part:
        case Say(text) | Think(text):
            return count_text(text)
        case Call(name, arguments):
            return count_text(name) + count_text(json.dumps(dict(arguments), ensure_ascii=False))


def _block_events(index: int, block: JsonObject) -> Iterator[bytes]:
    deltas: list[JsonObject]
    empty: JsonObject
    match block["type"]:
        case "text":
            empty = {**block, "text": ""}
            deltas = [{"type": "text_delta", "text": piece} for piece in _pieces(block["text"])]
        case "thinking":
            empty = {**block, "thinking": "", "signature": ""}
            deltas = [{"type": "thinking_delta", "thinking": piece} for piece in _pieces(block["thinking"])]
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        case _:
            empty = {**block, "input": {}}
            arguments = json.dumps(block["input"], ensure_ascii=False)
            deltas = [
                {"type": "input_json_delta", "partial_json": piece} for piece in ("", *_pieces(arguments))
            ]
    yield _event({"type": "content_block_start", "index": index, "content_block": empty})
    for delta in deltas:
        yield _event({"type": "content_block_delta", "index": index, "delta": delta})
    yield _event({"type": "content_block_stop", "index": index})


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), CHUNK):
        yield text[start : start + CHUNK]


def _event(data: JsonObject) -> bytes:
    return f"event: {data['type']}\ndata: {json.dumps(data)}\n\n".encode()
