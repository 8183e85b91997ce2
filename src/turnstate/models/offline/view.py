"""What the model sees: the rendered request, read into one frozen value, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    SystemPromptPart,
    TextContent,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of a block of facts.

    Attributes:
        key: its key, as `order_id`.
        value: its value, as rendered, without its source.
    """

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Result:
    """One tool call with what came of it.

    Attributes:
        tool: the tool's name.
        args: the arguments; empty if they cannot be read.
        content: the result: JSON data where it is JSON, text otherwise.
        failed: whether the framework says that it did not run well.
    """

    tool: str
    args: dict[str, Any]
    content: Any
    failed: bool


@dataclass(frozen=True, slots=True)
class View:
    """A request as these rules see it.

    Attributes:
        instructions: the system text.
        tools: the tools offered, in order.
        facts: what is on record about the customer, as of the last cut.
        updates: what has changed on record since.
        opening: the customer's first message, where it stands apart; else "".
        summaries: summaries of earlier turns, oldest first.
        recalled: earlier exchanges brought back for this message.
        said: the customer's earlier messages in view, oldest first.
        replies: the assistant's earlier texts in view, oldest first.
        newest: the newest message.
        files: whether the newest message has attachments.
        results: what the tools called for this message returned, in order.
        earlier: what tools returned in earlier turns in view, in order.
        first: whether this is the first reply of the conversation.
    """

    instructions: str = ""
    tools: tuple[ToolDefinition, ...] = ()
    facts: tuple[Fact, ...] = ()
    updates: tuple[Fact, ...] = ()
    opening: str = ""
    summaries: tuple[str, ...] = ()
    recalled: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    newest: str = ""
    files: bool = False
    results: tuple[Result, ...] = ()
    earlier: tuple[Result, ...] = ()
    first: bool = True

    @property
    def last_reply(self) -> str:
        """The assistant's previous text; "" if there is none in view."""
        return self.replies[-1] if self.replies else ""


_BLOCK: Final = re.compile(
    r"<(?P<name>[a-z_]{3,20})(?:\s[^>\n]{0,300})?>\n?(?P<text>.*?)\n?</(?P=name)>\s*", re.DOTALL
)
_SOURCE: Final = re.compile(
    r"\s\((?=(?:the\s)?(?:customer|user|said|asked|verified|confirmed|unconfirmed|transcript|from|app|on record|source)\b).*\)\s*$",
    re.IGNORECASE | re.DOTALL,
)
_SOURCED: Final = re.compile(
    r"(?:^|;)\s(?P<value>\"[^\"\n]{1,500}\"|[^\";\n]{1,300}?)\s\((?=(?:verified by|customer (?:said|confirmed)|unconfirmed)\b)"
)
_GONE: Final = "no longer on record"


def read_view(messages: Sequence[ModelMessage], parameters: ModelRequestParameters) -> View:
    """Read a request.

    Args:
        messages: the messages as any provider would get them.
        parameters: what goes with them: tools and instructions.
    """
    reader = _Reader()
    for index, message in enumerate(messages):
        following = messages[index + 1] if index + 1 < len(messages) else None
        reader.take(message, before_request=isinstance(following, ModelRequest))
    facts = reader.blocks("facts")
    return View(
        instructions=read_instructions(messages, parameters),
        tools=tuple(parameters.function_tools),
        facts=tuple(fact for text in facts for fact in _facts(text)),
        updates=tuple(fact for text in reader.blocks("update")[-1:] for fact in _facts(text)),
        opening="\n".join(reader.blocks("opening")),
        summaries=reader.blocks("summary"),
        recalled=reader.blocks("recalled"),
        said=tuple(reader.said[:-1]),
        replies=tuple(reader.replies),
        newest=reader.said[-1] if reader.said else "",
        files=reader.files,
        results=tuple(reader.results),
        earlier=tuple(reader.earlier),
        first=not (reader.answered or reader.blocks("opening") or reader.blocks("summary")),
    )


