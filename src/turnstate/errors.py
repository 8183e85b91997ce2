"""The error tree: everything turnstate raises to its users.

```
TurnstateError            the one root
  WiringError             something was built wrong; no token was spent
    BudgetError           a budget that cannot work
    FactsDeclarationError a facts class that cannot be read
    IdError               a conversation, user or key that cannot be an id
    ModelNameError        a model id that resolves to nothing usable
    SettingError          a setting that cannot work
    StateDeclarationError a state class that cannot be one
    StoreUrlError         a store URL that names no store
    StrategyError         a context strategy that does not exist
    TeamError             a team whose agents do not fit together
    ToolError             a tool that cannot be offered
  TurnError               a turn did not close; says what is durable and whether to retry
    AgentFailed           an agent's own code raised
    ApprovalUnknown       a tool call was approved or denied that waits for nobody
    ConversationBusy      a turn of the conversation is running, and the message was not to wait
    ContextTooLarge       instructions, tools and newest exchange alone exceed the target
    HandoffError          a handoff that does not fit where the conversation stands
    KeyConflict           the same key with another message
    MessageError          a message that cannot be sent
    ModelFailed           the model gave no usable response
    ToolOutcomeUnknown    a tool that runs once was cut off before its result was recorded
    TooManyRounds         the model kept calling tools
    TurnBroken            an internal error stopped the turn
    TurnCancelled         cancel() stopped the turn
    TurnInterrupted       a turn was cut off and a later one has closed
    UserConflict          the conversation belongs to another user
  StoreError              the log could not be read or written
    ConversationErased    the conversation was erased, and stays so
    ConversationExists    a conversation that was to be imported is there already
    LeaseLost             another worker has taken the turn over
    StoreBusy             another process holds the store
    StoreClosed           the store was closed
    EventEncodeError      an event that holds what cannot be written
    KnowledgeError        a knowledge base, or a file for one, that cannot be read or written
    StoreSchemaError      the database was written by another schema
    StoreUnavailable      the database could not be opened, read or written
    TurnNotOpen           a late write to a turn that is no longer open
    TurnUnknown           a turn that is not there, or has not closed
  DecodeError             stored or given data that cannot be read
    EventDecodeError      an event in the log that does not decode
    ExportError           a file to be imported that is no export, or a damaged one
    TranscriptError       a transcript file that does not read
```

Every leaf carries what it knows as attributes, ends its message with a next step, and has an HTTP status.
"""

from __future__ import annotations

from typing import ClassVar


class TurnstateError(Exception):
    """Root of everything turnstate raises; `status` is the HTTP status a server answers with."""

    status: ClassVar[int] = 500


class WiringError(TurnstateError):
    """Something was put together wrong; found while building, before any token is spent."""

    status: ClassVar[int] = 422


class BudgetError(WiringError):
    """A budget that cannot work.

    Attributes:
        problem: what is wrong with it.
    """

    def __init__(self, problem: str) -> None:
        self.problem = problem
        super().__init__(
            f"{problem}. Write Budget(target=8_000), or Budget(window=200_000, share=0.75) for a share of a window."
        )


class FactsDeclarationError(WiringError):
    """A `Facts` class whose keys cannot be read.

    Attributes:
        declaration: the class and key, as `Customer.order_id`.
        problem: what is wrong.
        fix: what to write instead.
    """

    def __init__(self, declaration: str, problem: str, fix: str) -> None:
        self.declaration = declaration
        self.problem = problem
        self.fix = fix
        super().__init__(f"{declaration}: {problem}. {fix}")


class StateDeclarationError(WiringError):
    """A `State` class that cannot be one.

    Attributes:
        declaration: the class and field, as `Memory.timeline`.
        problem: what is wrong.
        fix: what to write instead.
    """

    def __init__(self, declaration: str, problem: str, fix: str) -> None:
        self.declaration = declaration
        self.problem = problem
        self.fix = fix
        super().__init__(f"{declaration}: it {problem}. {fix}")


