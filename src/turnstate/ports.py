"""What the shell needs from outside, as Protocols: the log, the summarizer, the fact extractor and the knowledge.

Each has a contract class in `turnstate.testing` that every adapter and every fake passes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, TypeAlias, cast

from turnstate.core.context.types import Excerpt, SummaryDraft
from turnstate.core.events import Event, ModelResponded, Recorded, Said, ToolReturned, TurnClosed, TurnOpened
from turnstate.core.evidence import Evidence
from turnstate.core.facts import Fact, Key
from turnstate.core.history import Snapshot
from turnstate.core.messages import ModelRequest, ToolReturnPart, response_text, result_text, user_text
from turnstate.core.structured import Extraction

TurnState: TypeAlias = Literal["new", "open", "paused", "failed", "closed"]
"""Where a turn stands: just opened, open from before, waiting for a person's approval, failed and retriable, or closed
with its reply."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Who wants to run a turn.

    Attributes:
        holder: the worker, unique among all processes that share the store.
        lasts: for how long it counts as alive without a word, in microseconds.
    """

    holder: str
    lasts: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """What became of a claim.

    Attributes:
        token: the fencing token of the lease, from 1, higher with each claim of the turn; 0 where the claim was refused.
        state: where the turn stands.
        behind: the turns that come first and whose workers are alive.
        left: the turns that come first and whose workers are silent: whoever comes next brings them to an end.
    """

    token: int
    state: TurnState
    behind: tuple[int, ...] = ()
    left: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Opening:
    """A turn to be opened.

    Attributes:
        conversation: any string of 1 to 512 characters.
        user: whose conversation it is, or None.
        key: the client's key, or None.
        digest: SHA-256 of the message, hex.
        message: what the user said.
        at: now, in microseconds since the epoch.
        claim: who will run it, or None where nobody says.
        alone: whether it is opened only where no other turn of a live worker is open.
    """

    conversation: str
    user: str | None
    key: str | None
    digest: str
    message: ModelRequest
    at: int
    claim: Claim | None = None
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Opened:
    """A turn that is durable.

    Attributes:
        turn: its number, from 1, in order of arrival.
        state: "new", or what became of the turn that already has this key.
        head: the newest seq of the conversation.
        token: the lease's fencing token, where the turn is new, `Opening.claim` was given and no other turn comes first.
    """

    turn: int
    state: TurnState
    head: int
    token: int = 0


@dataclass(frozen=True, slots=True)
class ConversationInfo:
    """One conversation in a listing.

    Attributes:
        conversation: its id.
        user: whose it is, or None.
        turns: turns opened.
        events: events recorded.
        started: first event, in microseconds since the epoch.
        updated: newest event, in microseconds since the epoch.
    """

    conversation: str
    user: str | None
    turns: int
    events: int
    started: int
    updated: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was erased.

    Attributes:
        id: the receipt's own; the tombstones have it.
        scope: "conversation", "user" or "retention".
        conversations: conversations of which something is gone.
        turns: turns that are gone.
        events: events that are gone.
        facts: facts that are gone.
        blobs: images, documents and other large parts that are gone.
        at: when, in microseconds since the epoch.
        unreachable: what erasing cannot reach, one phrase each.
    """

    id: str
    scope: Literal["conversation", "user", "retention"]
    conversations: int
    turns: int
    events: int
    facts: int
    blobs: int
    at: int
    unreachable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptEvent:
    """An event as a store keeps it, whether this release can read it or not.

    Attributes:
        seq: its place.
        turn: its turn, or 0.
        at: when it was recorded.
        tag: which event it is.
        version: the version of its body.
        body: its body, as `stores.codec` wrote it.
    """

    seq: int
    turn: int
    at: int
    tag: str
    version: int
    body: str


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """A turn as a store keeps it.

    Attributes:
        turn: its number.
        seq: where it was opened.
        status: where it stands.
        key: the client's key, or None.
    """

    turn: int
    seq: int
    status: str
    key: str | None


@dataclass(frozen=True, slots=True)
class Kept:
    """A conversation as a store keeps it: all that another store needs to be the same.

    Attributes:
        conversation: its id.
        user: whose it is, or None.
        started: its first event.
        updated: its newest event.
        last_turn: the highest turn opened.
        last_closed: the highest turn closed.
        head: the newest seq.
        events: in order; what was erased is not there.
        turns: in order.
        blobs: what is large, by its SHA-256.
        snapshot: the seqs that the view needs.
    """

    conversation: str
    user: str | None
    started: int
    updated: int
    last_turn: int
    last_closed: int
    head: int
    events: tuple[KeptEvent, ...]
    turns: tuple[KeptTurn, ...]
    blobs: Mapping[str, bytes]
    snapshot: Snapshot


