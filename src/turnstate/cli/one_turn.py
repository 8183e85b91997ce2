"""One turn in full: what was said, each request with its size and its plan, each tool call, the facts learned.

Its JSON adds to that of a turn in short `plans`: one for each request, with `round`, `model`, `count` (`estimate`, `bound`,
`provider` or null), `target`, `cut` (`first`, `since`, `opening`, `facts`, `values`, `cap`), `managed`,
`dropped` and `summarised` (pairs of turns), `recalled` (turns), `retried`, `notes`, `text` and `calls` (`tool`, `args`, `call_id`, `tool_call_id`, `effect`, `result`,
`outcome`); `learned`: `status`, `by`, `facts` (`key`, `value`, `source`, `quote`) and `problems`; and `worked_out_again`, the exact
values of the reply that stand in earlier turns and in no state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from turnstate.cli.lanes import lane_lines
from turnstate.cli.render import Screen
from turnstate.cli.text import turns_text
from turnstate.core.events import Cut, FactsLearned, Recorded, RequestTrace, Span
from turnstate.core.history import Call, Step, Turn
from turnstate.core.messages import (
    BinaryContent,
    UserPromptPart,
    args_text,
    calls,
    response_text,
    result_text,
    user_text,
)


def turn_text(turn: Turn) -> str:
    """What the user said, with a word for each image or document."""
    files = [
        f"[{item.media_type}, {len(item.data):,} bytes]"
        if isinstance(item, BinaryContent)
        else f"[{item.kind}]"
        for part in turn.user.parts
        if isinstance(part, UserPromptPart) and not isinstance(part.content, str)
        for item in part.content
        if not isinstance(item, str) and not isinstance(getattr(item, "content", None), str)
    ]
    return "\n".join(text for text in (user_text(turn.user), *files) if text)


@dataclass(frozen=True, slots=True)
class Use:
    """A tool call and what became of it.

    Attributes:
        tool: the tool's name.
        args: its arguments, as JSON text.
        call: the call.
    """

    tool: str
    args: str
    call: Call

    @property
    def result(self) -> str | None:
        """The result as the model saw it, or None while there is none."""
        return None if self.call.result is None else result_text(self.call.result)


def uses(step: Step) -> Iterator[Use]:
    """The tool calls of a step, in order."""
    for part, call in zip(calls(step.response), step.calls, strict=False):
        yield Use(part.tool_name, args_text(part), call)


def print_turn(
    screen: Screen, turn: Turn, events: Sequence[Recorded], before: Sequence[Recorded] = ()
) -> None:
    """Print a turn in full: from its own events, and for its agents those before it."""
    screen.say()
    screen.entry("user", turn_text(turn), "bold cyan")
    if turn.acted or turn.guards:
        screen.say()
    for title, text in lane_lines(turn, (*before, *events)):
        screen.entry(title, text)
    for step in turn.steps:
        screen.say()
        _print_step(screen, step)
    if turn.failure is not None:
        screen.say()
        screen.entry("failed", f"{turn.failure.reason}: {turn.failure.message}", "red")
        if turn.failure.released:
            screen.entry("released", turn.failure.released)
    said = response_text(turn.steps[-1].response).strip() if turn.steps else ""
    if turn.reply and turn.reply != said:
        screen.say()
        screen.entry("reply", turn.reply, "bold green")
    learned = list(_learned(events))
    if learned:
        screen.say()
    for event in learned:
        _print_learned(screen, event)


def _print_step(screen: Screen, step: Step) -> None:
    trace = step.trace
    if not trace.round:
        screen.entry("said", f"without a model: {response_text(step.response)}", "bold green")
        return
    screen.entry(f"request {trace.round}", f"{_size(trace)}, to {step.model or 'a model'}", "magenta")
    if trace.managed:
        screen.entry("", trace.managed)
    for line in plan_lines(trace):
        screen.entry("", line)
    if text := response_text(step.response).strip():
        screen.entry("assistant", text, "bold green")
    for use in uses(step):
        call = use.call
        screen.entry("call", f"{use.tool} {use.args}", "yellow")
        screen.entry("", f"effect {call.effect or 'not recorded'}, call id {call.call_id or 'none yet'}")
        screen.entry("result", "none on record" if use.result is None else use.result, "yellow")


def _size(trace: RequestTrace) -> str:
    count = trace.count
    asked = "not asked" if count.provider is None else f"{count.provider:,}"
    return (
        f"{count.best:,} tokens of {trace.target:,} "
        f"(estimate {count.estimate:,}, bound {count.bound:,}, provider {asked})"
    )


def plan_lines(trace: RequestTrace) -> Iterator[str]:
    """What the plan of a request says, one line each."""
    yield _view(trace.cut)
    if trace.summarised:
        yield f"summarised here: {_spans(trace.summarised)}"
    if trace.dropped:
        yield f"dropped here: {_spans(trace.dropped)}"
    if trace.recalled:
        yield f"recalled from turn{'' if len(trace.recalled) == 1 else 's'} {', '.join(map(str, trace.recalled))}"
    if trace.cut.cap:
        yield f"texts of more than {trace.cut.cap:,} tokens shown shortened"
    if trace.retried:
        yield f"sent again: {trace.retried}"
    yield from trace.notes


def _view(cut: Cut) -> str:
    if cut.first <= 1:
        return "view: every turn, word for word"
    opening = "the opening request, " if cut.opening else ""
    summaries = f"summaries of {turns_text(cut.since, cut.first - 1)}, " if cut.since < cut.first else ""
    facts = "facts, " if cut.facts else ""
    return f"view: {facts}{opening}{summaries}word for word from turn {cut.first}"


def _spans(spans: Iterable[Span]) -> str:
    return ", ".join(turns_text(span.first, span.last) for span in spans)


def _learned(events: Iterable[Recorded]) -> Iterator[FactsLearned]:
    for recorded in events:
        if isinstance(recorded.event, FactsLearned):
            yield recorded.event


def _print_learned(screen: Screen, event: FactsLearned) -> None:
    for fact in event.facts:
        quoted = f", from “{fact.quote}”" if fact.quote else ""
        taken = "taken back: " if fact.retracted else ""
        screen.entry(
            "learned",
            f"{taken}{fact.key} = {fact.value} ({fact.source.value}, by {event.by}{quoted})",
            "cyan",
        )
    for problem in event.problems:
        screen.entry("refused", problem)


def turn_data(turn: Turn, events: Sequence[Recorded]) -> dict[str, Any]:
    """What a turn in full adds to a turn in short, as JSON data."""
    return {
        "plans": [_step_data(step) for step in turn.steps],
        "learned": [
            {
                "status": event.status,
                "by": event.by,
                "facts": [
                    {"key": f.key, "value": f.value, "source": f.source.value, "quote": f.quote}
                    for f in event.facts
                ],
                "problems": list(event.problems),
            }
            for event in _learned(events)
        ],
    }


def _step_data(step: Step) -> dict[str, Any]:
    trace = step.trace
    count, cut = trace.count, trace.cut
    return {
        "round": trace.round,
        "model": step.model,
        "count": {"estimate": count.estimate, "bound": count.bound, "provider": count.provider},
        "target": trace.target,
        "cut": {
            "first": cut.first,
            "since": cut.since,
            "opening": cut.opening,
            "facts": cut.facts,
            "values": cut.values or cut.since,
            "cap": cut.cap,
        },
        "managed": trace.managed,
        "dropped": [[span.first, span.last] for span in trace.dropped],
        "summarised": [[span.first, span.last] for span in trace.summarised],
        "recalled": list(trace.recalled),
        "retried": trace.retried,
        "notes": list(trace.notes),
        "text": response_text(step.response),
        "calls": [use_data(use) for use in uses(step)],
    }


def use_data(use: Use) -> dict[str, Any]:
    """A tool call as JSON data."""
    result = use.call.result
    return {
        "tool": use.tool,
        "args": use.args,
        "call_id": use.call.call_id,
        "tool_call_id": use.call.tool_call_id,
        "effect": use.call.effect,
        "result": use.result,
        "outcome": None if result is None else result.outcome,
    }
