"""The tokens of an image from its pixels, as each family of providers publishes it, and the most that it can have."""

from __future__ import annotations

import re
from math import ceil, sqrt
from typing import Final, NamedTuple

from turnstate.core.context.families import ANYWHERE, Family, Wire

MOST_IMAGE: Final = 48_169
"""The most tokens that a provider publishes for one image: GPT-4o mini's, of eight tiles."""

MARKS: Final = 100
"""Tokens that may stand around an image, and by which a published count may be off."""


class _Patches(NamedTuple):
    """A count by square patches, into which an image is scaled down to fit.

    Attributes:
        side: of a patch, in pixels.
        most: patches of one image.
        edge: the longest edge, in pixels.
        each: tokens of one patch.
    """

    side: int
    most: int
    edge: int
    each: float = 1.0

    def tokens(self, width: int, height: int) -> int:
        """The tokens of an image of this size."""
        scale = min(1.0, self.edge / max(width, height))
        wide, high = width * scale / self.side, height * scale / self.side
        if ceil(wide) * ceil(high) > self.most:
            # Scaled down until whole patches cover it and are no more than that.
            shrunk = sqrt(self.most / (wide * high))
            wide, high = wide * shrunk, high * shrunk
            shrunk = min(max(1, int(wide)) / wide, max(1, int(high)) / high)
            wide, high = wide * shrunk, high * shrunk
        # A hair less, for what is whole but for rounding.
        patches = max(1, ceil(wide - 1e-6)) * max(1, ceil(high - 1e-6))
        return ceil(min(self.most, patches) * self.each)

    @property
    def largest(self) -> int:
        """The tokens of the largest image."""
        return ceil(self.most * self.each)


class _Tiles(NamedTuple):
    """A count by tiles of 512 pixels, after scaling into 2,048 pixels and the shorter side to 768.

    Attributes:
        base: for any image.
        each: for each tile.
    """

    base: int
    each: int

    def tokens(self, width: int, height: int) -> int:
        """The tokens of an image of this size."""
        scale = min(1.0, 2_048 / max(width, height))
        scale *= min(1.0, 768 / (min(width, height) * scale))
        wide, high = (max(1, ceil(side * scale / 512 - 1e-6)) for side in (width, height))
        return self.base + self.each * wide * high

    @property
    def largest(self) -> int:
        """The tokens of the largest image: two tiles by four."""
        return self.base + 8 * self.each


_CLAUDE: Final = _Patches(28, 1_568, 1_568)
_CLAUDE_FINE: Final = _Patches(28, 4_784, 2_576)
"""Claude from 4.7 on."""

_VERSION: Final = re.compile(r"claude-[a-z]+-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)")
_VERSIONED: Final = re.compile(r"claude-(?:[a-z]+-)?\d")
_HOST: Final = re.compile(r"^[a-z-]+:")

_SMALL: Final = 1_536
_OPENAI: Final[dict[str, _Patches | _Tiles]] = {
    "gpt-4o-mini": _Tiles(2_833, 5_667),
    "gpt-4o": _Tiles(85, 170),
    "gpt-4.1-mini": _Patches(32, _SMALL, 2_048, 1.62),
    "gpt-4.1-nano": _Patches(32, _SMALL, 2_048, 2.46),
    "gpt-4.1": _Tiles(85, 170),
    "gpt-4.5": _Tiles(85, 170),
    "gpt-4-turbo": _Tiles(85, 170),
    "gpt-5-mini": _Patches(32, _SMALL, 2_048, 1.62),
    "gpt-5-nano": _Patches(32, _SMALL, 2_048, 2.46),
    "gpt-5.1": _Tiles(70, 140),
    "gpt-5.2": _Patches(32, _SMALL, 2_048, 1.2),
    "gpt-5.3": _Patches(32, _SMALL, 2_048, 1.2),
    "gpt-5.4-mini": _Patches(32, _SMALL, 2_048, 1.62),
    "gpt-5.4-nano": _Patches(32, _SMALL, 2_048, 2.46),
    "gpt-5.": _Patches(32, 2_500, 2_048, 1.2),
    "gpt-6": _Patches(32, 2_500, 2_048, 1.2),
    "gpt-5": _Tiles(70, 140),
    "o4-mini": _Patches(32, _SMALL, 2_048, 1.72),
    "o1": _Tiles(75, 150),
    "o3": _Tiles(75, 150),
}
"""By the beginning of the model's name; the first that fits."""

