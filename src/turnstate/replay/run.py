"""Transcripts through every strategy, one after the other: what the command line and the benchmarks call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from turnstate.core.context.budget import Budget
from turnstate.core.context.extractive import extract_summary
from turnstate.core.context.strategies import STRATEGIES, strategy
from turnstate.core.context.types import Excerpt, Strategy, SummaryDraft
from turnstate.errors import TranscriptError
from turnstate.ports import Summarizer
from turnstate.readers.recognise import OnProgress, read_transcripts
from turnstate.readers.transcript import Transcript
from turnstate.replay.prices import prices
from turnstate.replay.probes import Probe, Probes, Unread
from turnstate.replay.report import Invalid, Longest, Missed, Refusal, Replayed, Report, Row, Skipped, Tally
from turnstate.replay.scene import Scene, Setting
from turnstate.replay.simulate import simulate
from turnstate.replay.values import Values

MODEL = "anthropic:claude-sonnet-5-5"
"""The model whose prices a replay takes unless another is named."""


async def replay(
    transcripts: Iterable[Transcript | TranscriptError],
    strategies: Sequence[str] | Mapping[str, Strategy],
    budget: Budget,
    *,
    model_id: str = MODEL,
    summarizer: Summarizer | None = None,
    instructions: str | None = None,
    probes: Probes | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Report:
    """Replay conversations through context strategies, without a model.

    For every recorded response, the request that would have led to it is planned from the conversation so far; the
    response is then folded as recorded. Costs are input, output and summarizer tokens at list prices. The prompt cache
    is simulated on the bytes of tools, instructions and messages, and taken to be warm.

    Args:
        transcripts: one at a time, as a reader gives them; records that do not read are reported as skipped.
        strategies: names, or functions by the name that the report gives them.
        budget: the budget of every request.
        model_id: the model whose prices are taken, as `provider:name`.
        summarizer: writes the summaries; None for the extractive one, which makes no call.
        instructions: taken instead of the transcripts' own.
        probes: questions to ask after the last turn of their conversations.
        on_progress: called with the number of conversations that are done.

    Raises:
        ModelNameError: nobody publishes prices for the model.
        StrategyError: there is no such strategy.
    """
    named = strategies if isinstance(strategies, Mapping) else {name: strategy(name) for name in strategies}
    summarize = _extract if summarizer is None else summarizer.summarize
    setting = Setting(budget, prices(model_id), summarize, instructions)
    found = _Findings(named, probes or Probes(()))
    for transcript in transcripts:
        if isinstance(transcript, TranscriptError):
            found.skipped.append(Skipped(transcript.record, transcript.reason))
            continue
        values, asked = Values(), found.asked_of(transcript)
        played = {
            name: await simulate(Scene.of(transcript, name, func, setting), probes=asked, values=values)
            for name, func in named.items()
        }
        found.add(transcript, played)
        if on_progress is not None:
            on_progress(len(found.rows))
    return found.report(setting)


async def replay_file(
    path: str | Path,
    budget: Budget,
    *,
    strategies: Sequence[str] = tuple(STRATEGIES),
    model_id: str = MODEL,
    summarizer: Summarizer | None = None,
    instructions: str | None = None,
    probes: Probes | None = None,
    on_progress: OnProgress | None = None,
) -> Report:
    """`replay` on a transcript file, read one record at a time.

    Args:
        path: the file.
        budget: as in `replay`.
        strategies: as in `replay`; all of them unless given.
        model_id: as in `replay`.
        summarizer: as in `replay`.
        instructions: as in `replay`.
        probes: as in `replay`; `read_probes` reads them from a file.
        on_progress: called after each record with the bytes done and the bytes there are (0 for a pipe).

    Raises:
        TranscriptError: the file is missing, empty, or no transcript file.
        ModelNameError: nobody publishes prices for the model.
        StrategyError: there is no such strategy.
    """
    return await replay(
        read_transcripts(path, on_progress),
        strategies,
        budget,
        model_id=model_id,
        summarizer=summarizer,
        instructions=instructions,
        probes=probes,
    )


async def _extract(excerpt: Excerpt) -> SummaryDraft:
    return extract_summary(excerpt)


class _Findings:
    """A report while conversations are added."""

    def __init__(self, names: Iterable[str], probes: Probes) -> None:
        self._probes = probes
        self._conversations: set[str] = set()
        self.totals = dict.fromkeys(names, Tally())
        self.rows: list[Row] = []
        self.skipped: list[Skipped] = []
        self.refusals: list[Refusal] = []
        self.invalid: list[Invalid] = []
        self.missed: list[Missed] = []
        self.longest = Longest()

    def asked_of(self, transcript: Transcript) -> tuple[Probe, ...]:
        """The questions about a conversation."""
        self._conversations.add(transcript.id)
        return tuple(probe for probe in self._probes.probes if probe.conversation == transcript.id)

    def add(self, transcript: Transcript, played: Mapping[str, Replayed]) -> None:
        for name, replayed in played.items():
            self.totals[name] += replayed.tally
            self.refusals.extend(replayed.refusals)
            self.invalid.extend(replayed.invalid)
            self.missed.extend(replayed.missed)
        tallies = {name: replayed.tally for name, replayed in played.items()}
        self.rows.append(
            Row(transcript.id, transcript.record, len(transcript.turns), tallies, transcript.notes)
        )
        if transcript.responses > max(map(len, self.longest.tokens.values()), default=0):
            tokens = {name: replayed.tokens for name, replayed in played.items()}
            self.longest = Longest(transcript.id, tallies, tokens)

    def report(self, setting: Setting) -> Report:
        return Report(
            prices=setting.prices,
            target=setting.budget.target,
            strategies=self.totals,
            rows=tuple(self.rows),
            skipped=tuple(self.skipped),
            refusals=tuple(self.refusals),
            invalid=tuple(self.invalid),
            longest=self.longest,
            missed=tuple(self.missed),
            unasked=tuple(sorted((*self._probes.unread, *self._strangers()))),
        )

    def _strangers(self) -> Iterator[Unread]:
        for probe in self._probes.probes:
            if probe.conversation not in self._conversations:
                yield Unread(
                    probe.line, f"asks about {probe.conversation!r}, which is no conversation of the file"
                )
