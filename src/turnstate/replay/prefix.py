"""The prompt cache in simulation: how much of a request repeats the beginning of the one before it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias, cast

from turnstate.core.context.counting import FIXED, MESSAGE, TOOL_PROMPT, size_message, size_text
from turnstate.core.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponsePart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
    args_text,
    result_text,
)
from turnstate.replay.memo import Memo

Part: TypeAlias = ModelRequestPart | ModelResponsePart

LEAST = 1_024
"""The shortest prefix that providers cache, in tokens (Anthropic for Sonnet and OpenAI; some models ask for more)."""


class Block(NamedTuple):
    """The unit of caching: the tools, the instructions, or one part of a message.

    Attributes:
        digest: of its bytes as sent.
        tokens: its estimated size, with the framing of a message of its own.
    """

    digest: bytes
    tokens: int


class Billing(NamedTuple):
    """How the input tokens of a request are billed with prompt caching; together they are the request.

    Attributes:
        plain: neither read nor written: the request is too short to be cached.
        read: from the cache.
        written: to the cache.
    """

    plain: int
    read: int
    written: int


class PromptCache:
    """The cache of one conversation with one strategy.

    A request is its tools, instructions and messages, in this order, as the bytes that are sent and without cache
    marks. What it has in common with the previous request, cut back to whole blocks, is read from the cache if it is
    long enough; the rest is written. The cache is taken to be warm: no request comes too late for it.
    """

    def __init__(self, instructions: str, tools: str) -> None:
        self._head = tuple(_head(instructions, tools))
        self._before: Sequence[Block] = ()
        self._blocks = Memo(_block)

    def send(self, messages: Sequence[ModelMessage], tokens: int) -> Billing:
        """Bill a request of `tokens` and remember it as the previous one."""
        self._blocks.turn_over()
        blocks = list(self._head)
        framing: list[int] = [0] * len(blocks)
        for message in messages:
            blocks.extend(map(self._blocks.of, message.parts))
            # A message is framed once, whatever the number of its parts.
            framing.extend(0 if place == 0 else MESSAGE for place in range(len(message.parts)))
        common = 0
        for block, before, extra in zip(blocks, self._before, framing, strict=False):
            if block.digest != before.digest:
                break
            common += block.tokens - extra
        self._before = blocks
        if tokens < LEAST:
            return Billing(tokens, 0, 0)
        read = min(common, tokens) if common >= LEAST else 0
        return Billing(0, read, tokens - read)


def _head(instructions: str, tools: str) -> Iterator[Block]:
    if tools:
        yield Block(_digest("tools", tools), size_text(tools).estimate + TOOL_PROMPT)
    yield Block(_digest("system", instructions), size_text(instructions).estimate + FIXED)


def _block(part: Part) -> Block:
    alone = cast("ModelMessage", ModelRequest(parts=cast("list[Any]", [part])))  # a size asks for no role
    return Block(_digest(*_sent(part)), size_message(alone).estimate)


def _sent(part: Part) -> Iterator[str]:
    """What of a part goes to the provider, as texts; times do not."""
    yield type(part).__name__
    match part:
        case ToolCallPart():
            yield from (part.tool_call_id, part.tool_name, args_text(part))
        case ToolReturnPart():
            yield from (part.tool_call_id, result_text(part))
        case UserPromptPart() if not isinstance(part.content, str):
            for item in part.content:
                if isinstance(item, BinaryContent):
                    yield hashlib.sha256(item.data).hexdigest()
                else:
                    yield item if isinstance(item, str) else str(getattr(item, "url", item))
        case _:
            content = getattr(part, "content", "")
            yield content if isinstance(content, str) else str(content)


def _digest(*texts: str) -> bytes:
    canonical = json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
    return hashlib.blake2b(canonical.encode("utf-8", "surrogatepass"), digest_size=16).digest()
