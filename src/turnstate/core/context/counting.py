"""How many tokens a request has: an estimate that learns from reports, and a bound that never under-counts.

The estimate of a text looks at its bytes by script: about 4.2 Latin letters a token, 2.5 digits or signs, and one
token for each character of a script without spaces; the calibration then takes the provider's own figure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from turnstate.core.history import History
from turnstate.core.messages import (
    BinaryContent,
    ModelMessage,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
    args_text,
    result_text,
)

MESSAGE = 4
"""Tokens of framing for one message or block."""

FIXED = 8
"""Tokens of framing for one request."""

TOOL_PROMPT = 346
"""Tokens of the hidden prompt that a provider adds when tools are offered (Anthropic publishes 346 for Claude 4)."""

IMAGE = 1_600
"""Tokens of an image at the largest size that providers keep before they scale it down."""

_TO_SIGNS = str.maketrans("", "", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")


def estimate_text(text: str) -> int:
    """About how many tokens `text` has; at least 1 unless it is empty."""
    if not text:
        return 0
    ascii_part = text if text.isascii() else text.encode("ascii", "ignore").decode()
    signs = len(ascii_part.translate(_TO_SIGNS))
    tokens = (len(ascii_part) - signs) / 4.6 + signs / 2.2
    if len(ascii_part) < len(text):
        others = len(text) - len(ascii_part)
        wide = (len(text.encode("utf-8", "surrogatepass")) - len(ascii_part)) / others
        tokens += others * (1.0 if wide >= 2.8 else 0.6)
    return max(1, round(tokens))


def bound_text(text: str) -> int:
    """A count that no byte-level tokenizer exceeds: the bytes of `text` in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True)
class Size:
    """The size of something that is sent.

    Attributes:
        estimate: uncalibrated.
        bound: never under the truth.
    """

    estimate: int
    bound: int

    def __add__(self, other: Size) -> Size:
        return Size(self.estimate + other.estimate, self.bound + other.bound)


NOTHING = Size(0, 0)


def size_text(text: str) -> Size:
    """The size of a text without framing."""
    return Size(estimate_text(text), bound_text(text))


def size_message(message: ModelMessage) -> Size:
    """The size of one message, with the framing of each of its parts."""
    total = Size(MESSAGE, 2 * MESSAGE)
    for part in message.parts:
        total += _size_part(part)
    return total


def size_messages(messages: Iterable[ModelMessage]) -> Size:
    """The size of several messages."""
    total = NOTHING
    for message in messages:
        total += size_message(message)
    return total


def size_head(instructions: str, tools: str) -> Size:
    """The size of what stands before the messages: instructions and tools, with the request's framing."""
    total = Size(FIXED, 4 * FIXED) + size_text(instructions)
    if tools:
        total += size_text(tools) + Size(TOOL_PROMPT, 2 * TOOL_PROMPT)
    return total


def _size_part(part: Any) -> Size:
    match part:
        case UserPromptPart():
            return _size_content(part.content)
        case ToolCallPart():
            call: ToolCallPart[Any] = part
            return size_text(call.tool_name) + size_text(args_text(call)) + Size(MESSAGE * 3, MESSAGE * 12)
        case ToolReturnPart():
            result: ToolReturnPart[Any] = part
            return _size_content(result_text(result)) + _size_files(result) + Size(MESSAGE * 3, MESSAGE * 12)
        case TextPart() | ThinkingPart():
            return size_text(part.content)
        case _:
            content = getattr(part, "content", "")
            return size_text(content if isinstance(content, str) else str(content))


def _size_content(content: Any) -> Size:
    if isinstance(content, str):
        return size_text(content)
    total = NOTHING
    for item in content:
        if isinstance(item, str):
            total += size_text(item)
        elif isinstance(item, BinaryContent) or hasattr(item, "url"):
            total += Size(IMAGE, IMAGE * 2)
        else:
            total += size_text(str(getattr(item, "content", "")))
        total += Size(MESSAGE, 2 * MESSAGE)
    return total


def _size_files(part: ToolReturnPart) -> Size:
    files = len(part.files)
    return Size(IMAGE * files, IMAGE * 2 * files)


@dataclass(frozen=True, slots=True)
class Calibration:
    """How a provider's counts compare with our estimate.

    Attributes:
        ratio: its tokens for each of ours.
        known: whether any response has been reported.
    """

    ratio: float = 1.0
    known: bool = False

    def apply(self, estimate: int) -> int:
        """`estimate` as this provider would count it."""
        return round(estimate * self.ratio)


def calibrate(history: History, model: str) -> Calibration:
    """The calibration from the newest response of `model` in view that reported its input.

    A report of zero is unknown, never zero; a ratio outside 0.4 to 3 is a broken report and is ignored.
    """
    for turn in reversed(history.turns):
        for step in reversed(turn.steps):
            if step.model == model and (ratio := _ratio(step.response, step.trace.count.raw)) is not None:
                return Calibration(ratio, known=True)
    return Calibration()


def _ratio(response: ModelResponse, raw: int) -> float | None:
    reported = response.usage.input_tokens
    if not reported or not raw:
        return None
    ratio = reported / raw
    return ratio if 0.4 <= ratio <= 3 else None
