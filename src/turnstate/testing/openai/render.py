"""What both APIs' answers are made from: the reply with its ids, and what it costs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from turnstate.testing.anthropic.count import count_text
from turnstate.testing.anthropic.script import Call, Fault, JsonObject, Part, Reply, Think
from turnstate.testing.openai.script import OpenAIRequest

CHUNK = 12
"""Characters in a text or JSON delta; short, so that words and values are cut in the middle."""


@dataclass(frozen=True, slots=True)
class Ids:
    """The ids of one part of a reply.

    Attributes:
        item: of the item that it is in responses.
        call: of the call, where it is one.
        encrypted: the encrypted content, where it is a thought.
    """

    item: str
    call: str
    encrypted: str


@dataclass(frozen=True, slots=True)
class Answered:
    """A reply with the ids that it carries on the wire.

    Attributes:
        request: what was asked.
        reply: what is answered.
        answer_id: the answer's id, without its prefix.
        ids: the ids of the parts, by position.
    """

    request: OpenAIRequest
    reply: Reply
    answer_id: str
    ids: tuple[Ids, ...]

    @property
    def thinking_tokens(self) -> int:
        """What the thoughts cost."""
        return sum(_tokens(part) for part in self.reply.parts if isinstance(part, Think))

    @property
    def output_tokens(self) -> int:
        """What the answer costs, thoughts included; never nothing."""
        return max(1, sum(map(_tokens, self.reply.parts)))


class Refused(Fault):
    """A request that the provider refuses.

    Args:
        message: the reason.
        status: the HTTP status.
        kind: the error's type.
        code: the error's code, or None.
    """

    def __init__(
        self, message: str, *, status: int = 400, kind: str = "invalid_request_error", code: str | None = None
    ) -> None:
        self.code = code
        super().__init__(status, kind, message)


def error(fault: Fault) -> JsonObject:
    """An error's body."""
    code = fault.code if isinstance(fault, Refused) else None
    return {"error": {"message": fault.message, "type": fault.kind, "param": None, "code": code}}


def pieces(text: str) -> Iterator[str]:
    """A text as it is streamed."""
    for start in range(0, len(text), CHUNK):
        yield text[start : start + CHUNK]


def _tokens(part: Part) -> int:
    if isinstance(part, Call):
        return count_text(part.name) + count_text(json.dumps(dict(part.input), ensure_ascii=False))
    return count_text(part.text)
