"""The rules put together, for one wire or for all families at once.

The rules are those that the references of Anthropic, OpenAI (chat completions, responses) and Gemini state for messages
with tool use and thinking.
"""

from __future__ import annotations

from collections.abc import Sequence

from turnstate.core.context.families import ANYWHERE, Wire
from turnstate.core.messages import ModelMessage, ModelRequest, ModelResponse
from turnstate.replay.check.looks import Look, Seen, limits, look
from turnstate.replay.check.order import call_ids, leading_mark, order, pairs
from turnstate.replay.check.origin import item_faults, origin_faults
from turnstate.replay.memo import Memo


class Checker:
    """The rules, for the requests of one conversation in order.

    Args:
        wire: where the requests go; without it the rules of all families hold at once. Where a provider is named,
            nothing may be in a request that only another one can read.
    """

    def __init__(self, wire: Wire = ANYWHERE) -> None:
        self._wire = wire
        self._limits = limits(None if wire == ANYWHERE else wire.family)
        self._looks: Memo[object, Look] = Memo(lambda part: look(part, self._limits))

    def faults(self, messages: Sequence[ModelMessage]) -> tuple[str, ...]:
        """What is wrong with the messages of a request, one sentence each; nothing where a provider takes it.

        It starts with the user and ends with the user or a tool result, roles alternate, each call is answered once
        and directly behind its response, results first; ids are unique and sendable, no text is blank, no system text
        stands inside, and nothing is in it that JSON cannot carry.
        """
        self._looks.turn_over()
        seen = [
            Seen(isinstance(message, ModelRequest), [self._looks.of(part) for part in message.parts])
            for message in messages
        ]
        local = (fault for message in seen for part in message.parts for fault in part.faults)
        found = (*order(seen), *leading_mark(messages), *pairs(seen), *call_ids(seen), *local)
        if self._wire.provider:
            found = (*found, *origin_faults(messages, self._wire))
            responses = [message for message in messages if isinstance(message, ModelResponse)]
            found = (*found, *item_faults(responses, self._wire))
        return tuple(dict.fromkeys(found))


def faults(messages: Sequence[ModelMessage], wire: Wire = ANYWHERE) -> tuple[str, ...]:
    """`Checker.faults` for a single request."""
    return Checker(wire).faults(messages)
