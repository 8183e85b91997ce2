"""`turnstate measure`: re-deriving from the transcript against keeping state, on recorded conversations.

The JSON is the measurement's own: `model`, `target`, `fields`, `assumptions`, `notes`, `totals` (sums by way),
`conversations` (each with its `state`, `ways` and `verdicts`, turn by turn) and `skipped`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import typer

from turnstate.cli.render import Screen, many, print_json, words
from turnstate.cli.replay import DETAILS, Bar
from turnstate.cli.store import NotThere
from turnstate.cli.table import Column, Rows
from turnstate.cli.text import one_line
from turnstate.core.context.budget import Budget
from turnstate.replay.measure.picture import draw
from turnstate.replay.measure.play import Spent
from turnstate.replay.measure.run import ASSUMPTIONS, Measured, Measurement, measure_file
from turnstate.replay.measure.verdict import Measure, Verdict, amount
from turnstate.replay.measure.ways import APPEND, APPEND_EXTRACT, HYBRID, STATE, STATE_EXTRACT, WAYS
from turnstate.replay.run import MODEL

_AGAINST = {
    APPEND: "the whole transcript without any state",
    APPEND_EXTRACT: "the whole transcript with a second call that extracts the state",
}
_OURS = {
    STATE: "state recorded in the reply",
    STATE_EXTRACT: "state from a second call on the newest exchange",
}
_MEASURES: dict[Measure, str] = {
    "tokens": "tokens",
    "cost_usd": "money without a cache",
    "cost_usd_cached": "money with a warm cache",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to measure, and how.

    Attributes:
        file: the transcripts.
        target: tokens that a bounded request may have.
        model: whose prices to take, or None for the usual one.
        fields: named fields of the state, separated by commas.
        plot: where to draw the longest conversation, or None.
    """

    file: Path
    target: int
    model: str | None = None
    fields: str = ""
    plot: Path | None = None


def show_measure(wanted: Wanted, *, as_json: bool) -> None:
    """Measure a file and show what came of it.

    Raises:
        TurnstateError: a file is refused, nobody publishes prices for the model, or a field's name cannot be one.
    """
    if wanted.plot is not None and not wanted.plot.absolute().parent.is_dir():
        raise typer.BadParameter(f"there is no folder {wanted.plot.parent}", param_hint="--plot")
    fields = [name.strip() for name in wanted.fields.split(",") if name.strip()]
    budget = Budget(target=wanted.target)
    with Bar(shown=not as_json) as bar:
        loop = asyncio.new_event_loop()
        try:
            measured = loop.run_until_complete(
                measure_file(
                    wanted.file,
                    budget,
                    model_id=wanted.model or MODEL,
                    fields=fields,
                    on_progress=bar.move,
                )
            )
        finally:
            loop.close()
    if as_json:
        print_json(measured.as_dict())
    else:
        _print(measured, wanted)
    if wanted.plot is not None:
        _draw(measured, wanted.plot)
        if not as_json:
            Screen().say(words(f"The longest conversation is drawn in {wanted.plot}", "dim"))


def shown_turns(last: int) -> Iterator[int]:
    """The turns that a table shows: 1, 2, 3, 5, 8, 13 … and the last one."""
    one, other = 1, 2
    while one < last:
        yield one
        one, other = other, one + other
    yield last


def sentence(verdict: Verdict) -> str:
    """A verdict in words, for state against what it is held against."""
    what = _MEASURES[verdict.measure]
    share = "" if verdict.share is None else f"{100 * verdict.share:.0f} %"
    if verdict.outcome == "draws":
        return f"{what}: no difference after {many(verdict.turns, 'turn')}."
    if verdict.outcome == "loses":
        more = _shown(verdict.right - verdict.left, verdict.measure)
        return (
            f"{what}: state does not win on this conversation; after {many(verdict.turns, 'turn')} "
            f"it has cost {more} more ({share} of re-deriving)."
        )
    end = f"after turn {verdict.turns:,} it has cost {share} of re-deriving."
    if verdict.from_turn == 1:
        return f"{what}: state wins from the first turn on; {end}"
    until = _shown(verdict.ahead, verdict.measure)
    costs = (
        f"until then it costs up to {until} more (turn {verdict.ahead_at:,})"
        if verdict.ahead
        else "even until then"
    )
    return f"{what}: state wins from turn {verdict.from_turn:,} on; {costs}; {end}"


def _shown(value: Decimal, measure: Measure) -> str:
    return f"{value:,.0f} tokens" if measure == "tokens" else f"${value:,.4f}"


def _print(measured: Measurement, wanted: Wanted) -> None:
    screen = Screen()
    count = len(measured.conversations)
    screen.say(
        words(str(wanted.file), "bold"),
        f": {many(count, 'conversation')}, target {measured.target:,} tokens, prices of {measured.prices.model}",
    )
    if measured.fields:
        screen.say(f"fields: {', '.join(measured.fields)}")
    longest = measured.longest
    if count > 1:
        screen.say("")
        screen.say(words("All conversations together", "bold"))
        _print_totals(screen, {name: measured.total(name) for name in WAYS})
        _print_counts(screen, measured.conversations)
    screen.say("")
    title = "The longest one, " if count > 1 else ""
    screen.say(words(f"{title}{longest.conversation}: {many(len(longest.moments), 'turn')}", "bold"))
    for line in headlines(longest):
        screen.say(line)
    screen.say("")
    _print_totals(screen, {name: way.total for name, way in longest.ways.items()})
    _print_turns(screen, longest, "tokens", "Tokens so far (input and output)")
    _print_turns(screen, longest, "cost_usd_cached", "Dollars so far, with a warm prompt cache")
    _print_state(screen, longest)
    _print_verdicts(screen, longest)
    screen.say("")
    screen.say(words("What this takes for granted", "bold"))
    for line in (*ASSUMPTIONS, *measured.prices.notes):
        screen.say(words(f"- {line}", "dim"))
    _print_skipped(screen, measured)


