"""The agents of a turn as lines: who ran beside whom, what each read and wrote, what was refused, what guards did."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, cast

from turnstate.cli.text import clipped
from turnstate.core.events import AgentActed, Asked, Recorded, StateChanged
from turnstate.core.history import Turn
from turnstate.core.messages import result_text, user_text
from turnstate.core.values import invented
from turnstate.ports import spoken

BESIDE = " ∥ "
"""What stands between agents that ran side by side."""

VALUE = 200
"""Characters of a change that are shown."""


def short_lines(turn: Turn) -> Iterator[str]:
    """A turn's agents in one line, those at the close left out, and what was out of the ordinary."""
    if turn.acted:
        acted = (event for event in turn.acted if event.part != "closer")
        stages = groupby(acted, key=lambda event: event.stage)
        lanes = (BESIDE.join(event.agent for event in group) for _, group in stages)
        yield " → ".join(lanes)
    for event in turn.acted:
        for refused in event.refused:
            yield f"refused: {event.agent} may not change {refused.state}: {refused.reason}"
        yield from event.notes
    for act in turn.guards:
        yield f"guard {act.guard}: {act.action} “{act.sentence.strip()}”: {act.reason}"


def lane_lines(turn: Turn, events: Sequence[Recorded]) -> Iterator[tuple[str, str]]:
    """A turn's agents in full, as pairs of a title and a text.

    Args:
        turn: the turn.
        events: those of the conversation up to it, or of the turn alone.
    """
    own = [recorded.event for recorded in events if recorded.turn == turn.number]
    changes = [event for event in own if isinstance(event, StateChanged)]
    for event in turn.acted:
        yield from _lane(event, changes)
    for act in turn.guards:
        yield "guard", f"{act.guard} ({act.mode}): {act.action}; {act.reason}"
        yield (
            "",
            f"“{act.sentence.strip()}”" + ("" if act.action == "flagged" else f" → “{act.written.strip()}”"),
        )
    for event in own:
        for question in event.questions if isinstance(event, Asked) else ():
            yield "asked", f"{question.key or 'no key'}: {question.text}"
    if turn.acted and (again := worked_out_again(turn, events)):
        yield "again", f"not read from state, but worked out from what was said: {', '.join(again)}"


def worked_out_again(turn: Turn, events: Sequence[Recorded]) -> tuple[str, ...]:
    """The exact values of a reply that stand in earlier turns, and in nothing that the turn was given instead.

    Given are the newest message, the states, and the results of its tools.

    Args:
        turn: the turn.
        events: those of the conversation up to it.
    """
    states: dict[str, str] = {}
    earlier: list[str] = []
    for recorded in events:
        if recorded.turn > turn.number:
            break
        if isinstance(recorded.event, StateChanged):
            states[recorded.event.state] = json.dumps(recorded.event.value, ensure_ascii=False)
        elif recorded.turn < turn.number and (said := spoken(recorded.event)) is not None:
            earlier.append(said.text)
    results = (
        result_text(call.result) for step in turn.steps for call in step.calls if call.result is not None
    )
    given = "\n".join((user_text(turn.user), *states.values(), *results))
    unknown = {value.text for value in invented(turn.reply, "\n".join(earlier), at=turn.at)}
    found = (value.text for value in invented(turn.reply, given, at=turn.at))
    return tuple(dict.fromkeys(text for text in found if text not in unknown))


def _lane(event: AgentActed, changes: Sequence[StateChanged]) -> Iterator[tuple[str, str]]:
    yield f"stage {event.stage}", _agent(event)
    if event.read:
        yield "", f"read {', '.join(event.read)}"
    for change in changes:
        if change.owner == event.agent and change.state in event.wrote:
            yield "", f"wrote {change.state}: {clipped(_change(change.change), VALUE)}"
    for refused in event.refused:
        field = f".{refused.field}" if refused.field else ""
        yield "refused", f"{refused.state}{field}: {refused.reason}"
    for note in event.notes:
        yield "note", note


def _agent(event: AgentActed) -> str:
    used = f", {event.usage[0]:,} tokens in, {event.usage[1]:,} out" if any(event.usage) else ""
    return f"{event.agent} ({event.part}, by {event.by}{used})"


def _change(change: Any) -> str:
    if isinstance(change, dict):
        fields = cast("dict[str, Any]", change).items()
        return ", ".join(f"{name} = {value}" for name, value in fields)
    if isinstance(change, list):
        return "; ".join(_delta(each) for each in cast("list[Any]", change))
    return str(change)


def _delta(delta: Any) -> str:
    if not isinstance(delta, dict):
        return str(delta)
    given = cast("dict[str, Any]", delta)
    which = f" {given['id']}" if given.get("id") else ""
    why = f" ({given['reason']})" if given.get("reason") else ""
    value = f" {given['value']}" if "value" in given else ""
    return f"{given.get('op')} {given.get('field')}{which}{value}{why}"
