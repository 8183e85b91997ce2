"""Where a value stood in each request of a conversation, and what took it out of view: told from the log alone.

A request is laid out as it was: head (facts, opening, summaries) with the cut that its trace records, recent turns,
the turn in flight with what was sent beside its message. Every text of the log is searched once, so that a conversation
of thousands of turns takes no longer than reading it.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from turnstate.cli.text import turns_text
from turnstate.cli.wanted import Wanted
from turnstate.core.context.layout import chain, changes, shown_facts
from turnstate.core.context.shorten import LEAST, Shortening
from turnstate.core.events import (
    Cut,
    FactsLearned,
    Kept,
    ModelResponded,
    Recorded,
    RequestTrace,
    Span,
    SummaryWritten,
    ToolReturned,
    TurnClosed,
    TurnFailed,
    TurnOpened,
    TurnPinned,
)
from turnstate.core.facts import Fact, render, supersede
from turnstate.core.history import History, Summary, TurnStatus
from turnstate.core.messages import ThinkingPart, args_text, calls, response_text, result_text, user_text

Speaker: TypeAlias = Literal["user", "assistant", "call", "tool"]
"""Who said something; a call is what the assistant asked a tool."""

PlaceKind: TypeAlias = Literal[
    "facts", "pinned", "opening", "values", "summary", "turns", "message", "steps", "update", "recalled"
]
"""A part of a request: the facts block, a pinned turn, the opening request, the exact values beside the summaries, a
summary, earlier turns word for word, the newest message, what followed it in the same turn, and what is sent once beside
the newest message: facts that changed, and what was recalled."""

SPEAKERS: tuple[Speaker, ...] = ("user", "assistant", "call", "tool")


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a request that has the value.

    Attributes:
        kind: which part.
        first: the first turn that it stands for; 0 for facts and updates.
        last: the last turn that it stands for.
        count: of earlier turns word for word, how many have the value; 1 otherwise.
        by: who said it there, where somebody did.
    """

    kind: PlaceKind
    first: int = 0
    last: int = 0
    count: int = 1
    by: tuple[Speaker, ...] = ()


@dataclass(frozen=True, slots=True)
class Look:
    """One request.

    Attributes:
        round: its number within the turn, from 1.
        places: where the value stood; nothing if it was out of view.
        left: why it is out of view though the request before it had it, or "".
    """

    round: int
    places: tuple[Place, ...]
    left: str = ""


@dataclass(slots=True)
class TurnView:
    """What the requests of one turn had of the value.

    Attributes:
        number: the turn.
        status: what became of it.
        looks: its requests, in order.
        said: who said the value in this turn.
        known: whether anybody had said it in an earlier turn.
    """

    number: int
    status: TurnStatus = "open"
    looks: list[Look] = field(default_factory=list[Look])
    said: list[Speaker] = field(default_factory=list[Speaker])
    known: bool = False

    @property
    def in_view(self) -> bool:
        """Whether any request of the turn had it."""
        return any(look.places for look in self.looks)

    @property
    def left(self) -> str:
        """What took it out of view in this turn, or ""."""
        return next((look.left for look in self.looks if look.left), "")


def trace_value(events: Sequence[Recorded], facts: Sequence[Fact], wanted: Wanted) -> tuple[TurnView, ...]:
    """Follow a value through a conversation.

    Args:
        events: the whole log of the conversation.
        facts: all facts of its user, superseded ones too, in the order they were learned.
        wanted: what to look for.

    Returns:
        Its turns, by number.
    """
    search = _Search(events, facts, wanted)
    for recorded in events:
        search.add(recorded)
    return tuple(search.turns[number] for number in sorted(search.turns))


