"""What the providers' own rules say of planned messages."""

from __future__ import annotations

import json
from typing import Any

from turnstate.adapters.planned import PlannedMessages
from turnstate.testing.anthropic import validate
from turnstate.testing.openai import chat_problem

_TOOL = {"name": "look", "input_schema": {"type": "object"}}


def refusal(fmt: str, planned: PlannedMessages) -> str | None:
    """Why the provider would refuse the request; None for a valid one."""
    messages: Any = json.loads(json.dumps(planned.messages))
    if fmt == "openai":
        return chat_problem({"model": "m", "messages": messages})
    body: dict[str, Any] = {"model": "m", "max_tokens": 9, "messages": messages, "tools": [_TOOL]}
    if planned.system is not None:
        body["system"] = planned.system
    return validate(body)


def is_complete(planned: PlannedMessages, given: int) -> bool:
    """Whether each of the messages that were given is in exactly one place."""
    return sorted((*planned.kept, *planned.summarised, *planned.dropped)) == list(range(given))
