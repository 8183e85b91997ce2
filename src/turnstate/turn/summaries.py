"""Summaries on record: asked for side by side, checked, tried once more, and never the reason that a turn fails."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from turnstate.core.context.counting import estimate_text
from turnstate.core.context.extractive import extract_summary
from turnstate.core.context.types import Excerpt, SummaryDraft
from turnstate.core.events import SummaryWritten
from turnstate.core.fidelity import verify
from turnstate.ports import Summarizer
from turnstate.turn.speak import redacted

PATIENCE = 30.0
"""Seconds that a user waits for a summarizer, at most, before the extract takes its place."""


class ExtractiveSummarizer:
    """The extractive summary behind the summarizer's port: no call, no wait."""

    name = "extractive"

    async def summarize(self, excerpt: Excerpt, faults: Sequence[str] = ()) -> SummaryDraft:  # noqa: ARG002 - the port's
        """The speakers' own sentences that carry most."""
        return extract_summary(excerpt)


async def write_summaries(summarizer: Summarizer, excerpts: Sequence[Excerpt]) -> tuple[SummaryWritten, ...]:
    """One summary for each excerpt, in order, each fit to stand for its turns."""
    return tuple(await asyncio.gather(*(_write(summarizer, excerpt) for excerpt in excerpts)))


async def _write(summarizer: Summarizer, excerpt: Excerpt) -> SummaryWritten:
    notes: list[str] = []
    used = (0, 0)
    faults: tuple[str, ...] = ()
    for _ in range(0 if summarizer.name == "extractive" else 2):
        try:
            async with asyncio.timeout(PATIENCE):
                draft = await summarizer.summarize(excerpt, faults)
            _check(draft)
            used = (used[0] + draft.usage[0], used[1] + draft.usage[1])
            faults = verify(draft.text, excerpt)
            if not faults:
                return _written(excerpt, draft, (*notes, *draft.notes), used)
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
    return SummaryWritten(excerpt.covers, draft.text, draft.by, estimate_text(draft.text), notes, used)
