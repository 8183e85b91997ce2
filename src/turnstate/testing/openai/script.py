"""What a scripted model of OpenAI's is asked, in the words of either API, and the simplest scripts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from turnstate.testing.anthropic.script import Fault, JsonObject, Reply

Api: TypeAlias = Literal["chat", "responses"]
"""Which of the two APIs was asked."""


@dataclass(frozen=True, slots=True)
class OpenAIRequest:
    """A request that the server accepted.

    Attributes:
        body: the JSON body as sent.
        api: which API was asked.
        tokens: the counted input tokens of the whole request.
    """

    body: JsonObject
    api: Api
    tokens: int

    @property
    def model(self) -> str:
        """The model that was asked for."""
        return str(self.body["model"])

    @property
    def stream(self) -> bool:
        """Whether the client asked for server-sent events."""
        return self.body.get("stream") is True

    @property
    def items(self) -> list[JsonObject]:
        """The messages of a chat, or the input items of a response, as sent."""
        return items_of(self.body)

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the functions that the request offers, in order."""
        return tuple(
            tool["function"]["name"] if self.api == "chat" else tool["name"]
            for tool in self.body.get("tools", ())
        )

    @property
    def system(self) -> str:
        """The instructions; several texts are joined with a blank line."""
        texts = [self.body.get("instructions") or ""]
        texts += [
            text_of(item["content"]) for item in self.items if item.get("role") in {"system", "developer"}
        ]
        return "\n\n".join(text for text in texts if text)

    @property
    def newest(self) -> list[JsonObject]:
        """What came behind the model's last answer."""
        found = self.items
        said = [index for index, item in enumerate(found) if is_answer(item)]
        return found[said[-1] + 1 :] if said else found

    @property
    def prompt(self) -> str:
        """The text of the newest user messages."""
        return "\n\n".join(text_of(item["content"]) for item in self.newest if item.get("role") == "user")

    @property
    def results(self) -> dict[str, str]:
        """Tool results behind the model's last answer: their text by the id of the call."""
        found: dict[str, str] = {}
        for item in self.newest:
            if item.get("role") == "tool":
                found[item["tool_call_id"]] = text_of(item["content"])
            elif item.get("type") == "function_call_output":
                found[item["call_id"]] = text_of(item["output"])
        return found


Replier: TypeAlias = Callable[[OpenAIRequest], Reply | Fault]
"""The scripted model: from a request to what the provider answers."""


def items_of(body: JsonObject) -> list[JsonObject]:
    """The messages or input items of a request; a string is what the user says."""
    given: Any = body["messages"] if "messages" in body else body["input"]
    return [{"role": "user", "content": given}] if isinstance(given, str) else given


def is_answer(item: JsonObject) -> bool:
    """Whether the model made an item."""
    return item.get("role") == "assistant" or item.get("type") in {"function_call", "reasoning"}


def text_of(content: str | list[JsonObject] | None) -> str:
    """The text in a content; its parts are joined with a blank line."""
    if isinstance(content, str) or content is None:
        return content or ""
    return "\n\n".join(part["text"] for part in content if "text" in part)


def echo(request: OpenAIRequest) -> Reply:
    """Say what the user said, or what the tools returned."""
    said = "\n\n".join(text for text in (request.prompt, *request.results.values()) if text.strip())
    return Reply.of(said or "(no text)")


def in_order(*answers: Reply | Fault) -> Replier:
    """A scripted model that gives `answers` one after the other, whatever it is asked; safe across threads.

    A request after the last answer is answered with a 500 that says so.
    """
    lock = threading.Lock()
    left: Iterator[Reply | Fault] = iter(answers)

    def reply(_request: OpenAIRequest) -> Reply | Fault:
        spent = Fault(
            500, "server_error", f"The script has {len(answers)} answers and all of them were given."
        )
        with lock:
            return next(left, spent)

    return reply
