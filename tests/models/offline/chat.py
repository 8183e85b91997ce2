"""A conversation with the offline model, as a turn would hold it: requests, tool rounds, replies."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from pydantic_ai import Tool
from pydantic_ai.messages import (
    InstructionPart,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters

from turnstate.models.offline import offline_model

INSTRUCTIONS = """You are the support agent of a shop. Be brief.

# Shipping

- Standard shipping costs 3.50 EUR and takes two to four days. It is free from 50 EUR.
- We ship to France and Spain.

# Returns

- Goods can be returned within 14 days. Return shipping costs 2.00 EUR.

# Contact

- Write to care@shop.example for anything else.
"""


def get_order(order_id: str) -> dict[str, Any]:
    """Look up an order by its number."""
    return {
        "order_id": order_id,
        "status": "in_transit",
        "eta": "2031-05-04",
        "carrier": "Swiftpost",
        "total": "20.00 EUR",
    }


def change_address(order_id: str, address: str) -> dict[str, Any]:
    """Change the delivery address of an order."""
    return {"order_id": order_id, "address": address, "changed": True}


def refund(order_id: str, reason: str) -> dict[str, Any]:
    """Refund an order."""
    return {"order_id": order_id, "refunded": True, "amount": "20.00 EUR", "refund_id": f"RF{len(reason)}"}


TOOLS: tuple[Callable[..., Any], ...] = (get_order, change_address, refund)


class Chat:
    """One conversation.

    Args:
        tools: the functions that the model may call.
        instructions: the system text.
        head: blocks that stand before the first message.
        results: what a tool returns instead of its function's value, by name.
    """

    def __init__(
        self,
        tools: Sequence[Callable[..., Any]] = TOOLS,
        *,
        instructions: str = INSTRUCTIONS,
        head: Sequence[str] = (),
        results: dict[str, Any] | None = None,
    ) -> None:
        self.messages: list[ModelMessage] = []
        self.calls: list[ToolCallPart] = []
        self._functions = {function.__name__: function for function in tools}
        self._head = list(head)
        self._results = results or {}
        self._model = offline_model()
        self.parameters = ModelRequestParameters(
            function_tools=[Tool[Any](function).tool_def for function in tools],
            instruction_parts=[InstructionPart(instructions)] if instructions else None,
        )

    def send(self, text: str, *, before: Sequence[str] = ()) -> str:
        """Say something; returns the reply, and keeps the calls of this turn in `calls`.

        Args:
            text: the customer's words.
            before: blocks that stand before them.
        """
        blocks = [*(self._head if not self.messages else []), *before]
        self.messages.append(ModelRequest(parts=[*map(UserPromptPart, blocks), UserPromptPart(text)]))
        self.calls = []
        for _ in range(6):
            response = self._ask()
            self.messages.append(response)
            calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
            if not calls:
                return response.text or ""
            self.calls.extend(calls)
            self.messages.append(ModelRequest(parts=[self._run(call) for call in calls]))
        raise AssertionError("the model does not stop calling tools")

    def called(self) -> list[tuple[str, dict[str, Any]]]:
        """The calls of the last turn, as (tool, arguments)."""
        return [(call.tool_name, call.args_as_dict()) for call in self.calls]

    def _ask(self) -> ModelResponse:
        return asyncio.run(self._model.request(self.messages, None, self.parameters))

    def _run(self, call: ToolCallPart) -> ToolReturnPart:
        arguments = call.args_as_dict()
        result = self._results.get(call.tool_name)
        content = self._functions[call.tool_name](**arguments) if result is None else result
        return ToolReturnPart(tool_name=call.tool_name, content=content, tool_call_id=call.tool_call_id)


def facts(**values: str) -> str:
    """A block of facts as a context has it."""
    lines = [
        f'{key}: {value} (customer said on 2031-05-01: "it is {value}")' for key, value in values.items()
    ]
    return '<facts note="On record.">\n' + "\n".join(lines) + "\n</facts>"
