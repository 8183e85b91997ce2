"""`python -m benchmarks.value_equivalence [FOLDER]`: whether restated values are told from changed ones, and how fast values are found.

The pairs are split by a hash of the canonical value, so that no value is in both halves; a pair of two values whose halves
differ is in neither. Rules and threshold were set on the first half alone; the second is reported.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from turnstate.core.values import ALIKE, find, likeness

DATA = Path(__file__).parents[2] / "shared" / "data"
RESULT = Path(__file__).parent / "results" / "value_equivalence.json"
SAID_AT = int(datetime(2019, 3, 1, tzinfo=UTC).timestamp()) * 1_000_000
"""The day that the recorded dialogues took place on."""

SESSIONS = {"sgd_sessions": "sessions.jsonl", "tau_bench_airline": "trajectories.jsonl"}
"""The recorded messages that `find` is timed on, by their folder."""


class Pair(NamedTuple):
    """Two wordings, whether they mean the same, and how often they were said."""

    slot: str
    one: str
    other: str
    same: bool
    times: int


class Scored(NamedTuple):
    """A pair's label, likeness and weight."""

    same: bool
    likeness: float
    weight: int


def pairs(folder: Path, half: int) -> list[Pair]:
    """The pairs of one half (0 was used for setting the rules, 1 is reported)."""
    rows = map(json.loads, (folder / "pairs.jsonl").read_text(encoding="utf-8").splitlines())
    return [
        Pair(row["slot"], row["user"], row["agent"], row["same"], row.get("count", 1))
        for row in rows
        if {_half(row["canonical"]), _half(row.get("canonical_agent", row["canonical"]))} == {half}
    ]


def _half(canonical: str) -> int:
    return hashlib.sha256(canonical.strip().casefold().encode()).digest()[0] % 2


def score(of: Sequence[Pair], measure: Callable[[str, str], float], *, weighted: bool) -> list[Scored]:
    """The likeness of each pair."""
    return [Scored(pair.same, measure(pair.one, pair.other), pair.times if weighted else 1) for pair in of]


def area(scored: Sequence[Scored]) -> float:
    """The area under the ROC curve: how often a restatement is more alike than a changed value, ties by half."""
    ranked: dict[float, list[int]] = {}
    for item in scored:
        ranked.setdefault(item.likeness, [0, 0])[item.same] += item.weight
    below = won = 0.0
    for likely in sorted(ranked):
        changed, restated = ranked[likely]
        won += restated * (below + changed / 2)
        below += changed
    restatements = sum(item.weight for item in scored if item.same)
    return won / (below * restatements)


def judged(scored: Sequence[Scored], threshold: float) -> dict[str, float]:
    """False alarms on restatements and recall of changed values at a threshold, and the area under the curve."""
    restated = [item for item in scored if item.same]
    changed = [item for item in scored if not item.same]
    return {
        "area": round(area(scored), 4),
        "false_alarms": round(_share(restated, threshold), 4),
        "recall": round(_share(changed, threshold), 4),
    }


def _share(scored: Sequence[Scored], threshold: float) -> float:
    return sum(item.weight for item in scored if item.likeness < threshold) / sum(
        item.weight for item in scored
    )


def like(one: str, other: str) -> float:
    """The likeness of two wordings on the day they were said."""
    return likeness(one, other, at=SAID_AT)


def exact(one: str, other: str) -> float:
    """What comparing the letters says, case apart."""
    return float(one.strip().casefold() == other.strip().casefold())


def equivalence(folder: Path) -> dict[str, Any]:
    """The figures of both halves, with and without weighing a pair by how often it was said."""
    table: dict[str, Any] = {"threshold": ALIKE}
    for name, half in (("set_on", 0), ("reported", 1)):
        of = pairs(folder, half)
        table[name] = {
            "restated": sum(pair.same for pair in of),
            "changed": sum(not pair.same for pair in of),
        }
        for measure, function in (("likeness", like), ("exact", exact)):
            for label, weighted in (("by_pair", False), ("by_count", True)):
                table[name][f"{measure}_{label}"] = judged(score(of, function, weighted=weighted), ALIKE)
    return table


def messages(folder: Path) -> Iterator[str]:
    """The words of every message of the recorded sessions under a folder."""
    for line in (folder / SESSIONS[folder.name]).read_text(encoding="utf-8").splitlines():
        for message in json.loads(line)["messages"]:
            if isinstance(message.get("content"), str) and message["content"]:
                yield message["content"]


def speed(folder: Path) -> dict[str, float]:
    """Messages a second in one process, the better of three passes."""
    texts = list(messages(folder))
    best = float("inf")
    for _ in range(3):
        started = time.process_time()
        for text in texts:
            find(text)
        best = min(best, time.process_time() - started)
    return {
        "messages": len(texts),
        "mean_characters": round(sum(map(len, texts)) / len(texts), 1),
        "messages_a_second": round(len(texts) / best),
    }


def main() -> int:
    """Measure, print, and keep the figures beside the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA, help="the folder of recorded dialogues")
    parser.add_argument(
        "--errors", action="store_true", help="list the wrongly judged pairs of the first half"
    )
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    if not (folder / "sgd_value_equivalence" / "pairs.jsonl").is_file():
        print(
            f"There is no sgd_value_equivalence/pairs.jsonl in {folder}: pass the folder of recorded dialogues.",
            file=sys.stderr,
        )
        return 2
    if arguments.errors:
        for pair in pairs(folder / "sgd_value_equivalence", 0):
            alike = like(pair.one, pair.other)
            if (alike >= ALIKE) != pair.same:
                print(f"{alike:.2f} {pair}")
        return 0
    measured = equivalence(folder / "sgd_value_equivalence")
    measured["find"] = {name: speed(folder / name) for name in SESSIONS if (folder / name).is_dir()}
    measured = {"python": platform.python_version(), "machine": platform.machine(), **measured}
    text = json.dumps(measured, indent=2)
    print(text)
    RESULT.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