def _print_totals(screen: Screen, totals: dict[str, Spent]) -> None:
    numbers = ("calls", "input tok", "output tok", "cost $", "cached $")
    rows = Rows("way", *(Column(name, "number") for name in numbers), Column("what it is", "text"))
    for name, spent in totals.items():
        rows.add(
            words(name, "bold"),
            f"{spent.calls:,}",
            f"{spent.input_tokens:,}",
            f"{spent.output_tokens:,}",
            f"{spent.usd:.4f}",
            f"{spent.usd_cached:.4f}",
            WAYS[name],
        )
    rows.show(screen)


def _print_counts(screen: Screen, conversations: Sequence[Measured]) -> None:
    """In how many conversations state wins."""
    for index, first in enumerate(conversations[0].verdicts):
        if first.state != STATE or first.measure == "cost_usd":
            continue
        won = sum(each.verdicts[index].outcome == "wins" for each in conversations)
        screen.say(
            f"{_MEASURES[first.measure]}: state wins in {won:,} of {len(conversations):,} conversations "
            f"against {_AGAINST[first.rederive]}."
        )


def _print_turns(screen: Screen, measured: Measured, measure: Measure, title: str) -> None:
    screen.say("")
    so_far = {name: way.cumulative() for name, way in measured.ways.items()}
    screen.say(words(title, "bold"))
    rows = Rows(Column("after turn", "number"), *(Column(name, "number") for name in so_far))
    for turn in shown_turns(len(measured.moments)):
        cells = (amount(spent[turn - 1], measure) for spent in so_far.values())
        rows.add(f"{turn:,}", *(f"{cell:,.0f}" if measure == "tokens" else f"{cell:.4f}" for cell in cells))
    rows.show(screen)


def _print_state(screen: Screen, measured: Measured) -> None:
    last = measured.moments[-1]
    briefs = [moment.brief_tokens for moment in measured.moments]
    patches = [moment.patch_tokens for moment in measured.moments]
    screen.say("")
    screen.say(
        f"State: {many(last.entries, 'entry') if last.entries == 1 else f'{last.entries:,} entries'} when the last turn "
        f"opens; briefs of {min(briefs):,} to {max(briefs):,} tokens, patches of {min(patches):,} to {max(patches):,}."
    )
    whole, bounded, state = (measured.ways[name].total.tokens for name in (APPEND, HYBRID, STATE))
    screen.say(
        f"Of the transcript's tokens, bounding alone sends and receives {100 * bounded / whole:.0f} %, "
        f"with state {100 * state / whole:.0f} %."
    )
    cut = next((moment.turn for moment in measured.moments if moment.left_out), None)
    if cut is not None:
        screen.say(words(f"From turn {cut:,} on the brief has no room for all of it.", "yellow"))
    for name, way in measured.ways.items():
        if way.over_target and name not in (APPEND, APPEND_EXTRACT):
            screen.say(
                words(
                    f"{name}: {many(way.over_target, 'request')} over the target whatever is cut.", "yellow"
                )
            )


def _print_verdicts(screen: Screen, measured: Measured) -> None:
    pair = ("", "")
    for verdict in measured.verdicts:
        if verdict.measure == "cost_usd":
            continue  # in the totals, and in the JSON
        if (verdict.rederive, verdict.state) != pair:
            pair = verdict.rederive, verdict.state
            screen.say("")
            screen.say(words(f"{_OURS[verdict.state]}, against {_AGAINST[verdict.rederive]}:", "bold"))
        style = "green" if verdict.outcome == "wins" else "yellow"
        screen.say(words(f"  {sentence(verdict)}", style))


def headlines(measured: Measured) -> tuple[str, ...]:
    """What to say first: state recorded in the reply, against the whole transcript without and with a second call."""
    found = {(each.rederive, each.measure): each for each in measured.verdicts if each.state == STATE}
    return tuple(
        f"Against {_AGAINST[rederive]}: "
        f"in tokens {_in_short(found[rederive, 'tokens'])}, "
        f"in {_MEASURES['cost_usd_cached']} {_in_short(found[rederive, 'cost_usd_cached'])}."
        for rederive in (APPEND, APPEND_EXTRACT)
    )


def _in_short(verdict: Verdict) -> str:
    share = "" if verdict.share is None else f" ({100 * verdict.share:.0f} % of it in the end)"
    match verdict.outcome:
        case "draws":
            return "state makes no difference"
        case "loses":
            return f"state loses{share}"
        case "wins":
            return f"state wins from turn {verdict.from_turn:,} on{share}"


def _print_skipped(screen: Screen, measured: Measurement) -> None:
    lines = [
        f"record {skip.record}: {skip.reason}" if skip.record is not None else skip.reason
        for skip in measured.skipped
    ]
    if not lines:
        return
    screen.say(words(f"{many(len(lines), 'record')} skipped", "yellow"))
    for line in lines[:DETAILS]:
        screen.say("  ", one_line(line))
    if len(lines) > DETAILS:
        screen.say(words(f"  and {len(lines) - DETAILS:,} more: --json has them all", "dim"))


def _draw(measured: Measurement, path: Path) -> None:
    try:
        draw(measured, path)
    except (OSError, ValueError) as error:
        raise NotThere(
            f"The picture cannot be written to {path} ({error})",
            "Give a path that ends with .png, .svg or .pdf",
        ) from error
