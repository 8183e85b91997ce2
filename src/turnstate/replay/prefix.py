"""The prompt cache in simulation: how much of a request repeats the beginning of the one before it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, cast

from turnstate.core.context.counting import FIXED, MESSAGE, TOOL_PROMPT, size_message, size_text
from turnstate.core.messages import (
    BinaryContent,
    CachePoint,
    ModelMessage,
    ModelRequest,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
    args_text,
    result_text,
)
from turnstate.replay.memo import Memo
from turnstate.replay.words import Part

LEAST = 1_024
"""The shortest prefix that providers cache, in tokens (Anthropic for Sonnet and OpenAI; some models ask for more)."""

LOOKBACK = 20
"""How many blocks before a mark a cached prefix may end and still be found (Anthropic)."""


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


class Sent(NamedTuple):
    """A request in the cache.

    Attributes:
        billing: how it is billed.
        repeats: whether it repeats the one before it, byte for byte, up to that one's newest exchange, and that
            exchange too where it is still the newest.
    """

    billing: Billing
    repeats: bool


class PromptCache:
    """The cache of one conversation with one strategy.

    A request is its tools, instructions and messages, in this order, as the bytes that are sent and without cache
    marks. It is marked behind the instructions, where its messages have a cache point (behind the head, and before
    what is sent once), and at its end. As at Anthropic, what is cached is the prefix up to a mark, and a later request
    reads the longest such prefix that it repeats, up to `LOOKBACK` blocks before a mark of its own; the rest is
    written. What stands in the newest message only (what changed, what was recalled) is written at the end of one
    request and matches in no later turn, while the mark before it does. The cache is taken to be warm: no request
    comes too late for it.
    """

    def __init__(self, instructions: str, tools: str) -> None:
        self._head = tuple(_head(instructions, tools))
        self._before = _Layout((), (), 0)
        self._cached: set[bytes] = set()
        self._blocks = Memo(_block)

    def send(self, messages: Sequence[ModelMessage], tokens: int, newest: int | None = None) -> Sent:
        """Bill a request of `tokens` and remember it as the previous one.

        Args:
            messages: its messages.
            tokens: its size.
            newest: the place of the first message of the newest exchange; the last message if None.
        """
        layout = self._laid_out(messages, len(messages) - 1 if newest is None else newest)
        before, self._before = self._before, layout
        shared = _shared(before.prefixes, layout.prefixes)
        same_exchange = before.newest == layout.newest
        repeats = shared >= (len(before.prefixes) if same_exchange else before.newest)
        return Sent(self._bill(layout, tokens), repeats)

    def _laid_out(self, messages: Sequence[ModelMessage], newest: int) -> _Layout:
        self._blocks.turn_over()
        blocks = list(self._head)
        framing = [0] * len(blocks)
        opening = len(blocks)
        marks = {len(blocks)}
        for place, message in enumerate(messages):
            if place == newest:
                opening = len(blocks)
            for index, part in enumerate(message.parts):
                marks.update(len(blocks) + index + behind for behind in _points(part))
            blocks.extend(map(self._blocks.of, message.parts))
            # A message is framed once, whatever the number of its parts.
            framing.extend(0 if index == 0 else MESSAGE for index in range(len(message.parts)))
        prefixes: list[bytes] = []
        digest = b""
        for block in blocks:
            digest = hashlib.blake2b(digest + block.digest, digest_size=16).digest()
            prefixes.append(digest)
        sizes = accumulate(block.tokens - extra for block, extra in zip(blocks, framing, strict=True))
        return _Layout(tuple(prefixes), tuple(sizes), opening, frozenset({*marks, len(blocks)}))

    def _bill(self, layout: _Layout, tokens: int) -> Billing:
        if tokens < LEAST:
            return Billing(tokens, 0, 0)
        read = 0
        for mark in layout.marks:
            for length in range(mark, max(0, mark - LOOKBACK), -1):
                if layout.prefixes[length - 1] in self._cached:
                    read = max(read, layout.sizes[length - 1])
                    break
        for mark in layout.marks:
            if layout.sizes[mark - 1] >= LEAST:
                self._cached.add(layout.prefixes[mark - 1])
        read = min(read, tokens)
        return Billing(0, read, tokens - read)


class _Layout(NamedTuple):
    """A request as blocks.

    Attributes:
        prefixes: for each block, a digest of all up to it.
        sizes: for each block, the tokens of all up to it.
        newest: how many blocks stand before the newest exchange.
        marks: how many blocks stand before each cache mark.
    """

    prefixes: tuple[bytes, ...]
    sizes: tuple[int, ...]
    newest: int
    marks: frozenset[int] = frozenset()


def _shared(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """How many blocks both begin with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[middle - 1] == other[middle - 1] else (low, middle - 1)
    return low


def _head(instructions: str, tools: str) -> Iterator[Block]:
    if tools:
        yield Block(_digest("tools", tools), size_text(tools).estimate + TOOL_PROMPT)
    yield Block(_digest("system", instructions), size_text(instructions).estimate + FIXED)


def _points(part: Part) -> Iterator[int]:
    """The cache points of a part: 0 for one before its text, 1 for one behind it."""
    if isinstance(part, UserPromptPart) and not isinstance(part.content, str):
        for index, item in enumerate(part.content):
            if isinstance(item, CachePoint):
                yield min(index, 1)


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
                if isinstance(item, CachePoint):
                    continue
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
