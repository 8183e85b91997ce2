"""Recorded sessions with a provider that counts with a real tokenizer: how far the estimate is off once it has reported."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, cast

from turnstate.core.context.budget import Budget
from turnstate.core.context.extractive import extract_summary
from turnstate.core.context.strategies import strategy
from turnstate.core.context.types import Answer, Need, NeedCount, NeedSummaries, Plan
from turnstate.core.events import (
    ConversationOpened,
    Event,
    ModelResponded,
    RequestTrace,
    SummaryWritten,
    ToolCalled,
    ToolReturned,
    Trace,
    TurnClosed,
    TurnOpened,
)
from turnstate.core.fidelity import ledger
from turnstate.core.history import History, Step, Turn
from turnstate.core.messages import (
    ModelMessage,
    RequestUsage,
    ToolCallPart,
    ToolReturnPart,
    args_text,
    calls,
    response_text,
    result_text,
    user_text,
)
from turnstate.errors import ContextTooLarge
from turnstate.readers.transcript import Transcript
from turnstate.replay.prices import prices
from turnstate.replay.run import MODEL
from turnstate.replay.scene import Scene, Setting, planned

MESSAGE = 4
"""Tokens of framing that the counter adds for a message, as OpenAI documents them for its chat models."""


@dataclass(frozen=True, slots=True)
class Off:
    """One request.

    Attributes:
        estimate: ours.
        bound: ours.
        real: the tokenizer's.
        anchored: whether a response had been reported before it.
        cut: whether the view was cut for it.
        asked: how often the provider's counter was asked.
        first: whether it is the first request of its turn.
    """

    estimate: int
    bound: int
    real: int
    anchored: bool
    cut: bool
    asked: int
    first: bool


def measure(transcripts: Iterable[Transcript], count: Callable[[str], int], target: int) -> list[Off]:
    """Every request of the sessions with `hybrid`, counted."""
    counted = lru_cache(maxsize=200_000)(count)
    found: list[Off] = []
    for transcript in transcripts:
        found.extend(asyncio.run(_session(transcript, counted, target)))
    return found


async def _session(transcript: Transcript, count: Callable[[str], int], target: int) -> list[Off]:
    setting = Setting(Budget(target=target, recall=0), prices(MODEL), _extract)
    scene = Scene.of(transcript, "hybrid", strategy("hybrid"), setting)
    head = count(scene.instructions) + count(scene.tools) + 3
    history = scene.recorded(History(), 0, 0, [ConversationOpened()])
    found: list[Off] = []
    for turn in transcript.turns:
        history = scene.recorded(
            history, turn.number, turn.at, [TurnOpened(turn.key, turn.digest, turn.user)]
        )
        for step in turn.steps:
            history, off = await _step(scene, history, turn, step, count, head)
            found.extend([off] if off is not None else [])
        if turn.steps:
            history = scene.recorded(history, turn.number, turn.at, [TurnClosed(None, Trace(1))])
    return found


async def _step(
    scene: Scene, history: History, turn: Turn, step: Step, count: Callable[[str], int], head: int
) -> tuple[History, Off | None]:
    asked = 0
    state = [history]

    async def answer(need: Need) -> Answer:
        nonlocal asked
        if isinstance(need, NeedCount):
            asked += 1
            return head + real(need.messages, count)
        if isinstance(need, NeedSummaries):
            written = tuple(
                SummaryWritten(e.covers, extract_summary(e).text, "extractive", 1, kept=ledger(e))
                for e in need.excerpts
            )
            state[0] = scene.recorded(state[0], turn.number, turn.at, written)
            return written
        return ()

    inputs = scene.inputs(history, history.turn(turn.number) or turn)
    try:
        plan: Plan = await planned(inputs, answer)
    except ContextTooLarge:
        return state[0], None
    total = head + real(plan.messages, count)
    off = Off(
        estimate=plan.count.estimate,
        bound=plan.count.bound,
        real=total,
        anchored=inputs.calibration.known,
        cut=bool(plan.managed),
        asked=asked,
        first=step.trace.round == 1,
    )
    said = count(response_text(step.response)) + sum(count(args_text(call)) for call in calls(step.response))
    usage = RequestUsage(input_tokens=total, output_tokens=said + MESSAGE)
    trace = RequestTrace(step.trace.round, plan.count, scene.setting.budget.target, plan.cut, plan.managed)
    trace = replace(trace, summarised=plan.summarised, dropped=plan.dropped)
    events: list[Event] = [ModelResponded(MODEL, replace(step.response, usage=usage), trace)]
    names = {part.tool_call_id: part.tool_name for part in calls(step.response)}
    for call in step.calls:
        events.append(ToolCalled(call.call_id, call.tool_call_id, names[call.tool_call_id], "read"))
        if call.result is not None:
            events.append(ToolReturned(call.call_id, call.result))
    return scene.recorded(state[0], turn.number, turn.at, events), off


def real(messages: Iterable[ModelMessage], count: Callable[[str], int]) -> int:
    """The tokens of messages: their texts, names and ids as the tokenizer counts them, and the framing of each."""
    return sum(MESSAGE + sum(count(text) for text in _texts(message)) for message in messages)


def _texts(message: ModelMessage) -> list[str]:
    texts = [user_text(message)]
    for part in message.parts:
        kind: Any = part
        if isinstance(kind, ToolCallPart):
            call = cast("ToolCallPart[Any]", kind)
            texts.extend((call.tool_name, args_text(call), call.tool_call_id))
        elif isinstance(kind, ToolReturnPart):
            result = cast("ToolReturnPart[Any]", kind)
            texts.extend((result_text(result), result.tool_call_id))
        elif kind.part_kind == "text":
            texts.append(kind.content)
    return [text for text in texts if text]


async def _extract(excerpt: Any) -> Any:
    return extract_summary(excerpt)