SEARCHED = 20_000
"""Characters of one text that a search finds: a tool result may have millions. The log itself keeps all of it."""


class Spoken(NamedTuple):
    """What an event says.

    Attributes:
        speaker: "user", "assistant" or "tool".
        text: the words.
    """

    speaker: str
    text: str


def spoken(event: Event) -> Spoken | None:
    """What `event` says, as a search finds it; None for an event that says nothing."""
    match event:
        case TurnOpened():
            said = Spoken("user", user_text(event.message))
        case ModelResponded():
            said = Spoken("assistant", response_text(event.response))
        case Said():
            said = Spoken("assistant", event.text)
        case ToolReturned():
            said = Spoken("tool", _returned(event.result))
        case TurnClosed():
            said = Spoken("assistant", event.reply or "")
        case _:
            return None
    return said if said.text.strip() else None


def _returned(result: ToolReturnPart) -> str:
    try:
        return result_text(result)
    except ValueError:  # data with a lone surrogate has no JSON, and can be searched all the same
        return str(cast("object", result.content))


class Log(Protocol):
    """A store of conversations, opened for one tenant.

    Every method is one transaction: all of it is durable when it returns, or nothing is. It may be called from any
    event loop.
    """

    @property
    def url(self) -> str:
        """The store's URL, without a password."""
        ...

    async def start(self, conversation: str, user: str | None, at: int) -> int:
        """Open the conversation unless it is there, and return its newest seq.

        Raises:
            UserConflict: it belongs to another user.
        """
        ...

    async def open(self, opening: Opening) -> Opened:
        """Open a turn durably (and its conversation, if new), or find the turn that already has this key.

        A new turn belongs to the worker of `Opening.claim`, and is leased to it at once where no other turn comes first
        (see `claim`).

        Raises:
            KeyConflict: the key belongs to a turn with another message.
            UserConflict: the conversation belongs to another user.
            ConversationErased: it was erased; so for every other method that writes to it.
            ConversationBusy: `Opening.alone`, and another turn of a live worker is open or leased; nothing was recorded.
        """
        ...

    async def claim(self, conversation: str, turn: int, claim: Claim) -> Claimed:
        """Lease a turn to a worker, or say why not.

        At most one turn of a conversation is leased to a live worker. An open, paused or failed turn is leased when no
        other live worker has it, no other turn is leased to a live worker, and no open turn stands before it. Turns before it whose workers are
        silent are named in `Claimed.left`: claim and end them first. A lease ends when the turn closes, fails or pauses, when it
        is released, or when its worker has been silent for `Claim.lasts`; then the next claim takes it over with a
        higher token. Time is the store's own clock; a lease that would end later than `lasts` from now is no lease, so that
        a clock that jumps back locks nobody out. Claiming what one holds already gives a new token.

        Turn 0 stands for the work between turns: it is leased on its own, waits for nothing and keeps nobody waiting.
        """
        ...

    async def renew(self, conversation: str, claim: Claim) -> tuple[int, ...]:
        """Say that a worker is alive: its turns in this conversation, waiting or leased, are its for `lasts` from now.

        Returns:
            The turns that it still has, in order, turn 0 among them.
        """
        ...

    async def release(self, conversation: str, turn: int, claim: Claim) -> None:
        """Give up a turn, waiting or leased, that this worker has; another worker's stays as it is."""
        ...

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
        """Record events of a turn, all or none.

        `TurnClosed` closes it, `TurnFailed` fails it, `TurnPaused` pauses it, `TurnOpened` reopens it. `FactsLearned` and `SummaryWritten` may come late, for a turn that has closed, or outside any turn (0), as
        `HandedOff` and `Resumed` may; `TurnPinned`, `Rated` and `Said` may come late; facts go to the projection of the
        conversation's user in the same transaction.
        `ApprovalAnswered` needs a paused or an open turn. Everything else needs an open turn. A `snapshot` replaces the
        conversation's snapshot. A `token` is that of the turn's lease; events without one come from outside the turn.

        Raises:
            TurnNotOpen: the turn is closed, failed, paused or absent; or one that failed is reopened after a later turn
                closed.
            LeaseLost: `token` is not that of the turn's newest lease; another worker has taken the turn over.
            EventEncodeError: an event holds what cannot be written; nothing was recorded.
        """
        ...

    async def load(self, conversation: str) -> tuple[Recorded, ...]:
        """The events that the fold needs, in order: those that the snapshot names, and all from its first seq on.

        Without a snapshot, all events; for an unknown conversation, none.
        """
        ...

    async def read(
        self, conversation: str, *, after: int = 0, turn: int | None = None, limit: int | None = None
    ) -> tuple[Recorded, ...]:
        """Events with a seq above `after`, in order; of one turn, if given; at most `limit`."""
        ...

    async def read_turns(self, conversation: str, turns: Sequence[int]) -> tuple[Recorded, ...]:
        """The events of these turns, in order; a turn that is not there has none."""
        ...

    async def search(
        self, conversation: str, words: Sequence[str], *, before: int, most: int | None = None
    ) -> Mapping[str, tuple[int, ...]]:
        """The turns before `before`, in order, in which each word was said.

        Args:
            conversation: its id.
            words: as `core.search.words` gives them; they are not folded again.
            before: the first turn that is not searched.
            most: the newest so many turns of each word are enough; None for all. What a search costs is then bounded,
                however long the conversation is.

        Returns:
            Every word that was asked for, with its turns; what counts as said is for `spoken` to say, and of one text
            the first `SEARCHED` characters.
        """
        ...

    async def facts(
        self, *, user: str | None, conversation: str, superseded: bool = False
    ) -> tuple[Fact, ...]:
        """The facts of a user, or of the conversation where `user` is None, in the order they were learned.

        Only those that stand (which of them hold now is for `core.facts.supersede` to say, by the reader's clock),
        unless `superseded` asks for all.
        """
        ...

    async def conversations(
        self, *, user: str | None = None, limit: int = 100
    ) -> tuple[ConversationInfo, ...]:
        """Conversations, the most recently updated first."""
        ...

    async def erase(self, *, conversation: str | None = None, user: str | None = None, at: int) -> Receipt:
        """Delete a conversation, or all of a user's conversations and facts, for good.

        A tombstone without a word of it stays: whatever is written to the conversation later is refused, also by a turn
        that is running now. What is not there, or is gone already, gives a receipt that counts nothing.
        """
        ...

    async def erase_turns(self, conversation: str, through: int, at: int) -> Receipt:
        """Delete the turns up to `through`, whole, with their facts, summaries and pins; what stands in states stays.

        An `Erased` event says which; their numbers are not given out again.

        Raises:
            TurnNotOpen: one of them is open or paused, and nothing was deleted.
        """
        ...

    async def kept(self, conversation: str) -> Kept | None:
        """A conversation as it is kept, for an export; None where there is none. What was erased is not there."""
        ...

    async def keep(self, *kept: Kept) -> None:
        """Put conversations as another store kept them, all or none; their facts are projected in order of time.

        Raises:
            ConversationExists: one of them is there; nothing was put.
            ConversationErased: one of them was erased here; nothing was put.
        """
        ...

    async def close(self) -> None:
        """Finish what was asked, release the store. Later calls raise `StoreClosed`; closing again does nothing."""
        ...


