"""What a doctor finds in a store: the findings, and the checks of one conversation that all stores share.

A doctor looks at all tenants and writes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from turnstate.core.events import Event, FactsLearned, StateChanged
from turnstate.errors import EventDecodeError
from turnstate.stores.codec import Fetch, decode, decode_fact
from turnstate.stores.rules import LONGEST_LEASE
from turnstate.stores.searched import searched_words

LOOKED_UP = 3
"""Events of each conversation, the newest that say something, whose words are looked up in the search index."""

_ENDS = {"closed": "turn-closed", "failed": "turn-failed", "paused": "turn-paused"}
"""The event that leaves a turn in each status."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong.

    Attributes:
        kind: a stable name for what it is.
        problem: what was found.
        step: what to do.
        tenant: whose it is; "" for the whole store.
        conversation: where it is; "" for the whole store.
        turn: in which turn, or 0.
        seq: at which event, or 0.
    """

    kind: str
    problem: str
    step: str
    tenant: str = ""
    conversation: str = ""
    turn: int = 0
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """What a doctor says of a store.

    Attributes:
        url: the store, without a password.
        found: the schema version that it has.
        expected: the schema version of this release.
        conversations: how many were looked at.
        events: how many were looked at.
        states: in how many conversations a state's newest value is of a version, by name and version.
        findings: what is wrong.
    """

    url: str
    found: int
    expected: int
    conversations: int = 0
    events: int = 0
    states: Mapping[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event as it is kept."""

    seq: int
    turn: int
    tag: str
    version: int
    body: object


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A turn as it is kept.

    Attributes:
        turn: its number; 0 for the work between turns.
        seq: where it was opened.
        status: "open", "paused", "failed" or "closed".
        holder: its worker, or None.
        left: for how much longer its worker's word is good, in microseconds; negative where it is silent.
    """

    turn: int
    seq: int
    status: str
    holder: str | None = None
    left: int = 0


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact of the projection: the event that taught it, its body, and which of the event's facts it is if that is known."""

    seq: int
    body: object
    index: int = 0


@dataclass(frozen=True, slots=True)
class Chart:
    """One conversation as it is kept.

    Attributes:
        tenant: whose it is.
        conversation: its id.
        head: its newest seq.
        last_turn: its highest turn.
        events: in order.
        turns: in order.
        facts: those that it taught.
        first: the first seq that its snapshot does not name; 1 without a snapshot.
        keep: what its snapshot names.
        blob: what stands beside the events.
        lacks: which of the words of an event the search index does not have.
    """

    tenant: str
    conversation: str
    head: int
    last_turn: int
    events: Sequence[EventRow]
    turns: Sequence[TurnRow]
    facts: Sequence[FactRow]
    first: int
    keep: Sequence[int]
    blob: Fetch
    lacks: Callable[[int, int, frozenset[str]], bool]