class TeamError(WiringError):
    """A team whose agents do not fit together.

    Attributes:
        agent: the agent that does not fit.
        state: the state that it is about, or "".
        owner: who owns that state, or "" where nobody does.
        problem: what is wrong.
        fix: what to write instead.
    """

    def __init__(self, agent: str, problem: str, fix: str, *, state: str = "", owner: str = "") -> None:
        self.agent = agent
        self.state = state
        self.owner = owner
        self.problem = problem
        self.fix = fix
        super().__init__(f"Agent {agent!r} {problem}. {fix}")


class IdError(WiringError):
    """A conversation, user or key that cannot be an id.

    Attributes:
        role: which id it is.
        problem: what is wrong with it.
    """

    status: ClassVar[int] = 400

    def __init__(self, role: str, problem: str) -> None:
        self.role = role
        self.problem = problem
        super().__init__(f"The {role} {problem}. Use any string of 1 to 512 characters.")


class ModelNameError(WiringError):
    """A model id that resolves to nothing usable.

    Attributes:
        model: the id as given.
        problem: what is wrong; never contains a key.
    """

    def __init__(self, model: str, problem: str) -> None:
        self.model = model
        self.problem = problem
        super().__init__(
            f"Model {model!r}: {problem}. Use 'offline' (rules, no key) or 'provider:name', "
            "as in 'anthropic:claude-sonnet-5-5', 'openai:gpt-6-luna' or 'ollama:llama3.2'."
        )


class SettingError(WiringError):
    """A setting that cannot work.

    Attributes:
        name: the setting's name.
        problem: what is wrong with it.
    """

    def __init__(self, name: str, problem: str, fix: str) -> None:
        self.name = name
        self.problem = problem
        super().__init__(f"{name} {problem}. {fix}")


class StoreUrlError(WiringError):
    """A store URL that names no store.

    Attributes:
        url: the URL without its password.
    """

    def __init__(self, url: str, problem: str = "names no store") -> None:
        self.url = url
        super().__init__(
            f"Store {url!r} {problem}. Use 'sqlite:///chat.db' (a file), 'postgresql://user@host/database' (several hosts), "
            "'memory:' (gone at exit), or a Log of your own."
        )


class StrategyError(WiringError):
    """A context strategy that does not exist.

    Attributes:
        name: the name as given.
    """

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        self.name = name
        super().__init__(
            f"There is no context strategy {name!r}. Choose one of {', '.join(known)}, or pass a function."
        )


class ToolError(WiringError):
    """A tool that cannot be offered to the model.

    Attributes:
        tool: the tool's name.
        problem: what is wrong with it.
    """

    def __init__(self, tool: str, problem: str, fix: str) -> None:
        self.tool = tool
        self.problem = problem
        super().__init__(f"Tool {tool!r} {problem}. {fix}")


class TurnError(TurnstateError):
    """A turn did not close.

    Attributes:
        durable: what of the turn is in the log.
        retry: whether sending the same message with the same key may succeed.
    """

    durable: str = "The user's message is in the log."
    retry: bool = False


class ContextTooLarge(TurnError):
    """Instructions, tools and the newest exchange alone exceed the target.

    Attributes:
        target: tokens a request may have.
        sizes: tokens by part, in order of precedence.
    """

    status: ClassVar[int] = 413

    def __init__(self, target: int, sizes: dict[str, int]) -> None:
        self.target = target
        self.sizes = sizes
        parts = ", ".join(f"{name} {tokens:,}" for name, tokens in sizes.items())
        super().__init__(
            f"The request cannot be brought under its target of {target:,} tokens: {parts}. "
            "Raise the target, shorten the instructions or tools, or send a shorter message."
        )


class ApprovalUnknown(TurnError):
    """A tool call was approved or denied that waits for nobody.

    Attributes:
        conversation: its id.
        call_id: the call that was named.
        problem: what is wrong with it.
    """

    status: ClassVar[int] = 409
    durable = "Nothing was recorded."

    def __init__(self, conversation: str, call_id: str, problem: str) -> None:
        self.conversation = conversation
        self.call_id = call_id
        self.problem = problem
        super().__init__(
            f"Call {call_id!r} of conversation {conversation!r} {problem}. "
            "Give a call_id of Conversation.approvals(), and the same answer if it is given again."
        )


