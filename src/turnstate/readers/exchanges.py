"""Recorded messages, taken in order, become turns: what a reader of any format builds a transcript with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from turnstate.core.events import Count, Cut, RequestTrace
from turnstate.core.history import Call, Step, Turn
from turnstate.core.messages import (
    ModelResponse,
    ModelResponsePart,
    ToolCallPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
    calls,
    moment,
    request,
    response_text,
    tool_return,
)

SECOND = 1_000_000
"""Microseconds between messages whose times were not recorded; the first one stands a second after the epoch."""


@dataclass(slots=True)
class _Asked:
    """A call while its turn is built."""

    turn: int
    step: int
    part: ToolCallPart
    result: ToolReturnPart | None = None


@dataclass(slots=True)
class _Step:
    response: ModelResponse
    model: str
    asked: list[_Asked]


@dataclass(slots=True)
class _Exchange:
    at: int
    said: list[UserPromptPart] = field(default_factory=list[UserPromptPart])
    steps: list[_Step] = field(default_factory=list[_Step])


class Exchanges:
    """Turns under construction.

    User messages without a response between them are one turn: they were answered together. Responses without a user
    message between them are steps of one turn. Before the first user message nothing can be added but that message.
    """

    def __init__(self) -> None:
        self.notes: list[str] = []
        self._exchanges: list[_Exchange] = []
        self._open: dict[str, list[_Asked]] = {}
        self._now = 0

    @property
    def started(self) -> bool:
        """Whether the user has said anything."""
        return bool(self._exchanges)

    def user(self, content: str | Sequence[UserContent], at: int | None = None) -> None:
        """Add what the user said, at `at` microseconds since the epoch; a second after the last message if None."""
        at = self._time(at)
        if not self._exchanges or self._exchanges[-1].steps:
            self._exchanges.append(_Exchange(at))
        self._exchanges[-1].said.append(UserPromptPart(content, timestamp=moment(at)))

    def response(self, parts: Sequence[ModelResponsePart], model: str = "", at: int | None = None) -> None:
        """Add a response of the model."""
        exchange = self._exchanges[-1]
        response = ModelResponse(parts=list(parts), timestamp=moment(self._time(at)))
        place = len(self._exchanges), len(exchange.steps) + 1
        asked = [_Asked(*place, part) for part in calls(response)]
        for call in asked:
            self._open.setdefault(call.part.tool_call_id, []).append(call)
        exchange.steps.append(_Step(response, model, asked))

    def result(self, tool_call_id: str, content: Any, at: int | None = None) -> None:
        """Add the result of the newest call of this id that has none; a result of no such call is left out."""
        waiting = self._open.get(tool_call_id)
        if not waiting:
            self.notes.append("A tool result without its call was left out.")
            return
        call = waiting.pop()
        call.result = tool_return(call.part.tool_name, content, tool_call_id, self._time(at))
        if (call.turn, call.step) != (len(self._exchanges), len(self._exchanges[-1].steps)):
            self.notes.append("A tool result that came late stands behind its call.")

    def unanswered(self, tool: str | None = None) -> str | None:
        """The id of the oldest call of the newest response that has no result; of this tool, if given."""
        step = self._exchanges[-1].steps[-1] if self._exchanges and self._exchanges[-1].steps else None
        asked = step.asked if step is not None else []
        waiting = (call.part for call in asked if call.result is None and tool in {None, call.part.tool_name})
        return next((part.tool_call_id for part in waiting), None)

    def turns(self) -> tuple[Turn, ...]:
        """The turns as the fold of their events would give them, without what only a log knows."""
        found: list[Turn] = []
        seq = 1
        for number, exchange in enumerate(self._exchanges, start=1):
            turn = _turn(number, seq + 1, exchange)
            found.append(turn)
            recorded = sum(1 + (call.result is not None) for step in turn.steps for call in step.calls)
            seq += 2 + len(turn.steps) + recorded
        return tuple(found)

    def _time(self, at: int | None) -> int:
        self._now = self._now + SECOND if at is None else max(at, self._now)
        return self._now


def _turn(number: int, seq: int, exchange: _Exchange) -> Turn:
    steps = tuple(_step(number, place, step) for place, step in enumerate(exchange.steps, start=1))
    return Turn(
        number=number,
        seq=seq,
        at=exchange.at,
        user=request(exchange.said),
        steps=steps,
        status="closed" if steps else "open",
        reply=response_text(steps[-1].response) if steps else "",
    )


def _step(turn: int, place: int, step: _Step) -> Step:
    made = tuple(
        Call(call.part.tool_call_id, call_id=f"{turn}.{place}.{index}", result=call.result)
        for index, call in enumerate(step.asked, start=1)
    )
    return Step(step.response, made, RequestTrace(place, Count(0, 0), 0, Cut()), step.model)