class Examination:
    """Looks at one conversation after the other.

    Args:
        known: the newest version of each state that the application has, by name; None where nobody says.
    """

    def __init__(self, known: Mapping[str, int] | None = None) -> None:
        self._known = known
        self._states: Counter[tuple[str, int]] = Counter()
        self._seen_in: dict[tuple[str, int], tuple[str, str]] = {}
        self._conversations = 0
        self._events = 0
        self._findings: list[Finding] = []

    def add(self, findings: Iterable[Finding]) -> None:
        """Note what was found by other means."""
        self._findings.extend(findings)

    def look(self, chart: Chart) -> None:
        """Examine one conversation."""
        self._conversations += 1
        self._events += len(chart.events)
        events, undecodable = _decoded(chart)
        self._findings.extend(undecodable)
        for check in (_gaps, _turns, _strays, _snapshot):
            self._findings.extend(check(chart))
        self._findings.extend(_facts(chart, events))
        self._findings.extend(_index(chart, events))
        newest = {event.state: event.version for event in events.values() if isinstance(event, StateChanged)}
        for seen in newest.items():
            self._states[seen] += 1
            self._seen_in.setdefault(seen, (chart.tenant, chart.conversation))

    def report(self, url: str, found: int, expected: int) -> Report:
        """What there is to say, at the end."""
        findings = (*self._findings, *self._of_states())
        return Report(url, found, expected, self._conversations, self._events, dict(self._states), findings)

    def _of_states(self) -> Iterator[Finding]:
        """States that the application does not know, or knows an older version of; each once."""
        if self._known is None:
            return
        for (name, version), number in sorted(self._states.items()):
            known = self._known.get(name)
            where = f"in {number:,} conversation{'' if number == 1 else 's'}, one of which this is"
            if known is None:
                problem = f"state {name} is not one of the application's, {where}"
                step = "Its values are kept and not read: bring the state back, or leave it"
                yield Finding("unknown-state", problem, step, *self._seen_in[name, version])
            elif version > known:
                problem = f"state {name} has version {version}, the application knows {known}, {where}"
                step = "Run the newer release of the application; until then the state has its defaults"
                yield Finding("newer-state", problem, step, *self._seen_in[name, version])


def _decoded(chart: Chart) -> tuple[dict[int, Event], list[Finding]]:
    events: dict[int, Event] = {}
    findings: list[Finding] = []
    for row in chart.events:
        try:
            events[row.seq] = decode(row.tag, row.version, row.body, chart.blob)
        except EventDecodeError as error:
            problem = f"event {error.tag!r}, version {error.version}, does not decode: {error.reason}"
            step = "It is left out of every read: use the release that wrote it, or restore it from a backup"
            findings.append(_finding(chart, "undecodable", problem, step, turn=row.turn, seq=row.seq))
    return events, findings


def _erased_up_to(chart: Chart) -> int:
    """The newest tombstone's place: what is missing before it was erased. A conversation's may stand outside its places."""
    places = [row.seq for row in chart.events if row.tag == "erased"]
    return chart.head if 0 in places else max(places, default=0)


def _gaps(chart: Chart) -> Iterator[Finding]:
    """Events are numbered from 1 to the head, but for what was erased."""
    before = _erased_up_to(chart)
    seqs = [row.seq for row in chart.events if row.seq > before]
    step = "They are lost: restore them from a backup"
    for seq in (*seqs, chart.head + 1):
        if seq > before + 1:
            problem = f"events {before + 1} to {seq - 1} are missing"
            yield _finding(chart, "gap", problem, step, seq=before + 1)
        before = max(before, seq)
    if seqs and seqs[-1] > chart.head:
        problem = f"there are events up to {seqs[-1]}, and the conversation ends at {chart.head}"
        yield _finding(chart, "gap", problem, "Restore the conversation from a backup", seq=chart.head + 1)


def _turns(chart: Chart) -> Iterator[Finding]:
    """Each turn has the event that opened it and the one that ended it, and somebody works on it while it is open."""
    tags: dict[int, set[str]] = {}
    for row in chart.events:
        tags.setdefault(row.turn, set()).add(row.tag)
    opened = {(row.turn, row.seq) for row in chart.events if row.tag == "turn-opened"}
    erased = _erased_up_to(chart)
    for turn in chart.turns:
        if turn.turn and turn.seq > erased:
            if (turn.turn, turn.seq) not in opened:
                problem = f"the message of turn {turn.turn} is missing: event {turn.seq} does not open it"
                yield _finding(
                    chart, "turn-without-message", problem, "Restore it from a backup", turn=turn.turn
                )
            ended = _ENDS.get(turn.status)
            if ended is not None and ended not in tags.get(turn.turn, set()):
                problem = f"turn {turn.turn} is {turn.status}, and no event {ended!r} says so"
                yield _finding(chart, "turn-without-end", problem, "Restore it from a backup", turn=turn.turn)
        yield from _worker(chart, turn)


