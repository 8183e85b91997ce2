"""How many tokens a request has: an estimate that learns from reports, and a bound that never under-counts.

The estimate of a text looks at its bytes by script: about 4.6 Latin letters a token, 2.2 digits or signs, and one
token for each character of a script without spaces; the calibration then takes the provider's own figure. Files are
counted by their pixels and pages, never by their bytes in base64.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, cast

from turnstate.core.context.families import ANYWHERE, Wire
from turnstate.core.context.files import pages, pixels
from turnstate.core.context.images import (
    MOST_IMAGE,
    PAGE,
    image_tokens,
    most_image_tokens,
    page_tokens,
    unknown_image_tokens,
)
from turnstate.core.context.letters import bound_arguments, bound_text, estimate_text
from turnstate.core.history import History
from turnstate.core.messages import (
    BaseToolCallPart,
    BaseToolReturnPart,
    BinaryContent,
    CachePoint,
    FilePart,
    ModelMessage,
    ModelResponse,
    RetryPromptPart,  # pyright: ignore[reportDeprecated]  # histories recorded elsewhere still hold it
    TextContent,
    ThinkingPart,
    UserPromptPart,
    args_text,
    result_text,
)

__all__ = [
    "FIXED",
    "GROWN",
    "MESSAGE",
    "MOST_IMAGE",
    "MOST_PAGE",
    "MOST_PAGES",
    "NOTHING",
    "PAGE",
    "REPORTS",
    "TOOL_PROMPT",
    "Calibration",
    "Size",
    "bound_arguments",
    "bound_text",
    "calibrate",
    "estimate_text",
    "ratio_of",
    "reported_ratio",
    "size_head",
    "size_message",
    "size_messages",
    "size_text",
]

MESSAGE = 4
"""Tokens of framing for one message or block."""

FIXED = 8
"""Tokens of framing for one request."""

TOOL_PROMPT = 346
"""Tokens of the hidden prompt that a provider adds when tools are offered (Anthropic publishes 346 for Claude 4)."""

MOST_PAGE = 8_000
"""The most tokens of a page: its text and, beside it, its image at the highest resolution."""

MOST_PAGES = 600
"""The most pages that a provider reads as images, for documents that do not say how many they have."""

_AS_TEXT = re.compile(r"text/|application/(?:json|xml|yaml|x-yaml|toml|csv|javascript)\b|.*\+(?:json|xml)\b")


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

_SHORT = 2_000
"""Characters of a text whose size is remembered."""


def size_text(text: str) -> Size:
    """The size of a text without framing."""
    return _size_again(text) if len(text) <= _SHORT else _size_text(text)


def _size_text(text: str) -> Size:
    return Size(estimate_text(text), bound_text(text))


_size_again = lru_cache(maxsize=8_192)(_size_text)
"""The texts of a conversation are counted in every request: short ones are looked up."""


def size_message(message: ModelMessage, wire: Wire = ANYWHERE) -> Size:
    """The size of one message, with the framing of each of its parts; images as `wire` counts them."""
    estimate, bound = MESSAGE, 2 * MESSAGE
    for part in message.parts:
        size = _size_part(part, wire)
        estimate, bound = estimate + size.estimate, bound + size.bound
    return Size(estimate, bound)


def size_messages(messages: Iterable[ModelMessage], wire: Wire = ANYWHERE) -> Size:
    """The size of several messages, as `size_message`."""
    estimate, bound = 0, 0
    for message in messages:
        size = size_message(message, wire)
        estimate, bound = estimate + size.estimate, bound + size.bound
    return Size(estimate, bound)


def size_head(instructions: str, tools: str) -> Size:
    """The size of what stands before the messages: instructions and tools, with the request's framing."""
    total = Size(FIXED, 4 * FIXED) + size_text(instructions)
    if tools:
        total += size_text(tools) + Size(TOOL_PROMPT, 2 * TOOL_PROMPT)
    return total


def _size_part(part: Any, wire: Wire) -> Size:  # noqa: PLR0911 - one return for each kind of part
    match part:
        case UserPromptPart():
            return _size_content(part.content, wire)
        case BaseToolCallPart():
            call = cast("BaseToolCallPart[Any]", part)
            text = args_text(call)
            return Size(estimate_text(text), bound_arguments(text)) + _size_pairing(call)
        case BaseToolReturnPart():
            result = cast("BaseToolReturnPart[Any]", part)
            files = sum((_size_file(item, wire) for item in result.files), NOTHING)
            return size_text(result_text(result)) + files + _size_pairing(result)
        case RetryPromptPart():  # pyright: ignore[reportDeprecated]  # as at its import
            return size_text(part.model_response()) + _size_pairing(part)
        case ThinkingPart():
            return _size_thinking(part)
        case FilePart():
            return _size_file(part.content, wire)
        case _:
            return size_text(str(getattr(part, "content", None) or ""))


def _size_pairing(part: Any) -> Size:
    """The name, the id and the framing of a call or a result. Templates of some models spell the id out."""
    framing = Size(MESSAGE * 3, MESSAGE * 12)
    return size_text(part.tool_name or "") + Size(0, bound_text(part.tool_call_id)) + framing


