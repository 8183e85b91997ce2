"""A conversation as a turn needs it, and the snapshot that gives it again."""

from __future__ import annotations

from dataclasses import dataclass, field

from turnstate.core.events import Cut, Question, SummaryWritten
from turnstate.core.history.turns import StateHeld, Turn


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
class Put:
    """A question that was put to the user.

    Attributes:
        question: the question.
        turn: the turn whose reply asked it.
        seq: the place of its event.
    """

    question: Question
    turn: int
    seq: int


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
        asked: the questions put to the user that are still remembered, oldest first.
        handed_off: where a person took over, or 0.
        opened: where the conversation was opened.
        greeted: where the assistant spoke before the user said anything.
        greeting: what it said then.
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
    states: tuple[StateHeld, ...] = ()
    asked: tuple[Put, ...] = ()
    handed_off: int = 0
    opened: int = 0
    greeted: tuple[int, ...] = ()
    greeting: str = ""
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
        keep = {self.opened, self.handed_off, *self.greeted} | {summary.seq for summary in self.summaries}
        keep |= {held.seq for held in self.states} | {pin.seq for pin in self.pins}
        keep |= {put.seq for put in self.asked}
        if self.opening is not None:
            keep.add(self.opening.seq)
        return Snapshot(first, tuple(sorted(seq for seq in keep if 0 < seq < first)))
