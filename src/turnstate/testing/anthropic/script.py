"""The words of a scripted provider: what a reply function is given and what it may answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object as `json.loads` gives it."""

UNSIGNED = "c2lnbmVkLWJ5LXRoZS1sb2NhbC1zZXJ2ZXI="
"""The signature of a scripted thought; opaque to clients, as the real one is."""


@dataclass(frozen=True, slots=True)
class Say:
    """Text that the model answers.

    Attributes:
        text: the text of one block.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A tool that the model calls.

    Attributes:
        name: the tool's name; the request must offer it.
        input: the arguments, as JSON.
        id: the call's id, or None for one that is unique on this server and the same in every run.
    """

    name: str
    input: Mapping[str, object]
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Think:
    """A thinking block, which the client has to send back unchanged.

    Attributes:
        text: the thought.
        signature: what proves its origin to the real provider.
    """

    text: str
    signature: str = UNSIGNED


Part: TypeAlias = Say | Call | Think


class Fault(Exception):
    """An error that the provider answers with instead of a reply; a script may raise it or return it.

    Args:
        status: the HTTP status, as in 429, 500 or 529.
        kind: the error's type in the body, as in "overloaded_error".
        message: the error's text.
        retry_after: seconds for a `retry-after` header, or None for no header.
    """

    def __init__(self, status: int, kind: str, message: str, *, retry_after: int | None = None) -> None:
        self.status = status
        self.kind = kind
        self.message = message
        self.retry_after = retry_after
        super().__init__(f"{status} {kind}: {message}")


@dataclass(frozen=True, slots=True)
class Reply:
    """What the model answers.

    Attributes:
        parts: text, thoughts and tool calls in order.
        stop_reason: why it stopped, or None for "tool_use" where a tool is called and "end_turn" elsewhere.
        broken_by: an error that ends the stream after the parts; without streaming it is the whole answer.
    """

    parts: tuple[Part, ...] = ()
    stop_reason: str | None = None
    broken_by: Fault | None = None

    @classmethod
    def of(cls, *parts: Part | str) -> Reply:
        """The reply that consists of `parts`; a string is text that the model says."""
        return cls(tuple(Say(part) if isinstance(part, str) else part for part in parts))

    @property
    def stopped_by(self) -> str:
        """The stop reason that goes on the wire."""
        calls = any(isinstance(part, Call) for part in self.parts)
        return self.stop_reason or ("tool_use" if calls else "end_turn")


@dataclass(frozen=True, slots=True)
class MessagesRequest:
    """A request that the server accepted.

    Attributes:
        body: the JSON body as sent.
        tokens: the counted input tokens of the whole request.
        cache_read: those of them that an earlier request had cached.
        cache_creation: those of them that this request caches.
        betas: the names in the `anthropic-beta` header.
    """

    body: JsonObject
    tokens: int
    cache_read: int = 0
    cache_creation: int = 0
    betas: tuple[str, ...] = ()

    @property
    def model(self) -> str:
        """The model that was asked for."""
        return str(self.body["model"])

    @property
    def stream(self) -> bool:
        """Whether the client asked for server-sent events."""
        return self.body.get("stream") is True

    @property
    def messages(self) -> list[JsonObject]:
        """The messages as sent."""
        return self.body["messages"]

    @property
    def system(self) -> str:
        """The system prompt; several blocks are joined with a blank line."""
        return text_of(self.body.get("system", ""))

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools that the request offers, in order."""
        return tuple(tool["name"] for tool in self.body.get("tools", ()))

    @property
    def prompt(self) -> str:
        """The text of the newest user message."""
        return text_of(self.messages[-1]["content"])

    @property
    def results(self) -> dict[str, str]:
        """Tool results in the newest user message: their text by the id of the call."""
        return {
            block["tool_use_id"]: text_of(block.get("content", ""))
            for block in blocks_of(self.messages[-1]["content"])
            if block["type"] == "tool_result"
        }


Replier: TypeAlias = Callable[[MessagesRequest], Reply | Fault]
"""The scripted model: from a request to what the provider answers."""


def blocks_of(content: str | list[JsonObject]) -> list[JsonObject]:
    """The content blocks of a message; a string stands for one text block."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def text_of(content: str | list[JsonObject]) -> str:
    """The text in a message's content, a system prompt or a tool result; blocks are joined with a blank line."""
    return "\n\n".join(block["text"] for block in blocks_of(content) if block["type"] == "text")


def echo(request: MessagesRequest) -> Reply:
    """Say what the user said, or what the tools returned; call a tool without arguments where one is forced."""
    choice: JsonObject = request.body.get("tool_choice") or {"type": "auto"}
    if choice["type"] in {"any", "tool"}:
        return Reply.of(Call(choice.get("name", request.tools[0]), {}))
    said = "\n\n".join(text for text in (request.prompt, *request.results.values()) if text.strip())
    return Reply.of(said or "(no text)")


def in_order(*answers: Reply | Fault) -> Replier:
    """A scripted model that gives `answers` one after the other, whatever it is asked; safe across threads.

    A request after the last answer is answered with a 500 that says so.
    """
    lock = threading.Lock()
    left: Iterator[Reply | Fault] = iter(answers)

    def reply(_request: MessagesRequest) -> Reply | Fault:
        with lock:
            spent = Fault(
                500, "api_error", f"The script has {len(answers)} answers and all of them were given."
            )
            return next(left, spent)

    return reply
