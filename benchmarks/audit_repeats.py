"""`python -m benchmarks.audit_repeats [FOLDER]`: whether needless questions are told from those that had a reason, with hindsight.

Inserted repeats: words and thresholds were chosen on the sessions of one half, by a hash of the session's id; the other half is
reported. Labelled repeats: none of these dialogues was used to choose anything. They are judged twice: as the guard of a team is,
told which two questions are for one key, but with the user's reply to the second one; and as `check_repeats` finds them, told nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.audit_sessions import (
    DATA,
    RESULTS,
    Case,
    keep,
    measured,
    rows,
    speed,
    surest,
    transcript,
    turn_of,
)
from benchmarks.questions import Outcome, about_key, declared, exchanges, figures, templates
from turnstate.audit.findings import Finding
from turnstate.audit.repeats import check_repeats
from turnstate.core.questions import AskedQuestion, Outgoing, Verdict, repetition

PARTS = ("star", "multiwoz")


def hits(finding: Finding, case: Case) -> bool:
    """Whether a finding is of the question that was put in."""
    at = case.at[0]
    return turn_of(case.messages, at) == finding.turn and finding.then.quote in case.messages[at]["content"]


def verdict(row: Mapping[str, Any], wording: Mapping[str, str]) -> Verdict:
    """The verdict on the second question of a labelled pair, told its key, and what the user replied."""
    asks = declared(row["slot"], wording)
    messages = row["messages"]
    before = exchanges(messages[: row["second_ask"]])
    first = exchanges(messages[: row["first_ask"] + 1])[-1].turn
    earlier, again = messages[row["first_ask"]]["content"], messages[row["second_ask"]]["content"]
    after = exchanges(messages[row["second_ask"] + 1 :])
    outgoing = Outgoing(
        about_key(again, asks), row["slot"], reply=again, asks=asks, replied=after[0].user if after else ""
    )
    return repetition(outgoing, [AskedQuestion(row["slot"], about_key(earlier, asks).text, first)], before)


def found(row: Mapping[str, Any]) -> float:
    """How sure the check is, told nothing, that the second question is needless."""
    messages, at = row["messages"], row["second_ask"]
    turn = turn_of(messages, at)
    return surest(
        finding
        for finding in check_repeats(transcript(messages))
        if finding.turn == turn and finding.then.quote in messages[at]["content"]
    )


def labelled(folder: Path) -> dict[str, Any]:
    """The figures on the labelled dialogues, beside the guard's own."""
    wording = templates(folder)
    guard = json.loads((RESULTS / "questions.json").read_text(encoding="utf-8"))["repetition"]
    table: dict[str, Any] = {}
    for part in PARTS:
        pairs = rows(folder / "question_repetition_gold" / f"{part}.jsonl")
        told = [Outcome(row["redundant"], verdict(row, wording).kind == "repeated") for row in pairs]
        alone = [Outcome(row["redundant"], found(row) > 0) for row in pairs]
        table[part] = {
            "guard_f1_by_key": guard[part]["by_key"]["f1"],
            "guard_f1_by_paraphrase": guard[part]["by_paraphrase"]["f1"],
            "with_hindsight_by_key": figures(told),
            "with_hindsight_told_nothing": figures(alone),
        }
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
    quick = speed(folder, check_repeats)  # before anything is remembered
    table: dict[str, Any] = {
        "inserted": measured(folder, "question_repetition", check_repeats, hits),
        "labelled": labelled(folder),
        "messages_a_second": quick,
    }
    keep("audit_repeats", table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
