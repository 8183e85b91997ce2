"""The fold of a conversation's events into what a turn needs: `History`, bounded by the cut.

The fold pairs by turn, not by position: queued opens, late facts and background summaries may stand anywhere. What
left the view is forgotten here (the log keeps it), so that loading and planning cost what is in view, whatever the
conversation's length. A `Snapshot` names the events that give the same history again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from turnstate.core.events import (
    ApprovalAnswered,
    ApprovalAsked,
    ConversationOpened,
    Cut,
    Erased,
    Event,
    FactsLearned,
    HandedOff,
    ModelResponded,
    Recorded,
    RequestTrace,
    Resumed,
    Span,
    StateChanged,
    SummaryWritten,
    ToolCalled,
    ToolReturned,
    TurnClosed,
    TurnFailed,
    TurnOpened,
    TurnPinned,
)
from turnstate.core.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ToolReturnPart,
    calls,
    request,
    response_text,
    tool_return,
)

WAITING = "This call waits for a person's approval and has not run."
"""What the model is told about a call that a person has been asked about, while nobody has answered."""

TurnStatus: TypeAlias = Literal["open", "failed", "closed"]


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call of a response.

    Attributes:
        tool_call_id: the provider's id, as in the response.
        call_id: our id, or "" while the call is not recorded.
        effect: as recorded, or "" before.
        result: the result, or None while there is none.
        awaits: whether a person has been asked and has not answered.
    """

    tool_call_id: str
    call_id: str = ""
    effect: str = ""
    result: ToolReturnPart | None = None
    awaits: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One model response with what became of its calls.

    Attributes:
        response: as it came.
        calls: in the response's order.
        trace: the request that it answers.
        model: the model's id.
    """

    response: ModelResponse
    calls: tuple[Call, ...]
    trace: RequestTrace
    model: str = ""

    def results(self) -> list[ToolReturnPart]:
        """What stands behind the response: the results there are, and a word for each call that waits for a person."""
        names = {part.tool_call_id: part.tool_name for part in calls(self.response)}
        waiting = (
            call.result
            if call.result is not None or not call.awaits
            else tool_return(names.get(call.tool_call_id, ""), WAITING, call.tool_call_id, 0, "interrupted")
            for call in self.calls
        )
        return [result for result in waiting if result is not None]

    @property
    def pending(self) -> tuple[Call, ...]:
        """The calls without a result."""
        return tuple(call for call in self.calls if call.result is None)


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange: what the user said and all that followed.

    Attributes:
        number: from 1, in order of arrival.
        seq: the place of its first event.
        at: when it was opened, in microseconds since the epoch.
        user: the user's message.
        key: the client's key, or None.
        digest: SHA-256 of the message.
        steps: the responses with their tool results.
        status: "open", "failed" or "closed".
        reply: the recorded reply; "" before the turn closed.
        failure: how it failed, or None.
        read: whether a model has read its message for facts.
        last: the place of the newest event that changed it.
    """

    number: int
    seq: int
    at: int
    user: ModelRequest
    key: str | None = None
    digest: str = ""
    steps: tuple[Step, ...] = ()
    status: TurnStatus = "open"
    reply: str = ""
    failure: TurnFailed | None = None
    read: bool = False
    last: int = 0

    def messages(self) -> tuple[ModelMessage, ...]:
        """The turn as messages, results grouped behind the response that asked for them."""
        found: list[ModelMessage] = [self.user]
        for step in self.steps:
            found.append(step.response)
            if results := step.results():
                found.append(request(results))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary in view.

    Attributes:
        seq: the place of its event.
        written: the event.
    """

    seq: int
    written: SummaryWritten


@dataclass(frozen=True, slots=True)
class Pin:
    """A turn that every path keeps in view.

    Attributes:
        turn: its number.
        seq: the place of the event that pinned it.
        text: the turn word for word, one line for each thing said.
    """

    turn: int
    seq: int
    text: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Which events give the history again: `keep`, and every one from `first` on. Bounded and disposable.

    Attributes:
        first: the first seq of the view.
        keep: seqs before it that still count, in order.
    """

    first: int
    keep: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """A conversation as a turn needs it.

    Attributes:
        conversation: its id.
        user: whose it is, or None.
        head: the newest seq folded.
        last_turn: the highest turn number opened.
        opening: the turn of the opening request, or None before it.
        turns: the turns in view, by number; the open and queued ones included.
        summaries: the summaries in view, and those whose values are, by span.
        pins: the pinned turns, by number.
        cut: where the view stands.
        states: the newest value of every state, by name, undecoded; unknown ones included.
        state_seqs: where those values were recorded.
        handed_off: where a person took over, or 0.
        opened: where the conversation was opened.
        erased: whether the conversation was erased.
    """

    conversation: str = ""
    user: str | None = None
    head: int = 0
    last_turn: int = 0
    opening: Turn | None = None
    turns: tuple[Turn, ...] = ()
    summaries: tuple[Summary, ...] = ()
    pins: tuple[Pin, ...] = ()
    cut: Cut = field(default_factory=Cut)
    states: tuple[tuple[str, Any], ...] = ()
    state_seqs: tuple[tuple[str, int], ...] = ()
    handed_off: int = 0
    opened: int = 0
    erased: bool = False

    def turn(self, number: int) -> Turn | None:
        """The turn in view with this number."""
        return next((turn for turn in reversed(self.turns) if turn.number == number), None)

    def before(self, number: int) -> tuple[Turn, ...]:
        """The turns in view that came before turn `number`."""
        return tuple(turn for turn in self.turns if turn.number < number)

    def snapshot(self) -> Snapshot:
        """The seqs that give this history again."""
        if self.erased:
            return Snapshot(1)  # the log holds little else than the tombstone
        first = min((turn.seq for turn in self.turns), default=self.head + 1)
        keep = {self.opened, self.handed_off} | {summary.seq for summary in self.summaries}
        keep |= {seq for _, seq in self.state_seqs} | {pin.seq for pin in self.pins}
        if self.opening is not None:
            keep.add(self.opening.seq)
        return Snapshot(first, tuple(sorted(seq for seq in keep if 0 < seq < first)))


