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

TurnState: TypeAlias = Literal["new", "open", "failed", "closed"]
"""Where a turn stands: just opened, open from before, failed and retriable, or closed with its reply."""


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
    """

    conversation: str
    user: str | None
    key: str | None
    digest: str
    message: ModelRequest
    at: int


@dataclass(frozen=True, slots=True)
class Opened:
    """A turn that is durable.

    Attributes:
        turn: its number, from 1, in order of arrival.
        state: "new", or what became of the turn that already has this key.
        head: the newest seq of the conversation.
    """

    turn: int
    state: TurnState
    head: int


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

        Raises:
            KeyConflict: the key belongs to a turn with another message.
            UserConflict: the conversation belongs to another user.
        """
        ...

    async def append(
        self,
        conversation: str,
        turn: int,
        events: Sequence[Event],
        at: int,
        *,
        snapshot: Snapshot | None = None,
    ) -> tuple[Recorded, ...]:
        """Record events of a turn, all or none; `TurnClosed` closes it, `TurnFailed` fails it, `TurnOpened` reopens it.

        `FactsLearned` and `SummaryWritten` may come late, for a turn that has closed, or outside any turn (0), as
        `HandedOff` and `Resumed` may; `TurnPinned` and `Said` may come late; facts go to the projection of the conversation's user in the same transaction.
        Everything else needs an open turn. A `snapshot` replaces the conversation's snapshot.

        Raises:
            TurnNotOpen: the turn is closed, failed or absent; or is reopened after a later turn closed.
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
