"""A process that sends messages to many conversations and may be killed at any moment; what it was told is on disk."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from pathlib import Path

from pydantic_ai.messages import ModelRequest, UserPromptPart

from acceptance.crash_turn import store_log
from turnstate import Assistant, Budget
from turnstate.testing.scripted import Answer, Asked, ScriptedModel

LEASE = 2
"""Seconds: what a killed process leaves is taken up soon, and a process that waits for a core is not taken for dead."""


def counted(asked: Asked) -> Answer:
    """How many messages of the user the model has seen: the number of the turn, if none is missing or doubled."""
    parts = [
        part for message in asked.messages if isinstance(message, ModelRequest) for part in message.parts
    ]
    said = [str(part.content) for part in parts if isinstance(part, UserPromptPart)]
    return f"seen {sum(text.count('message ') for text in said)}"


def unheard(work: Path, told: Path) -> dict[str, list[tuple[str, str]]]:
    """What is to be sent and was not answered before, by conversation: keys and texts."""
    heard = {line.split("\t")[0] for line in told.read_text().splitlines()} if told.exists() else set[str]()
    sends: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for conversation, key, text in json.loads(work.read_text()):
        if key not in heard:
            sends[conversation].append((key, text))
    return sends


async def talk(url: str, schema: str, work: Path, told: Path, *, at_once: bool) -> None:
    """Send what is to be sent, each conversation's in order or all at once, and note each reply."""
    sends = unheard(work, told)
    log = store_log(url, schema)
    try:
        async with Assistant(
            ScriptedModel(counted), store=log, strategy="append", budget=Budget(target=100_000), lease=LEASE
        ) as door:

            async def one(conversation: str, messages: list[tuple[str, str]]) -> None:
                for key, text in messages:
                    reply = await door.conversation(conversation).send(text, key=key)
                    with told.open("a") as file:
                        file.write(f"{key}\t{reply.turn}\t{reply.text}\n")

            parts = [(name, [each]) for name, all_of in sends.items() for each in all_of]
            await asyncio.gather(*(one(*item) for item in (parts if at_once else sends.items())))
    finally:
        await log.close()


def main(url: str, schema: str, work: str, told: str, at_once: bool) -> None:
    """The process."""
    asyncio.run(talk(url, schema, Path(work), Path(told), at_once=at_once))
