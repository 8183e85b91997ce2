"""Handing a conversation to a person and back: what the person is told, and what is recorded meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from turnstate.core.facts import Fact, render
from turnstate.core.history import History
from turnstate.core.messages import user_text
from turnstate.turn.ownership import States
from turnstate.turn.team import Team

WORDS = 400
"""Characters of a message in a note."""

PERSON = "person:"
"""What stands before the name of a person in the log."""

POSTED = "assistant"
"""Who says what the application posts."""

TAKEN = "A person has taken over: the message waits for them."
"""What the trace of a turn says that no agent answered."""


def note(history: History, team: Team | None, facts: Sequence[Fact]) -> str:
    """What a person needs to know who takes over: made from state and facts, without a call.

    Args:
        history: the conversation.
        team: whose states it has, or None.
        facts: those in force.
    """
    lines = [f"Facts:\n{render(facts)}"] if facts else []
    last = history.turns[-1] if history.turns else None
    if team is not None and last is not None:
        states = States(team, history, last, closing=True)
        for state in team.states:
            data = states.value(state).model_dump(mode="json", exclude_defaults=True)
            if data:
                lines.append(f"{state.__name__}: {_plain(data)}")
    if history.asked:
        asked = history.asked[-1]
        lines.append(f"Last asked (turn {asked.turn}): {asked.question.text}")
    if last is not None:
        lines.append(f"Last message (turn {last.number}): {_clipped(user_text(last.user))}")
        if last.reply:
            lines.append(f"Last reply: {_clipped(last.reply)}")
    return "\n".join(lines)


def _plain(data: Any) -> str:
    if isinstance(data, dict):
        pairs = cast("dict[str, Any]", data).items()
        return ", ".join(f"{name} {_plain(value)}" for name, value in pairs if value not in ("", [], None))
    if isinstance(data, list):
        return "; ".join(_plain(each) for each in cast("list[Any]", data))
    return str(data)


def _clipped(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= WORDS else f"{flat[: WORDS - 1]}…"