class _Reader:
    """Goes through the messages in order."""

    def __init__(self) -> None:
        self._blocks: list[tuple[str, str]] = []
        self._calls: dict[str, ToolCallPart] = {}
        self._texts: list[str] = []
        self._spoke = False
        self.said: list[str] = []
        self.replies: list[str] = []
        self.results: list[Result] = []
        self.earlier: list[Result] = []
        self.files = False
        self.answered = False

    def blocks(self, name: str) -> tuple[str, ...]:
        """The texts of the blocks of a name, in order."""
        return tuple(text for own, text in self._blocks if own == name)

    def take(self, message: ModelMessage, *, before_request: bool) -> None:
        """Read one message; `before_request` says that another request follows directly."""
        if isinstance(message, ModelRequest):
            self._take_request(message, before_request=before_request)
            return
        self._spoke = True
        text = "".join(part.content for part in message.parts if isinstance(part, TextPart)).strip()
        if text:
            self._texts.append(text)
        self._calls |= {part.tool_call_id: part for part in message.parts if isinstance(part, ToolCallPart)}

    def _take_request(self, message: ModelRequest, *, before_request: bool) -> None:
        for part in message.parts:
            if isinstance(part, ToolReturnPart):
                self.results.append(_result(part, self._calls.get(part.tool_call_id)))
        prompts = [part for part in message.parts if isinstance(part, UserPromptPart)]
        read = [block for part in prompts for block in _pieces(part)]
        # A customer who types a tag stays a customer: what comes last in a request is never a block.
        only_blocks = before_request and all(block is not None for _, block in read)
        words: list[str] = []
        for index, (text, block) in enumerate(read):
            if block is not None and (index < len(read) - 1 or only_blocks):
                self._blocks.append((block["name"], _unescaped(block["text"])))
            else:
                words.append(text)
        files = any(not isinstance(part.content, str) and _has_files(part.content) for part in prompts)
        if words or files:
            self._open(words, files=files)

    def _open(self, words: list[str], *, files: bool) -> None:
        """A new message of the customer: what came before belongs to earlier turns."""
        self.earlier.extend(self.results)
        self.replies.extend(self._texts)
        self.answered = self.answered or self._spoke
        self.results, self._texts, self._spoke = [], [], False
        self.said.append("\n".join(words))
        self.files = files


def _pieces(part: UserPromptPart) -> Iterator[tuple[str, re.Match[str] | None]]:
    """The texts of a part, each with its match if it has the form of a block."""
    contents = [part.content] if isinstance(part.content, str) else part.content
    for item in contents:
        text = item.content if isinstance(item, TextContent) else item
        if isinstance(text, str):
            yield text, _BLOCK.fullmatch(text.lstrip())


def _has_files(contents: Sequence[object]) -> bool:
    return any(
        not isinstance(item, str | TextContent) and getattr(item, "kind", "") != "cache-point"
        for item in contents
    )


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _facts(text: str) -> Iterator[Fact]:
    """The facts of a block: `key: value (source); value (source)`, one key a line; a line without a key goes on."""
    lines: list[str] = []
    for line in text.splitlines():
        if re.match(r"[\w.-]{1,60}:\s", line) or not lines:
            lines.append(line)
        else:
            lines[-1] += f"\n{line}"
    for line in lines:
        key, colon, rest = line.partition(":")
        if not colon or not key.strip():
            continue
        if rest.strip() == _GONE:
            yield Fact(key.strip(), "")
            continue
        values = [match["value"] for match in _SOURCED.finditer(rest)] or [_SOURCE.sub("", rest)]
        yield from (Fact(key.strip(), plain) for value in values if (plain := value.strip().strip('"')))


def _result(part: ToolReturnPart, call: ToolCallPart | None) -> Result:
    content: Any = part.content
    if isinstance(content, str) and content.lstrip()[:1] in {"{", "["}:
        with suppress(ValueError):
            content = json.loads(content)
    return Result(part.tool_name, _arguments(call), content, part.outcome != "success")


def _arguments(call: ToolCallPart | None) -> dict[str, Any]:
    if call is None:
        return {}
    try:
        return call.args_as_dict()
    except (ValueError, AssertionError):
        return {}


def read_instructions(messages: Sequence[ModelMessage], parameters: ModelRequestParameters) -> str:
    """The system text: from the parameters, or as the newest request carries it."""
    texts = [
        part.content
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, SystemPromptPart)
    ]
    if parameters.instruction_parts:
        texts.extend(part.content for part in parameters.instruction_parts)
    else:
        carried = [m.instructions for m in messages if isinstance(m, ModelRequest) and m.instructions]
        texts.extend(carried[-1:])
    return "\n\n".join(texts)
