"""Images and documents beside what providers publish: there is no tokenizer for them, so only the formulas can be checked.

Every row is an example, a billed request or a rule that the provider's documentation or its forum shows; none was counted by
a provider's counter here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from turnstate.core.context.counting import MOST_PAGE
from turnstate.core.context.families import Family, Wire
from turnstate.core.context.images import image_tokens, most_image_tokens, page_tokens


class Example(NamedTuple):
    """One published figure.

    Attributes:
        what: what was shown.
        wire: to which model.
        width: in pixels; 0 for a page.
        height: in pixels; 0 for a page.
        least: the published tokens, or the least of a range.
        most: the published tokens, or the most of a range.
        detail: what was asked for.
    """

    what: str
    wire: Wire
    width: int
    height: int
    least: int
    most: int
    detail: str = "auto"


_CLAUDE = Wire(Family.ANTHROPIC, "anthropic", "claude-sonnet-4-5")
_FINE = Wire(Family.ANTHROPIC, "anthropic", "claude-opus-4-7")
_GEMINI = Wire(Family.GEMINI, "google", "gemini-2.5-pro")
_GEMINI_3 = Wire(Family.GEMINI, "google", "gemini-3-pro")


def _gpt(model: str) -> Wire:
    return Wire(Family.OPENAI_CHAT, "openai", model)


EXAMPLES = (
    # 54 by the older rule, a 750th of the pixels, 64 by patches of 28 pixels.
    Example("image", _CLAUDE, 200, 200, 54, 64),
    Example("image", _CLAUDE, 1_000, 1_000, 1_296, 1_334),
    Example("image", _CLAUDE, 1_092, 1_092, 1_521, 1_590),
    Example("image", _CLAUDE, 3_000, 2_000, 1_560, 1_568),
    Example("image", _FINE, 2_000, 1_500, 3_888, 4_000),
    Example("image", _gpt("gpt-4o"), 1_024, 1_024, 765, 765),
    Example("image", _gpt("gpt-4o"), 2_048, 4_096, 1_105, 1_105),
    Example("image", _gpt("gpt-4o"), 4_096, 8_192, 85, 85, "low"),
    Example("image", _gpt("gpt-4.1-mini"), 1_024, 1_024, 1_659, 1_659),
    Example("image", _gpt("gpt-4.1-mini"), 4_000, 1_474, 2_488, 2_489),
    Example("image", _gpt("o4-mini"), 1_800, 2_400, 2_497, 2_498),
    # Billed at 1.2 tokens a patch, though 1.62 are published.
    Example("image", _gpt("gpt-5-mini"), 1_024, 1_024, 1_229, 1_659),
    Example("image", _gpt("gpt-5.4"), 1_600, 1_600, 3_000, 3_000),
    Example("image", _GEMINI, 300, 200, 258, 258),
    Example("image", _GEMINI, 960, 540, 1_548, 1_548),
    Example("image", _GEMINI_3, 960, 540, 1_120, 1_120),
    Example("page of a PDF", _CLAUDE, 0, 0, 1_500, 3_000),
    Example("page of a PDF", _GEMINI, 0, 0, 258, 258),
    Example("page of a PDF", _GEMINI_3, 0, 0, 560, 560),
)


def files() -> dict[str, Any]:
    """Our figure beside each published one."""
    return {_name(example): _beside(example) for example in EXAMPLES}


def _name(example: Example) -> str:
    size = f", {example.width} × {example.height}" if example.width else ""
    detail = f", {example.detail} detail" if example.detail != "auto" else ""
    return f"{example.wire.model}: {example.what}{size}{detail}"


def _beside(example: Example) -> dict[str, Any]:
    if example.width:
        ours = image_tokens(example.width, example.height, example.wire, example.detail)
        bound = most_image_tokens(example.wire, example.width, example.height)
    else:
        ours, bound = page_tokens(example.wire), MOST_PAGE
    off = max(example.least - ours, ours - example.most, 0)
    return {
        "estimate": ours,
        "published": [example.least, example.most],
        "error": round(100 * off / example.most, 1),
        "bound_under": int(bound < example.most),
    }
