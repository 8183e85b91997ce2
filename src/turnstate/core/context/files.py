"""What a file says of its own size: an image its pixels, a PDF its pages."""

from __future__ import annotations

import re
import struct
import zlib
from typing import NamedTuple

_PAGE = re.compile(rb"/Type\s*/Page(?![a-zA-Z])")
_PAGES = re.compile(rb"/Count\s+(\d{1,6})\b")
_NODE = re.compile(rb"/Type\s*/Pages\b")
_PACKED = re.compile(rb"/Type\s*/ObjStm\b")
_STREAM = re.compile(rb">>\s*stream\r?\n")
_HEAD = 1_000
"""Bytes beside the word that names a stream of objects in which its dictionary is looked for."""

_NEAR = 10_000
"""Bytes beside the word that names a node of the page tree in which its dictionary is looked for."""

_MOST_UNPACKED = 50_000_000
"""Bytes that are unpacked of one PDF; a few kB may claim to be many GB."""

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
    """How many pages a PDF has, as far as it says so; None where what says it cannot be read.

    The page tree may stand in plain bytes, or in compressed streams of objects, which are read if they are compressed
    as nearly all are. Where its nodes and its pages disagree, the larger figure.
    """
    packed = b"/ObjStm" in data
    if packed and b"/Encrypt" in data:
        return None
    read = _unpacked(data) if packed else data
    return None if read is None else _counted(read)


def _counted(data: bytes) -> int | None:
    nodes = [_node(data, found.start()) for found in _NODE.finditer(data)]
    counts = [int(count) for node in nodes for count in _PAGES.findall(node)]
    # An outline counts its entries with the same word.
    counted = max(counts or map(int, _PAGES.findall(data)), default=0)
    return max(len(_PAGE.findall(data)), counted) or None


def _node(data: bytes, place: int) -> bytes:
    """The dictionary around `place`, as far as no other one stands in it."""
    start = max(data.rfind(b"<<", max(0, place - _NEAR), place), 0)
    end = data.find(b">>", place, place + _NEAR)
    return data[start : end if end >= 0 else place + _NEAR]


def _unpacked(data: bytes) -> bytes | None:
    """`data` and what its streams of objects hold; None where one of them cannot be read."""
    left = _MOST_UNPACKED
    parts: list[bytes] = [data]
    streams = list(_PACKED.finditer(data))
    if not streams:
        return None
    for found in streams:
        start = max(data.rfind(b"obj", max(0, found.start() - _HEAD), found.start()), 0)
        opened = _STREAM.search(data, found.end(), found.end() + _HEAD)
        if opened is None:
            return None
        head = data[start : opened.start()]
        if b"/Filter" not in head:
            continue  # it stands there in plain bytes
        end = data.find(b"endstream", opened.end())
        reader = zlib.decompressobj()
        try:
            parts.append(reader.decompress(data[opened.end() : end if end >= 0 else None], left))
        except zlib.error:
            return None
        left -= len(parts[-1])
        if not reader.eof:
            return None  # cut off, or more than it may be
    # Spaced, so that no word is made of the end of one and the beginning of the next.
    return b" ".join(parts)