class ConversationBusy(TurnError):
    """A turn of the conversation is running, and the message was not to wait for it.

    Attributes:
        conversation: its id.
        turn: the turn that is running or waiting.
    """

    status: ClassVar[int] = 409
    durable = "Nothing was recorded."
    retry = True

    def __init__(self, conversation: str, turn: int) -> None:
        self.conversation = conversation
        self.turn = turn
        super().__init__(
            f"Conversation {conversation!r} is busy with turn {turn}, and this message was not recorded. "
            "Send it again when that turn has ended, or let messages wait with on_busy='queue'."
        )


class MessageError(TurnError):
    """A message that cannot be sent.

    Attributes:
        problem: what is wrong with it.
    """

    status: ClassVar[int] = 400
    durable = "Nothing was recorded."

    def __init__(self, problem: str) -> None:
        self.problem = problem
        super().__init__(f"The message {problem}. Send text, or a list of text, images and documents.")


class KeyConflict(TurnError):
    """The same key came with another message.

    Attributes:
        key: the client's key.
        turn: the turn that holds it.
    """

    status: ClassVar[int] = 409
    durable = "The first message with this key is in the log; this one is not."

    def __init__(self, key: str, turn: int) -> None:
        self.key = key
        self.turn = turn
        super().__init__(
            f"Key {key!r} already belongs to turn {turn}, with another message. Send a new message with a new key."
        )


class ModelFailed(TurnError):
    """The model gave no usable response.

    Attributes:
        model: the model's id.
        reason: the provider's words, without keys.
        released: text that had already been streamed to the user.
    """

    status: ClassVar[int] = 502

    def __init__(self, model: str, reason: str, *, retry: bool, released: str = "") -> None:
        self.model = model
        self.reason = reason
        self.retry = retry
        self.released = released
        step = (
            "Send the same message with the same key to try again" if retry else "Correct that and send again"
        )
        super().__init__(f"{model}: {reason}. The user's message is in the log. {step}.")


class ToolOutcomeUnknown(TurnError):
    """A tool with effect "once" was cut off before its result was recorded; it is never run again.

    Attributes:
        tool: the tool's name.
        call_id: the stable id that the tool received.
    """

    def __init__(self, tool: str, call_id: str) -> None:
        self.tool = tool
        self.call_id = call_id
        super().__init__(
            f"The outcome of {tool!r} (call {call_id}) is unknown: it was interrupted after it may have run, and is "
            "not run again. Tell the user that this must be checked, and look it up by the call id."
        )


class TooManyRounds(TurnError):
    """The model kept calling tools.

    Attributes:
        rounds: requests made in this turn.
    """

    status: ClassVar[int] = 508

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        super().__init__(
            f"The model called tools in {rounds} requests of one turn without a reply. "
            "Raise max_rounds, or make the tools' results say that the work is done."
        )


class TurnCancelled(TurnError):
    """`cancel()` stopped the turn.

    Attributes:
        turn: its number.
    """

    status: ClassVar[int] = 499
    retry = True

    def __init__(self, turn: int) -> None:
        self.turn = turn
        super().__init__(
            f"Turn {turn} was cancelled. Send the same message with the same key to take it up again."
        )


class TurnBroken(TurnError):
    """Something unexpected inside turnstate stopped the turn.

    Attributes:
        turn: its number.
        reason: the exception, as text.
    """

    retry = True

    def __init__(self, turn: int, reason: str) -> None:
        self.turn = turn
        self.reason = reason
        super().__init__(
            f"Turn {turn} stopped on an internal error: {reason}. The user's message is in the log. "
            "Send the same message with the same key to try again."
        )


