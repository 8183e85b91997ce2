"""A local provider, the official client pointed to it, and a valid request with a tool call in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import anthropic
import pytest

from turnstate.testing.anthropic import AnthropicServer


@pytest.fixture
def body() -> dict[str, Any]:
    """A valid request with a tool call, its result and a new question."""
    call = {"type": "tool_use", "id": "toolu_a", "name": "get_order", "input": {"id": "1"}}
    schema = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    return {
        "model": "claude-haiku-4-5",
        "max_tokens": 64,
        "system": "Be kind.",
        "tools": [{"name": "get_order", "description": "Look an order up.", "input_schema": schema}],
        "messages": [
            {"role": "user", "content": "Where is order 1?"},
            {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}, call]},
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "toolu_a", "content": "shipped"}],
            },
            {"role": "assistant", "content": "It has shipped."},
            {"role": "user", "content": "Thanks! And order 2?"},
        ],
    }


@pytest.fixture
def server() -> Iterator[AnthropicServer]:
    """A provider that says back what it is told."""
    with AnthropicServer() as running:
        yield running


@pytest.fixture
def client(server: AnthropicServer) -> Iterator[anthropic.Anthropic]:
    """The official client, pointed to `server`."""
    with anthropic.Anthropic(base_url=server.base_url, api_key="any", max_retries=0) as connected:
        yield connected
