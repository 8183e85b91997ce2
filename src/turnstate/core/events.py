"""The closed union of events: everything that can ever stand in a conversation's log.

An event says what happened; `Recorded` is the event as the log holds it, with its conversation, its place, its
turn and its time. Tags and versions are stable: an old event decodes for ever.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from turnstate.core.facts import Fact
from turnstate.core.messages import ModelRequest, ModelResponse, ToolReturnPart

Effect: TypeAlias = Literal["read", "idempotent", "once"]
"""What running a tool twice does: nothing, the same again, or harm."""


@dataclass(frozen=True, slots=True)
class Span:
    """Turns `first` to `last`, both included; turn numbers start at 1.

    Attributes:
        first: the first turn.
        last: the last turn.
    """

    first: int
    last: int

    def __contains__(self, turn: object) -> bool:
        return isinstance(turn, int) and self.first <= turn <= self.last


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a conversation's context stands: what is verbatim, what is summarised, what the head says.

    A cut only moves forward, and rarely, so that the bytes before it stay the same for the prompt cache.

    Attributes:
        first: the first turn shown verbatim; 1 means that nothing was cut.
        since: the first turn whose summary is in view; turns before it were dropped from view (never from the log).
        opening: whether the opening request stays in view verbatim.
        facts: the facts as rendered when the cut was made.
        values: the first turn whose exact values and commitments stand beside the summaries; 0 for `since`.
        cap: the most tokens that one text is shown with; longer ones are shortened. 0 for as many as they have.
    """

    first: int = 1
    since: int = 1
    opening: bool = True
    facts: str = ""
    values: int = 0
    cap: int = 0


@dataclass(frozen=True, slots=True)
class Count:
    """How many tokens a request has.

    Attributes:
        estimate: the best guess, calibrated on what the provider reported before.
        bound: never under the truth.
        raw: the estimate before calibration, which the provider's report is compared with.
        provider: the provider's own count, where it was asked.
    """

    estimate: int
    bound: int
    raw: int = 0
    provider: int | None = None

    @property
    def best(self) -> int:
        """The provider's count where there is one, the estimate otherwise."""
        return self.estimate if self.provider is None else self.provider


@dataclass(frozen=True, slots=True)
class Kept:
    """A value or a commitment that must outlive its turn, word for word.

    Attributes:
        turn: where it was said.
        speaker: "user", "assistant" or "tool".
        kind: a `ValueKind`, or how firm a commitment is.
        text: the value, or the sentence of the commitment.
        context: the words that it needs beside it to be understood, itself included; "" for none.
    """

    turn: int
    speaker: str
    kind: str
    text: str
    context: str = ""


@dataclass(frozen=True, slots=True)
class RequestTrace:
    """One request as it was planned.

    Attributes:
        round: its number within the turn, from 1.
        count: its size.
        target: the budget's target, in tokens.
        cut: the cut that it was rendered with.
        managed: the line that says what was done to the context, or "".
        dropped: spans that left the view without a summary.
        summarised: spans that left the view into summaries.
        retried: why the request before this one in the same round was refused, or "".
        notes: what was healed on the way, one sentence each.
        recalled: the turns that were quoted from beyond the view, in order.
    """

    round: int
    count: Count
    target: int
    cut: Cut
    managed: str = ""
    dropped: tuple[Span, ...] = ()
    summarised: tuple[Span, ...] = ()
    retried: str = ""
    notes: tuple[str, ...] = ()
    recalled: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """What a turn did beside its events.

    Attributes:
        rounds: model requests made.
        input_tokens: as the provider reported, over all rounds.
        output_tokens: as the provider reported, over all rounds.
        notes: what degraded, one sentence each.
    """

    rounds: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConversationOpened:
    """The first event of every conversation.

    Attributes:
        user: whose conversation it is, or None.
        forked_from: the conversation and turn it continues, as "id@turn", or None.
    """

    user: str | None = None
    forked_from: str | None = None


@dataclass(frozen=True, slots=True)
class TurnOpened:
    """A user's message, durable before any model is called. A second one for the same turn takes it up again.

    Attributes:
        key: the client's key, or None.
        digest: SHA-256 of the message, to tell a repeated send from another message with the same key.
        message: the message.
    """

    key: str | None
    digest: str
    message: ModelRequest


