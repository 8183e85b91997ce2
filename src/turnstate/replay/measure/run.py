"""Recorded conversations, each by every way: what the command line calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from turnstate.core.context.budget import Budget
from turnstate.core.context.extractive import extract_summary
from turnstate.core.context.types import Excerpt, SummaryDraft
from turnstate.errors import TranscriptError
from turnstate.readers.recognise import OnProgress, read_transcripts
from turnstate.readers.transcript import Transcript
from turnstate.replay.measure.kept import Moment, kept, states_of
from turnstate.replay.measure.play import Spent
from turnstate.replay.measure.verdict import Verdict, verdicts
from turnstate.replay.measure.ways import WAYS, Way, ways
from turnstate.replay.prices import Prices, prices
from turnstate.replay.report import Skipped
from turnstate.replay.run import MODEL
from turnstate.replay.scene import Setting

LEAST: Final = 2
"""The fewest answered turns of a conversation on which anything can be compared."""

SHORT: Final = f"has fewer than {LEAST} answered turns, so that nothing can be re-derived"

ASSUMPTIONS: Final = tuple(
    """\
Recorded replies and tool calls are taken as they are: no model is called, and every way answers the same.
Tokens are estimated, money is list prices. A warm cache means that no request comes too late for it.
State is what rules find: exact values and promises in what the user and the assistant said, not in tool results.
A model would record other things, and may record more. Promises are found in English only.
A value that the user corrects is amended and keeps the one before; a promise reported done leaves the state.
A named field is filled from a user's sentence with its name, or from the answer to a question with its name.
The brief has a quarter of the target at most, and of more shows the newest; every request of its turn holds it.
Phases, scores, evidence and questions already asked are not estimated: a team that briefs those sends more.
The `record` tool stands in every request of `state`, with the tool prompt where no other tools are listed.
Its patch is output of the last response of a turn; it costs no call and is not sent again.
The second call of `append+extract` reads what was said, not tool results, with a warm cache of its own.
It writes the whole state each time, as far as a brief would show it: most of its price is output.
What it finds goes to code: it is not sent to the agent, which would cost more.
The second call of `state+extract` reads the brief and the newest exchange.
Summaries are made without a call; bounded contexts bring earlier exchanges back as a live turn does.
Whether the replies would be as good is not measured.
""".splitlines()
)
"""What the figures take for granted, one sentence each."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One conversation by every way.

    Attributes:
        conversation: the transcript's id.
        record: its number in the file.
        moments: its state by turn.
        ways: what each way cost.
        verdicts: every pair by every measure.
    """

    conversation: str
    record: int
    moments: tuple[Moment, ...]
    ways: dict[str, Way]
    verdicts: tuple[Verdict, ...]

    def as_dict(self) -> dict[str, Any]:
        """As JSON data, with every turn."""
        return {
            "conversation": self.conversation,
            "record": self.record,
            "turns": len(self.moments),
            "state": [
                {
                    "turn": moment.turn,
                    "entries": moment.entries,
                    "left_out": moment.left_out,
                    "brief_tokens": moment.brief_tokens,
                    "patch_tokens": moment.patch_tokens,
                    "changes": len(moment.deltas),
                }
                for moment in self.moments
            ],
            "ways": {name: _way_data(way) for name, way in self.ways.items()},
            "verdicts": [verdict.as_dict() for verdict in self.verdicts],
        }


def _way_data(way: Way) -> dict[str, Any]:
    rows = zip(way.turns, way.cumulative(), strict=True)
    return way.total.as_dict() | {
        "largest_request": way.largest,
        "over_target": way.over_target,
        "per_turn": [
            {"turn": number} | spent.as_dict() | {"so_far": so_far.as_dict()}
            for number, (spent, so_far) in enumerate(rows, start=1)
        ],
    }


@dataclass(frozen=True, slots=True)
class Measurement:
    """What was measured of a file.

    Attributes:
        prices: the prices that were taken.
        target: tokens that a bounded request may have.
        fields: the named fields of the state.
        conversations: in the file's order.
        skipped: records that were not measured, and why.
    """

    prices: Prices
    target: int
    fields: tuple[str, ...]
    conversations: tuple[Measured, ...]
    skipped: tuple[Skipped, ...]

    @property
    def longest(self) -> Measured:
        """The conversation of the most turns."""
        return max(self.conversations, key=lambda measured: len(measured.moments))

    def total(self, way: str) -> Spent:
        """What a way cost, all conversations together."""
        return sum((measured.ways[way].total for measured in self.conversations), Spent())

    def as_dict(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            "model": self.prices.model,
            "target": self.target,
            "fields": list(self.fields),
            "assumptions": list(ASSUMPTIONS),
            "notes": list(self.prices.notes),
            "totals": {name: self.total(name).as_dict() for name in WAYS},
            "conversations": [measured.as_dict() for measured in self.conversations],
            "skipped": [{"record": skip.record, "reason": skip.reason} for skip in self.skipped],
        }


async def measure(
    transcripts: Iterable[Transcript | TranscriptError],
    budget: Budget,
    *,
    model_id: str = MODEL,
    fields: Sequence[str] = (),
) -> Measurement:
    """Compare re-deriving with keeping state on recorded conversations, without a model.

    Args:
        transcripts: one at a time, as a reader gives them; those that do not read or are too short are reported.
        budget: the budget of bounded requests.
        model_id: the model whose prices are taken, as `provider:name`.
        fields: names of fields to fill, beside values and commitments.

    Raises:
        ModelNameError: nobody publishes prices for the model.
        WiringError: a field's name cannot be one.
        TranscriptError: no conversation has two answered turns.
    """
    named = tuple(dict.fromkeys(fields))
    states_of(named)
    setting = Setting(budget, prices(model_id), _extract)
    found: list[Measured] = []
    skipped: list[Skipped] = []
    for transcript in transcripts:
        if isinstance(transcript, TranscriptError):
            skipped.append(Skipped(transcript.record, transcript.reason))
        elif sum(bool(turn.steps) for turn in transcript.turns) < LEAST:
            skipped.append(Skipped(transcript.record, SHORT))
        else:
            found.append(await _measured(transcript, setting, named))
    if not found:
        first = skipped[0] if skipped else Skipped(None, "is empty")
        raise TranscriptError("the transcript", first.record, first.reason)
    return Measurement(setting.prices, budget.target, named, tuple(found), tuple(skipped))


async def measure_file(
    path: str | Path,
    budget: Budget,
    *,
    model_id: str = MODEL,
    fields: Sequence[str] = (),
    on_progress: OnProgress | None = None,
) -> Measurement:
    """`measure` on a transcript file, read one record at a time.

    Args:
        path: the file.
        budget: as in `measure`.
        model_id: as in `measure`.
        fields: as in `measure`.
        on_progress: called after each record with the bytes done and the bytes there are (0 for a pipe).

    Raises:
        TranscriptError: the file is missing, empty, or no transcript file, or no conversation has two answered turns.
        ModelNameError: nobody publishes prices for the model.
        WiringError: a field's name cannot be one.
    """
    transcripts = read_transcripts(path, on_progress)
    try:
        return await measure(transcripts, budget, model_id=model_id, fields=fields)
    except TranscriptError as error:
        raise TranscriptError(str(path), error.record, error.reason) from None


async def _measured(transcript: Transcript, setting: Setting, fields: tuple[str, ...]) -> Measured:
    moments = kept(transcript.turns, fields, setting.budget.target)
    played = await ways(transcript, setting, moments, fields)
    return Measured(transcript.id, transcript.record, moments, played, verdicts(played))


async def _extract(excerpt: Excerpt) -> SummaryDraft:
    return extract_summary(excerpt)
