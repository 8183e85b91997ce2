"""Chat completions as JSON and as server-sent events.

A thought is never shown by this API: it costs tokens, and that is all that a client learns of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from turnstate.testing.anthropic.script import Call, JsonObject, Say
from turnstate.testing.openai.render import Answered, error, pieces


def completion(answered: Answered) -> JsonObject:
    """The whole answer, for a request without streaming."""
    texts = [part.text for part in answered.reply.parts if isinstance(part, Say)]
    message: JsonObject = {"role": "assistant", "content": "".join(texts) or None, "refusal": None}
    if calls := _calls(answered):
        message["tool_calls"] = calls
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _stopped_by(answered)}
    return _envelope(answered, "chat.completion", [choice]) | {"usage": _usage(answered)}


def chunks(answered: Answered) -> Iterator[bytes]:
    """The answer as server-sent events, one at a time, ending with an error where the reply is broken."""
    yield _chunk(answered, {"role": "assistant", "content": "", "refusal": None})
    for part in answered.reply.parts:
        if isinstance(part, Say):
            for piece in pieces(part.text):
                yield _chunk(answered, {"content": piece})
    for index, call in enumerate(_calls(answered)):
        arguments = call["function"].pop("arguments")
        opening = {"index": index, **call, "function": {**call["function"], "arguments": ""}}
        yield _chunk(answered, {"tool_calls": [opening]})
        for piece in pieces(arguments):
            yield _chunk(answered, {"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    if answered.reply.broken_by:
        yield _event(error(answered.reply.broken_by))
        return
    yield _chunk(answered, {}, _stopped_by(answered))
    options: Any = answered.request.body.get("stream_options") or {}
    if options.get("include_usage"):
        yield _event(_envelope(answered, "chat.completion.chunk", []) | {"usage": _usage(answered)})
    yield b"data: [DONE]\n\n"


def _calls(answered: Answered) -> list[JsonObject]:
    return [
        {
            "id": ids.call,
            "type": "function",
            "function": {"name": part.name, "arguments": json.dumps(dict(part.input))},
        }
        for part, ids in zip(answered.reply.parts, answered.ids, strict=True)
        if isinstance(part, Call)
    ]


def _stopped_by(answered: Answered) -> str:
    called = any(isinstance(part, Call) for part in answered.reply.parts)
    return answered.reply.stop_reason or ("tool_calls" if called else "stop")


def _envelope(answered: Answered, kind: str, choices: list[JsonObject]) -> JsonObject:
    return {
        "id": f"chatcmpl-{answered.answer_id}",
        "object": kind,
        "created": 0,
        "model": answered.request.model,
        "choices": choices,
    }


def _usage(answered: Answered) -> JsonObject:
    spent, thought = answered.output_tokens, answered.thinking_tokens
    return {
        "prompt_tokens": answered.request.tokens,
        "completion_tokens": spent,
        "total_tokens": answered.request.tokens + spent,
        "prompt_tokens_details": {"cached_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": thought},
    }


def _chunk(answered: Answered, delta: JsonObject, finish_reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
    return _event(_envelope(answered, "chat.completion.chunk", [choice]))


def _event(data: JsonObject) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()