class Summarizer(Protocol):
    """Writes one summary of one span of turns."""

    @property
    def name(self) -> str:
        """What `SummaryWritten.by` records: "extractive", or a model's id."""
        ...

    async def summarize(self, excerpt: Excerpt, faults: Sequence[str] = ()) -> SummaryDraft:
        """A summary of `excerpt`, at most `excerpt.cap` tokens; `faults` says what was wrong with the last attempt.

        It may raise anything: the caller checks what comes and falls back to the extractive summary.
        """
        ...


@dataclass(frozen=True, slots=True)
class Reading:
    """What an extractor read in one message.

    Attributes:
        extraction: candidates and problems, not yet admitted.
        usage: tokens of the call, as (input, output).
    """

    extraction: Extraction
    usage: tuple[int, int] = (0, 0)


class FactExtractor(Protocol):
    """Reads facts from what a user said, with a call of its own."""

    async def extract(self, message: str, question: str, keys: Mapping[str, Key]) -> Reading:
        """Candidates from `message`; `question` is the reply that it answers, or "".

        It may raise anything: the caller records a failed extraction.
        """
        ...


class Knowledge(Protocol):
    """What may be used as a fact in a reply: documents, a search service, anything that can be asked."""

    async def search(self, query: str, k: int) -> Sequence[Evidence]:
        """At most `k` passages that may answer `query`, the best first; none where nothing fits.

        Args:
            query: a question in the user's words, never a search language.
            k: the most that are wanted.

        It may raise anything: the caller takes what was not found as missing.
        """
        ...
