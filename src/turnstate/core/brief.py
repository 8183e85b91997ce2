"""What an agent is told in one turn: rebuilt from state each time, sent once, never kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Brief:
    """What a turn asks of an agent. Whatever is empty is left out.

    Attributes:
        goal: what the conversation is to reach.
        stage: where it stands, as "stage 2 of 4: qualification".
        missing: what is still to be found out, in words.
        known: what is on record, as (what, value).
        evidence: what may be used as a fact, each with its source.
        gap: what was asked for and is not on record.
        commitments: what was promised and is still open.
        asked: what has been asked already, and must not be asked again.
        notes: anything else, one sentence each.
        trace: what the turn's trace says about the brief itself; the agent does not see it.
    """

    goal: str = ""
    stage: str = ""
    missing: tuple[str, ...] = ()
    known: tuple[tuple[str, str], ...] = ()
    evidence: tuple[str, ...] = ()
    gap: str = ""
    commitments: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    trace: tuple[str, ...] = ()


def render(brief: Brief, role: str = "") -> str:
    """The brief as text, under `role`."""
    lines = [role.strip()] if role.strip() else []
    if brief.goal:
        lines.append(f"goal: {_line(brief.goal)}")
    if brief.stage or brief.missing:
        missing = f"missing: {', '.join(brief.missing)}" if brief.missing else "nothing missing"
        lines.append(_line(f"{brief.stage}, {missing}" if brief.stage else missing))
    lines.extend(_listed("known", (f"{what}: {value}" for what, value in brief.known)))
    lines.extend(_listed("evidence", brief.evidence))
    if brief.gap:
        lines.append(f"not on record, so do not answer it: {_line(brief.gap)}")
    lines.extend(_listed("open commitments", brief.commitments))
    lines.extend(_listed("already asked", brief.asked))
    lines.extend(map(_line, brief.notes))
    return "\n".join(lines)


def _line(text: str) -> str:
    """One line: what is quoted in a brief cannot begin a section of its own."""
    return " ".join(text.split())


def _listed(title: str, entries: Iterable[str]) -> list[str]:
    listed = [f"- {_line(entry)}" for entry in entries]
    return [f"{title}:", *listed] if listed else []
