"""What every contender of the load does: the talk, the signals between the processes, and what a process reports.

Needs nothing but Python: it also runs where only a peer is installed.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

BYTES = 400
"""Bytes of every message and of every answer."""

_SENTENCES = (
    "My parcel with the blue kettle has not come yet.",
    "The tracking page has said the same thing for several days.",
    "Could you tell me where it is now?",
    "I was at home on both days and nobody rang the bell.",
    "A neighbour says that a van stopped at the corner and drove on.",
    "The lamp that came with it works well, thank you.",
    "I would rather have the green one if you still sell it.",
    "Is there a shop nearby where I can pick it up myself?",
    "The invoice shows a different street than the one I live in.",
    "Please use the address in my account from now on.",
    "My sister ordered the same set and had no trouble at all.",
    "The lid does not close properly and the handle feels loose.",
    "We looked into this with the carrier.",
    "The parcel is at the depot in the north of the city.",
    "Our colleagues there saw it this morning.",
    "The label was damaged, so that the driver could not read it.",
    "A new label is on it now.",
    "Thank you for the photos, they help a lot.",
    "Both colours are in stock at the moment.",
    "The shop in the main street keeps parcels for a week.",
    "You need the number of the order and something with your name.",
    "The change of the address is in your account.",
    "The guarantee covers the handle and the lid.",
    "Anything else on your mind?",
)


def said(number: int, who: str) -> str:
    """A message of `BYTES` bytes, the same for the same number; like talk, and like no other message."""
    rng = Random(f"{who} {number}")
    text = f"{who} {number}: order {rng.randrange(100_000):05d}."
    while len(text) < BYTES:
        text += f" {rng.choice(_SENTENCES)}"
    return text[:BYTES]


@dataclass(frozen=True, slots=True)
class Job:
    """What one process does.

    Attributes:
        store: a path or a URL.
        first: the number of its first conversation.
        conversations: how many it has, all at once.
        turns: turns of each.
        seconds: after which it begins no other turn.
        each: whether it reports the time of every turn.
    """

    store: str
    first: int
    conversations: int
    turns: int
    seconds: float
    each: bool = False


Send: TypeAlias = Callable[[str, str], Awaitable[str]]
"""Sends a message in a conversation, and gives the answer when both are durable."""

Contender: TypeAlias = Callable[[str], AbstractAsyncContextManager[Send]]
"""Opens a store."""


def serve(contender: Contender) -> None:
    """Do the job of the command line: say `ready`, wait for a line, talk, print what came of it."""
    job = Job(**json.loads(sys.argv[1]))
    asyncio.run(_serve(contender, job))


async def _serve(contender: Contender, job: Job) -> None:
    async with contender(job.store) as send:
        await send(f"warm-{job.first}", said(0, "Question"))
        print("ready", flush=True)
        sys.stdin.readline()
        took: list[float] = []
        raw = 0
        begun = time.perf_counter()

        async def talk(conversation: str) -> int:
            nonlocal raw
            for number in range(1, job.turns + 1):
                start = time.perf_counter()
                if start - begun > job.seconds:
                    return number - 1
                words = said(number, "Question")
                answer = await send(conversation, words)
                raw += len(words) + len(answer)
                if job.each:
                    took.append((time.perf_counter() - start) * 1e3)
            return job.turns

        names = (f"c-{job.first + index}" for index in range(job.conversations))
        before = time.process_time()
        turns = sum(await asyncio.gather(*map(talk, names)))
        busy = time.process_time() - before
        report = {
            "turns": turns,
            "seconds": time.perf_counter() - begun,
            "busy": busy,
            "raw": raw + 2 * BYTES,
            "took": took,
        }
    print(json.dumps(report), flush=True)
