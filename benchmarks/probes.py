"""`python -m benchmarks.probes FOLDER…`: what each strategy has of the answers, and what it sends and bills for it.

A folder holds transcripts with their probes: `NAME.jsonl` and `NAME_probes.jsonl`, as `benchmarks.make_probes` writes
them, or `transcripts.jsonl` and `probes.jsonl`. `append` is replayed once: it knows no target and forgets nothing.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.__main__ import keep
from turnstate.core.context.budget import Budget
from turnstate.core.context.strategies import STRATEGIES
from turnstate.readers.recognise import read_transcripts
from turnstate.replay.probes import Probes, read_probes
from turnstate.replay.report import Tally, share
from turnstate.replay.run import MODEL, replay

TARGETS = (2_000, 4_000, 8_000)
"""Tokens that a request may have."""

HEAD = "| strategy | target | recall | answers in view | tokens sent | of append | tokens billed | of append | values in view | requests with recall | questions with recall | over target |"
"""The table's first line."""


class Set(NamedTuple):
    """Conversations with questions.

    Attributes:
        name: what the table calls it.
        transcripts: the file of conversations.
        probes: the file of questions.
    """

    name: str
    transcripts: Path
    probes: Path


def sets(folders: Sequence[Path]) -> Iterator[Set]:
    """The sets of some folders."""
    for folder in folders:
        for probes in sorted(folder.glob("*probes.jsonl")):
            name = probes.name.removesuffix("probes.jsonl").rstrip("_")
            transcripts = folder / f"{name or 'transcripts'}.jsonl"
            if transcripts.is_file():
                yield Set(name or folder.resolve().name, transcripts, probes)


def run(
    of: Set, strategies: Sequence[str], budget: Budget, wanted: argparse.Namespace, *, asking: bool = True
) -> dict[str, Tally]:
    """The sums of a set by strategy, with or without its questions."""
    transcripts = list(islice(read_transcripts(of.transcripts), wanted.limit))
    known = {getattr(transcript, "id", "") for transcript in transcripts}
    read = read_probes(of.probes)
    asked = Probes(tuple(probe for probe in read.probes if probe.conversation in known), read.unread)
    return asyncio.run(
        replay(transcripts, strategies, budget, model_id=wanted.model, probes=asked if asking else None)
    ).strategies


def measure(of: Set, wanted: argparse.Namespace) -> dict[str, Any]:
    """The table of a set, as JSON data; printed line by line on the way."""
    budget = Budget(target=max(wanted.targets))
    base = run(of, ["append"], budget, wanted, asking=not wanted.quick)["append"]
    print(f"\n{of.name}: {base.requests:,} requests, {base.probes:,} questions asked of append\n\n{HEAD}")
    print("|" + "---|" * HEAD.count(" |"))
    rows = [_row("append", None, None, base, base)]
    for target in wanted.targets:
        for recall in wanted.recall:
            budget = Budget(target=target) if recall == "with" else Budget(target=target, recall=0)
            found = run(of, [name for name in wanted.strategies if name != "append"], budget, wanted)
            rows += [_row(name, target, recall, tally, base) for name, tally in found.items()]
    return {"requests": base.requests, "model": wanted.model, "rows": rows}


def _row(name: str, target: int | None, recall: str | None, tally: Tally, base: Tally) -> dict[str, Any]:
    row = {
        "strategy": name,
        "target": target,
        "recall": recall,
        "answers_in_view": share(tally.answers_in_view, tally.probes),
        "input_tokens": tally.input_tokens,
        "input_of_append": share(tally.input_tokens, base.input_tokens),
        "billed_input_tokens": round(tally.billed_input_tokens),
        "billed_of_append": share(round(tally.billed_input_tokens), round(base.billed_input_tokens)),
        "values_in_view": share(tally.values_in_view, tally.values_seen),
        "requests_with_recall": share(tally.recalls, tally.requests),
        "questions_with_recall": share(tally.probes_with_recall, tally.probes),
        "over_target": tally.over_target,
    }
    print("| " + " | ".join(map(_shown, row.values())) + " |", flush=True)
    return row


def _shown(value: object) -> str:
    match value:
        case None:
            return ""
        case float():
            return f"{value:.1%}"
        case int():
            return f"{value:,}"
        case _:
            return str(value)


def main() -> None:
    """Measure what was asked for; `--keep` writes benchmarks/results/probes.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--sets", nargs="+", help="only these")
    parser.add_argument("--strategies", nargs="+", default=list(STRATEGIES), choices=list(STRATEGIES))
    parser.add_argument("--targets", nargs="+", type=int, default=list(TARGETS))
    parser.add_argument("--recall", choices=("with", "without", "both"), default="both")
    parser.add_argument("--limit", type=int, help="conversations of each set")
    parser.add_argument("--model", default=MODEL, help="whose prices to take for what is billed")
    parser.add_argument("--quick", action="store_true", help="do not ask append, which has all answers")
    parser.add_argument("--keep", action="store_true", help="write the results down")
    wanted = parser.parse_args()
    wanted.recall = ("without", "with") if wanted.recall == "both" else (wanted.recall,)
    chosen = [each for each in sets(wanted.folders) if wanted.sets is None or each.name in wanted.sets]
    measured = {each.name: measure(each, wanted) for each in chosen}
    if wanted.keep:
        keep("probes", measured)


if __name__ == "__main__":
    main()
