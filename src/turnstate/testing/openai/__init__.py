"""A strict local server that speaks OpenAI's chat completions and responses: no network, no key, scripted answers.

```python
with OpenAIServer(reply=in_order(Reply.of(Call("get_order", {"id": "12345"})), Reply.of("Shipped."))) as server:
    client = openai.OpenAI(base_url=server.base_url, api_key="test", max_retries=0)
```
"""

from __future__ import annotations

from turnstate.testing.anthropic.script import Call, Fault, Reply, Say, Think
from turnstate.testing.openai.provider import Refusal
from turnstate.testing.openai.script import OpenAIRequest, Replier, echo, in_order
from turnstate.testing.openai.server import OpenAIServer
from turnstate.testing.openai.validate import chat_problem, responses_problem

__all__ = [
    "Call",
    "Fault",
    "OpenAIRequest",
    "OpenAIServer",
    "Refusal",
    "Replier",
    "Reply",
    "Say",
    "Think",
    "chat_problem",
    "echo",
    "in_order",
    "responses_problem",
]
