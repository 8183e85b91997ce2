"""Summaries on record: asked for side by side, checked, repaired, tried once more, and never the reason that a turn fails."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from turnstate.core.context.counting import estimate_text
from turnstate.core.context.extractive import extract_summary
from turnstate.core.context.types import Excerpt, SummaryDraft
from turnstate.core.events import SummaryWritten
from turnstate.core.fidelity import ledger, repair, verify
from turnstate.ports import Summarizer
from turnstate.turn.speak import redacted

PATIENCE = 30.0
"""Seconds that a user waits for a summarizer, at most, before the extract takes its place."""

FAILURES = 3
"""So many failures in a row open the breaker."""

PAUSE = 10
"""So many summaries are extracts before a summarizer that failed is asked again."""


class ExtractiveSummarizer:
    """The extractive summary behind the summarizer's port: no call, no wait."""

    name = "extractive"

    async def summarize(self, excerpt: Excerpt, faults: Sequence[str] = ()) -> SummaryDraft:  # noqa: ARG002 - the port's
        """The speakers' own sentences that carry most."""
        return extract_summary(excerpt)


class Broken(Exception):
    """The breaker is open: the summarizer is not asked."""


class Guarded:
    """A summarizer behind a breaker: one that is down costs every conversation a wait only a few times.

    Args:
        summarizer: the summarizer.
        patience: seconds that it may take. Only this waits: a second limit around it would end it before it could count
            the failure.

    Attributes:
        name: the summarizer's.
    """

    def __init__(self, summarizer: Summarizer, patience: float = PATIENCE) -> None:
        self._summarizer = summarizer
        self._patience = patience
        self.name = summarizer.name
        self._failures = 0
        self._pause = 0

    async def summarize(self, excerpt: Excerpt, faults: Sequence[str] = ()) -> SummaryDraft:
        """As the summarizer's own.

        Raises:
            Broken: it failed several times in a row and is left alone for a while.
            TimeoutError: it took longer than its patience.
        """
        if self._pause:
            self._pause -= 1
            raise Broken(f"it failed {FAILURES} times in a row and is left alone for {self._pause} more")
        try:
            async with asyncio.timeout(self._patience):
                draft = await self._summarizer.summarize(excerpt, faults)
            _check(draft)
        except Exception:
            self._failures += 1
            if self._failures >= FAILURES:
                self._failures, self._pause = 0, PAUSE
            raise
        self._failures = 0
        return draft


async def write_summaries(
    summarizer: Summarizer, excerpts: Sequence[Excerpt], seen: int = 0
) -> tuple[SummaryWritten, ...]:
    """One summary for each excerpt, in order, each fit to stand for its turns, with what it must not lose beside it.

    Args:
        summarizer: a `Guarded` one, or any other.
        excerpts: what to summarise.
        seen: the newest seq when the turns were read.
    """
    guarded = summarizer if isinstance(summarizer, Guarded) else Guarded(summarizer)
    written = await asyncio.gather(*(_write(guarded, excerpt) for excerpt in excerpts))
    return tuple(replace(one, seen=seen) for one in written)


async def _write(summarizer: Guarded, excerpt: Excerpt) -> SummaryWritten:
    notes: list[str] = []
    used = (0, 0)
    faults: tuple[str, ...] = ()
    for _ in range(0 if summarizer.name == "extractive" else 2):
        try:
            draft = await summarizer.summarize(excerpt, faults)
            used = (used[0] + draft.usage[0], used[1] + draft.usage[1])
            faults = verify(draft.text, excerpt)
            repaired = repair(draft.text, excerpt) if faults else draft.text
            if not faults or (repaired and not verify(repaired, excerpt)):
                notes.extend(f"Repaired: {fault}" for fault in faults)
                return _written(excerpt, replace(draft, text=repaired), (*notes, *draft.notes), used)
        except Exception as error:  # noqa: BLE001 - a summarizer that fails degrades the turn and never fails it
            notes.append(redacted(f"The summarizer failed: {type(error).__name__}: {error}"))
            break
        notes.extend(faults)
    return _written(excerpt, extract_summary(excerpt), tuple(notes), used)


def _check(draft: Any) -> None:
    """An application's summarizer may give anything; what is not a draft must not reach the log."""
    texts = (draft.text, draft.by, *draft.notes)
    if not all(isinstance(text, str) for text in texts) or not all(isinstance(n, int) for n in draft.usage):
        raise TypeError("its draft has fields of other types")


def _written(
    excerpt: Excerpt, draft: SummaryDraft, notes: tuple[str, ...], used: tuple[int, int]
) -> SummaryWritten:
    return SummaryWritten(
        covers=excerpt.covers,
        text=draft.text,
        by=draft.by,
        tokens=estimate_text(draft.text),
        notes=notes,
        usage=used,
        kept=ledger(excerpt),
    )