@dataclass(frozen=True, slots=True)
class ModelResponded:
    """A model's response, durable before anything is done with it.

    Attributes:
        model: the model's id.
        response: the response as it came.
        request: the request that it answers.
    """

    model: str
    response: ModelResponse
    request: RequestTrace


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """A tool call, durable before the tool runs.

    Attributes:
        call_id: our id: stable across resumption and unique in the store.
        tool_call_id: the provider's id, as in the response.
        tool: the tool's name.
        effect: what running it twice would do.
    """

    call_id: str
    tool_call_id: str
    tool: str
    effect: Effect


@dataclass(frozen=True, slots=True)
class ToolReturned:
    """A tool's result, durable before the model sees it.

    Attributes:
        call_id: the call's id.
        result: the result, or how the call failed.
    """

    call_id: str
    result: ToolReturnPart


@dataclass(frozen=True, slots=True)
class ApprovalAsked:
    """A call waits for a person.

    Attributes:
        call_id: the call's id.
        tool_call_id: the provider's id.
        tool: the tool's name.
    """

    call_id: str
    tool_call_id: str
    tool: str


@dataclass(frozen=True, slots=True)
class ApprovalAnswered:
    """A person answered.

    Attributes:
        call_id: the call's id.
        approved: yes or no.
        by: who answered.
        reason: in their words.
    """

    call_id: str
    approved: bool
    by: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """A change that was not let through.

    Attributes:
        agent: who proposed it.
        state: which state it was to change.
        field: which field, or "" for the whole.
        owner: who owns the state, or "" where nobody does.
        reason: what is wrong with it.
    """

    agent: str
    state: str
    field: str
    owner: str
    reason: str


@dataclass(frozen=True, slots=True)
class AgentActed:
    """An agent has run in a turn; what it wrote stands in `StateChanged` events of the same transaction.

    Attributes:
        agent: its name.
        part: "thinker", "speaker" or "closer", which runs after the reply.
        stage: its place in the order of the turn, from 0; agents of one stage ran side by side.
        by: "code", "rules", or the model's id.
        read: the names of the states that it was given.
        wrote: the names of the states that it changed.
        refused: what it was not allowed to change.
        notes: what degraded, one sentence each.
        usage: tokens of its own calls, as (input, output); a speaker's are with its responses.
    """

    agent: str
    part: Literal["thinker", "speaker", "closer"]
    stage: int
    by: str
    read: tuple[str, ...] = ()
    wrote: tuple[str, ...] = ()
    refused: tuple[Refused, ...] = ()
    notes: tuple[str, ...] = ()
    usage: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it was put to the user.

    Attributes:
        key: what it asks for, as a state's field or a fact's key; "" where nothing says.
        text: its words.
        about: which of several things it is about, such as an order; "" for the only one.
    """

    key: str
    text: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the turn's reply asks, recorded with it.

    Attributes:
        questions: in the reply's order.
    """

    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class GuardActed:
    """A guard objected to a sentence of a reply before it was released.

    Attributes:
        guard: its name.
        mode: how it was set: "observe", "regenerate" or "block".
        action: what was done: "flagged" (sent as it was), "rewritten" or "blocked".
        sentence: as the model wrote it, with the white space around it.
        written: what was sent in its place.
        reason: why, with what it was compared with.
    """

    guard: str
    mode: Literal["observe", "regenerate", "block"]
    action: Literal["flagged", "rewritten", "blocked"]
    sentence: str
    written: str
    reason: str


@dataclass(frozen=True, slots=True)
class Said:
    """The turn's text where no model wrote it: an agent's own words, or a person's.

    Attributes:
        by: the agent's name, or "person:" and who it is.
        text: the words.
    """

    by: str
    text: str


@dataclass(frozen=True, slots=True)
class StateChanged:
    """An owner changed its state. It takes effect when its turn closes.

    Attributes:
        state: the state's name.
        version: the state's schema version.
        owner: the agent that owns it.
        change: the deltas, as JSON data.
        value: the whole value after the change, as JSON data.
    """

    state: str
    version: int
    owner: str
    change: Any
    value: Any