class _Search:
    """The texts seen so far that have the value, and the requests laid out with them."""

    def __init__(self, events: Sequence[Recorded], facts: Sequence[Fact], wanted: Wanted) -> None:
        self.turns: dict[int, TurnView] = {}
        self._wanted = wanted
        self._conversation = events[0].conversation if events else ""
        self._facts = _Facts(facts, self._conversation, wanted)
        self._said: dict[Speaker, list[int]] = {speaker: [] for speaker in SPEAKERS}
        self._hits: list[int] = []
        self._opened_at: dict[int, int] = {}
        self._opening = 0
        self._summaries: list[Summary] = []
        self._kept: list[Kept] = []
        self._pins: dict[int, str] = {}
        self._long: dict[int, list[str]] = {}
        self._chained: tuple[tuple[int, int, int], tuple[Summary, ...]] = ((0, 0, 0), ())
        self._cut = Cut()
        self._started = False
        self._before: tuple[Cut, tuple[Place, ...]] = (Cut(), ())

    def add(self, recorded: Recorded) -> None:
        """Go on with the next event of the log."""
        number, event = recorded.turn, recorded.event
        match event:
            case TurnOpened():
                if number not in self.turns:
                    self.turns[number] = TurnView(number)
                    self._opened_at[number] = recorded.at
                    self._opening = min(self._opening or number, number)
                    self._hear(number, "user", user_text(event.message))
                self.turns[number].status = "open"
            case ModelResponded():
                self._request(recorded, event)
                self._hear(number, "assistant", *_spoken(event))
                for call in calls(event.response):
                    self._hear(number, "call", f"{call.tool_name} {args_text(call)}")
            case ToolReturned():
                self._hear(number, "tool", result_text(event.result))
            case SummaryWritten():
                self._summaries.append(Summary(recorded.seq, event))
                self._kept.extend(
                    kept for kept in event.kept if self._wanted.stands_in(kept.context or kept.text)
                )
            case TurnPinned():
                self._pins[number] = event.text
            case FactsLearned():
                self._facts.learn(event)
            case TurnClosed() | TurnFailed():
                if number in self.turns:
                    self.turns[number].status = "closed" if isinstance(event, TurnClosed) else "failed"
            case _:
                pass

    def _hear(self, number: int, speaker: Speaker, *texts: str) -> None:
        if number not in self.turns or not any(map(self._wanted.stands_in, texts)):
            return
        turn = self.turns[number]
        if not turn.said:
            insort(self._hits, number)
        having = [text for text in texts if self._wanted.stands_in(text)]
        if any(len(text) <= LEAST for text in having) or (turn.said and number not in self._long):
            self._long.pop(number, None)  # a short text has it, which is never shortened
        else:
            self._long.setdefault(number, []).extend(having)
        if speaker not in turn.said:
            turn.said.append(speaker)
            insort(self._said[speaker], number)

    def _request(self, recorded: Recorded, event: ModelResponded) -> None:
        number, trace = recorded.turn, event.request
        if (turn := self.turns.get(number)) is None:
            return
        places = tuple(self._places(number, trace))
        old_cut, old_places = self._before
        left = self._reason(number, trace.cut, old_cut, old_places) if old_places and not places else ""
        turn.looks.append(Look(trace.round, places, left))
        turn.known = bool(self._hits) and self._hits[0] < number
        self._before = (trace.cut, places)
        if (trace.cut.first, trace.cut.since) >= (self._cut.first, self._cut.since):
            self._cut = trace.cut
        self._started = True

    def _places(self, number: int, trace: RequestTrace) -> Iterator[Place]:
        cut = trace.cut
        yield from self._in_head(cut)
        if (verbatim := self._verbatim(cut.first, number, trace)) is not None:
            yield verbatim
        said = self.turns[number].said
        if "user" in said:
            yield Place("message", number, number, by=("user",))
        later: tuple[Speaker, ...] = tuple(speaker for speaker in said if speaker != "user")
        if later:
            yield Place("steps", number, number, by=later)
        # What changed since the head was written is not sent with a request that writes the head anew.
        if self._started and cut == self._cut and self._facts.sent(self._opened_at[number], trace):
            yield Place("update")
        said_in = [turn for turn in trace.recalled if turn in self._hits]
        if said_in:
            yield Place("recalled", said_in[0], said_in[-1], len(said_in))

    def _in_head(self, cut: Cut) -> Iterator[Place]:
        if self._wanted.stands_in(cut.facts):
            yield Place("facts")
        for turn, text in self._pins.items():
            if turn < cut.first and self._wanted.stands_in(text):
                yield Place("pinned", turn, turn)
        if cut.opening and 0 < self._opening < cut.first and self._opening in self._said["user"]:
            yield Place("opening", self._opening, self._opening, by=("user",))
        beside = [kept.turn for kept in self._kept if (cut.values or cut.since) <= kept.turn < cut.first]
        if beside:
            yield Place("values", min(beside), max(beside), len(set(beside)))
        for summary in self._chain(cut):
            if self._wanted.stands_in(summary.written.text):
                covers = summary.written.covers
                yield Place("summary", covers.first, covers.last)

    def _chain(self, cut: Cut) -> tuple[Summary, ...]:
        key = (cut.since, cut.first, len(self._summaries))
        if self._chained[0] != key:
            self._chained = (key, chain(self._summaries, cut.since, cut.first))
        return self._chained[1]

    def _verbatim(self, first: int, number: int, trace: RequestTrace) -> Place | None:
        start, end = bisect_left(self._hits, first), bisect_left(self._hits, number)
        hidden = trace.cut.cap and all(self._hidden(turn, trace) for turn in self._hits[start:end])
        if start == end or hidden:
            return None
        by: tuple[Speaker, ...] = tuple(
            speaker
            for speaker, numbers in self._said.items()
            if bisect_left(numbers, first) < bisect_left(numbers, number)
        )
        return Place("turns", self._hits[start], self._hits[end - 1], end - start, by)

    def _hidden(self, turn: int, trace: RequestTrace) -> bool:
        """Whether all that has the value in a turn is too long and was shown without the part that has it."""
        shown = Shortening(trace.cut.cap, trace.count.estimate / max(1, trace.count.raw))
        texts = self._long.get(turn)
        return texts is not None and not any(
            self._wanted.stands_in(shown.text(text, "0.0")) for text in texts
        )

    def _reason(self, number: int, cut: Cut, old: Cut, places: Sequence[Place]) -> str:
        """Why the places of the request before are not in this one."""
        shown = [summary.written.covers for summary in self._chain(cut)]
        causes = dict.fromkeys(_cause(place, cut, old, shown) for place in places)
        return f"left the view in turn {number}: " + "; ".join(causes)