def _worker(chart: Chart, turn: TurnRow) -> Iterator[Finding]:
    alive = turn.holder is not None and 0 < turn.left <= LONGEST_LEASE
    what = f"turn {turn.turn}" if turn.turn else "the work between turns"
    if turn.holder is not None and not alive:
        silent = f"has said nothing for {-turn.left / 1e6:,.0f} s" if turn.left <= 0 else "is from the future"
        problem = f"{what} is leased to {turn.holder}, whose lease lapsed: it {silent}"
        yield _finding(chart, "lapsed-lease", problem, _NEXT, turn=turn.turn)
    elif turn.turn and turn.status == "open" and not alive:
        yield _finding(
            chart, "nobody-works", f"{what} is open, and nobody works on it", _NEXT, turn=turn.turn
        )


_NEXT = "The next message takes it over; or send the same message with the same key"


def _strays(chart: Chart) -> Iterator[Finding]:
    """Every event belongs to a turn on record, or to none."""
    known, erased = {turn.turn for turn in chart.turns} | {0}, _erased_up_to(chart)
    # What stands in a state stays when its turn is erased.
    rows = [row for row in reversed(chart.events) if row.turn not in known and row.seq > erased]
    strays = {row.turn: row.seq for row in rows}
    for turn, seq in sorted(strays.items()):
        problem = f"events belong to turn {turn}, which is not on record"
        yield _finding(chart, "turn-missing", problem, "Restore it from a backup", turn=turn, seq=seq)


def _snapshot(chart: Chart) -> Iterator[Finding]:
    """A snapshot names events that are there."""
    there, erased = {row.seq for row in chart.events}, _erased_up_to(chart)
    missing = [seq for seq in chart.keep if seq > erased and seq not in there]
    step = "Snapshots are disposable: delete its row, and everything is read again"
    if missing:
        problem = f"the snapshot names events that are missing: {', '.join(map(str, missing[:5]))}"
        yield _finding(chart, "snapshot", problem, step, seq=missing[0])
    if chart.first > chart.head + 1:
        problem = f"the snapshot begins at event {chart.first}, the conversation ends at {chart.head}"
        yield _finding(chart, "snapshot", problem, step, seq=chart.first)


def _facts(chart: Chart, events: Mapping[int, Event]) -> Iterator[Finding]:
    """Every fact of the projection reads, and has the event that taught it."""
    there = {row.seq: row.tag for row in chart.events}
    for fact in chart.facts:
        source = events.get(fact.seq)
        try:
            decode_fact(fact.body)
        except EventDecodeError as error:
            problem = f"a fact that event {fact.seq} taught does not decode: {error.reason}"
            step = "It is left out of every read; the event still has it: restore the row from a backup"
            yield _finding(chart, "undecodable", problem, step, seq=fact.seq)
        lost = there.get(fact.seq) != "facts-learned"
        if lost or (isinstance(source, FactsLearned) and fact.index >= len(source.facts)):
            problem = f"a fact has no source: event {fact.seq} taught no such thing"
            yield _finding(
                chart, "fact-without-source", problem, "Let the user forget it, or restore it", seq=fact.seq
            )


def _index(chart: Chart, events: Mapping[int, Event]) -> Iterator[Finding]:
    """The newest events that say something are found by their words."""
    turns = {row.seq: row.turn for row in chart.events if row.turn > 0}
    left = LOOKED_UP
    for seq in sorted(events.keys() & turns.keys(), reverse=True):
        words = searched_words(events[seq])
        if not words:
            continue
        if chart.lacks(turns[seq], seq, words):
            problem = "the search index does not have the words of an event"
            step = "What was said there is not recalled: export the store and import it into a new one"
            yield _finding(chart, "search-index", problem, step, turn=turns[seq], seq=seq)
        left -= 1
        if not left:
            return


def _finding(chart: Chart, kind: str, problem: str, step: str, *, turn: int = 0, seq: int = 0) -> Finding:
    return Finding(kind, problem, step, chart.tenant, chart.conversation, turn, seq)