@dataclass(frozen=True, slots=True)
class TurnClosed:
    """The turn's one recorded reply.

    Attributes:
        reply: the visible text; None when it is the text of the turn's last response.
        trace: what the turn did.
        answered_in: the later turn whose reply answers this one too, where messages were merged; 0 for its own.
    """

    reply: str | None
    trace: Trace
    answered_in: int = 0


@dataclass(frozen=True, slots=True)
class TurnPaused:
    """A turn waits for a person: what its model asked for needs an approval, and everything else is done.

    Attributes:
        text: what the assistant has said in it so far.
    """

    text: str = ""


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """The turn did not close; the user's message stays.

    Attributes:
        reason: a stable word: "model", "tool", "context", "rounds", "cancelled", "interrupted", "internal".
        message: what happened, without secrets.
        retry: whether the same key may take it up again.
        released: text that had been streamed to the user before the failure.
    """

    reason: str
    message: str
    retry: bool
    released: str = ""


@dataclass(frozen=True, slots=True)
class FactsLearned:
    """What one extraction found in one message.

    Attributes:
        status: "learned", "none" or "failed".
        by: "rules", "model", "reply" or "app".
        source: the turn whose message was read.
        facts: what was admitted.
        problems: what was refused or could not be read, one sentence each.
        usage: tokens of the extraction call, as (input, output).
    """

    status: Literal["learned", "none", "failed"]
    by: Literal["rules", "model", "reply", "app"]
    source: int
    facts: tuple[Fact, ...] = ()
    problems: tuple[str, ...] = ()
    usage: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class SummaryWritten:
    """A summary of a span of turns: written from the original turns, and never rewritten.

    Attributes:
        covers: the turns whose originals the summarizer read.
        text: the summary.
        by: "extractive", or the model's id.
        tokens: the summary's estimated size.
        notes: why a first attempt was refused, one sentence each.
        usage: tokens of the summarizer's calls, as (input, output).
        kept: the exact values and commitments of those turns, in order.
        seen: the newest seq when the turns were read; a turn that changed after it makes the summary void.
    """

    covers: Span
    text: str
    by: str
    tokens: int
    notes: tuple[str, ...] = ()
    usage: tuple[int, int] = (0, 0)
    kept: tuple[Kept, ...] = ()
    seen: int = 0


@dataclass(frozen=True, slots=True)
class TurnPinned:
    """The application pinned a turn, or let it go; every path keeps what is pinned in view.

    Attributes:
        text: the turn word for word, one line for each thing said; "" when it is let go.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Rated:
    """Somebody said how good the reply of a turn was; a later rating by the same one replaces it.

    Attributes:
        score: the number, by the application's scale.
        by: who says it, or "".
        comment: their words, or "".
    """

    score: float
    by: str = ""
    comment: str = ""


@dataclass(frozen=True, slots=True)
class HandedOff:
    """A person took over.

    Attributes:
        reason: why.
        note: what the person needs to know.
    """

    reason: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The agent took over again.

    Attributes:
        by: who gave it back.
    """

    by: str = ""


@dataclass(frozen=True, slots=True)
class Erased:
    """The tombstone of what was erased; late writes cannot pass it.

    Attributes:
        scope: "conversation", "user" or "retention".
        turns: the turns that are gone, or None for all.
        receipt: the receipt's id.
        unreachable: what erasing cannot reach, one phrase each.
    """

    scope: Literal["conversation", "user", "retention"]
    turns: Span | None
    receipt: str
    unreachable: tuple[str, ...] = field(default=())


Event: TypeAlias = (
    ConversationOpened
    | TurnOpened
    | ModelResponded
    | ToolCalled
    | ToolReturned
    | ApprovalAsked
    | ApprovalAnswered
    | AgentActed
    | StateChanged
    | Asked
    | GuardActed
    | Said
    | TurnClosed
    | TurnPaused
    | TurnFailed
    | FactsLearned
    | SummaryWritten
    | TurnPinned
    | Rated
    | HandedOff
    | Resumed
    | Erased
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event as the log holds it.

    Attributes:
        conversation: the conversation's id.
        seq: its place in the conversation, from 1, without gaps.
        turn: the turn it belongs to; 0 for events outside any turn.
        at: when it was recorded, in microseconds since the epoch.
        event: what happened.
        version: the schema version that it was written with.
    """

    conversation: str
    seq: int
    turn: int
    at: int
    event: Event
    version: int = 1