def fold(events: Iterable[Recorded], start: History | None = None) -> History:
    """Fold `events`, in order of seq, onto `start`.

    Events of turns that are no longer in view change nothing; an event that was folded already is skipped, and so is
    what was written after the whole conversation was erased.

    Args:
        events: recorded events; gaps are allowed (see `Snapshot`).
        start: the history so far, or None for an empty one.

    Returns:
        The history after the last event.
    """
    view = _View(start or History())
    for recorded in events:
        if recorded.seq > view.history.head and not view.history.erased:
            view.add(recorded)
    return view.freeze()


class _View:
    """A history while events are folded onto it: turns by number, so that a long fold stays linear."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.turns = {turn.number: turn for turn in history.turns}
        self.summaries = list(history.summaries)
        self.pins = {pin.turn: pin for pin in history.pins}
        self.states = dict(history.states)
        self.state_seqs = dict(history.state_seqs)

    def freeze(self) -> History:
        return replace(
            self.history,
            turns=tuple(self.turns[number] for number in sorted(self.turns)),
            summaries=tuple(self.summaries),
            pins=tuple(self.pins[number] for number in sorted(self.pins)),
            states=tuple(sorted(self.states.items())),
            state_seqs=tuple(sorted(self.state_seqs.items())),
        )

    def add(self, recorded: Recorded) -> None:
        self.history = replace(self.history, conversation=recorded.conversation, head=recorded.seq)
        event = recorded.event
        match event:
            case ConversationOpened():
                self.history = replace(self.history, user=event.user, opened=recorded.seq)
            case TurnOpened():
                self._open(recorded, event)
            case SummaryWritten():
                self._summarise(Summary(recorded.seq, event))
            case StateChanged():
                self.states[event.state] = event.value
                self.state_seqs[event.state] = recorded.seq
            case HandedOff() | Resumed():
                self.history = replace(
                    self.history, handed_off=recorded.seq if isinstance(event, HandedOff) else 0
                )
            case Erased():
                self._erase(event.turns)
            case TurnPinned():
                self._pin(Pin(recorded.turn, recorded.seq, event.text))
            case FactsLearned():
                # The facts themselves are a projection of their own, shared by the user's conversations.
                if event.by == "model" and (read := self.turns.get(event.source)) is not None:
                    self.turns[read.number] = replace(read, read=True)
            case _:
                if (turn := self.turns.get(recorded.turn)) is not None:
                    self.turns[turn.number] = replace(_advance(turn, event), last=recorded.seq)
                    self._revise(turn.number)
                    if isinstance(event, ModelResponded):
                        self._move(event.request.cut)

    def _open(self, recorded: Recorded, event: TurnOpened) -> None:
        number = recorded.turn
        if (old := self.turns.get(number)) is not None:
            self.turns[number] = replace(old, status="open", failure=None, last=recorded.seq)
            self._revise(number)
            return
        opening = self.history.opening
        turn = Turn(number, recorded.seq, recorded.at, event.message, event.key, event.digest)
        turn = replace(turn, last=recorded.seq)
        if opening is None or number < opening.number:
            self.history = replace(self.history, opening=turn)
        self.history = replace(self.history, last_turn=max(self.history.last_turn, number))
        if number >= self.history.cut.first:
            self.turns[number] = turn

    def _summarise(self, summary: Summary) -> None:
        written = summary.written
        known = (
            self.turns[n].last
            for n in range(written.covers.first, written.covers.last + 1)
            if n in self.turns
        )
        # Written ahead of need, it may come after a change of what it read.
        changed = written.seen > 0 and max(known, default=0) > written.seen
        if written.covers.last >= _oldest(self.history.cut) and not changed:
            self.summaries.append(summary)
            self.summaries.sort(key=lambda summary: (summary.written.covers.first, summary.seq))

    def _revise(self, number: int) -> None:
        """A turn changed: what was summarised of it ahead of need is void."""
        if self.summaries and any(number in summary.written.covers for summary in self.summaries):
            self.summaries = [
                s for s in self.summaries if not (s.written.seen and number in s.written.covers)
            ]

    def _pin(self, pin: Pin) -> None:
        if pin.text:
            self.pins[pin.turn] = pin
        else:
            self.pins.pop(pin.turn, None)

    def _erase(self, gone: Span | None) -> None:
        """Forget what was erased, so that a history kept in memory sends nothing that the log no longer holds."""
        if gone is None:
            self.history = History(self.history.conversation, head=self.history.head, erased=True)
            self.turns, self.summaries, self.states, self.state_seqs, self.pins = {}, [], {}, {}, {}
            return
        self.pins = {number: pin for number, pin in self.pins.items() if number not in gone}
        for number in [number for number in self.turns if number in gone]:
            del self.turns[number]
        self.summaries = [
            summary
            for summary in self.summaries
            if summary.written.covers.last < gone.first or gone.last < summary.written.covers.first
        ]
        opening = self.history.opening
        if opening is not None and opening.number in gone:
            self.history = replace(self.history, opening=self.turns.get(min(self.turns, default=0)))

    def _move(self, cut: Cut) -> None:
        if cut.first < self.history.cut.first or cut.since < self.history.cut.since:
            return  # a late worker's older view; a cut only moves forward
        self.history = replace(self.history, cut=cut)
        for number in [number for number in self.turns if number < cut.first]:
            del self.turns[number]
        oldest = _oldest(cut)
        self.summaries = [summary for summary in self.summaries if summary.written.covers.last >= oldest]


def _oldest(cut: Cut) -> int:
    """The first turn of which a summary, or the values that stand beside one, are in view."""
    return min(cut.since, cut.values or cut.since)


def _advance(turn: Turn, event: Event) -> Turn:  # noqa: PLR0911 - one return for each kind of event
    match event:
        case ModelResponded():
            asked = tuple(Call(call.tool_call_id) for call in calls(event.response))
            step = Step(event.response, asked, event.request, event.model)
            return replace(turn, steps=(*turn.steps, step))
        case ToolCalled():
            return _with_call(turn, event.call_id, event.tool_call_id, effect=event.effect)
        case ToolReturned():
            return _with_call(
                turn, event.call_id, event.result.tool_call_id, result=event.result, awaits=False
            )
        case ApprovalAsked():
            return _with_call(turn, event.call_id, event.tool_call_id, awaits=True)
        case ApprovalAnswered():
            return _with_call(turn, event.call_id, None, awaits=False)
        case TurnClosed():
            said = response_text(turn.steps[-1].response).strip() if turn.steps else ""
            return replace(
                turn, status="closed", reply=said if event.reply is None else event.reply, failure=None
            )
        case TurnFailed():
            return replace(turn, status="failed", failure=event)
        case _:
            return turn


def _with_call(turn: Turn, call_id: str, tool_call_id: str | None, **changes: Any) -> Turn:
    """`turn` with one call changed: the one recorded as `call_id`, or else the newest of that `tool_call_id`.

    Providers reuse their ids between responses, ours are unique. A result that stands is not replaced: the model may
    have read it.
    """
    known = any(call.call_id == call_id for step in turn.steps for call in step.calls)
    named = None if known else tool_call_id
    for index in range(len(turn.steps) - 1, -1, -1):
        step = turn.steps[index]
        if any(_is(call, call_id, named) for call in step.calls):
            changed = tuple(
                replace(call, call_id=call_id, **changes)
                if _is(call, call_id, named) and call.result is None
                else call
                for call in step.calls
            )
            return replace(
                turn, steps=(*turn.steps[:index], replace(step, calls=changed), *turn.steps[index + 1 :])
            )
    return turn


def _is(call: Call, call_id: str, tool_call_id: str | None) -> bool:
    return call.call_id == call_id if tool_call_id is None else call.tool_call_id == tool_call_id
