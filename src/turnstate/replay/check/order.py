"""The messages of a request in their order: who speaks when, and which result answers which call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, cast

from turnstate.core.messages import ModelMessage
from turnstate.replay.check.looks import Seen


def order(messages: Sequence[Seen]) -> Iterator[str]:
    """What is wrong with who speaks when."""
    if not messages:
        yield "The request has no messages."
        return
    if not messages[0].request or all(part.kind != "user" for part in messages[0].parts):
        yield "The request does not start with the user."
    if not messages[-1].request:
        yield "The request ends with the assistant."
    if any(message.request == following.request for message, following in pairwise(messages)):
        yield "Two messages of one role stand in a row."
    if not all(message.parts for message in messages):
        yield "A message is empty."
    if any(message.parts and all(part.kind == "thinking" for part in message.parts) for message in messages):
        yield "An answer has neither words nor calls."


def leading_mark(messages: Sequence[ModelMessage]) -> Iterator[str]:
    """Whether a cache mark stands before everything else."""
    for part in messages[0].parts[:1] if messages else ():
        content: Any = getattr(part, "content", None)
        items = list(cast("Sequence[Any]", content)) if isinstance(content, list | tuple) else []
        if items and getattr(items[0], "kind", "") == "cache-point":
            yield "A cache mark has nothing before it."


def pairs(messages: Sequence[Seen]) -> Iterator[str]:
    """What is wrong between calls and results, ours and those on the provider's side."""
    asked: list[str] = []
    for message in messages:
        if not message.request:
            if asked:
                yield "A call has no result."
            asked = [part.call_id for part in message.parts if part.kind == "call"]
            yield from _native(message)
            continue
        given = [part.call_id for part in message.parts if part.kind == "result"]
        if asked or given:
            yield from _answers(asked, given)
        if given and any(part.kind != "result" for part in message.parts[: len(given)]):
            yield "A result stands behind other content of its message."
        asked = []
    if asked:
        yield "A call has no result."


def _answers(asked: Iterable[str], given: Sequence[str]) -> Iterator[str]:
    wanted, got = set(asked), set(given)
    if wanted - got:
        yield "A call has no result."
    if got - wanted:
        yield "A result has no call directly before it."
    if len(given) != len(got):
        yield "A call has two results."


def _native(message: Seen) -> Iterator[str]:
    waiting: set[str] = set()
    for part in message.parts:
        if part.kind == "native call":
            waiting.add(part.call_id)
        elif part.kind == "native result":
            if part.call_id not in waiting:
                yield "A result from the provider's side has no call before it."
            waiting.discard(part.call_id)
    if waiting:
        yield "A call on the provider's side has no result."


def call_ids(messages: Sequence[Seen]) -> Iterator[str]:
    """Whether ids are used once."""
    made = [part.call_id for m in messages for part in m.parts if part.kind in {"call", "native call"}]
    if len(made) != len(set(made)):
        yield "Two calls have one id."
