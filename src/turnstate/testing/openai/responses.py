"""Responses as JSON and as server-sent events."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator

from turnstate.testing.anthropic.script import Call, JsonObject, Part, Say, Think
from turnstate.testing.openai.render import Answered, Ids, pieces

ENCRYPTED = "reasoning.encrypted_content"
"""What a client includes to be given thoughts that it can send back."""


def response(answered: Answered, *, status: str = "completed") -> JsonObject:
    """The whole answer; without its items while it is in progress."""
    body = answered.request.body
    failed = answered.reply.broken_by if status == "failed" else None
    return {
        "id": f"resp_{answered.answer_id}",
        "object": "response",
        "created_at": 0,
        "status": status,
        "error": {"code": "server_error", "message": failed.message} if failed else None,
        "incomplete_details": None,
        "instructions": body.get("instructions"),
        "model": answered.request.model,
        "output": [] if status == "in_progress" else items(answered),
        "parallel_tool_calls": True,
        "temperature": None,
        "tool_choice": body.get("tool_choice", "auto"),
        "tools": body.get("tools", []),
        "top_p": None,
        "usage": None if status == "in_progress" else _usage(answered),
    }


def items(answered: Answered) -> list[JsonObject]:
    """The output items."""
    shown = ENCRYPTED in answered.request.body.get("include", ())
    return [
        _item(part, ids, encrypted=shown)
        for part, ids in zip(answered.reply.parts, answered.ids, strict=True)
    ]


def events(answered: Answered) -> Iterator[bytes]:
    """The answer as server-sent events, one at a time, ending as failed where the reply is broken."""
    numbers = itertools.count()

    def event(kind: str, **data: object) -> bytes:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, 'sequence_number': next(numbers), **data})}\n\n".encode()

    yield event("response.created", response=response(answered, status="in_progress"))
    yield event("response.in_progress", response=response(answered, status="in_progress"))
    for index, item in enumerate(items(answered)):
        for kind, data in _item_events(item):
            yield event(kind, output_index=index, **data)
    status = "failed" if answered.reply.broken_by else "completed"
    yield event(f"response.{status}", response=response(answered, status=status))


def _item(part: Part, ids: Ids, *, encrypted: bool) -> JsonObject:
    match part:
        case Say(text):
            content: list[JsonObject] = [
                {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
            ]
            return {
                "id": ids.item,
                "type": "message",
                "role": "assistant",
                "status": "completed",
                "content": content,
            }
        case Think(text):
            summary = [{"type": "summary_text", "text": text}]
            found: JsonObject = {"id": ids.item, "type": "reasoning", "summary": summary}
            return found | ({"encrypted_content": ids.encrypted} if encrypted else {})
        case Call(name, arguments):
            return {
                "id": ids.item,
                "type": "function_call",
                "call_id": ids.call,
                "name": name,
                "arguments": json.dumps(dict(arguments)),
                "status": "completed",
            }


def _usage(answered: Answered) -> JsonObject:
    spent = answered.output_tokens
    return {
        "input_tokens": answered.request.tokens,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": spent,
        "output_tokens_details": {"reasoning_tokens": answered.thinking_tokens},
        "total_tokens": answered.request.tokens + spent,
    }


def _item_events(item: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """The events of one item, without its place."""
    unsaid = {key: type(item[key])() for key in ("content", "summary", "arguments") if key in item}
    begun = {"status": "in_progress"} if "status" in item else {}
    yield "response.output_item.added", {"item": item | unsaid | begun}
    match item["type"]:
        case "message":
            yield from _text_events(item)
        case "reasoning":
            yield from _summary_events(item)
        case _:
            yield from _argument_events(item)
    yield "response.output_item.done", {"item": item}


def _text_events(item: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    place, part = {"item_id": item["id"], "content_index": 0}, item["content"][0]
    yield "response.content_part.added", {**place, "part": part | {"text": ""}}
    for piece in pieces(part["text"]):
        yield "response.output_text.delta", {**place, "delta": piece, "logprobs": []}
    yield "response.output_text.done", {**place, "text": part["text"], "logprobs": []}
    yield "response.content_part.done", {**place, "part": part}


def _summary_events(item: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    place, part = {"item_id": item["id"], "summary_index": 0}, item["summary"][0]
    yield "response.reasoning_summary_part.added", {**place, "part": part | {"text": ""}}
    for piece in pieces(part["text"]):
        yield "response.reasoning_summary_text.delta", {**place, "delta": piece}
    yield "response.reasoning_summary_text.done", {**place, "text": part["text"]}
    yield "response.reasoning_summary_part.done", {**place, "part": part}


def _argument_events(item: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    place = {"item_id": item["id"]}
    for piece in pieces(item["arguments"]):
        yield "response.function_call_arguments.delta", {**place, "delta": piece}
    yield (
        "response.function_call_arguments.done",
        {**place, "name": item["name"], "arguments": item["arguments"]},
    )
