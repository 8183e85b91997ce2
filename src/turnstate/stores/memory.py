"""A log in the memory of one process, by the same rules and with the same encoding as a durable one."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from turnstate.core.events import (
    ConversationOpened,
    Event,
    FactsLearned,
    Recorded,
    Span,
    StateChanged,
    TurnOpened,
)
from turnstate.core.facts import Fact
from turnstate.core.history import Snapshot, TurnStatus
from turnstate.errors import (
    ConversationBusy,
    ConversationErased,
    ConversationExists,
    LeaseLost,
    StoreBusy,
    StoreClosed,
    StoreError,
    TurnNotOpen,
)
from turnstate.ports import (
    Claim,
    Claimed,
    ConversationInfo,
    Kept,
    KeptEvent,
    KeptTurn,
    Opened,
    Opening,
    Receipt,
)
from turnstate.stores.codec import Encoded, decode, decode_fact, encode, encode_fact
from turnstate.stores.erasing import Tally, goes, tomb_of
from turnstate.stores.keeping import event_of, lessons_of
from turnstate.stores.rules import (
    LONGEST_LEASE,
    Before,
    Held,
    admit,
    before,
    check_message,
    check_user,
    in_force,
    owner_of,
)
from turnstate.stores.searched import newest, searched_words


def monotonic() -> int:
    """Microseconds by a clock that never goes back."""
    return time.monotonic_ns() // 1000


@dataclass(frozen=True, slots=True)
class _Row:
    """An event as it is kept: encoded, so that whoever reads it gets a copy of their own."""

    seq: int
    turn: int
    at: int
    encoded: Encoded


@dataclass(slots=True)
class _Turn:
    status: TurnStatus
    digest: str
    holder: str | None = None
    until: int = 0
    token: int = 0

    def hold(self, claim: Claim, now: int) -> None:
        self.holder, self.until = claim.holder, now + min(claim.lasts, LONGEST_LEASE)

    def let_go(self) -> None:
        self.holder, self.until = None, 0


@dataclass(slots=True)
class _Learned:
    key: str
    body: str
    conversation: str = ""
    seq: int = 0
    active: bool = False


@dataclass(slots=True)
class _Kept:
    """One conversation."""

    name: str
    user: str | None
    started: int
    updated: int
    rows: list[_Row] = field(default_factory=list[_Row])
    turns: dict[int, _Turn] = field(default_factory=dict[int, _Turn])
    keys: dict[str, int] = field(default_factory=dict[str, int])
    postings: dict[str, set[int]] = field(default_factory=dict[str, set[int]])
    work: _Turn = field(default_factory=lambda: _Turn("open", ""))
    last_turn: int = 0
    last_closed: int = 0
    head: int = 0
    snapshot: Snapshot = field(default_factory=lambda: Snapshot(1))

    def add(self, turn: int, at: int, encoded: Encoded, words: Iterable[str] = ()) -> int:
        self.head += 1
        self.rows.append(_Row(self.head, turn, at, encoded))
        for word in words if turn > 0 else ():
            self.postings.setdefault(word, set()).add(turn)
        self.updated = max(self.updated, at)
        return self.head

    def before(self, turn: int, now: int, holder: str) -> Before:
        """What comes before a turn."""
        held = (
            Held(number, known.status == "open", known.holder, known.until, known.token)
            for number, known in {0: self.work, **self.turns}.items()
            if known.status == "open" or known.holder is not None
        )
        return before(turn, held, now, holder)

    def recorded(self, rows: Iterable[_Row]) -> tuple[Recorded, ...]:
        return tuple(
            Recorded(
                self.name,
                row.seq,
                row.turn,
                row.at,
                decode(row.encoded.tag, row.encoded.version, row.encoded.body, row.encoded.blobs.get),
                row.encoded.version,
            )
            for row in rows
        )


def _put(one: Kept) -> _Kept:
    made = _Kept(one.conversation, one.user, one.started, one.updated, snapshot=one.snapshot)
    made.head, made.last_turn, made.last_closed = one.head, one.last_turn, one.last_closed
    digests: dict[int, str] = {}
    for event in one.events:
        blobs = {sha: data for sha, data in one.blobs.items() if sha in event.body}
        encoded = Encoded(event.tag, event.version, event.body, blobs)
        made.rows.append(_Row(event.seq, event.turn, event.at, encoded))
        known = event_of(one, event)
        if isinstance(known, TurnOpened):
            digests.setdefault(event.turn, known.digest)
        for word in searched_words(known) if known is not None and event.turn > 0 else ():
            made.postings.setdefault(word, set()).add(event.turn)
    for turn in one.turns:
        made.turns[turn.turn] = _Turn(cast("TurnStatus", turn.status), digests.get(turn.turn, ""))
        if turn.key is not None:
            made.keys[turn.key] = turn.turn
    return made


class MemoryLog:
    """A `Log` that is gone when the process ends; for tests, trials and throw-away conversations.

    Args:
        tenant: whose conversations these are.
        clock: what leases are timed with, in microseconds.
    """

    def __init__(self, tenant: str = "default", *, clock: Callable[[], int] = monotonic) -> None:
        self._tenant = tenant
        self._clock = clock
        self._process = os.getpid()
        self._closed = False
        self._lock = threading.Lock()  # event loops of several threads may share the log
        self._kept: dict[str, _Kept] = {}
        self._facts: dict[str, list[_Learned]] = {}
        self._erased: dict[str, _Row] = {}

    @property
    def url(self) -> str:
        """Always "memory:"."""
        return "memory:"

    @property
    def tenant(self) -> str:
        """Whose conversations these are."""
        return self._tenant

    async def start(self, conversation: str, user: str | None, at: int) -> int:
        """Open the conversation unless it is there; see `Log.start`."""
        self._check()
        with self._lock:
            return self._opened(conversation, user, at).head

    async def open(self, opening: Opening) -> Opened:
        """Open a turn, or find the one that has its key; see `Log.open`."""
        self._check()
        event = TurnOpened(opening.key, opening.digest, opening.message)
        message, words = encode(event), searched_words(event)
        with self._lock:
            kept = self._opened(opening.conversation, opening.user, opening.at)
            if opening.key is not None and (found := kept.keys.get(opening.key)):
                turn = kept.turns[found]
                check_message(opening.key, found, turn.digest, opening.digest)
                return Opened(found, turn.status, kept.head)
            number, now = kept.last_turn + 1, self._clock()
            first = kept.before(number, now, "")
            if opening.alone and first.busy:
                raise ConversationBusy(opening.conversation, first.busy[0])
            turn = kept.turns[number] = _Turn("open", opening.digest)
            kept.last_turn = number
            if opening.claim is not None:
                turn.hold(opening.claim, now)
                turn.token = 0 if first.behind or first.left else 1
            if opening.key is not None:
                kept.keys[opening.key] = number
            return Opened(number, "new", kept.add(number, opening.at, message, words), turn.token)

    async def claim(self, conversation: str, turn: int, claim: Claim) -> Claimed:
        """Lease a turn to a worker, or say why not; see `Log.claim`."""
        self._check()
        with self._lock:
            kept, found = self._found(conversation, turn)
            if found.status == "closed":
                return Claimed(0, "closed")
            now = self._clock()
            first = kept.before(turn, now, claim.holder)
            if first.behind or first.left:
                return Claimed(0, found.status, first.behind, first.left)
            found.hold(claim, now)
            found.token += 1
            return Claimed(found.token, found.status)

    async def renew(self, conversation: str, claim: Claim) -> tuple[int, ...]:
        """Say that a worker is alive; see `Log.renew`."""
        self._check()
        with self._lock:
            kept = self._kept.get(conversation)
            known = {0: kept.work, **kept.turns} if kept is not None else {}
            mine = [number for number, turn in known.items() if turn.holder == claim.holder]
            for number in mine:
                known[number].hold(claim, self._clock())
            return tuple(mine)

    async def release(self, conversation: str, turn: int, claim: Claim) -> None:
        """Give up a turn; see `Log.release`."""
        self._check()
        with self._lock:
            kept = self._kept.get(conversation)
            found = None if kept is None else kept.turns.get(turn) if turn else kept.work
            if found is not None and found.holder == claim.holder:
                found.let_go()

    async def append(
        self,
        conversation: str,
        turn: int,
        events: Sequence[Event],
        at: int,
        *,
        snapshot: Snapshot | None = None,
        token: int = 0,
    ) -> tuple[Recorded, ...]:
        """Record events of a turn, all or none; see `Log.append`."""
        self._check()
        events = tuple(events)
        encoded = [(encode(event), searched_words(event)) for event in events]
        with self._lock:
            if (kept := self._kept.get(conversation)) is None:
                raise self._absent(conversation, turn)
            known = kept.turns.get(turn)
            if token and known is not None and known.token != token:
                raise LeaseLost(conversation, turn)
            admitted = admit(
                conversation, turn, known.status if known else "absent", kept.last_closed, events
            )
            recorded: list[Recorded] = []
            for place in admitted.places:
                event, (row, words) = events[place], encoded[place]
                seq = kept.add(turn, at, row, words)
                recorded.append(Recorded(conversation, seq, turn, at, event, row.version))
                if isinstance(event, FactsLearned) and event.facts:
                    self._learn(owner_of(kept.user, conversation), event.facts, conversation, seq)
            if known and admitted.standing != "absent":
                if admitted.ended:
                    known.let_go()
                known.status = admitted.standing
            kept.last_closed = admitted.closed
            if snapshot is not None:
                kept.snapshot = snapshot
            return tuple(recorded)

    async def load(self, conversation: str) -> tuple[Recorded, ...]:
        """The events that the fold needs; see `Log.load`."""
        self._check()
        with self._lock:
            if (kept := self._kept.get(conversation)) is None:
                return ()
            first, named = kept.snapshot.first, set(kept.snapshot.keep)
            return kept.recorded([row for row in kept.rows if row.seq >= first or row.seq in named])

    async def read(
        self, conversation: str, *, after: int = 0, turn: int | None = None, limit: int | None = None
    ) -> tuple[Recorded, ...]:
        """Events after a place, of one turn or of all; see `Log.read`."""
        self._check()
        with self._lock:
            if (kept := self._kept.get(conversation)) is None:
                return ()
            rows = [row for row in kept.rows if row.seq > after and (turn is None or row.turn == turn)]
            return kept.recorded(rows if limit is None else rows[: max(0, limit)])

    async def read_turns(self, conversation: str, turns: Sequence[int]) -> tuple[Recorded, ...]:
        """The events of these turns, in order; see `Log.read_turns`."""
        self._check()
        wanted = set(turns)
        with self._lock:
            if (kept := self._kept.get(conversation)) is None:
                return ()
            return kept.recorded([row for row in kept.rows if row.turn in wanted])

    async def search(
        self, conversation: str, words: Sequence[str], *, before: int, most: int | None = None
    ) -> Mapping[str, tuple[int, ...]]:
        """The turns in which each word was said; see `Log.search`."""
        self._check()
        with self._lock:
            kept = self._kept.get(conversation)
            postings: Mapping[str, set[int]] = {} if kept is None else kept.postings
            return {
                word: newest(sorted(turn for turn in postings.get(word, ()) if turn < before), most)
                for word in words
            }

    async def facts(
        self, *, user: str | None, conversation: str, superseded: bool = False
    ) -> tuple[Fact, ...]:
        """The facts of a user, or of a conversation without one; see `Log.facts`."""
        self._check()
        with self._lock:
            learned = self._facts.get(owner_of(user, conversation), [])
            return tuple(decode_fact(fact.body) for fact in learned if fact.active or superseded)

    async def conversations(
        self, *, user: str | None = None, limit: int = 100
    ) -> tuple[ConversationInfo, ...]:
        """Conversations, the most recently updated first; see `Log.conversations`."""
        self._check()
        with self._lock:
            found = [
                ConversationInfo(kept.name, kept.user, kept.last_turn, kept.head, kept.started, kept.updated)
                for kept in reversed(self._kept.values())
                if user is None or kept.user == user
            ]
        found.sort(key=lambda info: -info.updated)
        return tuple(found[: max(0, limit)])

    async def erase(self, *, conversation: str | None = None, user: str | None = None, at: int) -> Receipt:
        """Delete a conversation, or all of a user, for good; see `Log.erase`."""
        self._check()
        tally = Tally("conversation" if user is None else "user", at)
        with self._lock:
            named = {conversation} if conversation is not None else set[str]()
            named |= {name for name, kept in self._kept.items() if user is not None and kept.user == user}
            for name in sorted(named):
                if (kept := self._kept.pop(name, None)) is not None:
                    tally.conversations += 1
                    tally.turns += kept.last_turn
                    self._delete(kept, {row.seq for row in kept.rows}, tally)
                    self._erased[tomb_of(name)] = _Row(kept.head + 1, 0, at, encode(tally.tombstone()))
            if user is not None:
                tally.facts += len(self._facts.pop(owner_of(user, ""), ()))
        return tally.receipt()

    async def erase_turns(self, conversation: str, through: int, at: int) -> Receipt:
        """Delete turns, whole; see `Log.erase_turns`."""
        self._check()
        tally = Tally("retention", at)
        with self._lock:
            if (kept := self._kept.get(conversation)) is None:
                return tally.receipt()
            for number, turn in sorted(kept.turns.items()):
                if number <= through and turn.status in {"open", "paused"}:
                    raise TurnNotOpen(conversation, number, turn.status)
            through = min(through, kept.last_turn)
            events = kept.recorded(kept.rows)
            newest = {e.event.state: e.seq for e in events if isinstance(e.event, StateChanged)}
            gone = {e.seq for e in events if goes(e, through) and e.seq not in set(newest.values())}
            turns = sorted({e.turn for e in events if e.seq in gone and e.turn})
            if gone:
                tally.conversations, tally.turns = 1, len(turns)
                self._delete(kept, gone, tally)
                for number in [number for number in kept.turns if number <= through]:
                    del kept.turns[number]
                kept.keys = {key: number for key, number in kept.keys.items() if number > through}
                span = Span(turns[0] if turns else 1, through)
                kept.add(0, at, encode(tally.tombstone(span)))
        return tally.receipt()

    async def kept(self, conversation: str) -> Kept | None:
        """A conversation as it is kept; see `Log.kept`."""
        self._check()
        with self._lock:
            if (kept := self._kept.get(conversation)) is None:
                return None
            keys = {number: key for key, number in kept.keys.items()}
            opened = {row.turn: row.seq for row in reversed(kept.rows) if row.encoded.tag == "turn-opened"}
            blobs = {sha: data for row in kept.rows for sha, data in row.encoded.blobs.items()}
            return Kept(
                conversation,
                kept.user,
                kept.started,
                kept.updated,
                kept.last_turn,
                kept.last_closed,
                kept.head,
                tuple(
                    KeptEvent(
                        row.seq, row.turn, row.at, row.encoded.tag, row.encoded.version, row.encoded.body
                    )
                    for row in kept.rows
                ),
                tuple(
                    KeptTurn(number, opened.get(number, 0), turn.status, keys.get(number))
                    for number, turn in sorted(kept.turns.items())
                ),
                dict(sorted(blobs.items())),
                kept.snapshot,
            )

    async def keep(self, *kept: Kept) -> None:
        """Put conversations as another store kept them; see `Log.keep`."""
        self._check()
        with self._lock:
            for one in kept:
                if one.conversation in self._kept:
                    raise ConversationExists(one.conversation)
                if tomb_of(one.conversation) in self._erased:
                    raise ConversationErased(one.conversation)
            for one in kept:
                self._kept[one.conversation] = _put(one)
            for lesson in lessons_of(kept):
                owner = owner_of(lesson.user, lesson.conversation)
                self._learn(owner, lesson.facts, lesson.conversation, lesson.seq)

    def _delete(self, kept: _Kept, gone: set[int], tally: Tally) -> None:
        before = {sha for row in kept.rows for sha in row.encoded.blobs}
        tally.events += len(gone)
        kept.rows = [row for row in kept.rows if row.seq not in gone]
        tally.blobs += len(before - {sha for row in kept.rows for sha in row.encoded.blobs})
        there = {row.turn for row in kept.rows}
        kept.postings = {word: left for word, turns in kept.postings.items() if (left := turns & there)}
        for owner, learned in self._facts.items():
            lost = [fact for fact in learned if fact.conversation == kept.name and fact.seq in gone]
            tally.facts += len(lost)
            self._facts[owner] = [fact for fact in learned if fact not in lost]
            self._settle(owner, {fact.key for fact in lost})

    async def close(self) -> None:
        """Forget everything; closing again does nothing."""
        self._closed = True
        with self._lock:
            self._kept.clear()
            self._facts.clear()

    def _check(self) -> None:
        if os.getpid() != self._process:
            raise StoreBusy(self.url, "is in the memory of the process that this one was forked from")
        if self._closed:
            raise StoreClosed

    def _found(self, conversation: str, turn: int) -> tuple[_Kept, _Turn]:
        kept = self._kept.get(conversation)
        found = None if kept is None else kept.turns.get(turn) if turn else kept.work
        if kept is None or found is None:
            raise self._absent(conversation, turn)
        return kept, found

    def _absent(self, conversation: str, turn: int) -> StoreError:
        if tomb_of(conversation) in self._erased:
            return ConversationErased(conversation)
        return TurnNotOpen(conversation, turn, "absent")

    def _opened(self, conversation: str, user: str | None, at: int) -> _Kept:
        if (kept := self._kept.get(conversation)) is not None:
            check_user(conversation, kept.user, user)
            return kept
        if tomb_of(conversation) in self._erased:
            raise ConversationErased(conversation)
        kept = self._kept[conversation] = _Kept(conversation, user, at, at)
        kept.add(0, at, encode(ConversationOpened(user)))
        return kept

    def _learn(self, owner: str, facts: Sequence[Fact], conversation: str, seq: int) -> None:
        """Project the facts of one event, and settle again which facts of the touched keys are in force."""
        learned = self._facts.setdefault(owner, [])
        learned.extend(_Learned(fact.key, encode_fact(fact), conversation, seq) for fact in facts)
        self._settle(owner, {fact.key for fact in facts})

    def _settle(self, owner: str, keys: Iterable[str]) -> None:
        for key in keys:
            known = [fact for fact in self._facts[owner] if fact.key == key]
            for fact, active in zip(known, in_force([decode_fact(fact.body) for fact in known]), strict=True):
                fact.active = active
