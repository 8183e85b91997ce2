"""Generated events of every kind, for the tests of the stores."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

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
    TurnPinned,
)
from turnstate.core.facts import Fact, Source
from turnstate.core.messages import (
    BinaryContent,
    ModelRequest,
    ModelResponse,
    RequestUsage,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
    moment,
    request,
    tool_return,
)

AWKWARD = (
    "",
    "\0",
    "\ud800",
    "\udfff\ud800",
    "\ud83d\ude00",
    "😀",
    "\\",
    "\\0000",
    '"',
    "\u2028",
    "é",
    "e\u0301",
)

texts = st.lists(
    st.one_of(st.sampled_from(AWKWARD), st.text(max_size=8), st.text(st.characters(), max_size=4)), max_size=4
).map("".join)
"""Any text, often with NUL, lone or paired surrogates, emoji and what looks like an escape."""

numbers = st.integers(0, 2**53)
times = st.integers(0, 4_000_000_000_000_000)
spans = st.builds(Span, st.integers(1, 99), st.integers(1, 99))
notes = st.lists(texts, max_size=2).map(tuple)
usages = st.tuples(numbers, numbers)
optional_texts = st.none() | texts
scalars = st.one_of(texts, st.integers(-(2**70), 2**70), st.floats(allow_nan=False), st.booleans())

data: st.SearchStrategy[Any] = st.recursive(
    st.none() | scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
"""Any JSON data."""

binaries = st.builds(
    BinaryContent,
    st.binary(max_size=30) | st.binary(min_size=990, max_size=1_010) | st.just(b"\0\xff" * 2_000),
    media_type=st.sampled_from(["application/pdf", "audio/mpeg", "application/octet-stream"]),
)

tool_results: st.SearchStrategy[Any] = st.recursive(
    st.none() | texts | st.integers(-(2**53), 2**53) | st.booleans() | binaries,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
"""What a tool may return: data and files, in any nesting."""

tool_returns: st.SearchStrategy[ToolReturnPart] = st.builds(
    tool_return,
    texts,
    tool_results,
    texts,
    times,
    st.sampled_from(["success", "failed", "denied", "interrupted"]),
)

user_parts = st.builds(
    UserPromptPart,
    texts | st.lists(texts | binaries, min_size=1, max_size=3),
    timestamp=times.map(moment),
)
system_parts = st.builds(SystemPromptPart, texts, timestamp=times.map(moment))
requests: st.SearchStrategy[ModelRequest] = st.lists(
    user_parts | system_parts | tool_returns, min_size=1, max_size=2
).map(request)

responses: st.SearchStrategy[ModelResponse] = st.builds(
    ModelResponse,
    parts=st.lists(
        st.builds(TextPart, texts)
        | st.builds(
            ThinkingPart, texts, signature=optional_texts, provider_name=st.none() | st.just("anthropic")
        )
        | st.builds(ToolCallPart, texts, texts | st.dictionaries(texts, data, max_size=2), texts),
        max_size=3,
    ),
    usage=st.builds(RequestUsage, input_tokens=numbers, output_tokens=numbers),
    model_name=optional_texts,
    timestamp=times.map(moment),
    provider_response_id=optional_texts,
    finish_reason=st.sampled_from([None, "stop", "length", "tool_call"]),
)

cuts = st.just(Cut()) | st.builds(
    Cut, st.integers(1, 9), st.integers(1, 9), st.booleans(), texts | texts.map(lambda text: text * 60)
)
traces = st.builds(
    RequestTrace,
    st.integers(1, 9),
    st.builds(Count, numbers, numbers, numbers, st.none() | numbers),
    numbers,
    cuts,
    texts,
    st.lists(spans, max_size=2).map(tuple),
    st.lists(spans, max_size=2).map(tuple),
    texts,
    notes,
)

facts = st.builds(
    Fact,
    texts,
    scalars,
    st.sampled_from(Source),
    texts,
    numbers,
    numbers,
    texts,
    numbers,
    times,
    st.none() | times,
    texts,
    st.booleans(),
    st.booleans(),
)

events: st.SearchStrategy[Event] = st.one_of(
    st.builds(ConversationOpened, optional_texts, optional_texts),
    st.builds(TurnOpened, optional_texts, texts, requests),
    st.builds(ModelResponded, texts, responses, traces),
    st.builds(ToolCalled, texts, texts, texts, st.sampled_from(["read", "idempotent", "once"])),
    st.builds(ToolReturned, texts, tool_returns),
    st.builds(ApprovalAsked, texts, texts, texts),
    st.builds(ApprovalAnswered, texts, st.booleans(), texts, texts),
    st.builds(
        AgentActed,
        texts,
        st.sampled_from(["thinker", "speaker", "closer"]),
        numbers,
        texts,
        notes,
        notes,
        st.lists(st.builds(Refused, texts, texts, texts, texts, texts), max_size=2).map(tuple),
        notes,
        usages,
    ),
    st.builds(Asked, st.lists(st.builds(Question, texts, texts, texts), max_size=2).map(tuple)),
    st.builds(
        GuardActed,
        texts,
        st.sampled_from(["observe", "regenerate", "block"]),
        st.sampled_from(["flagged", "rewritten", "blocked"]),
        texts,
        texts,
        texts,
    ),
    st.builds(Said, texts, texts),
    st.builds(StateChanged, texts, numbers, texts, data, data),
    st.builds(TurnClosed, optional_texts, st.builds(Trace, numbers, numbers, numbers, notes)),
    st.builds(TurnFailed, texts, texts, st.booleans(), texts),
    st.builds(
        FactsLearned,
        st.sampled_from(["learned", "none", "failed"]),
        st.sampled_from(["rules", "model", "reply", "app"]),
        numbers,
        st.lists(facts, max_size=2).map(tuple),
        notes,
        usages,
    ),
    st.builds(
        SummaryWritten,
        spans,
        texts,
        texts,
        numbers,
        notes,
        usages,
        st.lists(st.builds(Kept, numbers, texts, texts, texts, texts), max_size=2).map(tuple),
        numbers,
    ),
    st.builds(TurnPinned, texts),
    st.builds(HandedOff, texts, texts),
    st.builds(Resumed, texts),
    st.builds(
        Erased, st.sampled_from(["conversation", "user", "retention"]), st.none() | spans, texts, notes
    ),
)
"""Every event there is."""
