"""Recorded sessions with controlled failures, in two halves by a hash of the session, and what a check finds in them."""

from __future__ import annotations

import copy
import hashlib
import json
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from turnstate.audit.findings import Check, Finding
from turnstate.readers.openai_chat import read_chat
from turnstate.readers.transcript import Transcript

DATA: Final = Path(__file__).parents[2] / "shared" / "data"
RESULTS: Final = Path(__file__).parent / "results"
HALVES: Final = ("tuned_on", "reported")
"""The half that thresholds and words were chosen on, and the half that nothing was chosen on."""
STEPS: Final = tuple(round(0.05 * step, 2) for step in range(20))

Message = dict[str, Any]


class Case(NamedTuple):
    """A session with one failure put in.

    Attributes:
        id: the session that it was made of; all its copies are in one half.
        messages: as they are with the failure.
        at: the places of the messages that fail.
    """

    id: str
    messages: list[Message]
    at: tuple[int, ...]


class Outcome(NamedTuple):
    """How sure the check was of the failures put in, and of anything in the sessions as they were; 0 where it found none."""

    failures: list[float]
    sessions: list[float]


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def half_of(session: str) -> str:
    """Which half a session is in, with everything that was made of it."""
    return HALVES[int(hashlib.sha256(session.encode()).hexdigest(), 16) % 2]


def sessions(folder: Path) -> dict[str, list[Message]]:
    """The sessions as they were, by id."""
    return {row["id"]: row["messages"] for row in rows(folder / "sgd_sessions" / "sessions.jsonl")}


def cases(folder: Path, kind: str) -> Iterator[Case]:
    """The sessions with failures of a kind."""
    whole = sessions(folder)
    for row in rows(folder / "sgd_sessions" / "perturbations.jsonl"):
        if row["kind"] == kind:
            yield _case(row, copy.deepcopy(whole[row["id"]]))


def _case(row: Mapping[str, Any], messages: list[Message]) -> Case:
    if "insert" in row:
        at = row["insert_before"]
        messages[at:at] = row["insert"]
        return Case(row["id"], messages, (at + len(row["insert"]) - 1,))
    for at, content in zip(row["messages"], row["new_contents"], strict=True):
        messages[at]["content"] = content
    return Case(row["id"], messages, tuple(row["messages"]))


def transcript(messages: Sequence[Message], name: str = "session") -> Transcript:
    """Messages of the chat format as a transcript."""
    return read_chat({"id": name, "messages": list(messages)}, 1, name)


def turn_of(messages: Sequence[Message], at: int) -> int:
    """The turn in which a message stands: user messages without a reply between them are one turn."""
    roles = [message["role"] for message in messages[: at + 1]]
    return sum(
        role == "user" and (place == 0 or roles[place - 1] != "user") for place, role in enumerate(roles)
    )


def measured(
    folder: Path, kind: str, check: Check, hits: Callable[[Finding, Case], bool]
) -> dict[str, dict[str, Any]]:
    """Recall and false alarms of a check on each half, at its own threshold and along the curve.

    Args:
        folder: of the recorded dialogues.
        kind: of the failures that were put in.
        check: what looks for them.
        hits: whether a finding is of the failure.
    """
    found: dict[str, Outcome] = {half: Outcome([], []) for half in HALVES}
    for case in cases(folder, kind):
        findings = check(transcript(case.messages))
        found[half_of(case.id)].failures.append(surest(f for f in findings if hits(f, case)))
    for name, messages in sessions(folder).items():
        found[half_of(name)].sessions.append(surest(check(transcript(messages))))
    return {half: _figures(outcome) for half, outcome in found.items()}


def surest(findings: Iterable[Finding]) -> float:
    """How sure the surest finding is; 0 where there is none."""
    return max((finding.sure for finding in findings), default=0.0)


def _figures(outcome: Outcome) -> dict[str, Any]:
    curve = {
        str(step): [_above(outcome.failures, step), _above(outcome.sessions, step)] for step in STEPS[1:]
    }
    return {
        "failures": len(outcome.failures),
        "sessions": len(outcome.sessions),
        "recall": _above(outcome.failures, 0.0),
        "false_alarms": _above(outcome.sessions, 0.0),
        "curve_recall_false_alarms_by_sure": curve,
    }


def _above(sure: Sequence[float], least: float) -> float:
    return round(sum(one >= least and one > 0 for one in sure) / len(sure), 3)


def speed(folder: Path, check: Check) -> dict[str, float]:
    """Messages a second of processor time that a check looks at, nothing remembered of them; reading is not counted."""
    figures: dict[str, float] = {}
    for name, records in {
        "sessions": list(sessions(folder).values()),
        "long_sessions": [row["messages"] for row in rows(folder / "sgd_long_sessions" / "sessions.jsonl")],
    }.items():
        read = [transcript(messages) for messages in records]
        started = time.process_time()
        for one in read:
            check(one)
        took = time.process_time() - started
        figures[name] = round(sum(map(len, records)) / took)
    return figures


def keep(name: str, table: Mapping[str, Any]) -> None:
    """Print a measurement and write it down, with the machine it was made on."""
    text = json.dumps({"python": platform.python_version(), "machine": platform.machine(), **table}, indent=2)
    print(text)
    (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
