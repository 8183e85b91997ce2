"""`python -m benchmarks.audit_values [FOLDER]`: how many lost and changed values are found, and how many sessions are wrongly accused.

One value of a recorded session was changed in what the agent says or in a call, or left out of a call; the session as it was is
the negative. Words and thresholds were chosen on the sessions of one half, by a hash of the session's id, so that all copies of a
session are in one half; the other half is reported. What a tool takes is learnt from the calls of other sessions (`with_others`),
or from the session alone (`alone`); the sessions are dated as their makers say, or not at all (`undated`).
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.audit_sessions import (
    DATA,
    HALVES,
    STEPS,
    Message,
    keep,
    rows,
    sessions,
    surest,
    transcript,
    turn_of,
)
from turnstate.audit.findings import Finding, FindingKind, Speaker
from turnstate.audit.values import LEAST, Signatures, suspected
from turnstate.readers.transcript import Transcript

SAID_AT: Final = 1551398400
"""1 March 2019, which the dates of the sessions are relative to."""
FOLDS: Final = 10


class Wanted(NamedTuple):
    """How a failure has to be found: by which finding, in whose words."""

    finding: FindingKind
    speaker: Speaker


KINDS: Final = {
    "value_drift_text": Wanted("value_changed", "assistant"),
    "value_drift_tool_call": Wanted("value_changed", "call"),
    "value_loss_tool_call": Wanted("value_left_out", "call"),
}
Known = Callable[[str], Signatures]
"""What is known of the tools where one session is looked at."""


def _hash(session: str) -> int:
    return hashlib.sha256(session.encode()).digest()[0]


def half_of(session: str) -> str:
    """Which half a session is in, with everything that was made of it."""
    return HALVES[_hash(session) % 2]


def changed(row: dict[str, Any], messages: list[Message]) -> list[Message]:
    """The messages of a session with one failure put in."""
    copied: list[Message] = copy.deepcopy(messages)
    message = copied[int(row["message"])]
    if "new_content" in row:
        message["content"] = row["new_content"]
    else:
        message["tool_calls"][0]["function"]["arguments"] = json.dumps(row["new_arguments"])
    return copied


def read(messages: Sequence[Message], *, dated: bool = True) -> Transcript:
    """Messages as a transcript, said on the day that their dates are relative to."""
    when = {"created": SAID_AT} if dated else {}
    return transcript([{**message, **when} for message in messages])


def hits(finding: Finding, kind: str, messages: Sequence[Message], at: int) -> bool:
    """Whether a finding is of the failure at a message."""
    wanted = KINDS[kind]
    if (finding.kind, finding.then.speaker) != wanted or finding.turn != turn_of(messages, at):
        return False
    if wanted.speaker == "assistant":
        return finding.then.quote in messages[at]["content"]
    return messages[at]["tool_calls"][0]["function"]["arguments"] in finding.then.quote


def learnt(whole: dict[str, list[Message]]) -> Known:
    """What tools take by the calls of the other sessions, a tenth of all left out at a time."""
    folds = [Signatures() for _ in range(FOLDS)]
    for name, messages in whole.items():
        talk = read(messages)
        for number, fold in enumerate(folds):
            if number != _hash(name) % FOLDS:
                fold.learn([talk])
    return lambda name: folds[_hash(name) % FOLDS]


def measured(
    folder: Path, known: Known, *, dated: bool = True, halves: Sequence[str] = HALVES
) -> dict[str, dict[str, Any]]:
    """Recall of each kind of failure and false alarms, on each half, along the curve."""
    whole = sessions(folder)
    recall: dict[str, dict[str, list[float]]] = {half: {kind: [] for kind in KINDS} for half in HALVES}
    alarms: dict[str, list[list[Finding]]] = {half: [] for half in HALVES}
    for row in rows(folder / "sgd_sessions" / "perturbations.jsonl"):
        if row["kind"] in KINDS and half_of(row["id"]) in halves:
            messages = changed(row, whole[row["id"]])
            found = suspected(read(messages, dated=dated), known(row["id"]))
            of = [finding for finding in found if hits(finding, row["kind"], messages, row["message"])]
            recall[half_of(row["id"])][row["kind"]].append(surest(of))
    for name, messages in whole.items():
        if half_of(name) in halves:
            alarms[half_of(name)].append(list(suspected(read(messages, dated=dated), known(name))))
    return {half: _figures(recall[half], alarms[half]) for half in halves}


def _figures(recall: dict[str, list[float]], alarms: Sequence[Sequence[Finding]]) -> dict[str, Any]:
    def at(least: float) -> dict[str, float]:
        found = {kind: _share(sure >= least for sure in surest_of) for kind, surest_of in recall.items()}
        accused = {
            f"sessions_with_{kind}": _share(
                any(one.sure >= least and kind in {one.kind, "any"} for one in findings)
                for findings in alarms
            )
            for kind in ("value_changed", "value_left_out", "any")
        }
        return found | accused

    return {
        "failures": {kind: len(surest_of) for kind, surest_of in recall.items()},
        "sessions": len(alarms),
        "at_the_threshold": at(LEAST),
        "curve_by_sure": {str(step): at(step) for step in STEPS[1:]},
    }


def _share(of: Iterator[bool]) -> float:
    held = list(of)
    return round(sum(held) / len(held), 3)


def speed(folder: Path) -> dict[str, float]:
    """Messages a second of processor time, nothing remembered of them at first, then again; reading is not counted."""
    figures: dict[str, float] = {}
    for name in ("sgd_sessions", "sgd_long_sessions"):
        records = [row["messages"] for row in rows(folder / name / "sessions.jsonl")]
        talks = [read(messages) for messages in records]
        for label in (name, f"{name}_again"):
            started = time.process_time()
            for talk in talks:
                list(suspected(talk))
            figures[label] = round(sum(map(len, records)) / (time.process_time() - started))
    return figures


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
    quick = speed(folder)  # before anything is remembered
    others = learnt(sessions(folder))
    table: dict[str, Any] = {
        "threshold": LEAST,
        "with_others": measured(folder, others),
        "alone": measured(folder, lambda _: Signatures()),
        "undated": measured(folder, others, dated=False),
        "messages_a_second": quick,
    }
    keep("audit_values", table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