class AgentFailed(TurnError):
    """An agent's own code raised, or did not give what its signature says.

    Attributes:
        agent: its name.
        reason: what happened, as text.
    """

    retry = True

    def __init__(self, agent: str, reason: str) -> None:
        self.agent = agent
        self.reason = reason
        super().__init__(
            f"Agent {agent!r} failed: {reason}. The user's message is in the log. "
            "Mend the agent, and send the same message with the same key again."
        )


class HandoffError(TurnError):
    """A handoff that does not fit where the conversation stands.

    Attributes:
        conversation: its id.
        problem: what does not fit.
    """

    status: ClassVar[int] = 409
    durable = "Nothing was recorded."

    def __init__(self, conversation: str, problem: str, fix: str) -> None:
        self.conversation = conversation
        self.problem = problem
        super().__init__(f"Conversation {conversation!r} {problem}. {fix}")


class TurnInterrupted(TurnError):
    """A turn was cut off, and a later turn has closed since, so it cannot go on.

    Attributes:
        turn: its number.
    """

    status: ClassVar[int] = 409

    def __init__(self, turn: int) -> None:
        self.turn = turn
        super().__init__(
            f"Turn {turn} did not close and a later turn has: the conversation has moved on. Send it with a new key."
        )


class UserConflict(TurnError):
    """The conversation belongs to another user.

    Attributes:
        conversation: its id.
    """

    status: ClassVar[int] = 403
    durable = "Nothing was recorded."

    def __init__(self, conversation: str) -> None:
        self.conversation = conversation
        super().__init__(
            f"Conversation {conversation!r} was opened by another user. Use another conversation id for this user."
        )


class StoreError(TurnstateError):
    """The log could not be read or written."""

    status: ClassVar[int] = 503


class StoreBusy(StoreError):
    """Another process holds the store.

    Attributes:
        url: the store.
    """

    def __init__(self, url: str, problem: str) -> None:
        self.url = url
        super().__init__(
            f"Store {url!r} {problem}. Wait for the other process, or use a store that several can share."
        )


class ConversationErased(StoreError):
    """The conversation was erased, and stays so; what came late was not recorded.

    Attributes:
        conversation: the conversation's id.
    """

    status: ClassVar[int] = 410

    def __init__(self, conversation: str) -> None:
        self.conversation = conversation
        super().__init__(
            f"Conversation {conversation!r} was erased, and nothing is recorded in it any more. Use another id."
        )


class ConversationExists(StoreError):
    """A conversation was to be imported that the store has already; nothing was imported with it.

    Attributes:
        conversation: the conversation's id.
    """

    status: ClassVar[int] = 409

    def __init__(self, conversation: str) -> None:
        self.conversation = conversation
        super().__init__(
            f"Conversation {conversation!r} is in this store already. Use an empty store, or leave it out."
        )


class LeaseLost(StoreError):
    """Another worker has taken the turn over; what this one wanted to write was not recorded.

    Attributes:
        conversation: the conversation's id.
        turn: the turn.
    """

    status: ClassVar[int] = 409

    def __init__(self, conversation: str, turn: int) -> None:
        self.conversation = conversation
        self.turn = turn
        super().__init__(
            f"Turn {turn} of conversation {conversation!r} was taken over by another worker, because this one was "
            "silent for longer than its lease. Its reply will be on record: send the same message with the same key."
        )


class StoreClosed(StoreError):
    """The store was closed."""

    def __init__(self) -> None:
        super().__init__("The store is closed. Use the assistant inside its `async with` block.")


class EventEncodeError(StoreError):
    """An event that holds what cannot be written; nothing of its transaction was.

    Attributes:
        tag: the event's stable tag.
        reason: what is wrong.
    """

    status: ClassVar[int] = 422

    def __init__(self, tag: str, reason: str) -> None:
        self.tag = tag
        self.reason = reason
        super().__init__(
            f"Event {tag!r} cannot be written: {reason}. Use JSON data, text, images and documents."
        )


class KnowledgeError(StoreError):
    """A knowledge base, or a file for one, that cannot be read or written.

    Attributes:
        path: the file.
        problem: what is wrong with it.
    """

    status: ClassVar[int] = 422

    def __init__(self, path: str, problem: str, fix: str) -> None:
        self.path = path
        self.problem = problem
        super().__init__(f"{path!r} {problem}. {fix}")


