"""What stands in the body of every event: a table of tags, versions and fields, checked when it is read.

Fields that have their default are left out. A tag, and what a version of it means, never changes; a changed event
gets a new version and a step in `codec.UPCASTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from enum import Enum
from typing import Any, cast

from pydantic import ValidationError

from turnstate.core.events import (
    AgentActed,
    ApprovalAnswered,
    ApprovalAsked,
    Asked,
    ConversationOpened,
    Count,
    Cut,
    Erased,
    Event,
    FactsLearned,
    GuardActed,
    HandedOff,
    Kept,
    ModelResponded,
    Question,
    Rated,
    Refused,
    RequestTrace,
    Resumed,
    Said,
    Span,
    StateChanged,
    SummaryWritten,
    ToolCalled,
    ToolReturned,
    Trace,
    TurnClosed,
    TurnFailed,
    TurnOpened,
    TurnPaused,
    TurnPinned,
)
from turnstate.core.facts import Fact, Source
from turnstate.core.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
    dump,
    load,
    request,
)

_REQUIRED = object()


@dataclass(frozen=True, slots=True)
class Kind:
    """How values of one kind are written as JSON data and read back.

    Attributes:
        write: from the value to JSON data.
        read: from JSON data to the value; raises ValueError or TypeError for data of another kind.
    """

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Shape:
    """One event's row in the table.

    Attributes:
        tag: its stable name in the log.
        kind: its class.
        version: the version that is written.
        body: how its fields are written.
    """

    tag: str
    kind: type[Any]
    version: int
    body: Kind

    def write(self, event: Event) -> object:
        """The body's data."""
        return self.body.write(event)

    def read(self, data: object) -> Event:
        """The event that `data` says."""
        return cast("Event", self.body.read(data))


def _same(value: Any) -> Any:
    return value


def _typed(wanted: type[Any]) -> Kind:
    def read(data: object) -> object:
        # A flag is an int to Python, and is never meant where a number stands.
        if not isinstance(data, wanted) or (isinstance(data, bool) and wanted is not bool):
            raise TypeError(f"{type(data).__name__} where {wanted.__name__} belongs")
        return data

    return Kind(_same, read)


def _real() -> Kind:
    def read(data: object) -> object:
        if not isinstance(data, int | float) or isinstance(data, bool):
            raise TypeError(f"{type(data).__name__} where a number belongs")
        return float(data)

    return Kind(_same, read)


def _scalar() -> Kind:
    def read(data: object) -> object:
        if not isinstance(data, str | int | float | bool):
            raise TypeError(f"{type(data).__name__} where a scalar belongs")
        return data

    return Kind(_same, read)


def _word(*known: str) -> Kind:
    def read(data: object) -> object:
        if data not in known:
            raise ValueError(f"none of {', '.join(known)}")
        return data

    return Kind(_same, read)


def _member(wanted: type[Enum]) -> Kind:
    return Kind(lambda member: member.value, wanted)


def _or_none(kind: Kind) -> Kind:
    return Kind(
        lambda value: None if value is None else kind.write(value),
        lambda data: None if data is None else kind.read(data),
    )


def _many(kind: Kind) -> Kind:
    def read(data: object) -> object:
        if not isinstance(data, list):
            raise TypeError(f"{type(data).__name__} where a list belongs")
        return tuple(kind.read(item) for item in cast("list[Any]", data))

    return Kind(lambda values: [kind.write(value) for value in values], read)


def _pair(read_two: Callable[[int, int], Any], write_two: Callable[[Any], list[int]]) -> Kind:
    def read(data: object) -> object:
        first, last = _NUMBERS.read(data)
        return read_two(first, last)

    return Kind(write_two, read)


def _record(cls: type[Any], assumed: Mapping[str, object] | None = None, **kinds: Kind) -> Kind:
    """The fields of a dataclass by name, without those that have their default.

    Args:
        cls: the dataclass.
        assumed: values for fields without a default that are left out too.
        **kinds: the kind of every field.
    """
    defaults = {
        item.name: item.default if item.default is not MISSING else _REQUIRED
        for item in fields(cls)
        if item.init
    } | (dict(assumed) if assumed else {})
    if defaults.keys() != kinds.keys():
        raise TypeError(f"{cls.__name__} has other fields than its shape: {defaults.keys() ^ kinds.keys()}")

    def write(value: object) -> dict[str, Any]:
        return {
            name: kind.write(item)
            for name, kind in kinds.items()
            if (item := getattr(value, name)) != defaults[name]
        }

    def read(data: object) -> object:
        if not isinstance(data, dict):
            raise TypeError(f"{type(data).__name__} where an object belongs")
        given = cast("dict[str, Any]", data)
        if missing := [name for name in kinds if name not in given and defaults[name] is _REQUIRED]:
            raise ValueError(f"{', '.join(missing)} missing")
        return cls(
            **{
                name: kind.read(given[name]) if name in given else defaults[name]
                for name, kind in kinds.items()
            }
        )

    return Kind(write, read)


