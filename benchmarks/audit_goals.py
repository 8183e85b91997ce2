"""`python -m benchmarks.audit_goals [FOLDER]`: how many stretches off the goal are found, and how many sessions are wrongly accused.

Three messages of another session were put in the place of the agent's own. Words and thresholds were chosen on the sessions of one
half, by a hash of the session's id; the other half is reported. Dialogues without any tool result and of other kinds count the
findings that nobody looked at one by one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.audit_sessions import DATA, Case, Message, keep, measured, rows, speed, transcript, turn_of
from turnstate.audit.findings import Finding
from turnstate.audit.goals import check_goals
from turnstate.audit.phases import check_phases
from turnstate.audit.promises import check_promises


def hits(finding: Finding, case: Case) -> bool:
    """Whether a finding opens at one of the messages that were put in."""
    return any(
        turn_of(case.messages, at) == finding.turn and finding.then.quote in case.messages[at]["content"]
        for at in case.at
    )


def others(folder: Path) -> Iterator[tuple[str, list[Message]]]:
    """Dialogues of other kinds, in which no failure was put."""
    for row in rows(folder / "multiwoz_acts" / "dialogs.jsonl"):
        yield "multiwoz, no calls recorded", [_plain(one["role"], one["content"]) for one in row["messages"]]
    for row in rows(folder / "taskmaster4_coffee" / "dialogs.jsonl"):
        yield "taskmaster, calls left out", [_plain(one["speaker"], one["text"]) for one in row["utterances"]]


def _plain(role: str, text: str) -> Message:
    return {"role": "user" if role.casefold() == "user" else "assistant", "content": text}


def elsewhere(folder: Path) -> dict[str, dict[str, int]]:
    """Dialogues with findings of each kind, among those of other kinds."""
    table: dict[str, dict[str, int]] = {}
    for name, messages in others(folder):
        row = table.setdefault(
            name, {"dialogues": 0, "goal_left": 0, "promise_open": 0, "phase_regressed": 0}
        )
        row["dialogues"] += 1
        read = transcript(messages)
        for check in (check_goals, check_promises, check_phases):
            for kind in {finding.kind for finding in check(read)}:
                row[kind] += 1
    return table


def main() -> int:
    """Measure, print, and keep the figures beside the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA, help="the folder of recorded dialogues")
    folder: Path = parser.parse_args().folder
    if not (folder / "sgd_sessions" / "sessions.jsonl").is_file():
        print(
            f"There is no sgd_sessions/sessions.jsonl in {folder}: pass the folder of recorded dialogues.",
            file=sys.stderr,
        )
        return 2
    quick = {check.__name__: speed(folder, check) for check in (check_goals, check_promises, check_phases)}
    table: dict[str, Any] = {
        "goal_drift": measured(folder, "goal_drift", check_goals, hits),
        "dialogues_elsewhere_with_findings": elsewhere(folder),
        "messages_a_second": quick,
    }
    keep("audit_goals", table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
