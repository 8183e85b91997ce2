"""Recorded dialogues in other shapes than chat records, as transcripts: ToolTalk's and Taskmaster's, several joined into one."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks.make_probes import coffee
from turnstate.readers.recognise import read_transcripts
from turnstate.readers.transcript import Transcript

JOINED = 10
"""Dialogues of ToolTalk in one session: one alone is far from any target."""


def tooltalk(data: Path) -> list[Transcript]:
    """ToolTalk (Farn and Shin 2023, MIT), ten conversations in a row as one session."""
    path = data / "tooltalk" / "conversations.jsonl"
    if not path.exists():
        return []
    said = [json.loads(line)["conversation"] for line in path.read_text().splitlines()]
    chats = [list(_chat(messages, number)) for number, messages in enumerate(said)]
    joined = (chats[start : start + JOINED] for start in range(0, len(chats), JOINED))
    return _read("tooltalk", (chain.from_iterable(part) for part in joined))


def taskmaster(data: Path) -> list[Transcript]:
    """Taskmaster-4's orders at a coffee bar (Byrne et al. 2024, CC BY 4.0), joined as for the probes."""
    if not (data / "taskmaster4_coffee" / "dialogs.jsonl").exists():
        return []
    return _read("taskmaster", (chain.from_iterable(session.segments) for session in coffee(data)))


def _chat(said: Iterable[dict[str, Any]], number: int) -> Iterator[dict[str, Any]]:
    """A conversation as chat messages: the calls stand before what the assistant says of them."""
    made = 0
    for turn in said:
        for called in turn.get("apis", ()):
            made += 1
            call_id = f"t{number}_{made}"
            asked = called["request"]
            function = {"name": asked["api_name"], "arguments": json.dumps(asked["parameters"])}
            yield {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": call_id, "type": "function", "function": function}],
            }
            answer = {"response": called["response"], "exception": called["exception"]}
            yield {"role": "tool", "tool_call_id": call_id, "content": json.dumps(answer)}
        yield {"role": turn["role"], "content": turn["text"]}


def _read(name: str, chats: Iterable[Iterable[dict[str, Any]]]) -> list[Transcript]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.jsonl"
        path.write_text("\n".join(json.dumps({"messages": list(messages)}) for messages in chats) + "\n")
        return [found for found in read_transcripts(path) if isinstance(found, Transcript)]
