"""Whether a plan is complete about what it does not show, found on its own figures and on its messages."""

from __future__ import annotations

from collections.abc import Iterable

from generators.plans import Driven
from turnstate.core.events import Span
from turnstate.core.history import History, Turn


def numbers(spans: Iterable[Span]) -> list[int]:
    """The turns in spans."""
    return [number for span in spans for number in range(span.first, span.last + 1)]


def gaps(history: History, driven: Driven) -> list[str]:
    """What is wrong with what became of the turns before the newest one, in a few words each.

    Args:
        history: a conversation from which nothing has left the view before.
        driven: its plan, and what that asked for on its way.
    """
    found: list[str] = []
    plan, newest = driven.plan, history.turns[-1].number
    kept = range(plan.cut.first, newest)
    left = [*kept, *numbers(plan.summarised), *numbers(plan.dropped)]
    if sorted(left) != list(range(1, newest)):
        found.append(f"kept {kept}, summarised {plan.summarised}, dropped {plan.dropped} of {newest - 1}")
    read = [turn.number for excerpt in driven.excerpts for turn in excerpt.turns]
    if len(read) != len(set(read)):
        found.append(f"a turn was read twice: {read}")
    if unread := set(numbers(plan.summarised)) - set(read):
        found.append(f"summarised and never read: {sorted(unread)}")
    if any(turn is not history.turn(turn.number) for excerpt in driven.excerpts for turn in excerpt.turns):
        found.append("a summarizer read something else than the whole turn")
    waiting = [turn.number for turn in history.turns[:-1] if waits(turn)]
    if waiting and plan.cut.first > min(waiting):
        found.append(f"a turn that waits for a person left: {min(waiting)}")
    if not plan.managed and (plan.cut.first, driven.excerpts) != (1, ()):
        found.append("something left without a word")
    return found


def waits(turn: Turn) -> bool:
    """Whether a person has been asked about one of the turn's calls and has not answered."""
    return any(call.awaits for step in turn.steps for call in step.calls)