def _cause(place: Place, cut: Cut, old: Cut, shown: Sequence[Span]) -> str:
    span = turns_text(place.first, place.last)
    causes: dict[PlaceKind, str] = {
        "opening": "the opening request gave way",
        "facts": "the facts were written anew without it" if cut.facts != old.facts else "the facts changed",
        "summary": f"the summary of {span} gave way",
        "update": "it was sent once, beside an earlier message, and is no longer a fact in force",
        "pinned": f"{span} is no longer pinned",
        "values": f"the values of {span} gave way",
        "recalled": "it was recalled for an earlier message only",
    }
    return causes.get(place.kind) or _gone(
        span, [s for s in shown if s.first <= place.last and place.first <= s.last]
    )


def _gone(span: str, summaries: Sequence[Span]) -> str:
    if not summaries:
        return f"{span} was dropped without a summary"
    covered = turns_text(summaries[0].first, summaries[-1].last)
    return f"summarised into {covered}, and the summary does not hold it"


def _spoken(event: ModelResponded) -> Iterator[str]:
    yield response_text(event.response)
    for part in event.response.parts:
        if isinstance(part, ThinkingPart):
            yield part.content


class _Facts:
    """The facts of the user as they were known, and whether those with the value were sent beside a message."""

    def __init__(self, facts: Sequence[Fact], conversation: str, wanted: Wanted) -> None:
        self._wanted = wanted
        self._conversation = conversation
        self._relevant = any(wanted.stands_in(render([fact])) for fact in facts)
        self._others = [fact for fact in facts if fact.conversation != conversation]
        self._learned: list[Fact] = []
        self._sent: dict[tuple[object, ...], bool] = {}

    def learn(self, event: FactsLearned) -> None:
        """Note that this conversation has learned these facts by now."""
        self._learned.extend(event.facts)

    def sent(self, opened: int, trace: RequestTrace) -> bool:
        """Whether one of them was sent beside the message of the turn that was opened at `opened`."""
        if not self._relevant:
            return False
        others = [fact for fact in self._others if fact.at < opened]
        known = [*others, *self._learned]
        ended = sum(fact.expires_at is not None and fact.expires_at <= opened for fact in known)
        key = (len(others), len(self._learned), ended, trace.cut.first, trace.cut.facts, trace.target)
        if key not in self._sent:
            self._sent[key] = self._changed(supersede(known).active(opened), trace)
        return self._sent[key]

    def _changed(self, active: Sequence[Fact], trace: RequestTrace) -> bool:
        """Whether what the head does not say of these facts has the value."""
        history = History(conversation=self._conversation, cut=trace.cut)
        lines = changes(shown_facts(active, trace.target), history).splitlines()
        return any(
            self._wanted.stands_in(line) for line in lines if not line.endswith(": no longer on record")
        )
