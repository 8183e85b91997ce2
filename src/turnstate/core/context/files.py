"""What a file says of its own size: an image its pixels, a PDF its pages."""

from __future__ import annotations

import re
import struct
from typing import NamedTuple

_PAGE = re.compile(rb"/Type\s*/Page(?![a-zA-Z])")
_PAGES = re.compile(rb"/Count\s+(\d{1,6})\b")
_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""The JPEG markers of a frame header, which holds the image's size."""


class Pixels(NamedTuple):
    """The size of an image."""

    width: int
    height: int


def pixels(data: bytes) -> Pixels | None:
    """The size of a PNG, GIF, JPEG or WebP, from its header; None for anything else."""
    try:
        if data.startswith(b"\x89PNG\r\n\x1a\n"):
            return Pixels(*struct.unpack_from(">II", data, 16))
        if data.startswith((b"GIF87a", b"GIF89a")):
            return Pixels(*struct.unpack_from("<HH", data, 6))
        if data.startswith(b"\xff\xd8"):
            return _jpeg(data)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp(data)
    except struct.error:
        return None
    return None


def _jpeg(data: bytes) -> Pixels | None:
    place = 2
    while place + 4 <= len(data) and data[place] == 0xFF:
        marker, length = data[place + 1], *struct.unpack_from(">H", data, place + 2)
        if marker in _FRAME:
            height, width = struct.unpack_from(">HH", data, place + 5)
            return Pixels(width, height)
        place += 2 + length
    return None


def _webp(data: bytes) -> Pixels | None:
    kind = data[12:16]
    if kind == b"VP8X":
        wide, wider, high, higher = struct.unpack_from("<HBHB", data, 24)
        return Pixels(wide + (wider << 16) + 1, high + (higher << 16) + 1)
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return Pixels((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    width, height = struct.unpack_from("<HH", data, 26)
    return Pixels(width & 0x3FFF, height & 0x3FFF)


def pages(data: bytes) -> int | None:
    """How many pages a PDF has, as far as it says so in plain bytes; None where that is compressed."""
    if b"/ObjStm" in data:
        return None
    counted = max((int(count) for count in _PAGES.findall(data)), default=0)
    return max(len(_PAGE.findall(data)), counted) or None
