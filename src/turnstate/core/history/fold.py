"""The fold of a conversation's events into a history."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from turnstate.core.events import (
    Asked,
    ConversationOpened,
    Cut,
    Erased,
    FactsLearned,
    HandedOff,
    ModelResponded,
    Recorded,
    Resumed,
    Said,
    Span,
    StateChanged,
    SummaryWritten,
    TurnClosed,
    TurnOpened,
    TurnPinned,
)
from turnstate.core.history.turns import StateHeld, Turn, advance
from turnstate.core.history.view import History, Pin, Put, Summary

REMEMBERED = 200
"""Questions that are remembered: older ones are not compared with, and the log still has them."""


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
        self.states = {held.name: held for held in history.states}

    def freeze(self) -> History:
        return replace(
            self.history,
            turns=tuple(self.turns[number] for number in sorted(self.turns)),
            summaries=tuple(self.summaries),
            pins=tuple(self.pins[number] for number in sorted(self.pins)),
            states=tuple(self.states[name] for name in sorted(self.states)),
        )

    def add(self, recorded: Recorded) -> None:
        self.history = replace(self.history, conversation=recorded.conversation, head=recorded.seq)
        event = recorded.event
        match event:
            case TurnOpened():
                self._open(recorded, event)
            case SummaryWritten():
                self._summarise(Summary(recorded.seq, event))
            case StateChanged():
                self._change(recorded, event)
            case ConversationOpened() | Asked() | HandedOff() | Resumed():
                self._stand(recorded)
            case Erased():
                self._erase(event.turns)
            case TurnPinned():
                self._pin(Pin(recorded.turn, recorded.seq, event.text))
            case FactsLearned():
                # The facts themselves are a projection of their own, shared by the user's conversations.
                if event.by == "model" and (read := self.turns.get(event.source)) is not None:
                    self.turns[read.number] = replace(read, read=True)
            case _:
                self._advance(recorded)

    def _advance(self, recorded: Recorded) -> None:
        """An event of one turn, or what the assistant said before there was any."""
        event, turn = recorded.event, self.turns.get(recorded.turn)
        if isinstance(event, Said) and not recorded.turn:
            self._greet(recorded.seq, event.text)
        if turn is None:
            return
        self.turns[turn.number] = replace(advance(turn, recorded), last=recorded.seq)
        self._revise(turn.number)
        if isinstance(event, TurnClosed):
            self.states |= {held.name: held for held in turn.changed}
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
            turn = replace(turn, greeting=self.history.greeting)
            self.history = replace(self.history, opening=turn)
        self.history = replace(self.history, last_turn=max(self.history.last_turn, number))
        if number >= self.history.cut.first:
            self.turns[number] = turn

    def _greet(self, seq: int, text: str) -> None:
        """What is said before the user says anything goes with the first turn."""
        said = "\n\n".join(filter(None, (self.history.greeting, text)))
        self.history = replace(self.history, greeting=said, greeted=(*self.history.greeted, seq))

    def _stand(self, recorded: Recorded) -> None:
        """What stands for the conversation, whatever turn it came from."""
        event = recorded.event
        if isinstance(event, ConversationOpened):
            self.history = replace(self.history, user=event.user, opened=recorded.seq)
        elif isinstance(event, Asked):
            put = tuple(Put(question, recorded.turn, recorded.seq) for question in event.questions)
            self.history = replace(self.history, asked=(*self.history.asked, *put)[-REMEMBERED:])
        else:
            since = recorded.seq if isinstance(event, HandedOff) else 0
            self.history = replace(self.history, handed_off=since)

    def _change(self, recorded: Recorded, event: StateChanged) -> None:
        turn = self.turns.get(recorded.turn)
        if turn is not None and turn.status != "closed":
            self.turns[turn.number] = replace(advance(turn, recorded), last=recorded.seq)
            return
        # A snapshot keeps it without its turn.
        self.states[event.state] = StateHeld(
            event.state, event.version, event.owner, event.value, recorded.turn, recorded.seq
        )

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
            self.turns, self.summaries, self.states, self.pins = {}, [], {}, {}
            return
        self.pins = {number: pin for number, pin in self.pins.items() if number not in gone}
        left = tuple(put for put in self.history.asked if put.turn not in gone)
        self.history = replace(self.history, asked=left)
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