class StoreSchemaError(StoreError):
    """The database was written by another schema.

    Attributes:
        found: the schema version in the database.
        expected: the schema version of this release.
    """

    def __init__(self, found: int, expected: int, *, fix: str = "migrate a copy of it first") -> None:
        self.found = found
        self.expected = expected
        step = "install a release of turnstate that knows it" if found > expected else fix
        super().__init__(
            f"The database has schema {found}, this release has schema {expected}. Nothing was changed: {step}."
        )


class StoreUnavailable(StoreError):
    """The database could not be opened, read or written.

    Attributes:
        url: the store.
        reason: the driver's words.
        durable: what is on record.
    """

    def __init__(
        self,
        url: str,
        reason: str,
        *,
        durable: str = "What was committed before is safe",
        fix: str = "check the path, its rights and the disk",
    ) -> None:
        self.url = url
        self.reason = reason
        self.durable = durable
        super().__init__(f"Store {url!r}: {reason}. {durable}; {fix}, then send again with the same key.")


class TurnNotOpen(StoreError):
    """A late write to a turn that is no longer open.

    Attributes:
        conversation: the conversation's id.
        turn: the turn.
        state: what became of it: "closed", "failed", "absent", or "interrupted" where a later turn has closed.
    """

    status: ClassVar[int] = 409

    def __init__(self, conversation: str, turn: int, state: str) -> None:
        self.conversation = conversation
        self.turn = turn
        self.state = state
        super().__init__(
            f"Turn {turn} of conversation {conversation!r} is {state}, so nothing more is recorded for it. "
            "Another worker has taken it: read the conversation again."
        )


class TurnUnknown(StoreError):
    """A turn was named that the conversation does not have, or that has not closed.

    Attributes:
        conversation: the conversation's id.
        turn: the number that was named.
        state: "absent", "open" or "failed".
    """

    status: ClassVar[int] = 404

    def __init__(self, conversation: str, turn: int, state: str) -> None:
        self.conversation = conversation
        self.turn = turn
        self.state = state
        super().__init__(
            f"Turn {turn} of conversation {conversation!r} is {state}. Give the number of a turn that has closed."
        )


class DecodeError(TurnstateError):
    """Stored or given data that cannot be read."""

    status: ClassVar[int] = 422


class EventDecodeError(DecodeError):
    """An event in the log that does not decode.

    Attributes:
        tag: the event's stable tag.
        version: its schema version.
        reason: what is wrong.
    """

    status: ClassVar[int] = 500

    def __init__(self, tag: str, version: int, reason: str) -> None:
        self.tag = tag
        self.version = version
        self.reason = reason
        super().__init__(
            f"Event {tag!r} version {version} does not decode: {reason}. "
            "Read it with the release that wrote it, or restore it from a backup."
        )


class ExportError(DecodeError):
    """A file that is to be imported and is no export, or a damaged one.

    Attributes:
        line: the line's number, from 1, or None for the whole file.
        reason: what is wrong.
    """

    def __init__(self, line: int | None, reason: str) -> None:
        self.line = line
        self.reason = reason
        where = "The export" if line is None else f"Line {line} of the export"
        super().__init__(
            f"{where} {reason}. What stands before it, of other users, may be in the store by now. "
            "Use an empty store, and a file that was exported again."
        )


class TranscriptError(DecodeError):
    """A transcript file that does not read.

    Attributes:
        path: the file.
        record: the record's number, from 1, or None for the whole file.
        reason: what is wrong.
    """

    def __init__(self, path: str, record: int | None, reason: str) -> None:
        self.path = path
        self.record = record
        self.reason = reason
        where = path if record is None else f"{path}, record {record}"
        super().__init__(
            f"{where}: {reason}. Give OpenAI chat records, one JSON object with a 'messages' list on each line, or an "
            "export in another format that docs/transcripts.md lists."
        )