def _message(wanted: type[ModelMessage], kind: str) -> Kind:
    """A message, without what its place in the event or its defaults say already."""

    def read(data: object) -> object:
        if not isinstance(data, dict):
            raise TypeError(f"{type(data).__name__} where a message belongs")
        given = cast("dict[str, Any]", data) | {"kind": kind}
        for part in cast("list[dict[str, Any]]", given.get("parts", ())):
            # A tool that returned nothing: the dump leaves None out, the message needs it.
            if str(part.get("part_kind")).endswith("tool-return"):
                part.setdefault("content", None)
        try:
            message = load(given)
        except ValueError as error:
            raise ValueError(_without_input(error)) from error
        return _typed(wanted).read(message)

    return Kind(_dumped, read)


def _dumped(message: ModelMessage) -> dict[str, Any]:
    data = dump(_without_arguments(message))
    del data["kind"]
    _drop(data, state="complete", usage={})
    for part, original in zip(data["parts"], message.parts, strict=True):
        _drop(part, content_file_digests=[], outcome="success")
        if isinstance(original, ToolCallPart) and isinstance(original.args, dict):
            part["args"] = original.args
        elif "content" in part:
            part["content"] = _with_keys(part["content"], getattr(original, "content", None))
    return data


def _without_arguments(message: ModelMessage) -> ModelMessage:
    """`message` without the arguments of its calls: they are JSON data already, which the dump would not keep exactly."""
    if not any(isinstance(part, ToolCallPart) and isinstance(part.args, dict) for part in message.parts):
        return message
    parts: list[Any] = [
        replace(part, args={}) if isinstance(part, ToolCallPart) and isinstance(part.args, dict) else part
        for part in message.parts
    ]
    return replace(message, parts=parts)


def _drop(data: dict[str, Any], **defaults: object) -> None:
    for name, default in defaults.items():
        if data.get(name) == default:
            del data[name]


def _with_keys(data: Any, original: object) -> Any:
    """`data` with the keys of `original`: the dump replaces the lone surrogates in a key, though not in a value."""
    if isinstance(data, dict) and isinstance(original, dict):
        pairs = zip(
            cast("dict[str, Any]", data).items(), cast("dict[Any, Any]", original).items(), strict=True
        )
        return {
            old if isinstance(old, str) else key: _with_keys(item, below)
            for (key, item), (old, below) in pairs
        }
    if isinstance(data, list) and isinstance(original, list | tuple):
        pairs = zip(cast("list[Any]", data), cast("Sequence[Any]", original), strict=True)
        return [_with_keys(item, below) for item, below in pairs]
    return cast("Any", data)


def _without_input(error: ValueError) -> str:
    """What is wrong, without quoting what a user or a model said."""
    cause = error.__cause__
    if not isinstance(cause, ValidationError):
        return "the message does not read"
    first = cause.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"the message does not read at {'.'.join(map(str, first['loc']))}: {first['type']}"


def _result() -> Kind:
    def read(data: object) -> object:
        return _typed(ToolReturnPart).read(_REQUEST.read({"parts": [data]}).parts[0])

    return Kind(lambda part: _REQUEST.write(request([part]))["parts"][0], read)


def _kept() -> Kind:
    """A kept value as a list: there are hundreds of them in a log, and names of fields would be half of each."""

    def write(kept: Kept) -> list[Any]:
        return [kept.turn, kept.speaker, kept.kind, kept.text, *([kept.context] if kept.context else [])]

    def read(data: object) -> object:
        if not isinstance(data, list) or not 4 <= len(cast("list[Any]", data)) <= 5:
            raise TypeError("no kept value")
        turn, *texts = cast("list[Any]", data)
        return Kept(_NUMBER.read(turn), *(_TEXT.read(text) for text in texts))

    return Kind(write, read)


_TEXT = _typed(str)
_NUMBER = _typed(int)
_REAL = _real()
_FLAG = _typed(bool)
_DATA = Kind(_same, _same)
_TEXTS = _many(_TEXT)
_NUMBERS = _many(_NUMBER)
_SPAN = _pair(Span, lambda span: [span.first, span.last])
_TOKENS = _pair(lambda given, made: (given, made), list)
_REQUEST = _message(ModelRequest, "request")
_RESPONSE = _message(ModelResponse, "response")
_RESULT = _result()
_CUT = _record(Cut, first=_NUMBER, since=_NUMBER, opening=_FLAG, facts=_TEXT, values=_NUMBER, cap=_NUMBER)
_KEPT = _kept()
_COUNT = _record(Count, estimate=_NUMBER, bound=_NUMBER, raw=_NUMBER, provider=_or_none(_NUMBER))
_REQUEST_TRACE = _record(
    RequestTrace,
    {"cut": Cut()},
    round=_NUMBER,
    count=_COUNT,
    target=_NUMBER,
    cut=_CUT,
    managed=_TEXT,
    dropped=_many(_SPAN),
    summarised=_many(_SPAN),
    retried=_TEXT,
    notes=_TEXTS,
    recalled=_NUMBERS,
)
_TRACE = _record(Trace, rounds=_NUMBER, input_tokens=_NUMBER, output_tokens=_NUMBER, notes=_TEXTS)

