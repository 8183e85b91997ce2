"""`python -m benchmarks.fidelity`: what a real, weak model as summarizer loses, invents and hardens, and what the user gets.

Real dialogues (tau-bench's airline domain, Yao et al. 2024, MIT; Schema-Guided Dialogue, Rastogi et al. 2020,
CC BY-SA 4.0) are compacted to a third of their size. The raw summaries of the model are measured as they come, and beside
them the views that stand in for the turns that left: what was said is compared as exact values, so that a value said
differently is the same value.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import platform
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice, zip_longest
from pathlib import Path
from typing import NamedTuple

from turnstate.core.context.budget import Budget
from turnstate.core.context.counting import Calibration, estimate_text, size_messages
from turnstate.core.context.ledger import is_plan, render_ledger, stands_in
from turnstate.core.context.levels import EVERYTHING
from turnstate.core.context.plan import plan
from turnstate.core.context.strategies import strategy
from turnstate.core.context.types import Answer, Excerpt, Inputs, NeedSummaries, Plan, SummaryDraft
from turnstate.core.events import Span, SummaryWritten
from turnstate.core.fidelity import hardened, ledger, repair, source_text, verify
from turnstate.core.fidelity.kept import CLOCK
from turnstate.core.history import History, Turn
from turnstate.core.messages import (
    ModelMessage,
    ModelRequest,
    ToolReturnPart,
    args_text,
    calls,
    response_text,
    result_text,
    user_message,
    user_text,
)
from turnstate.core.values import Dated, Value, invented, missing
from turnstate.models.resolve import PerLoop
from turnstate.models.summarizer import ModelSummarizer
from turnstate.ports import Summarizer
from turnstate.readers.recognise import read_transcripts
from turnstate.readers.transcript import Transcript
from turnstate.turn.summaries import ExtractiveSummarizer, write_summaries

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"
MODEL = ROOT / ".cache" / "real-model" / "SmolLM2-135M-Instruct.Q4_1.gguf"
CACHE = ROOT / ".cache" / "fidelity"
RESULT = Path(__file__).parent / "results" / "fidelity.json"
SOURCES = ("tau_bench_airline/trajectories.jsonl", "sgd_sessions/sessions.jsonl")

LEAST = 1_000
"""The smallest target, in tokens."""

LONGEST = 3_000
"""The largest dialogue, in tokens: what a small model on two cores reads in reasonable time."""

WINDOW = 8_192
"""The window of the summarizing model: an excerpt has at most 6,000 tokens, and a single exchange may have more."""

ASKED = "Please sum up what we settled, with every number, so that I can write it down."
"""The newest message, that the view is planned for: it has no values of its own."""


@dataclass(slots=True)
class Tally:
    """What was counted over dialogues; ratios are made of these when reported.

    Attributes:
        dialogues: how many were compacted.
        turns: turns that left the view.
        tokens_before: of the turns and the newest message, as estimated.
        tokens_after: of the view.
        fitting: dialogues whose bare values fit a quarter of the target.
        values_fitting: values of the turns that left, in those dialogues.
        held_fitting: of these, in view.
        values_others: values of the turns that left, in the other dialogues.
        held_others: of these, in view.
        summaries: summaries in view.
        accepted: as the model wrote them.
        repaired: without the sentences that were at fault.
        replaced: extracts in the place of the model's.
        invented: values in them that nobody said.
        hardened: commitments in them that are firmer than they were made.
        raw: summaries that the model wrote at its first attempt.
        raw_values: values of what it read.
        raw_held: of these, in what it wrote.
        raw_invented: values in what it wrote that nobody said.
        raw_hardened: commitments in what it wrote that are firmer than they were made.
        dropped: turns that left without a summary, as the exchanges that stay leave no room for one.
        lost: the values that are not in view though they would fit, one line each.
    """

    dialogues: int = 0
    turns: int = 0
    tokens_before: int = 0
    tokens_after: int = 0
    fitting: int = 0
    values_fitting: int = 0
    held_fitting: int = 0
    values_others: int = 0
    held_others: int = 0
    summaries: int = 0
    accepted: int = 0
    repaired: int = 0
    replaced: int = 0
    invented: int = 0
    hardened: int = 0
    raw: int = 0
    raw_values: int = 0
    raw_held: int = 0
    raw_invented: int = 0
    raw_hardened: int = 0
    dropped: int = 0
    lost: list[str] = field(default_factory=list[str])


class Compacted(NamedTuple):
    """A dialogue after its cut.

    Attributes:
        plan: the request.
        target: what it was planned for, in tokens.
        excerpts: what was summarised.
        written: the summaries, in the same order.
    """

    plan: Plan
    target: int
    excerpts: tuple[Excerpt, ...]
    written: tuple[SummaryWritten, ...]


class Remembering:
    """A summarizer whose drafts are kept in files, so that a run that was stopped goes on where it was.

    Args:
        summarizer: the one that writes.
        folder: where its drafts are kept.

    Attributes:
        name: the summarizer's.
        raw: the first attempts, by the span that they stand for; emptied by whoever reads them.
    """

    def __init__(self, summarizer: Summarizer, folder: Path) -> None:
        self._summarizer = summarizer
        self._folder = folder
        self.name = summarizer.name
        self.raw: dict[Span, str] = {}

    async def summarize(self, excerpt: Excerpt, faults: Sequence[str] = ()) -> SummaryDraft:
        """The draft on file, or a new one."""
        asked = json.dumps([source_text(excerpt), excerpt.cap, list(faults)])
        path = self._folder / f"{hashlib.sha256(asked.encode()).hexdigest()[:32]}.json"
        if path.is_file():
            draft = SummaryDraft(json.loads(path.read_text(encoding="utf-8"))["text"], self.name)
        else:
            draft = await self._summarizer.summarize(excerpt, faults)
            self._folder.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"text": draft.text}), encoding="utf-8")
        if not faults:
            self.raw[excerpt.covers] = draft.text
        return draft

    async def ready(self, excerpts: Sequence[Excerpt]) -> None:
        """Write both attempts ahead, so that a slow machine's wait does not count as the summarizer's failure."""
        for excerpt in excerpts:
            draft = await self.summarize(excerpt)
            faults = verify(draft.text, excerpt)
            repaired = repair(draft.text, excerpt) if faults else ""
            if faults and (not repaired or verify(repaired, excerpt)):
                await self.summarize(excerpt, faults)


async def compacted(transcript: Transcript, summarizer: Summarizer) -> Compacted | None:
    """A dialogue's next request at a third of its size; None for a dialogue that is too short to be cut."""
    turns = tuple(turn for turn in transcript.turns if turn.steps)
    if len(turns) < 3:
        return None
    coming = Turn(turns[-1].number + 1, 10**9, turns[-1].at, user_message(ASKED, turns[-1].at))
    history = History(
        conversation=transcript.id, last_turn=coming.number, opening=turns[0], turns=(*turns, coming)
    )
    tokens = size_messages([message for turn in turns for message in turn.messages()]).estimate
    budget = Budget(target=max(LEAST, tokens // 3), recall=0.0)
    inputs = Inputs(
        history=history,
        turn=coming,
        instructions="",
        tools="",
        facts="",
        update="",
        budget=budget,
        strategy=strategy("hybrid"),
        calibration=Calibration(),
    )
    excerpts: list[Excerpt] = []
    written: list[SummaryWritten] = []
    planning = plan(inputs)
    answer: Answer = None
    while True:
        try:
            need = planning.send(answer)
        except StopIteration as done:
            found: Plan = done.value
            return Compacted(found, budget.target, tuple(excerpts), tuple(written)) if written else None
        answer = None
        if isinstance(need, NeedSummaries):
            if isinstance(summarizer, Remembering):
                await summarizer.ready(need.excerpts)
            answer = await write_summaries(summarizer, need.excerpts)
            excerpts += need.excerpts
            written += answer


def said(turn: Turn) -> Iterator[Dated]:
    """Everything that was said, called and returned in a turn, whole."""
    at = clock(turn)
    yield Dated(user_text(turn.user), at)
    for step in turn.steps:
        yield Dated(response_text(step.response), at)
        yield from (Dated(args_text(call), at) for call in calls(step.response))
        yield from (Dated(result_text(result), at) for result in step.results())


def clock(turn: Turn) -> int | None:
    """When a turn was said; None where its time was counted, and no date may be read by it."""
    return turn.at if turn.at >= CLOCK else None


def shown(messages: Iterable[ModelMessage], at: int | None) -> Iterator[Dated]:
    """Everything that a request says."""
    for message in messages:
        if isinstance(message, ModelRequest):
            yield Dated(user_text(message), at)
            parts = (part for part in message.parts if isinstance(part, ToolReturnPart))
            yield from (Dated(result_text(part), at) for part in parts)
        else:
            yield Dated(response_text(message), at)
            yield from (Dated(args_text(call), at) for call in calls(message))


def unique(texts: Iterable[Dated]) -> tuple[Value, ...]:
    """The values of texts, each once."""
    return missing(texts, "")


def count(tally: Tally, transcript: Transcript, done: Compacted, summarizer: Summarizer) -> None:
    """Add one dialogue to the tally."""
    turns = tuple(turn for turn in transcript.turns if turn.steps)
    gone = [turn for turn in turns if turn.number < done.plan.cut.first]
    at = clock(turns[-1])
    sources = [text for turn in gone for text in said(turn)]
    values = unique(sources)
    view = list(shown(done.plan.messages, at))
    words = "\n".join(text for text, _ in view).casefold()
    # A day without its month says nothing alone; it is there where it stands word for word.
    lost = [value for value in missing(sources, view) if not stands_in(value.text.casefold(), words)]
    span = Excerpt(Span(gone[0].number, gone[-1].number), tuple(gone), done.target)
    bare = [replace(entry, context="") for entry in ledger(span) if not is_plan(entry)]
    fits = estimate_text(render_ledger(bare, "", EVERYTHING)) <= done.target // 4
    tally.dialogues += 1
    tally.turns += len(gone)
    tally.dropped += sum(span.last - span.first + 1 for span in done.plan.dropped)
    tally.tokens_before += size_messages([message for turn in turns for message in turn.messages()]).estimate
    tally.tokens_after += size_messages(done.plan.messages).estimate
    if fits:
        tally.fitting += 1
        tally.values_fitting += len(values)
        tally.held_fitting += len(values) - len(lost)
        tally.lost += [f"{transcript.id}: {value.kind} {value.text}" for value in lost]
    else:
        tally.values_others += len(values)
        tally.held_others += len(values) - len(lost)
    for excerpt, written in zip(done.excerpts, done.written, strict=True):
        source = [text for turn in excerpt.turns for text in said(turn)]
        tally.summaries += 1
        if written.by == "extractive" != summarizer.name:
            tally.replaced += 1
        elif any(note.startswith("Repaired: ") for note in written.notes):
            tally.repaired += 1
        else:
            tally.accepted += 1
        tally.invented += len(invented(written.text, source, at=at))
        tally.hardened += len(hardened(written.text, excerpt))
        if (
            isinstance(summarizer, Remembering)
            and (raw := summarizer.raw.pop(excerpt.covers, None)) is not None
        ):
            own = unique(source)
            tally.raw += 1
            tally.raw_values += len(own)
            tally.raw_held += len(own) - len(missing(source, raw, at=at))
            tally.raw_invented += len(invented(raw, source, at=at))
            tally.raw_hardened += len(hardened(raw, excerpt))


def dialogues(data: Path, most: int, longest: int = LONGEST) -> list[Transcript]:
    """The first dialogues of each source that are long enough to be cut, in turn one of each.

    Args:
        data: the folder of recorded dialogues.
        most: how many.
        longest: the most tokens of one.
    """
    found = (
        [
            transcript
            for transcript in read_transcripts(data / source)
            if isinstance(transcript, Transcript) and LEAST + 100 < tokens_of(transcript) <= longest
        ]
        for source in SOURCES
    )
    mixed = (
        transcript for several in zip_longest(*found) for transcript in several if transcript is not None
    )
    return list(islice(mixed, most))


def tokens_of(transcript: Transcript) -> int:
    """The tokens of a dialogue, as estimated."""
    return size_messages([message for turn in transcript.turns for message in turn.messages()]).estimate


async def measure(of: Sequence[Transcript], summarizer: Summarizer, *, aloud: bool = False) -> Tally:
    """Compact dialogues and count."""
    tally = Tally()
    for number, transcript in enumerate(of, 1):
        started = time.monotonic()
        done = await compacted(transcript, summarizer)
        if done is not None:
            count(tally, transcript, done, summarizer)
        if aloud:
            seconds = time.monotonic() - started
            print(f"{summarizer.name}: {number} of {len(of)}, {seconds:.1f} s", file=sys.stderr, flush=True)
    return tally


async def with_model(of: Sequence[Transcript], model: Path, folder: Path, *, aloud: bool = False) -> Tally:
    """`measure` with a GGUF model as summarizer; drafts on file are not written again."""
    models = PerLoop(f"local:{model}?window={WINDOW}")
    await models.open_here()
    try:
        summarizer = Remembering(ModelSummarizer(models.get, model.stem), folder / model.stem)
        return await measure(of, summarizer, aloud=aloud)
    finally:
        await models.close()


def main() -> int:
    """Measure both summarizers, print, and keep the figures beside the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dialogues", type=int, default=60, help="how many, half of them of each source")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of recorded dialogues")
    parser.add_argument("--model", type=Path, default=MODEL, help="the GGUF of the summarizing model")
    arguments = parser.parse_args()
    of = dialogues(arguments.data, arguments.dialogues)
    tallies = {
        "extractive": asyncio.run(measure(of, ExtractiveSummarizer())),
        arguments.model.stem: asyncio.run(with_model(of, arguments.model, CACHE, aloud=True)),
    }
    table = {name: asdict(tally) for name, tally in tallies.items()}
    measured = {"python": platform.python_version(), "machine": platform.machine(), **table}
    text = json.dumps(measured, indent=2, ensure_ascii=False)
    print(text)
    RESULT.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
