"""A strict local server that speaks the Anthropic Messages protocol: no network, no key, scripted answers.

```python
with AnthropicServer(reply=in_order(Reply.of(Call("get_order", {"id": "12345"})), Reply.of("Shipped."))) as server:
    client = anthropic.Anthropic(base_url=server.base_url, api_key="test", max_retries=0)
```
"""

from __future__ import annotations

from turnstate.testing.anthropic.count import count_request, count_text
from turnstate.testing.anthropic.provider import Refusal
from turnstate.testing.anthropic.script import (
    Call,
    Fault,
    JsonObject,
    MessagesRequest,
    Part,
    Replier,
    Reply,
    Say,
    Think,
    echo,
    in_order,
)
from turnstate.testing.anthropic.server import AnthropicServer
from turnstate.testing.anthropic.validate import Rules, validate

__all__ = [
    "AnthropicServer",
    "Call",
    "Fault",
    "JsonObject",
    "MessagesRequest",
    "Part",
    "Refusal",
    "Replier",
    "Reply",
    "Rules",
    "Say",
    "Think",
    "count_request",
    "count_text",
    "echo",
    "in_order",
    "validate",
]