FACT = _record(
    Fact,
    {"quote": "", "start": 0, "end": 0, "turn": 0, "expires_at": None},
    key=_TEXT,
    value=_scalar(),
    source=_member(Source),
    quote=_TEXT,
    start=_NUMBER,
    end=_NUMBER,
    conversation=_TEXT,
    turn=_NUMBER,
    at=_NUMBER,
    expires_at=_or_none(_NUMBER),
    question=_TEXT,
    retracted=_FLAG,
    many=_FLAG,
)
"""How one fact is written, in an event and in a projection."""


def _shape(tag: str, kind: type[Any], assumed: Mapping[str, object] | None = None, /, **kinds: Kind) -> Shape:
    return Shape(tag, kind, 1, _record(kind, assumed, **kinds))


EVENTS = (
    _shape("conversation-opened", ConversationOpened, user=_or_none(_TEXT), forked_from=_or_none(_TEXT)),
    _shape("turn-opened", TurnOpened, {"key": None}, key=_or_none(_TEXT), digest=_TEXT, message=_REQUEST),
    _shape("model-responded", ModelResponded, model=_TEXT, response=_RESPONSE, request=_REQUEST_TRACE),
    _shape(
        "tool-called",
        ToolCalled,
        call_id=_TEXT,
        tool_call_id=_TEXT,
        tool=_TEXT,
        effect=_word("read", "idempotent", "once"),
    ),
    _shape("tool-returned", ToolReturned, call_id=_TEXT, result=_RESULT),
    _shape("approval-asked", ApprovalAsked, call_id=_TEXT, tool_call_id=_TEXT, tool=_TEXT),
    _shape("approval-answered", ApprovalAnswered, call_id=_TEXT, approved=_FLAG, by=_TEXT, reason=_TEXT),
    _shape(
        "agent-acted",
        AgentActed,
        agent=_TEXT,
        part=_word("thinker", "speaker", "closer"),
        stage=_NUMBER,
        by=_TEXT,
        read=_TEXTS,
        wrote=_TEXTS,
        refused=_many(_record(Refused, agent=_TEXT, state=_TEXT, field=_TEXT, owner=_TEXT, reason=_TEXT)),
        notes=_TEXTS,
        usage=_TOKENS,
    ),
    _shape("asked", Asked, questions=_many(_record(Question, key=_TEXT, text=_TEXT, about=_TEXT))),
    _shape(
        "guard-acted",
        GuardActed,
        guard=_TEXT,
        mode=_word("observe", "regenerate", "block"),
        action=_word("flagged", "rewritten", "blocked"),
        sentence=_TEXT,
        written=_TEXT,
        reason=_TEXT,
    ),
    _shape("said", Said, by=_TEXT, text=_TEXT),
    _shape(
        "state-changed", StateChanged, state=_TEXT, version=_NUMBER, owner=_TEXT, change=_DATA, value=_DATA
    ),
    _shape(
        "turn-closed", TurnClosed, {"reply": None}, reply=_or_none(_TEXT), trace=_TRACE, answered_in=_NUMBER
    ),
    _shape("turn-paused", TurnPaused, text=_TEXT),
    _shape("turn-failed", TurnFailed, reason=_TEXT, message=_TEXT, retry=_FLAG, released=_TEXT),
    _shape(
        "facts-learned",
        FactsLearned,
        status=_word("learned", "none", "failed"),
        by=_word("rules", "model", "reply", "app"),
        source=_NUMBER,
        facts=_many(FACT),
        problems=_TEXTS,
        usage=_TOKENS,
    ),
    _shape(
        "summary-written",
        SummaryWritten,
        covers=_SPAN,
        text=_TEXT,
        by=_TEXT,
        tokens=_NUMBER,
        notes=_TEXTS,
        usage=_TOKENS,
        kept=_many(_KEPT),
        seen=_NUMBER,
    ),
    _shape("turn-pinned", TurnPinned, text=_TEXT),
    _shape("rated", Rated, score=_REAL, by=_TEXT, comment=_TEXT),
    _shape("handed-off", HandedOff, reason=_TEXT, note=_TEXT),
    _shape("resumed", Resumed, by=_TEXT),
    _shape(
        "erased",
        Erased,
        scope=_word("conversation", "user", "retention"),
        turns=_or_none(_SPAN),
        receipt=_TEXT,
        unreachable=_TEXTS,
    ),
)
"""Every event; the order means nothing."""
