"""How many tokens a request has: an own approximation, the same in every run, and the blocks a cache sees."""

from __future__ import annotations

import base64
import json
import re
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from turnstate.testing.anthropic.script import JsonObject, blocks_of

MESSAGE_TOKENS = 3
"""What a message costs beside its content."""

TOOL_PROMPT_TOKENS = 346
"""The hidden instructions that come with the first tool; the number that Anthropic publishes for Claude Sonnet 4.5."""

IMAGE_TOKENS = 1_600
"""The most that an image costs: Anthropic scales larger ones down to about this."""

PIXELS_PER_TOKEN = 750
"""Anthropic's published estimate for images: width * height / 750."""

PAGE_TOKENS = 1_500
"""What a PDF page, or a document that only a URL names, costs; the lower end of the published 1,500 to 3,000."""

WHOLE_WORD = 6
"""A word of up to this many letters is one token; a longer one is split in pieces of four."""

_CJK = r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
_PIECES = re.compile(rf"{_CJK}|(?P<word>[ ]?(?:(?!{_CJK})[^\W\d_])+)|\d{{1,3}}|\s+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Segment:
    """A tool, a system block or a content block: the unit in which prompts are cached.

    Attributes:
        content: what it says, as JSON without its cache mark; byte-identical content is the same segment.
        tokens: what it costs, with the framing of the message that it opens.
        marked: whether a cache breakpoint stands behind it.
    """

    content: str
    tokens: int
    marked: bool


def count_text(text: str) -> int:
    """Tokens of a text: about one per four characters of English, one per CJK character, never more than its bytes.

    A word takes the space before it along; three digits, a run of white space and any other sign are one each.
    """
    return sum(_piece_tokens(match) for match in _PIECES.finditer(text))


def count_request(body: Mapping[str, Any]) -> int:
    """Input tokens of a valid request: tools with their hidden prompt, system and messages with their framing."""
    return sum(segment.tokens for segment in segments(body))


def segments(body: Mapping[str, Any]) -> list[Segment]:
    """The segments of a valid request in the order in which the provider reads them: tools, system, messages.

    A deferred tool has none: the model does not see it. A top-level `cache_control` marks the last segment.
    """
    found = [*_tool_segments(body.get("tools", [])), *_system_segments(body.get("system") or [])]
    for message in body["messages"]:
        found.extend(_message_segments(message))
    if body.get("cache_control") and found:
        last = found[-1]
        found[-1] = Segment(last.content, last.tokens, marked=True)
    return found


def _piece_tokens(piece: re.Match[str]) -> int:
    letters = len((piece["word"] or "").strip())
    return 1 if letters <= WHOLE_WORD else -(-letters // 4)


def _tool_segments(tools: list[JsonObject]) -> Iterator[Segment]:
    hidden = TOOL_PROMPT_TOKENS
    for tool in tools:
        if not tool.get("defer_loading"):
            content = _without_mark(tool)
            yield Segment(f"tool {content}", hidden + count_text(content), _is_marked(tool))
            hidden = 0


def _system_segments(system: str | list[JsonObject]) -> Iterator[Segment]:
    for block in blocks_of(system):
        yield Segment(f"system {_without_mark(block)}", _block_tokens(block), _is_marked(block))


def _message_segments(message: JsonObject) -> Iterator[Segment]:
    framing = MESSAGE_TOKENS
    for block in blocks_of(message["content"]):
        content = f"{message['role']} {_without_mark(block)}"
        yield Segment(content, framing + _block_tokens(block), _is_marked(block))
        framing = 0


def _is_marked(block: JsonObject) -> bool:
    return any(part.get("cache_control") for part in (block, *_nested(block)))


def _without_mark(block: JsonObject) -> str:
    """The block as JSON; key order counts, because the real cache compares the prompt byte for byte."""
    plain = _unmarked(block)
    if _nested(block):
        plain["content"] = [_unmarked(part) for part in _nested(block)]
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def _unmarked(block: JsonObject) -> JsonObject:
    return {key: value for key, value in block.items() if key != "cache_control"}


def _nested(block: JsonObject) -> list[JsonObject]:
    """The blocks inside a tool result; they may carry marks of their own."""
    content: str | list[JsonObject] = block.get("content", "") if block.get("type") == "tool_result" else ""
    return [] if isinstance(content, str) else content


def _block_tokens(block: JsonObject) -> int:
    return _BLOCK_TOKENS[block["type"]](block)


def _nested_tokens(content: str | list[JsonObject]) -> int:
    return sum(_block_tokens(block) for block in blocks_of(content))


def _call_tokens(block: JsonObject) -> int:
    return count_text(block["name"]) + count_text(json.dumps(block["input"], ensure_ascii=False))


def _image_tokens(block: JsonObject) -> int:
    """By pixels where a PNG header tells them, otherwise the most that an image can cost."""
    source: JsonObject = block["source"]
    if source["type"] == "base64" and source["media_type"] == "image/png":
        head = base64.b64decode(source["data"])[:24]
        if len(head) == 24 and head.startswith(b"\x89PNG"):
            width, height = struct.unpack(">II", head[16:24])
            return min(IMAGE_TOKENS, 1 + width * height // PIXELS_PER_TOKEN)
    return IMAGE_TOKENS


def _document_tokens(block: JsonObject) -> int:
    source: JsonObject = block["source"]
    named = count_text(block.get("title") or "") + count_text(block.get("context") or "")
    match source["type"]:
        case "text":
            return named + count_text(source["data"])
        case "content":
            return named + _nested_tokens(source["content"])
        case "base64":
            pages = re.findall(rb"/Type\s*/Page(?!s)", base64.b64decode(source["data"]))
            return named + PAGE_TOKENS * max(1, len(pages))
        case _:
            return named + PAGE_TOKENS


def _search_result_tokens(block: JsonObject) -> int:
    return count_text(block["source"]) + count_text(block["title"]) + _nested_tokens(block["content"])


_BLOCK_TOKENS: Mapping[str, Callable[[JsonObject], int]] = {
    "text": lambda block: count_text(block["text"]),
    "image": _image_tokens,
    "document": _document_tokens,
    "search_result": _search_result_tokens,
    "thinking": lambda block: count_text(block["thinking"]),
    "redacted_thinking": lambda block: -(-len(block["data"]) // 4),
    "tool_use": _call_tokens,
    "tool_result": lambda block: _nested_tokens(block.get("content", "")),
    "tool_reference": lambda block: count_text(block["tool_name"]),
}
