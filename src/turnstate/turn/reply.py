"""What a turn gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from turnstate.core.facts import Fact
from turnstate.core.history import Turn
from turnstate.core.messages import calls


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a turn, as the provider reported them, over all its requests.

    Attributes:
        requests: model requests.
        input_tokens: of all requests together.
        output_tokens: of all responses together.
        cache_read_tokens: of the input, what the provider read from its cache.
    """

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ContextUse:
    """What the turn's context was.

    Attributes:
        tokens: the largest request, in tokens.
        target: the budget's target, in tokens.
        managed: one line for each time that the context was cut.
        notes: what was healed or degraded, one sentence each.
    """

    tokens: int = 0
    target: int = 0
    managed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Approval:
    """A tool call that waits for a person.

    Attributes:
        call_id: what `Conversation.approve` and `Conversation.deny` take.
        tool: the tool's name.
        arguments: what it is called with, as the model wrote it: an object, or text that is none.
        turn: the turn that waits for it.
    """

    call_id: str
    tool: str
    arguments: dict[str, Any] | str
    turn: int


@dataclass(frozen=True, slots=True)
class Rating:
    """How good somebody found a reply.

    Attributes:
        turn: the turn's number.
        score: by the application's scale.
        by: who says it, or "".
        comment: their words, or "".
        at: when, in microseconds since the epoch.
    """

    turn: int
    score: float
    by: str
    comment: str
    at: int


@dataclass(frozen=True, slots=True)
class Reply:
    """The one recorded reply of a turn.

    Attributes:
        text: what the assistant said.
        turn: the turn's number.
        context: what was sent.
        facts: what was learned from the user's message before the reply was ready.
        usage: what it took.
        replayed: whether the reply was already on record for this key.
        handed_off: whether a person has taken over: the message is on record, and nobody has answered it yet.
        approvals: the tool calls that wait for a person; the turn goes on when all of them are answered. `text` is what
            was said so far.
    """

    text: str
    turn: int
    context: ContextUse
    facts: tuple[Fact, ...] = ()
    usage: Usage = Usage()
    replayed: bool = False
    handed_off: bool = False
    approvals: tuple[Approval, ...] = ()


def approvals_of(turn: Turn) -> tuple[Approval, ...]:
    """The calls of a turn that wait for a person."""
    found: list[Approval] = []
    for step in turn.steps:
        parts = {part.tool_call_id: part for part in calls(step.response)}
        for call in step.calls:
            if call.awaits and call.result is None:
                part = parts[call.tool_call_id]
                given: Any = part.args or {}
                try:
                    given = part.args_as_dict()
                except (ValueError, AssertionError):  # the model wrote no JSON object
                    given = str(given)
                found.append(Approval(call.call_id, part.tool_name, given, turn.number))
    return tuple(found)


def context_of(turn: Turn) -> ContextUse:
    """The context of a recorded turn."""
    traces = [step.trace for step in turn.steps if step.trace.round]
    return ContextUse(
        tokens=max((trace.count.best for trace in traces), default=0),
        target=traces[-1].target if traces else 0,
        managed=tuple(trace.managed for trace in traces if trace.managed),
        notes=tuple(dict.fromkeys(note for trace in traces for note in trace.notes)),
    )


def usage_of(turn: Turn) -> Usage:
    """The usage of a recorded turn, that of agents who thought with a model included."""
    found = [step.response.usage for step in turn.steps if step.trace.round]
    thought = [event.usage for event in turn.acted if any(event.usage)]
    return Usage(
        requests=len(found) + len(thought),
        input_tokens=sum(usage.input_tokens for usage in found) + sum(given for given, _ in thought),
        output_tokens=sum(usage.output_tokens for usage in found) + sum(made for _, made in thought),
        cache_read_tokens=sum(usage.cache_read_tokens for usage in found),
    )
