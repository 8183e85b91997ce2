"""How many tokens a request to OpenAI has: an own approximation, the same in every run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from turnstate.testing.anthropic.count import count_text
from turnstate.testing.anthropic.script import JsonObject

ITEM_TOKENS = 4
"""What a message, an item or a tool costs beside its content."""

FILE_TOKENS = 765
"""What an image or a file costs; OpenAI's published figure for an image of 1024 by 1024 in high detail."""


def count_request(body: JsonObject) -> int:
    """Input tokens of a valid request: instructions, tools, and messages or items with their framing."""
    given: Any = body["messages"] if "messages" in body else body["input"]
    items: list[Any] = [given] if isinstance(given, str) else given
    parts = [body.get("instructions") or "", *body.get("tools", ()), *items]
    return sum(ITEM_TOKENS + sum(map(_tokens, _texts(part))) for part in parts if part)


def _tokens(text: str) -> int:
    return FILE_TOKENS if text.startswith("data:") else count_text(text)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in cast("Mapping[str, Any]", value).items():
            if key not in {"type", "role", "id", "status", "encrypted_content"}:
                yield from _texts(item)
    elif isinstance(value, list):
        for item in cast("Sequence[Any]", value):
            yield from _texts(item)
