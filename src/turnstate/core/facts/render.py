"""Showing facts, each with its source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Final

from turnstate.core.facts.fact import Fact, Source
from turnstate.core.facts.keys import Key, Scalar

_SHOWN: Final = 80
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def render(facts: Iterable[Fact], keys: Mapping[str, Key] | None = None) -> str:
    """One line per key: its values, each with its source, as in `order_id: 12345 (customer said on 2026-11-23: "order 12345")`.

    Args:
        facts: what to show; retractions are left out.
        keys: the declaration that orders the lines; without it a key stands where it first occurs in `facts`.
    """
    lines: dict[str, list[Fact]] = {name: [] for name in keys or ()}
    for fact in facts:
        if not fact.retracted:
            lines.setdefault(fact.key, []).append(fact)
    return "\n".join(
        f"{name}: " + "; ".join(dict.fromkeys(_render_fact(fact) for fact in sorted(held, key=_by_value)))
        for name, held in lines.items()
        if held
    )


def _by_value(fact: Fact) -> tuple[str, str, int]:
    return (str(fact.value), fact.source, fact.at)


def _render_fact(fact: Fact) -> str:
    try:
        day = (_EPOCH + timedelta(microseconds=fact.at)).date().isoformat()
    except OverflowError:
        day = "an unknown day"
    match fact.source:
        case Source.APP:
            source = "verified by the application"
        case Source.USER_CONFIRMED:
            source = f"customer confirmed on {day}: {_quoted(fact.question)} {_quoted(fact.quote)}"
        case Source.USER_QUOTE:
            source = f"customer said on {day}: {_quoted(fact.quote)}"
        case Source.TRANSCRIPT:
            source = f"unconfirmed, from a transcript of {day}: {_quoted(fact.quote)}"
    return f"{_rendered_value(fact.value)} ({source})"


def _rendered_value(value: Scalar) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = " ".join(str(value).split())
    # What could be taken for the source of a fact stands in quotation marks
    return _quoted(text) if re.search(r"[:;\"]|\([^\d)]", text) else text


def _quoted(text: str) -> str:
    text = " ".join(text.split()).replace('"', "”")
    return f'"{text if len(text) <= _SHOWN else text[: _SHOWN - 1].rstrip() + "…"}"'