def _size_thinking(part: ThinkingPart) -> Size:
    """What was thought, or where a provider keeps that to itself, its sealed form, which is never shorter."""
    sealed = len(part.signature or "")
    shown = size_text(part.content)
    return Size(shown.estimate or round(sealed * 0.75 / 4.6), shown.bound + sealed)


def _size_content(content: Any, wire: Wire) -> Size:
    if isinstance(content, str):
        return size_text(content)
    total = NOTHING
    for item in content:
        match item:
            case str():
                total += size_text(item)
            case TextContent():
                total += size_text(item.content)
            case CachePoint():
                continue
            case _:
                total += _size_file(item, wire)
        total += Size(MESSAGE, 2 * MESSAGE)
    return total


def _size_file(item: Any, wire: Wire) -> Size:
    """An image by its pixels, a PDF by its pages, a text by its letters; what says nothing of itself has its most."""
    if not isinstance(item, BinaryContent):
        named = item.kind == "image-url"
        return _size_unknown(wire) if named else _size_pages(None, wire)
    kind, data = item.media_type, item.data
    if kind.startswith("image/"):
        return _size_image(item, wire)
    if _AS_TEXT.match(kind):
        return size_text(data.decode(errors="replace"))
    if kind == "application/pdf":
        return _size_pages(pages(data), wire)
    # Sound and film: a second has about 32 tokens in 16 kB, and never less than 1 kB.
    return Size(1 + len(data) // 500, 1 + len(data))


def _size_unknown(wire: Wire) -> Size:
    return Size(unknown_image_tokens(wire), most_image_tokens(wire))


def _size_pages(count: int | None, wire: Wire) -> Size:
    """A document by its pages; of one that does not say how many, one is guessed and the most are the bound."""
    return Size(page_tokens(wire) * (count or 1), MOST_PAGE * (count or MOST_PAGES))


def _size_image(image: BinaryContent, wire: Wire) -> Size:
    size = pixels(image.data)
    if size is None:
        return _size_unknown(wire)
    detail = (image.vendor_metadata or {}).get("detail", "auto")
    return Size(image_tokens(*size, wire, detail), most_image_tokens(wire, *size))


@dataclass(frozen=True, slots=True)
class Calibration:
    """How a provider's counts compare with our estimate.

    Attributes:
        ratio: its tokens for each of ours.
        known: whether any response has been reported.
        model: the model that was reported on.
        reported: its tokens of the newest request that was reported on; 0 where none was.
        raw: ours of that request.
        slope: its tokens for each of ours of what requests grew and shrank by, which is text of the conversation, where the
            ratio of a whole request is mostly that of its instructions and tools.
    """

    ratio: float = 1.0
    known: bool = False
    model: str = ""
    reported: int = 0
    raw: int = 0
    slope: float = 1.0

    def apply(self, estimate: int) -> int:
        """`estimate` as this provider would count it."""
        return round(estimate * self.ratio)

    def whole(self, estimate: int) -> int:
        """`estimate` of a whole request as this provider would count it: what was reported, and what has changed since."""
        if not self.reported:
            return self.apply(estimate)
        return max(1, self.reported + round(self.slope * (estimate - self.raw)))


REPORTS = 12
"""The newest responses that a calibration looks at."""

GROWN = 64
"""The least change between reports, in estimated tokens, that says how the conversation's text is counted."""


def calibrate(history: History, model: str) -> Calibration:
    """The calibration from the newest responses of `model` in view that reported their input.

    A report of zero is unknown, never zero; a ratio outside 0.4 to 3 is a broken report and is ignored.
    """
    reports: list[tuple[int, int]] = []
    for turn in reversed(history.turns):
        for step in reversed(turn.steps):
            raw = step.trace.count.raw
            if step.model == model and reported_ratio(step.response, raw) is not None:
                reports.append((step.response.usage.input_tokens, raw))
        if len(reports) >= REPORTS:
            break
    if not reports:
        return Calibration(model=model)
    reported, raw = reports[0]
    ratio = reported / raw
    return Calibration(
        ratio, known=True, model=model, reported=reported, raw=raw, slope=_slope(reports) or ratio
    )


def _slope(reports: Sequence[tuple[int, int]]) -> float | None:
    """What requests grew and shrank by between reports, as the provider counted it, for each of our tokens."""
    ours = theirs = 0
    for (new, new_raw), (old, old_raw) in pairwise(reports):
        sign = 1 if new_raw >= old_raw else -1
        ours += sign * (new_raw - old_raw)
        theirs += sign * (new - old)
    return ratio_of(theirs, ours) if ours >= GROWN else None


def reported_ratio(response: ModelResponse, raw: int) -> float | None:
    """The provider's tokens for each of our `raw` ones; None where nothing was reported that can be true."""
    return ratio_of(response.usage.input_tokens, raw)


def ratio_of(counted: int, raw: int) -> float | None:
    """`counted` tokens for each of our `raw` ones; None where that cannot be true."""
    ratio = counted / raw if raw > 0 else 0.0
    return ratio if 0.4 <= ratio <= 3 else None
