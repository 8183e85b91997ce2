"""`turnstate replay`: recorded conversations through context strategies, without a model.

The JSON is the report's own: `conversations`, `strategies` (sums by name), `model`, `target`, `notes`, `skipped`,
`refusals`, `invalid`, `per_conversation`, `answers_missing` and `probes_skipped`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from turnstate.cli.render import Screen, many, print_json, words
from turnstate.cli.store import NotThere
from turnstate.cli.table import Column, Rows
from turnstate.cli.text import one_line
from turnstate.core.context.budget import Budget
from turnstate.core.context.strategies import STRATEGIES
from turnstate.replay.plot import draw
from turnstate.replay.probes import read_probes
from turnstate.replay.report import Report, Tally
from turnstate.replay.run import MODEL, replay_file

PATIENCE = 1.0
"""Seconds before a progress bar is worth its lines."""

DETAILS = 5
"""Skipped records and refused requests that are shown one by one."""


@dataclass(frozen=True, slots=True)
class Replay:
    """What to replay, and how.

    Attributes:
        file: the transcripts.
        strategies: names; none, or "all", for every one.
        target: tokens that a request may have.
        model: whose prices to take, or None for the usual one.
        instructions: a file of instructions to take instead of the recorded ones, or None.
        plot: where to draw the longest conversation, or None.
        probes: a file of questions to ask after the last turn, or None.
        recall: whether earlier exchanges are brought back for the messages that need them.
    """

    file: Path
    strategies: tuple[str, ...]
    target: int
    model: str | None
    instructions: Path | None
    plot: Path | None
    probes: Path | None = None
    recall: bool = True


def show_replay(wanted: Replay, *, as_json: bool) -> None:
    """Replay a file and show what came of it.

    Raises:
        TurnstateError: a file is refused, or nobody publishes prices for the model.
    """
    names = _names(wanted.strategies)
    text = None if wanted.instructions is None else _read(wanted.instructions)
    if wanted.plot is not None and not wanted.plot.absolute().parent.is_dir():
        raise typer.BadParameter(f"there is no folder {wanted.plot.parent}", param_hint="--plot")
    probes = None if wanted.probes is None else read_probes(wanted.probes)
    budget = Budget(target=wanted.target) if wanted.recall else Budget(target=wanted.target, recall=0)
    with Bar(shown=not as_json) as bar:
        replayed = replay_file(
            wanted.file,
            budget,
            strategies=names,
            model_id=wanted.model or MODEL,
            instructions=text,
            probes=probes,
            on_progress=bar.move,
        )
        report = _run(replayed)
    if as_json:
        print_json(report.as_dict())
    else:
        _print(report, wanted)
    if wanted.plot is not None:
        _draw(report, wanted.plot)
        if not as_json:
            Screen().say(words(f"The longest conversation is drawn in {wanted.plot}", "dim"))


def _run(replayed: Coroutine[Any, Any, Report]) -> Report:
    """Run to the end, or to Ctrl-C: `asyncio.run` would wait for an await that gives way, and a replay has none."""
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(replayed)
    finally:
        loop.close()


def _names(given: Sequence[str]) -> tuple[str, ...]:
    if not given or "all" in given:
        return tuple(STRATEGIES)
    if strange := [name for name in given if name not in STRATEGIES]:
        known = ", ".join((*STRATEGIES, "all"))
        raise typer.BadParameter(
            f"there is no strategy {strange[0]!r}; choose from {known}", param_hint="--strategy"
        )
    return tuple(dict.fromkeys(given))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(
            f"{path} does not read as text ({error})", param_hint="--instructions"
        ) from error


class Bar:
    """A progress bar on a terminal's stderr, once the work has taken over a second.

    Args:
        shown: whether there may be one at all.
    """

    def __init__(self, *, shown: bool) -> None:
        self._screen = Screen(stderr=True)
        self._shown = shown and self._screen.is_terminal
        self._started = time.monotonic()
        self._progress: Progress | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def move(self, done: int, total: int) -> None:
        """Show that `done` of `total` bytes are done; a total of 0 is unknown."""
        if not self._shown:
            return
        if self._progress is None:
            if time.monotonic() - self._started < PATIENCE:
                return
            columns = (TextColumn("replaying"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
            self._progress = Progress(*columns, console=self._screen, transient=True)
            self._progress.add_task("", total=total or None)
            self._progress.start()
        for task in self._progress.task_ids:
            self._progress.update(task, completed=done)


def _print(report: Report, wanted: Replay) -> None:
    screen = Screen()
    screen.say(
        words(str(wanted.file), "bold"),
        f": {many(len(report.rows), 'conversation')}, target {report.target:,} tokens, prices of {report.prices.model}",
    )
    headings = (*_HEADINGS, *(("answers in view",) if report.probed else ()))
    rows = Rows("strategy", *(Column(name, "number") for name in headings))
    base = report.strategies.get("append")
    for name, tally in report.strategies.items():
        asked = (_percent(tally.answers_in_view, tally.probes),) if report.probed else ()
        rows.add(words(name, "bold"), *_cells(tally, base), *asked)
    rows.show(screen)
    for note in report.prices.notes:
        screen.say(words(note, "dim"))
    _print_problems(screen, report)


_HEADINGS = (
    "requests",
    "input tok",
    "largest",
    "over target",
    "invalid",
    "cuts",
    "summary calls",
    "cost $",
    "cached $",
    "vs append",
    "values in view",
)


def _cells(tally: Tally, base: Tally | None) -> tuple[str, ...]:
    return (
        f"{tally.requests:,}",
        f"{tally.input_tokens:,}",
        f"{tally.largest_request:,}",
        f"{tally.over_target:,}",
        f"{tally.invalid_requests:,}",
        f"{tally.cuts:,}",
        f"{tally.summarizer_calls:,}",
        f"{tally.cost_usd:.4f}",
        f"{tally.cost_usd_cached:.4f}",
        "" if base is None else _percent(tally.input_tokens, base.input_tokens),
        _percent(tally.values_in_view, tally.values_seen),
    )


def _percent(part: int, whole: int) -> str:
    """`part` of `whole`; rounded down, so that 100 % is all of it."""
    return f"{100 * part // whole}%" if whole else ""


def _print_problems(screen: Screen, report: Report) -> None:
    skipped = [
        f"record {skip.record}: {skip.reason}" if skip.record is not None else skip.reason
        for skip in report.skipped
    ]
    refused = [
        f"{each.place.conversation} turn {each.place.turn}, {each.place.strategy}: "
        f"{sum(each.sizes.values()):,} tokens cannot be left out"
        for each in report.refusals
    ]
    invalid = [
        f"{each.place.conversation} turn {each.place.turn}, {each.place.strategy}: {' '.join(each.faults)}"
        for each in report.invalid
    ]
    _print_some(screen, "record skipped", "records skipped", skipped)
    unasked = [f"line {unread.line}: {unread.reason}" for unread in report.unasked]
    _print_some(screen, "probe skipped", "probes skipped", unasked)
    _print_some(
        screen, "request over the target whatever is cut", "requests over the target whatever is cut", refused
    )
    _print_some(
        screen, "request that a provider would refuse", "requests that a provider would refuse", invalid
    )


def _print_some(screen: Screen, one: str, more: str, lines: Sequence[str]) -> None:
    if not lines:
        return
    screen.say(words(f"{len(lines):,} {one if len(lines) == 1 else more}", "yellow"))
    for line in lines[:DETAILS]:
        screen.say("  ", one_line(line))
    if len(lines) > DETAILS:
        screen.say(words(f"  and {len(lines) - DETAILS:,} more: --json has them all", "dim"))


def _draw(report: Report, path: Path) -> None:
    try:
        draw(report, path)
    except (OSError, ValueError) as error:
        raise NotThere(
            f"The picture cannot be written to {path} ({error})",
            "Give a path that ends with .png, .svg or .pdf",
        ) from error
