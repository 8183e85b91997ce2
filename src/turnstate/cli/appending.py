"""What a conversation's requests came to, and what they would have been had the whole transcript been sent each time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from turnstate.core.context.counting import size_message
from turnstate.core.events import RequestTrace
from turnstate.core.history import Turn
from turnstate.core.messages import ModelResponse


@dataclass(frozen=True, slots=True)
class Bill:
    """The input of a conversation's requests, in tokens.

    Attributes:
        turns: its turns.
        requests: its requests that were answered.
        tokens: of all of them together, as they were sent.
        append_tokens: of all of them together, had each sent everything before it.
        largest: the largest as sent.
        append_largest: the largest had it sent everything.
        cuts: requests at which older turns left the view.
        target: what the last request was allowed.
    """

    turns: int
    requests: int
    tokens: int
    append_tokens: int
    largest: int
    append_largest: int
    cuts: int
    target: int


def bill(turns: Sequence[Turn]) -> Bill:
    """The bill of all turns of a conversation.

    What stands before the messages (instructions, tools, facts) is taken from the first request, which has nothing
    else before its own. Both sides are counted alike: by the estimate, calibrated as each request was.
    """
    traces = [step.trace for turn in turns for step in turn.steps]
    sent = [trace.count.best for trace in traces]
    appended = list(_appended(turns, traces))
    firsts = [1, *(trace.cut.first for trace in traces)]
    return Bill(
        turns=len(turns),
        requests=len(traces),
        tokens=sum(sent),
        append_tokens=sum(appended),
        largest=max(sent, default=0),
        append_largest=max(appended, default=0),
        cuts=sum(after > before for before, after in pairwise(firsts)),
        target=traces[-1].target if traces else 0,
    )


def _appended(turns: Sequence[Turn], traces: Sequence[RequestTrace]) -> Iterator[int]:
    """The size of each request with all that was said before it."""
    head: int | None = None
    said = 0
    remaining = iter(traces)
    for turn in turns:
        for message in turn.messages():
            if isinstance(message, ModelResponse):
                count = next(remaining).count
                head = max(0, count.raw - said) if head is None else head
                ratio = count.estimate / count.raw if count.raw else 1.0
                yield round((head + said) * ratio)
            said += size_message(message).estimate
