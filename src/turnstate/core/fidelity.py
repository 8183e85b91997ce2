"""Whether a summary may stand for its source: non-empty, smaller, under its cap, and inventing no exact value."""

from __future__ import annotations

from turnstate.core.context.counting import estimate_text
from turnstate.core.context.extractive import source_text
from turnstate.core.context.types import Excerpt
from turnstate.core.values import invented

__all__ = ["source_text", "verify"]


def verify(summary: str, excerpt: Excerpt) -> tuple[str, ...]:
    """What is wrong with `summary`, one sentence each; nothing if it may be used."""
    if not summary.strip():
        return ("The summary is empty.",)
    problems: list[str] = []
    tokens = estimate_text(summary)
    source = source_text(excerpt)
    if tokens >= estimate_text(source):
        problems.append("The summary is not smaller than what it summarises.")
    if tokens > excerpt.cap:
        problems.append(f"The summary has {tokens} tokens, its cap is {excerpt.cap}.")
    if strange := invented(summary, source):
        problems.append(
            "The summary has values that were never said: " + ", ".join(value.text for value in strange[:5])
        )
    return tuple(problems)
