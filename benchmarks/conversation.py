"""What a turn costs as a conversation grows, and what it leaves on disk, with a model that answers at once.

Measured on one conversation of 10,000 turns of 400-byte messages in SQLite, durability on.
"""

from __future__ import annotations

import inspect
import statistics
import time
from pathlib import Path
from typing import Any, cast

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from turnstate import Assistant, Budget
from turnstate.ports import Log
from turnstate.stores import open_log

BYTES = 400
WINDOW = 80
WORDS = "the delivery of your order is planned for this week and we will write to you again as soon as it leaves us "


def text(number: int, start: str) -> str:
    """A message of 400 bytes that is not the same as any other."""
    return (f"{start} {number}: order {number:05d} " + WORDS * 5)[:BYTES]


def answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
    """The model: 400 bytes, at once."""
    # With a usage of its own, the model spends no time on estimating one.
    return ModelResponse(
        parts=[TextPart(text(len(messages), "Answer"))], usage=RequestUsage(output_tokens=90)
    )


class Timed:
    """A log that adds up the time spent in it: all of a `Log`, whatever that has come to."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self.spent = 0.0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._log, name)
        if not inspect.iscoroutinefunction(found):
            return found

        async def timed(*args: Any, **more: Any) -> Any:
            start = time.perf_counter()
            try:
                return await found(*args, **more)
            finally:
                self.spent += time.perf_counter() - start

        return timed


async def measure(folder: Path, turns: int = 10_000) -> dict[str, Any]:
    """Drive one conversation and measure whole turns and the store's part of them, in windows of turns.

    Returns:
        Milliseconds (medians over a window that ends at the turn), bytes, and the ratios that matter.
    """
    path = folder / "conversation.db"
    log = Timed(open_log(f"sqlite:///{path}", tenant="default"))
    marks = [mark for mark in (100, 1_000, 2_500, 5_000, 7_500, 10_000) if mark <= turns]
    whole: dict[int, list[float]] = {mark: [] for mark in marks}
    store: dict[int, list[float]] = {mark: [] for mark in marks}
    work: dict[int, list[float]] = {mark: [] for mark in marks}
    raw = 0
    sizes: dict[int, float] = {}
    async with Assistant(
        FunctionModel(answer), instructions="Answer.", store=cast("Log", log), budget=Budget(target=4_000)
    ) as assistant:
        chat = assistant.conversation("long", user="u")
        for number in range(1, turns + 1):
            said = text(number, "Question")
            before, start, busy = log.spent, time.perf_counter(), time.process_time()
            reply = await chat.send(said)
            took, busy = time.perf_counter() - start, time.process_time() - busy
            raw += len(said.encode()) + len(reply.text.encode())
            for mark in marks:
                if mark - WINDOW < number <= mark:
                    whole[mark].append(took * 1e3)
                    work[mark].append(busy * 1e3)
                    store[mark].append((log.spent - before) * 1e3)
            if number in marks:
                sizes[number] = path.stat().st_size / raw
    await log.close()
    sizes[turns] = path.stat().st_size / raw
    medians = {mark: statistics.median(times) for mark, times in whole.items()}
    means = {mark: statistics.fmean(times) for mark, times in whole.items()}
    return {
        "turns": turns,
        "turn_ms": {mark: round(value, 3) for mark, value in medians.items()},
        "turn_ms_mean": {mark: round(value, 3) for mark, value in means.items()},
        "turn_cpu_ms_mean": {mark: round(statistics.fmean(times), 3) for mark, times in work.items()},
        "store_ms": {mark: round(statistics.median(times), 3) for mark, times in store.items()},
        "ratio_last_to_100": round(medians[marks[-1]] / medians[marks[0]], 3),
        "ratio_last_to_100_mean": round(means[marks[-1]] / means[marks[0]], 3),
        "ratio_cpu_last_to_100": round(
            statistics.fmean(work[marks[-1]]) / statistics.fmean(work[marks[0]]), 3
        ),
        "store_ms_best_tenth": {
            mark: round(statistics.quantiles(times, n=10)[0], 3) for mark, times in store.items()
        },
        # The file alone, without the write-ahead log, which has at most a few megabytes and is empty after closing.
        "bytes_per_raw_byte": {mark: round(value, 3) for mark, value in sizes.items()},
    }