_USUAL: Final = _OPENAI["gpt-4o"]
_ORIGINAL: Final = _Patches(32, 10_000, 6_000, 1.2)
"""The detail "original" of OpenAI's newer models."""

GEMINI_TILE: Final = 258
"""Tokens of a tile, up to Gemini 2.5; an image of at most 384 pixels each way is one."""

GEMINI_IMAGE: Final = 1_120
"""Tokens of any image in Gemini 3 and later, where no resolution is asked for."""

PAGE: Final = 2_000
"""Tokens of a page of a PDF, its text and its image; Anthropic publishes 1,500 to 3,000."""

GEMINI_PAGE: Final = 560
"""Tokens of a page in Gemini 3 and later; before, a page is one tile."""

_GEMINI_FINE: Final = 2_240
_BY_TILES: Final = re.compile(r"gemini-[12]\b|gemini-[12]\.")


def image_tokens(width: int, height: int, wire: Wire = ANYWHERE, detail: str = "auto") -> int:
    """The tokens of an image of `width` times `height` pixels; at least 1.

    Args:
        width: in pixels.
        height: in pixels.
        wire: where it goes; a family alone is taken for its usual model. Of nowhere, the most of the families.
        detail: what OpenAI is asked to look at: "low" is one small picture, whatever the size.
    """
    width, height = max(1, width), max(1, height)
    if wire == ANYWHERE:
        return max(_usual(width, height, family, "", detail) for family in Family)
    return _usual(width, height, wire.family, _model(wire), detail)


def unknown_image_tokens(wire: Wire = ANYWHERE) -> int:
    """The tokens that an image is taken for which does not say its size: a large one's."""
    return image_tokens(3_000, 3_000, wire) if wire.family is not Family.GEMINI else GEMINI_IMAGE


def most_image_tokens(wire: Wire = ANYWHERE, width: int = 0, height: int = 0) -> int:
    """The most tokens that an image can have there; of this size, where it is known.

    Where the model is not known that is the most that any provider publishes.
    """
    model = _model(wire)
    tiles = _gemini(width, height) if width > 0 and height > 0 else 0
    match wire.family:
        case Family.ANTHROPIC if "claude" in model:
            # Published as approximate, with marks before and behind; a name without a version is of any.
            plain = not _fine(model) and _VERSIONED.search(model) is not None
            return (_CLAUDE if plain else _CLAUDE_FINE).largest + MARKS
        case Family.GEMINI if model.startswith("gemini-") and tiles:
            return max(_GEMINI_FINE, tiles) + MARKS
        case Family.OPENAI_CHAT | Family.OPENAI_RESPONSES:
            rule = _rule(model)
            if rule is not None:
                return (rule if isinstance(rule, _Tiles) else _ORIGINAL).largest + MARKS
        case _:
            pass
    return max(MOST_IMAGE, tiles)


def page_tokens(wire: Wire = ANYWHERE) -> int:
    """The tokens that a page of a PDF is taken for."""
    if wire.family is not Family.GEMINI:
        return PAGE
    return GEMINI_TILE if _BY_TILES.match(_model(wire)) else GEMINI_PAGE


def _model(wire: Wire) -> str:
    """The model's name without who hosts it or that it was tuned."""
    return _HOST.sub("", wire.model.lower().rpartition("/")[2])


def _usual(width: int, height: int, family: Family, model: str, detail: str) -> int:
    match family:
        case Family.ANTHROPIC:
            return (_CLAUDE_FINE if _fine(model) else _CLAUDE).tokens(width, height)
        case Family.GEMINI:
            return _gemini(width, height) if _BY_TILES.match(model) else GEMINI_IMAGE
        case Family.OPENAI_CHAT | Family.OPENAI_RESPONSES:
            return _openai(width, height, model, detail)


def _fine(model: str) -> bool:
    version = _VERSION.search(model)
    return version is not None and (int(version[1]), int(version[2] or 0)) >= (4, 7)


def _openai(width: int, height: int, model: str, detail: str) -> int:
    rule = _rule(model) or _USUAL
    if isinstance(rule, _Tiles):
        return rule.base if detail == "low" else rule.tokens(width, height)
    return (_ORIGINAL if detail == "original" else rule).tokens(width, height)


def _rule(model: str) -> _Patches | _Tiles | None:
    return next((rule for name, rule in _OPENAI.items() if model.startswith(name)), None)


def _gemini(width: int, height: int) -> int:
    if max(width, height) <= 384:
        return GEMINI_TILE
    unit = min(768, max(256, min(width, height) * 2 // 3))
    return GEMINI_TILE * ceil(width / unit) * ceil(height / unit)
